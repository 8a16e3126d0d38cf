//! A table with balls on it, and the shots that are played.

use crate::contact::centres_apart;
use crate::cushions::{Bare, Cushions};
use crate::gathered::Gathered;
use crate::motion::{farthest, kinetic_energy, length};
use crate::obstruction::{By, obstruction};
use crate::outcome::{BallHit, CushionHit, Outcome, Potted};
use crate::rack::spots;
use crate::{
    BallState, Billiards, Coefficients, Error, Layout, MotionChange, Obstacle, Obstruction, Placed, Shot,
    Strike, Table,
};
use carom_engine::glam::DVec3;
use carom_engine::math::toi::squared_gap;
use carom_engine::{
    Counters, DVec2, Disc, DiscId, DiscRef, Error as EngineError, Event, StopReason, Time, World,
};
use std::sync::Arc;

/// Seconds after which a shot is looked at: whether it is over. Longer than most.
const LOOK: f64 = 64.0;

/// So often at most: without friction it goes on for ever.
const LOOKS: u32 = 1000;

/// A table with balls: a world that plays shots.
///
/// [`Game::world`] is the engine's, for everything else that it can do: regions, queries, snapshots.
#[derive(Debug)]
pub struct Game {
    table: Table,
    layout: Layout,
    /// Boxed, as it is some 14 kB, which each move of a game would copy.
    world: Box<World<Billiards>>,
    ids: Vec<DiscId>,
    bare: Arc<Bare>,
}

/// `clone_from` keeps the memory of the game that it overwrites: for the trials of a search.
impl Clone for Game {
    fn clone(&self) -> Self {
        Game {
            table: self.table.clone(),
            layout: self.layout.clone(),
            world: self.world.clone(),
            ids: self.ids.clone(),
            bare: self.bare.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.table.clone_from(&source.table);
        if self.layout != source.layout {
            self.layout.clone_from(&source.layout);
        }
        self.world.clone_from(&source.world);
        self.ids.clone_from(&source.ids);
        self.bare.clone_from(&source.bare);
    }
}

/// What a shot is made of as it begins.
pub(crate) struct Begun {
    pub(crate) strike: Strike,
    shot: Option<Shot>,
    /// The ball that is struck, if one is.
    pub(crate) index: Option<usize>,
    pub(crate) start: f64,
    pub(crate) counters: Counters,
}

impl Game {
    /// A table without balls, with room for those of a layout.
    pub(crate) fn without_balls(table: &Table, layout: &Layout, bare: Arc<Bare>) -> Game {
        let ids = Vec::with_capacity(layout.balls.len());
        let (table, layout) = (table.clone(), layout.clone());
        let mut game = Game { table, layout, world: Box::new(bare.world.clone()), ids, bare };
        game.world.reserve(game.layout.balls.len());
        game
    }

    /// Adds the disc of the next ball of the layout.
    pub(crate) fn add(&mut self, disc: Disc<Coefficients, BallState>) -> Result<(), EngineError> {
        self.ids.push(self.world.insert(disc)?);
        Ok(())
    }

    /// The radii of the balls for which the pockets are made.
    pub(crate) fn radii(&self) -> &[f64] {
        &self.bare.radii
    }

    /// The places and radii of the balls on the table, without one of them.
    pub(crate) fn lying_beside(&self, index: usize) -> impl Iterator<Item = (DVec2, f64)> {
        let others = (0..self.ids.len()).filter(move |&k| k != index).filter_map(|k| self.ball(k));
        others.filter(DiscRef::is_enabled).map(|ball| (ball.position(), ball.radius()))
    }

    /// Other balls on the same table: what [`Layout::build`] makes of them, bit for bit, in a fifth of its
    /// time, as the walls are there.
    ///
    /// # Errors
    /// As [`Layout::build`].
    ///
    /// ```
    /// # use carom_billiards::{Rack, Shot, Table};
    /// let (table, rack) = (Table::pool_9ft(), Rack::nine_ball().with_gap(1e-5)?);
    /// let first = rack.place(&table, 0)?.build(&table)?;
    /// let mut fell = 0;
    /// for seed in 0..10 {
    ///     let mut game = first.with_layout(&rack.place(&table, seed)?)?;
    ///     fell += game.shoot(&Shot::new(9.0).aimed_at(1.57))?.potted.len();
    /// }
    /// # Ok::<(), carom_billiards::Error>(())
    /// ```
    pub fn with_layout(&self, layout: &Layout) -> Result<Game, Error> {
        if layout.radii() == self.radii() {
            layout.put_on(&self.table, self.bare.clone())
        } else {
            layout.build(&self.table)
        }
    }

    /// The table.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Where the balls lay at the start, and what they are called.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The world; its origin is the table's centre.
    #[must_use]
    pub fn world(&self) -> &World<Billiards> {
        &self.world
    }

    /// The world, to be changed.
    pub fn world_mut(&mut self) -> &mut World<Billiards> {
        &mut self.world
    }

    /// The discs of the balls, in the order of the layout.
    #[must_use]
    pub fn discs(&self) -> &[DiscId] {
        &self.ids
    }

    /// The balls on the table, in the order of the layout: their labels, and where their centres are, in the
    /// frame of the table.
    ///
    /// ```
    /// use carom_billiards::{Layout, Shot, Table};
    ///
    /// let table = Table::pool_9ft();
    /// let balls = Layout::new().with("cue", table.ball, [0.4, 0.6]).with("8", table.ball, [0.9, 1.9]);
    /// let mut game = balls.build(&table)?;
    /// game.shoot(&Shot::new(0.5).aimed_at(1.0))?;
    /// for (label, at) in game.balls() {
    ///     println!("{label} lies at ({:.3}, {:.3})", at.x, at.y);
    /// }
    /// // The cue ball has rolled; the other one lies as it lay.
    /// assert!(game.balls().nth(1).is_some_and(|(label, at)| label == "8" && (at.x - 0.9).abs() < 1e-12));
    /// # Ok::<(), carom_billiards::Error>(())
    /// ```
    pub fn balls(&self) -> impl Iterator<Item = (&str, DVec2)> {
        self.layout.balls.iter().enumerate().filter_map(|(index, placed)| {
            let ball = self.ball(index).filter(DiscRef::is_enabled)?;
            Some((placed.label.as_str(), self.table.from_world(ball.position())))
        })
    }

    /// A ball by its label: its number in the layout.
    ///
    /// # Errors
    /// If there is none.
    pub fn index_of(&self, label: &str) -> Result<usize, Error> {
        let found = self.layout.balls.iter().position(|placed| placed.label == label);
        found.ok_or_else(|| self.no_ball(label))
    }

    /// What is said of a ball that is not on the table.
    pub(crate) fn no_ball(&self, label: &str) -> Error {
        Error::no_ball(label, self.balls().map(|(label, _)| label))
    }

    /// The cushions of the table, in the frame of the world.
    pub(crate) fn cushions(&self) -> &Cushions {
        &self.bare.cushions
    }

    /// The disc of a ball of the layout.
    pub(crate) fn ball(&self, index: usize) -> Option<DiscRef<'_, Billiards>> {
        self.world.get(self.ids[index])
    }

    /// The kinetic energy of all balls on the table, with that of their rotation, in joules.
    #[must_use]
    pub fn energy(&self) -> f64 {
        let on_table = (0..self.ids.len()).filter_map(|k| self.ball(k)).filter(DiscRef::is_enabled);
        let energy = |ball: DiscRef<'_, Billiards>| {
            let spin = ball.extra().angular_velocity(ball.radius(), ball.velocity());
            kinetic_energy(ball.mass(), ball.radius(), ball.velocity(), spin)
        };
        on_table.map(energy).sum()
    }

    /// Plays a shot until all balls rest.
    ///
    /// # Errors
    /// For a stroke that is none, a miscue, and a ball that is not on the table. The game is then as it was.
    pub fn shoot(&mut self, shot: &Shot) -> Result<Outcome, Error> {
        let obstruction = self.obstruction(shot)?;
        Ok(Outcome { obstruction, ..self.try_shot(shot)? })
    }

    /// The same without a look for what is in the way of the cue.
    pub(crate) fn try_shot(&mut self, shot: &Shot) -> Result<Outcome, Error> {
        let begun = self.begin(shot)?;
        let mut gathered = self.gather(&begun);
        let (mut events, mut end) = (self.watch(&mut gathered, begun.start + LOOK)?, StopReason::Reached);
        for look in 1..=LOOKS {
            let mut take = |event: &Event<MotionChange>| gathered.take(event);
            let until = begun.start + LOOK * f64::from(look);
            let advance = self.world.advance_to_with(until, &mut take)?;
            (events, end) = (events + advance.events, advance.end);
            if end != StopReason::Reached || self.world.next_event().is_none() {
                break;
            }
            end = StopReason::OutOfBudget;
        }
        Ok(self.finish(begun, gathered, end, events))
    }

    /// Plays event by event for as long as the path of the struck ball matters. Returns how many there were.
    fn watch(&mut self, gathered: &mut Gathered, until: f64) -> Result<u64, Error> {
        let mut events = 0;
        for _ in 0..self.world.settings().budget {
            let Some(struck) = gathered.watched() else { break };
            let next = self.world.next_event().filter(|next| next.time.as_secs() < until);
            let Some(next) = next else { break };
            gathered.see(self.farthest(struck, next.time));
            let advance = self.world.advance_until_event(LOOK, |event| {
                gathered.take(event);
                true
            })?;
            events += advance.events;
        }
        Ok(events)
    }

    /// How far up the table a ball comes on its path from now to a time.
    pub(crate) fn farthest(&self, ball: usize, until: Time) -> f64 {
        let Some(ball) = self.ball(ball).filter(DiscRef::is_enabled) else { return f64::NEG_INFINITY };
        let path = [ball.position().y, ball.velocity().y, ball.acceleration().y];
        farthest(path, until.since(self.world.now()))
    }

    pub(crate) fn begin(&mut self, shot: &Shot) -> Result<Begun, Error> {
        let index = self.index_of(&shot.ball)?;
        let id = self.ids[index];
        if !self.world.is_enabled(id) {
            return Err(self.no_ball(&shot.ball));
        }
        let strike = shot.strike(&self.layout.balls[index].ball)?;
        let (start, counters) = (self.world.now().as_secs(), self.world.counters());
        self.world.set_extra(id, BallState::turning(strike.spin))?;
        self.world.set_velocity(id, strike.velocity)?;
        Ok(Begun { strike, shot: Some(shot.clone()), index: Some(index), start, counters })
    }

    /// What moves goes on, and nothing is struck.
    pub(crate) fn begin_without_stroke(&self) -> Begun {
        let strike = Strike { velocity: DVec2::ZERO, spin: DVec3::ZERO, squirt: 0.0, downwards: 0.0 };
        let (start, counters) = (self.world.now().as_secs(), self.world.counters());
        Begun { strike, shot: None, index: None, start, counters }
    }

    /// What gathers the outcome of a shot that begins.
    pub(crate) fn gather(&self, begun: &Begun) -> Gathered {
        let ball = |k: usize| self.ball(k).filter(DiscRef::is_enabled);
        let lay = (0..self.ids.len()).map(|k| ball(k).map(|ball| ball.position())).collect();
        let mut gathered =
            Gathered::new(begun.index, begun.start, (&self.table, self.cushions()), &self.layout, lay);
        gathered.strike(begun.strike.velocity);
        gathered
    }

    pub(crate) fn finish(&self, begun: Begun, gathered: Gathered, end: StopReason, events: u64) -> Outcome {
        let label = |k: usize| self.layout.balls[k].label.clone();
        let potted = |&(k, at, time): &(usize, DVec2, f64)| Potted {
            ball: label(k),
            pocket: self.pocket_at(at),
            time,
        };
        let (now, before) = (self.world.counters(), begun.counters);
        let cushion = |&(k, cushion, time, frozen): &(usize, usize, f64, bool)| CushionHit {
            ball: label(k),
            cushion,
            time,
            frozen,
        };
        let (from, from_behind_string) = gathered.from().unwrap_or_default();
        let tip = |((shot, index), (time, after, at_ball)): ((&Shot, usize), (f64, DVec2, bool))| {
            shot.tip(self.layout.balls[index].ball.mass, &begun.strike, time, after, at_ball)
        };
        let touched = gathered.first_hit.filter(|(ball, _)| gathered.touching.contains(ball));
        let first = gathered.first_impact.filter(|first| Some(first.0) != touched.map(|(_, time)| time));
        let tip = begun.shot.as_ref().zip(begun.index).zip(first).map(tip);
        Outcome {
            ball: begun.index.map(label).unwrap_or_default(),
            strike: begun.strike,
            from: self.table.from_world(from),
            from_behind_string,
            tip: tip.unwrap_or_default(),
            is_called: false,
            obstruction: None,
            potted: gathered.potted.iter().map(potted).collect(),
            first_hit: gathered.first_hit.map(|(k, _)| label(k)),
            first_hit_at: gathered.first_hit.map(|(_, time)| time),
            met_behind_string: gathered.met_behind_string,
            hits: gathered
                .hits
                .iter()
                .map(|&(pair, time)| BallHit { balls: pair.map(label), time })
                .collect(),
            cushions: gathered.cushions.iter().map(cushion).collect(),
            touching: gathered.touching.into_iter().map(label).collect(),
            duration: gathered.last - begun.start,
            end,
            events,
            impacts: now.disc_impacts + now.wall_impacts - before.disc_impacts - before.wall_impacts,
            changes: now.changes - before.changes,
            pieces: now.pieces - before.pieces,
        }
    }

    /// The number of the pocket at whose circle a ball has fallen.
    pub(crate) fn pocket_at(&self, at: DVec2) -> usize {
        let off = |&(center, radius): &(DVec2, f64)| (length(at - center) - radius).abs();
        let circles = self.table.pocket_circles();
        let nearest = circles.iter().map(off).enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b));
        nearest.map_or(0, |(pocket, _)| pocket)
    }

    /// What is in the way of the cue at the elevation of a shot: the thing that asks for the steepest cue.
    ///
    /// The axis of the cue goes through the point where the tip meets the ball, `√(1 − a² − b²)` radii behind
    /// the centre, and the cue widens evenly from the tip to the butt. It is to be clear of the other balls,
    /// of the noses and facings of the cushions up to their heights, and of the rails behind them. A few
    /// microseconds.
    ///
    /// # Errors
    /// If the ball is not on the table, or a number of the shot or its cue is out of range.
    pub fn obstruction(&self, shot: &Shot) -> Result<Option<Obstruction>, Error> {
        shot.check_place()?;
        let index = self.index_of(&shot.ball)?;
        let lying = |k: usize| {
            let ball = self.ball(k).filter(DiscRef::is_enabled)?;
            Some((k, ball.position(), ball.radius()))
        };
        let Some((_, at, radius)) = lying(index) else { return Err(self.no_ball(&shot.ball)) };
        let others = (0..self.ids.len()).filter(|&k| k != index).filter_map(lying);
        let found = obstruction(shot, (at, radius), self.cushions(), others);
        Ok(found.map(|(by, least_elevation)| {
            let by = match by {
                By::Cushion => Obstacle::Cushion,
                By::Rail => Obstacle::Rail,
                By::Ball(k) => Obstacle::Ball(self.layout.balls[k].label.clone()),
            };
            Obstruction { by, least_elevation }
        }))
    }

    /// The least elevation of the cue, in radians, at which nothing is in its way where the tip of a shot
    /// meets the ball; that of the shot does not matter. `None` where no cue gets there.
    ///
    /// # Errors
    /// As [`Game::obstruction`].
    pub fn least_elevation(&self, shot: &Shot) -> Result<Option<f64>, Error> {
        let level = Shot { elevation: 0.0, ..shot.clone() };
        Ok(self.obstruction(&level)?.map_or(Some(0.0), |found| found.least_elevation))
    }

    /// Puts a ball somewhere, at rest: ball in hand, or a spot.
    ///
    /// # Errors
    /// If there is none of this label, or the place is not on the table or not free. The ball is then where
    /// it was.
    pub fn place(&mut self, label: &str, at: impl Into<DVec2>) -> Result<(), Error> {
        let index = self.index_of(label)?;
        let (id, at) = (self.discs()[index], at.into());
        let placed = Placed { at, ..self.layout().balls[index].clone() };
        if !placed.is_on(self.table()) {
            return Err(placed.off_table());
        }
        let settled = placed.settled(self.table(), self.cushions(), self.lying_beside(index));
        let moved = self.world_mut().set_position(id, settled);
        moved.map_err(|error| self.layout().refused(&placed, self.discs(), error))?;
        let world = self.world_mut();
        world.set_velocity(id, DVec2::ZERO)?;
        world.set_extra(id, BallState::rolling())?;
        Ok(world.set_enabled(id, true)?)
    }

    /// Puts a ball on the foot spot or, if others are in the way, as near to it as possible on the line from
    /// there to the foot cushion; if there is no room, on the line towards the head cushion. It touches an
    /// object ball that is in the way, and is [`Game::SEPARATION`] from the cue ball (World Pool-Billiard
    /// Association, The Rules of Play, 1.4). Returns where.
    ///
    /// # Errors
    /// If there is none of this label, or no room.
    pub fn spot(&mut self, label: &str) -> Result<DVec2, Error> {
        let index = self.index_of(label)?;
        let spot = spots(self.table()).1;
        let mut refused = Err(self.layout().balls[index].off_table());
        let cue = self.index_of(Layout::CUE).ok().filter(|&cue| cue != index);
        let gap = |k: usize| if Some(k) == cue { Game::SEPARATION } else { 0.0 };
        for y in self.free_along(index, spot, gap) {
            let at = spot + DVec2::new(0.0, y);
            let from_cue = cue.and_then(|cue| self.seen(cue, index));
            let to = self.table().to_world(at);
            if from_cue.is_some_and(|cue| length(to - cue.at) - cue.reach < 0.5 * Game::SEPARATION) {
                continue;
            }
            match self.place(label, at) {
                Ok(()) => return Ok(at),
                Err(error) => refused = Err(error),
            }
        }
        refused
    }

    /// How far a ball that is put back is from another one that it may not touch, in metres.
    pub const SEPARATION: f64 = 1e-4;

    /// Where on the line through a spot along the table a ball has no other nearer than a gap, as far as one
    /// can say without looking at all: at the spot, and beside each of the others. Towards the foot, nearest
    /// first, then towards the head.
    pub(crate) fn free_along(&self, index: usize, spot: DVec2, gap: impl Fn(usize) -> f64) -> Vec<f64> {
        let radius = self.layout().balls[index].ball.radius;
        let mut beyond = vec![0.0];
        for k in (0..self.discs().len()).filter(|&k| k != index) {
            let Some(other) = self.ball(k).filter(DiscRef::is_enabled) else { continue };
            let from = self.table().from_world(other.position()) - spot;
            let reach = centres_apart(radius, other.radius()) + gap(k);
            let square = reach * reach - from.x * from.x;
            if square >= 0.0 {
                let half = carom_engine::math::sqrt(square);
                beyond.extend([from.y - half, from.y + half]);
            }
        }
        beyond.sort_by(|a, b| (*a < 0.0).cmp(&(*b < 0.0)).then(a.abs().total_cmp(&b.abs())));
        beyond
    }

    /// Gives a ball other coefficients.
    ///
    /// # Errors
    /// If there is none of this label, or one is out of range.
    pub fn set_coefficients(&mut self, label: &str, coefficients: Coefficients) -> Result<(), Error> {
        let id = self.discs()[self.index_of(label)?];
        Ok(self.world_mut().set_body(id, coefficients)?)
    }

    /// How far apart the surfaces of two balls are, in metres, less than 0 where they overlap.
    ///
    /// # Errors
    /// If there are none of these labels.
    pub fn gap(&self, a: &str, b: &str) -> Result<f64, Error> {
        let [a, b] = [self.index_of(a)?, self.index_of(b)?].map(|k| self.ball(k));
        let (Some(a), Some(b)) = (a, b) else { return Ok(f64::INFINITY) };
        let reach = centres_apart(a.radius(), b.radius());
        let between = a.position() - b.position();
        Ok(squared_gap(between, reach) / (length(between) + reach))
    }
}

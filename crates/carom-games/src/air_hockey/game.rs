use super::Mouse;
use crate::{Error, Input, Inputs};
use carom::{
    DVec2, Disc, DiscForces, DiscId, Event, Forces, Physics, Region, SchedulerKind, Settings, Sink, Smooth,
    StopReason, TimerId, Wall, World,
};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// How a game begins.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// Which scheduler the world has: the bits of a game do not depend on it.
    pub scheduler: SchedulerKind,
}

/// What the rules wait for.
#[derive(Clone, Copy)]
enum News {
    /// The puck is in the goal of this player.
    Goal(usize),
    /// The puck comes back, to this player.
    Serve(usize),
    /// The puck is over the middle, in the half of this player.
    Half(usize),
    /// The puck was in the half of this player for too long.
    Foul(usize),
}

/// Stops the run at what the rules wait for, and shows all events to an observer.
struct Watch<'a, C> {
    news: Option<News>,
    hits: Vec<(f64, DVec2)>,
    observer: &'a mut dyn FnMut(&Event<C>),
}

impl<P: Physics> Sink<P> for Watch<'_, P::Change> {
    fn event(&mut self, event: &Event<P::Change>) -> ControlFlow<()> {
        (self.observer)(event);
        self.news = match event {
            Event::Entered(crossing) => Some(match crossing.user_data[1] {
                RIGHT => News::Half(1),
                goal => News::Goal(goal as usize),
            }),
            Event::Left(crossing) => (crossing.user_data[1] == RIGHT).then_some(News::Half(0)),
            Event::Timer { note, .. } if *note < FOUL => Some(News::Serve(*note as usize)),
            Event::Timer { note, .. } => Some(News::Foul((*note - FOUL) as usize)),
            Event::Impact(impact) => {
                self.hits.push((impact.time.as_secs(), impact.point));
                None
            }
            _ => None,
        };
        if self.news.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// The state of a game. A clone is another game that goes on in the same way; saved and loaded it does, too.
///
/// The rules are the same on two tables: the puck of [`Game::new`] slides without friction, and the table of
/// [`Game::with_friction`] slows it down.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound(serialize = "World<P>: Serialize", deserialize = "World<P>: Deserialize<'de>"))]
pub struct Game<P: Physics = Smooth> {
    world: World<P>,
    inputs: Inputs<Mouse>,
    puck: DiscId,
    mallets: [DiscId; 2],
    score: [u32; 2],
    fouls: [u32; 2],
    /// Ends the time that this player has.
    clock: Option<(TimerId, usize)>,
    /// Times and places of the last impacts, to be drawn.
    hits: Vec<(f64, DVec2)>,
}

impl Game {
    /// Half of the length and width of the table in metres; the first player has the left half.
    pub const HALF: DVec2 = DVec2::new(1.2, 0.6);
    /// Half of the width of a goal.
    pub const GOAL: f64 = 0.18;
    /// Where the puck rests in the beginning.
    const SPOT: DVec2 = DVec2::new(-0.3, 0.0);
    /// Radius of the puck.
    pub const PUCK: f64 = 0.04;
    /// Radius of a mallet.
    pub const MALLET: f64 = 0.055;
    /// Largest speed of a mallet, in metres per second.
    pub const SPEED: f64 = 4.0;
    /// Seconds in which a mallet follows the mouse.
    pub const REACH: f64 = 1.0 / 60.0;
    /// Seconds after a goal until the puck comes back.
    pub const WAIT: f64 = 1.0;
    /// Seconds that a player has to play the puck over the middle; else the other one serves. This is rule
    /// I.10 of the United States Air-Table-Hockey Association; the centre of the puck counts here.
    pub const SHOT: f64 = 7.0;
    /// The acceleration that presses a puck with friction onto the table.
    pub const WEIGHT: f64 = 9.81;
    /// Seconds for which an impact is drawn.
    pub(super) const FLASH: f64 = 0.35;

    /// The start of a game: the puck rests with the first player.
    ///
    /// # Errors
    /// If the world cannot be made; it can.
    pub fn new(options: &Options) -> Result<Self, Error> {
        Self::start(Smooth, Disc::new(Self::SPOT, Self::PUCK), options)
    }
}

impl Game<Forces> {
    /// The start of a game whose table slows the puck down, by the coefficient of friction times
    /// [`Game::WEIGHT`].
    ///
    /// # Errors
    /// If the friction is out of range.
    pub fn with_friction(friction: f64, options: &Options) -> Result<Self, Error> {
        let puck =
            Disc::new(Game::SPOT, Game::PUCK).with_body(DiscForces { friction, ..DiscForces::default() });
        Self::start(Forces::new().with_weight(Game::WEIGHT)?, puck, options)
    }
}

impl<P: Physics> Game<P> {
    fn start(physics: P, puck: Disc<P::Body, P::Extra>, options: &Options) -> Result<Self, Error> {
        let settings = Settings::default().with_scheduler(options.scheduler).with_record_events(false);
        let mut world = World::with_physics(physics, settings)?;
        let (half, goal) = (Game::HALF, Game::GOAL);
        for (player, side) in [-1.0, 1.0].into_iter().enumerate() {
            // From the middle of the upper side to the post, and from the lower post back.
            let at = |x: f64, y: f64| DVec2::new(side * x, y);
            for up in [-1.0, 1.0] {
                let (corner, post) = (at(half.x, up * half.y), at(half.x, up * goal));
                let back = post + at(2.0 * Game::PUCK, 0.0);
                let points = [at(0.0, up * half.y), corner, post, back];
                world.add_wall(Wall::polyline(&points).with_restitution(0.9))?;
            }
            // In by its centre: a puck's radius behind the line it is over that with all of it.
            let line = at(half.x + Game::PUCK, 0.0);
            let region = Region::half_plane(line, at(-1.0, 0.0)).with_user_data(player as u64);
            world.add_region(region.with_groups(!0, PUCKS))?;
        }
        let right = Region::half_plane([0.0, 0.0], [-1.0, 0.0]).with_user_data(RIGHT);
        world.add_region(right.with_groups(!0, PUCKS))?;
        let puck = puck.with_mass(0.03).with_restitution(0.9).with_groups(PUCKS, !0);
        let puck = world.insert(puck)?;
        let mallet = |x: f64| Disc::new([x, 0.0], Game::MALLET).kinematic().with_groups(MALLETS, !0);
        let mallets = [
            world.insert(mallet(-0.9).with_max_speed(Game::SPEED))?,
            world.insert(mallet(0.9).with_max_speed(Game::SPEED))?,
        ];
        let clock = Some((world.set_timer(Game::SHOT, FOUL)?, 0));
        let (inputs, hits) = (Inputs::default(), Vec::new());
        Ok(Game { world, inputs, puck, mallets, score: [0; 2], fouls: [0; 2], clock, hits })
    }

    /// Takes an input, to be applied at its time.
    ///
    /// # Errors
    /// [`Error::Late`], [`Error::NoSuchPlayer`].
    pub fn input(&mut self, input: Input<Mouse>) -> Result<(), Error> {
        self.inputs.push(input, self.mallets.len(), self.now())
    }

    /// Plays up to a time, in seconds since the start.
    ///
    /// # Errors
    /// If the time is over or not finite; [`Error::OutOfBudget`].
    pub fn advance_to(&mut self, time: f64) -> Result<(), Error> {
        self.advance_to_with(time, &mut |_| {})
    }

    /// As [`Game::advance_to`], with an observer of all events.
    ///
    /// # Errors
    /// As [`Game::advance_to`].
    pub fn advance_to_with(
        &mut self,
        time: f64,
        observer: &mut dyn FnMut(&Event<P::Change>),
    ) -> Result<(), Error> {
        while let Some(input) = self.inputs.take_until(time) {
            self.run_to(input.time, observer)?;
            self.apply(&input)?;
        }
        self.run_to(time, observer)?;
        let now = self.now();
        self.hits.retain(|&(time, _)| time > now - Game::FLASH);
        Ok(())
    }

    fn run_to(&mut self, time: f64, observer: &mut dyn FnMut(&Event<P::Change>)) -> Result<(), Error> {
        let mut watch = Watch { news: None, hits: std::mem::take(&mut self.hits), observer };
        let end = loop {
            let done = self.world.advance_to_with(time, &mut watch)?;
            match watch.news.take() {
                Some(News::Goal(player)) => {
                    self.score[1 - player] += 1;
                    self.pause(player)?;
                }
                Some(News::Foul(player)) => {
                    self.fouls[player] += 1;
                    self.pause(1 - player)?;
                }
                Some(News::Serve(player)) => self.serve(player)?,
                Some(News::Half(player)) if self.world.is_enabled(self.puck) => self.start_clock(player)?,
                // It leaves the half as it is taken off the plane.
                Some(News::Half(_)) | None => {}
            }
            if done.end != StopReason::Stopped {
                break done.end;
            }
        };
        self.hits = watch.hits;
        if end == StopReason::Reached { Ok(()) } else { Err(Error::OutOfBudget { time: self.now() }) }
    }

    /// Takes the puck off, until this player serves.
    fn pause(&mut self, player: usize) -> Result<(), Error> {
        self.stop_clock();
        self.world.set_enabled(self.puck, false)?;
        self.world.set_timer(Game::WAIT, player as u64)?;
        Ok(())
    }

    fn stop_clock(&mut self) {
        if let Some((timer, _)) = self.clock.take() {
            self.world.cancel_timer(timer);
        }
    }

    fn start_clock(&mut self, player: usize) -> Result<(), Error> {
        self.stop_clock();
        self.clock = Some((self.world.set_timer(Game::SHOT, FOUL + player as u64)?, player));
        Ok(())
    }

    /// The puck rests where nothing can be in its way: a mallet never comes nearer to the middle line than
    /// its radius.
    fn serve(&mut self, player: usize) -> Result<(), Error> {
        self.world.set_velocity(self.puck, [if player == 0 { -0.4 } else { 0.4 }, 0.0])?;
        self.world.set_position(self.puck, [0.0, 0.0])?;
        self.world.set_enabled(self.puck, true)?;
        self.start_clock(player)
    }

    fn apply(&mut self, input: &Input<Mouse>) -> Result<(), Error> {
        let Input { time, player, action: Mouse(mouse) } = *input;
        let (side, room) = (if player == 0 { -1.0 } else { 1.0 }, Game::HALF - Game::MALLET);
        // A number that is none is no place: such a mouse is ignored.
        if mouse.is_finite() {
            let x = side * (side * mouse.x).clamp(Game::MALLET, room.x);
            let target = DVec2::new(x, mouse.y.clamp(-room.y, room.y));
            self.world.move_to_until(self.mallets[player], target, time + Game::REACH)?;
        }
        Ok(())
    }

    /// Seconds since the start.
    #[must_use]
    pub fn now(&self) -> f64 {
        self.world.now().as_secs()
    }

    /// The world, to be looked at.
    #[must_use]
    pub fn world(&self) -> &World<P> {
        &self.world
    }

    /// Goals of the two players.
    #[must_use]
    pub fn score(&self) -> [u32; 2] {
        self.score
    }

    /// How often each of the two players kept the puck for longer than [`Game::SHOT`].
    #[must_use]
    pub fn fouls(&self) -> [u32; 2] {
        self.fouls
    }

    /// The player in whose half the puck is, and the seconds until that is a foul, while the puck is there.
    #[must_use]
    pub fn clock(&self) -> Option<(usize, f64)> {
        let (clock, player) = self.clock?;
        let (_, end) = self.world.timers().find(|&(timer, _)| timer == clock)?;
        Some((player, end.since(self.world.now())))
    }

    /// The puck; off the plane after a goal or a foul.
    #[must_use]
    pub fn puck(&self) -> DiscId {
        self.puck
    }

    /// The mallets of the two players.
    #[must_use]
    pub fn mallets(&self) -> [DiscId; 2] {
        self.mallets
    }

    /// The place and velocity of a disc.
    pub(super) fn state(&self, id: DiscId) -> [DVec2; 2] {
        self.world.get(id).map_or([DVec2::ZERO; 2], |disc| [disc.position(), disc.velocity()])
    }

    pub(super) fn hits(&self) -> &[(f64, DVec2)] {
        &self.hits
    }
}

/// User data of the region that is the right half.
const RIGHT: u64 = 2;
/// Notes of timers from here on say who was too slow, those below it who serves.
const FOUL: u64 = 2;
const PUCKS: u32 = 1 << 0;
const MALLETS: u32 = 1 << 1;

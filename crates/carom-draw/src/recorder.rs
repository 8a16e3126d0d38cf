//! From a world that runs to a recording that can be drawn.

use std::collections::HashMap;
use std::io::Write;
use std::ops::ControlFlow;

use carom_engine::math::Periods;
use carom_engine::{
    DiscId, Event, Impact, Moment, Partner, Physics, Sink, Spin, StopReason, Time, Turn, WallId, World,
};
use glam::DVec2;

use crate::recording::{Actor, Mark, Recording};
use crate::track::{Piece, Track};
use crate::{DrawError, Look, MovieOptions, Style, movie, picture};

/// Collects the exact paths of discs while a world runs, and draws them afterwards.
///
/// It is a [`Sink`]: hand it to `advance_with` or `advance_to_with` (it costs one piece of path per disc and
/// impact), call [`Recorder::finish`] when done, then draw. After an edit of discs or walls between two
/// advances call [`Recorder::note`]. Discs that were not named at the start are not
/// drawn.
///
/// In a periodic world one period is drawn, and what hangs over its edges at the other ones.
///
/// Between impacts discs fly straight, and slide along curves on short chords, each a piece of its own; so
/// the paths are exact at any time. Where the physics accelerates discs they are parabolas, and where it
/// turns them one half shows how. Events do not say how those go on: there [`Recorder::advance_to`] runs the
/// world. The memory is bounded: see [`Recorder::with_limit`].
///
/// The same run and the same style give the same bytes.
#[derive(Clone, Debug)]
pub struct Recorder {
    pub(crate) recording: Recording,
    start: Time,
    index: HashMap<DiscId, usize>,
    walls: Vec<WallId>,
    periods: Periods,
}

impl Recorder {
    /// Pieces of path, and impact points, that are kept by default: 40 and 32 MB.
    pub const DEFAULT_LIMIT: usize = 1_000_000;

    /// Begins a recording with the world as it is. `looks` go with `discs` in order; discs beyond the last
    /// look have the default one, looks beyond the last disc are ignored.
    ///
    /// # Errors
    /// [`DrawError::OutOfRange`] for a number in `style` out of its range; [`DrawError::UnknownDisc`] for a
    /// handle of no disc in the world, [`DrawError::RepeatedDisc`] for one that was there before.
    pub fn new<P: Physics>(
        world: &World<P>,
        discs: &[DiscId],
        looks: Vec<Look>,
        style: Style,
    ) -> Result<Self, DrawError> {
        style.check()?;
        let (start, drag) = (world.now(), world.settings().drag);
        let mut recording = Recording::new(style, start.as_secs(), Self::DEFAULT_LIMIT);
        recording.periods = world.periods().lengths();
        recording.turns = P::TURNING.is_some();
        let mut index = HashMap::with_capacity(discs.len());
        let mut looks = looks.into_iter();
        for (k, &id) in discs.iter().enumerate() {
            let named = || format!("{id:?}");
            let disc = world.get(id).ok_or_else(|| DrawError::UnknownDisc { index: k, disc: named() })?;
            if index.insert(id, k).is_some() {
                return Err(DrawError::RepeatedDisc { index: k, disc: named() });
            }
            let (position, velocity) = (disc.position(), disc.velocity());
            let (acceleration, spin) = (disc.acceleration(), disc.spin().unwrap_or_default());
            let first = Piece { acceleration, drag, spin, ..Piece::straight(0.0, position, velocity) };
            let mut look = looks.next().unwrap_or_default();
            look.label = look.label.filter(|label| !label.is_empty());
            recording.actors.push(Actor { radius: disc.radius(), look, track: Track::new(first) });
        }
        let mut recorder = Self { recording, start, index, walls: Vec::new(), periods: *world.periods() };
        recorder.take_walls(world);
        Ok(recorder)
    }

    /// Keeps at most `limit` pieces of path beyond the first of each disc, and as many impact points; at
    /// least one. When there are more, the older half is dropped: trails and movies then begin later; start
    /// positions, the end and the number of impacts stay right.
    #[must_use]
    pub fn with_limit(mut self, limit: usize) -> Self {
        self.recording.set_limit(limit);
        self
    }

    /// Makes the picture this many pixels wide: see [`Style::width`].
    ///
    /// # Errors
    /// If that is out of range.
    pub fn with_width(mut self, width: u32) -> Result<Self, DrawError> {
        self.recording.style.width = width;
        self.recording.style.check()?;
        Ok(self)
    }

    /// Takes the world as it is now: after edits, so that the paths follow them. A disc that was removed is
    /// drawn up to here, a wall that was added from the start on, and one that was removed for ever: the
    /// picture has no time in which walls could change.
    ///
    /// Where the physics [is followed](Recorder::follows), after every event too.
    pub fn note<P: Physics>(&mut self, world: &World<P>) {
        if Self::follows::<P>() {
            self.follow(world);
        } else {
            self.take_turns(world);
        }
        self.recording.end = self.recording.end.max(world.now().since(self.start));
        self.take_walls(world);
    }

    /// Whether events do not say how paths go on, because the physics accelerates discs or turns them: then
    /// the world is looked at after each ([`Recorder::note`]).
    #[must_use]
    pub fn follows<P: Physics>() -> bool {
        P::ACCELERATED || P::TURNING.is_some()
    }

    /// Advances a world to a time and records the paths of its discs, whatever its physics. Events are not
    /// kept in the world. Where the physics [is followed](Recorder::follows) each event costs O(N).
    ///
    /// ```
    /// use carom_draw::{Recorder, Style};
    /// use carom_engine::{Disc, Forces, Settings, StopReason, Wall, World};
    ///
    /// let forces = Forces::new().with_gravity([0.0, -9.81])?;
    /// let mut world = World::with_physics(forces, Settings::default())?;
    /// world.add_wall(Wall::container([0.0, 0.0], [4.0, 2.0]).with_restitution(0.5))?;
    /// let ball = world.insert(Disc::new([0.5, 1.5], 0.1).with_velocity([1.0, 0.0]))?;
    /// let mut recorder = Recorder::new(&world, &[ball], Vec::new(), Style::default())?;
    /// assert_eq!(recorder.advance_to(&mut world, 3.0)?, StopReason::Reached);
    /// assert!(recorder.picture_png()?.starts_with(b"\x89PNG"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`World::advance_to`].
    pub fn advance_to<P: Physics>(
        &mut self,
        world: &mut World<P>,
        time: f64,
    ) -> Result<StopReason, carom_engine::Error> {
        if !Self::follows::<P>() {
            let end = world.advance_to_with(time, self)?.end;
            self.note(world);
            return Ok(end);
        }
        let budget = world.settings().budget;
        world.set_budget(1);
        let mut left = budget;
        // First up to now: what lies on something is found to be held before time goes on.
        let mut until = Moment::Exact(world.now());
        let end = loop {
            let advance = match world.advance_to_with(until, self) {
                Ok(advance) => advance,
                Err(error) => break Err(error),
            };
            self.note(world);
            left = left.saturating_sub(advance.events);
            match advance.end {
                StopReason::OutOfBudget if left > 0 => {}
                StopReason::Reached if until != Moment::Seconds(time) => until = Moment::Seconds(time),
                end => break Ok(end),
            }
        };
        world.set_budget(budget);
        end
    }

    /// Takes the stored states of all discs, from which their paths bend as they do now.
    fn follow<P: Physics>(&mut self, world: &World<P>) {
        for (&id, &k) in &self.index {
            let Some(actor) = self.recording.actors.get_mut(k) else { continue };
            let Some(disc) = world.get(id) else {
                actor.track.left = actor.track.left.or(Some(world.now().since(self.start)));
                continue;
            };
            actor.radius = disc.radius();
            let time = disc.state_time().since(self.start);
            if time < actor.track.last().time {
                continue;
            }
            let (dt, acceleration) = (world.now().since(disc.state_time()), disc.acceleration());
            let now = if self.periods.is_open() {
                disc.position()
            } else {
                let expected = actor.track.last().at(world.now().since(self.start));
                expected + self.periods.nearest(disc.position() - expected)
            };
            let position = now - (disc.velocity() - acceleration * (0.5 * dt)) * dt;
            let velocity = disc.velocity() - acceleration * dt;
            let spin = disc.spin().map_or(Spin::default(), |now| before(now, dt));
            self.recording.push(k, Piece { acceleration, spin, ..Piece::straight(time, position, velocity) });
        }
    }

    /// Takes the discs that edits have moved.
    fn take_turns<P: Physics>(&mut self, world: &World<P>) {
        let (now, periods) = (world.now().since(self.start), world.periods());
        for (&id, &k) in &self.index {
            let Some(actor) = self.recording.actors.get_mut(k) else { continue };
            match world.get(id).map(|disc| disc.to_disc()) {
                Some(disc) => {
                    actor.radius = disc.radius;
                    let expected = actor.track.last();
                    // Of its images the one that goes on from there.
                    let beside = periods.nearest(disc.position - expected.at(now));
                    let position = if periods.is_open() { disc.position } else { expected.at(now) + beside };
                    // What goes on as before needs no piece of its own.
                    if !expected.leads_to(now, position, disc.velocity) {
                        let turned = Piece::straight(now, position, disc.velocity);
                        self.recording.push(k, Piece { drag: world.settings().drag, ..turned });
                    }
                }
                None => actor.track.left = actor.track.left.or(Some(now)),
            }
        }
    }

    /// Takes the end of the run. The recording can go on after it.
    pub fn finish<P: Physics>(&mut self, world: &World<P>) {
        self.note(world);
    }

    /// The run as a PNG of `style.width` pixels: table or surface, start positions as ghosts, trails, impact
    /// points, discs where they are at the end. Trails go back as far as they leave the picture legible.
    ///
    /// # Errors
    /// [`DrawError::NoMemory`]; [`DrawError::Png`] does not happen unless memory runs out.
    pub fn picture_png(&self) -> Result<Vec<u8>, DrawError> {
        picture::png(&self.recording, self.recording.style.width)
    }

    /// The run as an animated GIF that plays again and again, with a second's rest at its end.
    ///
    /// # Errors
    /// As [`Recorder::write_movie`].
    pub fn movie_gif(&self, options: &MovieOptions) -> Result<Vec<u8>, DrawError> {
        let mut bytes = Vec::new();
        self.write_movie(&mut bytes, options, &mut |_, _| ())?;
        Ok(bytes)
    }

    /// As [`Recorder::movie_gif`], written to `out` frame by frame: only two frames are in memory at a time.
    /// `progress` is called after each frame with the number of frames done and of all frames.
    ///
    /// # Errors
    /// [`DrawError::OutOfRange`] for options out of their ranges, [`DrawError::NoMemory`], and
    /// [`DrawError::Gif`] where `out` fails.
    pub fn write_movie<W: Write>(
        &self,
        out: W,
        options: &MovieOptions,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<(), DrawError> {
        movie::write(&self.recording, out, options, progress)
    }

    fn take_walls<P: Physics>(&mut self, world: &World<P>) {
        for (id, wall) in world.walls() {
            if !self.walls.contains(&id) {
                self.walls.push(id);
                self.recording.outlines.push(wall.shape.clone());
            }
        }
    }

    /// A disc's path turns: at `time`, on the side of a contact.
    fn turn(&mut self, disc: DiscId, time: f64, contact: DVec2, side: DVec2, before: DVec2, after: DVec2) {
        let Some(&k) = self.index.get(&disc) else { return };
        let Some(actor) = self.recording.actors.get(k) else { return };
        let last = actor.track.last();
        // Followed from its last piece a disc is where the engine has it. After an edit without
        // a note its velocity is another one; then it is placed by the contact.
        let is_followed = last.leads_to(time, last.at(time), before) || last.time == time;
        let position = if is_followed {
            last.at(time)
        } else {
            let place = contact + side * actor.radius;
            if self.periods.is_open() {
                place
            } else {
                last.at(time) + self.periods.nearest(place - last.at(time))
            }
        };
        let drag = last.drag;
        self.recording.push(k, Piece { drag, ..Piece::straight(time, position, after) });
    }

    /// A disc's path turns at `time` without a contact that tells where it is.
    fn redirect(&mut self, disc: DiscId, time: f64, velocity: DVec2) {
        let Some(&k) = self.index.get(&disc) else { return };
        let Some(actor) = self.recording.actors.get(k) else { return };
        let last = actor.track.last();
        let (position, drag) = (last.at(time), last.drag);
        if !last.leads_to(time, position, velocity) {
            self.recording.push(k, Piece { drag, ..Piece::straight(time, position, velocity) });
        }
    }

    /// Marks an impact; discs turn at it if their paths are straight.
    fn impact(&mut self, impact: &Impact, is_straight: bool) {
        let time = impact.time.since(self.start);
        let Impact { a, point, normal, before, after, .. } = *impact;
        let mut seen = self.index.contains_key(&a);
        if is_straight {
            self.turn(a, time, point, -normal, before[0], after[0]);
        }
        if let Partner::Disc(b) = impact.b {
            seen |= self.index.contains_key(&b);
            if is_straight {
                self.turn(b, time, point, normal, before[1], after[1]);
            }
        }
        if seen {
            let at_wall = matches!(impact.b, Partner::Wall { .. });
            self.recording.mark(Mark { time, point, at_wall, impact: impact.group });
        }
    }
}

/// The spin of a disc `dt` seconds before `now`.
fn before(now: Spin, dt: f64) -> Spin {
    let angular_velocity = now.angular_velocity - now.angular_acceleration * dt;
    let angle = now.angle - (angular_velocity + now.angular_acceleration * (0.5 * dt)) * dt;
    Spin { angle, angular_velocity, ..now }
}

impl<P: Physics> Sink<P> for Recorder {
    fn event(&mut self, event: &Event<P::Change>) -> ControlFlow<()> {
        match event {
            Event::Impact(impact) => self.impact(impact, !Self::follows::<P>()),
            // There the path follows from the states after the event.
            _ if Self::follows::<P>() => {}
            Event::Crushed { time, by: disc, velocity, .. }
            | Event::Released { time, body: disc, velocity } => {
                self.redirect(*disc, time.since(self.start), *velocity);
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn turn(&mut self, turn: &Turn) {
        if !Self::follows::<P>() {
            self.redirect(turn.disc, turn.time.since(self.start), turn.velocity);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_engine::{Disc, Forces, Rough, Roughness, Settings, Smooth, Wall};

    /// A disc that is set spinning on a floor is turned in the recording as in the world: while it slips,
    /// when it rolls, and in the plane that repeats itself.
    #[test]
    fn discs_that_turn_are_followed() {
        let forces = Forces::new().with_gravity([0.0, -10.0]).unwrap();
        let roughness = Roughness::new(0.2, 0.0).unwrap();
        let rubbing = Rough::new(forces, roughness);
        let mut world = World::with_physics(rubbing, Settings::default()).unwrap();
        world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0])).unwrap();
        let id = world.insert(Disc::new([0.0, 1.0], 1.0).with_extra(Spin::new(-3.0))).unwrap();
        let mut recorder = Recorder::new(&world, &[id], Vec::new(), Style::default()).unwrap();
        recorder.advance_to(&mut world, 2.0).unwrap();
        let track = &recorder.recording.actors[0].track;
        // Slower by 4 a second for half a second, and then at −1.
        for (time, angle) in [(0.25, -0.625), (0.5, -1.0), (2.0, -2.5)] {
            assert!((track.angle_at(time) - angle).abs() < 1e-12, "{} at {time}", track.angle_at(time));
        }
        let settings = Settings::default().with_period([Some(4.0), Some(4.0)]);
        let mut world = World::with_physics(Rough::new(Smooth, roughness), settings).unwrap();
        let spinning = |x: f64| Disc::new([x, 2.0], 0.5).with_extra(Spin::new(2.0));
        let ids = [-1.0, 1.0].map(|v| world.insert(spinning(2.0 - v).with_velocity([v, 0.0])).unwrap());
        let mut recorder = Recorder::new(&world, &ids, Vec::new(), Style::default()).unwrap();
        recorder.advance_to(&mut world, 7.3).unwrap();
        for (actor, id) in recorder.recording.actors.iter().zip(ids) {
            let disc = world.get(id).unwrap();
            let (place, angle) = (actor.track.position_at(7.3), actor.track.angle_at(7.3));
            assert!(world.periods().nearest(place - disc.position()).length() < 1e-12);
            assert!((angle - disc.extra().angle).sin().abs() < 1e-12);
            assert!(actor.track.pieces().len() > 2 && (place.x - 2.0).abs() < 8.0);
        }
    }

    /// A disc that slides round a room is recorded where the engine has it, chord by chord.
    #[test]
    fn slides_are_followed() {
        let mut world = World::new();
        world.add_wall(Wall::circle([0.0, 0.0], 10.0)).unwrap();
        let disc = Disc::new([0.0, 0.0], 0.5).with_velocity([3.0, 1.0]).with_restitution(0.0);
        // It lands off the middle, so that the wall leaves it a speed along itself.
        let id = world.insert(disc.with_position([2.0, 5.0])).unwrap();
        let mut recorder = Recorder::new(&world, &[id], Vec::new(), Style::default()).unwrap();
        world.advance_with(60.0, &mut recorder).unwrap();
        assert!(world.counters().slides > 1000);
        let expected = recorder.recording.actors[0].track.last().at(60.0);
        // Each of some thousand pieces begins where the one before has led, with a rounding of 10⁻¹⁵.
        let off = (expected - world.get(id).unwrap().position()).length();
        assert!(off < 1e-11, "{off:e}");
    }

    /// A ball that bounces under gravity, and comes to rest, is recorded where the engine has it.
    #[test]
    fn parabolas_are_followed() {
        let forces = Forces::new().with_gravity([0.0, -9.81]).unwrap();
        let mut world = World::with_physics(forces, Settings::default()).unwrap();
        world.add_wall(Wall::container([0.0, 0.0], [4.0, 9.0]).with_restitution(0.5)).unwrap();
        let disc = Disc::new([1.0, 2.0], 0.5).with_velocity([1.5, 1.0]).with_restitution(0.5);
        let id = world.insert(disc).unwrap();
        let mut recorder = Recorder::new(&world, &[id], Vec::new(), Style::default()).unwrap();
        let mut other = world.clone();
        recorder.advance_to(&mut world, 6.0).unwrap();
        assert_eq!(recorder.recording.impacts, world.counters().wall_impacts);
        for step in 1..=60 {
            let time = 0.1 * f64::from(step);
            other.advance_to(time).unwrap();
            let (track, disc) = (&recorder.recording.actors[0].track, other.get(id).unwrap());
            let off = track.position_at(time).distance(disc.position());
            assert!(off < 1e-13, "{time}: {off:e}");
        }
        assert_eq!(world.get(id).unwrap().position(), other.get(id).unwrap().position());
    }

    /// Discs that drag slows down, and one that is kicked after all are still, are recorded where the engine
    /// has them, and a frame adds no piece to a path that goes on.
    #[test]
    fn slowing_discs_are_followed() {
        let mut world = World::with_settings(Settings::default().with_drag(0.9)).unwrap();
        world.add_wall(Wall::container([0.0, 0.0], [4.0, 3.0])).unwrap();
        let disc = |x: f64, v: [f64; 2]| Disc::new([x, 1.0], 0.3).with_velocity(v);
        let ids = [disc(0.5, [7.0, 3.0]), disc(2.0, [-1.0, 8.0]), disc(3.3, [0.0, 0.0])]
            .map(|disc| world.insert(disc).unwrap());
        let mut recorder = Recorder::new(&world, &ids, Vec::new(), Style::default()).unwrap();
        let mut other = world.clone();
        for step in 1..=600 {
            let time = 0.1 * f64::from(step);
            if step == 500 {
                for world in [&mut world, &mut other] {
                    world.set_velocity(ids[2], [-5.0, 2.0]).unwrap();
                }
                recorder.note(&world);
            }
            recorder.advance_to(&mut world, time).unwrap();
            other.advance_to(time).unwrap();
            for (actor, id) in recorder.recording.actors.iter().zip(ids) {
                let off = actor.track.position_at(time).distance(other.get(id).unwrap().position());
                assert!(off < 1e-12, "{time}: {off:e}");
            }
        }
        let pieces: usize = recorder.recording.actors.iter().map(|actor| actor.track.pieces().len()).sum();
        let counters = world.counters();
        let turns = 2 * counters.disc_impacts + counters.wall_impacts;
        assert!(counters.disc_impacts > 2 && pieces as u64 <= 3 + 1 + turns, "{pieces}, {counters:?}");
    }
}

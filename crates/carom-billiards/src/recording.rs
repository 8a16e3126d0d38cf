//! A shot written down: every event with the full states before and after, and the paths between.

use crate::game::Gathered;
use crate::motion::{BallState, Law, Motion, MotionChange};
use crate::{Billiards, Coefficients, Error, Game, Outcome, Shot};
use carom_engine::glam::DVec3;
use carom_engine::{DVec2, DiscRef, Event, Partner, State, StopReason, Time};

/// A shot from the stroke to rest, event by event.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// What came of it.
    pub outcome: Outcome,
    /// What happened, in order.
    pub moments: Vec<Moment>,
    /// The paths of the balls in the order of the layout, piece by piece.
    pub paths: Vec<Vec<Piece>>,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// Seconds since the stroke.
    pub time: f64,
    /// What.
    pub what: Happening,
    /// The balls concerned, by their number in the layout, with their states before and after.
    pub balls: Vec<(usize, Full, Full)>,
}

/// What can happen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Happening {
    /// Two balls met.
    Balls,
    /// A ball met the cushion of this number.
    Cushion(usize),
    /// A ball's motion changed by itself.
    Change(MotionChange),
    /// A ball fell.
    Potted,
    /// Two press on each other, or a ball on a cushion, from now on.
    Held,
    /// They do so no longer.
    LetGo,
}

/// All that moves of a ball. In the frame of worlds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Full {
    /// Centre.
    pub position: DVec2,
    /// Velocity.
    pub velocity: DVec2,
    /// Angular velocity.
    pub spin: DVec3,
    /// How it moves.
    pub motion: Motion,
}

/// A piece of a ball's path: a parabola.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Seconds from the stroke to its beginning.
    pub start: f64,
    /// The state then.
    pub at: Full,
    /// The acceleration.
    pub acceleration: DVec2,
    /// Whether the ball is on the table.
    pub is_on_table: bool,
}

impl Piece {
    /// The centre at a time, in seconds since the stroke.
    #[must_use]
    pub fn position(&self, time: f64) -> DVec2 {
        let t = time - self.start;
        self.at.position + (self.at.velocity + self.acceleration * (0.5 * t)) * t
    }
}

/// What is known of a ball since its last event.
#[derive(Clone, Copy)]
struct Known {
    time: Time,
    radius: f64,
    own: Coefficients,
    state: State<BallState>,
    acceleration: DVec2,
    is_on_table: bool,
}

impl Known {
    fn of(ball: &DiscRef<'_, Billiards>, now: Time) -> Known {
        let state = State { position: ball.position(), velocity: ball.velocity(), extra: ball.extra() };
        let (radius, own, acceleration) = (ball.radius(), ball.body(), ball.acceleration());
        Known { time: now, radius, own, state, acceleration, is_on_table: ball.is_enabled() }
    }

    /// The state at a later time.
    fn at(&self, time: Time, gravity: f64) -> Full {
        let dt = time.since(self.time);
        let State { position, velocity, ref extra } = self.state;
        let extra = Law { gravity, radius: self.radius, own: &self.own, velocity, extra }.evolve(dt);
        let half_way = velocity + self.acceleration * (0.5 * dt);
        full(self.radius, position + half_way * dt, velocity + self.acceleration * dt, &extra)
    }

    fn full(&self) -> Full {
        full(self.radius, self.state.position, self.state.velocity, &self.state.extra)
    }
}

fn full(radius: f64, position: DVec2, velocity: DVec2, extra: &BallState) -> Full {
    let (spin, motion) = (extra.angular_velocity(radius, velocity), extra.motion(radius, velocity));
    Full { position, velocity, spin, motion }
}

impl Game {
    /// Plays a shot as [`Game::shoot`], and writes it down. O(N) an event.
    ///
    /// # Errors
    /// As [`Game::shoot`].
    pub fn record(&mut self, shot: &Shot) -> Result<Recording, Error> {
        let begun = self.begin(shot)?;
        let mut gathered = Gathered::new(&begun);
        let count = self.discs().len();
        let (start, gravity) = (self.world().now(), self.world().physics().gravity);
        let mut known: Vec<Option<Known>> = (0..count).map(|k| self.known(k)).collect();
        let piece = |known: &Known| Piece {
            start: known.time.since(start),
            at: known.full(),
            acceleration: known.acceleration,
            is_on_table: known.is_on_table,
        };
        let mut paths: Vec<Vec<Piece>> = known.iter().map(|k| k.iter().map(piece).collect()).collect();
        let (mut moments, mut events, mut end) = (Vec::new(), 0, StopReason::OutOfBudget);
        self.world_mut().set_record_events(true);
        let budget = self.world().settings().budget;
        while events < budget {
            if self.world_mut().next_event().is_none() {
                end = StopReason::Reached;
                break;
            }
            events += self.world_mut().step_event().events;
            let before = known.clone();
            for k in 0..count {
                let Some(now) = self.changed(k, known[k].as_ref()) else { continue };
                paths[k].push(piece(&now));
                known[k] = Some(now);
            }
            for event in self.world().events() {
                gathered.take(event);
                let time = event.time();
                let Some((what, concerned)) = self.happening(event) else { continue };
                let states = |&k: &usize| {
                    let (before, after) = (before.get(k)?.as_ref()?, known.get(k)?.as_ref()?);
                    Some((k, before.at(time, gravity), after.at(time, gravity)))
                };
                let balls = concerned.iter().filter_map(states).collect();
                moments.push(Moment { time: time.since(start), what, balls });
            }
        }
        self.world_mut().set_record_events(false);
        Ok(Recording { outcome: self.finish(begun, gathered, end, events), moments, paths })
    }

    fn known(&self, index: usize) -> Option<Known> {
        self.ball(index).map(|ball| Known::of(&ball, self.world().now()))
    }

    /// What is known of a ball, if its path is another one since the last event.
    fn changed(&self, index: usize, known: Option<&Known>) -> Option<Known> {
        let ball = self.ball(index)?;
        let is_new = known.is_none_or(|known| {
            let is_later = ball.state_time() > known.time;
            is_later || ball.acceleration() != known.acceleration || ball.is_enabled() != known.is_on_table
        });
        // More than one event may be at this time.
        let is_now = ball.state_time() == self.world().now();
        (is_new || is_now).then(|| Known::of(&ball, self.world().now()))
    }

    /// What an event is in billiards, and the balls that it concerns.
    fn happening(&self, event: &Event<MotionChange>) -> Option<(Happening, Vec<usize>)> {
        let ball = |note: u64| note as usize;
        let of_two = |b: Partner, notes: [u64; 2]| match b {
            Partner::Disc(_) => notes.map(ball).to_vec(),
            _ => vec![ball(notes[0])],
        };
        Some(match event {
            Event::Impact(impact) => {
                let is_pair = matches!(impact.b, Partner::Disc(_));
                let cushion = Happening::Cushion(ball(impact.user_data[1]));
                (if is_pair { Happening::Balls } else { cushion }, of_two(impact.b, impact.user_data))
            }
            Event::Captured(departure) => (Happening::Potted, vec![ball(departure.user_data)]),
            &Event::Change { disc, change, .. } => {
                let index = self.discs().iter().position(|&id| id == disc)?;
                (Happening::Change(change), vec![index])
            }
            Event::Held(hold) => (Happening::Held, of_two(hold.b, hold.user_data)),
            Event::LetGo(hold) => (Happening::LetGo, of_two(hold.b, hold.user_data)),
            _ => return None,
        })
    }
}

//! A shot written down: every event with the full states before and after, and the paths between.

use crate::known::{Full, Known, after};
use crate::ledger::{Book, EnergyLedger};
use crate::motion::{BallState, Hold, Law, Motion, MotionChange};
use crate::table::cushion_number;
use crate::{Ball, Error, Game, Outcome, Shot};
use carom_engine::{DVec2, DiscId, Event, Partner, StopReason, Time};

/// A shot from the stroke to rest, event by event.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// What came of it.
    pub outcome: Outcome,
    /// What happened, in order.
    pub moments: Vec<Moment>,
    /// The paths of the balls in the order of the layout, piece by piece.
    pub paths: Vec<Vec<Piece>>,
    /// Where the energy went.
    pub ledger: EnergyLedger,
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
    /// A ball has passed the lip of a pocket, and falls.
    OverLip,
    /// A ball fell.
    Potted,
    /// Two press on each other, or a ball on a cushion, from now on.
    Held,
    /// They do so no longer.
    LetGo,
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

    /// The whole state at a time on it, in seconds since the stroke, of this ball under this gravity.
    #[must_use]
    pub fn state(&self, ball: &Ball, gravity: f64, time: f64) -> Full {
        let hold = match self.at.motion {
            Motion::Sliding => Hold::Slips,
            Motion::Falling => Hold::Falls,
            _ => Hold::Grips,
        };
        let extra = BallState { spin: self.at.spin, hold, ..BallState::default() };
        let law = Law {
            gravity,
            radius: ball.radius,
            own: &ball.coefficients,
            velocity: self.at.velocity,
            extra: &extra,
        };
        after(&law, self.at.position, self.acceleration, time - self.start)
    }
}

impl Known {
    fn piece(&self, start: Time) -> Piece {
        Piece {
            start: self.time.since(start),
            at: self.full(),
            acceleration: self.acceleration,
            is_on_table: self.is_on_table,
        }
    }
}

impl Game {
    /// Plays a shot as [`Game::shoot`], and writes it down. O(N) an event.
    ///
    /// # Errors
    /// As [`Game::shoot`].
    pub fn record(&mut self, shot: &Shot) -> Result<Recording, Error> {
        self.record_until(Some(shot), f64::INFINITY)
    }

    /// As [`Game::record`], for this many seconds at most; without a stroke what moves goes on. What did not
    /// come to rest until then ended as `Stopped`.
    ///
    /// # Errors
    /// As [`Game::shoot`].
    pub fn record_until(&mut self, shot: Option<&Shot>, seconds: f64) -> Result<Recording, Error> {
        let energy = self.energy();
        let obstruction = shot.map_or(Ok(None), |shot| self.obstruction(shot))?;
        let begun = match shot {
            Some(shot) => self.begin(shot)?,
            None => self.begin_without_stroke(),
        };
        let mut gathered = self.gather(&begun);
        let (start, counters) = (self.world().now(), self.world().counters());
        let mut writer = Writer::new(self, self.energy() - energy);
        let (mut events, mut end) = (0, StopReason::OutOfBudget);
        self.world_mut().set_record_events(true);
        let budget = self.world().settings().budget;
        while events < budget {
            let Some(next) = self.world_mut().next_event() else {
                end = StopReason::Reached;
                break;
            };
            if next.time.since(start) > seconds {
                end = StopReason::Stopped;
                break;
            }
            if let Some(struck) = gathered.watched() {
                gathered.see(self.farthest(struck, next.time));
            }
            events += self.world_mut().step_event().events;
            let before = writer.renew(self, start);
            for event in self.world().events() {
                gathered.take(event);
                writer.note(self, &before, event, start);
            }
        }
        self.world_mut().set_record_events(false);
        let Writer { moments, paths, book, .. } = writer.until(self.world().now());
        let ledger = book.close(&counters, &self.world().counters());
        let mut outcome = Outcome { obstruction, ..self.finish(begun, gathered, end, events) };
        if end == StopReason::Stopped {
            outcome.duration = seconds;
        }
        Ok(Recording { outcome, moments, paths, ledger })
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
                let cushion = Happening::Cushion(cushion_number(impact.user_data[1], impact.b));
                (if is_pair { Happening::Balls } else { cushion }, of_two(impact.b, impact.user_data))
            }
            Event::Passed(passage) => (Happening::OverLip, vec![ball(passage.user_data[0])]),
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

/// What is written on the way.
struct Writer {
    known: Vec<Option<Known>>,
    moments: Vec<Moment>,
    paths: Vec<Vec<Piece>>,
    book: Book,
    gravity: f64,
}

impl Writer {
    fn new(game: &Game, cue: f64) -> Self {
        let start = game.world().now();
        let known: Vec<Option<Known>> = (0..game.discs().len()).map(|k| game.known(k)).collect();
        let paths = known.iter().map(|k| k.iter().map(|known| known.piece(start)).collect()).collect();
        let gravity = game.world().physics().gravity;
        Writer { known, moments: Vec::new(), paths, book: Book::new(cue), gravity }
    }

    /// Looks, after an event, for the balls that have other paths from now on. Returns what was known of all
    /// of them before.
    fn renew(&mut self, game: &Game, start: Time) -> Vec<Option<Known>> {
        let before = self.known.clone();
        let is_impact =
            |event: &Event<MotionChange>| matches!(event, Event::Impact(_) | Event::Change { .. });
        let is_impact = game.world().events().iter().any(is_impact);
        for (k, known) in self.known.iter_mut().enumerate() {
            let Some(now) = game.changed(k, known.as_ref()) else { continue };
            self.paths[k].push(now.piece(start));
            if let Some(was) = known.as_ref() {
                let dt = now.time.since(was.time);
                self.book.pass(was, dt, self.gravity);
                if now.is_on_table {
                    if meets_pocket(game.world().events(), game.discs()[k]) {
                        self.book.meet_pocket(was, dt, &now, self.gravity);
                    }
                    self.book.jump(was, dt, &now, self.gravity, is_impact);
                } else if was.is_on_table {
                    self.book.fall(was, dt, self.gravity);
                }
            }
            *known = Some(now);
        }
        before
    }

    /// With the ways of the balls from their last events to the end.
    fn until(mut self, end: Time) -> Self {
        for known in self.known.iter().flatten() {
            self.book.pass(known, end.since(known.time), self.gravity);
        }
        self
    }

    /// Writes an event down, with the states of the balls that it concerns.
    fn note(&mut self, game: &Game, before: &[Option<Known>], event: &Event<MotionChange>, start: Time) {
        let Some((what, concerned)) = game.happening(event) else { return };
        let time = event.time();
        let states = |&k: &usize| {
            let (before, after) = (before.get(k)?.as_ref()?, self.known.get(k)?.as_ref()?);
            let at = |known: &Known| known.after(time.since(known.time), self.gravity);
            Some((k, at(before), at(after)))
        };
        let balls = concerned.iter().filter_map(states).collect();
        self.moments.push(Moment { time: time.since(start), what, balls });
    }
}

/// Whether a ball is at the liner or the lip of a pocket.
fn meets_pocket(events: &[Event<MotionChange>], ball: DiscId) -> bool {
    events.iter().any(|event| match event {
        &Event::Change { disc, change, .. } => {
            disc == ball && matches!(change, MotionChange::MeetsLiner | MotionChange::MeetsLip)
        }
        _ => false,
    })
}

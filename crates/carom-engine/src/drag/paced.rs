use crate::sink::{AnySink, Sink};
use crate::{Crossing, CrossingCause, Event, Hold, Impact, Physics, Turn};
use carom_math::Time;
use core::cell::Cell;
use core::ops::ControlFlow;

/// A moment of the slow clock, as it truly is.
#[derive(Clone, Copy)]
pub(crate) struct PacedTime {
    /// The true time.
    pub(crate) time: Time,
    /// True velocities as a fraction of those on the slow clock.
    pub(crate) pace: f64,
}

/// Passes events on, with their true time and velocities: those of the moment that is set as they happen.
pub(crate) struct Paced<'s, P: Physics> {
    pub(crate) sink: AnySink<'s, P>,
    pub(crate) at: &'s Cell<PacedTime>,
}

impl<P: Physics> Paced<'_, P> {
    fn of(&self, event: &Event<P::Change>) -> Event<P::Change> {
        let PacedTime { time: now, pace } = self.at.get();
        match *event {
            Event::Impact(impact) => Event::Impact(Impact {
                time: now,
                approach_speed: impact.approach_speed * pace,
                impulse: impact.impulse * pace,
                before: impact.before.map(|velocity| velocity * pace),
                after: impact.after.map(|velocity| velocity * pace),
                ..impact
            }),
            Event::Change { disc, change, .. } => Event::Change { time: now, disc, change },
            Event::Crushed { body, by, against, impulse, velocity, .. } => Event::Crushed {
                time: now,
                body,
                by,
                against,
                impulse: impulse * pace,
                velocity: velocity * pace,
            },
            Event::Released { body, velocity, .. } => {
                Event::Released { time: now, body, velocity: velocity * pace }
            }
            Event::Held(hold) => Event::Held(Hold { time: now, ..hold }),
            Event::LetGo(hold) => Event::LetGo(Hold { time: now, ..hold }),
            Event::Entered(crossing) => Event::Entered(self.of_crossing(crossing)),
            Event::Left(crossing) => Event::Left(self.of_crossing(crossing)),
            Event::GrowthEnded { .. } => Event::GrowthEnded { time: now },
            // A judge is refused beside drag, nor do arms turn, and timers are of the true clock.
            Event::Passed(_)
            | Event::Captured(_)
            | Event::Removed(_)
            | Event::WallRemoved { .. }
            | Event::Timer { .. }
            | Event::MoveBlocked { .. }
            | Event::Turned { .. }
            | Event::TurnBlocked { .. }
            | Event::WallMoved { .. }
            | Event::WallBlocked { .. }
            | Event::Inserted { .. }
            | Event::Refused { .. } => *event,
        }
    }

    /// What edits have caused is noted as it truly is.
    fn of_crossing(&self, crossing: Crossing) -> Crossing {
        match crossing.cause {
            CrossingCause::Motion => {
                let PacedTime { time, pace } = self.at.get();
                Crossing { time, velocity: crossing.velocity * pace, ..crossing }
            }
            _ => crossing,
        }
    }
}

impl<P: Physics> Sink<P> for Paced<'_, P> {
    fn event(&mut self, event: &Event<P::Change>) -> ControlFlow<()> {
        self.sink.event(&self.of(event))
    }

    fn turn(&mut self, turn: &Turn) {
        let PacedTime { time, pace } = self.at.get();
        self.sink.turn(&Turn { time, velocity: turn.velocity * pace, ..*turn });
    }
}

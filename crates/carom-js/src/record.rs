//! Events as records of numbers.

use crate::engine::time;
use crate::handle::{NONE, Numbered, partner};
use crate::laws::Laws;
use carom_engine::{CommandKind, CrossingCause, DVec2, Departure, Event, Impact, Refusal};

/// Numbers of a record: kind, time (start of the epoch and offset), disc `a`, kind, handle and part of `b`,
/// number, point, normal, speed of approach, impulse, velocities before of `a` and `b`, after of both, user
/// data of both. `package/carom.js` has the same list.
pub(crate) const STRIDE: usize = 24;

const A: usize = 3;
const B: usize = 4;
const NUMBER: usize = 7;
const POINT: usize = 8;
const NORMAL: usize = 10;
const SPEED: usize = 12;
const IMPULSE: usize = 13;
const BEFORE: usize = 14;
const AFTER: usize = 18;
const USER_DATA: usize = 22;

struct Record([f64; STRIDE]);

impl Record {
    fn new(kind: f64, at: carom_engine::Time) -> Self {
        let mut numbers = [0.0; STRIDE];
        let [epoch, offset] = time(at);
        numbers[..=B + 1].copy_from_slice(&[kind, epoch, offset, NONE, 0.0, NONE]);
        Record(numbers)
    }

    fn set<const N: usize>(mut self, place: usize, values: [f64; N]) -> Self {
        self.0[place..place + N].copy_from_slice(&values);
        self
    }

    fn vector(self, place: usize, v: DVec2) -> Self {
        self.set(place, [v.x, v.y])
    }

    fn notes(self, notes: [u64; 2]) -> Self {
        self.set(USER_DATA, notes.map(|note| note as f64))
    }
}

fn impact(impact: &Impact) -> Record {
    Record::new(0.0, impact.time)
        .set(A, [impact.a.nearest_number()])
        .set(B, partner(impact.b))
        .set(NUMBER, [impact.group as f64])
        .vector(POINT, impact.point)
        .vector(NORMAL, impact.normal)
        .set(SPEED, [impact.approach_speed, impact.impulse])
        .vector(BEFORE, impact.before[0])
        .vector(BEFORE + 2, impact.before[1])
        .vector(AFTER, impact.after[0])
        .vector(AFTER + 2, impact.after[1])
        .notes(impact.user_data)
}

/// A disc that is gone, with its last state.
fn departure(kind: f64, gone: &Departure) -> Record {
    Record::new(kind, gone.time)
        .set(A, [gone.disc.nearest_number()])
        .vector(POINT, gone.position)
        .vector(AFTER, gone.velocity)
        .notes([gone.user_data, gone.by_user_data])
        .set(B, gone.by.map_or([0.0, NONE, 0.0], partner))
}

/// What a rule has asked for in vain, as a number: as in `package/events.js`.
fn command(what: CommandKind) -> f64 {
    match what {
        CommandKind::Verdict => 0.0,
        CommandKind::Insert => 1.0,
        CommandKind::Remove => 2.0,
        CommandKind::Velocity => 3.0,
        CommandKind::Position => 4.0,
        CommandKind::Property => 5.0,
        CommandKind::Timer => 6.0,
        _ => 7.0,
    }
}

/// Why it was in vain, as a number: as in `package/events.js`.
fn refusal(reason: Refusal) -> f64 {
    match reason {
        Refusal::OutOfRange => 0.0,
        Refusal::Gone => 1.0,
        Refusal::Overlap => 2.0,
        Refusal::Full => 3.0,
        _ => 4.0,
    }
}

/// By what a disc entered a region or left it, as a number: as in `package/events.js`.
fn cause(cause: CrossingCause) -> f64 {
    match cause {
        CrossingCause::Motion => 0.0,
        CrossingCause::Placed => 1.0,
        CrossingCause::Rules => 2.0,
        CrossingCause::Disabled => 3.0,
        CrossingCause::DiscRemoved => 4.0,
        CrossingCause::RegionRemoved => 5.0,
        _ => 6.0,
    }
}

/// What verdicts have done.
fn of_verdict<C>(event: &Event<C>, at: carom_engine::Time) -> Record {
    match event {
        Event::Passed(passage) => Record::new(16.0, at)
            .set(A, [passage.a.nearest_number()])
            .set(B, partner(passage.b))
            .vector(POINT, passage.point)
            .vector(NORMAL, passage.normal)
            .set(SPEED, [passage.approach_speed])
            .notes(passage.user_data),
        Event::Captured(gone) => departure(17.0, gone),
        Event::Removed(gone) => departure(18.0, gone),
        Event::WallRemoved { wall, user_data, .. } => {
            Record::new(19.0, at).set(B, [2.0, wall.nearest_number()]).notes([*user_data, 0])
        }
        Event::Inserted { disc, user_data, .. } => {
            Record::new(20.0, at).set(A, [disc.nearest_number()]).notes([*user_data, 0])
        }
        Event::Refused { what, reason, .. } => {
            Record::new(21.0, at).set(NUMBER, [command(*what)]).set(SPEED, [refusal(*reason)])
        }
        _ => Record::new(14.0, at),
    }
}

/// Adds the record of an event.
pub(crate) fn push<P: Laws>(event: &Event<P::Change>, records: &mut Vec<f64>) {
    let at = event.time();
    let record = match event {
        Event::Impact(contact) => impact(contact),
        Event::Change { disc, change, .. } => {
            Record::new(1.0, at).set(A, [disc.nearest_number()]).set(NUMBER, [P::number_of(*change)])
        }
        Event::Crushed { body, by, against, impulse, velocity, .. } => Record::new(2.0, at)
            .set(A, [body.nearest_number()])
            .set(B, partner(*against))
            .set(NUMBER, [by.nearest_number()])
            .set(IMPULSE, [*impulse])
            .vector(AFTER, *velocity),
        Event::Held(hold) | Event::LetGo(hold) => {
            let kind = if matches!(event, Event::Held(_)) { 3.0 } else { 4.0 };
            Record::new(kind, at)
                .set(A, [hold.a.nearest_number()])
                .set(B, partner(hold.b))
                .vector(POINT, hold.point)
                .vector(NORMAL, hold.normal)
                .notes(hold.user_data)
        }
        Event::Released { body, velocity, .. } => {
            Record::new(5.0, at).set(A, [body.nearest_number()]).vector(AFTER, *velocity)
        }
        Event::Timer { timer, note, .. } => {
            Record::new(6.0, at).set(NUMBER, [*note as f64]).set(SPEED, [timer.number() as f64])
        }
        Event::MoveBlocked { disc, position, target, .. } => Record::new(7.0, at)
            .set(A, [disc.nearest_number()])
            .vector(POINT, *position)
            .vector(NORMAL, *target),
        Event::Turned { wall, angle, .. } => {
            Record::new(8.0, at).set(B, [2.0, wall.nearest_number()]).set(SPEED, [*angle])
        }
        Event::TurnBlocked { wall, angle, .. } => {
            Record::new(9.0, at).set(B, [2.0, wall.nearest_number()]).set(SPEED, [*angle])
        }
        Event::WallMoved { wall, offset, .. } => {
            Record::new(10.0, at).set(B, [2.0, wall.nearest_number()]).vector(POINT, *offset)
        }
        Event::WallBlocked { wall, offset, target, .. } => Record::new(11.0, at)
            .set(B, [2.0, wall.nearest_number()])
            .vector(POINT, *offset)
            .vector(NORMAL, *target),
        Event::Entered(crossing) | Event::Left(crossing) => {
            let kind = if matches!(event, Event::Entered(_)) { 12.0 } else { 13.0 };
            Record::new(kind, at)
                .set(A, [crossing.disc.nearest_number()])
                .set(NUMBER, [crossing.region.nearest_number()])
                .vector(POINT, crossing.position)
                .set(SPEED, [cause(crossing.cause)])
                .vector(AFTER, crossing.velocity)
                .notes(crossing.user_data)
        }
        Event::GrowthEnded { .. } => Record::new(15.0, at),
        _ => of_verdict(event, at),
    };
    records.extend_from_slice(&record.0);
}

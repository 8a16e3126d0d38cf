use super::error::SnapshotError;
use super::shown;
use crate::state::timers::{Timer, Timers};
use carom_broadphase::Slot;
use carom_math::{Clock, Time};

/// What is to happen at times that the caller has set.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TimersRecord<B, X> {
    /// The number that the next one gets.
    next: u64,
    /// In order.
    list: Vec<TimerRecord<B, X>>,
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct TimerRecord<B, X> {
    /// When, also on a true clock where there is drag.
    time: Time,
    number: u64,
    timer: Timer<B, X>,
}

impl<B: Copy, X: Copy> TimersRecord<B, X> {
    pub(super) fn of(timers: &Timers<B, X>) -> Self {
        let record =
            |(time, number, timer): (Time, u64, &Timer<B, X>)| TimerRecord { time, number, timer: *timer };
        TimersRecord { next: timers.next, list: timers.iter().map(record).collect() }
    }

    /// `now` is the present of the true clock.
    pub(super) fn check(&self, clock: &Clock, now: Time) -> Result<(), SnapshotError> {
        super::at_most("timers.next", self.next, super::MOST)?;
        for (k, record) in self.list.iter().enumerate() {
            let refused = |error: SnapshotError| error.inside(&format!("timers.list[{k}]"));
            let known = clock.from_parts(record.time.epoch_start(), record.time.offset());
            if known.is_none_or(|time| time < now) {
                let allowed = format!("a time of this clock, at least now, {}", shown(now));
                return Err(refused(SnapshotError::refused("time", shown(record.time), allowed)));
            }
            if record.number >= self.next {
                let allowed = format!("a number below next, {}", self.next);
                return Err(refused(SnapshotError::refused("number", record.number, allowed)));
            }
        }
        let is_in_order =
            |a: &TimerRecord<B, X>, b: &TimerRecord<B, X>| (a.time, a.number) < (b.time, b.number);
        if !self.list.is_sorted_by(is_in_order) {
            return Err(SnapshotError::refused("timers.list", "timers in another order", "ascending times"));
        }
        Ok(())
    }

    /// Whether the timer of this time and number is that of the arrival of a disc; of timers in order.
    pub(super) fn is_arrival(&self, timer: (Time, u64), slot: Slot) -> bool {
        let found = self.list.binary_search_by_key(&timer, |record| (record.time, record.number));
        found
            .is_ok_and(|place| matches!(&self.list[place].timer, Timer::Arrival(disc) if disc.slot() == slot))
    }

    /// As `is_arrival`, of the end of the turn of an arm.
    pub(super) fn is_of_turn(&self, timer: (Time, u64), slot: u32) -> bool {
        let found = self.list.binary_search_by_key(&timer, |record| (record.time, record.number));
        found.is_ok_and(|place| matches!(&self.list[place].timer, Timer::Turned(wall) if wall.slot() == slot))
    }

    /// As `is_arrival`, of the end of the motion of a wall.
    pub(super) fn is_of_move(&self, timer: (Time, u64), slot: u32) -> bool {
        let found = self.list.binary_search_by_key(&timer, |record| (record.time, record.number));
        found.is_ok_and(|place| matches!(&self.list[place].timer, Timer::Moved(wall) if wall.slot() == slot))
    }

    pub(super) fn restored(self) -> Timers<B, X> {
        let mut timers = Timers::default();
        timers.next = self.next;
        for TimerRecord { time, number, timer } in self.list {
            timers.restore(time, number, timer);
        }
        timers
    }
}

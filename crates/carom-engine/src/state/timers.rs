use crate::handle::STOPS;
use crate::judge::Command;
use crate::walk::{fields, variants};
use crate::{DiscId, Physics, WallId};
use carom_math::Time;
use std::collections::BTreeMap;

/// What is to happen at times that the caller has set.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "serde", serde(bound(serialize = "B: serde::Serialize, X: serde::Serialize")))]
#[cfg_attr(
    feature = "serde",
    serde(bound(deserialize = "B: serde::Deserialize<'de>, X: serde::Deserialize<'de>"))
)]
pub(crate) struct Timers<B, X> {
    /// The number that the next one gets.
    pub(crate) next: u64,
    /// By time, then in the order in which they were set; of a world with drag by the true time.
    #[cfg_attr(feature = "serde", serde(with = "crate::snapshot::in_order"))]
    pub(crate) list: BTreeMap<(Time, u64), Timer<B, X>>,
}

fields!(Timers<B, X>: next as Tally, list as Any);

/// What is to happen at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub(crate) enum Timer<B, X> {
    /// An event with this note.
    Note(u64),
    /// The end of the journey of a kinematic disc.
    Arrival(DiscId),
    /// The end of the course of a wall.
    WallArrival(WallId),
    /// A command.
    Command(Command<B, X>),
    /// The stop of a kinematic disc that has arrived, before which nothing else is due any more.
    Stop(DiscId),
    /// As `Stop`, of a wall.
    WallStop(WallId),
}

/// A timer of a world of a physics.
pub(crate) type TimerOf<P> = Timer<<P as Physics>::Body, <P as Physics>::Extra>;

variants!(
    Timer<B, X>: Note(note), Arrival(disc), WallArrival(wall), Command(command), Stop(disc), WallStop(wall)
);

impl<B, X> Timer<B, X> {
    /// Whether the caller has set it, and may cancel it.
    pub(crate) fn is_of_caller(&self) -> bool {
        matches!(self, Timer::Note(_) | Timer::Command(_))
    }
}

impl<B, X> Default for Timers<B, X> {
    fn default() -> Self {
        Timers { list: BTreeMap::new(), next: 0 }
    }
}

impl<B, X> Timers<B, X> {
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The first: its time and number.
    pub(crate) fn first(&self) -> Option<(Time, u64)> {
        self.list.first_key_value().map(|(&key, _)| key)
    }

    pub(crate) fn take_first(&mut self) -> Option<((Time, u64), Timer<B, X>)> {
        self.list.pop_first()
    }

    /// What has arrived stops later, at the same time. Returns time and number of that.
    pub(crate) fn stop_later(&mut self, (time, number): (Time, u64), arrival: Timer<B, X>) -> (Time, u64) {
        let stop = (time, number | STOPS);
        self.list.insert(stop, arrival);
        stop
    }

    /// The first stop that waits for time to go on from the present, and whether something else may be due
    /// before it.
    pub(crate) fn first_stop(&self, now: Time) -> Option<((Time, u64), bool)> {
        let (&stop, timer) = self.list.range((now, STOPS)..=(now, u64::MAX)).next()?;
        Some((stop, matches!(timer, Timer::Arrival(_) | Timer::WallArrival(_))))
    }

    /// Takes a stop.
    pub(crate) fn take_stop(&mut self, stop: (Time, u64)) -> Option<Timer<B, X>> {
        self.list.remove(&stop)
    }

    /// Notes that nothing else is due at the present before what has arrived stops.
    pub(crate) fn note_quiet(&mut self, now: Time) {
        for (_, timer) in self.list.range_mut((now, STOPS)..=(now, u64::MAX)) {
            match *timer {
                Timer::Arrival(disc) => *timer = Timer::Stop(disc),
                Timer::WallArrival(wall) => *timer = Timer::WallStop(wall),
                _ => {}
            }
        }
    }

    /// Adds one; returns its time and number.
    pub(crate) fn add(&mut self, time: Time, timer: Timer<B, X>) -> (Time, u64) {
        let number = self.next;
        self.next += 1;
        self.list.insert((time, number), timer);
        (time, number)
    }

    /// Removes one; false if it is not there. O(log n).
    pub(crate) fn remove(&mut self, timer: (Time, u64)) -> bool {
        self.list.remove(&timer).is_some()
    }

    /// Removes one by its number alone; false if it is not there. O(n).
    pub(crate) fn remove_number(&mut self, number: u64) -> bool {
        let timer = self.list.keys().copied().find(|&(_, n)| n == number);
        timer.is_some_and(|timer| self.remove(timer))
    }

    /// Removes those that are not to be kept.
    pub(crate) fn retain(&mut self, keep: impl Fn(&Timer<B, X>) -> bool) {
        self.list.retain(|_, timer| keep(timer));
    }

    /// In the order in which they will come.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Time, u64, &Timer<B, X>)> {
        self.list.iter().map(|(&(time, number), timer)| (time, number, timer))
    }
}

//! Linear drag, shared by all discs: a clock that slows.
//!
//! Under a drag of rate k a velocity falls as e^(−k t). In the time t′ = (1 − e^(−k t))/k of a clock that
//! slows down likewise all paths are straight and uniform; so in a world with drag all that moves discs,
//! from stored states to the schedule, is in the time of that clock, and is what it is in a world without.
//! Times, velocities and energies are converted where they come in and go out.

mod paced;
mod slow_clock;

pub(crate) use paced::{Paced, PacedTime};
pub(crate) use slow_clock::SlowClock;
pub(crate) use slow_clock::power_of_two;

use crate::ledger::Book;
use crate::walk::fields;
use carom_broadphase::SchedulerCounters;
use carom_math::Time;
use carom_math::eft::Sum;
use core::cell::Cell;
use std::sync::Arc;

/// What a world with drag has besides.
#[derive(Clone, Debug)]
pub(crate) struct Drag {
    pub(crate) pacing: Pacing,
    /// The true present. That of the world is on the slow clock.
    pub(crate) now: Time,
    pub(crate) energy: DragEnergy,
    /// What schedulers have counted that are gone.
    pub(crate) counted: SchedulerCounters,
}

/// Converts between true values and those on the slow clock.
#[derive(Clone, Debug)]
pub(crate) struct Pacing {
    pub(crate) clock: Arc<SlowClock>,
    /// The half-life with which the slow clock began.
    pub(crate) base: u64,
}

/// The ledger of a world with drag, of which the entries in the world's own book, since the last time that
/// they were settled, are as on the slow clock.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct DragEnergy {
    pub(crate) book: Book,
    /// The kinetic energy on the slow clock, which drag leaves alone.
    pub(crate) kinetic: Sum,
    /// The part of it that was left when it was settled: the square of the pace.
    pub(crate) share: f64,
}

fields!(DragEnergy: book, kinetic, share);

impl Drag {
    pub(crate) fn new(clock: SlowClock, now: Time) -> Self {
        Drag {
            pacing: Pacing { clock: Arc::new(clock), base: 0 },
            now,
            energy: DragEnergy { book: Book::default(), kinetic: Sum::default(), share: 1.0 },
            counted: SchedulerCounters::default(),
        }
    }

    /// The true time of what happens next at a time of the slow clock: not before the true present, which
    /// the conversion may round to.
    pub(crate) fn time_of_next(&self, time: Time) -> Time {
        self.pacing.true_time(time).latest(self.now)
    }

    /// Whether what happens at a time of the slow clock happens by a true time. `at` becomes its moment.
    pub(crate) fn is_by(&self, time: Time, end: Time, at: &Cell<PacedTime>) -> bool {
        let true_time = self.time_of_next(time);
        at.set(PacedTime { time: true_time, pace: self.pacing.clock.pace(time) });
        true_time <= end
    }

    /// True seconds between two times of the slow clock.
    pub(crate) fn true_age(&self, earlier: Time, time: Time) -> f64 {
        self.pacing.true_time(time).since(self.pacing.true_time(earlier))
    }

    /// Notes what a scheduler has counted that goes.
    pub(crate) fn count(&mut self, counters: SchedulerCounters) {
        self.counted = self.counted_with(counters);
    }

    /// All that has been counted.
    pub(crate) fn counted_with(&self, counters: SchedulerCounters) -> SchedulerCounters {
        let before = &self.counted;
        SchedulerCounters {
            pair_times: before.pair_times + counters.pair_times,
            roots: before.roots + counters.roots,
            solo_times: before.solo_times + counters.solo_times,
            queue_operations: before.queue_operations + counters.queue_operations,
            row_searches: before.row_searches + counters.row_searches,
        }
    }
}

impl Pacing {
    pub(crate) fn true_time(&self, time: Time) -> Time {
        self.clock.true_time(self.base, time)
    }

    /// True velocities as a fraction of those on the slow clock, at a time of it that is this true time.
    pub(crate) fn pace(&self, time: Time, true_time: Time) -> f64 {
        if time < self.clock.last() {
            self.clock.pace(time)
        } else {
            // The clock stands still, and velocities go on falling.
            self.clock.true_pace(self.base, true_time)
        }
    }

    pub(crate) fn slow_time(&self, time: Time) -> Time {
        self.clock.slow_time(self.base, time)
    }

    /// A time of the slow clock after all that rounds to a true time or to one before: moments of the true
    /// clock are 2⁻⁵³ epochs apart, and conversions off by a few ulp of what is left. What is further than
    /// need be only has an event looked at whose true time is too late.
    pub(crate) fn slow_time_after(&self, time: Time) -> Time {
        let SlowClock { true_clock, clock, .. } = &*self.clock;
        let after = self.slow_time(true_clock.after(time, true_clock.epoch() / power_of_two(51)));
        clock.after(after, self.clock.left(after) / power_of_two(48)).min(self.clock.last())
    }
}

impl DragEnergy {
    /// With the entries that have been made in the world's own book, all at the present, and with what drag
    /// has taken up to then, at which the pace has this square.
    pub(crate) fn settled(mut self, entries: &Book, share: f64) -> Self {
        self.book.drag.add(self.kinetic.value() * (self.share - share));
        self.book.add_scaled(entries, share);
        self.kinetic += entries.total();
        self.share = share;
        self
    }

    /// As it is on another slow clock, of velocities scaled by a factor, at a pace with this square.
    pub(crate) fn rescaled(mut self, factor: f64, share: f64) -> Self {
        let before = self.kinetic.value() * self.share;
        self.kinetic = self.kinetic.scaled(factor * factor);
        self.share = share;
        // Equal up to rounding.
        self.book.drag.add(before - self.kinetic.value() * share);
        self
    }
}

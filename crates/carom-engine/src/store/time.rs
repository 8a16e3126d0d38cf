use super::{Common, Store};
use crate::drag::Drag;
use crate::error::check;
use crate::ledger::Book;
use crate::physics::Reach;
use crate::{Error, Physics, StopReason, limits};
use carom_broadphase::Slot;
use carom_math::{Clock, DVec2, Time};

/// A time to advance to. Calls take what becomes one: seconds, or a [`Time`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moment {
    /// Seconds after the origin.
    Seconds(f64),
    /// A time of the world's own clock.
    Exact(Time),
}

impl From<f64> for Moment {
    fn from(secs: f64) -> Self {
        Moment::Seconds(secs)
    }
}

impl From<Time> for Moment {
    fn from(time: Time) -> Self {
        Moment::Exact(time)
    }
}

/// Times, the clock that slows down, and when growth ends.
impl Common {
    /// The drag, if there is any.
    #[inline(always)]
    pub(crate) fn drag(&self) -> Option<&Drag> {
        self.drag.as_ref()
    }

    /// The present, as the caller knows it.
    #[inline(always)]
    pub(crate) fn true_now(&self) -> Time {
        self.drag().map_or(self.now, |drag| drag.now)
    }

    /// True velocities as a fraction of those in the states now; 1 without drag.
    #[inline(always)]
    pub(crate) fn pace(&self) -> f64 {
        self.drag().map_or(1.0, |drag| drag.pacing.pace(self.now, drag.now))
    }

    /// The true velocity of a disc at the present: 0 of one that has arrived.
    #[inline]
    pub(crate) fn true_velocity(&self, slot: Slot) -> DVec2 {
        if self.bodies.arrived_at(slot).is_some() {
            return DVec2::ZERO;
        }
        self.pace() * self.bodies.motion_at(slot, self.now).velocity
    }

    /// The true time of what happens next at a time of the schedule.
    pub(crate) fn time_of_next(&self, time: Time) -> Time {
        self.drag().map_or(time, |drag| drag.time_of_next(time))
    }

    /// The clock of true times.
    pub(crate) fn true_clock(&self) -> &Clock {
        self.drag().map_or(&self.clock, |drag| &drag.pacing.clock.true_clock)
    }

    /// The time `dt` seconds from now.
    pub(crate) fn after(&self, dt: f64) -> Result<Time, Error> {
        check::not_negative("dt", dt)?;
        self.within_horizon("dt", dt, self.true_clock().after(self.true_now(), dt))
    }

    /// This many of the caller's seconds after the present: see
    /// [`World::set_time_scale`](crate::World::set_time_scale).
    pub(crate) fn after_scaled(&self, dt: f64) -> Result<Time, Error> {
        check::not_negative("dt", dt)?;
        let passing = dt * self.settings.time_scale;
        self.within_horizon("dt", dt, self.true_clock().after(self.true_now(), passing))
    }

    pub(crate) fn at(&self, moment: Moment) -> Result<Time, Error> {
        let until = self.time_at(moment)?;
        if until < self.true_now() {
            let value = until.as_secs();
            return Err(Error::Inconsistent { field: "time", value, reason: "it is in the past" });
        }
        Ok(until)
    }

    /// A time of the clock, past or not.
    pub(crate) fn time_at(&self, time: impl Into<Moment>) -> Result<Time, Error> {
        match time.into() {
            Moment::Seconds(secs) => {
                check::not_negative("time", secs)?;
                let time = self.within_horizon("time", secs, self.true_clock().at(secs))?;
                // The present in seconds is rounded, and may be a little less than the present.
                let is_now = time < self.true_now() && secs == self.true_now().as_secs();
                Ok(if is_now { self.true_now() } else { time })
            }
            Moment::Exact(time) => {
                let value = time.as_secs();
                let reason = "it is none of this world's clock";
                let own = self.true_clock().from_parts(time.epoch_start(), time.offset());
                own.ok_or(Error::Inconsistent { field: "time", value, reason })
            }
        }
    }

    fn within_horizon(&self, field: &'static str, value: f64, time: Time) -> Result<Time, Error> {
        if time.is_never() {
            let reason = "the time would be beyond the clock's horizon of 2^51 epochs";
            return Err(Error::Inconsistent { field, value, reason });
        }
        Ok(time)
    }

    pub(crate) fn set_true_now(&mut self, time: Time) {
        if let Some(drag) = &mut self.drag {
            drag.now = time;
        }
    }

    /// Makes true ones of the entries in the ledger, all of the present.
    #[inline(always)]
    pub(crate) fn settle_energy(&mut self) {
        if self.drag.is_some() {
            self.settle_slowed_energy();
        }
    }

    #[cold]
    fn settle_slowed_energy(&mut self) {
        let pace = self.pace();
        if let Some(drag) = &mut self.drag {
            drag.energy = drag.energy.settled(&core::mem::take(&mut self.book), pace * pace);
        }
    }

    /// The entries of the ledger, what drag has taken up to the present included.
    pub(crate) fn entries(&self) -> Book {
        let Some(drag) = self.drag() else { return self.book };
        let pace = self.pace();
        drag.energy.settled(&self.book, pace * pace).book
    }
}

impl<P: Physics> Store<P> {
    /// The latest time at which something happens: when growth ends, or nothing moves any more.
    pub(crate) fn last_time(&self) -> Time {
        match self.drag() {
            Some(drag) => drag.pacing.clock.last(),
            None => self.growth_limit(),
        }
    }

    /// When something is too large for the world; never if nothing grows. O(N) unless it is
    /// [noted](Store::note_growth_limit).
    #[inline(always)]
    pub(crate) fn growth_limit(&self) -> Time {
        if self.bodies.growth.is_on() { self.limit_of_growth() } else { Time::NEVER }
    }

    #[inline(never)]
    fn limit_of_growth(&self) -> Time {
        let growth = self.bodies.growth;
        let computed = || self.clock.after(growth.since, (self.largest_scale() - 1.0).max(0.0) / growth.rate);
        growth.limit.unwrap_or_else(computed)
    }

    /// Notes [`Store::growth_limit`] until the next edit of a size.
    #[inline(always)]
    pub(crate) fn note_growth_limit(&mut self) {
        if self.bodies.growth.is_on() {
            self.bodies.growth.limit = Some(self.growth_limit());
        }
    }

    /// How many times as large as they are stored radii may be.
    fn largest_scale(&self) -> f64 {
        let radii = || self.bodies.live().map(|slot| (slot, self.bodies.radius(slot)));
        let Some((of, largest)) = radii().max_by(|a, b| a.1.total_cmp(&b.1)) else { return f64::INFINITY };
        let others = radii().filter(|(slot, _)| *slot != of);
        let reaches = others.map(|(_, radius)| self.physics.reach(largest, radius));
        let widest = reaches.fold(self.physics.size(largest), f64::max);
        // None of them is a number for points, which do not grow.
        let most = |length: f64, of: f64| if of > 0.0 { length / of } else { f64::INFINITY };
        let scale =
            most(limits::MAX_LENGTH, largest).min(most(0.49 * self.bodies.periods.shortest(), widest));
        // What has grown so far is within the limits, whatever the rounding.
        scale * (1.0 - 1e-12)
    }

    /// When and how a call ends that is to reach a time, if nothing else ends it.
    pub(crate) fn end_of_call(&self, wanted: Time) -> (Time, StopReason) {
        let limit = self.growth_limit();
        if limit < wanted {
            (limit.latest(self.now), StopReason::Outgrown)
        } else {
            (wanted, StopReason::Reached)
        }
    }
}

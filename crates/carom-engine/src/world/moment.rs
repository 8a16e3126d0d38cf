use crate::error::check;
use crate::{Error, Physics, World};
use carom_math::Time;

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

/// Times of a world's clock.
impl<P: Physics> World<P> {
    /// The time `dt` seconds from now, whatever the [scale of time](World::set_time_scale) is.
    ///
    /// # Errors
    /// If `dt` is negative or not finite, or the time would be beyond the clock's horizon.
    pub fn after(&self, dt: f64) -> Result<Time, Error> {
        check::not_negative("dt", dt)?;
        self.within_horizon("dt", dt, self.clock().after(self.now(), dt))
    }

    pub(super) fn at(&self, moment: Moment) -> Result<Time, Error> {
        let until = self.time_at(moment)?;
        if until < self.now() {
            let value = until.as_secs();
            return Err(Error::Inconsistent { field: "time", value, reason: "it is in the past" });
        }
        Ok(until)
    }

    /// A time of this world's clock, past or not: so many seconds after the origin, or an exact one.
    ///
    /// # Errors
    /// If it is not finite, never, beyond the clock's horizon, or of a clock with another epoch.
    pub fn time_at(&self, time: impl Into<Moment>) -> Result<Time, Error> {
        match time.into() {
            Moment::Seconds(secs) => {
                check::not_negative("time", secs)?;
                let time = self.within_horizon("time", secs, self.clock().at(secs))?;
                // The present in seconds is rounded, and may be a little less than the present.
                let is_now = time < self.now() && secs == self.now().as_secs();
                Ok(if is_now { self.now() } else { time })
            }
            Moment::Exact(time) => {
                let value = time.as_secs();
                let reason = "it is none of this world's clock";
                let own = self.clock().from_parts(time.epoch_start(), time.offset());
                own.ok_or(Error::Inconsistent { field: "time", value, reason })
            }
        }
    }

    pub(super) fn within_horizon(&self, field: &'static str, value: f64, time: Time) -> Result<Time, Error> {
        if time.is_never() {
            let reason = "the time would be beyond the clock's horizon of 2^51 epochs";
            return Err(Error::Inconsistent { field, value, reason });
        }
        Ok(time)
    }
}

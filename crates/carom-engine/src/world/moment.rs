use crate::{Error, Moment, Physics, World};
use carom_math::Time;

/// Times of a world's clock.
impl<P: Physics> World<P> {
    /// The time `dt` seconds from now, whatever the [scale of time](World::set_time_scale) is.
    ///
    /// # Errors
    /// If `dt` is negative or not finite, or the time would be beyond the clock's horizon.
    pub fn after(&self, dt: f64) -> Result<Time, Error> {
        self.store.after(dt)
    }

    /// A time of this world's clock, past or not: so many seconds after the origin, or an exact one.
    ///
    /// # Errors
    /// If it is not finite, never, beyond the clock's horizon, or of a clock with another epoch.
    pub fn time_at(&self, time: impl Into<Moment>) -> Result<Time, Error> {
        self.store.time_at(time)
    }
}

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

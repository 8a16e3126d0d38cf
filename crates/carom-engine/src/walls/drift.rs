use carom_math::{DVec2, Time};

/// How a facet moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Drift {
    pub(crate) velocity: DVec2,
    /// Since when; its form is where it was then.
    pub(crate) from: Time,
    /// Seconds from then on.
    pub(crate) lasts: f64,
}

impl Drift {
    pub(crate) const NONE: Drift = Drift { velocity: DVec2::ZERO, from: Time::ZERO, lasts: f64::INFINITY };
}

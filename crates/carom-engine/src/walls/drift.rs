use crate::walk::fields;
use carom_math::{DVec2, Time};

/// How a facet moves.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct Drift {
    pub(crate) velocity: DVec2,
    /// Since when; its form is where it was then.
    pub(crate) from: Time,
    /// Seconds from then on.
    pub(crate) lasts: f64,
}

fields!(Drift: velocity, from as Past, lasts);

impl Drift {
    pub(crate) const NONE: Drift = Drift { velocity: DVec2::ZERO, from: Time::ZERO, lasts: f64::INFINITY };
}

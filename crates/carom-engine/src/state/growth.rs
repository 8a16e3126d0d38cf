use crate::walk::fields;
use carom_math::Time;

/// How the radii of a world grow: a stored radius is that at `since`, and `1 + rate · t` times as large `t`
/// seconds later.
///
/// One factor for all, so that nothing has to be stored with a disc.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct Growth {
    /// Per second, in proportion to the radii at `since`; ≥ 0.
    pub(crate) rate: f64,
    /// No stored state is older while something grows.
    pub(crate) since: Time,
    /// When something is too large for the world, once it has been asked for.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) limit: Option<Time>,
}

fields!(Growth: rate, since as Past; without limit);

impl Growth {
    /// Nothing grows.
    pub(crate) const NONE: Growth = Growth { rate: 0.0, since: Time::ZERO, limit: None };

    #[inline(always)]
    pub(crate) fn is_on(&self) -> bool {
        self.rate > 0.0
    }

    /// By how much more than at `since` all is at a time.
    #[inline(always)]
    pub(crate) fn scale_at(&self, time: Time) -> f64 {
        1.0 + self.rate * time.since(self.since)
    }

    /// The rate in proportion to the radii at a time.
    #[inline(always)]
    pub(crate) fn rate_at(&self, time: Time) -> f64 {
        if self.is_on() { self.rate / self.scale_at(time) } else { 0.0 }
    }

    /// What a stored radius has become at a time.
    #[inline(always)]
    pub(crate) fn grown(&self, radius: f64, time: Time) -> f64 {
        if self.is_on() { radius * self.scale_at(time) } else { radius }
    }

    /// The stored radius of a disc that has this one at a time.
    #[inline(always)]
    pub(crate) fn stored(&self, radius: f64, time: Time) -> f64 {
        if self.is_on() { radius / self.scale_at(time) } else { radius }
    }
}

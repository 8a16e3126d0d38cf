use crate::Error;
use crate::error::check;
use carom_math::{Clock, sqrt};

/// What holds for a whole world, chosen when it is made.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Length of an epoch of the clock in seconds: a power of two from 2⁻⁶⁰ to 2⁶⁰. Moments are at most
    /// `epoch · 2⁻⁵³` s apart, and the world may become 2⁵¹ epochs old. Default 2⁻¹⁰ s.
    pub epoch: f64,
    /// Time at which the world starts, in seconds, ≥ 0. Default 0.
    pub start: f64,
    /// How the restitutions of two bodies combine.
    pub restitution: CombineRule,
    /// How impacts of the same instant that share discs are resolved.
    pub simultaneous: Simultaneous,
    /// Most events that one call of `advance` resolves, so that it always comes back. Default 10⁷.
    pub budget: u64,
    /// Whether `advance` keeps the events of the call for [`crate::World::events`]. Default true.
    /// Off, or with a sink of one's own, nothing is stored.
    pub record_events: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            epoch: Clock::DEFAULT_EPOCH,
            start: 0.0,
            restitution: CombineRule::default(),
            simultaneous: Simultaneous::default(),
            budget: 10_000_000,
            record_events: true,
        }
    }
}

impl Settings {
    pub(crate) fn clock(&self) -> Result<Clock, Error> {
        let clock = Clock::new(self.epoch).ok_or(Error::OutOfRange {
            field: "epoch",
            value: self.epoch,
            allowed: "a power of two from 2^-60 to 2^60",
        })?;
        check::not_negative("start", self.start)?;
        if clock.at(self.start).is_never() {
            return Err(Error::Inconsistent {
                field: "start",
                value: self.start,
                reason: "it is beyond the clock's horizon of 2^51 epochs",
            });
        }
        Ok(clock)
    }
}

/// How the coefficients of restitution of two bodies give that of their impact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CombineRule {
    /// `√(e_a e_b)`: a body that does not bounce keeps others from bouncing off it.
    #[default]
    GeometricMean,
    /// The smaller one.
    Minimum,
    /// The larger one.
    Maximum,
    /// `(e_a + e_b) / 2`.
    Average,
    /// `e_a e_b`.
    Product,
}

impl CombineRule {
    /// The combined coefficient. Exactly `e` for `e` and `e`, but for `Product`.
    #[inline]
    #[must_use]
    pub fn combine(self, a: f64, b: f64) -> f64 {
        match self {
            CombineRule::GeometricMean => sqrt(a * b),
            CombineRule::Minimum => a.min(b),
            CombineRule::Maximum => a.max(b),
            CombineRule::Average => 0.5 * (a + b),
            CombineRule::Product => a * b,
        }
    }
}

/// How impacts of the same instant that share discs are resolved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Simultaneous {
    /// All at once: a blow passes through a row, a symmetric hit stays symmetric.
    #[default]
    Together,
    /// One pair after another in the order of events, as contest games do.
    OneByOne,
}

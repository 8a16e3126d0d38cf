use super::contact::{ContactNow, approach};
use glam::DVec2;

/// What the normal impulse of an impact of two bodies does to the energy: see [`Ledger`](crate::Ledger).
pub(crate) struct EnergyChange {
    /// Whether they are two discs, else a disc and a wall.
    pub(crate) is_pair: bool,
    pub(crate) masses: [f64; 2],
    /// Velocities before and after it; 0 of a wall.
    pub(crate) before: [DVec2; 2],
    pub(crate) after: [DVec2; 2],
    pub(crate) contact: ContactNow,
    /// The one applied.
    pub(crate) restitution: f64,
    pub(crate) impulse: f64,
}

impl EnergyChange {
    /// `½ μ (1 − e²) u²`; less than 0 for a restitution above 1.
    ///
    /// What an arm meets may recede from it by rounding, and counts as approaching at a speed `u` of its own:
    /// of an impulse `j` that is lost is `j` times the difference, too.
    pub(crate) fn loss(&self) -> f64 {
        let [a, b] = self.before;
        let ContactNow { gap, growth_speed, approach_speed, .. } = self.contact;
        let met = approach((if self.is_pair { a - b } else { a }).dot(gap.normal), growth_speed);
        let counted = 0.5 * (1.0 - self.restitution) * self.impulse * approach_speed.max(0.0);
        counted + self.impulse * (met - approach_speed)
    }
}

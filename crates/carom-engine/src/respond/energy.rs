use super::contact::ContactNow;
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
    pub(crate) fn loss(&self) -> f64 {
        0.5 * (1.0 - self.restitution) * self.impulse * self.contact.approach_speed.max(0.0)
    }
}

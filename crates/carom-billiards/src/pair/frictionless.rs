//! Balls without friction: the normal impulse, which is the engine's, and nothing else.
//!
//! `v₁ += −j n̂/m₁`, `v₂ += j n̂/m₂` with `j = (1 + e) (v₁ − v₂)·n̂/(1/m₁ + 1/m₂)`; for equal masses and `e =
//! 1` the normal components change places. Spin stays: an impulse through the centre has no moment. Of
//! unequal balls the line of centres is tilted, and `j` is that along it, less what the table takes.

/// The restitution of two balls that have different ones.
pub(super) fn mean_restitution([a, b]: [f64; 2]) -> f64 {
    if a == b { a } else { 0.5 * (a + b) }
}

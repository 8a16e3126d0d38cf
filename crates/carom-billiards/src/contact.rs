//! What all models of impacts share.

use carom_engine::math::sqrt;

/// How far apart the centres of two balls on the cloth are that touch: `√((R₁ + R₂)² − (R₁ − R₂)²)`, which is
/// `2√(R₁R₂)`.
pub(crate) fn centres_apart(radius_a: f64, radius_b: f64) -> f64 {
    if radius_a == radius_b { 2.0 * radius_a } else { 2.0 * sqrt(radius_a * radius_b) }
}

/// The line of centres of two balls that stand on the cloth, in space: how long its horizontal part is and
/// how far it rises, as fractions of its length. `(1, 0)`, exactly, for equal balls.
pub(crate) fn tilt(radius_a: f64, radius_b: f64) -> (f64, f64) {
    if radius_a == radius_b {
        return (1.0, 0.0);
    }
    let sum = radius_a + radius_b;
    (2.0 * sqrt(radius_a * radius_b) / sum, (radius_b - radius_a) / sum)
}

/// The horizontal restitution of an impulse with restitution `e` along a line whose horizontal part is
/// `cos`, where the table takes the vertical part: `(1 + e) cos² − 1`, or 0 if that would not part the two.
pub(crate) fn horizontal_restitution(e: f64, cos: f64) -> f64 {
    if cos == 1.0 { e } else { ((1.0 + e) * (cos * cos) - 1.0).max(0.0) }
}

/// What two balls weigh where they meet. Of a tracer and another one the tracer weighs 1, as its impulse is
/// one per unit of mass, and nothing moves the other.
pub(crate) fn masses([a, b]: [f64; 2]) -> [f64; 2] {
    match () {
        () if a == 0.0 => [1.0, f64::INFINITY],
        () if b == 0.0 => [f64::INFINITY, 1.0],
        () => [a, b],
    }
}

//! Restitution and Coulomb friction: Alciatore, TP A-5, A-6 and A-14
//! (<https://billiards.colostate.edu/technical-proofs/>).
//!
//! With the unit vector `n̂` from ball 1 to ball 2 the points that touch have the relative velocity
//!
//! ```text
//! c = (v₁ + ω₁ × R₁n̂) − (v₂ − ω₂ × R₂n̂) ,   freed of its part along n̂ .
//! ```
//!
//! An impulse `P ⊥ n̂` on ball 1, and `−P` on ball 2, changes `v₁` by `P/m₁` and `ω₁` by `R₁n̂ × P/I₁` with
//! `I₁ = 2/5 m₁R₁²`, so that the point of ball 1 gains `P/m₁ + (R₁²/I₁)(n̂ × P) × n̂ = (7/2) P/m₁`; ball 2
//! likewise. Hence
//!
//! ```text
//! c′ = c + (7/2)(1/m₁ + 1/m₂) P .
//! ```
//!
//! With the normal impulse `J` friction is `P = −μ J ĉ`, unless that would reverse `c`; then it is what ends
//! the slip,
//!
//! ```text
//! P = −(2/7) c/(1/m₁ + 1/m₂) .
//! ```
//!
//! For equal balls this is `D = P/m = −c/7` with `c = (v₁ − v₂) + R(ω₁ + ω₂) × n̂`, and `ω += (5/2R) n̂ × D`,
//! which are TP A-14's equations. `μ` may depend on `|c|`.
//!
//! Of unequal balls `n̂` is tilted, and `J` is the engine's horizontal impulse divided by the horizontal part
//! of `n̂`. What would lift or press a ball (`v_z`) the table takes.

use crate::contact::{masses, tilt};
use crate::motion::BallState;
use crate::{Coefficients, Friction};
use carom_engine::glam::DVec3;
use carom_engine::math::sqrt;
use carom_engine::{Body, Contact, State};

/// Adds the tangential impulse.
pub(super) fn apply(
    contact: &Contact<BallState>,
    [of_a, of_b]: [&Body<Coefficients>; 2],
    a: &mut State<BallState>,
    b: &mut State<BallState>,
) {
    let (cos, sin) = tilt(of_a.radius, of_b.radius);
    let normal = (contact.normal * cos).extend(sin);
    let turning = a.extra.spin * of_a.radius + b.extra.spin * of_b.radius;
    let relative = (a.velocity - b.velocity).extend(0.0) + turning.cross(normal);
    let slip = relative - normal * relative.dot(normal);
    let speed = sqrt(slip.length_squared());
    let inverses = masses([of_a.mass, of_b.mass]).map(|mass| 1.0 / mass);
    if !(speed > 0.0) {
        return;
    }
    let friction = Friction::between(of_a.own.friction, of_b.own.friction, speed);
    let sliding = friction * (contact.impulse / cos);
    let gripping = (2.0 / 7.0) * speed / (inverses[0] + inverses[1]);
    let size = sliding.min(gripping);
    let impulse = -(slip * (size / speed));
    let moment: DVec3 = normal.cross(impulse);
    a.velocity += impulse.truncate() * inverses[0];
    b.velocity -= impulse.truncate() * inverses[1];
    a.extra.lift.friction += impulse.z * inverses[0];
    b.extra.lift.friction -= impulse.z * inverses[1];
    a.extra.spin += moment * (2.5 * inverses[0] / of_a.radius);
    b.extra.spin += moment * (2.5 * inverses[1] / of_b.radius);
}

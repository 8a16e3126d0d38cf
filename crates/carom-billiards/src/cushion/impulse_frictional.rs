//! Restitution and Coulomb friction at the true point of contact.
//!
//! With the unit vector `n₃` from the nose to the centre and the velocity `c` of the point of contact across
//! it, the normal impulse per unit of mass is `J = −(1 + e) v·n₃`, and friction `D = −(2/7) c` ends the slip,
//! as the point gains `(7/2) D`; if `|D| > f J` it is `−f J ĉ`. The ball gains `J n₃ + D` and turns by
//! `(5/2R)(−n₃) × D`.

use super::{Hit, Rebound};
use carom_engine::math::sqrt;

pub(super) fn rebound(hit: &Hit) -> Rebound {
    let away = hit.away();
    let normal = -(1.0 + hit.e) * hit.velocity.dot(away);
    let contact = hit.contact_velocity(away);
    let slip = contact - away * contact.dot(away);
    let speed = sqrt(slip.length_squared());
    let across = (2.0 / 7.0) * speed;
    let share = if across <= hit.friction * normal { 2.0 / 7.0 } else { hit.friction * normal / speed };
    hit.rebound(away * normal - slip * share, away)
}

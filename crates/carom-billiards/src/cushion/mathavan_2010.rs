//! Mathavan, Jackson and Parkin, A theoretical analysis of billiard ball dynamics under cushion impacts,
//! Proc. IMechE C 224 (2010) 1863.
//!
//! The ball touches the nose at an angle `sin θ = (h − R)/R` above its centre and the cloth below it. As the
//! normal impulse at the nose grows by `ΔP`, friction there is `f ΔP` against the slip at the nose, and that
//! of the cloth `μ_s ΔN` against the slip on the cloth, where `ΔN` balances the vertical parts: the ball does
//! not leave the cloth. Compression ends as `v_n = 0`, and the rest lasts until the nose has given back `e²`
//! of the work of compression (Stronge). By steps of equal impulse, the last of each phase cut to fit.

use super::{Hit, Rebound};
use carom_engine::DVec2;
use carom_engine::glam::DVec3;
use carom_engine::math::sqrt;

/// Steps of a compression without friction.
const STEPS: f64 = 1000.0;

/// More than any impact takes.
const MOST_STEPS: usize = 20_000;

/// One step of the normal impulse per unit of mass.
fn step(hit: &Hit, normal: f64) -> Hit {
    let cos = sqrt(1.0 - hit.rise * hit.rise);
    let away = DVec3::new(-cos, 0.0, -hit.rise);
    let contact = hit.contact_velocity(away);
    let slip = contact - away * contact.dot(away);
    let size = sqrt(slip.length_squared());
    // What a step would reverse it ends.
    let rubbing = (hit.friction * normal).min((2.0 / 7.0) * size);
    let along = if size > 0.0 { slip * (rubbing / size) } else { DVec3::ZERO };
    let impulse = away * normal - along;
    let on_cloth: DVec2 = crate::slip(hit.radius, hit.velocity.truncate(), hit.spin);
    let size = sqrt(on_cloth.length_squared());
    let pressing = (-impulse.z).max(0.0);
    let cloth = if size > 0.0 { -(on_cloth * (hit.sliding * pressing / size)) } else { DVec2::ZERO };
    let cloth = cloth.extend(0.0);
    let turned = impulse.cross(away) + DVec3::NEG_Z.cross(cloth);
    let gained = DVec3::new(impulse.x + cloth.x, impulse.y + cloth.y, 0.0);
    Hit { velocity: hit.velocity + gained, spin: hit.spin + turned * (2.5 / hit.radius), ..*hit }
}

pub(super) fn rebound(hit: &Hit) -> Rebound {
    let cos = sqrt(1.0 - hit.rise * hit.rise);
    let size = hit.velocity.x / cos / STEPS;
    let (mut now, mut work) = (*hit, 0.0);
    for _ in 0..MOST_STEPS {
        let (before, next) = (now.velocity.x, step(&now, size));
        let after = next.velocity.x;
        if after <= 0.0 {
            let cut = size * (before / (before - after));
            work += 0.5 * cut * before;
            now = step(&now, cut);
            break;
        }
        work += 0.5 * size * (before + after);
        now = next;
    }
    let mut left = hit.e * hit.e * work;
    for _ in 0..MOST_STEPS {
        if !(left > 0.0) {
            break;
        }
        let (before, next) = (-now.velocity.x, step(&now, size));
        let after = -next.velocity.x;
        let done = 0.5 * size * (before + after);
        if done >= left {
            // The root of `b s + ½ (a − b) s² = left/size` in [0, 1].
            let wanted = left / size;
            let root = sqrt((before * before + 2.0 * (after - before) * wanted).max(0.0));
            now = step(&now, size * (2.0 * wanted / (before + root)));
            break;
        }
        left -= done;
        now = next;
    }
    Rebound { velocity: now.velocity - hit.velocity, spin: now.spin - hit.spin }
}

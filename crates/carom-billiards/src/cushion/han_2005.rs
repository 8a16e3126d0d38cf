//! Han, Dynamics in Carom and Three Cushion Billiards, J. Mech. Sci. Technol. 19 (2005) 976.
//!
//! With `sin θ = h/R − 1` for a nose at the height `h`, the point of contact slips at
//!
//! ```text
//! s_x = v_x sin θ − v_z cos θ + R ω_y ,   s_y = −v_y − R ω_z cos θ + R ω_x sin θ
//! ```
//!
//! (x along the normal, y along the cushion) and approaches at `v_x cos θ`. The impulse along the line of
//! contact is `P_E = (1 + e) m v_x cos θ`; across it `(2/7) m s`, which ends the slip, but at most `f P_E`.

use super::{Hit, Rebound};
use carom_engine::glam::DVec3;
use carom_engine::math::sqrt;

pub(super) fn rebound(hit: &Hit) -> Rebound {
    let &Hit { velocity: v, spin: w, radius, .. } = hit;
    let sin = hit.rise;
    let cos = sqrt(1.0 - sin * sin);
    let slip_x = v.x * sin - v.z * cos + radius * w.y;
    let slip_y = -v.y - radius * w.z * cos + radius * w.x * sin;
    let slip = sqrt(slip_x * slip_x + slip_y * slip_y);
    // Impulses per unit of mass.
    let normal = (1.0 + hit.e) * v.x * cos;
    let across = (2.0 / 7.0) * slip;
    let share = if across <= hit.friction * normal { 2.0 / 7.0 } else { hit.friction * normal / slip };
    let (p_x, p_y) = (share * slip_x, share * slip_y);
    let (along_n, along_z) = (-p_x * sin - normal * cos, p_x * cos - normal * sin);
    let turning = 2.5 / radius;
    let spin = DVec3::new(-p_y * sin, along_n * sin - along_z * cos, p_y * cos) * turning;
    Rebound { velocity: DVec3::new(along_n, p_y, along_z), spin }
}

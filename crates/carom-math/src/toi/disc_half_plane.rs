use super::{Gap, Memory, Motion, Side};
use crate::HalfPlane;

/// Time until a disc touches a solid half-plane.
///
/// `None` when it does not approach; 0 when it touches or overlaps and approaches. A disc that has just been
/// hit by the line ([`Memory::Met`]) does not meet it again on a straight path.
#[inline(always)]
#[must_use]
pub fn disc_half_plane(disc: &Motion, plane: &HalfPlane, memory: Memory) -> Option<f64> {
    let along = disc.velocity.dot(plane.normal);
    let approach = if disc.growth == 0.0 { along } else { along - disc.growth * disc.radius };
    if !(approach < 0.0) || memory.just_met() {
        return None;
    }
    Some(time_to_close((disc.position - plane.point).dot(plane.normal) - disc.radius, approach))
}

/// Time for a gap to close at the rate `approach < 0`; 0 for a gap that is closed.
#[inline(always)]
pub(super) fn time_to_close(gap: f64, approach: f64) -> f64 {
    if gap > 0.0 { gap / -approach } else { 0.0 }
}

/// Distance of a disc from a solid half-plane.
#[inline(always)]
#[must_use]
pub fn gap_disc_half_plane(disc: &Motion, plane: &HalfPlane) -> Gap {
    let distance = (disc.position - plane.point).dot(plane.normal) - disc.radius;
    Gap { distance, normal: -plane.normal, side: Side::Front }
}

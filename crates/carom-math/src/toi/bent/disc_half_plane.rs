use super::Motion;
use super::again::has_sunk;
use crate::shape::norm1;
use crate::toi::{self, Memory};
use crate::{DVec2, HalfPlane, sqrt};

/// Time until a disc on a parabola touches a solid half-plane, before `until`.
///
/// `None` when it does not come back to the line; 0 when it touches or overlaps and approaches; where it
/// overlaps and turns back before it is out, the moment of turning. A disc that has just been hit by the
/// line ([`Memory::Met`]) leaves it with the normal part of its velocity, or with none, from a gap of zero:
/// it is back after `2 vₙ/|aₙ|`, at once if it does not leave and is pressed (`vₙ ≤ 0`, `aₙ < 0`), and
/// never without an acceleration towards the line.
///
/// The height is a quadratic in time, so the error is that of the straight function: 8 · 2⁻⁵³ (|p − q| +
/// |v| t + ½ |a| t² + r) over the speed of closing at contact.
#[inline]
#[must_use]
pub fn disc_half_plane(disc: &Motion, plane: &HalfPlane, memory: Memory, until: f64) -> Option<f64> {
    if disc.is_straight() {
        return toi::disc_half_plane(&disc.straight(), plane, memory).filter(|t| *t < until);
    }
    let height = Height::new(disc, plane.point, plane.normal);
    let surface = Height { gap: height.gap - disc.radius, ..height };
    let size = || norm1(disc.position) + norm1(plane.point);
    let surface = if memory.just_met() { surface.again(disc.radius, size) } else { surface };
    surface.falls_to_zero().filter(|t| *t < until)
}

/// A height `gap + rate t + bend t²`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Height {
    pub(super) gap: f64,
    pub(super) rate: f64,
    pub(super) bend: f64,
}

impl Height {
    /// Of a centre over the line through `point` with the unit normal `normal`.
    #[inline(always)]
    pub(super) fn new(disc: &Motion, point: DVec2, normal: DVec2) -> Height {
        let gap = (disc.position - point).dot(normal);
        Height { gap, rate: disc.velocity.dot(normal), bend: 0.5 * disc.acceleration.dot(normal) }
    }

    /// Counted from `t` later.
    #[inline(always)]
    pub(super) fn after(&self, t: f64) -> Height {
        let Height { gap, rate, bend } = *self;
        Height { gap: gap + (rate + bend * t) * t, rate: rate + 2.0 * bend * t, bend }
    }

    /// That of the surface of a disc of this radius after an impact, among coordinates of this size: it is
    /// taken to be at the line and to leave it. What overlapped by more than rounding, and parts, comes back
    /// to the line, not to where it was.
    pub(super) fn again(&self, radius: f64, size: impl FnOnce() -> f64) -> Height {
        let parting = Height { rate: self.rate.max(0.0), ..*self };
        let comes_out = has_sunk(self.gap + radius, radius, size) && parting.rises_above_zero();
        if comes_out { parting } else { Height { gap: 0.0, ..parting } }
    }

    /// Whether it is positive at some time at which it falls, of one that is not positive now.
    pub(super) fn rises_above_zero(&self) -> bool {
        self.rate > 0.0 && self.bend < 0.0 && self.rate * self.rate > 4.0 * self.bend * self.gap
    }

    /// The first time at which it is not positive and falls.
    #[inline(always)]
    pub(super) fn falls_to_zero(&self) -> Option<f64> {
        let Height { gap, rate, bend } = *self;
        if rate < 0.0 {
            if !(gap > 0.0) {
                return Some(0.0);
            }
            let disc = rate * rate - 4.0 * bend * gap;
            return (disc > 0.0).then(|| 2.0 * gap / (sqrt(disc) - rate));
        }
        if !(bend < 0.0) {
            return None;
        }
        // It rises to its turn, from a positive gap or over zero, or turns below it.
        let disc = rate * rate - 4.0 * bend * gap;
        Some((rate + sqrt(disc.max(0.0))) / (-2.0 * bend))
    }
}

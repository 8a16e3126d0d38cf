use super::is_negligible;
use super::path::{Crossing, Path, gap_of};
use crate::shape::norm1;
use crate::toi::{self, squared_gap};
use crate::tolerance::MISSES_LINE;
use crate::{DVec2, sqrt};

/// Supporting lines after which the search goes on between the extrema of the distance.
///
/// A plain hit takes three to six; a graze, where each halves what is left, up to 26. With fewer, hits would
/// take the slower search; with more, grazes take both.
const MOST_LINES: u32 = 12;

/// Lines after which a path that seems to miss is asked whether it does for certain. Most that miss have
/// missed a line before; later, and those that pass closely take all lines.
const LINES_BEFORE_MISS: u32 = 1;

/// Time to the first contact of two discs that accelerate relative to each other, before `until`.
///
/// `d`, `v` and `a` are position, velocity and acceleration of the second relative to the first, `reach` the
/// distance of the centres at contact. `None` when they recede for good, miss or graze; 0 when they touch or
/// overlap and approach; where they overlap and part, but turn back before they are apart, the moment of
/// turning. Symmetric: negating `d`, `v` and `a` gives the same bits. Without acceleration it is
/// [`toi::disc_disc`].
///
/// Let `n = x/|x|`, seen from the present place `x` outside. The centre cannot touch before it crosses the
/// line `n·y = reach`, a tangent of the circle: a quadratic in time, whose first root is a lower bound of
/// the contact, and without a root they do not touch. From there the next line is drawn. For pairs that miss
/// the first lines are all, some 30 ns; a hit takes some 100 to 150 ns, and one that grazes 400 ns. The last
/// step is one of Newton's, no longer than the one before it. Where this does not converge, as in a graze,
/// and from inside, the contact is bracketed between the extrema of the distance.
///
/// With `B = |d| + |v| t + ½ |a| t² + reach` the time is off by at most `4 · 2⁻⁵³ (B/c + t)`, `c` the speed
/// of closing at contact. A hit is missed, or a miss hit, only if the closest approach is within a small
/// part of `2⁻⁵³ B` of `reach`. Derived in `docs/derivations/disc-disc-bent.md`.
#[inline]
#[must_use]
pub fn disc_disc(d: DVec2, v: DVec2, a: DVec2, reach: f64, until: f64) -> Option<f64> {
    if is_negligible(a) {
        return toi::disc_disc(d, v, reach).filter(|t| *t < until);
    }
    Path { d, v, a }.first_contact(reach, until)
}

/// How a path misses a line.
struct Miss {
    /// Time until it is next to the line.
    nearest: f64,
    /// Its height over the line then, times `|x|`; at most that.
    height: f64,
}

impl Miss {
    #[inline(always)]
    fn at_nearest(rate: f64, bend: f64, gap: f64) -> Miss {
        let nearest = -0.5 * rate / bend;
        Miss { nearest, height: gap + 0.5 * rate * nearest }
    }
}

impl Path {
    /// The first crossing of the circle of radius `reach` inwards.
    #[inline]
    pub(super) fn first_contact(&self, reach: f64, until: f64) -> Option<f64> {
        // Two points have no gap that falls below zero.
        if !(reach > 0.0) || !(until > 0.0) {
            return None;
        }
        let (mut t, mut step) = (0.0, 0.0);
        for line in 0..MOST_LINES {
            let (x, w) = (self.at(t), self.velocity(t));
            // Where it starts is exact.
            let gap = if t == 0.0 { squared_gap(x, reach) } else { gap_of(x, reach) };
            if !(gap > 0.0) {
                return self.at_circle(t, step, gap, x.dot(w), reach, until);
            }
            if !(t < until) {
                return None;
            }
            if line == LINES_BEFORE_MISS && self.is_about_to_miss(x, w, gap) && self.stays_outside(t, reach) {
                return None;
            }
            match self.time_to_line(x, w, gap, reach) {
                Ok(ahead) => step = ahead,
                Err(miss) if self.is_clear(&miss, t, x) => return None,
                Err(_) => break,
            }
            let next = t + step;
            if next == t {
                return self.at_circle(t, 0.0, gap, x.dot(w), reach, until);
            }
            t = next;
        }
        self.crossing(reach, Crossing::Inwards, until)
    }

    /// Whether the parabola that the squared gap is at a time, by its rate and bend, stays above zero.
    #[inline(always)]
    fn is_about_to_miss(&self, x: DVec2, w: DVec2, gap: f64) -> bool {
        let (rate, bend) = (x.dot(w), w.dot(w) + x.dot(self.a));
        rate * rate < gap * bend
    }

    /// Time until the centre, at `x` outside and moving with `w`, is on the tangent of the circle that
    /// faces it; or how the path misses that line.
    ///
    /// With `n = x/|x|` the centre is on the line when `(|x| − R) + (n·w) τ + ½ (n·a) τ² = 0`. All terms are
    /// taken times `|x|`. The gap is then `|x| (|x|² − R²)/(|x| + R)`, without the cancellation of `|x| − R`,
    /// and at least half of `|x|² − R²`: with that bound most misses are seen before the first square root.
    #[inline(always)]
    fn time_to_line(&self, x: DVec2, w: DVec2, squared_gap: f64, reach: f64) -> Result<f64, Miss> {
        let (rate, bend) = (x.dot(w), 0.5 * x.dot(self.a));
        let least = 0.5 * squared_gap;
        // It moves away from the line for good, or has no root even from the least gap.
        if rate >= 0.0 && bend >= 0.0 {
            return Err(Miss { nearest: 0.0, height: least });
        }
        if rate < 0.0 && bend > 0.0 && rate * rate < MISSES_LINE * bend * least {
            return Err(Miss::at_nearest(rate, bend, least));
        }
        let distance = sqrt(x.x * x.x + x.y * x.y);
        let gap = squared_gap * distance / (distance + reach);
        let disc = rate * rate - 4.0 * bend * gap;
        if disc < 0.0 {
            return Err(Miss::at_nearest(rate, bend, gap));
        }
        // The first root, from terms of one sign. What moves away at first turns back (`bend < 0`).
        let root = sqrt(disc);
        Ok(if rate < 0.0 { 2.0 * gap / (root - rate) } else { (rate + root) / (-2.0 * bend) })
    }

    /// Whether a line is missed, from `t` and `x` on, by more than what rounding makes of it.
    #[inline(always)]
    fn is_clear(&self, miss: &Miss, t: f64, x: DVec2) -> bool {
        miss.height > 16.0 * f64::EPSILON * norm1(x) * self.size(t + miss.nearest)
    }

    /// The contact from a time at which the centre is at the circle or inside, or so near that no step moves
    /// the time; `step` is the last.
    fn at_circle(&self, t: f64, step: f64, gap: f64, rate: f64, reach: f64, until: f64) -> Option<f64> {
        // It starts inside or touching: a contact if it approaches, else where it turns back or comes again.
        if t == 0.0 {
            return if rate < 0.0 { Some(0.0) } else { self.crossing(reach, Crossing::Inwards, until) };
        }
        if !(rate < 0.0) || self.grazes(t, reach) {
            return self.crossing(reach, Crossing::Inwards, until);
        }
        // Newton's step back over the rounding of the gap. The bound before it was outside, so it is no
        // longer than the last step.
        Some(t - (gap / (2.0 * rate)).min(step)).filter(|t| *t < until)
    }
}

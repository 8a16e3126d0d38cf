use super::is_negligible;
use super::path::{Crossing, Path};
use super::root::{self, Value};
use crate::eft::DoubleDouble;
use crate::shape::{norm, norm1};
use crate::toi;
use crate::toi::disc_circle::leaves;
use crate::toi::disc_segment::is_past_front;
use crate::tolerance::{FRONT_DEPTH, touch_slack};
use crate::{DVec2, sqrt};

/// Time to the next contact of two discs whose motions come from one impact, at which they touched.
///
/// Arguments as for [`super::disc_disc`]. The two are taken to part: from the distance that they have,
/// whatever its rounding, and with `w = v − min(v·n, 0) n`, `n = d/|d|`. The gap `|x|² − |d|²`, divided by
/// `t`, is then
///
/// `2 p + (w·w + d·a) t + (w·a) t² + ¼ a·a t³`, `p = d·w ≥ 0`,
///
/// and the contact is its first root downwards: the division takes out the root at 0, the impact that was.
/// Two that do not part and are pressed together (`p = 0` and `w·w + d·a < 0`, or 0 and decreasing) are in
/// contact at 0. Nothing approaches in it: rules of rest are to recognise it, since impacts alone make no
/// progress there. `None` without relative acceleration, and for points (a `reach` of 0).
///
/// Two that overlapped by more than rounding, and are apart before they come back to the distance that they
/// had, meet at `reach`.
#[must_use]
pub fn disc_disc_again(d: DVec2, v: DVec2, a: DVec2, reach: f64, until: f64) -> Option<f64> {
    if is_negligible(a) || !(reach > 0.0) || !(until > 0.0) {
        return None;
    }
    let rate = d.dot(v);
    // No root is taken of most.
    let may_have_sunk = d.length_squared() < reach * reach * (1.0 - FRONT_DEPTH);
    if may_have_sunk && has_sunk(norm(d), reach, || norm1(d)) {
        let path = Path { d, v: if rate > 0.0 { v } else { tangential(d, v, rate) }, a };
        if path.gets_past(reach, Crossing::Outwards) {
            return path.crossing(reach, Crossing::Inwards, until);
        }
    }
    if rate > 0.0 {
        return Parting::new(d, v, a).back_inwards().filter(|t| *t < until);
    }
    let w = tangential(d, v, rate);
    let (pressing, room2) = (w.length_squared() + d.dot(a), -d.dot(a));
    if pressing < 0.0 || (pressing == 0.0 && w.dot(a) < 0.0) {
        return Some(0.0);
    }
    if !(room2 > 0.0) {
        return None;
    }
    // With `m = w + ½ a t` the gap over `t²` is `m·m + d·a`: in the plane of `m` that is a point on a
    // straight path to a circle.
    toi::disc_disc(w, a * 0.5, sqrt(room2)).filter(|t| *t < until)
}

/// The next crossing outwards of what has just met the wall of a round room from inside, where `d` points to
/// it from the middle, and its surface is at the wall at `reach`. Like in [`disc_disc_again`] it is taken to
/// move inwards; pressed onto the wall it is in contact at 0.
pub(super) fn leaves_again(d: DVec2, v: DVec2, a: DVec2, reach: f64, until: f64) -> Option<f64> {
    let rate = d.dot(v);
    if has_sunk(2.0 * reach - norm(d), reach, || norm1(d)) {
        let path = Path { d, v: if rate < 0.0 { v } else { tangential(d, v, rate) }, a };
        if path.gets_past(reach, Crossing::Inwards) {
            return path.crossing(reach, Crossing::Outwards, until);
        }
    }
    if rate < 0.0 {
        return Some(Parting::new(d, v, a).back_outwards());
    }
    let w = tangential(d, v, rate);
    let pressing = w.length_squared() + d.dot(a);
    if pressing > 0.0 || (pressing == 0.0 && !(w.dot(a) < 0.0)) {
        return Some(0.0);
    }
    leaves(w, a * 0.5, sqrt((-d.dot(a)).max(0.0)), false)
}

/// Whether what was hit at a distance from the middle of what it met, or from its line, overlapped it there
/// by more than rounding, among lengths of this size: contact is at the distance `reach`.
#[inline(always)]
pub(super) fn has_sunk(distance: f64, reach: f64, size: impl FnOnce() -> f64) -> bool {
    distance < reach * (1.0 - FRONT_DEPTH) && is_past_front(distance, reach, touch_slack(size() + reach))
}

/// The velocity without its part along `d`.
#[inline]
fn tangential(d: DVec2, v: DVec2, rate: f64) -> DVec2 {
    let d2 = d.length_squared();
    if rate == 0.0 || !(d2 > 0.0) { v } else { v - d * (rate / d2) }
}

/// A path that starts at the circle and leaves it with a rate that is not zero.
///
/// With `m = w + ½ a t`, half of the sum of the velocities, and `y = d + x = 2 d + m t`, the gap over `t`
/// is `m·y`: the polynomial in a form that does not cancel, since where it is zero both `m t` and `y` are
/// chords, not longer than `2 |d|`.
struct Parting {
    path: Path,
    /// A time from which on the gap over `t` only grows.
    settled: f64,
    /// Where its second derivative turns positive, if that is to come, else 0.
    inflection: f64,
}

impl Parting {
    fn new(d: DVec2, v: DVec2, a: DVec2) -> Self {
        let a2 = a.length_squared();
        let inflection = (v.dot(a) / (-0.75 * a2)).max(0.0);
        // The derivative is `k + 2 (w·a) t + ¾ a·a t²`, with |k| ≤ w·w + |d||a|.
        let settled = 8.0 * (sqrt(v.length_squared() / a2) + sqrt(sqrt(d.length_squared() / a2)));
        Parting { path: Path { d, v, a }, settled, inflection }
    }

    fn parts(&self, t: f64) -> (DVec2, DVec2) {
        let m = self.path.v + self.path.a * (0.5 * t);
        (m, self.path.d * 2.0 + m * t)
    }

    /// The gap over `t`.
    fn gap(&self, t: f64) -> Value {
        let (m, y) = self.parts(t);
        let reach = norm1(self.path.v) + norm1(self.path.a) * t;
        let noise = 2.0 * f64::EPSILON * (reach * norm1(y) + norm1(m) * self.path.size(t));
        Value { value: m.dot(y), slope: self.slope(t), noise }
    }

    fn slope(&self, t: f64) -> f64 {
        let (m, y) = self.parts(t);
        0.5 * self.path.a.dot(y) + m.dot(self.path.velocity(t))
    }

    /// The gap over `t` in twice the digits, rounded.
    fn gap_exact(&self, t: f64) -> f64 {
        let part = |d: f64, v: f64, a: f64| {
            let m = DoubleDouble::from(v) + DoubleDouble::product(a, 0.5 * t);
            m * (DoubleDouble::from(2.0 * d) + m * DoubleDouble::from(t))
        };
        let Path { d, v, a } = self.path;
        (part(d.x, v.x, a.x) + part(d.y, v.y, a.y)).to_f64()
    }

    fn gap_decided(&self, t: f64) -> f64 {
        let Value { value, noise, .. } = self.gap(t);
        if value.abs() <= noise { self.gap_exact(t) } else { value }
    }

    /// The root of the slope between two times at which it has opposite signs.
    fn extremum(&self, low: f64, high: f64, is_positive_at_low: bool) -> f64 {
        let Path { d, v, a } = self.path;
        let (a2, half) = (1.5 * a.length_squared(), 2.0 * v.dot(a));
        // The slope is a quadratic. Its roots by the formula may cancel, so they are guesses.
        let roots = root::of_quadratic(0.5 * a2, 0.5 * half, v.length_squared() + d.dot(a));
        let (first, second) = roots.unwrap_or((low, low));
        let guess = between(low, high, if is_positive_at_low { first } else { second });
        root::between((low, high), guess, is_positive_at_low, |t| {
            let (m, y) = self.parts(t);
            let noise = 2.0 * f64::EPSILON * (norm1(a) * norm1(y) + norm1(m) * norm1(m));
            Value { value: self.slope(t), slope: half + a2 * t, noise }
        })
    }

    /// The root of the gap between two times at which it has opposite signs.
    fn root(&self, low: f64, high: f64, is_positive_at_low: bool) -> f64 {
        let guess = between(low, high, low - self.gap(low).value / self.slope(low));
        let t = root::between((low, high), guess, is_positive_at_low, |t| self.gap(t));
        let corrected = t - self.gap_exact(t) / self.slope(t);
        if low < corrected && corrected < high { corrected } else { t }
    }

    /// The first root downwards.
    ///
    /// The gap over `t` is a cubic that is positive at 0 and grows at the end, so it falls at most between
    /// its two extrema, and steepest at the inflection between them. If it does not fall there it falls
    /// nowhere. Else a root is before the inflection or between that and the lower extremum, or there is
    /// none.
    fn back_inwards(&self) -> Option<f64> {
        let low = self.inflection;
        if !(self.slope(low) < 0.0) {
            return None;
        }
        if low > 0.0 && !(self.gap_decided(low) > 0.0) {
            return Some(self.root(0.0, low, true));
        }
        let bottom = self.extremum(low, self.settled, false);
        (self.gap_decided(bottom) < 0.0).then(|| self.root(low, bottom, true))
    }

    /// The first root upwards.
    ///
    /// The gap over `t` is negative at 0 and positive in the end. It may reach 0 on its way to the upper
    /// extremum; else it does after the lower one, or, without extrema ahead, somewhere on its way up. At
    /// `settled` the slope is positive for good, and at twice that time the cubic term outweighs all others.
    fn back_outwards(&self) -> f64 {
        let low = self.inflection;
        if low > 0.0 && self.slope(0.0) > 0.0 {
            // Up to its first extremum it grows.
            let top = if self.slope(low) < 0.0 { self.extremum(0.0, low, true) } else { low };
            if self.gap_decided(top) > 0.0 {
                return self.root(0.0, top, false);
            }
        }
        let from = if self.slope(low) < 0.0 { self.extremum(low, self.settled, false) } else { low };
        self.root(from, 2.0 * self.settled, false)
    }
}

/// The guess if it is between the bounds, else their middle.
fn between(low: f64, high: f64, guess: f64) -> f64 {
    if low < guess && guess < high { guess } else { 0.5 * (low + high) }
}

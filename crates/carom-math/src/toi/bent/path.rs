use super::root::{self, Value};
use crate::eft::DoubleDouble;
use crate::shape::norm1;
use crate::tolerance::{CERTAIN_SUM, GRAZING_RATE, HALF_ULP};
use crate::{DVec2, sqrt};

/// The path `d + v t + ½ a t²` of a centre, seen from the middle of what it may touch; `a` is not zero.
///
/// All searches evaluate the geometry, `|x(t)|² − R²` and `x·w`, never the coefficients of the quartic that
/// these expand to: those cancel as soon as the path is long compared with `R`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    pub(super) d: DVec2,
    pub(super) v: DVec2,
    pub(super) a: DVec2,
}

/// Which crossing of a circle is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Crossing {
    Inwards,
    Outwards,
}

/// Newton steps to the closest approach, from about there, after which [`Path::stays_outside`] gives up: the
/// slower search decides then. Each doubles the digits, so six are enough where the method converges.
const MOST_APPROACHES: u32 = 6;

/// Steps to a crossing with the exact gap, after which it is searched by bisection. Each doubles the digits
/// of a time that has half of them.
const MOST_CORRECTIONS: u32 = 4;

/// The squared gap at a rounded place: that rounding is larger than those of the squares, so that more
/// digits, as in [`crate::toi::squared_gap`], would say nothing.
#[inline(always)]
pub(super) fn gap_of(x: DVec2, reach: f64) -> f64 {
    (x.x * x.x + x.y * x.y) - reach * reach
}

impl Path {
    /// Position; off by at most `2⁻⁵³ (|d| + 3 |v| t + 4 · ½ |a| t²)`.
    #[inline(always)]
    pub(super) fn at(&self, t: f64) -> DVec2 {
        self.d + (self.v + self.a * (0.5 * t)) * t
    }

    /// Velocity.
    #[inline(always)]
    pub(super) fn velocity(&self, t: f64) -> DVec2 {
        self.v + self.a * t
    }

    /// Half of the rate at which `|x|²` changes, and the rate of that: `x·w` and `w·w + x·a`.
    #[inline(always)]
    fn rates(&self, t: f64) -> (f64, f64) {
        let (x, w) = (self.at(t), self.velocity(t));
        (x.dot(w), w.dot(w) + x.dot(self.a))
    }

    /// `|d| + |v| t + ½ |a| t²`, at most √2 too large: what the rounding of the position is in proportion to.
    #[inline(always)]
    pub(super) fn size(&self, t: f64) -> f64 {
        norm1(self.d) + (norm1(self.v) + norm1(self.a) * (0.5 * t)) * t
    }

    /// The squared gap at a time, and a bound of its rounding error.
    #[inline]
    fn gap(&self, t: f64, reach: f64) -> (f64, f64) {
        let x = self.at(t);
        (gap_of(x, reach), 8.0 * HALF_ULP * (norm1(x) + reach) * (self.size(t) + reach))
    }

    /// The squared gap at a time, in twice the digits, rounded.
    pub(super) fn gap_exact(&self, t: f64, reach: f64) -> f64 {
        let at = |d: f64, v: f64, a: f64| {
            DoubleDouble::from(d)
                + (DoubleDouble::from(v) + DoubleDouble::product(a, 0.5 * t)) * DoubleDouble::from(t)
        };
        let (x, y) = (at(self.d.x, self.v.x, self.a.x), at(self.d.y, self.v.y, self.a.y));
        (x * x + y * y - DoubleDouble::product(reach, reach)).to_f64()
    }

    /// The squared gap, right in its sign.
    pub(super) fn gap_decided(&self, t: f64, reach: f64) -> f64 {
        let (gap, noise) = self.gap(t, reach);
        if gap.abs() <= noise { self.gap_exact(t, reach) } else { gap }
    }

    /// A time from which on the centre is outside of the circle of radius `reach` and its distance only
    /// grows.
    ///
    /// Let `s = |v|/|a|`, `z² = (|d| + R)/|a|` and `t = 4 s + 2 z`. In `x·w` the terms beside `½ |a|² t³`
    /// are at most `3 s/t + 2 s²/t² + 2 z²/t² + 2 s z²/t³` of it, and in `|x| − R` those beside `½ |a| t²`
    /// are `2 s/t + 2 z²/t²`: at most 7/8 and 1/2, for any `z/s`.
    fn settled(&self, reach: f64) -> f64 {
        let acceleration = sqrt(self.a.length_squared());
        4.0 * norm1(self.v) / acceleration + 2.0 * sqrt((norm1(self.d) + reach) / acceleration)
    }

    /// The pieces from 0 in which the distance from the middle only grows or only shrinks, in order; the last
    /// ends outside of the circle of radius `reach`.
    ///
    /// `w·w + x·a` is a quadratic in `t`: between its roots and outside of them `x·w` is monotone and has at
    /// most one root.
    pub(super) fn pieces(&self, reach: f64) -> Pieces {
        let end = self.settled(reach);
        let b = 1.5 * self.v.dot(self.a);
        let c = self.v.length_squared() + self.d.dot(self.a);
        let (first, second) = root::of_quadratic(1.5 * self.a.length_squared(), b, c).unwrap_or((0.0, 0.0));
        let (rate, bend) = self.rates(0.0);
        let falls = rate < 0.0 || (rate == 0.0 && bend < 0.0);
        Pieces { path: *self, low: 0.0, falls, bends: [first, second, end], next: 0 }
    }

    /// Whether it is certain, from about the closest approach, that the centre is outside of the circle of
    /// radius `reach` at all times.
    ///
    /// From any time on the squared gap is `D + 2 r τ + (k + m τ + ¼ a·a τ²) τ²` with `r = x·w`, `k = w·w +
    /// x·a`, `m = w·a`. The bracket is least at `τ = −2 m/a·a`, where it is `c = k − m²/a·a`. So with `c > 0`
    /// the gap is at least `D + 2 r τ + c τ²`, which is least at `τ = −r/c`: `D − r²/c`. Steps of Newton's
    /// method for `r = 0` make that bound the gap at the closest approach. See "A graze that misses" in
    /// `docs/derivations/disc-disc-bent.md`.
    #[cold]
    #[inline(never)]
    pub(super) fn stays_outside(&self, mut t: f64, reach: f64) -> bool {
        let a2 = self.a.length_squared();
        for _ in 0..MOST_APPROACHES {
            let (x, w) = (self.at(t), self.velocity(t));
            // r, and the parts of k and m; then k and c.
            let (rate, pull, drive) = (x.dot(w), x.dot(self.a), w.dot(self.a));
            let bend = w.dot(w) + pull;
            let least = bend - drive * drive / a2;
            // A difference that may be rounding bounds nothing.
            if !(least > CERTAIN_SUM * (w.dot(w) + pull.abs())) {
                return false;
            }
            let (gap, noise) = self.gap(t, reach);
            // By this much the gap may still fall.
            let lower = rate * rate / least;
            if gap - lower > noise {
                return true;
            }
            if lower <= HALF_ULP * noise {
                // This is the closest approach, within the rounding of the rate.
                let lower = sqrt(lower) + self.rate_noise(t, x, w) / sqrt(least);
                return self.gap_exact(t, reach) > lower * lower + HALF_ULP * noise;
            }
            t -= rate / bend;
        }
        false
    }

    /// A bound of the rounding error of `x·w`.
    #[inline(always)]
    fn rate_noise(&self, t: f64, x: DVec2, w: DVec2) -> f64 {
        4.0 * HALF_ULP * (self.size(t) * norm1(w) + norm1(x) * (norm1(self.v) + norm1(self.a) * t))
    }

    /// Whether the distance only grows: it does not shrink now, and `w·w + x·a` has no sum that could be
    /// negative.
    #[inline]
    fn recedes(&self) -> bool {
        let bend = self.v.length_squared() + self.d.dot(self.a);
        self.d.dot(self.v) >= 0.0 && self.v.dot(self.a) >= 0.0 && bend > 0.0
    }

    /// Where `x·w` is zero.
    fn extremum(&self, low: f64, high: f64, is_positive_at_low: bool) -> f64 {
        let (rate, bend) = self.rates(low);
        let newton = low - rate / bend;
        let guess = if low < newton && newton < high { newton } else { 0.5 * (low + high) };
        root::between((low, high), guess, is_positive_at_low, |t| {
            let (value, slope) = self.rates(t);
            let noise = self.rate_noise(t, self.at(t), self.velocity(t));
            Value { value, slope, noise }
        })
    }

    /// The first crossing of the circle of radius `reach` before `until`. What is past the circle crosses
    /// it, in this sense, where it begins to move on.
    pub(super) fn crossing(&self, reach: f64, way: Crossing, until: f64) -> Option<f64> {
        let is_inwards = way == Crossing::Inwards;
        if is_inwards && self.recedes() {
            return None;
        }
        let pieces = self.pieces(reach).take_while(|piece| piece.low < until);
        let mut pieces = pieces.filter(|piece| piece.falls == is_inwards);
        pieces.find_map(|piece| self.crossing_in(&piece, reach)).filter(|t| *t < until)
    }

    /// Whether what sets out past the circle of radius `reach` gets back through it before it first turns.
    pub(super) fn gets_past(&self, reach: f64, way: Crossing) -> bool {
        let is_outwards = way == Crossing::Outwards;
        let turned = self.pieces(reach).find(|piece| piece.falls == is_outwards && piece.low > 0.0);
        turned.is_some_and(|piece| (self.gap_decided(piece.low, reach) > 0.0) == is_outwards)
    }

    /// The crossing of the circle of radius `reach` in a piece: inwards if the distance shrinks, else
    /// outwards. There is at most one: there the distance is monotone. Beyond the circle already, that is
    /// where the piece begins.
    ///
    /// The signs of the gap at both ends decide whether there is one, so they are exact. Newton's method
    /// between these ends finds it to the rounding of the gap; in a graze, that is not yet the time to its
    /// last digits.
    pub(super) fn crossing_in(&self, piece: &Piece, reach: f64) -> Option<f64> {
        let sign = if piece.falls { 1.0 } else { -1.0 };
        let at_low = self.gap_decided(piece.low, reach);
        if !(sign * at_low > 0.0) {
            return Some(piece.low);
        }
        let at_high = self.gap_decided(piece.high, reach);
        if !(sign * at_high < 0.0) {
            return None;
        }
        let guess = self.guess(piece, at_low, at_high);
        let t = root::between((piece.low, piece.high), guess, piece.falls, |t| {
            let (value, noise) = self.gap(t, reach);
            Value { value, slope: 2.0 * self.rates(t).0, noise }
        });
        Some(if self.grazes(t, reach) { self.corrected(t, piece, reach) } else { t })
    }

    /// Whether the distance changes so slowly at a time that a gap within rounding says little of the time to
    /// the contact: where `rate t` and `½ bend t²`, in the squared gap, may be of one size.
    #[inline(always)]
    pub(super) fn grazes(&self, t: f64, reach: f64) -> bool {
        let (x, w) = (self.at(t), self.velocity(t));
        let (rate, bend) = (x.dot(w), w.dot(w) + x.dot(self.a).abs());
        rate * rate <= GRAZING_RATE * bend * reach * (self.size(t) + reach)
    }

    /// About when the squared gap is zero in a piece, from its values at the ends: where it is if it is a
    /// parabola, by its slope and curvature at the end inside, or about that end as its least value.
    #[inline]
    fn guess(&self, piece: &Piece, at_low: f64, at_high: f64) -> f64 {
        let length = piece.high - piece.low;
        let (inside, outside, t) =
            if piece.falls { (at_high, at_low, piece.high) } else { (at_low, at_high, piece.low) };
        let (rate, bend) = self.rates(t);
        let part = -inside / (rate.abs() + sqrt((rate * rate - bend * inside).max(0.0)));
        let part = if part < length { part } else { length * sqrt(inside / (inside - outside)) };
        if piece.falls { t - part } else { t + part }
    }

    /// A crossing with the exact gap, from one that is right within the rounding of the gap. Where a path
    /// grazes, that rounding moves the crossing by far more than the rounding of the place does along the
    /// path.
    ///
    /// Each step goes to the root of the parabola with the squared gap's value, rate and bend, until the gap
    /// is a small part of the rounding of places. Where the rate is itself rounding there is no such step:
    /// the root is bracketed instead.
    #[cold]
    fn corrected(&self, from: f64, piece: &Piece, reach: f64) -> f64 {
        let (mut t, sign) = (from, if piece.falls { -1.0 } else { 1.0 });
        for _ in 0..MOST_CORRECTIONS {
            let ((rate, bend), gap) = (self.rates(t), self.gap_exact(t, reach));
            let next = t - gap / (rate + sign * sqrt((rate * rate - bend * gap).max(0.0)));
            if !(sign * rate > 0.0 && piece.low < next && next < piece.high) {
                break;
            }
            if gap.abs() <= 0.5 * HALF_ULP * reach * (self.size(t) + reach) {
                return next;
            }
            t = next;
        }
        root::between((piece.low, piece.high), from, piece.falls, |t| {
            let noise = HALF_ULP * HALF_ULP * (norm1(self.at(t)) + reach) * (self.size(t) + reach);
            Value { value: self.gap_exact(t, reach), slope: 2.0 * self.rates(t).0, noise }
        })
    }
}

/// A stretch of time in which the distance from the middle only shrinks or only grows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) low: f64,
    pub(super) high: f64,
    /// Whether it shrinks.
    pub(super) falls: bool,
}

/// See [`Path::pieces`]: at most four.
pub(super) struct Pieces {
    path: Path,
    /// Where the next begins.
    low: f64,
    falls: bool,
    /// Where the curvature of the squared distance changes its sign, and the end.
    bends: [f64; 3],
    next: usize,
}

impl Iterator for Pieces {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        let (low, falls) = (self.low, self.falls);
        let mut from = low;
        while let Some(&high) = self.bends.get(self.next) {
            let rate = if from < high { self.path.rates(high).0 } else { 0.0 };
            if (falls && rate > 0.0) || (!falls && rate < 0.0) {
                let extremum = self.path.extremum(from, high, !falls);
                (self.low, self.falls) = (extremum, !falls);
                return Some(Piece { low, high: extremum, falls });
            }
            from = from.max(high);
            self.next += 1;
        }
        self.low = from;
        (low < from).then_some(Piece { low, high: from, falls })
    }
}

//! Error-free transformations: the rounding error of a sum or product is itself a double.
//!
//! Sources: Dekker, Numer. Math. 18 (1971) 224; Knuth, TAOCP 2, 4.2.2; Ogita, Rump and Oishi, SIAM J. Sci.
//! Comput. 26 (2005) 1955 for the names. No fused multiply-add is used, because its bits would differ from
//! machines without one.

use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// `a + b` rounded, and the exact rest: `sum + rest = a + b` without error. 6 operations.
#[inline(always)]
#[must_use]
pub fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    let a_part = sum - b_part;
    (sum, (a - a_part) + (b - b_part))
}

/// [`two_sum`] for `|a| ≥ |b|` or `a = 0`. 3 operations.
#[inline(always)]
#[must_use]
pub fn quick_two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b - (sum - a))
}

/// Splits a double into two of at most 26 significant bits (Veltkamp). Exact for `|a| < 2⁹⁹⁶`.
#[inline(always)]
fn split(a: f64) -> (f64, f64) {
    const FACTOR: f64 = ((1u64 << 27) + 1) as f64;
    let scaled = FACTOR * a;
    let high = scaled - (scaled - a);
    (high, a - high)
}

/// `a × b` rounded, and the exact rest: `product + rest = a × b` without error. 17 operations.
///
/// Exact while no part under- or overflows: `|a|, |b| < 2⁹⁹⁶` and a product of at least 2⁻⁹⁶⁹ or 0.
#[inline(always)]
#[must_use]
pub fn two_prod(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let (a_high, a_low) = split(a);
    let (b_high, b_low) = split(b);
    (product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low)
}

/// A sum of many terms whose rounding does not add up: the rounded sum, and the sum of what each addition
/// lost (Ogita, Rump and Oishi, SIAM J. Sci. Comput. 26 (2005) 1955, algorithm 4.4).
///
/// Of `n` terms it is off by an ulp of the sum and `n² 2⁻¹⁰⁶` of the sum of their magnitudes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sum(f64, f64);

impl Sum {
    /// Adds a term.
    #[inline(always)]
    pub fn add(&mut self, term: f64) {
        let (sum, lost) = two_sum(self.0, term);
        *self = Sum(sum, self.1 + lost);
    }

    /// The sum, rounded.
    #[inline]
    #[must_use]
    pub fn value(self) -> f64 {
        self.0 + self.1
    }

    /// The rounded sum, and what its additions have lost.
    #[inline]
    #[must_use]
    pub fn parts(self) -> [f64; 2] {
        [self.0, self.1]
    }

    /// Every term multiplied by a factor, with one rounding of each part.
    #[inline]
    #[must_use]
    pub fn scaled(self, factor: f64) -> Sum {
        Sum(self.0 * factor, self.1 * factor)
    }
}

impl AddAssign for Sum {
    #[inline]
    fn add_assign(&mut self, other: Sum) {
        self.add(other.0);
        self.1 += other.1;
    }
}

impl SubAssign for Sum {
    #[inline]
    fn sub_assign(&mut self, other: Sum) {
        *self += Sum(-other.0, -other.1);
    }
}

/// An unevaluated sum of two doubles, about 106 significant bits.
///
/// For the few places where a result must not depend on the order in which it was computed, or where 53 bits
/// would cancel away. Relative errors, for any signs: of a sum 3 · 2⁻¹⁰⁶, of a product 5 · 2⁻¹⁰⁶ (Joldes,
/// Muller and Popescu, ACM TOMS 44 (2017) 15res, algorithms 6 and 10; the product's bound is that of Muller
/// and Rideau, ACM TOMS 48 (2022) 9), of a quotient 8 · 2⁻¹⁰⁶.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DoubleDouble {
    high: f64,
    low: f64,
}

impl DoubleDouble {
    /// Zero.
    pub const ZERO: DoubleDouble = DoubleDouble { high: 0.0, low: 0.0 };

    /// The sum of two doubles. The second is at most half an ulp of the first.
    #[inline]
    #[must_use]
    pub const fn from_parts(high: f64, low: f64) -> Self {
        DoubleDouble { high, low }
    }

    /// The exact product of two doubles.
    #[inline]
    #[must_use]
    pub fn product(a: f64, b: f64) -> Self {
        let (high, low) = two_prod(a, b);
        DoubleDouble { high, low }
    }

    /// The exact difference of two doubles.
    #[inline]
    #[must_use]
    pub fn difference(a: f64, b: f64) -> Self {
        let (high, low) = two_sum(a, -b);
        DoubleDouble { high, low }
    }

    /// The exact product with a power of two, as long as neither part leaves the normal range.
    #[inline]
    #[must_use]
    pub fn scaled(self, power: f64) -> Self {
        DoubleDouble { high: self.high * power, low: self.low * power }
    }

    /// The nearest double.
    #[inline]
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.high
    }

    /// The absolute value.
    #[must_use]
    pub fn abs(self) -> Self {
        if self.high < 0.0 { -self } else { self }
    }

    /// Rounded to the nearest multiple of `unit`, a power of two, as a double.
    ///
    /// Two computations of one number that differ by less than the rounding error of this type agree after
    /// it, except where the number lies within that error of a midpoint. A value so large that its own last
    /// bit is coarser than `unit` is rounded to nearest as usual.
    #[must_use]
    pub fn round_to(self, unit: f64) -> f64 {
        let whole = nearest_multiple(self.high, unit);
        // Exact. If it is less than half a unit, it is so by at least an ulp of the high part, and the low
        // part cannot change the decision; if it is half a unit, the low part makes it.
        let rest = self.high - whole;
        let decides = rest.abs() == 0.5 * unit && self.low != 0.0 && (rest > 0.0) == (self.low > 0.0);
        whole + if decides { 2.0 * rest } else { nearest_multiple(self.low, unit) }
    }
}

/// `x` rounded to the nearest multiple of `unit`, a power of two, ties to even.
fn nearest_multiple(x: f64, unit: f64) -> f64 {
    // From 2⁵² units on, all doubles are multiples; below, adding it leaves no room for a fraction.
    let rounder = ((1u64 << 52) as f64 * unit).copysign(x);
    if x.abs() < rounder.abs() { (x + rounder) - rounder } else { x }
}

impl From<f64> for DoubleDouble {
    #[inline]
    fn from(x: f64) -> Self {
        DoubleDouble { high: x, low: 0.0 }
    }
}

impl Neg for DoubleDouble {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        DoubleDouble { high: -self.high, low: -self.low }
    }
}

impl Add for DoubleDouble {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        let (s, s_rest) = two_sum(self.high, other.high);
        let (t, t_rest) = two_sum(self.low, other.low);
        let (s, s_rest) = quick_two_sum(s, s_rest + t);
        let (high, low) = quick_two_sum(s, s_rest + t_rest);
        DoubleDouble { high, low }
    }
}

impl Sub for DoubleDouble {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for DoubleDouble {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        let (p, rest) = two_prod(self.high, other.high);
        let (high, low) = quick_two_sum(p, rest + (self.high * other.low + self.low * other.high));
        DoubleDouble { high, low }
    }
}

impl Div for DoubleDouble {
    type Output = Self;
    /// Long division with three quotient digits, each an `f64`.
    #[inline]
    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        let rest = self - other * first.into();
        let second = rest.high / other.high;
        let rest = rest - other * second.into();
        let third = rest.high / other.high;
        let (high, low) = quick_two_sum(first, second);
        DoubleDouble { high, low } + third.into()
    }
}

impl PartialOrd for DoubleDouble {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        match self.high.partial_cmp(&other.high) {
            Some(core::cmp::Ordering::Equal) => self.low.partial_cmp(&other.low),
            order => order,
        }
    }
}

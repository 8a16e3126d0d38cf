//! Sine, cosine, arc cosine and exponential to a few ulp, of `+ − × ÷ √` alone: where the 0.3 µs of
//! `carom_math::elementary` for the last bit would be more than the rest of an impact.

use carom_engine::math::sqrt;
use core::f64::consts::{FRAC_2_PI, LOG2_E, PI};

/// π/2 as 33 bits, of which small multiples are exact, and the rest.
const HALF_PI: [f64; 2] = [1.5707963267341256, 6.077100506506192e-11];

/// Taylor coefficients of `sin x/x` and `cos x` in `x²`, up to where they are below 2⁻⁵⁶ at π/4.
const SIN: [f64; 8] = [
    1.0,
    -1.0 / 6.0,
    1.0 / 120.0,
    -1.0 / 5040.0,
    1.0 / 362_880.0,
    -1.0 / 39_916_800.0,
    1.0 / 6_227_020_800.0,
    -1.0 / 1_307_674_368_000.0,
];
const COS: [f64; 9] = [
    1.0,
    -0.5,
    1.0 / 24.0,
    -1.0 / 720.0,
    1.0 / 40_320.0,
    -1.0 / 3_628_800.0,
    1.0 / 479_001_600.0,
    -1.0 / 87_178_291_200.0,
    1.0 / 20_922_789_888_000.0,
];

/// ln 2 as 33 bits, of which small multiples are exact, and the rest.
const LN_2: [f64; 2] = [0.6931471803691238, 1.9082149292705877e-10];

/// Taylor coefficients of `eˣ`, up to where they are below 2⁻⁵⁶ at ½ ln 2.
const EXP: [f64; 14] = [
    1.0,
    1.0,
    0.5,
    1.0 / 6.0,
    1.0 / 24.0,
    1.0 / 120.0,
    1.0 / 720.0,
    1.0 / 5040.0,
    1.0 / 40_320.0,
    1.0 / 362_880.0,
    1.0 / 3_628_800.0,
    1.0 / 39_916_800.0,
    1.0 / 479_001_600.0,
    1.0 / 6_227_020_800.0,
];

/// `2⁵²·3/2`: what is added to it and taken away again is rounded to a whole number.
const ROUNDER: f64 = (3_u64 << 51) as f64;

fn series<const N: usize>(coefficients: &[f64; N], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

/// Sine and cosine of an angle of at most a few turns.
pub(crate) fn sin_cos(angle: f64) -> (f64, f64) {
    let quarters = (angle * FRAC_2_PI + ROUNDER) - ROUNDER;
    let rest = (angle - quarters * HALF_PI[0]) - quarters * HALF_PI[1];
    let square = rest * rest;
    let (sin, cos) = (rest * series(&SIN, square), series(&COS, square));
    match (quarters as i64).rem_euclid(4) {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// The angle from 0 to π with this cosine; what is beyond ±1 counts as ±1.
///
/// A polynomial (Abramowitz and Stegun, Handbook of Mathematical Functions, 4.4.45, with an error below
/// 7·10⁻⁵), then two steps of Newton's method for the cosine.
pub(crate) fn arc_cos(cosine: f64) -> f64 {
    const FIRST: [f64; 4] = [1.5707288, -0.2121144, 0.074261, -0.0187293];
    let x = cosine.abs().min(1.0);
    let mut angle = sqrt(1.0 - x) * series(&FIRST, x);
    for _ in 0..2 {
        let (sin, cos) = sin_cos(angle);
        if sin > 0.0 {
            angle += (cos - x) / sin;
        }
    }
    if cosine < 0.0 { PI - angle } else { angle }
}

/// `e⁻ˣ` of a number `x ≥ 0`; 0 where it is below 10⁻³⁰⁴.
pub(crate) fn exp_of_negative(x: f64) -> f64 {
    if !(x < 700.0) {
        return 0.0;
    }
    let doublings = (-x * LOG2_E + ROUNDER) - ROUNDER;
    let rest = (-x - doublings * LN_2[0]) - doublings * LN_2[1];
    // At least 2⁻¹⁰¹⁰: a normal number.
    series(&EXP, rest) * f64::from_bits(((1023.0 + doublings) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_engine::math::elementary;

    /// Against the correctly rounded functions.
    #[test]
    fn within_a_few_ulp() {
        for k in -4000..4000 {
            let angle = f64::from(k) * 0.00314159;
            let ((sin, cos), exact) = (sin_cos(angle), elementary::sin_cos(angle));
            assert!((sin - exact.0).abs() < 4e-16 && (cos - exact.1).abs() < 4e-16, "{angle}");
        }
        for k in 0..=7100 {
            let (x, found) = (f64::from(k) * 0.1, exp_of_negative(f64::from(k) * 0.1));
            let exact = if x < 700.0 { elementary::exp(-x) } else { 0.0 };
            assert!((found - exact).abs() <= 4e-16 * exact, "{x}: {found}");
        }
        assert_eq!((exp_of_negative(0.0), exp_of_negative(f64::INFINITY)), (1.0, 0.0));
        for k in 0..=1000 {
            let angle = PI * f64::from(k) / 1000.0;
            let found = arc_cos(elementary::sin_cos(angle).1);
            // Near 0 and π the cosine knows half of the digits of its angle.
            let known = 4e-16 / elementary::sin_cos(angle).0.max(1e-8);
            assert!((found - angle).abs() < known + 4e-16, "{angle}: {found}");
        }
    }
}

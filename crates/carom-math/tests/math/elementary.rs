//! Sine, cosine, exponential and logarithm against arithmetic of 400 bits: correctly rounded in every case
//! tried.

use std::cell::RefCell;
use std::f64::consts::{FRAC_PI_2, LN_2, PI, TAU};
use std::rc::Rc;

use carom_math::DVec2;
use carom_math::elementary::{exp, exp_m1, ln, ln_1p, sin_cos, turned, unit_vector};
use dashu_float::{CachedFBig, ConstCache, FBig, round::mode::HalfEven};
use proptest::prelude::*;

use crate::cases::{decades, few_ulps, ulps};
use crate::run::law;

type Wide = CachedFBig<HalfEven, 2>;

thread_local! {
    /// π and ln 2, which take longer than what is computed from them.
    static CONSTANTS: Rc<RefCell<ConstCache>> = Rc::new(RefCell::new(ConstCache::new()));
}

/// `x` with 400 bits to compute with.
fn wide(x: f64) -> Wide {
    let x = FBig::try_from(x).expect("finite").with_precision(400).value();
    x.into_cached(CONSTANTS.with(Rc::clone))
}

/// 0 where `got` is the double nearest to the exact value.
fn error(got: f64, exact: &Wide) -> Result<f64, String> {
    let nearest = exact.to_f64().value();
    match got.to_bits() == nearest.to_bits() {
        true => Ok(0.0),
        false => Err(format!("{got:e} is not the nearest double, {nearest:e}")),
    }
}

fn signed(size: impl Strategy<Value = f64>) -> impl Strategy<Value = f64> {
    (size, any::<bool>()).prop_map(|(x, negative)| if negative { -x } else { x })
}

/// Angles of any size, and close to multiples of π/4, where a sine or cosine nearly vanishes or the reduction
/// changes.
fn angle() -> impl Strategy<Value = f64> {
    signed(one_of![
        3 => 0.0..TAU,
        1 => decades(-40.0, 6.3),
        1 => decades(6.0, 12.0),
        2 => (1_u32..1_000_000, few_ulps()).prop_map(|(k, n)| ulps(f64::from(k) * (FRAC_PI_2 / 2.0), n)),
    ])
}

#[test]
fn sines_and_cosines_are_the_nearest_doubles() {
    law("sin_cos", 5_000, 0.0, angle(), |x| {
        let (sin, cos) = sin_cos(x);
        let (exact_sin, exact_cos) = (wide(x).sin(), wide(x).cos());
        error(sin, &exact_sin)?;
        error(cos, &exact_cos)
    });
}

/// Sine and cosine of what is left of `angle + rate · dt` are those of the whole, to half an ulp of it, as it
/// is rounded once, and 2⁻¹⁰⁴ of the whole: a sum and a difference in two doubles each, at 2⁻¹⁰⁵.
#[test]
fn turns_are_taken_away_exactly() {
    let size = || signed(one_of![Just(0.0), 0.0..100.0, decades(-9.0, 7.0)]);
    law("turned", 3_000, 1.0, (angle(), size(), size()), |(angle, rate, dt)| {
        let rest = turned(angle, rate, dt);
        if rest.abs() > PI {
            return Err(format!("{rest} is not from −π to π"));
        }
        let (exact, rounded) = (wide(angle) + wide(rate) * wide(dt), wide(rest));
        let off = |a: Wide, b: Wide| (a - b).to_f64().value().abs();
        let half_an_ulp = 0.5 * (rest.abs().next_up() - rest.abs());
        let largest = off(exact.sin(), rounded.sin()).max(off(exact.cos(), rounded.cos()));
        let whole = angle.abs() + (rate * dt).abs();
        Ok(largest / (half_an_ulp * (1.0 + 1e-9) + 2f64.powi(-104) * whole))
    });
    // Beyond what has a meaning: still an angle.
    for rate in [1e15, -1e40, 1e200] {
        assert!(turned(1e15, rate, 1.25).abs() <= PI);
    }
    assert!(turned(1e15, 1.0, 0.5).abs() <= PI);
}

#[test]
fn exponentials_are_the_nearest_doubles() {
    let x = signed(one_of![3 => 0.0..700.0, 1 => decades(-40.0, 2.8), 1 => 0.0..1.0]);
    law("exp", 3_000, 0.0, x, |x| error(exp(x), &wide(x).exp()));
}

#[test]
fn exponentials_less_one_are_the_nearest_doubles() {
    let near_half_ln_2 = (1_u32..40, few_ulps()).prop_map(|(k, n)| ulps(f64::from(k) * 0.5 * LN_2, n));
    let x = signed(one_of![
        2 => 0.0..1.0,
        2 => decades(-40.0, 0.0),
        1 => near_half_ln_2,
        1 => 0.0..100.0,
        1 => 100.0..709.0,
    ]);
    law("exp_m1", 3_000, 0.0, x, |x| error(exp_m1(x), &(wide(x).exp() - wide(1.0))));
}

#[test]
fn logarithms_are_the_nearest_doubles() {
    let near_one = || few_ulps().prop_map(|n| ulps(1.0, n));
    let x = one_of![3 => 0.0..2.0, 2 => decades(-320.0, 308.0), 2 => near_one()];
    law("ln", 5_000, 0.0, x.prop_filter("0", |&x| x > 0.0), |x| error(ln(x), &wide(x).ln()));
    let x = one_of![signed(decades(-40.0, -0.01)), decades(-2.0, 300.0), near_one().prop_map(|x| -x),];
    // A sum that is rounded to 400 bits is off by 2⁻⁴⁰⁰ of it, and the logarithm of 1 + 10⁻⁴⁰ is more than
    // 2⁻¹³³.
    let exact = |x: f64| (wide(1.0) + wide(x)).ln();
    law("ln_1p", 300, 0.0, x.prop_filter("-1", |&x| x > -1.0), |x| error(ln_1p(x), &exact(x)));
}

/// Where a sine or cosine nearly vanishes: whole numbers close to multiples of π/2 (numerators of the
/// convergents of π and π/2) and the doubles nearest to multiples.
#[test]
fn sines_that_nearly_vanish_keep_their_digits() {
    let whole = [
        11.0, 344.0, 355.0, 51_819.0, 52_174.0, 260_515.0, 573_204.0, 4_846_147.0, 5_419_351.0, 37_362_253.0,
    ];
    let multiples = [1.0, 7.0, 219.0, 33_215.0, 364_913.0, 699_999_999.0].map(|k| k * FRAC_PI_2);
    for x in whole.into_iter().chain(multiples).flat_map(|x| [x, ulps(x, 1), ulps(x, -1)]) {
        let (sin, cos) = sin_cos(x);
        error(sin, &wide(x).sin()).unwrap();
        error(cos, &wide(x).cos()).unwrap();
    }
}

#[test]
fn the_ends_of_the_ranges_are_as_documented() {
    assert_eq!(sin_cos(-0.0).0.to_bits(), (-0.0_f64).to_bits());
    assert_eq!(sin_cos(0.0), (0.0, 1.0));
    assert_eq!(sin_cos(5e-324), (5e-324, 1.0));
    let last = (1_u64 << 40) as f64;
    assert!(sin_cos(last).0.abs() <= 1.0 && sin_cos(-last).1.abs() <= 1.0);
    for x in [ulps(last, 1), f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
        assert!(sin_cos(x).0.is_nan() && sin_cos(x).1.is_nan(), "{x}");
    }
    assert_eq!([exp(0.0), exp(f64::NEG_INFINITY), exp(-746.0), exp(-1e9)], [1.0, 0.0, 0.0, 0.0]);
    assert_eq!([exp(710.0), exp(1e9), exp(f64::INFINITY)], [f64::INFINITY; 3]);
    assert_eq!(exp(709.782712893384), wide(709.782712893384).exp().to_f64().value());
    assert_eq!(exp(-745.0), 5e-324);
    assert_eq!([exp_m1(-37.5), exp_m1(-1e9), exp_m1(f64::NEG_INFINITY)], [-1.0; 3]);
    assert_eq!([exp_m1(710.0), exp_m1(f64::INFINITY)], [f64::INFINITY; 2]);
    assert_eq!([exp_m1(0.0), exp_m1(5e-324), exp_m1(-1e-20)], [0.0, 5e-324, -1e-20]);
    assert_eq!([ln(0.0), ln_1p(-1.0)], [f64::NEG_INFINITY; 2]);
    assert_eq!([ln(f64::INFINITY), ln_1p(f64::INFINITY)], [f64::INFINITY; 2]);
    assert_eq!([ln(1.0), ln_1p(0.0), ln_1p(5e-324)], [0.0, 0.0, 5e-324]);
    for x in [ln(-1.0), ln(f64::NAN), ln_1p(-1.5), ln_1p(f64::NAN), exp(f64::NAN), exp_m1(f64::NAN)] {
        assert!(x.is_nan());
    }
    for x in [f64::MIN_POSITIVE, 5e-324, f64::MAX] {
        error(ln(x), &wide(x).ln()).unwrap();
    }
    error(ln_1p(f64::MAX), &wide(f64::MAX).ln()).unwrap();
}

#[test]
fn angles_that_stand_for_quarter_turns_point_along_axes() {
    let half_pi = wide(1.0).asin();
    let axes = [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y];
    for k in -700_000_i32..700_000 {
        if k % 997 < 2 || k.abs() < 1000 {
            let nearest = (&half_pi * wide(f64::from(k))).to_f64().value();
            assert_eq!(unit_vector(nearest), axes[k.rem_euclid(4) as usize], "{k} quarters");
            assert_eq!(
                unit_vector(f64::from(k) * FRAC_PI_2),
                axes[k.rem_euclid(4) as usize],
                "{k} times π/2"
            );
        }
    }
    assert_eq!(unit_vector(FRAC_PI_2 + PI), DVec2::NEG_Y);
    // Anything else is the plain function, also 1e-10 from an axis.
    let (sin, cos) = sin_cos(FRAC_PI_2 + 1e-10);
    assert_eq!(unit_vector(FRAC_PI_2 + 1e-10), DVec2::new(cos, sin));
    assert!(cos < 0.0);
    assert_eq!(unit_vector(1e-300), DVec2::new(1.0, 1e-300));
}

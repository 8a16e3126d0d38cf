//! Error-free transformations and double-doubles against exact arithmetic, and the square root's bits.

use carom_math::eft::{DoubleDouble, Sum, quick_two_sum, two_prod, two_sum};
use carom_testkit::property::config;
use proptest::prelude::*;

use crate::cases::{decades, ulps};
use crate::oracle::{Big, U};
use crate::run::law;

fn number(from: f64, to: f64) -> impl Strategy<Value = f64> {
    let size = one_of![
        4 => (decades(from, to), 1.0..10.0).prop_map(|(s, m)| s * m),
        1 => Just(1.0),
        // All ones, and one bit beyond a power of two.
        1 => (-8i64..9).prop_map(|k| ulps(1.0, k)),
    ];
    (size, any::<bool>()).prop_map(|(x, negative)| if negative { -x } else { x })
}

/// Two numbers of any sizes, or so that they cancel.
fn two(from: f64, to: f64) -> impl Strategy<Value = (f64, f64)> {
    one_of![
        (number(from, to), number(from, to)),
        (number(from, to), -20i64..20).prop_map(|(x, k)| (x, -x.signum() * ulps(x.abs(), k))),
    ]
}

fn exactly(result: (f64, f64), exact: &Big) -> Result<f64, String> {
    let (value, rest) = result;
    match Big::new(value) + Big::new(rest) == *exact && value == exact.f64() {
        true => Ok(0.0),
        false => Err(format!("{value:e} + {rest:e} is not {:e}", exact.f64())),
    }
}

#[test]
fn sums_are_exact() {
    law("two_sum", 40_000, 0.0, two(-140.0, 140.0), |(a, b)| {
        let exact = Big::new(a) + Big::new(b);
        exactly(two_sum(a, b), &exact)?;
        let (large, small) = if a.abs() < b.abs() { (b, a) } else { (a, b) };
        exactly(quick_two_sum(large, small), &exact)?;
        assert_eq!(value(DoubleDouble::difference(a, -b)), exact);
        assert_eq!(DoubleDouble::ZERO + a.into(), a.into());
        exactly(quick_two_sum(0.0, b), &Big::new(b))
    });
}

#[test]
fn products_are_exact() {
    law("two_prod", 40_000, 0.0, two(-140.0, 140.0), |(a, b)| {
        let exact = Big::new(a) * Big::new(b);
        exactly(two_prod(a, b), &exact)?;
        assert_eq!(value(DoubleDouble::product(a, b)), exact);
        exactly(two_prod(a, 0.0), &Big::zero())
    });
}

/// A double-double with all of its bits, and its exact value.
fn wide(x: f64, y: f64) -> (DoubleDouble, Big) {
    // The sum of two doubles is exact if they are apart enough, or else rounded: ask what it became.
    let y = x * U * y;
    let (high, low) = quick_two_sum(x, y);
    (DoubleDouble::from(high) + DoubleDouble::from(low), Big::new(high) + Big::new(low))
}

/// Exact value of a result: from its double, and what remains of it.
fn value(x: DoubleDouble) -> Big {
    let high = x.to_f64();
    let low = (x - high.into()).to_f64();
    Big::new(high) + Big::new(low)
}

/// In units of `U²` = 2⁻¹⁰⁶, relative to the result: the bounds of the sources; the quotient's is the sum of
/// a product's 5, whose error the remainder of the first digit keeps, and a sum's 3.
const SUM: f64 = 3.0;
const PRODUCT: f64 = 5.0;
const QUOTIENT: f64 = 8.0;

#[test]
fn double_doubles() {
    for (i, (name, bound)) in
        [("sum", SUM), ("difference", SUM), ("product", PRODUCT), ("quotient", QUOTIENT)]
            .into_iter()
            .enumerate()
    {
        let cases = (two(-30.0, 30.0), -1.0..1.0f64, -1.0..1.0f64);
        law(&format!("DoubleDouble {name}"), 30_000, bound * (1.0 + 100.0 * U), cases, |((a, b), fa, fb)| {
            let ((a, exact_a), (b, exact_b)) = (wide(a, fa), wide(b, fb));
            let (got, exact) = match i {
                0 => (a + b, exact_a + exact_b),
                1 => (a - b, exact_a - exact_b),
                2 => (a * b, exact_a * exact_b),
                _ => (a / b, exact_a.over(&exact_b)),
            };
            let got = value(got);
            if got == exact {
                return Ok(0.0);
            }
            Ok((&got - &exact).abs().over(&exact.abs()).f64() / (U * U))
        });
    }
}

#[test]
fn double_double_order_and_sign() {
    law(
        "DoubleDouble order",
        20_000,
        0.0,
        (two(-3.0, 3.0), -1.0..1.0f64, -1.0..1.0f64),
        |((a, b), fa, fb)| {
            for (x, y) in [((a, fa), (b, fb)), ((a, fa), (a, fb))] {
                let ((x, exact_x), (y, exact_y)) = (wide(x.0, x.1), wide(y.0, y.1));
                assert_eq!(x.partial_cmp(&y), exact_x.partial_cmp(&exact_y));
                assert_eq!(value(x.abs()), exact_x.abs());
                assert_eq!(value(-x), -&exact_x);
            }
            Ok(0.0)
        },
    );
}

/// Found by this test: a high part that is halfway was rounded to even before the low part was asked, so that
/// computations of one number that is nowhere near a midpoint could disagree; and from 2⁵¹ units on nothing
/// was rounded.
#[test]
fn rounding_to_a_unit_is_to_the_nearest() {
    let whole = one_of![-1000i64..1000, (40u32..56, -2i64..3).prop_map(|(e, k)| (1 << e) + k)];
    let fraction = one_of![Just(0.0), Just(0.5), -0.5..0.5, Just(-0.5)];
    let low =
        one_of![Just(0.0), (decades(-35.0, -3.0), any::<bool>()).prop_map(|(x, n)| if n { -x } else { x })];
    law("round_to", 40_000, 0.5, (whole, fraction, low, -60i32..60), |(whole, fraction, low, unit)| {
        let unit = 2f64.powi(unit);
        let (high, low) = quick_two_sum(whole as f64 + fraction, low);
        let x = DoubleDouble::from(high * unit) + DoubleDouble::from(low * unit);
        let exact = Big::new(high * unit) + Big::new(low * unit);
        let rounded = x.round_to(unit);
        if (rounded / unit).fract() != 0.0 {
            return Err(format!("{rounded:e} is not a multiple"));
        }
        assert_eq!((-x).round_to(unit), -rounded, "odd");
        // Above 2⁵³ units, doubles are coarser than the unit.
        let unit = unit.max(2.0 * U * rounded.abs());
        Ok(exact.distance(rounded) / unit)
    });
}

proptest! {
    #![proptest_config(config(60_000))]

    /// The hardware's square root, `libm`'s and the exact one: the same bits, subnormal numbers included.
    #[test]
    fn square_roots_have_the_same_bits(x in prop::num::f64::POSITIVE | prop::num::f64::SUBNORMAL) {
        prop_assert_eq!(carom_math::sqrt(x).to_bits(), libm::sqrt(x).to_bits());
        prop_assert_eq!(carom_math::sqrt(x).to_bits(), x.sqrt().to_bits());
        if x.is_finite() && x > 0.0 {
            prop_assert_eq!(carom_math::sqrt(x), Big::new(x).sqrt().f64());
        }
    }
}

#[test]
fn special_numbers() {
    assert_eq!(DoubleDouble::ZERO.abs().to_f64().to_bits(), 0, "no zero gets a sign");
    for x in [0.0, -0.0, 1.0, 4.0, f64::MAX, f64::MIN_POSITIVE, f64::from_bits(1), f64::INFINITY] {
        assert_eq!(carom_math::sqrt(x).to_bits(), libm::sqrt(x).to_bits(), "{x:e}");
    }
    for x in [-1.0, f64::NAN, f64::NEG_INFINITY] {
        assert!(carom_math::sqrt(x).is_nan() && libm::sqrt(x).is_nan(), "{x}");
    }
}

#[test]
fn a_sum_keeps_what_rounding_would_lose() {
    let mut sum = Sum::default();
    sum.add(1e20);
    (0..1000).for_each(|_| sum.add(0.125));
    let large = sum;
    sum -= large;
    sum += large;
    sum.add(-1e20);
    assert_eq!(sum.value(), 125.0);
}

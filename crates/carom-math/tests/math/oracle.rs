//! Exact arithmetic on doubles, and geometry in it. Nothing here calls the crate under test.

use std::ops::{Add, Mul, Neg, Sub};

use carom_math::DVec2;
use dashu_float::{FBig, round::mode::HalfEven};

/// Bits of a quotient or a square root; sums and products are exact whatever they need.
///
/// The worst case, `(−b − √disc)/a` for a gap of 2⁻¹⁰⁴ seen from 10⁶ radii, cancels below 200 bits.
const PRECISION: usize = 900;

/// Half an ulp of 1: the relative error of one rounding.
pub(crate) const U: f64 = f64::EPSILON / 2.0;

#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub(crate) struct Big(FBig<HalfEven, 2>);

impl Big {
    /// Exactly `x`, which is finite.
    pub(crate) fn new(x: f64) -> Big {
        // Precision 0 stands for "unlimited": the sums and products of such numbers are exact.
        Big(FBig::try_from(x).expect("finite").with_precision(0).unwrap())
    }

    pub(crate) fn zero() -> Big {
        Big::new(0.0)
    }

    pub(crate) fn is_positive(&self) -> bool {
        *self > Big::zero()
    }

    pub(crate) fn is_negative(&self) -> bool {
        *self < Big::zero()
    }

    pub(crate) fn squared(&self) -> Big {
        self * self
    }

    pub(crate) fn abs(&self) -> Big {
        if self.is_negative() { -self } else { self.clone() }
    }

    pub(crate) fn sqrt(&self) -> Big {
        assert!(!self.is_negative(), "square root of {}", self.f64());
        if self.is_positive() { Big(limited(self).sqrt().with_precision(0).unwrap()) } else { Big::zero() }
    }

    pub(crate) fn over(&self, other: &Big) -> Big {
        Big((limited(self) / limited(other)).with_precision(0).unwrap())
    }

    /// Nearest double.
    pub(crate) fn f64(&self) -> f64 {
        self.0.to_f64().value()
    }

    /// Distance from a double, as a double.
    pub(crate) fn distance(&self, x: f64) -> f64 {
        if x.is_finite() { (self - &Big::new(x)).abs().f64() } else { f64::INFINITY }
    }
}

fn limited(x: &Big) -> FBig<HalfEven, 2> {
    x.0.clone().with_precision(PRECISION).value()
}

macro_rules! operator {
    ($trait:ident $method:ident) => {
        impl $trait<&Big> for &Big {
            type Output = Big;
            fn $method(self, other: &Big) -> Big {
                Big((&self.0).$method(&other.0))
            }
        }
        impl $trait<Big> for Big {
            type Output = Big;
            fn $method(self, other: Big) -> Big {
                (&self).$method(&other)
            }
        }
        impl $trait<&Big> for Big {
            type Output = Big;
            fn $method(self, other: &Big) -> Big {
                (&self).$method(other)
            }
        }
    };
}
operator!(Add add);
operator!(Sub sub);
operator!(Mul mul);

impl Neg for &Big {
    type Output = Big;
    fn neg(self) -> Big {
        Big(-self.0.clone())
    }
}

/// A vector in any number of dimensions.
#[derive(Clone, Debug)]
pub(crate) struct Vector(pub(crate) Vec<Big>);

impl From<DVec2> for Vector {
    fn from(v: DVec2) -> Vector {
        Vector::new(&[v.x, v.y])
    }
}

impl Vector {
    pub(crate) fn new(components: &[f64]) -> Vector {
        Vector(components.iter().map(|&x| Big::new(x)).collect())
    }

    pub(crate) fn dot(&self, other: &Vector) -> Big {
        self.0.iter().zip(&other.0).fold(Big::zero(), |sum, (x, y)| sum + x * y)
    }

    pub(crate) fn minus(&self, other: &Vector) -> Vector {
        Vector(self.0.iter().zip(&other.0).map(|(x, y)| x - y).collect())
    }

    /// `self + other · t`.
    pub(crate) fn ahead(&self, other: &Vector, t: &Big) -> Vector {
        Vector(self.0.iter().zip(&other.0).map(|(x, y)| x + &(y * t)).collect())
    }

    /// A quarter turn to the left, in the plane.
    pub(crate) fn left(&self) -> Vector {
        Vector(vec![-&self.0[1], self.0[0].clone()])
    }

    /// Length, as a double.
    pub(crate) fn length(&self) -> f64 {
        self.dot(self).sqrt().f64()
    }
}

/// When is the distance of two centres, apart by `d` and moving with `v`, equal to `reach`?
/// The textbook form, `b² − a c` and `(−b ∓ √)/a`, in exact arithmetic.
#[derive(Clone, Debug)]
pub(crate) struct Quadratic {
    pub(crate) a: Big,
    pub(crate) b: Big,
    pub(crate) c: Big,
    pub(crate) discriminant: Big,
    /// `|d|`, `|v|`, `|d × v|/|v|` and `reach`, for error bounds.
    pub(crate) distance: f64,
    pub(crate) speed: f64,
    pub(crate) impact: f64,
    pub(crate) reach: f64,
}

impl Quadratic {
    pub(crate) fn new(d: &Vector, v: &Vector, reach: &Big) -> Quadratic {
        let (a, b) = (v.dot(v), d.dot(v));
        let c = d.dot(d) - reach.squared();
        let discriminant = b.squared() - &a * &c;
        let cross2 = &(&a * &d.dot(d)) - &b.squared();
        let speed = a.sqrt().f64();
        let impact = if speed > 0.0 { cross2.sqrt().f64() / speed } else { 0.0 };
        Quadratic { a, b, c, discriminant, distance: d.length(), speed, impact, reach: reach.f64() }
    }

    pub(crate) fn first(&self) -> Big {
        (&-&self.b - &self.discriminant.sqrt()).over(&self.a)
    }

    pub(crate) fn last(&self) -> Big {
        (&-&self.b + &self.discriminant.sqrt()).over(&self.a)
    }

    /// Cosine of the angle between path and normal at contact: √(1 − (impact/reach)²), the root of the
    /// relative discriminant. 0 for a graze.
    pub(crate) fn steepness(&self) -> f64 {
        if self.discriminant.is_positive() {
            (self.discriminant.sqrt().f64() / (self.speed * self.reach)).min(1.0)
        } else {
            0.0
        }
    }

    /// Unit of the rounding error of the discriminant `a R² − (d × v)²`.
    pub(crate) fn discriminant_unit(&self) -> f64 {
        U * self.speed * self.speed * (self.reach * self.reach + self.impact * self.distance)
    }

    /// Unit of the rounding error of `b`.
    pub(crate) fn b_unit(&self) -> f64 {
        U * self.speed * self.distance
    }

    /// Unit of the error of a root: the time in which the discs move by `U (|d| + R)/s`, where `s` is the
    /// steepness, which never counts as less than the square root of its own rounding error.
    pub(crate) fn time_unit(&self) -> f64 {
        if self.speed == 0.0 {
            return 0.0;
        }
        let size = self.distance + self.reach;
        let least = if self.reach > 0.0 { (U * size / self.reach).sqrt().min(1.0) } else { 1.0 };
        U * size / (self.speed * self.steepness().max(least))
    }
}

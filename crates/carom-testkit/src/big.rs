//! Numbers of many digits, and vectors of them. Nothing here calls a crate under test.

use dashu_float::{FBig, round::mode::HalfEven};
use glam::DVec2;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A binary number of `BITS` bits; with 0 sums and products are exact, whatever they need, and quotients and
/// square roots have [`EXACT_ROOT`] bits.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub struct Big<const BITS: usize>(FBig<HalfEven, 2>);

/// Exact except for quotients and roots.
pub type Exact = Big<0>;

/// Of 77 decimal digits.
pub type Digits77 = Big<256>;

/// Bits of a quotient or a square root of exact numbers.
///
/// The worst case, `(−b − √disc)/a` for a gap of 2⁻¹⁰⁴ seen from 10⁶ radii, cancels below 200 bits.
const EXACT_ROOT: usize = 900;

impl<const BITS: usize> Big<BITS> {
    /// Exactly `x`, which is finite.
    pub fn new(x: f64) -> Self {
        Big(with_precision(FBig::try_from(x).expect("finite"), BITS))
    }

    /// 0.
    pub fn zero() -> Self {
        Big::new(0.0)
    }

    /// Whether it is above 0.
    pub fn is_positive(&self) -> bool {
        self.0.repr().significand().signum().is_one()
    }

    /// Whether it is below 0.
    pub fn is_negative(&self) -> bool {
        (-self.0.repr().significand().signum()).is_one()
    }

    /// Its square.
    pub fn squared(&self) -> Self {
        self * self
    }

    /// Its absolute value.
    pub fn abs(&self) -> Self {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// Its square root.
    pub fn sqrt(&self) -> Self {
        assert!(!self.is_negative(), "square root of {}", self.f64());
        if self.is_positive() { Big(with_precision(self.limited().sqrt(), BITS)) } else { Big::zero() }
    }

    /// Its square root as a double, of a double where that is normal: to two roundings.
    pub fn root(&self) -> f64 {
        let x = self.f64();
        if x.is_normal() { x.sqrt() } else { self.sqrt().f64() }
    }

    /// The quotient.
    pub fn over(&self, other: &Self) -> Self {
        Big(with_precision(self.limited() / other.limited(), BITS))
    }

    /// Nearest double.
    pub fn f64(&self) -> f64 {
        self.0.to_f64().value()
    }

    /// Distance from a double, as a double.
    pub fn distance(&self, x: f64) -> f64 {
        if x.is_finite() { (self - &Big::new(x)).abs().f64() } else { f64::INFINITY }
    }

    /// With as many bits as a quotient or a root has.
    fn limited(&self) -> FBig<HalfEven, 2> {
        if BITS == 0 { with_precision(self.0.clone(), EXACT_ROOT) } else { self.0.clone() }
    }
}

/// With this many bits; 0 stands for "unlimited".
fn with_precision(x: FBig<HalfEven, 2>, bits: usize) -> FBig<HalfEven, 2> {
    x.with_precision(bits).value()
}

macro_rules! operator {
    ($trait:ident $method:ident |$a:ident, $b:ident| $result:expr) => {
        impl<const BITS: usize> $trait<&Big<BITS>> for &Big<BITS> {
            type Output = Big<BITS>;
            fn $method(self, other: &Big<BITS>) -> Big<BITS> {
                let ($a, $b) = (self, other);
                $result
            }
        }
        impl<const BITS: usize> $trait<Big<BITS>> for Big<BITS> {
            type Output = Big<BITS>;
            fn $method(self, other: Big<BITS>) -> Big<BITS> {
                (&self).$method(&other)
            }
        }
        impl<const BITS: usize> $trait<&Big<BITS>> for Big<BITS> {
            type Output = Big<BITS>;
            fn $method(self, other: &Big<BITS>) -> Big<BITS> {
                (&self).$method(other)
            }
        }
    };
}
operator!(Add add |a, b| Big(&a.0 + &b.0));
operator!(Sub sub |a, b| Big(&a.0 - &b.0));
operator!(Mul mul |a, b| Big(&a.0 * &b.0));
operator!(Div div |a, b| a.over(b));

impl<const BITS: usize> Neg for &Big<BITS> {
    type Output = Big<BITS>;
    fn neg(self) -> Big<BITS> {
        Big(-self.0.clone())
    }
}

/// A vector in any number of dimensions.
#[derive(Clone, Debug)]
pub struct Vector<const BITS: usize>(pub Vec<Big<BITS>>);

impl<const BITS: usize> From<DVec2> for Vector<BITS> {
    fn from(v: DVec2) -> Self {
        Vector::new(&[v.x, v.y])
    }
}

impl<const BITS: usize> Vector<BITS> {
    /// Exactly these components.
    pub fn new(components: &[f64]) -> Self {
        Vector(components.iter().map(|&x| Big::new(x)).collect())
    }

    /// The inner product.
    pub fn dot(&self, other: &Self) -> Big<BITS> {
        self.0.iter().zip(&other.0).fold(Big::zero(), |sum, (x, y)| sum + x * y)
    }

    /// The difference.
    pub fn minus(&self, other: &Self) -> Self {
        Vector(self.0.iter().zip(&other.0).map(|(x, y)| x - y).collect())
    }

    /// `self · factor`.
    pub fn times(&self, factor: &Big<BITS>) -> Self {
        Vector(self.0.iter().map(|x| x * factor).collect())
    }

    /// `self + other · t`.
    pub fn ahead(&self, other: &Self, t: &Big<BITS>) -> Self {
        Vector(self.0.iter().zip(&other.0).map(|(x, y)| x + &(y * t)).collect())
    }

    /// A quarter turn to the left, in the plane.
    pub fn left(&self) -> Self {
        Vector(vec![-&self.0[1], self.0[0].clone()])
    }

    /// Length, as a double: to two roundings.
    pub fn length(&self) -> f64 {
        self.dot(self).root()
    }
}

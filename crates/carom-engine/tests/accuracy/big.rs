use carom_engine::Time;
use dashu_float::{FBig, round::mode::HalfEven};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Bits of every result: 77 decimal digits.
const PRECISION: usize = 256;

/// A number of 77 digits.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub(crate) struct Big(FBig<HalfEven, 2>);

impl Big {
    /// Exactly `x`, which is finite.
    pub(crate) fn new(x: f64) -> Big {
        Big(FBig::try_from(x).expect("finite").with_precision(PRECISION).value())
    }

    /// Both parts, exactly.
    pub(crate) fn of_time(t: Time) -> Big {
        Big::new(t.epoch_start()) + Big::new(t.offset())
    }

    pub(crate) fn sqrt(&self) -> Big {
        Big(self.0.sqrt())
    }

    pub(crate) fn is_negative(&self) -> bool {
        *self < Big::new(0.0)
    }

    pub(crate) fn is_positive(&self) -> bool {
        *self > Big::new(0.0)
    }

    /// Nearest double.
    pub(crate) fn f64(&self) -> f64 {
        self.0.to_f64().value()
    }
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
                Big(self.0.$method(other.0))
            }
        }
        impl $trait<&Big> for Big {
            type Output = Big;
            fn $method(self, other: &Big) -> Big {
                Big(self.0.$method(&other.0))
            }
        }
    };
}
operator!(Add add);
operator!(Sub sub);
operator!(Mul mul);
operator!(Div div);

impl Neg for Big {
    type Output = Big;
    fn neg(self) -> Big {
        Big(-self.0)
    }
}

/// A vector of such numbers.
#[derive(Clone, Debug)]
pub(crate) struct BigVec {
    pub(crate) x: Big,
    pub(crate) y: Big,
}

impl BigVec {
    pub(crate) fn new(v: carom_engine::DVec2) -> BigVec {
        BigVec { x: Big::new(v.x), y: Big::new(v.y) }
    }

    pub(crate) fn dot(&self, other: &BigVec) -> Big {
        &self.x * &other.x + &self.y * &other.y
    }

    pub(crate) fn minus(&self, other: &BigVec) -> BigVec {
        BigVec { x: &self.x - &other.x, y: &self.y - &other.y }
    }

    /// `self + v · t`.
    pub(crate) fn ahead(&self, v: &BigVec, t: &Big) -> BigVec {
        BigVec { x: &self.x + &(&v.x * t), y: &self.y + &(&v.y * t) }
    }
}

use super::{F64x4, WIDTH};
use core::ops::{Add, Div, Mul, Sub};

/// Plain arrays, for every machine.
#[derive(Clone, Copy)]
pub(super) struct Scalar([f64; WIDTH]);

/// Lane by lane, written out: where code is to be small, loops over four stay loops, through memory.
impl Scalar {
    #[inline(always)]
    fn map(self, f: impl Fn(f64) -> f64) -> Self {
        let [a, b, c, d] = self.0;
        Scalar([f(a), f(b), f(c), f(d)])
    }

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let ([a, b, c, d], [e, g, h, i]) = (self.0, other.0);
        Scalar([f(a, e), f(b, g), f(c, h), f(d, i)])
    }

    #[inline(always)]
    fn bitwise(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        self.zip(other, |a, b| f64::from_bits(f(a.to_bits(), b.to_bits())))
    }
}

#[inline(always)]
fn mask(is_set: bool) -> f64 {
    f64::from_bits(if is_set { u64::MAX } else { 0 })
}

macro_rules! operator {
    ($($operator:ident $method:ident $symbol:tt)*) => {$(
        impl $operator for Scalar {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.zip(other, |a, b| a $symbol b)
            }
        }
    )*};
}

operator! { Add add + Sub sub - Mul mul * Div div / }

impl F64x4 for Scalar {
    #[inline(always)]
    fn splat(x: f64) -> Self {
        Scalar([x; WIDTH])
    }

    #[inline(always)]
    fn load(from: &[f64; WIDTH]) -> Self {
        Scalar(*from)
    }

    #[inline(always)]
    fn store(self, to: &mut [f64; WIDTH]) {
        *to = self.0;
    }

    #[inline(always)]
    fn either(numbers: [u32; WIDTH], a: u32, b: u32) -> Self {
        let [p, q, r, s] = numbers;
        let is_either = |number| mask((number == a) | (number == b));
        Scalar([is_either(p), is_either(q), is_either(r), is_either(s)])
    }

    #[inline(always)]
    fn transposed([a, b, c, d]: [Self; WIDTH]) -> [Self; WIDTH] {
        let column = |k: usize| Scalar([a.0[k], b.0[k], c.0[k], d.0[k]]);
        [column(0), column(1), column(2), column(3)]
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        self.map(carom_math::sqrt)
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.zip(other, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    fn less(self, than: Self) -> Self {
        self.zip(than, |a, b| mask(a < b))
    }

    #[inline(always)]
    fn at_most(self, limit: Self) -> Self {
        self.zip(limit, |a, b| mask(a <= b))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.bitwise(other, |a, b| a & b)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.bitwise(other, |a, b| a | b)
    }

    #[inline(always)]
    fn unless(self, mask: Self) -> Self {
        self.bitwise(mask, |a, mask| a & !mask)
    }

    #[inline(always)]
    fn select(self, mask: Self, other: Self) -> Self {
        self.and(mask).or(other.unless(mask))
    }

    #[inline(always)]
    fn same_bits(self, other: Self) -> Self {
        self.zip(other, |a, b| mask(a.to_bits() == b.to_bits()))
    }

    #[inline(always)]
    fn high_bits(self) -> Self {
        self.map(|lane| mask(lane.to_bits() >> 62 != 0))
    }

    #[inline(always)]
    fn mask(self) -> u32 {
        let sign = |l: usize| ((self.0[l].to_bits() >> 63) as u32) << l;
        sign(0) | sign(1) | sign(2) | sign(3)
    }

    #[inline(always)]
    fn smallest(self) -> f64 {
        let [a, b, c, d] = self.0;
        let min = |a: f64, b: f64| if a < b { a } else { b };
        min(min(a, b), min(c, d))
    }
}

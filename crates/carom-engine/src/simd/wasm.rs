#![allow(unsafe_code, reason = "loads and stores of registers")]

use super::{F64x4, WIDTH};
use core::arch::wasm32::*;
use core::ops::{Add, Div, Mul, Sub};

/// Two registers of WebAssembly, of two doubles each.
#[derive(Clone, Copy)]
pub(super) struct Pairs(v128, v128);

impl Pairs {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(v128, v128) -> v128) -> Self {
        Pairs(f(self.0, other.0), f(self.1, other.1))
    }
}

macro_rules! operator {
    ($($operator:ident $method:ident $instruction:ident)*) => {$(
        impl $operator for Pairs {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.zip(other, |a, b| $instruction(a, b))
            }
        }
    )*};
}

operator! { Add add f64x2_add Sub sub f64x2_sub Mul mul f64x2_mul Div div f64x2_div }

impl F64x4 for Pairs {
    #[inline(always)]
    fn splat(x: f64) -> Self {
        Pairs(f64x2_splat(x), f64x2_splat(x))
    }

    #[inline(always)]
    fn load(from: &[f64; WIDTH]) -> Self {
        let pairs: *const v128 = from.as_ptr().cast();
        // SAFETY: the pointer is that of four doubles, and a register may be loaded from any address.
        unsafe { Pairs(v128_load(pairs), v128_load(pairs.add(1))) }
    }

    #[inline(always)]
    fn store(self, to: &mut [f64; WIDTH]) {
        let pairs: *mut v128 = to.as_mut_ptr().cast();
        // SAFETY: the pointer is that of four doubles, and a register may be stored to any address.
        unsafe {
            v128_store(pairs, self.0);
            v128_store(pairs.add(1), self.1);
        }
    }

    #[inline(always)]
    fn either([p, q, r, s]: [u32; WIDTH], a: u32, b: u32) -> Self {
        let numbers = u32x4(p, q, r, s);
        let found = v128_or(i32x4_eq(numbers, u32x4_splat(a)), i32x4_eq(numbers, u32x4_splat(b)));
        Pairs(i64x2_extend_low_i32x4(found), i64x2_extend_high_i32x4(found))
    }

    #[inline(always)]
    fn transposed([a, b, c, d]: [Self; WIDTH]) -> [Self; WIDTH] {
        let columns = |a, b, c, d| {
            let even = Pairs(i64x2_shuffle::<0, 2>(a, b), i64x2_shuffle::<0, 2>(c, d));
            (even, Pairs(i64x2_shuffle::<1, 3>(a, b), i64x2_shuffle::<1, 3>(c, d)))
        };
        let ((first, second), (third, fourth)) = (columns(a.0, b.0, c.0, d.0), columns(a.1, b.1, c.1, d.1));
        [first, second, third, fourth]
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Pairs(f64x2_sqrt(self.0), f64x2_sqrt(self.1))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // The second one if it is less, else the first one.
        self.zip(other, |a, b| f64x2_pmin(b, a))
    }

    #[inline(always)]
    fn less(self, than: Self) -> Self {
        self.zip(than, |a, b| f64x2_lt(a, b))
    }

    #[inline(always)]
    fn at_most(self, limit: Self) -> Self {
        self.zip(limit, |a, b| f64x2_le(a, b))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| v128_and(a, b))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| v128_or(a, b))
    }

    #[inline(always)]
    fn unless(self, mask: Self) -> Self {
        self.zip(mask, |a, mask| v128_andnot(a, mask))
    }

    #[inline(always)]
    fn select(self, mask: Self, other: Self) -> Self {
        Pairs(v128_bitselect(self.0, other.0, mask.0), v128_bitselect(self.1, other.1, mask.1))
    }

    #[inline(always)]
    fn same_bits(self, other: Self) -> Self {
        self.zip(other, |a, b| i64x2_eq(a, b))
    }

    #[inline(always)]
    fn high_bits(self) -> Self {
        let high = |lanes| i64x2_ne(u64x2_shr(lanes, 62), i64x2_splat(0));
        Pairs(high(self.0), high(self.1))
    }

    #[inline(always)]
    fn mask(self) -> u32 {
        u32::from(i64x2_bitmask(self.0)) | u32::from(i64x2_bitmask(self.1)) << 2
    }

    #[inline(always)]
    fn smallest(self) -> f64 {
        let two = f64x2_pmin(self.1, self.0);
        let (a, b) = (f64x2_extract_lane::<0>(two), f64x2_extract_lane::<1>(two));
        if a < b { a } else { b }
    }
}

#![allow(unsafe_code, reason = "instructions that were found at run time")]

use super::{F64x4, Kernel, WIDTH};
use core::arch::x86_64::*;
use core::ops::{Add, Div, Mul, Sub};

/// Proof that AVX2 and POPCNT were found on this machine: only [`Found::detect`] makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found(());

impl Found {
    pub(super) fn detect() -> Option<Found> {
        (is_x86_feature_detected!("popcnt") && is_x86_feature_detected!("avx2")).then_some(Found(()))
    }

    #[inline(always)]
    pub(super) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        // SAFETY: `self` was made after the instructions were found.
        unsafe { run(kernel) }
    }
}

#[target_feature(enable = "avx2,popcnt")]
fn run<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Avx2>()
}

/// One register. Named by [`run`] alone, so that its methods run only where the instructions were found.
#[derive(Clone, Copy)]
struct Avx2(__m256d);

/// Calls of intrinsics on registers, which touch no memory.
macro_rules! on_registers {
    ($value:expr) => {
        // SAFETY: the methods of `Avx2` run only inside `run`, which is called with proof that the machine
        // has AVX2.
        unsafe { $value }
    };
}

macro_rules! operator {
    ($($operator:ident $method:ident $intrinsic:ident)*) => {$(
        impl $operator for Avx2 {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                on_registers!(Avx2($intrinsic(self.0, other.0)))
            }
        }
    )*};
}

operator! { Add add _mm256_add_pd Sub sub _mm256_sub_pd Mul mul _mm256_mul_pd Div div _mm256_div_pd }

impl F64x4 for Avx2 {
    #[inline(always)]
    fn splat(x: f64) -> Self {
        on_registers!(Avx2(_mm256_set1_pd(x)))
    }

    #[inline(always)]
    fn load(from: &[f64; WIDTH]) -> Self {
        // SAFETY: as in `on_registers`; the pointer is that of four doubles.
        Avx2(unsafe { _mm256_loadu_pd(from.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, to: &mut [f64; WIDTH]) {
        // SAFETY: as in `on_registers`; the pointer is that of four doubles.
        unsafe { _mm256_storeu_pd(to.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn either([n0, n1, n2, n3]: [u32; WIDTH], a: u32, b: u32) -> Self {
        on_registers!({
            let numbers = _mm_setr_epi32(n0 as i32, n1 as i32, n2 as i32, n3 as i32);
            let is_a = _mm_cmpeq_epi32(numbers, _mm_set1_epi32(a as i32));
            let is_b = _mm_cmpeq_epi32(numbers, _mm_set1_epi32(b as i32));
            Avx2(_mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm_or_si128(is_a, is_b))))
        })
    }

    #[inline(always)]
    fn transposed([a, b, c, d]: [Self; WIDTH]) -> [Self; WIDTH] {
        on_registers!({
            let (ab_even, ab_odd) = (_mm256_unpacklo_pd(a.0, b.0), _mm256_unpackhi_pd(a.0, b.0));
            let (cd_even, cd_odd) = (_mm256_unpacklo_pd(c.0, d.0), _mm256_unpackhi_pd(c.0, d.0));
            [
                Avx2(_mm256_permute2f128_pd::<0x20>(ab_even, cd_even)),
                Avx2(_mm256_permute2f128_pd::<0x20>(ab_odd, cd_odd)),
                Avx2(_mm256_permute2f128_pd::<0x31>(ab_even, cd_even)),
                Avx2(_mm256_permute2f128_pd::<0x31>(ab_odd, cd_odd)),
            ]
        })
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        on_registers!(Avx2(_mm256_sqrt_pd(self.0)))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        on_registers!(Avx2(_mm256_min_pd(self.0, other.0)))
    }

    #[inline(always)]
    fn less(self, than: Self) -> Self {
        on_registers!(Avx2(_mm256_cmp_pd::<_CMP_LT_OQ>(self.0, than.0)))
    }

    #[inline(always)]
    fn at_most(self, limit: Self) -> Self {
        on_registers!(Avx2(_mm256_cmp_pd::<_CMP_LE_OQ>(self.0, limit.0)))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        on_registers!(Avx2(_mm256_and_pd(self.0, other.0)))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        on_registers!(Avx2(_mm256_or_pd(self.0, other.0)))
    }

    #[inline(always)]
    fn unless(self, mask: Self) -> Self {
        on_registers!(Avx2(_mm256_andnot_pd(mask.0, self.0)))
    }

    #[inline(always)]
    fn select(self, mask: Self, other: Self) -> Self {
        on_registers!(Avx2(_mm256_blendv_pd(other.0, self.0, mask.0)))
    }

    #[inline(always)]
    fn same_bits(self, other: Self) -> Self {
        on_registers!({
            let (a, b) = (_mm256_castpd_si256(self.0), _mm256_castpd_si256(other.0));
            Avx2(_mm256_castsi256_pd(_mm256_cmpeq_epi64(a, b)))
        })
    }

    #[inline(always)]
    fn high_bits(self) -> Self {
        on_registers!({
            let lanes = _mm256_castpd_si256(self.0);
            // Shifted up by one, the lower of the two bits is the sign.
            let signs = _mm256_or_si256(lanes, _mm256_slli_epi64::<1>(lanes));
            Avx2(_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_setzero_si256(), signs)))
        })
    }

    #[inline(always)]
    fn mask(self) -> u32 {
        on_registers!(_mm256_movemask_pd(self.0) as u32)
    }

    #[inline(always)]
    fn smallest(self) -> f64 {
        on_registers!({
            let two = _mm_min_pd(_mm256_castpd256_pd128(self.0), _mm256_extractf128_pd::<1>(self.0));
            _mm_cvtsd_f64(_mm_min_sd(two, _mm_unpackhi_pd(two, two)))
        })
    }
}

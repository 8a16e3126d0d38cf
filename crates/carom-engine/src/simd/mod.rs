//! Eight doubles at a time, with the widest registers that the processor has, for the sweeps over all discs.
//!
//! A sweep is written once, over a [`Vector`], and compiled for each of its kinds; the best is chosen at run time.
//! The compiler's own vectoriser makes a patchwork of a loop of eight that ends in a mask, hence the explicit
//! form. Every operation is rounded by itself and none is fused, so the bits are the same on all.
#![allow(unsafe_code, reason = "instructions that were found at run time")]

pub(crate) mod f64x4;
mod level;

pub use level::SimdLevel;

use crate::predict::neighbour_scan::{NeighbourScan, ScanResult};
use crate::simd::f64x4::Scalar;
use crate::state::sweep_lanes::{LANES, Lanes};

/// Eight doubles.
pub(crate) trait Vector: Copy {
    fn splat(x: f64) -> Self;
    fn load(from: &Lanes) -> Self;
    fn store(self, to: &mut Lanes);
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    /// Bit `l` is set if lane `l` of `self` is less; never for what is not a number.
    fn less(self, than: Self) -> u8;
    /// Bit `l` is set if lane `l` of `self` is less or equal.
    fn at_most(self, limit: Self) -> u8;
}

/// A sweep.
pub(crate) trait Kernel {
    type Output;

    /// Must be `#[inline(always)]`, and all that it calls per lane, to be compiled anew for each kind.
    fn run<V: Vector>(self) -> Self::Output;
}

/// The kinds of vector that this machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Simd {
    Portable,
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    Avx2(x86::Found),
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    Avx512(x86::Found),
}

impl Simd {
    /// All that this machine has, the widest last.
    pub(crate) fn available() -> Vec<Simd> {
        let portable = core::iter::once(Simd::Portable);
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        let portable = portable.chain(x86::available());
        portable.collect()
    }

    /// What is used for sweeps over so many blocks: as asked for, or the widest below that this machine has.
    pub(crate) fn chosen(wanted: SimdLevel, blocks: usize) -> Simd {
        if wanted == SimdLevel::Best {
            return Simd::best_for(blocks);
        }
        let mut available = Simd::available();
        available.retain(|simd| simd.instructions() <= wanted);
        available.pop().unwrap_or(Simd::Portable)
    }

    pub(crate) fn instructions(self) -> SimdLevel {
        match self {
            Simd::Portable => SimdLevel::Portable,
            #[cfg(all(target_arch = "x86_64", feature = "std"))]
            Simd::Avx2(_) => SimdLevel::Avx2,
            #[cfg(all(target_arch = "x86_64", feature = "std"))]
            Simd::Avx512(_) => SimdLevel::Avx512,
        }
    }

    /// The best for sweeps over so many blocks.
    ///
    /// A register of eight reads a block whose lane was written a moment ago, which waits for the write to reach
    /// the cache; two of four do so half as often. That is a sixth of a turn of four discs, and made up for from
    /// some two hundred discs on.
    fn best_for(blocks: usize) -> Simd {
        let mut available = Simd::available();
        if blocks < 32 && available.len() > 2 {
            available.pop();
        }
        available.pop().unwrap_or(Simd::Portable)
    }

    /// The pair times of discs, with [`NeighbourScan::run`].
    #[inline(always)]
    pub(crate) fn scan<const N: usize, const NOW: bool>(
        self,
        scans: &[NeighbourScan<'_>; N],
    ) -> [ScanResult; N] {
        match self {
            Simd::Portable => scans.each_ref().map(NeighbourScan::run::<Scalar, NOW>),
            #[cfg(all(target_arch = "x86_64", feature = "std"))]
            // SAFETY: the `Found` was made after AVX2 was detected on this machine.
            Simd::Avx2(_) | Simd::Avx512(_) => unsafe { x86::scan::<N, NOW>(scans) },
        }
    }

    #[inline(always)]
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self {
            Simd::Portable => kernel.run::<Portable>(),
            #[cfg(all(target_arch = "x86_64", feature = "std"))]
            // SAFETY: the `Found` in `Avx2` was made after AVX2 and POPCNT were detected on this machine.
            Simd::Avx2(_) => unsafe { x86::run_avx2(kernel) },
            #[cfg(all(target_arch = "x86_64", feature = "std"))]
            // SAFETY: the `Found` in `Avx512` was made after AVX-512 F and POPCNT were detected on this machine.
            Simd::Avx512(_) => unsafe { x86::run_avx512(kernel) },
        }
    }
}

/// Plain arrays, for every machine.
#[derive(Clone, Copy)]
pub(crate) struct Portable(Lanes);

impl Portable {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Portable(core::array::from_fn(|l| f(self.0[l], other.0[l])))
    }

    #[inline(always)]
    fn mask(self, other: Self, f: impl Fn(&f64, &f64) -> bool) -> u8 {
        (0..LANES).fold(0, |bits, l| bits | u8::from(f(&self.0[l], &other.0[l])) << l)
    }
}

impl Vector for Portable {
    #[inline(always)]
    fn splat(x: f64) -> Self {
        Portable([x; LANES])
    }

    #[inline(always)]
    fn load(from: &Lanes) -> Self {
        Portable(*from)
    }

    #[inline(always)]
    fn store(self, to: &mut Lanes) {
        *to = self.0;
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }

    #[inline(always)]
    fn less(self, than: Self) -> u8 {
        self.mask(than, f64::lt)
    }

    #[inline(always)]
    fn at_most(self, limit: Self) -> u8 {
        self.mask(limit, f64::le)
    }
}

#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod x86 {
    use super::f64x4;
    use super::{Kernel, Lanes, Simd, Vector};
    use crate::predict::neighbour_scan::{NeighbourScan, ScanResult};
    use core::arch::x86_64::*;

    /// Proof that the instructions were found on this machine: only [`available`] makes one.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) struct Found(());

    pub(super) fn available() -> impl Iterator<Item = Simd> {
        let popcnt = is_x86_feature_detected!("popcnt");
        let avx2 = (popcnt && is_x86_feature_detected!("avx2")).then_some(Simd::Avx2(Found(())));
        let avx512 = (popcnt && avx2.is_some() && is_x86_feature_detected!("avx512f"))
            .then_some(Simd::Avx512(Found(())));
        avx2.into_iter().chain(avx512)
    }

    #[target_feature(enable = "avx2,popcnt")]
    pub(super) fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
        kernel.run::<Avx2>()
    }

    #[target_feature(enable = "avx512f,popcnt")]
    pub(super) fn run_avx512<K: Kernel>(kernel: K) -> K::Output {
        kernel.run::<Avx512>()
    }

    #[target_feature(enable = "avx2,popcnt")]
    pub(super) fn scan<const N: usize, const NOW: bool>(scans: &[NeighbourScan<'_>; N]) -> [ScanResult; N] {
        // Not `map`: a closure would not be compiled for the wide instructions.
        let mut times = [ScanResult::NONE; N];
        for (times, scan) in times.iter_mut().zip(scans) {
            *times = scan.run::<f64x4::Avx2, NOW>();
        }
        times
    }

    /// Two registers of four. Used only in what `run_avx2` calls.
    #[derive(Clone, Copy)]
    struct Avx2(__m256d, __m256d);

    /// One register of eight. Used only in what `run_avx512` calls.
    #[derive(Clone, Copy)]
    struct Avx512(__m512d);

    // SAFETY of every block below: the type is private and its methods run only inside `run_avx2`, which is called
    // with proof that the machine has AVX2. The pointers come from references to eight doubles.
    impl Vector for Avx2 {
        #[inline(always)]
        fn splat(x: f64) -> Self {
            // SAFETY: see above.
            unsafe { Avx2(_mm256_set1_pd(x), _mm256_set1_pd(x)) }
        }

        #[inline(always)]
        fn load(from: &Lanes) -> Self {
            // SAFETY: see above; the second four start within the eight.
            unsafe { Avx2(_mm256_loadu_pd(from.as_ptr()), _mm256_loadu_pd(from.as_ptr().add(4))) }
        }

        #[inline(always)]
        fn store(self, to: &mut Lanes) {
            // SAFETY: see above; the second four start within the eight.
            unsafe {
                _mm256_storeu_pd(to.as_mut_ptr(), self.0);
                _mm256_storeu_pd(to.as_mut_ptr().add(4), self.1);
            }
        }

        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            // SAFETY: see above.
            unsafe { Avx2(_mm256_add_pd(self.0, other.0), _mm256_add_pd(self.1, other.1)) }
        }

        #[inline(always)]
        fn minus(self, other: Self) -> Self {
            // SAFETY: see above.
            unsafe { Avx2(_mm256_sub_pd(self.0, other.0), _mm256_sub_pd(self.1, other.1)) }
        }

        #[inline(always)]
        fn times(self, other: Self) -> Self {
            // SAFETY: see above.
            unsafe { Avx2(_mm256_mul_pd(self.0, other.0), _mm256_mul_pd(self.1, other.1)) }
        }

        #[inline(always)]
        fn less(self, than: Self) -> u8 {
            // SAFETY: see above.
            let (low, high) = unsafe {
                (
                    _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(self.0, than.0)),
                    _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(self.1, than.1)),
                )
            };
            (low | high << 4) as u8
        }

        #[inline(always)]
        fn at_most(self, limit: Self) -> u8 {
            // SAFETY: see above.
            let (low, high) = unsafe {
                (
                    _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LE_OQ>(self.0, limit.0)),
                    _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LE_OQ>(self.1, limit.1)),
                )
            };
            (low | high << 4) as u8
        }
    }

    // SAFETY of every block below: as for `Avx2`, with `run_avx512` and AVX-512 F.
    impl Vector for Avx512 {
        #[inline(always)]
        fn splat(x: f64) -> Self {
            // SAFETY: see above.
            unsafe { Avx512(_mm512_set1_pd(x)) }
        }

        #[inline(always)]
        fn load(from: &Lanes) -> Self {
            // SAFETY: see above.
            unsafe { Avx512(_mm512_loadu_pd(from.as_ptr())) }
        }

        #[inline(always)]
        fn store(self, to: &mut Lanes) {
            // SAFETY: see above.
            unsafe { _mm512_storeu_pd(to.as_mut_ptr(), self.0) }
        }

        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            // SAFETY: see above.
            unsafe { Avx512(_mm512_add_pd(self.0, other.0)) }
        }

        #[inline(always)]
        fn minus(self, other: Self) -> Self {
            // SAFETY: see above.
            unsafe { Avx512(_mm512_sub_pd(self.0, other.0)) }
        }

        #[inline(always)]
        fn times(self, other: Self) -> Self {
            // SAFETY: see above.
            unsafe { Avx512(_mm512_mul_pd(self.0, other.0)) }
        }

        #[inline(always)]
        fn less(self, than: Self) -> u8 {
            // SAFETY: see above.
            unsafe { _mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.0, than.0) }
        }

        #[inline(always)]
        fn at_most(self, limit: Self) -> u8 {
            // SAFETY: see above.
            unsafe { _mm512_cmp_pd_mask::<_CMP_LE_OQ>(self.0, limit.0) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct AllOperations(Lanes, Lanes);

    impl Kernel for AllOperations {
        type Output = (Vec<u64>, u8, u8);

        #[inline(always)]
        fn run<V: Vector>(self) -> Self::Output {
            let (a, b) = (V::load(&self.0), V::load(&self.1));
            let mut bits = Vec::new();
            for result in [a.plus(b), a.minus(b), a.times(b), V::splat(self.0[3])] {
                let mut lanes = [0.0; LANES];
                result.store(&mut lanes);
                bits.extend(lanes.map(f64::to_bits));
            }
            (bits, a.less(b), a.at_most(b))
        }
    }

    /// IEEE 754 fixes every one of these operations, so all kinds must agree with the scalar ones bit by bit.
    #[test]
    fn every_kind_agrees_with_scalars() {
        let a = [1.0, -0.0, 1e308, 1e-308, f64::INFINITY, 0.1, -3.5, 7.0];
        let b = [3.0, 0.0, 1e308, 3e-309, -1.0, 0.2, -3.5, f64::NAN];
        let scalar = |f: fn(f64, f64) -> f64| a.into_iter().zip(b).map(move |(a, b)| f(a, b).to_bits());
        let mut expected: Vec<u64> = scalar(|a, b| a + b).chain(scalar(|a, b| a - b)).collect();
        expected.extend(scalar(|a, b| a * b).chain([a[3].to_bits(); LANES]));
        for simd in Simd::available() {
            let (bits, less, at_most) = simd.run(AllOperations(a, b));
            let canonical = |bits: &u64| if f64::from_bits(*bits).is_nan() { 0 } else { *bits };
            assert!(bits.iter().map(canonical).eq(expected.iter().map(canonical)), "{simd:?}");
            assert_eq!((less, at_most), (0b0010_0001, 0b0110_0111), "{simd:?}");
        }
    }
}

//! Four records side by side, for the pair times of a disc with its neighbours.
//!
//! As in `simd`: one form, compiled for each kind; every operation is rounded by itself, so the bits are the same.
#![allow(unsafe_code, reason = "instructions that were found at run time")]

use crate::state::record::Record;
use carom_broadphase::Slot;

/// Records a quad.
pub(crate) const WIDTH: usize = 4;

/// Four doubles, or four answers: lanes with all bits set for yes, and none for no.
///
/// No closures where it is used: only functions inlined by force are compiled for the wide instructions.
pub(crate) trait F64x4: Copy {
    fn splat(x: f64) -> Self;
    /// Column k of the result is number k of each record, in the order in which they are stored; the last are the tags.
    fn columns(a: &Record, b: &Record, c: &Record, d: &Record) -> [Self; 8];
    /// Whether each is one of two.
    fn either(slots: &[Slot; WIDTH], a: Slot, b: Slot) -> Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn over(self, other: Self) -> Self;
    fn root(self) -> Self;
    /// The smaller one, lane by lane.
    fn least(self, other: Self) -> Self;
    /// Where it is less; never for what is not a number.
    fn less(self, than: Self) -> Self;
    /// Where it is less or equal.
    fn at_most(self, limit: Self) -> Self;
    /// Of two answers, whether both are yes.
    fn and(self, other: Self) -> Self;
    /// Of two answers, whether one is yes.
    fn or(self, other: Self) -> Self;
    /// Its value, or answer, where `no` says no, and zero elsewhere.
    fn unless(self, no: Self) -> Self;
    /// Its value where `yes` says yes, and that of `other` elsewhere.
    fn chosen(self, yes: Self, other: Self) -> Self;
    /// Of tags: where the disc is of another class than finite masses.
    fn is_of_class(self) -> Self;
    /// Of tags: where the state comes from the same impact as one with this tag, or the disc is of another class than finite
    /// masses, as that one is.
    fn special(self, tag: u64) -> Self;
    /// Bit `l` is set if lane `l` says yes.
    fn bits(self) -> u32;
    /// The smallest of the four.
    fn smallest(self) -> f64;
}

/// Plain arrays, for every machine.
#[derive(Clone, Copy)]
pub(crate) struct Scalar([f64; WIDTH]);

impl Scalar {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Scalar(core::array::from_fn(|l| f(self.0[l], other.0[l])))
    }

    #[inline(always)]
    fn bitwise(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        self.zip(other, |a, b| f64::from_bits(f(a.to_bits(), b.to_bits())))
    }
}

fn answer(yes: bool) -> f64 {
    f64::from_bits(if yes { u64::MAX } else { 0 })
}

impl F64x4 for Scalar {
    #[inline(always)]
    fn splat(x: f64) -> Self {
        Scalar([x; WIDTH])
    }

    #[inline(always)]
    fn columns(a: &Record, b: &Record, c: &Record, d: &Record) -> [Self; 8] {
        let row =
            |r: &Record| [r.x, r.y, r.vx, r.vy, r.start, r.offset, r.radius, f64::from_bits(r.tag.bits())];
        let rows = [row(a), row(b), row(c), row(d)];
        core::array::from_fn(|k| Scalar(rows.map(|row| row[k])))
    }

    #[inline(always)]
    fn either(slots: &[Slot; WIDTH], a: Slot, b: Slot) -> Self {
        Scalar(slots.map(|slot| answer((slot == a) | (slot == b))))
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
    fn over(self, other: Self) -> Self {
        self.zip(other, |a, b| a / b)
    }

    #[inline(always)]
    fn root(self) -> Self {
        Scalar(self.0.map(carom_math::sqrt))
    }

    #[inline(always)]
    fn least(self, other: Self) -> Self {
        self.zip(other, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    fn less(self, than: Self) -> Self {
        self.zip(than, |a, b| answer(a < b))
    }

    #[inline(always)]
    fn at_most(self, limit: Self) -> Self {
        self.zip(limit, |a, b| answer(a <= b))
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
    fn unless(self, no: Self) -> Self {
        self.bitwise(no, |a, no| a & !no)
    }

    #[inline(always)]
    fn chosen(self, yes: Self, other: Self) -> Self {
        self.and(yes).or(other.unless(yes))
    }

    #[inline(always)]
    fn is_of_class(self) -> Self {
        Scalar(self.0.map(|other| answer(other.to_bits() >> 62 != 0)))
    }

    #[inline(always)]
    fn special(self, tag: u64) -> Self {
        Scalar(self.0.map(|other| {
            let other = other.to_bits();
            answer((other >> 62 != 0) | ((other == tag) & (tag != 0)))
        }))
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        (0..WIDTH).fold(0, |bits, l| bits | ((self.0[l].to_bits() >> 63) as u32) << l)
    }

    #[inline(always)]
    fn smallest(self) -> f64 {
        let [a, b, c, d] = self.0;
        let least = |a: f64, b: f64| if a < b { a } else { b };
        least(least(a, b), least(c, d))
    }
}

#[cfg(all(target_arch = "x86_64", feature = "std"))]
pub(crate) use x86::Avx2;

#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod x86 {
    use super::{F64x4, WIDTH};
    use crate::state::record::Record;
    use carom_broadphase::Slot;
    use core::arch::x86_64::*;
    use core::ptr::from_ref;

    /// One register of four. To be used only in what is compiled for AVX2, on a machine that has it.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx2(__m256d);

    /// Rows to columns.
    #[inline(always)]
    unsafe fn transposed([a, b, c, d]: [__m256d; WIDTH]) -> [Avx2; WIDTH] {
        // SAFETY: registers only; called with AVX2 at hand.
        unsafe {
            let (ab_even, ab_odd) = (_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
            let (cd_even, cd_odd) = (_mm256_unpacklo_pd(c, d), _mm256_unpackhi_pd(c, d));
            [
                Avx2(_mm256_permute2f128_pd::<0x20>(ab_even, cd_even)),
                Avx2(_mm256_permute2f128_pd::<0x20>(ab_odd, cd_odd)),
                Avx2(_mm256_permute2f128_pd::<0x31>(ab_even, cd_even)),
                Avx2(_mm256_permute2f128_pd::<0x31>(ab_odd, cd_odd)),
            ]
        }
    }

    impl Avx2 {
        /// Where the sign is set.
        #[inline(always)]
        fn signs(self) -> Self {
            // SAFETY: registers only; called with AVX2 at hand.
            unsafe {
                let numbers = _mm256_castpd_si256(self.0);
                Avx2(_mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_setzero_si256(), numbers)))
            }
        }
    }

    /// Half a record: the first four numbers, or the last.
    #[inline(always)]
    unsafe fn half(record: &Record, at: usize) -> __m256d {
        // SAFETY: a record is eight numbers of eight bytes (`repr(C)`), aligned to 64; `at` is 0 or 4. Called with AVX2.
        unsafe { _mm256_load_pd(from_ref(record).cast::<f64>().add(at)) }
    }

    // SAFETY of every block below: the methods run only inside what is compiled for AVX2 and called with proof that
    // the machine has it.
    impl F64x4 for Avx2 {
        #[inline(always)]
        fn splat(x: f64) -> Self {
            // SAFETY: see above.
            unsafe { Avx2(_mm256_set1_pd(x)) }
        }

        #[inline(always)]
        fn columns(a: &Record, b: &Record, c: &Record, d: &Record) -> [Self; 8] {
            // SAFETY: see above. The tags are no numbers, and only their bits are looked at.
            unsafe {
                let [x, y, vx, vy] = transposed([half(a, 0), half(b, 0), half(c, 0), half(d, 0)]);
                let [start, offset, radius, tag] =
                    transposed([half(a, 4), half(b, 4), half(c, 4), half(d, 4)]);
                [x, y, vx, vy, start, offset, radius, tag]
            }
        }

        #[inline(always)]
        fn either(slots: &[Slot; WIDTH], a: Slot, b: Slot) -> Self {
            // SAFETY: see above; they are four of four bytes each.
            unsafe {
                let slots = _mm_loadu_si128(slots.as_ptr().cast());
                let is = |slot: Slot| _mm_cmpeq_epi32(slots, _mm_set1_epi32(slot as i32));
                Avx2(_mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm_or_si128(is(a), is(b)))))
            }
        }

        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            // SAFETY: see above.
            unsafe { Avx2(_mm256_add_pd(self.0, other.0)) }
        }

        #[inline(always)]
        fn minus(self, other: Self) -> Self {
            // SAFETY: see above.
            unsafe { Avx2(_mm256_sub_pd(self.0, other.0)) }
        }

        #[inline(always)]
        fn times(self, other: Self) -> Self {
            // SAFETY: see above.
            unsafe { Avx2(_mm256_mul_pd(self.0, other.0)) }
        }

        #[inline(always)]
        fn over(self, other: Self) -> Self {
            // SAFETY: see above.
            unsafe { Avx2(_mm256_div_pd(self.0, other.0)) }
        }

        #[inline(always)]
        fn root(self) -> Self {
            // SAFETY: see above.
            unsafe { Avx2(_mm256_sqrt_pd(self.0)) }
        }

        #[inline(always)]
        fn least(self, other: Self) -> Self {
            // SAFETY: see above.
            unsafe { Avx2(_mm256_min_pd(self.0, other.0)) }
        }

        #[inline(always)]
        fn less(self, than: Self) -> Self {
            // SAFETY: see above.
            unsafe { Avx2(_mm256_cmp_pd::<_CMP_LT_OQ>(self.0, than.0)) }
        }

        #[inline(always)]
        fn at_most(self, limit: Self) -> Self {
            // SAFETY: see above.
            unsafe { Avx2(_mm256_cmp_pd::<_CMP_LE_OQ>(self.0, limit.0)) }
        }

        #[inline(always)]
        fn and(self, other: Self) -> Self {
            // SAFETY: see above.
            unsafe { Avx2(_mm256_and_pd(self.0, other.0)) }
        }

        #[inline(always)]
        fn or(self, other: Self) -> Self {
            // SAFETY: see above.
            unsafe { Avx2(_mm256_or_pd(self.0, other.0)) }
        }

        #[inline(always)]
        fn unless(self, no: Self) -> Self {
            // SAFETY: see above.
            unsafe { Avx2(_mm256_andnot_pd(no.0, self.0)) }
        }

        #[inline(always)]
        fn chosen(self, yes: Self, other: Self) -> Self {
            // SAFETY: see above.
            unsafe { Avx2(_mm256_blendv_pd(other.0, self.0, yes.0)) }
        }

        #[inline(always)]
        fn is_of_class(self) -> Self {
            // SAFETY: see above. Shifted up by one, the lower of the two bits is the sign, which is all that is looked at.
            unsafe {
                let tags = _mm256_castpd_si256(self.0);
                Avx2(_mm256_castsi256_pd(_mm256_or_si256(tags, _mm256_slli_epi64::<1>(tags)))).signs()
            }
        }

        #[inline(always)]
        fn special(self, tag: u64) -> Self {
            if tag == 0 {
                return self.is_of_class();
            }
            // SAFETY: see above.
            unsafe {
                let same = _mm256_cmpeq_epi64(_mm256_castpd_si256(self.0), _mm256_set1_epi64x(tag as i64));
                self.is_of_class().or(Avx2(_mm256_castsi256_pd(same)))
            }
        }

        #[inline(always)]
        fn bits(self) -> u32 {
            // SAFETY: see above.
            unsafe { _mm256_movemask_pd(self.0) as u32 }
        }

        #[inline(always)]
        fn smallest(self) -> f64 {
            // SAFETY: see above.
            unsafe {
                let low = _mm256_castpd256_pd128(self.0);
                let two = _mm_min_pd(low, _mm256_extractf128_pd::<1>(self.0));
                _mm_cvtsd_f64(_mm_min_sd(two, _mm_unpackhi_pd(two, two)))
            }
        }
    }
}

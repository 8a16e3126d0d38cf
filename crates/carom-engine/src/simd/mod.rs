//! Four doubles at a time, with the registers that the processor has.
//!
//! A [`Kernel`] is written once, over an [`F64x4`], and compiled for each of its kinds; the kind is chosen at
//! run time. Every operation is rounded by itself and none is fused, so the bits are the same on all. The
//! compiler's own vectoriser makes a patchwork of a loop of eight that ends in a mask, hence the explicit
//! form.

#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod avx2;
mod dispatch;
mod level;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;

use carom_broadphase::Slot;
use core::ops::{Add, Div, Mul, Sub};
pub(crate) use dispatch::Simd;
pub use level::SimdLevel;

/// Doubles in an [`F64x4`].
pub(crate) const WIDTH: usize = 4;

/// Doubles in an [`F64x8`].
pub(crate) const LANES: usize = 2 * WIDTH;

/// One number of each of eight discs or walls.
pub(crate) type Lanes = [f64; LANES];

/// Block and lane of a slot.
#[inline(always)]
pub(crate) fn place(slot: Slot) -> (usize, usize) {
    (slot as usize / LANES, slot as usize % LANES)
}

/// Four lanes of eight.
#[inline(always)]
pub(crate) fn half_of<V: F64x4>(lanes: &Lanes, half: usize) -> V {
    V::load(&lanes.as_chunks().0[half])
}

/// What is compiled for each kind of vector.
pub(crate) trait Kernel {
    type Output;

    /// Must be `#[inline(always)]`, and all that it calls per lane, to be compiled anew for each kind.
    /// Closures and functions of the standard library that take them are not.
    fn run<V: F64x4>(self) -> Self::Output;
}

/// Four doubles, or four masks: lanes with all bits set, or none.
pub(crate) trait F64x4:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    fn splat(x: f64) -> Self;
    fn load(from: &[f64; WIDTH]) -> Self;
    fn store(self, to: &mut [f64; WIDTH]);
    /// The mask of the numbers that are `a` or `b`.
    fn either(numbers: [u32; WIDTH], a: u32, b: u32) -> Self;
    /// Rows to columns.
    fn transposed(rows: [Self; WIDTH]) -> [Self; WIDTH];
    fn sqrt(self) -> Self;
    /// The smaller one, lane by lane.
    fn min(self, other: Self) -> Self;
    /// The mask of the lanes that are less; never those that are not numbers.
    fn less(self, than: Self) -> Self;
    /// The mask of the lanes that are less or equal.
    fn at_most(self, limit: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    /// Itself where the mask is not set, and zero elsewhere.
    fn unless(self, mask: Self) -> Self;
    /// Itself where the mask is set, and `other` elsewhere.
    fn select(self, mask: Self, other: Self) -> Self;
    /// The mask of the lanes with the same bits.
    fn same_bits(self, other: Self) -> Self;
    /// The mask of the lanes of which one of the two highest bits is set.
    fn high_bits(self) -> Self;
    /// Bit `l` is the highest bit of lane `l`, so that it is set if the mask is.
    fn mask(self) -> u32;
    /// The smallest of the four.
    fn smallest(self) -> f64;
}

/// Eight doubles.
#[derive(Clone, Copy)]
pub(crate) struct F64x8<V>(V, V);

impl<V: F64x4> F64x8<V> {
    #[inline(always)]
    pub(crate) fn splat(x: f64) -> Self {
        F64x8(V::splat(x), V::splat(x))
    }

    #[inline(always)]
    pub(crate) fn load(from: &Lanes) -> Self {
        let halves = from.as_chunks().0;
        F64x8(V::load(&halves[0]), V::load(&halves[1]))
    }

    #[inline(always)]
    pub(crate) fn store(self, to: &mut Lanes) {
        let halves = to.as_chunks_mut().0;
        self.0.store(&mut halves[0]);
        self.1.store(&mut halves[1]);
    }

    #[inline(always)]
    pub(crate) fn sqrt(self) -> Self {
        F64x8(self.0.sqrt(), self.1.sqrt())
    }

    /// The smaller one, lane by lane.
    #[inline(always)]
    pub(crate) fn min(self, other: Self) -> Self {
        F64x8(self.0.min(other.0), self.1.min(other.1))
    }

    /// Bit `l` is set if lane `l` of `self` is less; never for what is not a number.
    #[inline(always)]
    pub(crate) fn less(self, than: Self) -> u8 {
        (self.0.less(than.0).mask() | self.1.less(than.1).mask() << WIDTH) as u8
    }

    /// Bit `l` is set if lane `l` of `self` is less or equal.
    #[inline(always)]
    pub(crate) fn at_most(self, limit: Self) -> u8 {
        (self.0.at_most(limit.0).mask() | self.1.at_most(limit.1).mask() << WIDTH) as u8
    }
}

impl<V: F64x4> Add for F64x8<V> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        F64x8(self.0 + other.0, self.1 + other.1)
    }
}

impl<V: F64x4> Sub for F64x8<V> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        F64x8(self.0 - other.0, self.1 - other.1)
    }
}

impl<V: F64x4> Mul for F64x8<V> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        F64x8(self.0 * other.0, self.1 * other.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Lanes = [1.0, -0.0, 1e308, 1e-308, f64::INFINITY, 0.1, -3.5, 7.0];
    const B: Lanes = [3.0, 0.0, 1e308, 3e-309, -1.0, 0.2, -3.5, f64::NAN];

    /// NaNs may differ in their bits.
    fn bits(x: f64) -> u64 {
        if x.is_nan() { 0 } else { x.to_bits() }
    }

    struct OfEight;

    impl Kernel for OfEight {
        type Output = ([Lanes; 4], u8, u8);

        #[inline(always)]
        fn run<V: F64x4>(self) -> Self::Output {
            let (a, b) = (F64x8::<V>::load(&A), F64x8::<V>::load(&B));
            let mut results = [[0.0; LANES]; 4];
            (a + b).store(&mut results[0]);
            (a - b).store(&mut results[1]);
            (a * b).store(&mut results[2]);
            F64x8::<V>::splat(A[3]).store(&mut results[3]);
            (results, a.less(b), a.at_most(b))
        }
    }

    /// IEEE 754 fixes every one of these operations, so all kinds must agree with the scalar ones bit by bit.
    #[test]
    fn every_kind_agrees_with_scalars_on_eight() {
        let scalar = |f: fn(f64, f64) -> f64| core::array::from_fn(|l| bits(f(A[l], B[l])));
        let expected: [[u64; LANES]; 4] =
            [scalar(|a, b| a + b), scalar(|a, b| a - b), scalar(|a, b| a * b), [A[3].to_bits(); LANES]];
        for simd in Simd::available() {
            let (results, less, at_most) = simd.run(OfEight);
            assert_eq!(results.map(|lanes| lanes.map(bits)), expected, "{simd:?}");
            assert_eq!((less, at_most), (0b0010_0001, 0b0110_0111), "{simd:?}");
        }
    }

    struct OfFour;

    impl Kernel for OfFour {
        type Output = (Vec<[f64; WIDTH]>, [u32; 7], f64);

        #[inline(always)]
        fn run<V: F64x4>(self) -> Self::Output {
            let rows =
                [[9.0, 4.0, 1.0, 2.0], [3.0, 4.0, -8.0, 2.5], A[4..].try_into().unwrap(), [0.5; WIDTH]];
            let [a, b, c, d] = rows.each_ref().map(V::load);
            let mask = a.less(b);
            let tags = [1, 1 << 62, 1 << 63, 0].map(f64::from_bits);
            let masks = [
                mask,
                a.at_most(b),
                mask.or(a.at_most(b)),
                mask.and(d.less(a)),
                V::load(&tags).high_bits(),
                V::load(&tags).same_bits(V::splat(tags[0])),
                V::either([7, 0, 3, 7], 7, 3),
            ];
            let mut all = V::transposed([a, b, c, d]).to_vec();
            all.extend([a / b, a.sqrt(), a.min(b), a.unless(mask), a.select(mask, b)]);
            let mut results = vec![[0.0; WIDTH]; all.len()];
            all.iter().zip(&mut results).for_each(|(lanes, to)| lanes.store(to));
            (results, masks.map(V::mask), b.smallest())
        }
    }

    #[test]
    fn every_kind_agrees_with_scalars_on_four() {
        let (a, b) = ([9.0, 4.0, 1.0, 2.0], [3.0, 4.0, -8.0, 2.5]);
        let c: [f64; WIDTH] = A[4..].try_into().unwrap();
        let mut expected: Vec<[f64; WIDTH]> = (0..WIDTH).map(|l| [a[l], b[l], c[l], 0.5]).collect();
        expected.extend([
            [3.0, 1.0, -0.125, 0.8],
            [3.0, 2.0, 1.0, core::f64::consts::SQRT_2],
            [3.0, 4.0, -8.0, 2.0],
            [9.0, 4.0, 1.0, 0.0],
            [3.0, 4.0, -8.0, 2.0],
        ]);
        for simd in Simd::available() {
            let (results, masks, smallest) = simd.run(OfFour);
            assert_eq!(results, expected, "{simd:?}");
            assert_eq!(masks, [0b1000, 0b1010, 0b1010, 0b1000, 0b0110, 0b0001, 0b1101], "{simd:?}");
            assert_eq!(smallest, -8.0, "{simd:?}");
        }
    }
}

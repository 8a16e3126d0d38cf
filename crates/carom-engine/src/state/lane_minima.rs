use super::row_sweep::found;
use crate::simd::{F64x4, Kernel, WIDTH};
use carom_broadphase::{RowLanes, RowMin, Slot};

/// The least of numbers that come four by four, with the number of the four, and the least of the others, in
/// each lane.
#[derive(Clone, Copy)]
pub(super) struct LaneMinima<V> {
    least: V,
    number: V,
    next: V,
    /// How many fours there were.
    count: V,
    one: V,
}

impl<V: F64x4> LaneMinima<V> {
    /// Of none.
    #[inline(always)]
    pub(super) fn new() -> Self {
        let never = V::splat(f64::INFINITY);
        LaneMinima {
            least: never,
            number: V::splat(0.0),
            next: never,
            count: V::splat(0.0),
            one: V::splat(1.0),
        }
    }

    #[inline(always)]
    pub(super) fn add(&mut self, four: V) {
        let is_less = four.less(self.least);
        self.next = self.next.min(self.least.select(is_less, four));
        self.number = self.count.select(is_less, self.number);
        self.least = self.least.min(four);
        self.count = self.count + self.one;
    }

    /// The least of all, and whether others are as small or larger by at most `resolution`.
    #[inline(always)]
    pub(super) fn least(&self, resolution: f64) -> (f64, bool) {
        let least = self.least.smallest();
        let limit = V::splat(least + resolution);
        let lanes = self.least.at_most(limit).mask();
        (least, lanes.count_ones() > 1 || self.next.at_most(limit).mask() != 0)
    }

    /// The number of a four, and the lane in it, of which the number is at most `limit`, which the least is.
    #[inline(always)]
    pub(super) fn place_of(&self, limit: f64) -> (usize, usize) {
        let mut numbers = [0.0; WIDTH];
        self.number.store(&mut numbers);
        let lane = self.least.at_most(V::splat(limit)).mask().trailing_zeros() as usize % WIDTH;
        (numbers[lane] as usize, lane)
    }
}

/// As [`FindRowMin`](super::row_sweep::FindRowMin), of more than a few eights: where it is comes out on the
/// way.
pub(crate) struct FindRowMinOfMany<'a>(pub(crate) &'a [RowLanes]);

impl Kernel for FindRowMinOfMany<'_> {
    type Output = RowMin;

    #[inline(always)]
    fn run<V: F64x4>(self) -> RowMin {
        let mut minima = LaneMinima::<V>::new();
        for numbers in self.0 {
            let halves = numbers.0.as_chunks().0;
            minima.add(V::load(&halves[0]).min(V::load(&halves[1])));
        }
        let (seconds, is_tied) = minima.least(0.0);
        let (first, _) = minima.place_of(seconds);
        let least = found::<V>(&self.0[first..=first], seconds, 0.0);
        let column = least.column + (first * RowLanes::WIDTH) as Slot;
        RowMin { seconds, column, is_tied: least.is_tied | is_tied }
    }
}

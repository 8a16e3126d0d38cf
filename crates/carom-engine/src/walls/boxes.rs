//! The boxes that facets lie in, eight side by side.

use crate::simd::{F64x4, Kernel, LANES, Lanes, Simd, WIDTH, half_of};
use glam::DVec2;

/// Boxes by number, from 0 on.
#[derive(Debug, Default)]
pub(crate) struct Boxes {
    blocks: Vec<BoxLanes>,
    count: usize,
}

carom_broadphase::clone_fields!(Boxes: blocks, count);

#[derive(Clone, Debug)]
#[repr(C, align(64))]
struct BoxLanes {
    low_x: Lanes,
    low_y: Lanes,
    high_x: Lanes,
    high_y: Lanes,
}

impl BoxLanes {
    /// Lanes without a box: nothing overlaps them.
    const EMPTY: BoxLanes = BoxLanes {
        low_x: [f64::NAN; LANES],
        low_y: [f64::NAN; LANES],
        high_x: [f64::NAN; LANES],
        high_y: [f64::NAN; LANES],
    };
}

/// Blocks whose boxes have a bit each in one word.
const OF_WORD: usize = 64 / LANES;

impl Boxes {
    pub(crate) fn push(&mut self, of: [DVec2; 2]) {
        if self.count.is_multiple_of(LANES) {
            self.blocks.push(BoxLanes::EMPTY);
        }
        self.count += 1;
        self.set(self.count - 1, of);
    }

    /// Takes a box out; the numbers of those after it become smaller by 1.
    pub(crate) fn remove(&mut self, at: usize) {
        for k in at + 1..self.count {
            self.set(k - 1, self.get(k));
        }
        self.count -= 1;
        self.set(self.count, [DVec2::NAN; 2]);
        self.blocks.truncate(self.count.div_ceil(LANES));
    }

    fn get(&self, k: usize) -> [DVec2; 2] {
        let (block, lane) = (&self.blocks[k / LANES], k % LANES);
        let low = DVec2::new(block.low_x[lane], block.low_y[lane]);
        [low, DVec2::new(block.high_x[lane], block.high_y[lane])]
    }

    pub(crate) fn set(&mut self, k: usize, [low, high]: [DVec2; 2]) {
        let (block, lane) = (&mut self.blocks[k / LANES], k % LANES);
        (block.low_x[lane], block.low_y[lane]) = (low.x, low.y);
        (block.high_x[lane], block.high_y[lane]) = (high.x, high.y);
    }

    /// Calls `see` with the numbers of those that overlap a box, in order, and maybe more. `see` returns a
    /// smaller one that they are to overlap from then on, if there is one.
    pub(crate) fn overlapping(
        &self,
        simd: Simd,
        mut within: [DVec2; 2],
        mut see: impl FnMut(usize) -> Option<[DVec2; 2]>,
    ) {
        for (blocks, first) in self.blocks.chunks(OF_WORD).zip((0..).step_by(OF_WORD * LANES)) {
            let mut left = simd.run(Overlapping { blocks, within });
            while left != 0 {
                let k = left.trailing_zeros() as usize;
                left &= left - 1;
                if let Some(smaller) = see(first + k) {
                    within = smaller;
                    let passed = k / LANES;
                    left &= simd.run(Overlapping { blocks: &blocks[passed..], within }) << (passed * LANES);
                }
            }
        }
    }
}

/// Bits of the boxes of up to [`OF_WORD`] blocks that overlap one.
struct Overlapping<'a> {
    blocks: &'a [BoxLanes],
    within: [DVec2; 2],
}

impl Kernel for Overlapping<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<V: F64x4>(self) -> u64 {
        let Overlapping { blocks, within: [low, high] } = self;
        let [low_x, low_y] = [V::splat(low.x), V::splat(low.y)];
        let [high_x, high_y] = [V::splat(high.x), V::splat(high.y)];
        let (mut bits, mut shift) = (0, 0);
        for block in blocks {
            for half in 0..LANES / WIDTH {
                let across = half_of::<V>(&block.low_x, half).at_most(high_x);
                let across = across.and(low_x.at_most(half_of(&block.high_x, half)));
                let along = half_of::<V>(&block.low_y, half).at_most(high_y);
                let along = along.and(low_y.at_most(half_of(&block.high_y, half)));
                bits |= u64::from(across.and(along).mask()) << shift;
                shift += WIDTH;
            }
        }
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against a look at each box: squares on a diagonal, of which some are taken out.
    #[test]
    fn overlapping_is_what_a_look_at_each_finds() {
        let square = |k: usize| [DVec2::splat(k as f64), DVec2::splat(k as f64 + 1.5)];
        let (mut boxes, mut all) = (Boxes::default(), Vec::new());
        for k in 0..150 {
            boxes.push(square(k));
            all.push(square(k));
        }
        for at in [149, 20, 3, 0, 7, 7, 70] {
            boxes.remove(at);
            all.remove(at);
        }
        for simd in Simd::available() {
            for within in [[4.0, 9.0], [55.0, 90.0], [f64::NEG_INFINITY, f64::INFINITY]]
                .map(|ends| ends.map(DVec2::splat))
            {
                let mut found = Vec::new();
                boxes.overlapping(simd, within, |k| {
                    found.push(k);
                    None
                });
                let overlaps = |[low, high]: &[DVec2; 2]| low.x <= within[1].x && within[0].x <= high.x;
                let expected: Vec<usize> = (0..all.len()).filter(|&k| overlaps(&all[k])).collect();
                assert_eq!(found, expected);
            }
            // From the first on only what overlaps a smaller one.
            let mut found = Vec::new();
            boxes.overlapping(simd, [DVec2::ZERO, DVec2::splat(100.0)], |k| {
                found.push(k);
                Some([DVec2::ZERO, DVec2::splat(4.2)])
            });
            assert_eq!(found, [0, 1, 2]);
        }
    }
}

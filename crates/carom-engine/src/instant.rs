use crate::simd::{Kernel, Simd};
use crate::store::block::{Block, Places, Probe};
use carom_math::Time;

/// Where all discs are at one moment: scratch for the sweeps of an event, derived from the stored states.
///
/// Taken once an event, because the search for touching neighbours and the new predictions of both discs
/// need it. No state is touched.
#[derive(Clone, Debug, Default)]
pub(crate) struct Instant {
    time: Option<Time>,
    pub(crate) places: Vec<Places>,
}

impl Instant {
    /// To be called when a disc has been put elsewhere, not when it was stored where it is.
    pub(crate) fn invalidate(&mut self) {
        self.time = None;
    }

    #[inline(always)]
    pub(crate) fn is_at(&self, time: Time) -> bool {
        self.time == Some(time)
    }

    /// Notes where all are at `time`, and counts for each probe the discs within its slack, itself included.
    #[inline]
    pub(crate) fn take<const N: usize, R: Fn(f64, f64) -> f64 + Copy>(
        &mut self,
        simd: Simd,
        blocks: &[Block],
        time: Time,
        probes: &[Probe; N],
        reach: R,
    ) -> u32 {
        if self.places.len() != blocks.len() {
            self.places.resize(blocks.len(), Places { x: [f64::NAN; 8], y: [f64::NAN; 8] });
        }
        self.time = Some(time);
        simd.run(Take { blocks, places: &mut self.places, time, probes, reach })
    }
}

struct Take<'a, const N: usize, R> {
    blocks: &'a [Block],
    places: &'a mut [Places],
    time: Time,
    probes: &'a [Probe; N],
    reach: R,
}

impl<const N: usize, R: Fn(f64, f64) -> f64 + Copy> Kernel for Take<'_, N, R> {
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let mut near = 0;
        for (block, places) in self.blocks.iter().zip(self.places) {
            *places = block.places_at(self.time);
            for probe in self.probes {
                near += block.near(places, probe, self.reach).count_ones();
            }
        }
        near
    }
}

/// What a sweep looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sought {
    /// Discs on paths that meet the probe's.
    OnCourse,
    /// Discs that may touch the probe now.
    Near,
}

/// A sweep over all discs that sets the bits of those sought.
pub(crate) struct Sweep<'a, R> {
    pub(crate) sought: Sought,
    pub(crate) blocks: &'a [Block],
    pub(crate) places: &'a [Places],
    pub(crate) probe: Probe,
    pub(crate) words: &'a mut [u64],
    pub(crate) reach: R,
}

impl<R: Fn(f64, f64) -> f64 + Copy> Kernel for Sweep<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Sweep { sought, blocks, places, probe, words, reach } = self;
        match sought {
            Sought::OnCourse => {
                fill(words, blocks, places, |block, places| block.on_course(places, &probe, reach));
            }
            Sought::Near => fill(words, blocks, places, |block, places| block.near(places, &probe, reach)),
        }
    }
}

#[inline(always)]
fn fill(words: &mut [u64], blocks: &[Block], places: &[Places], bits: impl Fn(&Block, &Places) -> u8) {
    words.fill(0);
    for (word, (blocks, places)) in words.iter_mut().zip(blocks.chunks(8).zip(places.chunks(8))) {
        for (i, (block, places)) in blocks.iter().zip(places).enumerate() {
            *word |= u64::from(bits(block, places)) << (8 * i);
        }
    }
}

use crate::Physics;
use crate::simd::{F64x4, Kernel, LANES, Simd};
use crate::state::bend::{BendLanes, BendProbe};
use crate::state::sweep_lanes::{LanePositions, Probe, SweepLanes};
use carom_math::Time;

/// The positions of all discs at one moment: scratch for the sweeps of an event, derived from the stored
/// states.
///
/// Computed once an event, as the search for touching neighbours and the new predictions of both discs need
/// them.
#[derive(Debug, Default)]
pub(crate) struct PositionsNow {
    time: Option<Time>,
    pub(crate) places: Vec<LanePositions>,
}

carom_broadphase::clone_fields!(PositionsNow: time, places);

impl PositionsNow {
    pub(crate) const NOWHERE: PositionsNow = PositionsNow { time: None, places: Vec::new() };

    /// To be called when a disc has been put elsewhere, not when it was stored where it is.
    pub(crate) fn invalidate(&mut self) {
        self.time = None;
    }

    #[inline(always)]
    pub(crate) fn is_at(&self, time: Time) -> bool {
        self.time == Some(time)
    }

    /// Computes the positions at `time`, and counts for each probe the discs within its slack, itself
    /// included.
    #[inline]
    pub(crate) fn take<const N: usize, P: Physics>(
        &mut self,
        simd: Simd,
        physics: &P,
        (blocks, bends): (&[SweepLanes], &[BendLanes]),
        time: Time,
        probes: &[Probe; N],
    ) -> u32 {
        if self.places.len() != blocks.len() {
            self.places.resize(blocks.len(), LanePositions { x: [f64::NAN; 8], y: [f64::NAN; 8] });
        }
        self.time = Some(time);
        simd.run(Take { physics, blocks, bends, places: &mut self.places, time, probes })
    }
}

struct Take<'a, const N: usize, P> {
    physics: &'a P,
    blocks: &'a [SweepLanes],
    /// One for each block, if paths bend.
    bends: &'a [BendLanes],
    places: &'a mut [LanePositions],
    time: Time,
    probes: &'a [Probe; N],
}

impl<const N: usize, P: Physics> Kernel for Take<'_, N, P> {
    type Output = u32;

    #[inline(always)]
    fn run<V: F64x4>(self) -> u32 {
        let mut near = 0;
        for (k, (block, places)) in self.blocks.iter().zip(self.places).enumerate() {
            if P::ACCELERATED {
                self.bends[k].note_positions::<V>(block, self.time, places);
            } else {
                block.note_positions::<V>(self.time, places);
            }
            for probe in self.probes {
                near += block.near::<V, P>(places, probe, self.physics).count_ones();
            }
        }
        near
    }
}

/// A sweep over all discs: a bit for each of those sought, the ones that may touch the probe now (`NEAR`), or
/// those on paths that meet the probe's.
pub(crate) struct Sweep<'a, P, const NEAR: bool> {
    pub(crate) physics: &'a P,
    pub(crate) blocks: &'a [SweepLanes],
    /// One for each block, if paths bend.
    pub(crate) bends: &'a [BendLanes],
    pub(crate) places: &'a [LanePositions],
    pub(crate) probe: &'a Probe,
    /// How the probe's path bends, if paths that meet it are sought and do bend.
    pub(crate) bend: Option<BendProbe>,
    /// At least a word for every eight blocks.
    pub(crate) words: &'a mut [u64],
}

impl<P: Physics, const NEAR: bool> Kernel for Sweep<'_, P, NEAR> {
    type Output = ();

    #[inline(always)]
    fn run<V: F64x4>(self) {
        let (mut word, mut shift, mut w) = (0, 0, 0);
        // One loop over the blocks, not one in another: its end is predicted.
        for (k, (block, places)) in self.blocks.iter().zip(self.places).enumerate() {
            // No closures in here: only functions inlined by force are compiled for the wide instructions.
            let bits = match &self.bend {
                _ if NEAR => block.near::<V, P>(places, self.probe, self.physics),
                Some(bend) => self.bends[k].meets::<V, P>(block, places, (self.probe, bend), self.physics),
                None => block.meets::<V, P>(places, self.probe, self.physics),
            };
            word |= u64::from(bits) << shift;
            self.words[w] = word;
            shift += LANES;
            if shift == 64 {
                (word, shift, w) = (0, 0, w + 1);
            }
        }
    }
}

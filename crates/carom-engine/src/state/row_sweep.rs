use crate::Physics;
use crate::physics::Reach;
use crate::simd::{F64x4, Kernel, Lanes, WIDTH};
use crate::state::sweep_lanes::{LanePositions, SweepLanes};
use carom_broadphase::{Least, PairRow, RowLanes, Slot};
use carom_math::toi::Motion;
use carom_math::tolerance::NEARLY_TOUCHING;

/// Fours in a block.
const HALVES: usize = 2;

/// A disc whose row is filled, and the rest that the lanes are held against.
#[derive(Clone, Copy)]
pub(crate) struct RowProbe<'a, P> {
    pub(crate) physics: &'a P,
    pub(crate) motion: &'a Motion,
    /// The stamp of its state, as the lanes have it; what no lane has if it is of no impact. Who has the same
    /// one has met it.
    pub(crate) stamp: f64,
    /// The number of slots.
    pub(crate) slots: usize,
    /// As [`carom_broadphase::EventTimes::resolution`].
    pub(crate) resolution: f64,
}

impl<P> RowProbe<'_, P> {
    /// What no stamp is.
    pub(crate) const NO_STAMP: u64 = u64::MAX;
}

/// Fills the row of a disc whose state is of this instant: [`carom_math::toi::disc_disc`] in every lane, in
/// the same operations, without a branch. `MASKED` leaves out who has no place in it.
///
/// There is no result if some that meet are nearly touching or overlap: these are to be asked for one by
/// one.
pub(crate) struct FillRow<'a, 'b, P, const MASKED: bool> {
    pub(crate) probe: RowProbe<'a, P>,
    pub(crate) blocks: &'a [SweepLanes],
    pub(crate) places: &'a [LanePositions],
    pub(crate) row: &'a mut PairRow<'b>,
}

impl<P: Physics, const MASKED: bool> Kernel for FillRow<'_, '_, P, MASKED> {
    type Output = Option<Least>;

    #[inline(always)]
    fn run<V: F64x4>(self) -> Option<Least> {
        let FillRow { probe, blocks, places, row } = self;
        let spread = Spread::<V>::new(&probe);
        let (own, never) = (V::splat(row.own), V::splat(f64::INFINITY));
        let (mut least, mut odd) = (never, V::splat(0.0));
        let mut left = probe.slots;
        let written = row.written.iter().zip(row.seconds.iter_mut());
        for ((block, places), (written, seconds)) in blocks.iter().zip(places).zip(written) {
            for half in 0..HALVES {
                let reach = probe.reach(spread.radius, block, half);
                let (dt, mut meets, is_odd) = spread.seconds(block, places, half, reach);
                if MASKED {
                    meets = meets.and(half_of::<V>(&written.0, half).less(own));
                }
                odd = odd.or(is_odd.and(meets));
                let dt = dt.select(meets, never);
                least = least.min(dt);
                dt.store(&mut seconds.0.as_chunks_mut().0[half]);
                if left <= WIDTH {
                    break;
                }
                left -= WIDTH;
            }
        }
        if odd.mask() != 0 {
            return None;
        }
        Some(found::<V>(row.seconds, least.smallest(), probe.resolution))
    }
}

impl<P: Physics> RowProbe<'_, P> {
    #[inline(always)]
    fn reach<V: F64x4>(&self, own: V, block: &SweepLanes, half: usize) -> V {
        if P::OWN_REACH {
            let radii = &block.radius.as_chunks::<WIDTH>().0[half];
            V::load(&core::array::from_fn(|l| self.physics.reach(self.motion.radius, radii[l])))
        } else {
            own + half_of(&block.radius, half)
        }
    }
}

/// A probe in all lanes.
#[derive(Clone, Copy)]
struct Spread<V> {
    x: V,
    y: V,
    vx: V,
    vy: V,
    radius: V,
    met: V,
    near: V,
    zero: V,
}

impl<V: F64x4> Spread<V> {
    #[inline(always)]
    fn new<P>(probe: &RowProbe<'_, P>) -> Self {
        let Motion { position, velocity, radius, .. } = *probe.motion;
        Spread {
            x: V::splat(position.x),
            y: V::splat(position.y),
            vx: V::splat(velocity.x),
            vy: V::splat(velocity.y),
            radius: V::splat(radius),
            met: V::splat(probe.stamp),
            near: V::splat(NEARLY_TOUCHING),
            zero: V::splat(0.0),
        }
    }

    /// Seconds to the meetings with four discs, and the masks of those on paths that meet, and of those that
    /// nearly touch or overlap.
    // Place and velocity are those relative to the others, not theirs to it: the same bits, as only products
    // of two count.
    #[inline(always)]
    fn seconds(&self, block: &SweepLanes, places: &LanePositions, half: usize, reach: V) -> (V, V, V) {
        let (dx, dy) = (self.x - half_of(&places.x, half), self.y - half_of(&places.y, half));
        let (vx, vy) = (self.vx - half_of(&block.vx, half), self.vy - half_of(&block.vy, half));
        let b = dx * vx + dy * vy;
        let cross = dx * vy - dy * vx;
        let reach2 = reach * reach;
        let disc = (vx * vx + vy * vy) * reach2 - cross * cross;
        let c = (dx * dx + dy * dy) - reach2;
        let dt = c / (disc.sqrt() - b);
        let has_met = half_of::<V>(&block.stamp, half).same_bits(self.met);
        let meets = b.less(self.zero).and(self.zero.less(disc)).unless(has_met);
        (dt, meets, c.less(self.near * reach2))
    }
}

#[inline(always)]
fn half_of<V: F64x4>(lanes: &Lanes, half: usize) -> V {
    V::load(&lanes.as_chunks().0[half])
}

/// Clears what in a row was written anew since, and finds the least of the rest.
pub(crate) struct SearchRow<'a, 'b> {
    pub(crate) row: &'a mut PairRow<'b>,
    pub(crate) resolution: f64,
}

impl Kernel for SearchRow<'_, '_> {
    type Output = Least;

    #[inline(always)]
    fn run<V: F64x4>(self) -> Least {
        let (mut least, never) = (V::splat(f64::INFINITY), V::splat(f64::INFINITY));
        for (written, seconds) in self.row.written.iter().zip(self.row.seconds.iter_mut()) {
            for half in 0..HALVES {
                let has_place = half_of::<V>(&written.0, half).less(V::splat(self.row.own));
                let kept = &mut seconds.0.as_chunks_mut().0[half];
                let dt = V::load(kept).select(has_place, never);
                dt.store(kept);
                least = least.min(dt);
            }
        }
        found::<V>(self.row.seconds, least.smallest(), self.resolution)
    }
}

/// Finds the least of some numbers.
pub(crate) struct FindLeast<'a>(pub(crate) &'a [RowLanes]);

impl Kernel for FindLeast<'_> {
    type Output = Least;

    #[inline(always)]
    fn run<V: F64x4>(self) -> Least {
        let mut least = V::splat(f64::INFINITY);
        for numbers in self.0 {
            let halves = numbers.0.as_chunks().0;
            least = least.min(V::load(&halves[0]).min(V::load(&halves[1])));
        }
        found::<V>(self.0, least.smallest(), 0.0)
    }
}

/// Where numbers are that are at most the least of all, or hardly larger.
#[inline(always)]
fn found<V: F64x4>(numbers: &[RowLanes], seconds: f64, resolution: f64) -> Least {
    let limit = V::splat(seconds + resolution);
    let (mut column, mut count) = (0, 0);
    // A word at a time, so that few have one branch for all.
    for (w, numbers) in (0..).zip(numbers.chunks(64 / RowLanes::WIDTH)) {
        let (mut word, mut shift) = (0_u64, 0);
        for numbers in numbers {
            let halves = numbers.0.as_chunks().0;
            let one = V::load(&halves[0]).at_most(limit).mask();
            let other = V::load(&halves[1]).at_most(limit).mask();
            word |= u64::from(one | other << WIDTH) << shift;
            shift += RowLanes::WIDTH;
        }
        if word != 0 {
            column = if count == 0 { 64 * w + word.trailing_zeros() } else { column };
            count += word.count_ones();
        }
    }
    Least { seconds, column: column as Slot, is_tied: count > 1 }
}

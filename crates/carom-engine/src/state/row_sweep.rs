use crate::Physics;
use crate::physics::Reach;
use crate::simd::{F64x4, Kernel, WIDTH, half_of};
use crate::state::record::Record;
use crate::state::stamp::Stamp;
use crate::state::sweep_lanes::{LanePositions, SweepLanes};
use carom_broadphase::{PairRow, RowLanes, RowMin, Slot};
use carom_math::Time;
use carom_math::toi::Motion;
use carom_math::tolerance::NEARLY_TOUCHING;

/// Fours in a block.
pub(super) const HALVES: usize = 2;

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
    const NO_STAMP: u64 = u64::MAX;

    /// The stamp of the discs that one has just met, as the lanes have it.
    #[inline(always)]
    pub(crate) fn stamp_of(record: &Record) -> f64 {
        let stamp = record.tag.stamp();
        f64::from_bits(if stamp == Stamp::NONE { Self::NO_STAMP } else { stamp.bits() })
    }
}

/// Where all discs are at an instant.
pub(crate) trait Places {
    /// Four discs of a block.
    fn of<V: F64x4>(&self, b: usize, block: &SweepLanes, half: usize) -> (V, V);
}

/// They were noted.
pub(crate) struct Noted<'a>(pub(crate) &'a [LanePositions]);

/// They are placed on the way.
pub(crate) struct PlacedAt(pub(crate) Time);

impl Places for Noted<'_> {
    #[inline(always)]
    fn of<V: F64x4>(&self, b: usize, _: &SweepLanes, half: usize) -> (V, V) {
        (half_of(&self.0[b].x, half), half_of(&self.0[b].y, half))
    }
}

impl Places for PlacedAt {
    #[inline(always)]
    fn of<V: F64x4>(&self, _: usize, block: &SweepLanes, half: usize) -> (V, V) {
        block.places_at(half, self.0)
    }
}

/// Fills the row of a disc whose state is of this instant: [`carom_math::toi::disc_disc`] in every lane, in
/// the same operations, without a branch. `MASKED` leaves out the lanes that have no place in it.
///
/// There is no result if some that meet are nearly touching or overlap: these are to be asked for one by
/// one.
pub(crate) struct FillRow<'a, 'b, P, L, const MASKED: bool> {
    pub(crate) probe: RowProbe<'a, P>,
    pub(crate) blocks: &'a [SweepLanes],
    pub(crate) places: L,
    pub(crate) row: &'a mut PairRow<'b>,
}

impl<P: Physics, L: Places, const MASKED: bool> Kernel for FillRow<'_, '_, P, L, MASKED> {
    type Output = Option<RowMin>;

    #[inline(always)]
    fn run<V: F64x4>(self) -> Option<RowMin> {
        let FillRow { probe, blocks, places, row } = self;
        let spread = Spread::<V>::new(probe.motion, probe.stamp);
        let (own, never) = (V::splat(row.own), V::splat(f64::INFINITY));
        let (mut least, mut odd) = (never, V::splat(0.0));
        for four in 0..probe.slots.div_ceil(WIDTH) {
            let (b, half) = (four / HALVES, four % HALVES);
            let block = &blocks[b];
            let reach = probe.reach(spread.radius, block, half);
            let has_met = half_of::<V>(&block.stamp, half).same_bits(spread.met);
            let (dt, mut meets, is_odd) = spread.seconds(block, places.of(b, block, half), half, reach);
            meets = meets.unless(has_met);
            if MASKED {
                meets = meets.and(half_of::<V>(&row.written[b].0, half).less(own));
            }
            odd = odd.or(is_odd.and(meets));
            let dt = dt.select(meets, never);
            least = least.min(dt);
            dt.store(&mut row.seconds[b].0.as_chunks_mut().0[half]);
        }
        if odd.mask() != 0 {
            return None;
        }
        Some(found::<V>(row.seconds, least.smallest(), probe.resolution))
    }
}

/// As [`FillRow`] with a mask, in a world of at most eight discs, whose places are noted.
pub(crate) struct FillRowOfEight<'a> {
    pub(crate) motion: &'a Motion,
    /// As in [`RowProbe`].
    pub(crate) stamp: f64,
    pub(crate) slots: usize,
    pub(crate) resolution: f64,
    pub(crate) block: &'a SweepLanes,
    pub(crate) places: &'a LanePositions,
    pub(crate) written: &'a RowLanes,
    /// The number of the disc's own write.
    pub(crate) own: f64,
    pub(crate) row: &'a mut RowLanes,
}

impl Kernel for FillRowOfEight<'_> {
    type Output = Option<RowMin>;

    #[inline(always)]
    fn run<V: F64x4>(self) -> Option<RowMin> {
        let spread = Spread::<V>::new(self.motion, self.stamp);
        let (own, never) = (V::splat(self.own), V::splat(f64::INFINITY));
        let (mut least, mut odd) = (never, V::splat(0.0));
        for half in 0..if self.slots > WIDTH { HALVES } else { 1 } {
            let reach = half_of::<V>(&self.block.radius, half) + spread.radius;
            let place = (half_of(&self.places.x, half), half_of(&self.places.y, half));
            let (dt, meets, is_odd) = spread.seconds(self.block, place, half, reach);
            let has_met = half_of::<V>(&self.block.stamp, half).same_bits(spread.met);
            let meets = meets.unless(has_met).and(half_of::<V>(&self.written.0, half).less(own));
            odd = odd.or(is_odd.and(meets));
            let dt = dt.select(meets, never);
            least = least.min(dt);
            dt.store(&mut self.row.0.as_chunks_mut().0[half]);
        }
        if odd.mask() != 0 {
            return None;
        }
        Some(found::<V>(core::slice::from_ref(self.row), least.smallest(), self.resolution))
    }
}

/// Fills the rows of the discs of an impact, whose states after it, with its stamp, are in the lanes: as
/// [`FillRow`], for all of them in one pass, in which the places of the others come out.
///
/// There is no result if another disc touches or nearly touches one of these: the rows mean nothing then.
pub(crate) struct FillRows<'a, const N: usize> {
    pub(crate) time: Time,
    pub(crate) records: &'a [Record; N],
    pub(crate) blocks: &'a [SweepLanes],
    pub(crate) rows: [&'a mut [RowLanes]; N],
    /// As in [`RowProbe`].
    pub(crate) slots: usize,
    pub(crate) resolution: f64,
}

impl<const N: usize> Kernel for FillRows<'_, N> {
    type Output = Option<[RowMin; N]>;

    #[inline(always)]
    fn run<V: F64x4>(self) -> Option<[RowMin; N]> {
        let met = f64::from_bits(self.records[0].tag.stamp().bits());
        let never = V::splat(f64::INFINITY);
        let mut spread = [Spread::<V>::new(&self.records[0].motion(), met); N];
        for (spread, record) in spread.iter_mut().zip(self.records) {
            *spread = Spread::new(&record.motion(), met);
        }
        let (mut least, mut close) = ([never; N], V::splat(0.0));
        for four in 0..self.slots.div_ceil(WIDTH) {
            let (b, half) = (four / HALVES, four % HALVES);
            let block = &self.blocks[b];
            let place = block.places_at(half, self.time);
            let has_met = half_of::<V>(&block.stamp, half).same_bits(spread[0].met);
            for k in 0..N {
                let reach = half_of::<V>(&block.radius, half) + spread[k].radius;
                let (dt, meets, is_close) = spread[k].seconds(block, place, half, reach);
                close = close.or(is_close.unless(has_met));
                let dt = dt.select(meets.unless(has_met), never);
                least[k] = least[k].min(dt);
                dt.store(&mut self.rows[k][b].0.as_chunks_mut().0[half]);
            }
        }
        if close.mask() != 0 {
            return None;
        }
        let mut all = [RowMin { seconds: f64::INFINITY, column: 0, is_tied: false }; N];
        for k in 0..N {
            all[k] = found::<V>(self.rows[k], least[k].smallest(), self.resolution);
        }
        Some(all)
    }
}

impl SweepLanes {
    /// Where four discs are at a time: the arithmetic of [`SweepLanes::note_positions`].
    #[inline(always)]
    pub(super) fn places_at<V: F64x4>(&self, half: usize, time: Time) -> (V, V) {
        let started = V::splat(time.epoch_start()) - half_of(&self.start, half);
        let age = started + (V::splat(time.offset()) - half_of(&self.offset, half));
        let x = half_of::<V>(&self.x, half) + half_of::<V>(&self.vx, half) * age;
        (x, half_of::<V>(&self.y, half) + half_of::<V>(&self.vy, half) * age)
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
pub(super) struct Spread<V> {
    x: V,
    y: V,
    vx: V,
    vy: V,
    pub(super) radius: V,
    met: V,
    near: V,
    zero: V,
}

impl<V: F64x4> Spread<V> {
    #[inline(always)]
    pub(super) fn new(motion: &Motion, met: f64) -> Self {
        let Motion { position, velocity, radius, .. } = *motion;
        Spread {
            x: V::splat(position.x),
            y: V::splat(position.y),
            vx: V::splat(velocity.x),
            vy: V::splat(velocity.y),
            radius: V::splat(radius),
            met: V::splat(met),
            near: V::splat(NEARLY_TOUCHING),
            zero: V::splat(0.0),
        }
    }

    /// As [`Spread::seconds_to`], of four discs of a block.
    #[inline(always)]
    fn seconds(&self, block: &SweepLanes, place: (V, V), half: usize, reach: V) -> (V, V, V) {
        self.seconds_to(place, (half_of(&block.vx, half), half_of(&block.vy, half)), reach)
    }

    /// Seconds to the meetings with four discs that are there, and the masks of those on paths that meet, and
    /// of those that nearly touch or overlap.
    #[inline(always)]
    pub(super) fn seconds_to(&self, (x, y): (V, V), (vx, vy): (V, V), reach: V) -> (V, V, V) {
        let (dx, dy) = (x - self.x, y - self.y);
        let (vx, vy) = (vx - self.vx, vy - self.vy);
        let b = dx * vx + dy * vy;
        let cross = dx * vy - dy * vx;
        let reach2 = reach * reach;
        let disc = (vx * vx + vy * vy) * reach2 - cross * cross;
        let c = (dx * dx + dy * dy) - reach2;
        let dt = c / (disc.sqrt() - b);
        (dt, b.less(self.zero).and(self.zero.less(disc)), c.less(self.near * reach2))
    }
}

/// Clears what in a row was written anew since, and finds the least of the rest.
pub(crate) struct SearchRow<'a, 'b> {
    pub(crate) row: &'a mut PairRow<'b>,
    pub(crate) resolution: f64,
}

impl Kernel for SearchRow<'_, '_> {
    type Output = RowMin;

    #[inline(always)]
    fn run<V: F64x4>(self) -> RowMin {
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
pub(crate) struct FindRowMin<'a>(pub(crate) &'a [RowLanes]);

impl Kernel for FindRowMin<'_> {
    type Output = RowMin;

    #[inline(always)]
    fn run<V: F64x4>(self) -> RowMin {
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
pub(super) fn found<V: F64x4>(numbers: &[RowLanes], seconds: f64, resolution: f64) -> RowMin {
    let limit = V::splat(seconds + resolution);
    // Without a loop over words for few, which are the most frequent.
    let (few, more) = numbers.split_at(numbers.len().min(LANES_IN_WORD));
    let bits = bits_at_most(few, limit);
    let (mut column, mut count) = (bits.trailing_zeros(), bits.count_ones());
    for (first, numbers) in (u64::BITS..).step_by(u64::BITS as usize).zip(more.chunks(LANES_IN_WORD)) {
        let bits = bits_at_most(numbers, limit);
        column = if bits != 0 { first + bits.trailing_zeros() } else { column };
        count += bits.count_ones();
    }
    RowMin { seconds, column: column as Slot, is_tied: count > 1 }
}

/// This many eights of numbers have a bit each in a word.
const LANES_IN_WORD: usize = u64::BITS as usize / RowLanes::WIDTH;

/// A bit for each number that is at most a limit.
#[inline(always)]
fn bits_at_most<V: F64x4>(numbers: &[RowLanes], limit: V) -> u64 {
    let mut bits = 0;
    for (shift, numbers) in (0..).step_by(RowLanes::WIDTH).zip(numbers) {
        let halves = numbers.0.as_chunks().0;
        let one = V::load(&halves[0]).at_most(limit).mask();
        let other = V::load(&halves[1]).at_most(limit).mask();
        bits |= u64::from(one | other << WIDTH) << shift;
    }
    bits
}

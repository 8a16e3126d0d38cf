use crate::simd::{F64x4, Kernel, WIDTH};
use crate::state::record::Record;
use crate::state::sweep_lanes::Probe;
use carom_broadphase::{CellGrid, Meeting, NextMeeting, Slot};
use carom_math::Periods;
use carom_math::tolerance::NEARLY_TOUCHING;

/// Most neighbours that are scanned. So short a list does not change between an impact and the plan after it.
pub(crate) const MOST: usize = CellGrid::CROWD;

// Whole vectors, and a bit for each lane.
const _: () = assert!(MOST.is_multiple_of(WIDTH) && MOST <= u32::BITS as usize);

const NONE: &[Slot] = &[];

/// The pair times of a disc with its neighbours, four at a time.
///
/// The operations are those of [`carom_math::toi::disc_disc`], in the same order, so the bits are, too. Pairs
/// that need more than these (that may come from the same impact, pass through each other, or nearly touch)
/// are left to the plain form.
#[derive(Clone, Copy)]
pub(crate) struct NeighbourScan<'a> {
    pub(crate) records: &'a [Record],
    pub(crate) slot: Slot,
    /// The disc's record, as stored or as it is going to be; its mass is finite.
    pub(crate) own: &'a Record,
    /// The disc of the same impact, which is left out; the disc itself if there is none.
    pub(crate) but: Slot,
    /// At most [`MOST`]; the disc itself may be among them.
    pub(crate) others: &'a [Slot],
    pub(crate) periods: &'a Periods,
    /// Seconds from the time of the disc's state to that at which images are to be nearest.
    pub(crate) ahead: f64,
    /// The difference below which two times may be rounded to one.
    pub(crate) close: f64,
    /// That of the disc's [`Probe`], if what is near is asked for.
    pub(crate) slack: f64,
}

/// What a scan finds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScanResult {
    /// A bit for each of the others with the least time, or one so close that rounding may make them equal.
    pub(crate) first: u32,
    /// The least of the times, in seconds from that of the disc's state; infinite if there is none.
    pub(crate) dt: f64,
    /// A bit for each of those left to the plain form.
    pub(crate) left: u32,
    /// Whether another disc is near at the present, as [`Probe::is_near`], if that was asked for.
    pub(crate) touched: bool,
}

impl ScanResult {
    /// Of no neighbours.
    const NONE: ScanResult = ScanResult { first: 0, dt: f64::INFINITY, left: 0, touched: false };

    /// The first meeting of the disc in `slot` with one of these neighbours, unless the plain form is to
    /// decide.
    #[inline(always)]
    pub(crate) fn next_meeting(&self, slot: Slot, others: &[Slot]) -> NextMeeting {
        let &ScanResult { first, dt, left, .. } = self;
        if left != 0 || first & first.wrapping_sub(1) != 0 {
            return NextMeeting::UNKNOWN;
        }
        let other = others.get(first.trailing_zeros() as usize).copied().unwrap_or(Meeting::NEVER.other);
        NextMeeting { slot, other, dt }
    }
}

/// Runs scans. With `NOW` their discs' states are of the present, so that no other's is later, and what is
/// near is asked for.
pub(crate) struct Scans<'a, const N: usize, const NOW: bool>(pub(crate) [NeighbourScan<'a>; N]);

impl<const N: usize, const NOW: bool> Kernel for &Scans<'_, N, NOW> {
    type Output = [ScanResult; N];

    #[inline(always)]
    fn run<V: F64x4>(self) -> [ScanResult; N] {
        let mut results = [ScanResult::NONE; N];
        for (result, scan) in results.iter_mut().zip(&self.0) {
            *result = scan.run::<V, NOW>();
        }
        results
    }
}

/// The times of four neighbours, a bit for each of those left to the plain form, and for each that is near.
#[derive(Clone, Copy)]
struct FourResults<V> {
    times: V,
    left: u32,
    near: u32,
}

impl NeighbourScan<'_> {
    #[inline(always)]
    pub(crate) fn run<V: F64x4, const NOW: bool>(&self) -> ScanResult {
        // Most lists are filled up to this length.
        if let [a, b, c, d, e, f, g, h] = *self.others {
            let (low, high) = (self.four::<V, NOW>([a, b, c, d]), self.four::<V, NOW>([e, f, g, h]));
            let dt = low.times.min(high.times).smallest();
            let limit = V::splat(self.limit(dt));
            let first = low.times.at_most(limit).mask() | high.times.at_most(limit).mask() << WIDTH;
            return ScanResult {
                first: if dt < f64::INFINITY { first } else { 0 },
                dt,
                left: low.left | high.left << WIDTH,
                touched: (low.near | high.near) != 0,
            };
        }
        let mut all = [V::splat(f64::INFINITY); MOST / WIDTH];
        let mut rest = self.others;
        let (mut least, mut left, mut near, mut at) = (all[0], 0, 0, 0);
        for times in &mut all {
            // Filled up with the disc itself, which it does not meet.
            let (slots, more) = match *rest {
                [a, b, c, d, ref more @ ..] => ([a, b, c, d], more),
                [a, b, c] => ([a, b, c, self.slot], NONE),
                [a, b] => ([a, b, self.slot, self.slot], NONE),
                [a] => ([a, self.slot, self.slot, self.slot], NONE),
                [] => break,
            };
            rest = more;
            let four = self.four::<V, NOW>(slots);
            *times = four.times;
            least = least.min(*times);
            left |= four.left << at;
            near |= four.near;
            at += WIDTH;
        }
        let dt = least.smallest();
        let first = if dt < f64::INFINITY { first_of(&all, at, self.limit(dt)) } else { 0 };
        ScanResult { first, dt, left, touched: near != 0 }
    }

    /// Times up to this may be rounded to one with the least.
    #[inline(always)]
    fn limit(&self, least: f64) -> f64 {
        least + least * 1e-12 + self.close
    }

    #[inline(always)]
    fn four<V: F64x4, const NOW: bool>(&self, slots: [Slot; WIDTH]) -> FourResults<V> {
        let own = self.own;
        let [a, b, c, d] = slots;
        let [[x, y, vx, vy], [start, offset, radius, tags]] = Record::columns::<V>([
            &self.records[a as usize], &self.records[b as usize], &self.records[c as usize],
            &self.records[d as usize],
        ]);
        let excluded = V::either(slots, self.slot, self.but);
        let age = (V::splat(own.start) - start) + (V::splat(own.offset) - offset);
        let mut dx = (x + vx * age) - V::splat(own.x);
        let mut dy = (y + vy * age) - V::splat(own.y);
        let (wx, wy) = (vx - V::splat(own.vx), vy - V::splat(own.vy));
        if !self.periods.is_open() {
            let mut at = [dx, dy];
            if !NOW {
                let ahead = V::splat(self.ahead);
                at = [dx + wx * ahead, dy + wy * ahead];
            }
            (dx, dy) = image(self.periods, [dx, dy], at);
        }
        let reach = V::splat(own.radius) + radius;
        let mut near = 0;
        if NOW {
            let limit = reach * V::splat(Probe::NEAR) + V::splat(self.slack);
            near = (dx * dx + dy * dy).at_most(limit * limit).unless(excluded).mask();
        }
        let (dt, mut meets, nearly) = time_of_impact(dx, dy, wx, wy, reach);
        meets = meets.unless(excluded);
        if !NOW {
            // Of two times the later one has the greater sum of its parts' differences, whatever the
            // rounding.
            meets = meets.unless(age.less(V::splat(0.0)));
        }
        let mut special = nearly.or(tags.high_bits());
        // The state that an impact leaves is no other's.
        if !NOW && own.tag.bits() != 0 {
            special = special.or(tags.same_bits(V::splat(f64::from_bits(own.tag.bits()))));
        }
        special = special.and(meets);
        let times = dt.select(meets.unless(special), V::splat(f64::INFINITY));
        FourResults { times, left: special.mask(), near }
    }
}

/// The time of impact, the mask of where there is one, and the mask of where discs nearly touch.
#[inline(always)]
fn time_of_impact<V: F64x4>(dx: V, dy: V, wx: V, wy: V, reach: V) -> (V, V, V) {
    let zero = V::splat(0.0);
    let (approach, cross, reach2) = (dx * wx + dy * wy, dx * wy - dy * wx, reach * reach);
    let disc = (wx * wx + wy * wy) * reach2 - cross * cross;
    let gap = (dx * dx + dy * dy) - reach2;
    let near = reach2 * V::splat(NEARLY_TOUCHING);
    let meets = approach.less(zero).and(zero.less(disc));
    let nearly = gap.less(near).and((zero - near).less(gap));
    let dt = (gap / ((zero - approach) + disc.sqrt())).unless(gap.at_most(zero));
    (dt, meets, nearly)
}

/// A bit for each time up to `limit`.
#[inline(always)]
fn first_of<V: F64x4>(times: &[V; MOST / WIDTH], end: usize, limit: f64) -> u32 {
    let (limit, mut first) = (V::splat(limit), 0);
    for (times, at) in times.iter().zip((0..end).step_by(WIDTH)) {
        first |= times.at_most(limit).mask() << at;
    }
    first
}

/// Those images of displacements that are nearest when they are at `at`: the arithmetic of
/// [`Periods::whole_periods`] and [`Periods::image`].
#[inline(always)]
pub(super) fn image<V: F64x4>(periods: &Periods, [dx, dy]: [V; 2], [x, y]: [V; 2]) -> (V, V) {
    let (inverse, lengths, rounder) = (periods.inverse(), periods.lengths(), V::splat(Periods::ROUNDER));
    let across = (x * V::splat(inverse.x) + rounder) - rounder;
    let up = (y * V::splat(inverse.y) + rounder) - rounder;
    (dx - across * V::splat(lengths.x), dy - up * V::splat(lengths.y))
}

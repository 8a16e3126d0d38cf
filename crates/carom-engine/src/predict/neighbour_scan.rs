use crate::simd::f64x4::{F64x4, WIDTH};
use crate::state::record::Record;
use crate::state::sweep_lanes::Probe;
use carom_broadphase::{CellGrid, Meeting, NextMeeting, Slot};
use carom_math::Periods;
use carom_math::tolerance::NEARLY_TOUCHING;

/// Most neighbours that are looked at at once. Of those who have so few the list is not changed before they are planned
/// anew after an impact.
pub(crate) const MOST: usize = CellGrid::CROWD;

// Whole quads, and a bit for each.
const _: () = assert!(MOST.is_multiple_of(WIDTH) && MOST <= u32::BITS as usize);

const NOBODY: &[Slot] = &[];

/// The pair times of a disc with its neighbours, four at a time.
///
/// The operations are those of [`carom_math::toi::disc_disc`], in the same order, so the bits are, too. What needs more
/// than these (who may have just met, who pass through each other, who nearly touch) is left to the plain form.
#[derive(Clone, Copy)]
pub(crate) struct NeighbourScan<'a> {
    pub(crate) records: &'a [Record],
    pub(crate) slot: Slot,
    /// The disc as it is stored, or as it is going to be; not of a special class.
    pub(crate) own: &'a Record,
    /// With whom it has the impact that leaves it so: these two do not meet again. Itself, if there is none.
    pub(crate) but: Slot,
    /// At most [`MOST`]; itself may be among them.
    pub(crate) others: &'a [Slot],
    pub(crate) periods: &'a Periods,
    /// Seconds from the time of the disc's state to that at which images are to be nearest.
    pub(crate) ahead: f64,
    /// The difference below which two times may be rounded to one.
    pub(crate) close: f64,
    /// Where it is asked who is near: as of a [`Probe`].
    pub(crate) slack: f64,
}

/// Whom the disc meets first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScanResult {
    /// Places among the others of those whose times are the least, or so near to it that rounding may make them equal.
    pub(crate) first: u32,
    /// The least of the times, in seconds from that of the disc's state; infinite if there is none.
    pub(crate) dt: f64,
    /// Those that the plain form is to decide.
    pub(crate) left: u32,
    /// Whether somebody is near it now, as [`Probe::is_near`] tells, if that was asked.
    pub(crate) touched: bool,
}

impl ScanResult {
    /// Of no neighbours.
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    pub(crate) const NONE: ScanResult = ScanResult { first: 0, dt: f64::INFINITY, left: 0, touched: false };

    /// The first meeting of the disc in `slot` with one of these neighbours, unless the plain form is to decide.
    #[inline(always)]
    pub(crate) fn next_meeting(&self, slot: Slot, others: &[Slot]) -> NextMeeting {
        let &ScanResult { first, dt, left, .. } = self;
        if left != 0 || first & first.wrapping_sub(1) != 0 {
            return NextMeeting::UNKNOWN;
        }
        let other = others.get(first.trailing_zeros() as usize).copied().unwrap_or(Meeting::NEVER.other);
        NextMeeting { slot, meeting: Meeting { other, dt } }
    }
}

/// The times of four neighbours, and a bit for each of those that the plain form is to decide, and of those who are near.
#[derive(Clone, Copy)]
struct FourResults<Q> {
    times: Q,
    left: u32,
    near: u32,
}

impl NeighbourScan<'_> {
    /// With `NOW` for a disc whose state is of this very moment, as all others' are then earlier: tells whether somebody is
    /// near, too.
    #[inline(always)]
    pub(crate) fn run<Q: F64x4, const NOW: bool>(&self) -> ScanResult {
        // Lists are filled up to this length, mostly.
        if let [a, b, c, d, e, f, g, h] = *self.others {
            let low = self.quad::<Q, NOW>([a, b, c, d]);
            let high = self.quad::<Q, NOW>([e, f, g, h]);
            let dt = low.times.least(high.times).smallest();
            let limit = Q::splat(self.limit(dt));
            let first = low.times.at_most(limit).bits() | high.times.at_most(limit).bits() << WIDTH;
            return ScanResult {
                first: if dt < f64::INFINITY { first } else { 0 },
                dt,
                left: low.left | high.left << WIDTH,
                touched: (low.near | high.near) != 0,
            };
        }
        let mut all = [Q::splat(f64::INFINITY); MOST / WIDTH];
        let mut rest = self.others;
        let (mut least, mut left, mut near, mut at) = (all[0], 0, 0, 0);
        for times in &mut all {
            // Filled up with the disc itself, whom it does not meet.
            let (slots, more) = match *rest {
                [a, b, c, d, ref more @ ..] => ([a, b, c, d], more),
                [a, b, c] => ([a, b, c, self.slot], NOBODY),
                [a, b] => ([a, b, self.slot, self.slot], NOBODY),
                [a] => ([a, self.slot, self.slot, self.slot], NOBODY),
                [] => break,
            };
            rest = more;
            let four = self.quad::<Q, NOW>(slots);
            *times = four.times;
            least = least.least(*times);
            left |= four.left << at;
            near |= four.near;
            at += WIDTH;
        }
        let dt = least.smallest();
        let first = if dt < f64::INFINITY { first_of(&all, at, self.limit(dt)) } else { 0 };
        ScanResult { first, dt, left, touched: near != 0 }
    }

    /// Times up to this may be rounded to one with that which is the least.
    #[inline(always)]
    fn limit(&self, least: f64) -> f64 {
        least + least * 1e-12 + self.close
    }

    #[inline(always)]
    fn quad<Q: F64x4, const NOW: bool>(&self, slots: [Slot; WIDTH]) -> FourResults<Q> {
        let own = self.own;
        let [of_x, of_y, of_vx, of_vy, of_start, of_offset, of_radius, tags] = Q::columns(
            &self.records[slots[0] as usize],
            &self.records[slots[1] as usize],
            &self.records[slots[2] as usize],
            &self.records[slots[3] as usize],
        );
        let nobody = Q::either(&slots, self.slot, self.but);
        let age = Q::splat(own.start).minus(of_start).plus(Q::splat(own.offset).minus(of_offset));
        let mut dx = of_x.plus(of_vx.times(age)).minus(Q::splat(own.x));
        let mut dy = of_y.plus(of_vy.times(age)).minus(Q::splat(own.y));
        let (wx, wy) = (of_vx.minus(Q::splat(own.vx)), of_vy.minus(Q::splat(own.vy)));
        if !self.periods.is_open() {
            let (mut x, mut y) = (dx, dy);
            if !NOW {
                let ahead = Q::splat(self.ahead);
                (x, y) = (dx.plus(wx.times(ahead)), dy.plus(wy.times(ahead)));
            }
            (dx, dy) = image(self.periods, [dx, dy], [x, y]);
        }
        let reach = Q::splat(own.radius).plus(of_radius);
        let mut near = 0;
        if NOW {
            let limit = reach.times(Q::splat(Probe::NEAR)).plus(Q::splat(self.slack));
            let distance2 = dx.times(dx).plus(dy.times(dy));
            near = distance2.at_most(limit.times(limit)).unless(nobody).bits();
        }
        let (dt, mut meets, nearly) = time_of_impact(dx, dy, wx, wy, reach);
        meets = meets.unless(nobody);
        if !NOW {
            // Of two times the later one has the greater sum of its parts' differences, whatever the rounding.
            meets = meets.unless(age.less(Q::splat(0.0)));
        }
        // The state that an impact leaves is no other's.
        let special =
            nearly.or(if NOW { tags.is_of_class() } else { tags.special(own.tag.bits()) }).and(meets);
        FourResults {
            times: dt.chosen(meets.unless(special), Q::splat(f64::INFINITY)),
            left: special.bits(),
            near,
        }
    }
}

/// The time of impact, where the second answer says that there is one; and where it takes the plain form to tell.
#[inline(always)]
fn time_of_impact<Q: F64x4>(dx: Q, dy: Q, wx: Q, wy: Q, reach: Q) -> (Q, Q, Q) {
    let zero = Q::splat(0.0);
    let approach = dx.times(wx).plus(dy.times(wy));
    let cross = dx.times(wy).minus(dy.times(wx));
    let reach2 = reach.times(reach);
    let disc = wx.times(wx).plus(wy.times(wy)).times(reach2).minus(cross.times(cross));
    let gap = dx.times(dx).plus(dy.times(dy)).minus(reach2);
    let near = reach2.times(Q::splat(NEARLY_TOUCHING));
    let meets = approach.less(zero).and(zero.less(disc));
    let nearly = gap.less(near).and(zero.minus(near).less(gap));
    let dt = gap.over(zero.minus(approach).plus(disc.root())).unless(gap.at_most(zero));
    (dt, meets, nearly)
}

/// Those whose times are the least, or too near to it to tell.
#[inline(always)]
fn first_of<Q: F64x4>(times: &[Q; MOST / WIDTH], end: usize, limit: f64) -> u32 {
    let (limit, mut first) = (Q::splat(limit), 0);
    for (times, at) in times.iter().zip((0..end).step_by(WIDTH)) {
        first |= times.at_most(limit).bits() << at;
    }
    first
}

/// Those images of displacements that are nearest when they are at other places: the arithmetic of [`Periods::turns`] and
/// [`Periods::image`].
#[inline(always)]
fn image<Q: F64x4>(periods: &Periods, [dx, dy]: [Q; 2], [x, y]: [Q; 2]) -> (Q, Q) {
    let (inverse, lengths, rounder) = (periods.inverse(), periods.lengths(), Q::splat(Periods::ROUNDER));
    let across = x.times(Q::splat(inverse.x)).plus(rounder).minus(rounder);
    let up = y.times(Q::splat(inverse.y)).plus(rounder).minus(rounder);
    (dx.minus(across.times(Q::splat(lengths.x))), dy.minus(up.times(Q::splat(lengths.y))))
}

use crate::quad::{QUAD, Quad};
use crate::store::block::Probe;
use crate::store::record::Record;
use carom_broadphase::{CellGrid, Slot};
use carom_math::Periods;
use carom_math::tolerance::NEARLY_TOUCHING;

/// Most neighbours that are looked at at once. Of those who have so few the list is not changed before they are planned
/// anew after an impact.
pub(crate) const MOST: usize = CellGrid::CROWD;

// Whole quads, and a bit for each.
const _: () = assert!(MOST.is_multiple_of(QUAD) && MOST <= u32::BITS as usize);

const NOBODY: &[Slot] = &[];

/// The pair times of a disc with its neighbours, four at a time.
///
/// The operations are those of [`carom_math::toi::disc_disc`], in the same order, so the bits are, too. What needs more
/// than these (who may have just met, who pass through each other, who nearly touch) is left to the plain form.
pub(crate) struct Course<'a> {
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
pub(crate) struct Times {
    /// Places among the others of those whose times are the least, or so near to it that rounding may make them equal.
    pub(crate) first: u32,
    /// The least of the times, in seconds from that of the disc's state; infinite if there is none.
    pub(crate) dt: f64,
    /// Those that the plain form is to decide.
    pub(crate) left: u32,
    /// Whether somebody is near it now, as [`Probe::is_near`] tells, if that was asked.
    pub(crate) has_company: bool,
}

impl Course<'_> {
    /// With `NOW` for a disc whose state is of this very moment, as all others' are then earlier: tells whether somebody is
    /// near, too.
    #[inline(always)]
    pub(crate) fn run<Q: Quad, const NOW: bool>(&self) -> Times {
        let own = self.own;
        let tag = own.tag.bits();
        let (zero, never) = (Q::splat(0.0), Q::splat(f64::INFINITY));
        let (x, y, vx, vy) = (Q::splat(own.x), Q::splat(own.y), Q::splat(own.vx), Q::splat(own.vy));
        let (start, offset, radius) = (Q::splat(own.start), Q::splat(own.offset), Q::splat(own.radius));
        let image = Image::<Q>::new(self.periods);
        let ahead = Q::splat(self.ahead);
        let mut times = [never; MOST / QUAD];
        let mut rest = self.others;
        let (mut least, mut left, mut near, mut at) = (never, 0, 0, 0);
        for times in &mut times {
            // Filled up with the disc itself, whom it does not meet.
            let (slots, more) = match *rest {
                [a, b, c, d, ref more @ ..] => ([a, b, c, d], more),
                [a, b, c] => ([a, b, c, self.slot], NOBODY),
                [a, b] => ([a, b, self.slot, self.slot], NOBODY),
                [a] => ([a, self.slot, self.slot, self.slot], NOBODY),
                [] => break,
            };
            rest = more;
            let [of_x, of_y, of_vx, of_vy, of_start, of_offset, of_radius, tags] = Q::columns(
                &self.records[slots[0] as usize],
                &self.records[slots[1] as usize],
                &self.records[slots[2] as usize],
                &self.records[slots[3] as usize],
            );
            let nobody = Q::either(&slots, self.slot, self.but);
            let age = start.minus(of_start).plus(offset.minus(of_offset));
            let mut dx = of_x.plus(of_vx.times(age)).minus(x);
            let mut dy = of_y.plus(of_vy.times(age)).minus(y);
            let (wx, wy) = (of_vx.minus(vx), of_vy.minus(vy));
            if !self.periods.is_open() {
                (dx, dy) = if NOW {
                    image.at(dx, dy, dx, dy)
                } else {
                    image.at(dx, dy, dx.plus(wx.times(ahead)), dy.plus(wy.times(ahead)))
                };
            }
            let reach = radius.plus(of_radius);
            if NOW {
                let limit = reach.times(Q::splat(Probe::NEAR)).plus(Q::splat(self.slack));
                let distance2 = dx.times(dx).plus(dy.times(dy));
                near |= distance2.at_most(limit.times(limit)).unless(nobody).bits();
            }
            let (dt, mut meets, nearly) = meeting(dx, dy, wx, wy, reach);
            meets = meets.unless(nobody);
            if !NOW {
                // Of two times the later one has the greater sum of its parts' differences, whatever the rounding.
                meets = meets.unless(age.less(zero));
            }
            // The state that an impact leaves is no other's.
            let special = nearly.or(if NOW { tags.is_of_class() } else { tags.special(tag) }).and(meets);
            *times = dt.chosen(meets.unless(special), never);
            least = least.least(*times);
            left |= special.bits() << at;
            at += QUAD;
        }
        let dt = least.smallest();
        let first = if dt < f64::INFINITY { first_of(&times, at, dt + dt * 1e-12 + self.close) } else { 0 };
        Times { first, dt, left, has_company: near != 0 }
    }
}

/// The time of impact, where the second answer says that there is one; and where it takes the plain form to tell.
#[inline(always)]
fn meeting<Q: Quad>(dx: Q, dy: Q, wx: Q, wy: Q, reach: Q) -> (Q, Q, Q) {
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
fn first_of<Q: Quad>(times: &[Q; MOST / QUAD], end: usize, limit: f64) -> u32 {
    let (limit, mut first) = (Q::splat(limit), 0);
    for (times, at) in times.iter().zip((0..end).step_by(QUAD)) {
        first |= times.at_most(limit).bits() << at;
    }
    first
}

/// What is known of a disc from the impact that it has just had, until it is scheduled again: with whom it meets first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    /// Whose it is; [`Known::NOBODY`] if it is not to be used.
    pub(crate) slot: Slot,
    /// Whom it meets; `NOBODY` if nobody.
    pub(crate) other: Slot,
    /// Seconds until then.
    pub(crate) dt: f64,
}

impl Known {
    pub(crate) const NOBODY: Slot = Slot::MAX;
    pub(crate) const NOTHING: Known = Known { slot: Known::NOBODY, other: Known::NOBODY, dt: f64::INFINITY };

    /// If it is the time of a single one, nearly always, or of nobody.
    #[inline(always)]
    pub(crate) fn of(slot: Slot, others: &[Slot], times: &Times) -> Known {
        let &Times { first, dt, left, .. } = times;
        if left != 0 || first & first.wrapping_sub(1) != 0 {
            return Known::NOTHING;
        }
        let other = others.get(first.trailing_zeros() as usize).copied().unwrap_or(Known::NOBODY);
        Known { slot, other, dt }
    }
}

/// The arithmetic of [`Periods::turns`] and [`Periods::image`].
struct Image<Q> {
    inverse: [Q; 2],
    lengths: [Q; 2],
    rounder: Q,
}

impl<Q: Quad> Image<Q> {
    #[inline(always)]
    fn new(periods: &Periods) -> Self {
        let (inverse, lengths) = (periods.inverse(), periods.lengths());
        Image {
            inverse: [Q::splat(inverse.x), Q::splat(inverse.y)],
            lengths: [Q::splat(lengths.x), Q::splat(lengths.y)],
            rounder: Q::splat(Periods::ROUNDER),
        }
    }

    /// Those images of displacements that are nearest when they are at (x, y).
    #[inline(always)]
    fn at(&self, dx: Q, dy: Q, x: Q, y: Q) -> (Q, Q) {
        let across = x.times(self.inverse[0]).plus(self.rounder).minus(self.rounder);
        let up = y.times(self.inverse[1]).plus(self.rounder).minus(self.rounder);
        (dx.minus(across.times(self.lengths[0])), dy.minus(up.times(self.lengths[1])))
    }
}

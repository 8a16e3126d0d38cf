use crate::quad::{QUAD, Quad};
use crate::store::block::Probe;
use crate::store::record::Record;
use carom_broadphase::Slot;
use carom_math::tolerance::NEARLY_TOUCHING;
use carom_math::{Periods, Time};

/// Most neighbours that are looked at at once.
pub(crate) const MOST: usize = 32;

/// The pair times of a disc with its neighbours, four at a time.
///
/// The operations are those of [`carom_math::toi::disc_disc`], in the same order, so the bits are, too. What needs more
/// than these (who may have just met, who pass through each other, who nearly touch) is left to the plain form.
pub(crate) struct Course<'a> {
    pub(crate) records: &'a [Record],
    pub(crate) slot: Slot,
    /// At most [`MOST`].
    pub(crate) others: &'a [Slot],
    pub(crate) periods: &'a Periods,
    /// Seconds from the time of the disc's state to that at which images are to be nearest.
    pub(crate) ahead: f64,
    /// The difference below which two times may be rounded to one.
    pub(crate) close: f64,
}

/// Whom the disc meets first.
pub(crate) struct Times {
    /// Places among the others of those whose times are the least, or so near to it that rounding may make them equal.
    pub(crate) first: u32,
    /// The least of the times, in seconds from that of the disc's state; infinite if there is none.
    pub(crate) dt: f64,
    /// Those that the plain form is to decide.
    pub(crate) left: u32,
}

impl Course<'_> {
    /// The disc itself must not be of a special class.
    #[inline(always)]
    pub(crate) fn run<Q: Quad>(&self) -> Times {
        let own = &self.records[self.slot as usize];
        let tag = own.tag.bits();
        let (zero, never) = (Q::splat(0.0), Q::splat(f64::INFINITY));
        let (x, y, vx, vy) = (Q::splat(own.x), Q::splat(own.y), Q::splat(own.vx), Q::splat(own.vy));
        let (start, offset, radius) = (Q::splat(own.start), Q::splat(own.offset), Q::splat(own.radius));
        let image = Image::<Q>::new(self.periods);
        let ahead = Q::splat(self.ahead);
        let mut times = [never; MOST / QUAD];
        let (mut least, mut left, mut at) = (never, 0, 0);
        let last = self.others.len();
        while at < last {
            // Filled up with itself, whom it does not meet.
            let mut slots = [self.slot; QUAD];
            let mut lane = 0;
            while lane < QUAD && at + lane < last {
                slots[lane] = self.others[at + lane];
                lane += 1;
            }
            let [of_x, of_y, of_vx, of_vy, of_start, of_offset, of_radius, tags] = Q::columns(
                &self.records[slots[0] as usize],
                &self.records[slots[1] as usize],
                &self.records[slots[2] as usize],
                &self.records[slots[3] as usize],
            );
            let age = start.minus(of_start).plus(offset.minus(of_offset));
            let mut dx = of_x.plus(of_vx.times(age)).minus(x);
            let mut dy = of_y.plus(of_vy.times(age)).minus(y);
            let (wx, wy) = (of_vx.minus(vx), of_vy.minus(vy));
            if !self.periods.is_open() {
                (dx, dy) = image.at(dx, dy, dx.plus(wx.times(ahead)), dy.plus(wy.times(ahead)));
            }
            let (dt, meets, nearly) = meeting(dx, dy, wx, wy, radius.plus(of_radius));
            // Of two times the later one has the greater sum of its parts' differences, whatever the rounding.
            let meets = meets.unless(age.less(zero));
            let special = nearly.or(tags.special(tag)).and(meets);
            let dt = dt.chosen(meets.unless(special), never);
            times[at / QUAD] = dt;
            least = least.least(dt);
            left |= special.bits() << at;
            at += QUAD;
        }
        first_of(&times, last, least, left, self.close)
    }
}

/// The neighbours of a disc at an instant: who may touch it, and then, with the velocity that an impact left it with,
/// whom it meets first. They are placed once for both.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Surroundings {
    x: [f64; MOST],
    y: [f64; MOST],
    vx: [f64; MOST],
    vy: [f64; MOST],
    reach: [f64; MOST],
    others: [Slot; MOST],
    count: usize,
    /// Whose they are; [`Surroundings::NOBODYS`] if they are not to be used.
    slot: Slot,
    /// Bits for those who may pass through.
    odd: u32,
    /// Bits of the one with whom there is the impact, who is not met again, and of the places that are not taken.
    but: u32,
    time: Time,
}

impl Surroundings {
    const NOBODYS: Slot = Slot::MAX;

    pub(crate) fn new() -> Self {
        let none = [0.0; MOST];
        Surroundings {
            x: none,
            y: none,
            vx: none,
            vy: none,
            reach: none,
            others: [0; MOST],
            count: 0,
            slot: Self::NOBODYS,
            odd: 0,
            but: 0,
            time: Time::ZERO,
        }
    }

    #[inline(always)]
    pub(crate) fn forget(&mut self) {
        self.slot = Self::NOBODYS;
    }

    /// Whether these are the disc's, and they are these others. The caller sees to it that no state has changed since but
    /// those of the disc and of the one with whom it had the impact.
    #[inline(always)]
    pub(crate) fn are_of(&self, slot: Slot, others: &[Slot], time: Time) -> bool {
        self.slot == slot && self.time == time && self.others[..self.count] == *others
    }

    /// Notes where its neighbours are, at most [`MOST`], and whether one of them but `but` is near it, as
    /// [`Probe::is_near`] tells.
    #[inline(always)]
    pub(crate) fn take<Q: Quad>(&mut self, view: &View<'_>) -> bool {
        let image = Image::<Q>::new(view.periods);
        let (start, offset) = (Q::splat(view.time.epoch_start()), Q::splat(view.time.offset()));
        let (x, y) = (Q::splat(view.probe.position.x), Q::splat(view.probe.position.y));
        let (radius, slack) = (Q::splat(view.probe.radius), Q::splat(view.probe.slack()));
        let last = view.others.len().min(MOST);
        (self.slot, self.time, self.count) = (view.slot, view.time, last);
        let (mut near, mut odd, mut but, mut at) = (0, 0, 0, 0);
        while at < last {
            // Filled up with itself.
            let mut slots = [view.slot; QUAD];
            let mut lane = 0;
            while lane < QUAD && at + lane < last {
                slots[lane] = view.others[at + lane];
                lane += 1;
            }
            self.others[at..at + QUAD].copy_from_slice(&slots);
            let [of_x, of_y, of_vx, of_vy, of_start, of_offset, of_radius, tags] = Q::columns(
                &view.records[slots[0] as usize],
                &view.records[slots[1] as usize],
                &view.records[slots[2] as usize],
                &view.records[slots[3] as usize],
            );
            let age = start.minus(of_start).plus(offset.minus(of_offset));
            let mut dx = of_x.plus(of_vx.times(age)).minus(x);
            let mut dy = of_y.plus(of_vy.times(age)).minus(y);
            if !view.periods.is_open() {
                (dx, dy) = image.at(dx, dy, dx, dy);
            }
            let reach = radius.plus(of_radius);
            let limit = reach.times(Q::splat(Probe::NEAR)).plus(slack);
            near |= dx.times(dx).plus(dy.times(dy)).at_most(limit.times(limit)).bits() << at;
            odd |= tags.special(0).bits() << at;
            let others = u32::from(slots[0] == view.but)
                | u32::from(slots[1] == view.but) << 1
                | u32::from(slots[2] == view.but) << 2
                | u32::from(slots[3] == view.but) << 3;
            but |= others << at;
            dx.store(&mut self.x, at);
            dy.store(&mut self.y, at);
            of_vx.store(&mut self.vx, at);
            of_vy.store(&mut self.vy, at);
            reach.store(&mut self.reach, at);
            at += QUAD;
        }
        let real = if last == MOST { u32::MAX } else { (1 << last) - 1 };
        (self.odd, self.but) = (odd, but | !real);
        near & !self.but != 0
    }

    /// Whom the disc meets first with this velocity. `close` is as in [`Course`].
    #[inline(always)]
    pub(crate) fn times<Q: Quad>(&self, vx: f64, vy: f64, close: f64) -> Times {
        let never = Q::splat(f64::INFINITY);
        let (vx, vy) = (Q::splat(vx), Q::splat(vy));
        let mut times = [never; MOST / QUAD];
        let (mut least, mut left, mut at) = (never, 0, 0);
        while at < self.count {
            let (dx, dy) = (Q::load(&self.x, at), Q::load(&self.y, at));
            let wx = Q::load(&self.vx, at).minus(vx);
            let wy = Q::load(&self.vy, at).minus(vy);
            let reach = Q::load(&self.reach, at);
            let (dt, meets, nearly) = meeting(dx, dy, wx, wy, reach);
            let but = Q::answers(self.but >> at);
            let special = nearly.or(Q::answers(self.odd >> at)).and(meets).unless(but);
            let dt = dt.chosen(meets.unless(special).unless(but), never);
            times[at / QUAD] = dt;
            least = least.least(dt);
            left |= special.bits() << at;
            at += QUAD;
        }
        first_of(&times, self.count, least, left, close)
    }
}

/// What [`Surroundings`] are taken of.
pub(crate) struct View<'a> {
    pub(crate) records: &'a [Record],
    pub(crate) slot: Slot,
    pub(crate) others: &'a [Slot],
    /// One who does not count.
    pub(crate) but: Slot,
    pub(crate) periods: &'a Periods,
    pub(crate) probe: &'a Probe,
    pub(crate) time: Time,
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
fn first_of<Q: Quad>(times: &[Q; MOST / QUAD], count: usize, least: Q, left: u32, close: f64) -> Times {
    let dt = least.smallest();
    let mut first = 0;
    if dt < f64::INFINITY {
        let limit = Q::splat(dt + dt * 1e-12 + close);
        let mut at = 0;
        while at < count {
            first |= times[at / QUAD].at_most(limit).bits() << at;
            at += QUAD;
        }
    }
    Times { first, dt, left }
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

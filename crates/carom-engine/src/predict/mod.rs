mod bent;
mod joint;
mod margins;
pub(crate) mod neighbour_scan;
mod passing;
mod row;
mod rules;
pub(crate) mod wall;

pub(crate) use self::bent::NEAR;
pub(crate) use self::joint::Joints;
use self::margins::for_each_around;
pub(crate) use self::margins::{close, with_margin};
use self::neighbour_scan::{NeighbourScan, Scans};
use self::passing::Passing;
use crate::Physics;
use crate::physics::Reach;
use crate::state::contacts::CHANGE;
use crate::state::positions_now::PositionsNow;
use crate::state::row_sweep::{FindRowMin, SearchRow};
use crate::state::sort::Sort;
use crate::store::{Common, Store};
use carom_broadphase::{
    Bits, Circle, EventTimes, Kind, Meeting as Met, NextMeeting, PairRow, Predictor, RowLanes, RowMin, Slot,
    Solo, Species,
};
use carom_math::toi::{self, Motion};
use carom_math::{Periods, Time, sqrt};
use glam::DVec2;
use smallvec::SmallVec;

/// The events that follow from the stored states: the predictor handed to the scheduler.
///
/// A time of impact is a pure function of two stored states. Its reference is the later of their times, never
/// the present, so it does not depend on when or in which order times are computed.
pub(crate) struct StatePredictor<'a, P: Physics> {
    pub(crate) store: &'a Store<P>,
    pub(crate) positions_now: &'a PositionsNow,
}

/// What follows whatever the physics: which walls a disc meets and remembers, and whom it meets at all.
#[derive(Clone, Copy)]
pub(crate) struct CommonPredictor<'a> {
    store: &'a Common,
}

impl<'a> CommonPredictor<'a> {
    #[inline(always)]
    pub(crate) fn of(store: &'a Common) -> Self {
        CommonPredictor { store }
    }

    /// Seconds from the reference, which is the time of the later state, until two discs that are so to each
    /// other then meet.
    #[inline(always)]
    fn meeting(self, reference: Time, d: DVec2, v: DVec2, reach: f64) -> Option<f64> {
        let growth = &self.store.bodies.growth;
        if growth.is_on() {
            toi::disc_disc_growing(d, v, reach, growth.rate_at(reference))
        } else {
            toi::disc_disc(d, v, reach)
        }
    }

    /// Whether a disc meets one at a time before it meets what it is known to meet first. Of meetings at one
    /// time that of the older pair comes first.
    #[inline(always)]
    fn is_met_before(
        self,
        slot: Slot,
        (other, then): (Slot, Time),
        (first, first_time): (Slot, Time),
    ) -> bool {
        then.is_before(first_time)
            || (then == first_time && !then.is_never() && self.is_tie_won(slot, other, first))
    }

    /// Whether the meeting of a disc with one comes before that with another at the same time.
    #[cold]
    fn is_tie_won(self, slot: Slot, other: Slot, than: Slot) -> bool {
        let [slot, other, than] = [slot, other, than].map(|slot| self.store.bodies.detail(slot).serial);
        (slot.min(other), slot.max(other)) < (slot.min(than), slot.max(than))
    }
}

/// Those of no instant.
static NOWHERE: PositionsNow = PositionsNow::NOWHERE;

impl<'a, P: Physics> StatePredictor<'a, P> {
    /// One that fills rows by sweeps where the positions are those of the instant.
    #[inline(always)]
    pub(crate) fn new(store: &'a Store<P>, positions_now: &'a PositionsNow) -> Self {
        StatePredictor { store, positions_now }
    }

    /// What of it follows whatever the physics.
    #[inline(always)]
    pub(crate) fn common(&self) -> CommonPredictor<'a> {
        CommonPredictor::of(self.store)
    }

    /// One that knows no positions: it fills no rows by sweeps.
    #[inline(always)]
    pub(crate) fn of(store: &'a Store<P>) -> Self {
        StatePredictor::new(store, &NOWHERE)
    }
}

impl<P: Physics> EventTimes for StatePredictor<'_, P> {
    #[inline]
    fn seconds(&self, a: Slot, b: Slot) -> f64 {
        if P::ACCELERATED {
            return self.seconds_on_parabolas(a, b);
        }
        if !self.store.bodies.periods.is_open() {
            return self.seconds_among_images(a, b);
        }
        let Together { reference, of_a, of_b, d, v, reach } = self.together(a, b);
        match self.common().meeting(reference, d, v, reach) {
            Some(dt)
                if !self.common().pass_through(a, b)
                    && !self.common().just_met(a, b, &of_a, &of_b, reach) =>
            {
                dt
            }
            _ => f64::INFINITY,
        }
    }

    #[inline(always)]
    fn state_time(&self, slot: Slot) -> Time {
        self.store.bodies.time(slot)
    }

    #[inline(always)]
    fn after(&self, slot: Slot, dt: f64) -> Time {
        self.store.clock.after(self.store.bodies.time(slot), dt)
    }

    #[inline(always)]
    fn resolution(&self) -> f64 {
        // Of two times that are rounded to 2⁻⁵³ of an epoch, twice, to be safe.
        self.store.clock.epoch() * (1.0 / (1u64 << 51) as f64)
    }

    // Inlined to avoid a store-forwarding stall on the returned struct.
    #[inline(always)]
    fn solo(&self, slot: Slot) -> Solo {
        self.solo_near(slot, None)
    }

    #[inline(always)]
    fn fill_row(&self, slot: Slot, row: PairRow<'_>) -> RowMin {
        self.row_by_sweep(slot, row)
    }

    #[inline(never)]
    fn refill_row(&self, slot: Slot, row: PairRow<'_>) -> RowMin {
        self.row_again(slot, row)
    }

    #[inline(always)]
    fn search_row(&self, mut row: PairRow<'_>) -> RowMin {
        self.store.simd.run(SearchRow { row: &mut row, resolution: self.resolution() })
    }

    #[inline(always)]
    fn least(&self, numbers: &[RowLanes]) -> RowMin {
        self.store.simd.run(FindRowMin(numbers))
    }
}

impl<P: Physics> Predictor for StatePredictor<'_, P> {
    #[inline(always)]
    fn solo_within(&self, slot: Slot, circle: &Circle) -> Solo {
        self.solo_near(slot, Some(circle))
    }

    #[inline(always)]
    fn now(&self) -> Time {
        self.store.now
    }

    #[inline(always)]
    fn serial(&self, slot: Slot) -> u64 {
        // A grid's plans may still name a removed disc.
        if self.store.bodies.is_live(slot) { self.store.bodies.detail(slot).serial } else { u64::MAX }
    }

    #[inline(always)]
    fn soonest(&self, slot: Slot, dt: f64, from: Time) -> f64 {
        // Each of the three times is rounded to 2⁻⁵² of an epoch, or of itself, or better.
        let until = self.store.bodies.time(slot).since(from);
        (until + dt) - (until.abs() + dt + self.store.clock.epoch()) * (1.0 / (1u64 << 49) as f64)
    }

    fn circle(&self, slot: Slot, at: Time) -> Circle {
        let motion = self.store.motion_at(slot, at);
        let radius = self.store.physics.size(motion.radius);
        Circle { center: motion.position, radius: with_margin(motion.position, radius) }
    }

    #[inline]
    fn velocity(&self, slot: Slot) -> DVec2 {
        self.store.bodies.record(slot).velocity()
    }

    fn has_straight_paths(&self) -> bool {
        !P::ACCELERATED && !self.store.bodies.growth.is_on()
    }

    fn flown(&self, slot: Slot, at: Time) -> f64 {
        let record = self.store.bodies.record(slot);
        if P::ACCELERATED {
            return self.common().way(slot, at.since(record.time()));
        }
        let speed = sqrt(record.velocity().length_squared());
        // Of what grows the edge comes further.
        let speed = speed + self.store.bodies.growth.rate * record.radius;
        speed * at.since(record.time())
    }

    #[inline(always)]
    fn exit_time(&self, slot: Slot, Circle { center, radius }: Circle, at: Time, before: f64) -> f64 {
        if P::ACCELERATED {
            return self.exit_time_on_parabola(slot, Circle { center, radius }, at, before);
        }
        if self.store.bodies.growth.is_on() {
            return self.outgrows(slot, Circle { center, radius }, at, before);
        }
        let record = self.store.bodies.record(slot);
        let own = self.store.physics.size(record.radius);
        // From where the disc is then: after a long flight the rounding of the path is not that of the time
        // left.
        let (v, age) = (record.velocity(), at.since(record.time()));
        let flight = v * age;
        let rounding = (flight.x.abs() + flight.y.abs()) * 1e-15;
        let room = (radius - with_margin(center, own) - rounding).max(0.0) * (1.0 - 1e-9);
        let d = self.store.bodies.periods.nearest(record.position() - center + flight);
        // A circle is convex, so a disc that is inside then was so on the way.
        if (d + v * (before - age)).length_squared() <= room * room * (1.0 - 1e-9) {
            return f64::INFINITY;
        }
        let speed2 = v.length_squared();
        if speed2 == 0.0 || radius == f64::INFINITY {
            return f64::INFINITY;
        }
        let along = d.dot(v);
        let outside = d.length_squared() - room * room;
        let disc = along * along - speed2 * outside;
        // Inside by rounding alone.
        if !(disc > 0.0) {
            return age.max(0.0);
        }
        let root = sqrt(disc);
        // The later root, without a difference of what may be nearly equal.
        let dt = if along > 0.0 { -outside / (along + root) } else { (root - along) / speed2 };
        age.max(0.0) + (dt * (1.0 - 1e-9)).max(0.0)
    }

    #[inline]
    fn first_met(&self, slot: Slot, others: &[Slot], at: Time) -> Met {
        if P::ACCELERATED {
            return self.first_met_on_parabolas(slot, others, at);
        }
        let is_special = P::OWN_REACH
            || self.store.bodies.contacts.has_apart()
            || self.store.bodies.is_any_wide(&[slot])
            || self.store.bodies.is_any_wide(others);
        if is_special || others.len() > neighbour_scan::MOST || others.len() < 2 {
            return self.first_met_one_by_one(slot, others, at);
        }
        let own = self.store.bodies.record(slot);
        if !own.tag.is_of_finite_mass() {
            return self.first_met_one_by_one(slot, others, at);
        }
        let [found] = self.store.simd.run(&Scans::<1, false>([NeighbourScan {
            records: self.store.bodies.records(),
            slot,
            own,
            but: slot,
            others,
            periods: &self.store.bodies.periods,
            ahead: at.since(own.time()),
            close: close(&self.store.clock),
            slack: 0.0,
        }]));
        let NextMeeting { slot: known, other, dt } = found.next_meeting(slot, others);
        if known == slot {
            return Met { other, dt };
        }
        self.first_met_of_few(slot, others, found.first | found.left, at)
    }

    fn species(&self, slot: Slot) -> Species {
        let bodies = &self.store.bodies;
        Sort::new::<P>(bodies.rules.get(slot), bodies.class(slot), bodies.radius(slot)).species()
    }

    fn meet(a: Species, b: Species) -> bool {
        Sort::of(a).meets(&Sort::of(b))
    }

    fn leave_out_passing(&self, slot: Slot, within: f64, others: &mut [Slot], at: Time) -> usize {
        let bends = P::ACCELERATED || P::OWN_REACH || self.store.bodies.growth.is_on();
        if bends || self.store.bodies.is_any_wide(&[slot]) || self.store.bodies.is_any_wide(others) {
            return others.len();
        }
        self.store.simd.run(Passing {
            records: self.store.bodies.records(),
            periods: &self.store.bodies.periods,
            at,
            own: self.store.motion_at(slot, at),
            way: self.flown(slot, at) + 2.0 * within,
            slot,
            others,
        })
    }

    #[inline(always)]
    fn is_without_solos(&self) -> bool {
        // Of changes that cannot be there is no value, and none takes no room.
        self.store.walls.facets.is_empty()
            && self.store.bodies.contacts.is_without_releases()
            && size_of::<Option<P::Change>>() == 0
    }

    #[inline(always)]
    fn prefetch(&self, slot: Slot, all: bool) {
        self.store.bodies.prefetch(slot, all);
    }

    #[inline(always)]
    fn periods(&self) -> Periods {
        self.store.bodies.periods
    }
}

/// Two discs at the time at which the later of their states holds.
#[derive(Clone, Copy)]
struct Together {
    reference: Time,
    of_a: Motion,
    of_b: Motion,
    d: DVec2,
    v: DVec2,
    reach: f64,
}

impl<P: Physics> StatePredictor<'_, P> {
    #[inline(always)]
    fn together(&self, a: Slot, b: Slot) -> Together {
        let (time_a, time_b) = (self.store.bodies.time(a), self.store.bodies.time(b));
        let reference = time_a.latest(time_b);
        let (of_a, of_b) = (self.store.motion_at(a, reference), self.store.motion_at(b, reference));
        Together {
            reference,
            of_a,
            of_b,
            d: of_b.position - of_a.position,
            v: of_b.velocity - of_a.velocity,
            reach: self.store.physics.reach(of_a.radius, of_b.radius),
        }
    }

    /// Seconds until the first of all images of two discs meet, in a periodic plane.
    fn seconds_among_images(&self, a: Slot, b: Slot) -> f64 {
        if self.common().pass_through(a, b) {
            return f64::INFINITY;
        }
        let periods = &self.store.bodies.periods;
        let Together { reference, of_a, of_b, d, v, reach } = self.together(a, b);
        let met = |image| self.common().just_met_at(image, [a, b], [&of_a, &of_b], reach);
        let (growth, window) = (&self.store.bodies.growth, [0.0, self.store.clock.horizon()]);
        let found = if growth.is_on() {
            let rate = growth.rate_at(reference);
            toi::disc_disc_images_growing(d, v, reach, rate, periods, window, met)
        } else {
            toi::disc_disc_images(d, v, reach, periods, window, met)
        };
        found.unwrap_or(f64::INFINITY)
    }

    /// As `exit_time`, of a disc that grows: it is within while `|d + v t| + r + r' t` is at most the
    /// circle's radius, all as of the time `at`.
    ///
    /// Squared, `a t² + 2 b t + c = 0` with `a = v² − r'²`, `b = d·v + (K − r) r'`, `c = d² − (K − r)²`: of
    /// either sign of `a` the first root is the one below, since `c ≤ 0` within and `b > 0` where `a < 0`.
    #[cold]
    fn outgrows(&self, slot: Slot, Circle { center, radius }: Circle, at: Time, before: f64) -> f64 {
        if radius == f64::INFINITY {
            return f64::INFINITY;
        }
        let (record, growth) = (self.store.bodies.record(slot), &self.store.bodies.growth);
        let age = at.since(record.time());
        let Motion { position, velocity: v, radius: grown, .. } = self.store.motion_at(slot, at);
        let d = self.store.bodies.periods.nearest(position - center);
        let (own, rate) = (
            self.store.physics.size(grown),
            growth.rate * self.store.physics.size(record.radius) * (1.0 + 1e-6),
        );
        let room = (radius - with_margin(center, own)).max(0.0) * (1.0 - 1e-9);
        let (ahead, still) = (before - age, room - rate * (before - age));
        if still >= 0.0 && (d + v * ahead).length_squared() <= still * still * (1.0 - 1e-9) {
            return f64::INFINITY;
        }
        let a = v.length_squared() - rate * rate;
        let b = d.dot(v) + room * rate;
        let c = d.length_squared() - room * room;
        // Inside by rounding alone: it leaves at once.
        if c >= 0.0 {
            return age.max(0.0);
        }
        let root = sqrt((b * b - a * c).max(0.0));
        let dt = if b > 0.0 { -c / (b + root) } else { (root - b) / a };
        // Where the two terms of the root cancel it has half of the digits.
        if dt.is_finite() { (age + dt * (1.0 - 1e-6)).max(0.0) } else { f64::INFINITY }
    }

    /// What the disc does next on its own, where it stays inside a circle until then: the first of a wall,
    /// the end of a contact record and a change of motion.
    #[inline(always)]
    fn solo_near(&self, slot: Slot, circle: Option<&Circle>) -> Solo {
        let time = self.store.bodies.time(slot);
        let hit = self.store.bodies.contacts.end_before(slot, self.next_wall(slot, time, circle));
        if P::ACCELERATED {
            let ends = self.store.bodies.bend(slot).lasts < f64::INFINITY;
            return if ends { self.end_of_motion_before(slot, hit) } else { hit };
        }
        if !self.store.bodies.is_unforced(slot)
            && let Some((dt, _)) =
                self.store.physics.next_change(&self.store.body(slot), &self.store.state(slot))
        {
            let end = self.store.clock.after(time, dt);
            if end <= hit.time && !end.is_never() {
                return Solo { time: end, kind: Kind::MotionChange, tag: CHANGE };
            }
        }
        hit
    }

    /// As `first_met`, among the others with a bit set.
    #[cold]
    fn first_met_of_few(&self, slot: Slot, others: &[Slot], bits: u32, at: Time) -> Met {
        let few: SmallVec<[Slot; 8]> =
            Bits(u64::from(bits)).filter_map(|place| others.get(place).copied()).collect();
        self.first_met_one_by_one(slot, &few, at)
    }

    /// As `first_met`, one after the other.
    fn first_met_one_by_one(&self, slot: Slot, others: &[Slot], at: Time) -> Met {
        let own = self.store.bodies.record(slot);
        let periods = &self.store.bodies.periods;
        let (time, ahead) = (own.time(), at.since(own.time()));
        let of_own = self.store.motion_at(slot, time);
        let is_wide = self.store.bodies.is_wide_at(at);
        let (mut first, mut first_time) = (Met::NEVER, Time::NEVER);
        for &other in others {
            let record = self.store.bodies.record(other);
            if other == slot || time.is_before(record.time()) || self.common().pass_through(slot, other) {
                continue;
            }
            let motion = self.store.motion_at(other, time);
            let reach = self.store.physics.reach(of_own.radius, motion.radius);
            let (d, v) = (motion.position - own.position(), motion.velocity - own.velocity());
            let mut consider = |image: DVec2| {
                let Some(dt) = self.common().meeting(time, image, v, reach) else { return };
                if own.tag.stamp().same_impact(record.tag.stamp())
                    && self.common().just_met_at(image, [slot, other], [&of_own, &motion], reach)
                {
                    return;
                }
                let then = self.store.clock.after(time, dt);
                if self.common().is_met_before(slot, (other, then), (first.other, first_time)) {
                    (first, first_time) = (Met { other, dt }, then);
                }
            };
            if periods.is_open() {
                consider(d);
                continue;
            }
            let nearest = periods.whole_periods(d + v * ahead);
            if is_wide {
                for_each_around(periods, nearest, |turns| consider(periods.image(d, turns)));
            } else {
                consider(periods.image(d, nearest));
            }
        }
        first
    }
}

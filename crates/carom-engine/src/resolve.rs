use crate::course::{self, Course, Known};
use crate::edit::fade_wall_memory;
use crate::event::Sink;
use crate::impact::{Bounce, approach, bounce_pair, bounce_wall};
use crate::outlook::{close, with_margin};
use crate::store::block::Probe;
use crate::store::bodies::{Fresh, WallMemory};
use crate::store::stamp::{Meeting, Stamp};
use crate::touch::{NEARBY, magnitude};
use crate::{Body, Contact, Event, Impact, Partner, Physics, Simultaneous, State, World};
use carom_broadphase::{Circle, Kind, Scheduled, Scheduler, Slot};
use carom_math::toi::{Memory, Motion, Side};
use carom_math::{Periods, sqrt};
use glam::DVec2;

/// The bodies that meet cannot give way.
pub(crate) struct Crushed;

/// Events, one kind at a time: who takes part, what becomes of them, store, mark, report.
impl<P: Physics, S: Scheduler> World<P, S> {
    #[inline]
    pub(crate) fn resolve<K: Sink<P>>(&mut self, due: &Scheduled, sink: &mut K) -> Result<(), Crushed> {
        if due.kind == Kind::MotionChange {
            self.resolve_change(due.a, sink);
            return Ok(());
        }
        if self.is_locked(due) {
            self.take_instant();
            return self.resolve_group(due, Meeting::Cluster, sink);
        }
        // What becomes of them, if they are alone, tells whom they meet next: that and who is about is found at once.
        if due.a == due.b {
            let (mut fresh, outcome) = self.outcome_at_wall(due.a, due.tag);
            if self.is_alone_at_wall(due.a, due.tag, &fresh) {
                self.settle_at_wall(&mut fresh, outcome, sink);
                return Ok(());
            }
        } else {
            let (mut fresh, outcome) = self.outcome_of_pair(due.a, due.b);
            if self.is_alone(outcome.slots, &fresh) {
                self.settle_pair(&mut fresh, outcome, sink);
                return Ok(());
            }
        }
        self.instant.forget_known();
        self.resolve_group(due, Meeting::Group, sink)
    }

    /// An impact of two that touch nothing else.
    pub(crate) fn resolve_alone<K: Sink<P>>(&mut self, due: &Scheduled, sink: &mut K) {
        if due.a == due.b {
            let (mut fresh, outcome) = self.outcome_at_wall(due.a, due.tag);
            self.settle_at_wall(&mut fresh, outcome, sink);
        } else {
            let (mut fresh, outcome) = self.outcome_of_pair(due.a, due.b);
            self.settle_pair(&mut fresh, outcome, sink);
        }
    }

    /// Takes the instant, and tells whether two that meet surely touch nothing else. `fresh` is what becomes of them.
    #[inline]
    fn is_alone(&mut self, [a, b]: [Slot; 2], fresh: &[Fresh; 2]) -> bool {
        if self.settings.simultaneous == Simultaneous::OneByOne {
            self.take_instant();
            return true;
        }
        if !self.bodies.is_sweeping() {
            return !self.has_company([(a, b), (b, a)], fresh)
                && !self.is_at_wall(a, u32::MAX)
                && !self.is_at_wall(b, u32::MAX);
        }
        let physics = &self.physics;
        let [a, b] = [a, b].map(|slot| self.bodies.motion_at(slot, self.now));
        let probes = [Probe::new(&a), Probe::new(&b)];
        let near = self.instant.take(self.simd, physics, &self.bodies.blocks, self.now, &probes);
        // Each near itself, and the other, unless long paths have placed them apart; and nobody else.
        let expected = 2
            + u32::from(probes[0].is_near(&b, &Periods::NONE, physics))
            + u32::from(probes[1].is_near(&a, &Periods::NONE, physics));
        near == expected && !self.touches_wall(&a, u32::MAX) && !self.touches_wall(&b, u32::MAX)
    }

    /// As `is_alone`, of a disc that meets a wall.
    #[inline]
    fn is_alone_at_wall(&mut self, slot: Slot, facet: u32, fresh: &Fresh) -> bool {
        if self.settings.simultaneous == Simultaneous::OneByOne {
            self.take_instant();
            return true;
        }
        if !self.bodies.is_sweeping() {
            return !self.has_company([(slot, slot)], core::array::from_ref(fresh))
                && !self.is_at_wall(slot, facet);
        }
        let motion = self.bodies.motion_at(slot, self.now);
        let (blocks, probes) = (&self.bodies.blocks, [Probe::new(&motion)]);
        // Near itself, and nobody else.
        let near = self.instant.take(self.simd, &self.physics, blocks, self.now, &probes);
        near == 1 && !self.touches_wall(&motion, facet)
    }

    #[inline(always)]
    fn is_at_wall(&self, slot: Slot, but: u32) -> bool {
        !self.walls.facets.is_empty() && self.touches_wall(&self.bodies.motion_at(slot, self.now), but)
    }

    /// Whether somebody may touch one of those who meet, each named with the partner that does not count, where nothing is
    /// swept. Notes whom they meet next from what becomes of them.
    #[inline(always)]
    fn has_company<const N: usize>(&mut self, met: [(Slot, Slot); N], fresh: &[Fresh; N]) -> bool {
        let lists = met.map(|(slot, _)| self.scheduler.neighbours(slot));
        let is_plain = |others: &Option<&[Slot]>| others.is_some_and(|others| others.len() <= course::MOST);
        if P::OWN_REACH
            || self.bodies.wide
            || fresh.iter().any(|fresh| !fresh.record.tag.is_of_finite_mass())
            || !lists.iter().all(is_plain)
        {
            return self.has_company_one_by_one(met, fresh, lists);
        }
        let courses = core::array::from_fn(|k| Course {
            records: &self.bodies.records,
            slot: met[k].0,
            own: &fresh[k].record,
            but: met[k].1,
            others: lists[k].unwrap_or_default(),
            periods: &self.bodies.periods,
            ahead: 0.0,
            close: close(&self.clock),
            slack: Probe::new(&fresh[k].record.motion()).slack(),
        });
        let times = self.simd.times::<N, true>(&courses);
        for (k, times) in times.iter().enumerate() {
            self.instant.known[k] = Known::of(courses[k].slot, courses[k].others, times);
        }
        times.iter().any(|times| times.has_company)
    }

    #[cold]
    fn has_company_one_by_one<const N: usize>(
        &self,
        met: [(Slot, Slot); N],
        fresh: &[Fresh; N],
        lists: [Option<&[Slot]>; N],
    ) -> bool {
        core::iter::zip(met, fresh).zip(lists).any(|(((slot, but), fresh), others)| {
            let radius = self.bodies.radius_at(slot, self.now);
            let probe = Probe::new(&Motion { radius, ..fresh.record.motion() });
            let is_near = |other: Slot| {
                let motion = self.bodies.motion_at(other, self.now);
                other != slot && other != but && probe.is_near(&motion, &self.bodies.periods, &self.physics)
            };
            match others {
                Some(others) => others.iter().any(|&other| is_near(other)),
                None => self.bodies.live().any(is_near),
            }
        })
    }

    /// Notes where all are now, for a scheduler that sweeps.
    pub(crate) fn take_instant(&mut self) {
        if self.bodies.is_sweeping() {
            self.instant.take(self.simd, &self.physics, &self.bodies.blocks, self.now, &[]);
        }
    }

    /// Whether a disc may touch a facet other than `but`.
    #[inline]
    fn touches_wall(&self, motion: &Motion, but: u32) -> bool {
        let (facets, planes) = (&self.walls.facets, &self.walls.planes);
        if facets.is_empty() {
            return false;
        }
        let magnitude = magnitude(motion.position).max(motion.radius);
        let touches = |&f: &u32| {
            let facet = &facets[f as usize];
            let limit = NEARBY * facet.slack_at(magnitude);
            f != but && facet.shape.gap(motion, Memory::None).is_some_and(|gap| gap.distance.abs() <= limit)
        };
        let mut found = planes.may_touch(self.simd, motion, magnitude, but);
        if !planes.others.is_empty() {
            let radius = with_margin(motion.position, motion.radius);
            let circle = Circle { center: motion.position, radius };
            planes.others_near(Some(&circle), |f| found |= touches(&f));
        }
        found
    }

    /// A state with the image of its position that is next to a place.
    #[inline(always)]
    pub(crate) fn beside(&self, place: DVec2, state: State<P::Extra>) -> State<P::Extra> {
        let periods = &self.bodies.periods;
        if periods.is_open() {
            return state;
        }
        State { position: place + periods.nearest(state.position - place), ..state }
    }

    /// Numbers the next impact.
    pub(crate) fn next_impact(&mut self, meeting: Meeting) -> (u64, Stamp) {
        self.impacts += 1;
        (self.impacts, Stamp::impact(self.impacts, meeting))
    }

    /// What becomes of two that meet. Nothing is changed.
    // What is stored apart from the rest, of which most is for those who listen: it is not made where nobody does.
    #[inline(always)]
    fn outcome_of_pair(&self, a: Slot, b: Slot) -> ([Fresh; 2], OfPair<P::Body, P::Extra>) {
        let slots = if self.bodies.detail(a).serial < self.bodies.detail(b).serial { [a, b] } else { [b, a] };
        let [a, b] = slots;
        let before = [self.state_now(a), self.state_now(b)];
        let bodies = [self.bodies.body_at(a, self.now), self.bodies.body_at(b, self.now)];
        let velocities = [before[0].velocity, before[1].velocity];
        let apart = self.bodies.periods.nearest(before[1].position - before[0].position);
        let normal = direction(apart, velocities[0] - velocities[1]);
        let point = before[0].position + normal * bodies[0].radius;

        let combined = self.settings.restitution.combine(bodies[0].restitution, bodies[1].restitution);
        let swelling = self.swelling(self.physics.reach(bodies[0].radius, bodies[1].radius));
        let approaching = approach((velocities[0] - velocities[1]).dot(normal), swelling);
        let restitution = self.physics.restitution(combined, approaching);
        let streaks = [self.streak(a, restitution), self.streak(b, restitution)];
        let joined = self.joins(streaks[0].max(streaks[1]), restitution);
        let masses = [bodies[0].mass, bodies[1].mass];
        let applied = if joined { 0.0 } else { restitution };
        let bounce = bounce_pair(normal, velocities, masses, applied, swelling);
        let Bounce { after: [v_a, v_b], approach_speed, impulse } = bounce;
        let felt = if masses.contains(&0.0) { 0.0 } else { impulse };
        let joined = joined.then_some(Joined { restitution, felt });

        let fresh = [
            self.bodies.fresh(a, self.now, before[0].position, v_a),
            self.bodies.fresh(b, self.now, before[1].position, v_b),
        ];
        let of_b = self.beside(before[0].position, before[1]);
        let contact = Contact { point, normal, impulse, before: [before[0], of_b], contacts: 1 };
        (fresh, OfPair { slots, bodies, contact, approach_speed, joined, streaks })
    }

    /// Lets the physics have its say, stores, marks and reports what became of two.
    #[inline(always)]
    fn settle_pair<K: Sink<P>>(
        &mut self,
        fresh: &mut [Fresh; 2],
        outcome: OfPair<P::Body, P::Extra>,
        sink: &mut K,
    ) {
        let OfPair { slots: [a, b], bodies, contact, approach_speed, .. } = outcome;
        let mut after: [_; 2] =
            core::array::from_fn(|k| State { velocity: fresh[k].record.velocity(), ..contact.before[k] });
        let [after_a, after_b] = &mut after;
        self.physics.pair(&contact, [&bodies[0], &bodies[1]], after_a, after_b);
        for (fresh, after) in fresh.iter_mut().zip(&after) {
            if fresh.record.velocity() != after.velocity {
                self.instant.forget_known();
            }
            fresh.record.set_velocity(after.velocity);
        }
        if let Some(Joined { restitution, felt }) = outcome.joined {
            self.note_joined(restitution, felt, approach_speed);
        }
        let (number, stamp) = self.next_impact(Meeting::Two);
        self.store_after_pair(a, &fresh[0], after[0].extra, stamp, b, outcome.streaks[0]);
        self.store_after_pair(b, &fresh[1], after[1].extra, stamp, a, outcome.streaks[1]);
        self.counters.disc_impacts += 1;
        if K::ACTIVE {
            sink.event(&Event::Impact(Impact {
                time: self.now,
                group: number,
                a: self.bodies.id(a),
                with: Partner::Disc(self.bodies.id(b)),
                point: self.bodies.periods.wrap(contact.point).0,
                normal: contact.normal,
                approach_speed,
                impulse: contact.impulse,
                before: contact.before.map(|before| before.velocity),
                after: after.map(|after| after.velocity),
            }));
        }
    }

    #[inline(always)]
    fn store_after_pair(
        &mut self,
        slot: Slot,
        fresh: &Fresh,
        extra: P::Extra,
        stamp: Stamp,
        partner: Slot,
        streak: u32,
    ) {
        if !self.bodies.walls.get(slot).is_empty() {
            let motion = self.bodies.motion_at(slot, self.now);
            fade_wall_memory(&mut self.bodies, &self.walls.facets, slot, &motion);
        }
        let detail = self.bodies.detail_mut(slot);
        (detail.partner, detail.streak) = (partner, streak);
        self.bodies.put(slot, fresh, extra, stamp);
        self.mark(slot);
    }

    /// What becomes of a disc that meets a wall. Nothing is changed.
    #[inline]
    fn outcome_at_wall(&self, slot: Slot, f: u32) -> (Fresh, AtWall<P::Body, P::Extra>) {
        let before = self.state_now(slot);
        let body = self.bodies.body_at(slot, self.now);
        let facet = &self.walls.facets[f as usize];
        let wall = self.walls.get(facet.wall);
        let motion = Motion { position: before.position, velocity: before.velocity, radius: body.radius };
        let gap = self.gap_at_impact(slot, f, &motion);
        let point = before.position + gap.normal * body.radius;

        let combined = self.settings.restitution.combine(body.restitution, wall.restitution);
        let swelling = self.swelling(body.radius);
        let approaching = approach(before.velocity.dot(gap.normal), swelling);
        let restitution = self.physics.restitution(combined, approaching);
        let streak = self.streak(slot, restitution);
        let joined = self.joins(streak, restitution);
        let applied = if joined { 0.0 } else { restitution };
        let Bounce { after, approach_speed, impulse } =
            bounce_wall(gap.normal, before.velocity, body.mass, applied, swelling);
        let velocity = facet.shape.led_back(&Motion { velocity: after[0], ..motion }, &gap);
        let fresh = self.bodies.fresh(slot, self.now, before.position, velocity);
        let at_rest = State { position: point, ..State::default() };
        let contact = Contact { point, normal: gap.normal, impulse, before: [before, at_rest], contacts: 1 };
        let felt = if body.mass == 0.0 { 0.0 } else { impulse };
        let joined = joined.then_some(Joined { restitution, felt });
        (fresh, AtWall { slot, facet: f, body, contact, side: gap.side, approach_speed, joined, streak })
    }

    /// As `settle_pair`, of a disc at a wall.
    #[inline]
    fn settle_at_wall<K: Sink<P>>(
        &mut self,
        fresh: &mut Fresh,
        outcome: AtWall<P::Body, P::Extra>,
        sink: &mut K,
    ) {
        let AtWall { slot, facet: f, body, contact, approach_speed, .. } = outcome;
        let mut after = State { velocity: fresh.record.velocity(), ..contact.before[0] };
        let facet = &self.walls.facets[f as usize];
        let with = Partner::Wall { wall: self.walls.id(facet.wall), part: facet.part };
        self.physics.wall(&contact, &body, &self.walls.get(facet.wall).surface, &mut after);
        if fresh.record.velocity() != after.velocity {
            self.instant.forget_known();
        }
        fresh.record.set_velocity(after.velocity);
        if let Some(Joined { restitution, felt }) = outcome.joined {
            self.note_joined(restitution, felt, approach_speed);
        }
        let (number, stamp) = self.next_impact(Meeting::Two);
        self.bodies.walls.set(slot, WallMemory::met(f, outcome.side));
        let detail = self.bodies.detail_mut(slot);
        (detail.partner, detail.streak) = (slot, outcome.streak);
        self.bodies.put(slot, fresh, after.extra, stamp);
        self.mark(slot);
        self.counters.wall_impacts += 1;
        if K::ACTIVE {
            sink.event(&Event::Impact(Impact {
                time: self.now,
                group: number,
                a: self.bodies.id(slot),
                with,
                point: self.bodies.periods.wrap(contact.point).0,
                normal: contact.normal,
                approach_speed,
                impulse: contact.impulse,
                before: [contact.before[0].velocity, DVec2::ZERO],
                after: [after.velocity, DVec2::ZERO],
            }));
        }
    }
}

/// What becomes of two discs that meet, and touch nothing else; but for what the physics adds.
struct OfPair<B, X> {
    /// The one that was there first is the first.
    slots: [Slot; 2],
    bodies: [Body<B>; 2],
    contact: Contact<X>,
    approach_speed: f64,
    joined: Option<Joined>,
    streaks: [u32; 2],
}

/// As `OfPair`, of a disc that meets a wall.
struct AtWall<B, X> {
    slot: Slot,
    facet: u32,
    body: Body<B>,
    contact: Contact<X>,
    side: Side,
    approach_speed: f64,
    joined: Option<Joined>,
    streak: u32,
}

/// That an impact was joined (see [`Collapse`](crate::Collapse)): what it would have been.
#[derive(Clone, Copy)]
struct Joined {
    restitution: f64,
    /// The impulse, if it has a mass.
    felt: f64,
}

/// Unit vector along `d`. For discs so small that their places at contact are rounded to one it has no length: then along
/// the velocity `v` at which the first approaches the second, as in a full hit; (1, 0) without that.
#[inline(always)]
pub(crate) fn direction(d: DVec2, v: DVec2) -> DVec2 {
    let length = sqrt(d.length_squared());
    if length > 0.0 { DVec2::new(d.x / length, d.y / length) } else { v.try_normalize().unwrap_or(DVec2::X) }
}

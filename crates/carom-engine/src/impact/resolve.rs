use crate::event::Sink;
use crate::impact::{Bounce, approach, bounce_pair, bounce_wall};
use crate::predict::neighbour_scan::{self, NeighbourScan, NextMeeting};
use crate::predict::{close, with_margin};
use crate::state::bodies::{NewState, WallMemory};
use crate::state::stamp::{ImpactKind, Stamp};
use crate::state::sweep_lanes::Probe;
use crate::touch::{NEARBY, magnitude};
use crate::world::edit::fade_wall_memory;
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
            self.note_positions();
            return self.resolve_group(due, ImpactKind::Cluster, sink);
        }
        // What becomes of them, if they are alone, tells whom they meet next: that and who is about is found at once.
        if due.a == due.b {
            let (mut new_state, outcome) = self.outcome_at_wall(due.a, due.tag);
            if self.is_alone_at_wall(due.a, due.tag, &new_state) {
                self.settle_at_wall(&mut new_state, outcome, sink);
                return Ok(());
            }
        } else {
            let (mut new_state, outcome) = self.outcome_of_pair(due.a, due.b);
            if self.is_alone(outcome.slots, &new_state) {
                self.settle_pair(&mut new_state, outcome, sink);
                return Ok(());
            }
        }
        self.positions_now.forget_known();
        self.resolve_group(due, ImpactKind::Group, sink)
    }

    /// An impact of two that touch nothing else.
    pub(crate) fn resolve_alone<K: Sink<P>>(&mut self, due: &Scheduled, sink: &mut K) {
        if due.a == due.b {
            let (mut new_state, outcome) = self.outcome_at_wall(due.a, due.tag);
            self.settle_at_wall(&mut new_state, outcome, sink);
        } else {
            let (mut new_state, outcome) = self.outcome_of_pair(due.a, due.b);
            self.settle_pair(&mut new_state, outcome, sink);
        }
    }

    /// Takes the instant, and tells whether two that meet surely touch nothing else. `new_state` is what becomes of them.
    #[inline]
    fn is_alone(&mut self, [a, b]: [Slot; 2], new_state: &[NewState; 2]) -> bool {
        if self.settings.simultaneous == Simultaneous::OneByOne {
            self.note_positions();
            return true;
        }
        if !self.bodies.is_sweeping() {
            return !self.is_any_near([(a, b), (b, a)], new_state)
                && !self.is_at_wall(a, u32::MAX)
                && !self.is_at_wall(b, u32::MAX);
        }
        let physics = &self.physics;
        let [a, b] = [a, b].map(|slot| self.bodies.motion_at(slot, self.now));
        let probes = [Probe::new(&a), Probe::new(&b)];
        let near = self.positions_now.take(self.simd, physics, &self.bodies.blocks, self.now, &probes);
        // Each near itself, and the other, unless long paths have placed them apart; and nobody else.
        let expected = 2
            + u32::from(probes[0].is_near(&b, &Periods::NONE, physics))
            + u32::from(probes[1].is_near(&a, &Periods::NONE, physics));
        near == expected && !self.touches_wall(&a, u32::MAX) && !self.touches_wall(&b, u32::MAX)
    }

    /// As `is_alone`, of a disc that meets a wall.
    #[inline]
    fn is_alone_at_wall(&mut self, slot: Slot, facet: u32, new_state: &NewState) -> bool {
        if self.settings.simultaneous == Simultaneous::OneByOne {
            self.note_positions();
            return true;
        }
        if !self.bodies.is_sweeping() {
            return !self.is_any_near([(slot, slot)], core::array::from_ref(new_state))
                && !self.is_at_wall(slot, facet);
        }
        let motion = self.bodies.motion_at(slot, self.now);
        let (blocks, probes) = (&self.bodies.blocks, [Probe::new(&motion)]);
        // Near itself, and nobody else.
        let near = self.positions_now.take(self.simd, &self.physics, blocks, self.now, &probes);
        near == 1 && !self.touches_wall(&motion, facet)
    }

    #[inline(always)]
    fn is_at_wall(&self, slot: Slot, but: u32) -> bool {
        !self.walls.facets.is_empty() && self.touches_wall(&self.bodies.motion_at(slot, self.now), but)
    }

    /// Whether somebody may touch one of those who meet, each named with the partner that does not count, where nothing is
    /// swept. Notes whom they meet next from what becomes of them.
    #[inline(always)]
    fn is_any_near<const N: usize>(&mut self, met: [(Slot, Slot); N], new_state: &[NewState; N]) -> bool {
        let lists = met.map(|(slot, _)| self.scheduler.neighbours(slot));
        let is_plain =
            |others: &Option<&[Slot]>| others.is_some_and(|others| others.len() <= neighbour_scan::MOST);
        if P::OWN_REACH
            || self.bodies.wide
            || new_state.iter().any(|new_state| !new_state.record.tag.is_of_finite_mass())
            || !lists.iter().all(is_plain)
        {
            return self.is_any_near_one_by_one(met, new_state, lists);
        }
        let scans = core::array::from_fn(|k| NeighbourScan {
            records: &self.bodies.records,
            slot: met[k].0,
            own: &new_state[k].record,
            but: met[k].1,
            others: lists[k].unwrap_or_default(),
            periods: &self.bodies.periods,
            ahead: 0.0,
            close: close(&self.clock),
            slack: Probe::new(&new_state[k].record.motion()).slack(),
        });
        let times = self.simd.scan::<N, true>(&scans);
        for (k, times) in times.iter().enumerate() {
            self.positions_now.known[k] = NextMeeting::of(scans[k].slot, scans[k].others, times);
        }
        times.iter().any(|times| times.touched)
    }

    #[cold]
    fn is_any_near_one_by_one<const N: usize>(
        &self,
        met: [(Slot, Slot); N],
        new_state: &[NewState; N],
        lists: [Option<&[Slot]>; N],
    ) -> bool {
        core::iter::zip(met, new_state).zip(lists).any(|(((slot, but), new_state), others)| {
            let radius = self.bodies.radius_at(slot, self.now);
            let probe = Probe::new(&Motion { radius, ..new_state.record.motion() });
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
    pub(crate) fn note_positions(&mut self) {
        if self.bodies.is_sweeping() {
            self.positions_now.take(self.simd, &self.physics, &self.bodies.blocks, self.now, &[]);
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
    pub(crate) fn next_impact(&mut self, kind: ImpactKind) -> (u64, Stamp) {
        self.impacts += 1;
        (self.impacts, Stamp::impact(self.impacts, kind))
    }

    /// What becomes of two that meet. Nothing is changed.
    // What is stored apart from the rest, of which most is for those who listen: it is not made where nobody does.
    #[inline(always)]
    fn outcome_of_pair(&self, a: Slot, b: Slot) -> ([NewState; 2], OfPair<P::Body, P::Extra>) {
        let slots = if self.bodies.detail(a).serial < self.bodies.detail(b).serial { [a, b] } else { [b, a] };
        let [a, b] = slots;
        let before = [self.state_now(a), self.state_now(b)];
        let bodies = [self.bodies.body_at(a, self.now), self.bodies.body_at(b, self.now)];
        let velocities = [before[0].velocity, before[1].velocity];
        let apart = self.bodies.periods.nearest(before[1].position - before[0].position);
        let normal = direction(apart, velocities[0] - velocities[1]);
        let point = before[0].position + normal * bodies[0].radius;

        let combined = self.settings.restitution.combine(bodies[0].restitution, bodies[1].restitution);
        let growth_speed = self.growth_speed(self.physics.reach(bodies[0].radius, bodies[1].radius));
        let approaching = approach((velocities[0] - velocities[1]).dot(normal), growth_speed);
        let restitution = self.physics.restitution(combined, approaching);
        let rapid_impacts = [self.rapid_impacts(a, restitution), self.rapid_impacts(b, restitution)];
        let made_plastic = self.makes_plastic(rapid_impacts[0].max(rapid_impacts[1]), restitution);
        let masses = [bodies[0].mass, bodies[1].mass];
        let applied = if made_plastic { 0.0 } else { restitution };
        let bounce = bounce_pair(normal, velocities, masses, applied, growth_speed);
        let Bounce { after: [v_a, v_b], approach_speed, impulse } = bounce;
        let felt = if masses.contains(&0.0) { 0.0 } else { impulse };
        let made_plastic = made_plastic.then_some(MadePlastic { restitution, felt });

        let new_state = [
            self.bodies.new_state(a, self.now, before[0].position, v_a),
            self.bodies.new_state(b, self.now, before[1].position, v_b),
        ];
        let of_b = self.beside(before[0].position, before[1]);
        let contact = Contact { point, normal, impulse, before: [before[0], of_b], contacts: 1 };
        (new_state, OfPair { slots, bodies, contact, approach_speed, made_plastic, rapid_impacts })
    }

    /// Lets the physics have its say, stores, marks and reports what became of two.
    #[inline(always)]
    fn settle_pair<K: Sink<P>>(
        &mut self,
        new_state: &mut [NewState; 2],
        outcome: OfPair<P::Body, P::Extra>,
        sink: &mut K,
    ) {
        let OfPair { slots: [a, b], bodies, contact, approach_speed, .. } = outcome;
        let mut after: [_; 2] =
            core::array::from_fn(|k| State { velocity: new_state[k].record.velocity(), ..contact.before[k] });
        let [after_a, after_b] = &mut after;
        self.physics.pair(&contact, [&bodies[0], &bodies[1]], after_a, after_b);
        for (new_state, after) in new_state.iter_mut().zip(&after) {
            if new_state.record.velocity() != after.velocity {
                self.positions_now.forget_known();
            }
            new_state.record.set_velocity(after.velocity);
        }
        if let Some(MadePlastic { restitution, felt }) = outcome.made_plastic {
            self.note_made_plastic(restitution, felt, approach_speed);
        }
        let (number, stamp) = self.next_impact(ImpactKind::Two);
        self.store_after_pair(a, &new_state[0], after[0].extra, stamp, b, outcome.rapid_impacts[0]);
        self.store_after_pair(b, &new_state[1], after[1].extra, stamp, a, outcome.rapid_impacts[1]);
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
        new_state: &NewState,
        extra: P::Extra,
        stamp: Stamp,
        partner: Slot,
        rapid_impacts: u32,
    ) {
        if !self.bodies.walls.get(slot).is_empty() {
            let motion = self.bodies.motion_at(slot, self.now);
            fade_wall_memory(&mut self.bodies, &self.walls.facets, slot, &motion);
        }
        let detail = self.bodies.detail_mut(slot);
        (detail.partner, detail.rapid_impacts) = (partner, rapid_impacts);
        self.bodies.put(slot, new_state, extra, stamp);
        self.mark(slot);
    }

    /// What becomes of a disc that meets a wall. Nothing is changed.
    #[inline]
    fn outcome_at_wall(&self, slot: Slot, f: u32) -> (NewState, AtWall<P::Body, P::Extra>) {
        let before = self.state_now(slot);
        let body = self.bodies.body_at(slot, self.now);
        let facet = &self.walls.facets[f as usize];
        let wall = self.walls.get(facet.wall);
        let motion = Motion { position: before.position, velocity: before.velocity, radius: body.radius };
        let gap = self.gap_at_impact(slot, f, &motion);
        let point = before.position + gap.normal * body.radius;

        let combined = self.settings.restitution.combine(body.restitution, wall.restitution);
        let growth_speed = self.growth_speed(body.radius);
        let approaching = approach(before.velocity.dot(gap.normal), growth_speed);
        let restitution = self.physics.restitution(combined, approaching);
        let rapid_impacts = self.rapid_impacts(slot, restitution);
        let made_plastic = self.makes_plastic(rapid_impacts, restitution);
        let applied = if made_plastic { 0.0 } else { restitution };
        let Bounce { after, approach_speed, impulse } =
            bounce_wall(gap.normal, before.velocity, body.mass, applied, growth_speed);
        let velocity = facet.shape.led_back(&Motion { velocity: after[0], ..motion }, &gap);
        let new_state = self.bodies.new_state(slot, self.now, before.position, velocity);
        let at_rest = State { position: point, ..State::default() };
        let contact = Contact { point, normal: gap.normal, impulse, before: [before, at_rest], contacts: 1 };
        let felt = if body.mass == 0.0 { 0.0 } else { impulse };
        let made_plastic = made_plastic.then_some(MadePlastic { restitution, felt });
        (
            new_state,
            AtWall {
                slot,
                facet: f,
                body,
                contact,
                side: gap.side,
                approach_speed,
                made_plastic,
                rapid_impacts,
            },
        )
    }

    /// As `settle_pair`, of a disc at a wall.
    #[inline]
    fn settle_at_wall<K: Sink<P>>(
        &mut self,
        new_state: &mut NewState,
        outcome: AtWall<P::Body, P::Extra>,
        sink: &mut K,
    ) {
        let AtWall { slot, facet: f, body, contact, approach_speed, .. } = outcome;
        let mut after = State { velocity: new_state.record.velocity(), ..contact.before[0] };
        let facet = &self.walls.facets[f as usize];
        let with = Partner::Wall { wall: self.walls.id(facet.wall), part: facet.part };
        self.physics.wall(&contact, &body, &self.walls.get(facet.wall).surface, &mut after);
        if new_state.record.velocity() != after.velocity {
            self.positions_now.forget_known();
        }
        new_state.record.set_velocity(after.velocity);
        if let Some(MadePlastic { restitution, felt }) = outcome.made_plastic {
            self.note_made_plastic(restitution, felt, approach_speed);
        }
        let (number, stamp) = self.next_impact(ImpactKind::Two);
        self.bodies.walls.set(slot, WallMemory::met(f, outcome.side));
        let detail = self.bodies.detail_mut(slot);
        (detail.partner, detail.rapid_impacts) = (slot, outcome.rapid_impacts);
        self.bodies.put(slot, new_state, after.extra, stamp);
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
    made_plastic: Option<MadePlastic>,
    rapid_impacts: [u32; 2],
}

/// As `OfPair`, of a disc that meets a wall.
struct AtWall<B, X> {
    slot: Slot,
    facet: u32,
    body: Body<B>,
    contact: Contact<X>,
    side: Side,
    approach_speed: f64,
    made_plastic: Option<MadePlastic>,
    rapid_impacts: u32,
}

/// That an impact was joined (see [`Collapse`](crate::Collapse)): what it would have been.
#[derive(Clone, Copy)]
struct MadePlastic {
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

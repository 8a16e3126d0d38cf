use crate::course::{self, Surroundings, View};
use crate::edit::fade_wall_memory;
use crate::event::Sink;
use crate::impact::{Bounce, approach, bounce_pair, bounce_wall};
use crate::outlook::with_margin;
use crate::store::block::Probe;
use crate::store::bodies::{Streak, WallMemory};
use crate::store::stamp::{Meeting, Stamp};
use crate::touch::{NEARBY, magnitude};
use crate::{Contact, Event, Impact, Partner, Physics, Simultaneous, State, World};
use carom_broadphase::{Circle, Kind, Scheduled, Scheduler, Slot};
use carom_math::toi::{Memory, Motion};
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
        } else if self.is_locked(due) {
            self.take_instant();
            return self.resolve_group(due, Meeting::Cluster, sink);
        } else if !self.is_alone(due) {
            // The velocities of those about are going to change.
            self.instant.forget_surroundings();
            return self.resolve_group(due, Meeting::Group, sink);
        } else {
            self.resolve_alone(due, sink);
        }
        Ok(())
    }

    /// An impact of two that touch nothing else.
    #[inline]
    pub(crate) fn resolve_alone<K: Sink<P>>(&mut self, due: &Scheduled, sink: &mut K) {
        if due.a == due.b {
            self.resolve_wall(due.a, due.tag, sink);
        } else {
            self.resolve_pair(due.a, due.b, sink);
        }
    }

    /// Takes the instant, and tells whether those who meet surely touch nothing else.
    #[inline]
    fn is_alone(&mut self, due: &Scheduled) -> bool {
        if self.settings.simultaneous == Simultaneous::OneByOne {
            self.take_instant();
            return true;
        }
        if !self.bodies.is_sweeping() {
            return self.is_alone_among_neighbours(due);
        }
        let physics = &self.physics;
        let (simd, blocks, now) = (self.simd, &self.bodies.blocks, self.now);
        let a = self.bodies.motion_at(due.a, now);
        if due.a == due.b {
            // Near itself, and nobody else.
            let near = self.instant.take(simd, physics, blocks, now, &[Probe::new(&a)]);
            return near == 1 && !self.touches_wall(&a, due.tag);
        }
        // Each near itself, and the other, unless long paths have placed them apart; and nobody else.
        let b = self.bodies.motion_at(due.b, now);
        let probes = [Probe::new(&a), Probe::new(&b)];
        let near = self.instant.take(simd, physics, blocks, now, &probes);
        let expected = 2
            + u32::from(probes[0].is_near(&b, &Periods::NONE, physics))
            + u32::from(probes[1].is_near(&a, &Periods::NONE, physics));
        near == expected && !self.touches_wall(&a, u32::MAX) && !self.touches_wall(&b, u32::MAX)
    }

    /// As `is_alone`, where nothing is swept: among those whom the scheduler knows to be about, or all.
    #[inline]
    fn is_alone_among_neighbours(&mut self, due: &Scheduled) -> bool {
        if due.a == due.b {
            return !self.has_company(0, due.a, due.a) && !self.is_at_wall(due.a, due.tag);
        }
        !self.has_company(0, due.a, due.b)
            && !self.has_company(1, due.b, due.a)
            && !self.is_at_wall(due.a, u32::MAX)
            && !self.is_at_wall(due.b, u32::MAX)
    }

    fn is_at_wall(&self, slot: Slot, but: u32) -> bool {
        !self.walls.facets.is_empty() && self.touches_wall(&self.bodies.motion_at(slot, self.now), but)
    }

    /// Whether somebody other than `but` may touch a disc; `place` is where its surroundings are to be noted.
    #[inline]
    fn has_company(&mut self, place: usize, slot: Slot, but: Slot) -> bool {
        let probe = Probe::new(&self.bodies.wrapped_motion_at(slot, self.now));
        if let Some(others) = self.scheduler.neighbours(slot)
            && others.len() <= course::MOST
            && !(P::OWN_REACH || self.bodies.wide)
        {
            let view = View {
                records: &self.bodies.records,
                slot,
                others,
                but,
                periods: &self.bodies.periods,
                probe: &probe,
                time: self.now,
            };
            let about = &mut self.instant.about;
            if about.len() <= place {
                about.resize_with(place + 1, Surroundings::new);
            }
            return self.simd.take(&mut about[place], &view);
        }
        let is_near = |other: Slot| {
            let motion = self.bodies.motion_at(other, self.now);
            other != but && probe.is_near(&motion, &self.bodies.periods, &self.physics)
        };
        match self.scheduler.neighbours(slot) {
            Some(neighbours) => neighbours.iter().any(|&other| is_near(other)),
            None => self.bodies.live().any(|other| other != slot && is_near(other)),
        }
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
        let circle = Circle { center: motion.position, radius: with_margin(motion.position, motion.radius) };
        let mut found = planes.may_touch(self.simd, motion, magnitude, but);
        planes.others_near(Some(&circle), |f| found |= touches(&f));
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

    #[inline]
    fn resolve_pair<K: Sink<P>>(&mut self, a: Slot, b: Slot, sink: &mut K) {
        let serials = [a, b].map(|slot| self.bodies.detail(slot).serial);
        let [a, b] = if serials[0] < serials[1] { [a, b] } else { [b, a] };
        let before = [self.state_now(a), self.state_now(b)];
        let bodies = [self.bodies.body_at(a, self.now), self.bodies.body_at(b, self.now)];
        let velocities = before.map(|state| state.velocity);
        let apart = self.bodies.periods.nearest(before[1].position - before[0].position);
        let normal = direction(apart, velocities[0] - velocities[1]);
        let point = before[0].position + normal * bodies[0].radius;

        let combined = self.settings.restitution.combine(bodies[0].restitution, bodies[1].restitution);
        let swelling = self.swelling(self.physics.reach(bodies[0].radius, bodies[1].radius));
        let approaching = approach((velocities[0] - velocities[1]).dot(normal), swelling);
        let restitution = self.physics.restitution(combined, approaching);
        let streaks = [a, b].map(|slot| self.streak(slot, restitution));
        let joined = self.joins(streaks[0].max(streaks[1]), restitution);
        let masses = bodies.map(|body| body.mass);
        let applied = if joined { 0.0 } else { restitution };
        let bounce = bounce_pair(normal, velocities, masses, applied, swelling);
        let Bounce { after: [v_a, v_b], approach_speed, impulse } = bounce;
        if joined {
            let felt = if masses.contains(&0.0) { 0.0 } else { impulse };
            self.note_joined(restitution, felt, approach_speed);
        }
        let mut after_a = State { velocity: v_a, ..before[0] };
        let mut after_b = State { velocity: v_b, ..before[1] };
        let of_b = self.beside(before[0].position, before[1]);
        let contact = Contact { point, normal, impulse, before: [before[0], of_b], contacts: 1 };
        self.physics.pair(&contact, [&bodies[0], &bodies[1]], &mut after_a, &mut after_b);

        let (number, stamp) = self.next_impact(Meeting::Two);
        self.store_after_pair(a, &after_a, stamp, b, streaks[0]);
        self.store_after_pair(b, &after_b, stamp, a, streaks[1]);
        self.counters.disc_impacts += 1;
        if K::ACTIVE {
            sink.event(&Event::Impact(Impact {
                time: self.now,
                group: number,
                a: self.bodies.id(a),
                with: Partner::Disc(self.bodies.id(b)),
                point: self.bodies.periods.wrap(point).0,
                normal,
                approach_speed,
                impulse,
                before: velocities,
                after: [after_a.velocity, after_b.velocity],
            }));
        }
    }

    #[inline]
    fn store_after_pair(
        &mut self,
        slot: Slot,
        state: &State<P::Extra>,
        stamp: Stamp,
        partner: Slot,
        streak: u32,
    ) {
        if !self.bodies.walls.get(slot).is_empty() {
            let motion = self.bodies.motion_at(slot, self.now);
            fade_wall_memory(&mut self.bodies, &self.walls.facets, slot, &motion);
        }
        let detail = self.bodies.detail_mut(slot);
        (detail.partner, detail.streak) = (partner, Streak::new(streak));
        self.bodies.store(slot, self.now, state, stamp);
        self.mark(slot);
    }

    #[inline]
    fn resolve_wall<K: Sink<P>>(&mut self, slot: Slot, f: u32, sink: &mut K) {
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
        let mut state = State { velocity, ..before };
        let at_rest = State { position: point, ..State::default() };
        let contact = Contact { point, normal: gap.normal, impulse, before: [before, at_rest], contacts: 1 };
        self.physics.wall(&contact, &body, &wall.surface, &mut state);

        let with = Partner::Wall { wall: self.walls.id(facet.wall), part: facet.part };
        if joined {
            self.note_joined(restitution, if body.mass == 0.0 { 0.0 } else { impulse }, approach_speed);
        }
        let (number, stamp) = self.next_impact(Meeting::Two);
        self.bodies.walls.set(slot, WallMemory::met(f, gap.side));
        let detail = self.bodies.detail_mut(slot);
        (detail.partner, detail.streak) = (slot, Streak::new(streak));
        self.bodies.store(slot, self.now, &state, stamp);
        self.mark(slot);
        self.counters.wall_impacts += 1;
        if K::ACTIVE {
            sink.event(&Event::Impact(Impact {
                time: self.now,
                group: number,
                a: self.bodies.id(slot),
                with,
                point: self.bodies.periods.wrap(point).0,
                normal: gap.normal,
                approach_speed,
                impulse,
                before: [before.velocity, DVec2::ZERO],
                after: [state.velocity, DVec2::ZERO],
            }));
        }
    }
}

/// Unit vector along `d`. For discs so small that their places at contact are rounded to one it has no length: then along
/// the velocity `v` at which the first approaches the second, as in a full hit; (1, 0) without that.
#[inline(always)]
pub(crate) fn direction(d: DVec2, v: DVec2) -> DVec2 {
    let length = sqrt(d.length_squared());
    if length > 0.0 { DVec2::new(d.x / length, d.y / length) } else { v.try_normalize().unwrap_or(DVec2::X) }
}

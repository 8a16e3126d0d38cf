use super::contact::{ContactNow, With};
use super::scan::Scan;
use super::two_body::{Bounce, MassShares, bounce};
use crate::event::Sink;
use crate::state::bodies::{NewState, WallMemory};
use crate::state::stamp::{ImpactKind, Stamp};
use crate::{Body, Contact, Event, Impact, Partner, Physics, State, World};
use carom_broadphase::{Kind, NextMeeting, Scheduled, Scheduler, Slot};
use carom_math::toi::Motion;
use glam::DVec2;

/// The bodies that meet cannot give way.
pub(crate) struct Crushed;

/// An impact of two discs (`N` is 2), or of one with a wall (1), that touch nothing else: all but what the physics adds.
struct Outcome<const N: usize, B, X> {
    /// The disc that was inserted first is the first.
    slots: [Slot; N],
    with: With,
    bodies: [Body<B>; N],
    contact: ContactNow,
    /// The contact as the physics sees it.
    shown: Contact<X>,
    plastic: Option<MadePlastic>,
    rapid_impacts: [u32; N],
}

/// That the rule against collapse has set the restitution to 0: what it would have been. See [`Collapse`](crate::Collapse).
#[derive(Clone, Copy)]
struct MadePlastic {
    restitution: f64,
    /// The impulse, if it has a mass.
    felt: f64,
}

impl<P: Physics, S: Scheduler> World<P, S> {
    /// Resolves an event that is due. Returns the first meetings of its discs, if these came out on the way, for
    /// [`World::reschedule`].
    #[inline]
    pub(crate) fn resolve<K: Sink<P>>(
        &mut self,
        due: &Scheduled,
        sink: &mut K,
    ) -> Result<[NextMeeting; 2], Crushed> {
        if due.kind == Kind::MotionChange {
            self.resolve_change(due.a, sink);
            return Ok([NextMeeting::UNKNOWN; 2]);
        }
        if self.is_locked(due) {
            self.note_positions();
            return self.resolve_group(due, ImpactKind::Cluster, sink);
        }
        match self.resolve_contact::<K, true>(due, sink) {
            Some(next) => Ok(next),
            None => self.resolve_group(due, ImpactKind::Group, sink),
        }
    }

    /// Resolves an impact of two bodies. If these are to be looked for (`LOOK`) and something else may touch one of
    /// them, changes nothing and returns `None`.
    // Compiled apart for two discs and for a disc at a wall.
    #[inline(always)]
    pub(crate) fn resolve_contact<K: Sink<P>, const LOOK: bool>(
        &mut self,
        due: &Scheduled,
        sink: &mut K,
    ) -> Option<[NextMeeting; 2]> {
        match With::of(due) {
            With::Disc(b) => {
                let is_first = self.bodies.detail(due.a).serial < self.bodies.detail(b).serial;
                let slots = if is_first { [due.a, b] } else { [b, due.a] };
                self.resolve_two::<K, LOOK, 2>(slots, With::Disc(slots[1]), sink)
            }
            with @ With::Facet(_) => self.resolve_two::<K, LOOK, 1>([due.a], with, sink),
        }
    }

    #[inline(always)]
    fn resolve_two<K: Sink<P>, const LOOK: bool, const N: usize>(
        &mut self,
        slots: [Slot; N],
        with: With,
        sink: &mut K,
    ) -> Option<[NextMeeting; 2]> {
        // The states after the impact tell what the discs meet next, which is found with what is near them.
        let (mut new_states, outcome) = self.outcome(slots, with);
        let scan = if LOOK { self.scan(slots, with, &new_states) } else { Scan::NOTHING };
        if scan.touched {
            return None;
        }
        let is_deflected = self.settle(&mut new_states, outcome, sink);
        Some(if is_deflected { Scan::NOTHING.next } else { scan.next })
    }

    /// Computes an impact of two bodies. Nothing is changed.
    // What is stored is apart from the rest, of which most is for events: it is not computed where there is no sink.
    #[inline(always)]
    fn outcome<const N: usize>(
        &self,
        slots: [Slot; N],
        with: With,
    ) -> ([NewState; N], Outcome<N, P::Body, P::Extra>) {
        let now = self.now;
        let bodies = slots.map(|slot| self.bodies.body_at(slot, now));
        let before = slots.map(|slot| self.state_now(slot));
        let motions: [_; N] = core::array::from_fn(|k| Motion {
            position: before[k].position,
            velocity: before[k].velocity,
            radius: bodies[k].radius,
        });
        let contact = match (with, &motions[..]) {
            (With::Disc(b), [of_a, of_b]) => self.disc_contact([slots[0], b], [of_a, of_b]),
            _ => {
                let gap = self.gap_at_impact(slots[0], with.facet(), &motions[0]);
                self.wall_contact(slots[0], with.facet(), &motions[0], gap)
            }
        };
        let rapid_impacts = slots.map(|slot| self.rapid_impacts(slot, contact.restitution));
        let most_rapid = rapid_impacts.into_iter().fold(0, u32::max);
        let is_plastic = self.makes_plastic(most_rapid, contact.restitution);
        let applied = if is_plastic { 0.0 } else { contact.restitution };
        let normal = contact.gap.normal;
        let point = before[0].position + normal * bodies[0].radius;
        let (of_b, masses) = match (&before[..], &bodies[..]) {
            ([of_a, of_b], [a, b]) => {
                (self.beside(of_a.position, *of_b), MassShares::of_discs([a.mass, b.mass]))
            }
            _ => (State { position: point, ..State::default() }, MassShares::at_wall(bodies[0].mass)),
        };
        let Bounce { mut after, impulse } =
            bounce(&contact, [before[0].velocity, of_b.velocity], masses, applied);
        if let With::Facet(f) = with {
            let motion = Motion { velocity: after[0], ..motions[0] };
            after[0] = self.walls.facets[f as usize].shape.led_back(&motion, &contact.gap);
        }
        let new_states =
            core::array::from_fn(|k| self.bodies.new_state(slots[k], now, before[k].position, after[k]));
        let felt = if bodies.iter().any(|body| body.mass == 0.0) { 0.0 } else { impulse };
        let plastic = is_plastic.then_some(MadePlastic { restitution: contact.restitution, felt });
        let before = [before[0], of_b];
        let shown = Contact { point, normal, impulse, before, contacts: 1 };
        (new_states, Outcome { slots, with, bodies, contact, shown, plastic, rapid_impacts })
    }

    /// Adds what the physics does to an impact of two bodies, stores, marks and reports it. Returns whether the physics
    /// has changed a velocity.
    #[inline(always)]
    fn settle<K: Sink<P>, const N: usize>(
        &mut self,
        new_states: &mut [NewState; N],
        outcome: Outcome<N, P::Body, P::Extra>,
        sink: &mut K,
    ) -> bool {
        let mut after: [_; N] = core::array::from_fn(|k| State {
            velocity: new_states[k].record.velocity(),
            ..outcome.shown.before[k]
        });
        let is_deflected = self.apply_physics(&outcome, new_states, &mut after);
        if let Some(MadePlastic { restitution, felt }) = outcome.plastic {
            self.note_made_plastic(restitution, felt, outcome.contact.approach_speed);
        }
        let (number, stamp) = self.next_impact(ImpactKind::Two);
        for k in 0..N {
            let slot = outcome.slots[k];
            match outcome.with {
                With::Facet(f) => self.bodies.walls.set(slot, WallMemory::met(f, outcome.contact.gap.side)),
                With::Disc(_) => self.fade_wall_memory(slot),
            }
            let detail = self.bodies.detail_mut(slot);
            (detail.partner, detail.rapid_impacts) = (outcome.slots[N - 1 - k], outcome.rapid_impacts[k]);
            self.bodies.put(slot, &new_states[k], after[k].extra, stamp);
            self.mark(slot);
        }
        match outcome.with {
            With::Disc(_) => self.counters.disc_impacts += 1,
            With::Facet(_) => self.counters.wall_impacts += 1,
        }
        if K::ACTIVE {
            sink.event(&Event::Impact(self.impact(number, &outcome, &after)));
        }
        is_deflected
    }

    /// Adds what the physics does beyond the normal impulses to the states after an impact. Returns whether a velocity is
    /// another one then.
    #[inline(always)]
    fn apply_physics<const N: usize>(
        &self,
        outcome: &Outcome<N, P::Body, P::Extra>,
        new_states: &mut [NewState; N],
        after: &mut [State<P::Extra>; N],
    ) -> bool {
        match (outcome.with, &mut after[..], &outcome.bodies[..]) {
            (_, [after_a, after_b], [a, b]) => self.physics.pair(&outcome.shown, [a, b], after_a, after_b),
            (With::Facet(f), [after], [body]) => {
                let surface = &self.walls.get(self.walls.facets[f as usize].wall).surface;
                self.physics.wall(&outcome.shown, body, surface, after);
            }
            _ => {}
        }
        let mut is_deflected = false;
        for (new_state, after) in new_states.iter_mut().zip(after) {
            is_deflected |= new_state.record.velocity() != after.velocity;
            new_state.record.set_velocity(after.velocity);
        }
        is_deflected
    }

    /// The record of an impact of two bodies.
    fn impact<const N: usize>(
        &self,
        group: u64,
        outcome: &Outcome<N, P::Body, P::Extra>,
        after: &[State<P::Extra>; N],
    ) -> Impact {
        let Contact { point, normal, impulse, before, .. } = outcome.shown;
        Impact {
            time: self.now,
            group,
            a: self.bodies.id(outcome.slots[0]),
            with: self.partner(outcome.with),
            point: self.bodies.periods.wrap(point).0,
            normal,
            approach_speed: outcome.contact.approach_speed,
            impulse,
            before: before.map(|before| before.velocity),
            after: [after[0].velocity, after.get(1).map_or(DVec2::ZERO, |after| after.velocity)],
        }
    }

    /// What a disc meets, as events name it.
    pub(crate) fn partner(&self, with: With) -> Partner {
        match with {
            With::Disc(slot) => Partner::Disc(self.bodies.id(slot)),
            With::Facet(f) => {
                let facet = &self.walls.facets[f as usize];
                Partner::Wall { wall: self.walls.id(facet.wall), part: facet.part }
            }
        }
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
}

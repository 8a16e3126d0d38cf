use super::collapse::{count_in_chains, is_locked, makes_plastic, rapid_impacts};
use super::contact::{ContactNow, With, along, approach, disc_contact, gap_at_impact, wall_contact};
use super::energy::{EnergyChange, note_energy_change, note_work};
use super::fade::fade_wall_memory;
use super::judge::{begin_judging, judge_due};
use super::release::resolve_release;
use super::responder::Responder;
use super::rest::may_come_to_rest;
use super::scan::Scan;
use super::slide::{resolve_slide, start_sliding};
use super::two_body::{Bounce, MassShares, bounce};
use crate::limits::within_limit;
use crate::predict::StatePredictor;
use crate::sink::Sink;
use crate::state::bodies::NewState;
use crate::state::contacts::{PIECE, RELEASE, SLIDE};
use crate::state::stamp::{ImpactKind, Stamp};
use crate::state::wall_memory::WallMemory;
use crate::store::Store;
use crate::touch::point_between;
use crate::{Body, Contact, Event, Impact, Physics, State, StopReason};
use carom_broadphase::{Kind, NextMeeting, Scheduled, Slot};
use carom_math::toi::Motion;
use glam::DVec2;

/// An impact of two discs, or of a disc with a wall, that touch nothing else: all but what the physics adds.
struct Outcome<B, X> {
    /// The disc that was inserted first is the first. For a wall both are the disc that meets it.
    slots: [Slot; 2],
    with: With,
    bodies: [Body<B>; 2],
    masses: MassShares,
    contact: ContactNow,
    /// The contact as the physics sees it.
    shown: Contact<X>,
    /// The impulse, to which the physics adds.
    impulse: f64,
    /// Whether the masses are finite, so that no infinite one does work and no tracer is without energy.
    is_plain: bool,
    /// Whether the rule against collapse has set the restitution to 0: see [`Collapse`](crate::Collapse).
    is_made_plastic: bool,
    rapid_impacts: [u32; 2],
}

/// Two bodies whose velocities the physics has changed at their impact.
struct Deflection {
    /// The first, and what it meets.
    slot: Slot,
    with: With,
    masses: [f64; 2],
    shares: MassShares,
    contact: ContactNow,
    /// Velocities after the normal impulse alone, and with what the physics has added.
    normal_part: [DVec2; 2],
    velocities: [DVec2; 2],
}

impl<P: Physics> Responder<'_, P> {
    /// Resolves an event that is due. `next` becomes the first meetings of its discs, where these come out
    /// on the way, for [`World::reschedule_with`].
    #[inline]
    pub(crate) fn resolve<K: Sink<P>>(
        &mut self,
        due: &Scheduled,
        next: &mut [NextMeeting; 2],
        sink: &mut K,
    ) -> Result<(), StopReason> {
        *next = Scan::NOTHING.next;
        if P::JUDGES {
            begin_judging(self.store);
            if due.kind == Kind::Impact
                && self.store.physics.is_judging()
                && !judge_due(self.store, due, sink)
            {
                return Ok(());
            }
        }
        match due.kind {
            Kind::Impact => {}
            Kind::MotionChange => {
                match due.tag {
                    PIECE => return self.resolve_piece(due.a, sink),
                    RELEASE => resolve_release(self.store, due.a, sink),
                    SLIDE => resolve_slide(self.store, due.a, sink),
                    _ => return self.resolve_change(due.a, sink),
                }
                return Ok(());
            }
        }
        if is_locked(self.store, [due.a, due.b], With::of(due)) {
            self.note_positions();
            return self.resolve_group(due, ImpactKind::Cluster, sink);
        }
        let is_held = self.store.is_held(due.a) || self.store.is_held(due.b);
        if !is_held && self.resolve_contact::<K, true>(due, next, sink) {
            return Ok(());
        }
        if is_held {
            self.note_positions();
        }
        self.resolve_group(due, ImpactKind::Group, sink)
    }

    /// Resolves an impact of two bodies. If these may come to rest, or others are to be looked for (`LOOK`)
    /// and something else may touch one of them, changes nothing and returns false.
    // Compiled apart for two discs and for a disc at a wall.
    #[inline(always)]
    pub(crate) fn resolve_contact<K: Sink<P>, const LOOK: bool>(
        &mut self,
        due: &Scheduled,
        next: &mut [NextMeeting; 2],
        sink: &mut K,
    ) -> bool {
        match With::of(due) {
            With::Disc(b) => {
                let is_first = self.store.bodies.detail(due.a).serial < self.store.bodies.detail(b).serial;
                let slots = if is_first { [due.a, b] } else { [b, due.a] };
                self.resolve_two::<K, LOOK>(slots, With::Disc(slots[1]), next, sink)
            }
            with @ With::Facet(_) => self.resolve_two::<K, LOOK>([due.a; 2], with, next, sink),
        }
    }

    #[inline(always)]
    fn resolve_two<K: Sink<P>, const LOOK: bool>(
        &mut self,
        slots: [Slot; 2],
        with: With,
        next: &mut [NextMeeting; 2],
        sink: &mut K,
    ) -> bool {
        // The states after the impact tell what the discs meet next, which is found with what is near them.
        let (mut new_states, outcome) = outcome(self.store, slots, with);
        let scan = if LOOK { self.scan(slots, with, &new_states) } else { Scan::NOTHING };
        let parting = outcome.shown.restitution * outcome.contact.approach_speed.max(0.0);
        if P::ACCELERATED
            && may_come_to_rest(self.store, slots, with, &new_states, (&outcome.contact, parting))
        {
            return false;
        }
        if scan.touched {
            return false;
        }
        if !settle(self.store, &mut new_states, outcome, sink) {
            *next = scan.next;
        }
        true
    }
}

/// Computes an impact of two bodies. Nothing is changed.
// What is stored is apart from the rest, of which most is for events: it is not computed where there is
// no sink.
#[inline(always)]
fn outcome<P: Physics>(
    store: &Store<P>,
    slots @ [a, b]: [Slot; 2],
    with: With,
) -> ([NewState; 2], Outcome<P::Body, P::Extra>) {
    let (of_a, motion_a, body_a) = at_impact(store, a);
    let (of_b, contact, body_b, masses) = match with {
        With::Disc(_) => {
            let (of_b, motion_b, body_b) = at_impact(store, b);
            let contact = disc_contact(store, slots, [&motion_a, &motion_b], [&body_a, &body_b]);
            (of_b, contact, body_b, MassShares::of_discs([body_a.mass, body_b.mass]))
        }
        With::Facet(f) => {
            let gap = gap_at_impact(&StatePredictor::of(store), a, f, &motion_a);
            let contact = wall_contact(store, a, f, &motion_a, &body_a, gap);
            (State::default(), contact, body_a, MassShares::at_wall(body_a.mass))
        }
    };
    let bodies = [body_a, body_b];
    let of_partner = if a == b { 0 } else { rapid_impacts(store, b, contact.restitution) };
    let rapid_impacts = [rapid_impacts(store, a, contact.restitution), of_partner];
    let is_made_plastic = makes_plastic(store, rapid_impacts[0].max(rapid_impacts[1]), contact.restitution)
        || store.chains.is_any_spent(slots);
    let applied = if is_made_plastic { contact.least_restitution } else { contact.restitution };
    let Bounce { mut after, impulse } = bounce(&contact, [of_a.velocity, of_b.velocity], masses, applied);
    if let With::Facet(f) = with {
        let shape = &store.walls.facets[f as usize].shape;
        after[0] = shape.led_back(&Motion { velocity: after[0], ..motion_a }, &contact.gap);
    }
    let new_state = store.bodies.new_state(a, store.now, of_a.position, after[0]);
    let new_states = match with {
        With::Disc(_) => [new_state, store.bodies.new_state(b, store.now, of_b.position, after[1])],
        With::Facet(_) => [new_state; 2],
    };
    let (point, of_b) = point_and_partner(store, with, [of_a, of_b], &bodies, contact.gap.normal);
    after[1] = if let With::Facet(_) = with { of_b.velocity } else { after[1] };
    let shown = Contact {
        point,
        normal: contact.gap.normal,
        approach_speed: contact.approach_speed,
        restitution: applied,
        impulse,
        before: [of_a, of_b],
        pushed: after,
        contacts: 1,
    };
    let outcome = Outcome {
        slots,
        with,
        bodies,
        masses,
        contact,
        shown,
        impulse,
        is_plain: slots.iter().all(|&slot| store.bodies.record(slot).tag.is_of_finite_mass()),
        is_made_plastic,
        rapid_impacts,
    };
    (new_states, outcome)
}

/// The state of a disc now, its motion, and what does not change.
#[inline(always)]
fn at_impact<P: Physics>(store: &Store<P>, slot: Slot) -> (State<P::Extra>, Motion, Body<P::Body>) {
    let motion = store.bodies.motion_at(slot, store.now);
    let body = Body { radius: motion.radius, ..store.bodies.body(slot) };
    (store.state_now(slot), motion, body)
}

/// Where the two of a contact touch, and the state of the second next to the first: in that point for a
/// wall, at rest but of an arm that turns.
#[inline(always)]
fn point_and_partner<P: Physics>(
    store: &Store<P>,
    with: With,
    [of_a, of_b]: [State<P::Extra>; 2],
    bodies: &[Body<P::Body>; 2],
    normal: DVec2,
) -> (DVec2, State<P::Extra>) {
    match with {
        With::Disc(_) => {
            let (places, radii) = ([of_a.position, of_b.position], [bodies[0].radius, bodies[1].radius]);
            (point_between(&store.bodies.periods, places, radii, normal), store.beside(of_a.position, of_b))
        }
        With::Facet(f) => {
            let point = of_a.position + normal * bodies[0].radius;
            (point, State { position: point, velocity: store.surface_velocity(f, point), ..of_b })
        }
    }
}

/// Adds what the physics does to an impact of two bodies, stores, marks and reports it. Returns whether
/// the physics has changed a velocity.
#[inline(always)]
fn settle<P: Physics, K: Sink<P>>(
    store: &mut Store<P>,
    new_states: &mut [NewState; 2],
    mut outcome: Outcome<P::Body, P::Extra>,
    sink: &mut K,
) -> bool {
    let (mut after, mut is_deflected) = apply_physics(store, &outcome, new_states);
    if outcome.shown.restitution > 1.0 {
        is_deflected |= after.iter().any(|state| within_limit(state.velocity) != state.velocity);
    }
    if is_deflected {
        let (velocities, gained) = look_at_two(
            store,
            &Deflection {
                slot: outcome.slots[0],
                with: outcome.with,
                masses: [outcome.bodies[0].mass, outcome.bodies[1].mass],
                shares: outcome.masses,
                contact: outcome.contact,
                normal_part: outcome.shown.pushed,
                velocities: [after[0].velocity, after[1].velocity],
            },
        );
        outcome.impulse += gained;
        (after[0].velocity, after[1].velocity) = (velocities[0], velocities[1]);
        new_states[0].set_velocity(velocities[0]);
        new_states[1].set_velocity(velocities[1]);
    }
    note_energy(store, &outcome);
    if outcome.is_made_plastic {
        store.counters.made_plastic += 1;
    }
    let slid = store.bodies.contacts.held.get(outcome.slots[0]).is_some();
    let (number, stamp) = store.next_impact(ImpactKind::Two);
    store_after(store, &outcome, 0, &new_states[0], after[0].extra, stamp);
    match outcome.with {
        With::Disc(_) => {
            store_after(store, &outcome, 1, &new_states[1], after[1].extra, stamp);
            store.counters.disc_impacts += 1;
        }
        With::Facet(f) => {
            store.counters.wall_impacts += 1;
            let (side, applied) = (outcome.contact.gap.side, outcome.shown.restitution);
            if let Some(velocity) = start_sliding(store, outcome.slots[0], f, side, applied, slid, 0.0) {
                (after[0].velocity, is_deflected) = (velocity, true);
            }
        }
    }
    if !store.chains.is_empty() || (!outcome.is_plain && matches!(outcome.with, With::Disc(_))) {
        count_in_chains(store, outcome.slots[0], outcome.with, outcome.contact.gap.normal);
    }
    if K::ACTIVE {
        _ = sink.event(&Event::Impact(impact(store, number, &outcome, &after)));
    }
    is_deflected
}

/// The states after an impact with what the physics adds beyond the normal impulses, and whether it has
/// changed a velocity.
#[inline(always)]
fn apply_physics<P: Physics>(
    store: &Store<P>,
    outcome: &Outcome<P::Body, P::Extra>,
    new_states: &mut [NewState; 2],
) -> ([State<P::Extra>; 2], bool) {
    let Outcome { with, bodies: [a, b], shown, .. } = outcome;
    let mut after_a = State { velocity: new_states[0].record.velocity(), ..shown.before[0] };
    let mut after_b = shown.before[1];
    match with {
        With::Disc(_) => {
            after_b.velocity = new_states[1].record.velocity();
            store.physics.pair(shown, [a, b], &mut after_a, &mut after_b);
        }
        With::Facet(f) => {
            let surface = &store.walls.get(store.walls.facets[*f as usize].wall).surface;
            store.physics.wall(shown, a, surface, &mut after_a);
        }
    }
    let mut is_deflected = new_states[0].set_velocity(after_a.velocity);
    if let With::Disc(_) = with {
        is_deflected |= new_states[1].set_velocity(after_b.velocity);
    }
    ([after_a, after_b], is_deflected)
}

/// Keeps two from approaching after the physics has changed their velocities. Returns these, and what
/// has come to the normal impulse.
#[inline(never)]
fn look_at_two<P: Physics>(store: &mut Store<P>, deflection: &Deflection) -> ([DVec2; 2], f64) {
    let &Deflection { slot, with, masses: [a, b], shares, contact, normal_part, mut velocities } = deflection;
    let normal = contact.gap.normal;
    let is_pair = matches!(with, With::Disc(_));
    // Of the second, unless that cannot be moved or the first has no mass.
    let mut gained = if is_pair && b != f64::INFINITY && a != 0.0 {
        along(velocities[1] - normal_part[1], normal) * if b > 0.0 { b } else { 1.0 }
    } else {
        let mass = if a > 0.0 && a < f64::INFINITY { a } else { 1.0 };
        along(normal_part[0] - velocities[0], normal) * mass
    };
    if !is_pair {
        velocities[1] = DVec2::ZERO;
    }
    for (k, mass) in [a, b].into_iter().enumerate().take(if is_pair { 2 } else { 1 }) {
        let (before, wanted) = (normal_part[k], velocities[k]);
        let limited = within_limit(wanted);
        store.counters.clamped += u64::from(limited != wanted);
        velocities[k] = limited;
        store.book.note_physics(mass, before, wanted, limited);
    }
    let speed = approach((velocities[0] - velocities[1]).dot(normal), contact.growth_speed);
    if speed > 0.0 {
        let again = ContactNow { approach_speed: speed, ..contact };
        let stopped = bounce(&again, velocities, shares, 0.0);
        let (before, after, masses) = (velocities, stopped.after, [a, b]);
        let change = EnergyChange {
            is_pair,
            masses,
            before,
            after,
            contact: again,
            restitution: 0.0,
            impulse: stopped.impulse,
        };
        if note_work(store, &change) {
            store.book.look_again.add(change.loss());
        }
        (velocities, gained) = (stopped.after, gained + stopped.impulse);
        if let With::Facet(f) = with {
            let motion = Motion { velocity: velocities[0], ..store.bodies.motion_at(slot, store.now) };
            velocities[0] = store.walls.facets[f as usize].shape.led_back(&motion, &contact.gap);
        }
    }
    (velocities, gained)
}

/// Notes what the normal impulse does to the energy.
// The loss by restitution is added in line, as inelastic impacts are no exception.
#[inline(always)]
fn note_energy<P: Physics>(store: &mut Store<P>, outcome: &Outcome<P::Body, P::Extra>) {
    let Outcome { contact, shown, .. } = outcome;
    let is_special = !outcome.is_plain || outcome.is_made_plastic || contact.growth_speed != 0.0;
    if is_special || shown.restitution > 1.0 {
        // A value of its own, so that the outcome needs no place in memory where there is none.
        let change = EnergyChange {
            is_pair: matches!(outcome.with, With::Disc(_)),
            masses: [outcome.bodies[0].mass, outcome.bodies[1].mass],
            before: [shown.before[0].velocity, shown.before[1].velocity],
            after: shown.pushed,
            contact: *contact,
            restitution: shown.restitution,
            impulse: shown.impulse,
        };
        let wanted = outcome.is_made_plastic.then_some(contact.restitution);
        note_energy_change(store, &change, wanted, outcome.slots);
    } else if shown.restitution < 1.0 {
        let taken = 0.5 * (1.0 - shown.restitution) * shown.impulse * contact.approach_speed.max(0.0);
        store.book.restitution.add(taken);
    }
}

/// Stores the state of disc `k` of an impact of two bodies, with what it remembers of that, and marks it.
#[inline(always)]
fn store_after<P: Physics>(
    store: &mut Store<P>,
    outcome: &Outcome<P::Body, P::Extra>,
    k: usize,
    new_state: &NewState,
    extra: P::Extra,
    stamp: Stamp,
) {
    let slot = outcome.slots[k];
    match outcome.with {
        With::Disc(_) => fade_wall_memory(store, slot),
        With::Facet(f) => store.bodies.walls.set(slot, WallMemory::met(f, outcome.contact.gap.side)),
    }
    store.bodies.set_impact(slot, outcome.slots[1 - k], outcome.rapid_impacts[k]);
    store.put(slot, new_state, extra, stamp);
    store.mark(slot);
}

/// The record of an impact of two bodies.
fn impact<P: Physics>(
    store: &Store<P>,
    group: u64,
    outcome: &Outcome<P::Body, P::Extra>,
    after: &[State<P::Extra>; 2],
) -> Impact {
    let Contact { point, normal, before, .. } = outcome.shown;
    Impact {
        time: store.now,
        group,
        a: store.bodies.id(outcome.slots[0]),
        b: store.partner(outcome.with),
        user_data: [store.bodies.user_data.get(outcome.slots[0]), store.user_data_of(outcome.with)],
        point: store.bodies.periods.wrap(point).0,
        normal,
        approach_speed: outcome.contact.approach_speed,
        impulse: outcome.impulse,
        before: before.map(|before| before.velocity),
        after: [after[0].velocity, after[1].velocity],
    }
}

//! An impact of two bodies as a value.

use super::collapse::{makes_plastic, rapid_impacts_of_two};
use super::contact::{ContactNow, approach, disc_contact, gap_at_impact, wall_contact};
use super::energy::EnergyChange;
use super::two_body::{Bounce, MassShares, bounce, check_impulse_is_kept, impulse_of};
use crate::limits::within_limit;
use crate::state::bodies::NewState;
use crate::state::with::With;
use crate::store::Store;
use crate::touch::point_between;
use crate::{Body, Contact, Physics, State};
use carom_broadphase::Slot;
use carom_math::toi::Motion;
use glam::DVec2;

/// An impact of two discs, or of a disc with a wall, that touch nothing else: all but what the physics adds.
pub(crate) struct Outcome<B, X> {
    /// The disc that was inserted first is the first. For a wall both are the disc that meets it.
    pub(crate) slots: [Slot; 2],
    pub(crate) with: With,
    pub(crate) bodies: [Body<B>; 2],
    pub(crate) shares: MassShares,
    pub(crate) contact: ContactNow,
    /// The contact as the physics sees it.
    pub(crate) shown: Contact<X>,
    /// The impulse, to which the physics adds.
    pub(crate) impulse: f64,
    /// Whether the masses are finite, so that no infinite one does work and no tracer is without energy.
    pub(crate) has_finite_masses: bool,
    /// Whether the rule against collapse has set the restitution to 0: see [`Collapse`](crate::Collapse).
    pub(crate) is_made_plastic: bool,
    pub(crate) rapid_impacts: [u32; 2],
}

impl<B, X> Outcome<B, X> {
    /// The masses of both.
    #[inline(always)]
    pub(crate) fn masses(&self) -> [f64; 2] {
        [self.bodies[0].mass, self.bodies[1].mass]
    }
}

/// What the physics has made of an [`Outcome`].
pub(crate) struct Settled<X> {
    pub(crate) after: [State<X>; 2],
    /// Whether it has changed a velocity, and then how the two were kept from approaching.
    pub(crate) deflected: Option<Deflected>,
}

/// Two bodies whose velocities the physics has changed at their impact.
pub(crate) struct Deflected {
    /// The velocities with what the physics has added.
    pub(crate) wanted: [DVec2; 2],
    /// These within the limit of speeds, with what keeps the two from approaching.
    pub(crate) velocities: [DVec2; 2],
    /// What this adds to the normal impulse.
    gained: f64,
    /// What keeps them from approaching, if they would.
    pub(crate) stopped: Option<EnergyChange>,
}

/// Computes an impact of two bodies. Nothing is changed.
// What is stored is apart from the rest, of which most is for events: it is not computed where there is
// no sink.
#[inline(always)]
pub(crate) fn outcome<P: Physics>(
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
            let gap = gap_at_impact(store, a, f, &motion_a);
            let contact = wall_contact(store, a, f, &motion_a, &body_a, gap).of_two();
            (State::default(), contact, body_a, MassShares::at_wall(body_a.mass))
        }
    };
    let bodies = [body_a, body_b];
    let rapid_impacts = rapid_impacts_of_two(store, [a, b], contact.restitution);
    let is_made_plastic =
        makes_plastic(store, rapid_impacts, contact.restitution) || store.chains.is_any_spent(slots);
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
        is_rubbed: false,
        pushed: after,
    };
    let outcome = Outcome {
        slots,
        with,
        bodies,
        shares: masses,
        contact,
        shown,
        impulse,
        has_finite_masses: slots.iter().all(|&slot| store.bodies.record(slot).tag.is_of_finite_mass()),
        is_made_plastic,
        rapid_impacts,
    };
    (new_states, outcome)
}

/// The state of a disc now, its motion, and what does not change.
#[inline(always)]
fn at_impact<P: Physics>(store: &Store<P>, slot: Slot) -> (State<P::Extra>, Motion, Body<P::Body>) {
    let motion = store.motion_at(slot, store.now);
    let body = Body { radius: motion.radius, ..store.body(slot) };
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
            let point = point_between(&store.bodies.periods, places, radii, normal);
            (point, store.beside(of_a.position, normal * (radii[0] + radii[1]), of_b))
        }
        With::Facet(f) => {
            let point = of_a.position + normal * bodies[0].radius;
            (point, State { position: point, velocity: store.surface_velocity(f, point), ..of_b })
        }
    }
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
            let surface = &store.wall_of(*f).surface;
            store.physics.wall(shown, a, surface, &mut after_a);
        }
    }
    let mut is_deflected = new_states[0].set_velocity(after_a.velocity);
    if let With::Disc(_) = with {
        is_deflected |= new_states[1].set_velocity(after_b.velocity);
    }
    ([after_a, after_b], is_deflected)
}

/// Adds what the physics does to an impact of two bodies to the outcome and the new states.
#[inline(always)]
pub(crate) fn settle<P: Physics>(
    store: &Store<P>,
    new_states: &mut [NewState; 2],
    outcome: &mut Outcome<P::Body, P::Extra>,
) -> Settled<P::Extra> {
    let (mut after, mut is_deflected) = apply_physics(store, outcome, new_states);
    if outcome.shown.restitution > 1.0 {
        is_deflected |= after.iter().any(|state| within_limit(state.velocity) != state.velocity);
    }
    if !is_deflected {
        return Settled { after, deflected: None };
    }
    let deflected = look_at_two(store, outcome, [after[0].velocity, after[1].velocity]);
    outcome.impulse += deflected.gained;
    for k in 0..2 {
        after[k].velocity = deflected.velocities[k];
        new_states[k].set_velocity(deflected.velocities[k]);
    }
    Settled { after, deflected: Some(deflected) }
}

/// Keeps two from approaching after the physics has changed their velocities to those `wanted`.
#[inline(never)]
fn look_at_two<P: Physics>(
    store: &Store<P>,
    outcome: &Outcome<P::Body, P::Extra>,
    mut wanted: [DVec2; 2],
) -> Deflected {
    let Outcome { with, contact, shown, .. } = outcome;
    let (normal, masses) = (contact.gap.normal, outcome.masses());
    let is_pair = matches!(with, With::Disc(_));
    let [of_a, of_b] = [0, 1].map(|k| wanted[k] - shown.pushed[k]);
    let mut gained = impulse_of([of_a, if is_pair { of_b } else { DVec2::ZERO }], normal, outcome.shares);
    check_impulse_is_kept(shown, if is_pair { 2 } else { 1 }, wanted);
    if !is_pair {
        wanted[1] = DVec2::ZERO;
    }
    let mut velocities = wanted.map(within_limit);
    let speed = approach((velocities[0] - velocities[1]).dot(normal), contact.growth_speed);
    if !(speed > 0.0) {
        return Deflected { wanted, velocities, gained, stopped: None };
    }
    let again = ContactNow { approach_speed: speed, ..*contact };
    let Bounce { after, impulse } = bounce(&again, velocities, outcome.shares, 0.0);
    let before = velocities;
    let stopped = EnergyChange { is_pair, masses, before, after, contact: again, restitution: 0.0, impulse };
    (velocities, gained) = (after, gained + impulse);
    if let With::Facet(f) = *with {
        let motion = store.motion_at(outcome.slots[0], store.now);
        let shape = &store.walls.facets[f as usize].shape;
        velocities[0] = shape.led_back(&Motion { velocity: velocities[0], ..motion }, &contact.gap);
    }
    Deflected { wanted, velocities, gained, stopped: Some(stopped) }
}

//! How the discs of a group turn, and how its contacts rub: see [`Physics::TURNING`].

use crate::physics::{ContactFriction, Met};
use crate::state::contacts::HeldTo;
use crate::store::Store;
use crate::{Physics, State};
use carom_broadphase::Slot;
use carom_solver::{ContactGrip, Group, Other, Rim};
use glam::DVec2;

/// Notes how the members turn, with these extra states, and how the contacts rub.
pub(crate) fn note_friction<P: Physics>(
    store: &Store<P>,
    group: &mut Group,
    extra_of: impl Fn(&Store<P>, usize, Slot) -> P::Extra,
) {
    if P::TURNING.is_none() {
        return;
    }
    let friction = &mut group.friction;
    friction.is_on = false;
    friction.grips.clear();
    for c in 0..group.contacts.len() {
        let grip = grip_of(store, group, c);
        group.friction.is_on |= grip.most != [0.0; 2];
        group.friction.grips.push(grip);
    }
    note_rims(store, group, extra_of);
}

/// Notes how the members turn, with these extra states, if contacts rub.
pub(crate) fn note_rims<P: Physics>(
    store: &Store<P>,
    group: &mut Group,
    extra_of: impl Fn(&Store<P>, usize, Slot) -> P::Extra,
) {
    let Some(turning) = P::TURNING.filter(|_| group.friction.is_on) else { return };
    group.friction.rims.clear();
    for m in 0..group.members.len() {
        let (slot, radius) = (group.members[m].slot, group.members[m].motion.radius);
        let inertia = (turning.inertia)(&store.physics, &store.body_at(slot, store.now));
        let inertia = if radius > 0.0 { inertia } else { f64::INFINITY };
        let speed = radius * (turning.spin)(&extra_of(store, m, slot)).angular_velocity;
        group.friction.rims.push(Rim { inertia, speed, acceleration: 0.0 });
    }
}

/// Notes how the contacts of an impact rub, and lets them rub together, if there are several. Whether there
/// are, so that the physics has no friction to add.
pub(crate) fn rub_together<P: Physics>(
    store: &Store<P>,
    group: &mut Group,
    after: &mut [State<P::Extra>],
) -> bool {
    let may_rub = |contact: &&carom_solver::Contact| !contact.is_twin && !contact.pressing.is_near;
    note_friction(store, group, |_, m, _| after[m].extra);
    if P::TURNING.is_none() || group.contacts.iter().filter(may_rub).nth(1).is_none() {
        return false;
    }
    if group.friction.is_on {
        group.rub();
        for (m, state) in after.iter_mut().enumerate() {
            let rubbed = DVec2::from(group.friction.rubbed[m]);
            state.velocity = if rubbed == group.velocity(m) { state.velocity } else { rubbed };
        }
        take_spins::<P>(group, after);
    }
    true
}

fn grip_of<P: Physics>(store: &Store<P>, group: &Group, c: usize) -> ContactGrip {
    let contact = &group.contacts[c];
    let Some(turning) = P::TURNING else { return ContactGrip::default() };
    let body = |m: usize| store.body_at(group.members[m].slot, store.now);
    let of_a = body(contact.a);
    let friction = |met| (turning.friction)(&store.physics, &of_a, met);
    let friction = match contact.with {
        Other::Member(b) => friction(Met::Disc(&body(b))),
        Other::Facet(f, _) => friction(Met::Wall(&store.wall_of(f).surface)),
    };
    let ContactFriction { sliding, rolling, tangential_restitution, surface_speed } = friction;
    // The group knows how fast an arm comes nearer, and not how its surface goes by.
    let of_arm = match contact.with {
        Other::Facet(f, _) if store.walls.facets[f as usize].arm().is_some() => {
            let place = group.members[contact.a].motion;
            let point = place.position + contact.normal * place.radius;
            store.surface_velocity(f, point).dot(contact.normal.perp())
        }
        _ => 0.0,
    };
    let to = match contact.with {
        Other::Member(b) => HeldTo::Disc(group.members[b].slot),
        Other::Facet(f, side) => HeldTo::Facet(f, side),
    };
    let slot = group.members[contact.a].slot;
    let held = store.bodies.contacts.holds.of(slot).iter().find(|held| held.to == to);
    let grip = ContactGrip::new([sliding, rolling], tangential_restitution, surface_speed + of_arm);
    let age = store.now.since(store.bodies.time(slot));
    held.filter(|held| held.presses)
        .map_or(grip, |held| grip.held(held.sticks, held.still, held.heat_after(age)))
}

/// The speed of the rim of a disc as it is stored.
pub(crate) fn stored_rim<P: Physics>(store: &Store<P>, slot: Slot, radius: f64) -> f64 {
    P::TURNING.map_or(0.0, |turning| radius * (turning.spin)(&store.state(slot).extra).angular_velocity)
}

/// Gives states the angular velocities that the members have come to have. What turns as before keeps its
/// bits.
pub(crate) fn take_spins<P: Physics>(group: &Group, states: &mut [State<P::Extra>]) {
    let Some(turning) = P::TURNING.filter(|_| group.friction.is_on) else { return };
    for (m, (state, rim)) in states.iter_mut().zip(&group.friction.rims).enumerate() {
        let radius = group.members[m].motion.radius;
        if rim.speed != radius * (turning.spin)(&state.extra).angular_velocity {
            (turning.set_spin)(&mut state.extra, [rim.speed / radius, 0.0]);
        }
    }
}

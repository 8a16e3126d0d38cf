//! Friction of the ground on discs that others press on: see [`Physics::grip`].

use crate::physics::Gripped;
use crate::store::{Common, Store};
use crate::{Grip, Physics, State};
use carom_broadphase::Slot;
use carom_solver::{Free, Group, Member};
use glam::DVec2;

/// What is left of the velocity of a disc that has stopped, as a fraction of that at the beginning of its
/// piece: the rounding of `v + a T`.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// The acceleration of a disc without contacts, and how the ground holds it.
pub(crate) fn free_of<P: Physics>(store: &Store<P>, slot: Slot, state: &State<P::Extra>) -> Free {
    if store.bodies.is_unforced(slot) {
        return Free { acceleration: DVec2::ZERO, pull: DVec2::ZERO, grip: 0.0, inertia: 1.0 };
    }
    let body = store.body_at(slot, store.now);
    let acceleration = store.physics.acceleration(&body, state);
    let Some(Grip { pull, most: grip, inertia }) = store.physics.grip(&body, state) else {
        return Free { acceleration, pull: acceleration, grip: 0.0, inertia: 1.0 };
    };
    // What holds it at rest is to be found with the contacts.
    let acceleration = if state.velocity == DVec2::ZERO { pull } else { acceleration };
    Free { acceleration, pull, grip, inertia }
}

/// How many times its mass resists over the piece of a disc that is held.
pub(crate) fn inertia_over_piece<P: Physics>(store: &Store<P>, slot: Slot) -> f64 {
    store.physics.grip(&store.body(slot), &store.state(slot)).map_or(1.0, |grip| grip.inertia)
}

/// As stored, over the piece of a disc that is held.
pub(crate) fn free_over_piece<P: Physics>(store: &Store<P>, slot: Slot) -> DVec2 {
    if store.bodies.is_unforced(slot) {
        return DVec2::ZERO;
    }
    let (body, state, bend) = (store.body(slot), store.state(slot), store.bodies.bend(slot));
    store.physics.acceleration_in_cluster(&body, &state, bend.acceleration, bend.lasts)
}

/// The way of a held member since its state was stored. Where friction cancels what pulls it, the
/// difference of rounded places would be too coarse for the work of both.
pub(crate) fn way_of(store: &Common, member: &Member) -> DVec2 {
    let record = store.bodies.record(member.slot);
    if member.grip > 0.0 {
        let age = store.now.since(record.time());
        return (record.velocity() + store.bodies.bend(member.slot).acceleration * (0.5 * age)) * age;
    }
    if store.bodies.periods.is_open() {
        return member.motion.position - record.position();
    }
    // A member's place is that of an image.
    store.bodies.motion_at(member.slot, store.now).position - record.position()
}

/// Sets the velocities of held discs that friction has stopped to 0. A disc has stopped if its piece of
/// motion is over and its velocity at the end of the piece differs from 0 by rounding alone.
///
/// That velocity is computed from the duration of the piece. The duration has more digits than the time
/// of the end, which is rounded to the clock.
pub(crate) fn note_stops(store: &Common, group: &mut Group) {
    for m in 0..group.members.len() {
        let member = &mut group.members[m];
        if member.is_held && member.grip > 0.0 {
            let (record, bend) = (store.bodies.record(member.slot), store.bodies.bend(member.slot));
            let left = record.velocity() + bend.acceleration * bend.lasts;
            let least = ROUNDING * record.velocity().abs().max_element();
            let is_over = store.clock.after(record.time(), bend.lasts) <= store.now;
            if is_over && left.abs().max_element() <= least {
                member.motion.velocity = DVec2::ZERO;
                group.set_velocity(m, DVec2::ZERO);
            }
        }
    }
}

/// Seconds from its stored state to a change of motion of a held disc that its cluster does not decide, in a
/// piece with the acceleration `bent`.
pub(crate) fn own_motion_lasts<P: Physics>(store: &Store<P>, slot: Slot, bent: DVec2) -> f64 {
    if store.bodies.is_unforced(slot) {
        return f64::INFINITY;
    }
    let change = store.physics.next_change_in_cluster(&store.body(slot), &store.state(slot), bent);
    change.map_or(f64::INFINITY, |(dt, _)| dt)
}

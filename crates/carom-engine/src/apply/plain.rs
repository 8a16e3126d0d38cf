use super::fade::fade_wall_memory;
use crate::Physics;
use crate::ledger::energy_of_change;
use crate::store::Store;
use carom_broadphase::Slot;
use glam::DVec2;

/// Whether a disc has no state beside place and velocity, and an edit of these ends nothing but what the
/// disc remembers of walls: smooth discs that fly straight without drag, growth, periods, kinematic
/// discs, discs off the plane, regions, chains, or contacts with records.
///
/// Edits of velocities keep it so.
#[inline(always)]
pub(crate) fn has_plain_states<P: Physics>(store: &Store<P>) -> bool {
    let (bodies, contacts) = (&store.bodies, &store.bodies.contacts);
    P::IS_SMOOTH
        && store.drag.is_none()
        && store.sensing.is_none()
        && store.chains.is_empty()
        && bodies.off.is_empty()
        && bodies.movers.is_empty()
        && !bodies.growth.is_on()
        && bodies.periods.is_open()
        && contacts.is_without_ends()
}

/// As [`World::set_velocity`](crate::World::set_velocity), of a slot that is taken and a velocity in range,
/// where [states are plain](has_plain_states).
#[inline(always)]
pub(crate) fn set_plain_velocity<P: Physics>(store: &mut Store<P>, slot: Slot, velocity: DVec2) {
    fade_wall_memory(store, slot);
    let (before, mass) = store.bodies.turn(slot, store.now, velocity);
    if velocity != before {
        store.book.edits.add(energy_of_change(mass, before, velocity));
    }
    store.mark(slot);
}

//! Bodies that have given way go on, and discs have parted from what they pass through.

use super::fade::fade_wall_memory;
use super::token::{GuardedStore, Open};
use super::write::{store_state, unsettle};
use crate::sink::Sink;
use crate::state::stamp::Stamp;
use crate::store::Common;
use crate::{Event, Physics};
use carom_broadphase::Slot;

/// A body takes up the velocity that it had, or a disc has parted from what it passes through.
pub(crate) fn apply_release<P: Physics, K: Sink<P>>(store: &mut GuardedStore<P>, slot: Slot, sink: &mut K) {
    let store = store.open();
    let now = store.now;
    if store.is_held(slot) {
        unsettle(store, slot);
    }
    let mut state = store.state_now(slot);
    end_due_passing(store, slot);
    let contacts = &mut store.bodies.contacts;
    let is_released = contacts.blocked.iter().position(|record| record.body == slot && record.end <= now);
    if let Some(k) = is_released {
        state.velocity = contacts.remove(k);
    }
    // What is held to it is settled again, beside its new velocity.
    if store.is_held(slot) {
        unsettle(store, slot);
    }
    // Of a disc that has parted the state is stored anew, too: seen from one within what it passed
    // through, the two would meet.
    fade_wall_memory(store, slot);
    store_state(store, slot, &state, Stamp::NONE);
    store.mark(slot);
    if K::ACTIVE && is_released.is_some() {
        let _ =
            sink.event(&Event::Released { time: now, body: store.bodies.id(slot), velocity: state.velocity });
    }
}

/// Ends what passes of a disc through others and through walls is over.
fn end_due_passing(store: &mut Common, slot: Slot) {
    for k in (0..store.bodies.contacts.passing.len()).rev() {
        let record = store.bodies.contacts.passing[k];
        if record.disc == slot && record.end <= store.now {
            store.bodies.contacts.passing.remove(k);
            store.mark(record.through);
        }
    }
    let now = store.now;
    store.bodies.contacts.passing_walls.retain(|record| record.disc != slot || record.end > now);
}

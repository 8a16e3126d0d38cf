//! States that are written elsewhere than at an impact of two, and what is held with them.

use super::holds::note_dropped;
use crate::state::contacts::HeldTo;
use crate::state::stamp::Stamp;
use crate::store::{Common, Store};
use crate::{Physics, State};
use carom_broadphase::Slot;

/// Takes a disc from what it is held to, as it is edited: it and that are settled anew.
#[inline(always)]
pub(super) fn unsettle<P: Physics>(store: &mut Store<P>, slot: Slot) {
    if P::ACCELERATED {
        release_held(store, slot);
        store.unsettled.push(slot);
        store.mark(slot);
    }
}

/// Ends the contacts by which a disc is held, and has those settled to which it was.
pub(super) fn release_held(store: &mut Common, slot: Slot) {
    note_dropped(store, slot);
    store.note_heat(slot);
    let Common { bodies, unsettled, dirty, .. } = store;
    for held in bodies.contacts.holds.of(slot) {
        if let HeldTo::Disc(other) = held.to {
            unsettled.push(other);
            dirty.push(other);
        }
    }
    bodies.contacts.holds.forget(slot);
}

/// As [`Store::put`]; contacts that the disc was held by end with it.
#[inline]
pub(super) fn store_state<P: Physics>(
    store: &mut Store<P>,
    slot: Slot,
    state: &State<P::Extra>,
    stamp: Stamp,
) {
    if P::ACCELERATED {
        note_dropped(store, slot);
    }
    store_in_group(store, slot, state, stamp);
}

/// As `store_state`, of a disc whose contacts are held anew after it.
#[inline]
pub(super) fn store_in_group<P: Physics>(
    store: &mut Store<P>,
    slot: Slot,
    state: &State<P::Extra>,
    stamp: Stamp,
) {
    let new_state = store.bodies.new_state(slot, store.now, state.position, state.velocity);
    store.put(slot, &new_state, state.extra, stamp);
}

//! Discs that are settled: those that are held, and those that edits have put where they may press on
//! something.

use super::fade::fade_wall_memory;
use super::holds::shorten_hold_notes;
use super::token::{GuardedCommon, GuardedStore, Open};
use super::write::store_state;
use crate::Physics;
use crate::state::stamp::Stamp;
use carom_broadphase::Slot;

/// Counts the end of a piece of the motion of held discs.
pub(crate) fn count_piece(mut store: GuardedCommon<'_>) {
    store.open().counters.pieces += 1;
}

/// The discs to be settled, from now on none. Their memory is to be [given back](end_settling).
pub(crate) fn take_unsettled(mut store: GuardedCommon<'_>) -> Vec<Slot> {
    core::mem::take(&mut store.open().unsettled)
}

/// Stores the states of discs as of now, held by nothing.
pub(crate) fn store_unsettled<P: Physics>(store: &mut GuardedStore<P>, slots: &[Slot]) {
    let store = store.open();
    for &slot in slots {
        // What held it is gone, and so is the acceleration that it had for that.
        let state = store.state_now(slot);
        let mut stamp = store.bodies.stamp(slot);
        if store.bodies.time(slot) != store.now {
            // Of the walls that it has hit it is no longer where it hit them.
            fade_wall_memory(store, slot);
            stamp = Stamp::NONE;
        }
        store_state(store, slot, &state, stamp);
        store.mark(slot);
    }
}

/// To be called when edits have been settled: what has been noted of held contacts is shortened, as edits may
/// go on without a call that reports.
pub(crate) fn end_settling(mut store: GuardedCommon<'_>, mut settled: Vec<Slot>) {
    let store = store.open();
    settled.clear();
    store.unsettled = settled;
    shorten_hold_notes(store);
}

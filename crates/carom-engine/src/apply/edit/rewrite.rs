//! The state of a disc, written as someone changes it.

use crate::apply::fade::fade_wall_memory;
use crate::apply::write::{store_state, unsettle};
use crate::ledger::energy_of_change;
use crate::state::stamp::Stamp;
use crate::store::Store;
use crate::{Physics, State};
use carom_broadphase::Slot;

/// Rewrites a disc's state at the present time.
#[inline]
pub(super) fn rewrite<P: Physics>(store: &mut Store<P>, slot: Slot, state: &State<P::Extra>) {
    unsettle(store, slot);
    let before = store.motion_at(slot, store.now).velocity;
    if state.velocity != before {
        let mass = store.bodies.detail(slot).mass;
        store.book.edits.add(energy_of_change(mass, before, state.velocity));
    }
    store_state(store, slot, state, Stamp::NONE);
    store.bodies.detail_mut(slot).rapid_impacts = 0;
    store.chains.dissolve(slot);
    store.mark(slot);
}

/// As `rewrite`, of a disc that stays where it is: it keeps the sides of the walls that it is at.
#[inline]
pub(super) fn rewrite_here<P: Physics>(store: &mut Store<P>, slot: Slot, state: &State<P::Extra>) {
    fade_wall_memory(store, slot);
    rewrite(store, slot, state);
}

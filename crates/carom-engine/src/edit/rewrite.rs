use crate::apply::fade::fade_wall_memory;
use crate::apply::write::{store_state, unsettle};
use crate::ledger::energy_of_change;
use crate::state::stamp::Stamp;
use crate::store::Store;
use crate::{Physics, State};
use carom_broadphase::Slot;
use glam::DVec2;

/// Rewrites a disc's state at the present time.
#[inline]
pub(crate) fn rewrite<P: Physics>(store: &mut Store<P>, slot: Slot, state: &State<P::Extra>) {
    unsettle(store, slot);
    let before = store.bodies.motion_at(slot, store.now).velocity;
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
pub(crate) fn rewrite_here<P: Physics>(store: &mut Store<P>, slot: Slot, state: &State<P::Extra>) {
    fade_wall_memory(store, slot);
    rewrite(store, slot, state);
}

/// Rewrites the states of all discs at the present time.
pub(crate) fn restate<P: Physics>(store: &mut Store<P>, change: impl Fn(State<P::Extra>) -> State<P::Extra>) {
    store.for_each_live(|store, slot| {
        rewrite_here(store, slot, &change(store.state_now(slot)));
    });
}

/// Notes the energy of a disc that is going to be removed.
pub(crate) fn note_removal<P: Physics>(store: &mut Store<P>, slot: Slot) {
    unsettle(store, slot);
    store.note_path(slot);
    store.sense(|sensing, flights| sensing.see_removal(flights, slot));
    let mass = store.bodies.detail(slot).mass;
    let velocity = store.bodies.motion_at(slot, store.now).velocity;
    store.book.edits.add(-energy_of_change(mass, DVec2::ZERO, velocity));
}

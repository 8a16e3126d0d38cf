//! A disc on the chord along which it slides, or on the path on which it leaves the wall.

use super::token::{GuardedCommon, GuardedStore, Open};
use super::write::store_state;
use crate::respond::collapse::are_nowhere;
use crate::respond::slide::NewChord;
use crate::store::Store;
use crate::{Physics, State};
use carom_broadphase::Slot;

/// Stores what comes after a chord.
pub(crate) fn apply_next_chord<P: Physics>(store: &mut GuardedStore<P>, chord: &NewChord, extra: P::Extra) {
    let store = store.open();
    store.counters.slides += 1;
    // A chord that gets nowhere is no pause.
    if !are_nowhere(store, [chord.slot]) {
        store.bodies.detail_mut(chord.slot).rapid_impacts = 0;
    }
    write_chord(store, chord, extra);
}

/// Stores a chord on which a disc is set whose state has been stored.
pub(crate) fn apply_chord<P: Physics>(store: &mut GuardedStore<P>, chord: &NewChord) {
    set_on_chord(store.open(), chord);
}

/// As `apply_chord`.
pub(super) fn set_on_chord<P: Physics>(store: &mut Store<P>, chord: &NewChord) {
    let extra = store.added(chord.slot).extra;
    write_chord(store, chord, extra);
}

fn write_chord<P: Physics>(store: &mut Store<P>, chord: &NewChord, extra: P::Extra) {
    let &NewChord { slot, state: State { position, velocity, .. }, stamp, walls, slide, taken } = chord;
    store_state(store, slot, &State { position, velocity, extra }, stamp);
    store.bodies.walls.set(slot, walls);
    if let Some(slide) = slide {
        store.bodies.contacts.held.set(slot, slide);
    }
    store.book.slides.add(taken);
    store.mark(slot);
}

/// Has a disc scheduled again whose event was due and does not take place.
pub(crate) fn schedule_again(mut store: GuardedCommon<'_>, slot: Slot) {
    store.open().mark(slot);
}

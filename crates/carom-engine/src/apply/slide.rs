//! A disc on the chord along which it slides, or on the path on which it leaves the wall.

use super::token::{GuardedStore, Open};
use super::write::store_state;
use crate::Physics;
use crate::respond::slide::NewChord;
use crate::store::Store;
use carom_broadphase::Slot;

/// Stores what comes after a chord.
pub(crate) fn apply_next_chord<P: Physics>(store: &mut GuardedStore<P>, chord: &NewChord<P::Extra>) {
    let store = store.open();
    store.counters.slides += 1;
    store.bodies.detail_mut(chord.slot).rapid_impacts = 0;
    write_chord(store, chord);
}

/// Stores a chord on which a disc is set.
pub(crate) fn apply_chord<P: Physics>(store: &mut GuardedStore<P>, chord: &NewChord<P::Extra>) {
    write_chord(store.open(), chord);
}

pub(super) fn write_chord<P: Physics>(store: &mut Store<P>, chord: &NewChord<P::Extra>) {
    let &NewChord { slot, ref state, stamp, walls, slide, taken } = chord;
    store_state(store, slot, state, stamp);
    store.bodies.walls.set(slot, walls);
    if let Some(slide) = slide {
        store.bodies.contacts.held.set(slot, slide);
    }
    store.book.slides.add(taken);
    store.mark(slot);
}

/// Has a disc scheduled again whose event was due and does not take place.
pub(crate) fn schedule_again<P: Physics>(store: &mut GuardedStore<P>, slot: Slot) {
    store.open().mark(slot);
}

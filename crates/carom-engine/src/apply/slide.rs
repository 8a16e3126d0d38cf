use super::write::store_state;
use crate::Physics;
use crate::respond::slide::NewChord;
use crate::store::Store;

/// Stores a disc on the chord along which it slides, or on the path on which it leaves the wall.
pub(crate) fn apply_chord<P: Physics>(store: &mut Store<P>, chord: &NewChord<P::Extra>) {
    let &NewChord { slot, ref state, stamp, walls, slide, taken } = chord;
    store_state(store, slot, state, stamp);
    store.bodies.walls.set(slot, walls);
    if let Some(slide) = slide {
        store.bodies.contacts.held.set(slot, slide);
    }
    store.book.slides.add(taken);
    store.mark(slot);
}

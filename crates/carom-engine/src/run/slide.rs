//! The end of a chord along the inside of a curved wall.

use crate::apply::slide::{apply_next_chord, schedule_again};
use crate::apply::token::GuardedStore;
use crate::respond::slide::{arc_beyond, leave_wall, slide_on};
use crate::state::contacts::Slide;
use crate::state::stamp::Stamp;
use crate::{Physics, Sink, State, Turn};
use carom_broadphase::Slot;

/// The end of a chord: the disc begins the next one, or leaves the wall at its end.
pub(crate) fn resolve_slide<P: Physics, K: Sink<P>>(store: &mut GuardedStore<P>, slot: Slot, sink: &mut K) {
    let Some(&Slide { facet, turns_left, at_end, speed, .. }) = store.bodies.contacts.held.get(slot) else {
        return schedule_again(store.common(), slot);
    };
    let State { position, velocity, extra } = store.state_now(slot);
    let state = State { position, velocity, extra: () };
    let on = if at_end { arc_beyond(store, slot, facet, turns_left) } else { Some(facet) };
    let next =
        on.and_then(|f| slide_on(store, slot, [f, facet], turns_left, speed, &state, (Stamp::NONE, 0.0)));
    let next = next.unwrap_or_else(|| leave_wall(store, slot, facet, turns_left, speed, state));
    apply_next_chord(store, &next, extra);
    if K::ACTIVE {
        let State { position, velocity, .. } = store.state(slot);
        sink.turn(&Turn { time: store.now, disc: store.bodies.id(slot), position, velocity });
    }
}

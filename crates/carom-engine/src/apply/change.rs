//! A motion that changes its law by itself.

use super::fade::fade_wall_memory;
use super::token::{GuardedStore, Open};
use super::write::store_state;
use crate::respond::collapse::rapid_impacts;
use crate::respond::motion_change::{Changed, NewMotion};
use crate::sink::Sink;
use crate::state::judging::Action;
use crate::state::stamp::Stamp;
use crate::store::Store;
use crate::{Event, Physics};

/// Stores, marks and reports a change of motion.
pub(crate) fn apply_change<P: Physics, K: Sink<P>>(
    store: &mut GuardedStore<P>,
    motion: &NewMotion<P::Extra>,
    changed: Changed<P::Change>,
    sink: &mut K,
) {
    let store = store.open();
    let &NewMotion { slot, ref state, stamp, gained } = motion;
    store.book.physics.add(gained);
    // It does not count, and ends a row of impacts unless it comes soon after one.
    store.bodies.detail_mut(slot).rapid_impacts = rapid_impacts(store, slot, 1.0, false);
    if stamp == Stamp::NONE {
        fade_wall_memory(store, slot);
    }
    store_state(store, slot, state, stamp);
    store.mark(slot);
    report_change(store, Some(changed), sink);
}

/// Counts and reports a change of motion, if there is one, and has what it captures taken off the plane
/// after the event.
pub(super) fn report_change<P: Physics, K: Sink<P>>(
    store: &mut Store<P>,
    changed: Option<Changed<P::Change>>,
    sink: &mut K,
) {
    let Some((slot, change, is_captured)) = changed else { return };
    store.counters.changes += 1;
    let disc = store.bodies.id(slot);
    if K::ACTIVE {
        _ = sink.event(&Event::Change { time: store.now, disc, change });
    }
    if is_captured {
        store.judging.actions.push(Action::Capture(disc, None));
    }
}

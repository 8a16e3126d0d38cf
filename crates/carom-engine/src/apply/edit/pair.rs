//! Pairs of discs that do not collide.

use super::rewrite::rewrite_here;
use crate::Physics;
use crate::apply::token::{GuardedStore, Open};
use crate::apply::write::unsettle;
use crate::state::contacts::Passing;
use carom_broadphase::Slot;
use carom_math::Time;

/// As [`World::exclude`](crate::World::exclude).
pub(crate) fn exclude<P: Physics>(store: &mut GuardedStore<P>, a: Slot, b: Slot) -> bool {
    let store = store.open();
    let is_new = store.bodies.contacts.excluded.insert(a, b);
    if is_new {
        store.bodies.contacts.end_passing(a, b);
        if store.bodies.contacts.holds.with_disc(a, b).is_some() {
            unsettle(store, a);
        }
        store.mark(a);
        store.mark(b);
    }
    is_new
}

/// As [`World::include`](crate::World::include).
pub(crate) fn include<P: Physics>(store: &mut GuardedStore<P>, a: Slot, b: Slot) -> bool {
    let store = store.open();
    let was_there = store.bodies.contacts.excluded.remove(a, b);
    if was_there {
        rewrite_here(store, a, &store.state_now(a));
        store.mark(b);
        if !store.bodies.ignore(a, b) && store.are_overlapping(a, b) {
            let (since, end) = (store.now, Time::NEVER);
            store.bodies.contacts.passing.push(Passing { disc: a, through: b, since, end, is_judged: false });
        }
    }
    was_there
}

//! Records of what has given way or passes through something, as discs and walls are edited, and as they
//! have changed.

use super::token::{GuardedStore, Open};
use crate::Physics;
use crate::physics::ReachOf;
use crate::respond::crush::release::{end_of_passing, end_of_passing_wall, refresh_blocked};
use crate::store::{Common, Store};
use carom_broadphase::Slot;

/// Forgets a disc that goes, or that others will feel in another way.
pub(super) fn forget_contacts(store: &mut Common, slot: Slot) {
    if !store.bodies.contacts.is_without_releases() {
        for k in 0..store.bodies.contacts.blocked.len() {
            if store.bodies.contacts.blocked[k].names(slot) {
                store.mark(store.bodies.contacts.blocked[k].body);
            }
        }
        end_contacts_by_place(store, slot);
        store.bodies.contacts.forget(slot);
    }
}

/// Ends what a disc passes over, and lets bodies that it was in the way of try again, as it is put
/// elsewhere or has another size. A tracer whose passing ends so is scheduled again.
pub(super) fn end_contacts_by_place(store: &mut Common, slot: Slot) {
    for k in 0..store.bodies.contacts.passing.len() {
        let record = store.bodies.contacts.passing[k];
        if record.names(slot) {
            store.mark(record.disc);
        }
    }
    store.bodies.contacts.end_by_place(slot);
}

/// As `end_contacts_by_place`, as a disc is given other rules, which do not end what passes through
/// another until they have parted. The passing over a tracer ends if the state is rewritten: if not, the
/// two have met in the past.
pub(super) fn end_contacts_by_rules(store: &mut Common, slot: Slot, is_rewritten: bool) {
    for k in 0..store.bodies.contacts.passing.len() {
        let record = store.bodies.contacts.passing[k];
        if record.names(slot) {
            store.mark(record.disc);
            store.mark(record.through);
        }
    }
    store.bodies.contacts.end_by_rules(slot, is_rewritten);
}

/// Lets all bodies that have given way try again, as a wall goes.
pub(super) fn free_blocked(store: &mut Common) {
    store.bodies.contacts.free_blocked(|_| true);
    for k in 0..store.bodies.contacts.blocked.len() {
        store.mark(store.bodies.contacts.blocked[k].body);
    }
}

/// Brings the ends of records up to date whose discs have changed, and marks those that they are the
/// solo events of.
#[cold]
pub(crate) fn refresh_contacts<P: Physics>(store: &mut GuardedStore<P>) {
    let Store { common, physics, .. } = store.open();
    refresh(common, ReachOf::new(physics));
}

fn refresh(store: &mut Common, reach: ReachOf<'_>) {
    store.dirty.sort_unstable();
    let mut contacts = core::mem::take(&mut store.bodies.contacts);
    let mut changed = core::mem::take(&mut contacts.scratch.changed);
    changed.clear();
    let is_dirty = |slot: Slot| store.dirty.binary_search(&slot).is_ok();
    for record in contacts.blocked.iter_mut().filter(|record| !record.is_over) {
        if record.is_free || store.dirty.iter().any(|&slot| record.names(slot)) {
            refresh_blocked(store, record);
            changed.push(record.body);
        }
    }
    for record in &mut contacts.passing {
        if is_dirty(record.disc) || is_dirty(record.through) {
            record.end = end_of_passing(store, reach, record);
            changed.push(record.disc);
        }
    }
    for record in &mut contacts.passing_walls {
        if is_dirty(record.disc) {
            record.end = end_of_passing_wall(store, record);
            changed.push(record.disc);
        }
    }
    contacts.remove_if(|record| record.is_over && record.since != store.now);
    store.dirty.extend_from_slice(&changed);
    contacts.scratch.changed = changed;
    store.bodies.contacts = contacts;
}

//! Discs that come, go, and are changed.

use super::passing::pass_if_overlapping;
use super::rewrite::rewrite;
use super::wall::end_slides;
use crate::apply::contacts::{end_contacts_by_place, end_contacts_by_rules, forget_contacts};
use crate::apply::fade::fade_wall_memory;
use crate::apply::token::{GuardedCommon, GuardedStore, Open};
use crate::apply::write::unsettle;
use crate::edit::{Change, ChangeOf, Records, Remembered, Sensed, Way};
use crate::ledger::energy_of_change;
use crate::physics::Reach;
use crate::sense::own_region;
use crate::state::off_plane::Off;
use crate::state::rules::SensorRules;
use crate::state::wall_memory::WallMemory;
use crate::store::{Common, Store};
use crate::{Disc, Physics, Rules, State};
use carom_broadphase::Slot;
use glam::DVec2;

/// Stores and marks a disc that comes; returns where, and its serial number.
pub(crate) fn insert<P: Physics>(store: &mut GuardedStore<P>, disc: &Disc<P::Body, P::Extra>) -> (Slot, u64) {
    let store = store.open();
    let (slot, serial) = store.insert(disc);
    note_size(store, disc.radius);
    store.mark(slot);
    store.book.edits.add(energy_of_change(disc.mass, DVec2::ZERO, disc.velocity));
    unsettle(store, slot);
    store.sense(|sensing, flights| sensing.see_placed(flights, slot));
    if let Some(own) = own_region(&store.flights(), slot) {
        store.begin_sensing(|sensing, flights| sensing.put_up(flights, own, true));
    }
    (slot, serial)
}

/// Allocates memory for this number of discs in all.
pub(crate) fn reserve(mut store: GuardedCommon<'_>, discs: usize) {
    store.open().bodies.reserve(discs);
}

/// Forgets discs that go, which are sorted.
pub(crate) fn remove<P: Physics>(store: &mut GuardedStore<P>, gone: &[Slot]) {
    let store = store.open();
    for &slot in gone {
        store.end_journey(slot);
        unsettle(store, slot);
        store.note_path(slot);
        store.sense(|sensing, flights| sensing.see_removal(flights, slot));
        let mass = store.bodies.detail(slot).mass;
        let velocity = store.motion_at(slot, store.now).velocity;
        store.book.edits.add(-energy_of_change(mass, DVec2::ZERO, velocity));
        store.chains.dissolve(slot);
        forget_contacts(store, slot);
    }
    store.unmark(|slot| gone.binary_search(&slot).is_ok());
    gone.iter().for_each(|&slot| store.bodies.remove(slot));
    store.edited();
}

/// Takes a disc whose rules have been edited, and the rules that are to come into force.
pub(crate) fn take_edited(mut store: GuardedCommon<'_>) -> Option<(Slot, Rules)> {
    store.open().bodies.rules.take_edited()
}

/// Changes a disc, with all that [follows](Row) up to `marks`.
pub(crate) fn change_disc<P: Physics>(store: &mut GuardedStore<P>, slot: Slot, change: &ChangeOf<P>) {
    let (store, row) = (store.open(), change.row());
    let arrived = store.bodies.arrived_at(slot);
    match row.way {
        Way::GoesOn => {}
        Way::Journey => _ = store.end_journey(slot),
        Way::All => store.end_way(slot),
    }
    let mut state = store.state_now(slot);
    if let Some(target) = arrived {
        // Whoever changes what has arrived changes what stands there.
        let now = store.now;
        state.position = store.bodies.image_reached(slot, target, now);
        state.velocity = DVec2::ZERO;
    }
    if row.past {
        begin_path(store, slot, &state, change);
    }
    if row.releases && store.is_held(slot) {
        unsettle(store, slot);
    }
    write(store, slot, change, &mut state);
    // A path depends on the mass only where gravity bends it.
    let is_of_path = P::ACCELERATED || !matches!(change, Change::Class(_));
    if !row.past {
        begin_path(store, slot, &state, change);
    } else if is_of_path {
        rewrite(store, slot, &state);
    }
    if row.marks {
        store.mark(slot);
    }
    store.edited();
}

/// Ends what a change ends of what a disc remembers, and stores its state.
fn begin_path<P: Physics>(store: &mut Store<P>, slot: Slot, state: &State<P::Extra>, change: &ChangeOf<P>) {
    let row = change.row();
    match row.records {
        Records::Stay => {}
        Records::OfVelocity => store.common.end_by_velocity(slot),
        Records::OfPlace => end_contacts_by_place(store, slot),
        Records::OfRules => {
            end_slides(store);
            end_contacts_by_rules(store, slot, row.restates);
        }
        Records::All => forget_contacts(store, slot),
    }
    match row.memory {
        Remembered::All => {}
        Remembered::Sides => fade_wall_memory(store, slot),
        Remembered::SidesOfMet => {
            let Common { bodies, walls, .. } = &mut store.common;
            let before = change.rules_before();
            let met = |f: u32| walls.facets[f as usize].rules.collides_with(&before).then_some(f);
            bodies.walls.set(slot, bodies.walls.get(slot).renumbered(met));
            fade_wall_memory(store, slot);
        }
        Remembered::Nothing => store.bodies.walls.set(slot, WallMemory::EMPTY),
    }
    if row.restates {
        rewrite(store, slot, state);
    }
}

/// The change alone: of the state, which is not stored here, or of something else.
fn write<P: Physics>(store: &mut Store<P>, slot: Slot, change: &ChangeOf<P>, state: &mut State<P::Extra>) {
    match *change {
        Change::Position(position) | Change::Pushed(position) => state.position = position,
        Change::Velocity(velocity) | Change::Deflected(velocity) => state.velocity = velocity,
        Change::Arrived(target) => {
            let now = store.now;
            let position = store.bodies.image_reached(slot, target, now);
            (state.position, state.velocity) = (position, DVec2::ZERO);
        }
        Change::Extra(extra) => state.extra = extra,
        Change::Body(body) => store.set_own(slot, body),
        Change::Radius(radius) => {
            let stored = store.bodies.growth.stored(radius, store.now);
            store.bodies.set_radius(slot, stored);
            note_size(store, radius);
        }
        Change::Mass(mass) | Change::Class(mass) => {
            let velocity = store.bodies.record(slot).velocity();
            let energy = |mass| energy_of_change(mass, DVec2::ZERO, velocity);
            let before = store.bodies.detail(slot).mass;
            store.book.edits.add(energy(mass) - energy(before));
            store.bodies.set_mass(slot, mass);
        }
        Change::Restitution(restitution) => store.bodies.detail_mut(slot).restitution = restitution,
        Change::UserData(user_data) => store.bodies.user_data.set(slot, user_data),
        Change::Overlap(overlap) => store.bodies.overlap.set(slot, overlap),
        Change::Rules(rules) => store.bodies.rules.edit(slot, rules),
        Change::SensorRules(rules) => {
            let sensors = &mut store.bodies.sensors;
            sensors.set(slot, SensorRules { rules, ..sensors.get(slot) });
        }
        Change::InForce { rules, .. } => store.bodies.rules.set(slot, rules),
        Change::TakenOff(off) => {
            store.bodies.off.set(slot, off);
            // It leaves regions at the velocity that it had.
            store.sense(|sensing, flights| sensing.see_enabled(flights, slot));
            state.velocity = DVec2::ZERO;
        }
        Change::PutBack(velocity) => {
            store.bodies.off.remove(slot);
            *state = State { velocity, ..store.state_now(slot) };
        }
        Change::Excluded(other) => {
            let contacts = &mut store.bodies.contacts;
            contacts.excluded.insert(slot, other);
            contacts.end_passing(slot, other);
            contacts.free_blocked(|record| record.names(slot) && record.names(other));
            if contacts.holds.with_disc(slot, other).is_some() {
                unsettle(store, slot);
            }
            store.mark(other);
        }
        Change::Included(other) => {
            store.bodies.contacts.excluded.remove(slot, other);
            store.mark(other);
            pass_if_overlapping(store, slot, other, false);
        }
    }
}

fn note_size<P: Physics>(store: &mut Store<P>, radius: f64) {
    let size = store.physics.size(radius);
    let size = store.bodies.growth.stored(size, store.now);
    store.bodies.note_size(size);
}

/// Has regions look at a disc that has been changed.
pub(crate) fn sense_change<P: Physics>(store: &mut GuardedStore<P>, slot: Slot, change: &ChangeOf<P>) {
    store.open().sense(|sensing, flights| match change.row().sense {
        Sensed::Nothing => {}
        Sensed::Place => sensing.see_placed(flights, slot),
        Sensed::Size => sensing.see_resized(flights, slot),
        Sensed::Own => sensing.renew_own(flights, slot),
        Sensed::Rules => sensing.see_rules(flights, slot, &change.rules_before()),
        Sensed::SensorRules => sensing.see_sensor_rules(flights, slot),
    });
}

/// Has regions look at a disc that has been put back.
pub(crate) fn sense_put_back(mut store: GuardedCommon<'_>, slot: Slot) {
    store.open().sense(|sensing, flights| sensing.see_enabled(flights, slot));
}

/// Changes what a disc that is off the plane comes back with; false if it is on it.
pub(crate) fn change_off(mut store: GuardedCommon<'_>, slot: Slot, change: impl FnOnce(&mut Off)) -> bool {
    let store = store.open();
    let Some(off) = store.bodies.off.get_mut(slot) else { return false };
    change(off);
    store.edited();
    true
}

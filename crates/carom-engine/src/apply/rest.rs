//! What holds discs, and how they move while it does.

use super::fade::fade_wall_memory;
use super::holds::note_group_holds;
use super::token::{GuardedStore, Open};
use super::write::store_state;
use crate::Physics;
use crate::respond::friction;
use crate::respond::rest::{facets_of, low_impacts_after};
use crate::state::bend::Bend;
use crate::state::contacts::{Held, HeldTo};
use crate::state::stamp::Stamp;
use crate::store::{Common, Store};
use carom_broadphase::Slot;
use carom_math::toi::Side;
use carom_solver::{Group, LeftFacet, Other};
use smallvec::SmallVec;

/// Lets a disc go that was held, and touches nothing any more: it has left a wall over its end.
pub(crate) fn let_go<P: Physics>(store: &mut GuardedStore<P>, slot: Slot) {
    let store = store.open();
    if store.is_held(slot) {
        let state = store.state_now(slot);
        let left: SmallVec<[(u32, Side); 4]> = facets_of(store.bodies.contacts.holds.of(slot)).collect();
        store_state(store, slot, &state, Stamp::NONE);
        for (f, side) in left {
            store.bodies.contacts.holds.add(slot, Held::settled(HeldTo::Facet(f, side)));
        }
        store.mark(slot);
    }
}

/// Stores a disc that has flown a period where it is: its path goes on from there.
pub(crate) fn fly_on<P: Physics>(store: &mut GuardedStore<P>, slot: Slot) {
    let store = store.open();
    let state = store.state_now(slot);
    // What it met at this very instant it has still met.
    let is_of_now = store.bodies.time(slot) == store.now;
    let stamp = if is_of_now { store.bodies.stamp(slot) } else { Stamp::NONE };
    if stamp == Stamp::NONE {
        fade_wall_memory(store, slot);
    }
    store_state(store, slot, &state, stamp);
    store.mark(slot);
}

/// Ends the piece of motion of a disc that is held now, so that it is settled with what holds it.
pub(super) fn end_piece(store: &mut Common, slot: Slot) {
    let (time, now) = (store.bodies.time(slot), store.now);
    let age = now.since(time);
    // The age is rounded; what ends before the present would have been missed.
    let lasts = if store.clock.after(time, age) < now { age.next_up() } else { age };
    let bend = *store.bodies.bend(slot);
    store.bodies.set_bend(slot, Bend { lasts, ..bend });
    store.mark(slot);
}

/// Stores what holds a group's discs, and how they move: to be called when their states are stored.
pub(super) fn hold_group<P: Physics>(store: &mut Store<P>, group: &Group) {
    note_group_holds(store, group);
    // What has been stored has forgotten what it was held to.
    let touches = |contact: &carom_solver::Contact| {
        let pressing = &contact.pressing;
        (pressing.is_held || pressing.is_settled) && !pressing.is_driven
    };
    for (c, contact) in group.contacts.iter().enumerate().filter(|(_, contact)| touches(contact)) {
        let (a, presses) = (group.members[contact.a].slot, contact.pressing.is_held);
        let rubs = P::TURNING.is_some() && group.friction.is_on && presses;
        let grip = rubs.then(|| &group.friction.grips[c]);
        let held = |to| match grip {
            Some(grip) => {
                Held { to, presses, sticks: grip.sticks, still: grip.still, heat: group.heat_of(c) }
            }
            None => Held { presses, ..Held::settled(to) },
        };
        let holds = &mut store.bodies.contacts.holds;
        match contact.with {
            Other::Member(b) => {
                let b = group.members[b].slot;
                let held = held(HeldTo::Disc(b));
                holds.add(a, held);
                holds.add(b, held.of_other(a));
            }
            Other::Facet(f, side) => holds.add(a, held(HeldTo::Facet(f, side))),
        }
    }
    for &LeftFacet { member, facet: (f, side), .. } in &group.left {
        let left = Held::settled(HeldTo::Facet(f, side));
        store.bodies.contacts.holds.add(group.members[member].slot, left);
    }
    let low_impacts = low_impacts_after(store, group);
    for (m, (member, low_impacts)) in group.members.iter().zip(low_impacts).enumerate() {
        let own = *store.bodies.bend(member.slot);
        let is_held = store.bodies.contacts.holds.is_held(member.slot);
        let bend = if is_held {
            let acceleration = member.acceleration;
            let lasts = member.lasts.min(friction::own_motion_lasts(store, member.slot, acceleration));
            Bend { acceleration, lasts, low_impacts }
        } else {
            Bend { low_impacts, ..own }
        };
        store.bodies.set_bend(member.slot, bend);
        if P::TURNING.is_some() && group.friction.is_on && is_held && member.motion.radius > 0.0 {
            store.set_turning(member.slot, group.friction.rims[m].acceleration / member.motion.radius);
        }
    }
}

//! The events of held contacts: that one begins, and that one ends.

use super::token::{GuardedStore, Open};
use crate::sink::Sink;
use crate::state::contacts::{HeldTo, HoldNote};
use crate::state::with::With;
use crate::store::Common;
use crate::touch::{direction, point_between};
use crate::{Event, Hold, Partner, Physics};
use carom_broadphase::Slot;
use carom_math::DVec2;
use carom_math::toi::{Memory, Side};
use carom_solver::{Group, LeftFacet, Other, Pressing};

/// Notes a contact that is no longer held as it was before, or may not be.
fn note_hold(store: &mut Common, slot: Slot, to: HeldTo, was_held: bool) {
    let note = hold_note(store, slot, to, was_held);
    store.hold_notes.push(note);
}

/// Notes the contacts of a disc that press, as their records are going to be dropped.
#[inline(always)]
pub(super) fn note_dropped(store: &mut Common, slot: Slot) {
    if store.bodies.contacts.holds.is_held(slot) {
        for k in 0..store.bodies.contacts.holds.of(slot).len() {
            let held = store.bodies.contacts.holds.of(slot)[k];
            if held.presses {
                note_hold(store, slot, held.to, true);
            }
        }
    }
}

/// Ends the contacts by which discs are held to a wall, as `note_dropped` notes. The discs are settled again.
pub(super) fn drop_held_to_wall(store: &mut Common, wall: u32) {
    let Common { bodies, walls, .. } = store;
    let is_of_wall = |to| matches!(to, HeldTo::Facet(f, _) if walls.facets[f as usize].wall == wall);
    let holds = &mut bodies.contacts.holds;
    let dropped: Vec<_> = holds.iter().filter(|(_, held)| is_of_wall(held.to)).collect();
    holds.retain(|_, to| !is_of_wall(to));
    for (slot, held) in dropped {
        store.book.note_heat(held.heat_after(store.now.since(store.bodies.time(slot))));
        if held.presses {
            note_hold(store, slot, held.to, true);
        }
        store.unsettled.push(slot);
        store.mark(slot);
    }
}

/// Notes the contacts of a group that have begun to be held by its event, or ceased to be.
pub(super) fn note_group_holds(store: &mut Common, group: &Group) {
    let is_other = |pressing: &Pressing| pressing.is_held != pressing.was_held;
    for contact in group.contacts.iter().filter(|contact| is_other(&contact.pressing)) {
        let to = match contact.with {
            Other::Member(b) => HeldTo::Disc(group.members[b].slot),
            Other::Facet(f, side) => HeldTo::Facet(f, side),
        };
        note_hold(store, group.members[contact.a].slot, to, contact.pressing.was_held);
    }
    for &LeftFacet { member, facet: (f, side), .. } in &group.left {
        note_hold(store, group.members[member].slot, HeldTo::Facet(f, side), true);
    }
}

/// Reports what has been noted, as far as it is another thing now than before: what has begun, and then
/// what has ended, each by serial numbers.
#[inline(always)]
pub(crate) fn report_holds<P: Physics, K: Sink<P>>(store: &mut GuardedStore<P>, sink: &mut K) {
    if P::ACCELERATED && !store.hold_notes.is_empty() {
        report_noted_holds(store.open(), sink);
    }
}

fn report_noted_holds<P: Physics, K: Sink<P>>(store: &mut Common, sink: &mut K) {
    let mut notes = core::mem::take(&mut store.hold_notes);
    if K::ACTIVE {
        tidy_hold_notes(store, &mut notes);
        for is_held in [true, false] {
            for note in notes.iter().filter(|note| note.was_held != is_held) {
                match hold_now(store, &note.hold) {
                    Some(hold) if is_held => _ = sink.event(&Event::Held(hold)),
                    None if !is_held => _ = sink.event(&Event::LetGo(note.hold)),
                    _ => {}
                }
            }
        }
    }
    notes.clear();
    store.hold_notes = notes;
}

/// Keeps the first note of each contact, in their order: by serial numbers, then those of walls that are
/// gone, then those of others in the order in which these were put up.
fn tidy_hold_notes(store: &Common, notes: &mut Vec<HoldNote>) {
    let key = |note: &HoldNote| match note.hold.b {
        Partner::Disc(_) => (note.serials, 0, 0, 0, 0),
        Partner::Wall { wall, part } => {
            let first = store.walls.slot(wall).ok().map(|slot| store.walls.first_of(slot));
            (
                note.serials,
                1 + u32::from(first.is_some()),
                first.unwrap_or(wall.slot()),
                wall.generation(),
                part,
            )
        }
    };
    notes.sort_by_key(key);
    notes.dedup_by_key(|note| (note.hold.a, note.hold.b));
}

/// Keeps of the notes what is reported.
pub(super) fn shorten_hold_notes(store: &mut Common) {
    let mut notes = core::mem::take(&mut store.hold_notes);
    tidy_hold_notes(store, &mut notes);
    store.hold_notes = notes;
}

/// A contact as it is now, if it is held.
fn hold_now(store: &Common, hold: &Hold) -> Option<Hold> {
    let slot = store.bodies.slot(hold.a).ok()?;
    let mut held = store.bodies.contacts.holds.of(slot).iter().filter(|held| held.presses);
    let of = |to| match to {
        HeldTo::Disc(other) => With::Disc(other),
        HeldTo::Facet(f, _) => With::Facet(f),
    };
    let found = held.find(|held| store.partner(of(held.to)) == hold.b)?;
    Some(hold_note(store, slot, found.to, true).hold)
}

/// The disc that was inserted first is the first, or the one at the wall.
fn hold_note(store: &Common, slot: Slot, to: HeldTo, was_held: bool) -> HoldNote {
    match to {
        HeldTo::Disc(other) => {
            let serial = |slot| store.bodies.detail(slot).serial;
            let [a, b] = if serial(slot) < serial(other) { [slot, other] } else { [other, slot] };
            let [of_a, of_b] = [a, b].map(|slot| store.bodies.wrapped_motion_at(slot, store.now));
            let apart = store.bodies.periods.nearest(of_b.position - of_a.position);
            let normal = direction(apart, of_a.velocity - of_b.velocity);
            let places = [of_a.position, of_b.position];
            let point = point_between(&store.bodies.periods, places, [of_a.radius, of_b.radius], normal);
            let hold = hold(store, a, With::Disc(b), [point, normal]);
            HoldNote { hold, serials: [serial(a), serial(b)], was_held }
        }
        HeldTo::Facet(f, side) => hold_note_at_wall(store, slot, f, side, was_held),
    }
}

fn hold_note_at_wall(store: &Common, slot: Slot, f: u32, side: Side, was_held: bool) -> HoldNote {
    let motion = store.bodies.wrapped_motion_at(slot, store.now);
    let normal = store.walls.facets[f as usize].gap_at_impact(&motion, Memory::Near(side), store.now).normal;
    let point = motion.position + normal * motion.radius;
    let hold = hold(store, slot, With::Facet(f), [point, normal]);
    HoldNote { hold, serials: [store.bodies.detail(slot).serial, 0], was_held }
}

fn hold(store: &Common, a: Slot, with: With, [point, normal]: [DVec2; 2]) -> Hold {
    Hold {
        time: store.now,
        a: store.bodies.id(a),
        b: store.partner(with),
        user_data: [store.bodies.user_data.get(a), store.user_data_of(with)],
        point: store.bodies.periods.wrap(point).0,
        normal,
    }
}

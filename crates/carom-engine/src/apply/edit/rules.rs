//! Rules that discs and walls are given, and that come into force.

use super::rewrite::rewrite_here;
use super::wall::release_from_walls;
use crate::apply::contacts::{end_contacts_by_rules, free_blocked};
use crate::apply::holds::note_dropped_from_wall;
use crate::apply::token::{GuardedStore, Open};
use crate::apply::write::unsettle;
use crate::state::contacts::{Passing, PassingWall};
use crate::state::rules::SensorRules;
use crate::store::Common;
use crate::{Physics, Rules};
use carom_broadphase::{Circle, Slot};
use carom_math::Time;

/// Notes other rules of a disc on the plane; they come into force with the next event.
pub(crate) fn edit_disc_rules<P: Physics>(store: &mut GuardedStore<P>, slot: Slot, rules: Rules) {
    let store = store.open();
    store.bodies.rules.edit(slot, rules);
    store.mark(slot);
}

/// Gives a sensor other rules.
pub(crate) fn set_sensor_rules<P: Physics>(store: &mut GuardedStore<P>, slot: Slot, rules: Rules) {
    let store = store.open();
    let sensors = &mut store.bodies.sensors;
    sensors.set(slot, SensorRules { rules, ..sensors.get(slot) });
    store.sense(|sensing, flights| sensing.see_sensor_rules(flights, slot));
    store.mark(slot);
}

/// Notes other rules of a wall; they come into force with the next event. `near` are the discs to be
/// scheduled again.
pub(crate) fn edit_wall_rules<P: Physics>(
    store: &mut GuardedStore<P>,
    wall: u32,
    rules: Rules,
    near: &[Slot],
) {
    let store = store.open();
    near.iter().for_each(|&disc| store.mark_solo(disc));
    store.wall_mut(wall).rules = rules;
    store.walls.edit_rules(wall, rules);
    store.edited();
}

/// Takes a disc whose rules have been edited, and the rules that are to come into force.
pub(crate) fn take_edited_disc<P: Physics>(store: &mut GuardedStore<P>) -> Option<(Slot, Rules)> {
    store.open().bodies.rules.take_edited()
}

/// Puts the rules of a disc in force. What it now meets and overlaps is to be
/// [passed](pass_what_overlaps).
pub(crate) fn put_disc_rules_in_force<P: Physics>(store: &mut GuardedStore<P>, slot: Slot, rules: Rules) {
    let store = store.open();
    let before = store.bodies.rules.get(slot);
    if store.is_held(slot) {
        unsettle(store, slot);
    }
    store.bodies.rules.set(slot, rules);
    // What it passed through it may be past of, so its path begins anew; and it is on no known side of a
    // wall that it may have passed through.
    if rules.may_add_to(&before) {
        let state = store.state_now(slot);
        let Common { bodies, walls, .. } = &mut store.common;
        let met = |f: u32| walls.facets[f as usize].rules.collides_with(&before).then_some(f);
        bodies.walls.set(slot, bodies.walls.get(slot).renumbered(met));
        rewrite_here(store, slot, &state);
    }
    end_slides_past_walls(store);
    end_contacts_by_rules(store, slot, rules.may_add_to(&before));
}

/// Marks the discs that know a disc whose rules have come into force, and has regions look at it.
pub(crate) fn sense_rules<P: Physics>(
    store: &mut GuardedStore<P>,
    slot: Slot,
    before: &Rules,
    known_by: &[Slot],
) {
    let store = store.open();
    known_by.iter().for_each(|&marked| store.mark(marked));
    store.sense(|sensing, flights| sensing.see_rules(flights, slot, before));
}

/// Puts the rules of walls in force that have been given others.
pub(crate) fn put_wall_rules_in_force<P: Physics>(store: &mut GuardedStore<P>) {
    let store = store.open();
    while let Some((wall, rules)) = store.walls.next_edited() {
        enforce_wall_rules(store, wall, &rules);
    }
}

/// Lets a disc pass through what it overlaps until they have parted: all that it did not collide with by its
/// former rules, and does now. Of discs those `near`, of walls those near the circle.
pub(crate) fn pass_what_overlaps<P: Physics>(
    store: &mut GuardedStore<P>,
    slot: Slot,
    before: &Rules,
    circle: &Circle,
    near: &[Slot],
) {
    let store = store.open();
    let (since, end) = (store.now, Time::NEVER);
    for &through in near.iter().filter(|&&through| through != slot) {
        let is_new = !before.collides_with(&store.bodies.rules.get(through))
            && !store.bodies.contacts.is_passing(slot, through);
        if is_new && !store.bodies.ignore(slot, through) && store.are_overlapping(slot, through) {
            let record = Passing { disc: slot, through, since, end, is_judged: true };
            store.bodies.contacts.passing.push(record);
            store.mark(through);
        }
    }
    let motion = store.bodies.wrapped_motion_at(slot, store.now);
    for f in store.walls.planes.near(store.simd, circle) {
        let facet = &store.walls.facets[f as usize];
        let wall = facet.wall;
        let is_new = store.bodies.meets_wall(slot, &facet.rules) && !facet.rules.collides_with(before);
        let is_known = store.bodies.contacts.passes_wall(slot, wall);
        if is_new && !is_known && facet.overlap(&motion, since).is_some() {
            store.bodies.contacts.passing_walls.push(PassingWall { disc: slot, wall, since, end });
        }
    }
    store.mark(slot);
}

/// Lets the discs pass that a wall overlaps and that it did not collide with, until they have parted. The
/// discs near it are marked.
fn pass_overlapped_by_wall(store: &mut Common, wall: u32, before: &Rules, rules: &Rules) {
    let (since, end) = (store.now, Time::NEVER);
    let Common { bodies, walls, dirty, .. } = store;
    for &disc in dirty.iter() {
        let (own, motion) = (bodies.rules.get(disc), bodies.motion_at(disc, since));
        let is_new = bodies.meets_wall(disc, rules) && !before.collides_with(&own);
        let is_known = bodies.contacts.passes_wall(disc, wall);
        let mut facets = walls.facets_of(wall).iter();
        if is_new && !is_known && facets.any(|facet| facet.overlap(&motion, since).is_some()) {
            bodies.contacts.passing_walls.push(PassingWall { disc, wall, since, end });
        }
    }
}

/// Ends the slides of discs along walls that they do not collide with.
fn end_slides_past_walls(store: &mut Common) {
    let Common { bodies, walls, .. } = store;
    let rules = &bodies.rules;
    let collides = |slot, f: u32| walls.facets[f as usize].rules.collides_with(&rules.get(slot));
    bodies.contacts.held.retain(|slot, slide| collides(slot, slide.facet));
}

/// Puts rules of a wall into force; the discs near it are marked.
fn enforce_wall_rules(store: &mut Common, wall: u32, rules: &Rules) {
    let before = store.walls.rules_in_force(wall);
    if *rules == before {
        return;
    }
    let adds = rules.may_add_to(&before);
    store.walls.put_in_force(wall, *rules, adds.then_some((store.now, store.impacts)));
    if adds {
        pass_overlapped_by_wall(store, wall, &before, rules);
        let Common { bodies, walls, .. } = &mut *store;
        for known in bodies.walls.stored_mut() {
            *known = known.renumbered(|f| (walls.facets[f as usize].wall != wall).then_some(f));
        }
    }
    end_slides_past_walls(store);
    note_dropped_from_wall(store, wall);
    release_from_walls(store, |facet| facet.wall == wall);
    free_blocked(store);
}

//! Walls that are put up, changed, moved and taken down.

use super::passing::pass_overlapped_by_wall;
use super::rewrite::rewrite_here;
use crate::apply::contacts::free_blocked;
use crate::apply::holds::drop_held_to_wall;
use crate::apply::rest::end_piece;
use crate::apply::token::{GuardedCommon, GuardedStore, Open};
use crate::apply::write::store_state;
use crate::edit::WallChange;
use crate::respond::rest::facets_of;
use crate::state::timers::Timer;
use crate::store::{Common, Store};
use crate::walls::arm;
use crate::walls::facet::Facet;
use crate::walls::motion::WallPose;
use crate::{Physics, Rules, Wall, WallId};
use carom_broadphase::Slot;
use carom_math::Time;
use carom_math::toi::Side;

/// Puts up a wall that consists of these facets. `near` are the discs that may meet it.
pub(crate) fn put_up<P: Physics>(
    store: &mut GuardedStore<P>,
    wall: Wall<P::Surface>,
    facets: Vec<Facet>,
    near: &[Slot],
) -> WallId {
    let store = store.open();
    near.iter().for_each(|&slot| store.mark_solo(slot));
    store.edited();
    store.insert_wall(wall, facets)
}

/// Takes a wall whose rules have been edited, and the rules that are to come into force.
pub(crate) fn take_edited(mut store: GuardedCommon<'_>) -> Option<(u32, Rules)> {
    store.open().walls.next_edited()
}

/// Changes a wall, with all that [follows](WallChange::row). `near` are the discs near what it is and what it
/// becomes. Returns what it was if it is gone.
pub(crate) fn change_wall<P: Physics>(
    store: &mut GuardedStore<P>,
    slot: u32,
    change: WallChange<P::Surface>,
    near: &[Slot],
) -> Option<Wall<P::Surface>> {
    let store = store.open();
    let row = change.row();
    let turn = if let WallChange::Posed { is_turn, .. } = change { Some(is_turn) } else { None };
    let known = turn.map(|is_turn| (known_sides(store, slot, near, is_turn), is_turn));
    if row.course
        && let Some(course) = store.walls.course(slot)
    {
        store.timers.remove(course.timer);
    }
    if row.holds {
        drop_held_to_wall(store, slot);
        free_blocked(store);
    }
    if row.touching {
        restate_touching(store, slot, near);
        store.chains.clear();
    }
    if row.carries {
        carry_on(store, slot, near);
    }
    if row.near {
        near.iter().for_each(|&disc| store.mark_solo(disc));
    }
    if row.regions {
        let id = store.walls.id(slot);
        store.sense(|sensing, flights| sensing.see_wall_removal(flights, id));
        store.bodies.contacts.passing_walls.retain(|record| record.wall != slot);
    }
    let gone = write(store, slot, change);
    if row.slides {
        end_slides(store);
    }
    if row.facets {
        renumber_if_sparse(store);
    }
    if let Some((known, is_turn)) = known {
        know_sides(store, slot, &known, is_turn);
    }
    store.edited();
    gone
}

/// The change alone.
fn write<P: Physics>(
    store: &mut Store<P>,
    slot: u32,
    change: WallChange<P::Surface>,
) -> Option<Wall<P::Surface>> {
    match change {
        WallChange::Restitution(restitution) => store.wall_mut(slot).restitution = restitution,
        WallChange::UserData(user_data) => {
            store.wall_mut(slot).user_data = user_data;
            store.walls.user_data[slot as usize] = user_data;
        }
        WallChange::Surface(surface) => store.wall_mut(slot).surface = surface,
        WallChange::Rules(rules) => {
            store.wall_mut(slot).rules = rules;
            store.walls.edit_rules(slot, rules);
        }
        WallChange::InForce { rules, before } => put_in_force(store, slot, rules, &before),
        WallChange::Posed { pose, parts, .. } => {
            store.walls.exchange(slot, parts);
            write_pose(store, slot, pose);
        }
        WallChange::Onward { pose, parts, .. } => {
            store.walls.prolong(slot, &parts);
            write_pose(store, slot, pose);
        }
        WallChange::Gone => return Some(store.remove_wall(slot)),
    }
    None
}

/// Notes how a wall stands or moves, with a timer that ends its course.
fn write_pose<P: Physics>(store: &mut Store<P>, slot: u32, mut pose: WallPose) {
    if let Some(course) = &mut pose.course {
        let arrival = Timer::WallArrival(store.walls.id(slot));
        course.timer = store.timers.add(course.timer.0, arrival);
    }
    store.wall_mut(slot).shape = pose.shape();
    store.walls.set_pose(slot, pose);
}

/// Notes that a wall has arrived, and stops later; the timer of its arrival is taken.
pub(crate) fn arrive<P: Physics>(store: &mut GuardedStore<P>, slot: u32, timer: (Time, u64)) {
    let store = store.open();
    let mut pose = store.pose(slot);
    if let Some(course) = &mut pose.course {
        course.timer = store.timers.stop_later(timer, Timer::WallArrival(store.common.walls.id(slot)));
    }
    store.wall_mut(slot).shape = pose.stopped(None).shape();
    store.walls.set_pose(slot, pose);
}

/// Puts rules of a wall into force. If they may add something, what it overlaps passes, and it is on no known
/// side of what it has met.
fn put_in_force(store: &mut Common, slot: u32, rules: Rules, before: &Rules) {
    let adds = rules.may_add_to(before);
    store.walls.put_in_force(slot, rules, adds.then_some((store.now, store.impacts)));
    if adds {
        pass_overlapped_by_wall(store, slot, before, &rules);
        let Common { bodies, walls, .. } = store;
        for known in bodies.walls.stored_mut() {
            *known = known.renumbered(|f| (walls.facets[f as usize].wall != slot).then_some(f));
        }
    }
}

/// Has discs near a wall go on with it, which is to be a few ulp elsewhere: what it holds is settled now, as
/// at the end of a piece, and what it has hit and is still at is stored as of now, and has met it.
fn carry_on<P: Physics>(store: &mut Store<P>, wall: u32, near: &[Slot]) {
    for &slot in near {
        let is_of_wall = |f: u32| store.walls.facets.get(f as usize).is_some_and(|facet| facet.wall == wall);
        if P::ACCELERATED && facets_of(store.bodies.contacts.holds.of(slot)).any(|(f, _)| is_of_wall(f)) {
            end_piece(store, slot);
        } else if !store.is_held(slot) {
            let (known, motion) = (store.bodies.walls.get(slot), store.motion_at(slot, store.now));
            let is_at = |(f, side): (u32, Side)| {
                is_of_wall(f) && store.walls.facets[f as usize].is_still_at(side, &motion, store.now)
            };
            if known.known().any(is_at) {
                store_state(store, slot, &store.state_now(slot), store.bodies.stamp(slot));
                store.mark(slot);
            }
        }
    }
}

/// Stores discs near a wall as of now that slide along it, or have been hit by it and are still at it.
fn restate_touching<P: Physics>(store: &mut Store<P>, wall: u32, near: &[Slot]) {
    for &slot in near {
        let is_of_wall = |f: u32| store.walls.facets.get(f as usize).is_some_and(|facet| facet.wall == wall);
        let motion = store.motion_at(slot, store.now);
        let touches = match store.bodies.contacts.held.get(slot) {
            Some(slide) => is_of_wall(slide.facet),
            None => {
                let known = store.bodies.walls.get(slot);
                known.known().any(|(f, side)| {
                    is_of_wall(f) && store.walls.facets[f as usize].is_still_at(side, &motion, store.now)
                })
            }
        };
        if touches {
            rewrite_here(store, slot, &store.state_now(slot));
        }
    }
}

/// Ends the slides of discs along facets that are gone, or that they do not collide with.
pub(super) fn end_slides(store: &mut Common) {
    let Common { bodies, walls, .. } = store;
    let rules = &bodies.rules;
    let stays = |slot, facet: &Facet| !facet.is_gone() && facet.rules.collides_with(&rules.get(slot));
    bodies.contacts.held.retain(|slot, slide| stays(slot, &walls.facets[slide.facet as usize]));
}

/// Leaves out the facets that are gone, where these are many. All discs are scheduled again then, as their
/// events name facets.
fn renumber_if_sparse(store: &mut Common) {
    let Common { bodies, walls, .. } = store;
    if walls.is_sparse(bodies.slots()) {
        let numbers = walls.renumber();
        bodies.contacts.renumber(|f| numbers[f as usize]);
        for known in bodies.walls.stored_mut() {
            *known = known.renumbered(|f| numbers[f as usize]);
        }
        for slot in 0..store.bodies.slots() as Slot {
            if store.bodies.is_live(slot) {
                store.mark_solo(slot);
            }
        }
    }
}

/// A side of a part of a wall that a disc knows; the part is 0 of an arm.
type Known = (Slot, u32, Side);

/// The sides of a wall that discs at it know: points that lie on it know them from nothing else.
fn known_sides(store: &Common, slot: u32, near: &[Slot], is_turn: bool) -> Vec<Known> {
    let (first, is_thick) = (store.walls.first_of(slot), store.walls.is_thick_at_rest(slot));
    let mut all = Vec::new();
    for &disc in near {
        let motion = store.bodies.motion_at(disc, store.now);
        for (f, side) in store.bodies.walls.get(disc).known() {
            let facet = &store.walls.facets[f as usize];
            if facet.wall != slot || !facet.is_still_at(side, &motion, store.now) {
                continue;
            }
            let part = f - first;
            let of_arm = || arm::side_of_arm(part, side, is_thick).map(|side| (disc, 0, side));
            all.extend(if is_turn { of_arm() } else { Some((disc, part, side)) });
        }
    }
    all
}

fn know_sides(store: &mut Common, slot: u32, known: &[Known], is_turn: bool) {
    let (first, is_thick) = (store.walls.first_of(slot), store.walls.is_thick_at_rest(slot));
    for &(disc, part, side) in known {
        let (part, side) = if is_turn { arm::part_on(side, is_thick) } else { (part, side) };
        // Among them are parts that are gone, as those that this wall had.
        let stands = |f: u32| (!store.walls.facets[f as usize].is_gone()).then_some(f);
        let others = store.bodies.walls.get(disc).renumbered(stands);
        store.bodies.walls.set(disc, others.with_first(first + part, side));
    }
}

//! Walls that are put up, changed, moved and taken down.

use super::rewrite::rewrite_here;
use crate::apply::contacts::free_blocked;
use crate::apply::holds::note_dropped_from_wall;
use crate::apply::token::{GuardedStore, Open};
use crate::state::contacts::HeldTo;
use crate::state::timers::Timer;
use crate::store::{Common, Store};
use crate::walls::arm;
use crate::walls::facet::Facet;
use crate::walls::motion::WallPose;
use crate::{Physics, Wall, WallId};
use carom_broadphase::Slot;
use carom_math::toi::Side;
use smallvec::SmallVec;

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

/// Takes a wall down. `near` are the discs that may have met it.
pub(crate) fn take_down<P: Physics>(
    store: &mut GuardedStore<P>,
    id: WallId,
    near: &[Slot],
) -> Wall<P::Surface> {
    let (store, slot) = (store.open(), id.slot());
    end_course(store, slot);
    part_from_wall(store, slot, near);
    store.sense(|sensing, flights| sensing.see_wall_removal(flights, id));
    store.bodies.contacts.passing_walls.retain(|record| record.wall != slot);
    let wall = store.remove_wall(slot);
    forget_gone_parts(store);
    wall
}

/// Changes what of a wall no event that is scheduled follows from.
pub(crate) fn change_wall<P: Physics>(
    store: &mut GuardedStore<P>,
    slot: u32,
    change: impl FnOnce(&mut Wall<P::Surface>),
) {
    let store = store.open();
    change(store.wall_mut(slot));
    store.walls.user_data[slot as usize] = store.wall(slot).user_data;
    store.edited();
}

/// A side of a part of a wall that a disc knows.
struct Known {
    disc: Slot,
    /// 0 of an arm.
    part: u32,
    side: Side,
}

/// Takes the parts of a wall down and puts those up that it has in another pose, with the discs near both.
/// What touches it touches it as if it was put up now. `is_turn` of an arm that begins to turn, or ceases to.
pub(crate) fn set_pose<P: Physics>(
    store: &mut GuardedStore<P>,
    id: WallId,
    mut pose: WallPose,
    parts: Vec<Facet>,
    near: &[Slot],
    is_turn: bool,
) {
    let (store, slot) = (store.open(), id.slot());
    end_course(store, slot);
    let known = known_sides(store, slot, near, is_turn);
    part_from_wall(store, slot, near);
    for k in 0..store.bodies.contacts.passing_walls.len() {
        let record = store.bodies.contacts.passing_walls[k];
        if record.wall == slot {
            store.mark(record.disc);
        }
    }
    store.walls.exchange(slot, parts);
    forget_gone_parts(store);
    know_sides(store, slot, &known, is_turn);
    if let Some(course) = &mut pose.course {
        course.timer = store.timers.add(course.timer.0, Timer::WallArrival(id));
    }
    store.wall_mut(slot).shape = pose.shape();
    store.walls.set_pose(slot, pose);
}

/// Takes back the timer of a wall that turns or moves.
fn end_course<P: Physics>(store: &mut Store<P>, slot: u32) {
    if let Some(course) = store.walls.course(slot) {
        store.timers.remove(course.timer);
    }
}

/// To be called before a wall goes, with the discs near it. Rewrites the states of those that slide along
/// it, or have been hit by it and are still at it: what it kept them from since, another wall at the same
/// place, say, is ahead of them then.
fn part_from_wall<P: Physics>(store: &mut Store<P>, wall: u32, near: &[Slot]) {
    note_dropped_from_wall(store, wall);
    for &slot in near {
        let is_of_wall = |f: u32| store.walls.facets.get(f as usize).is_some_and(|facet| facet.wall == wall);
        let motion = store.motion_at(slot, store.now);
        let parts = match store.bodies.contacts.held.get(slot) {
            Some(slide) => is_of_wall(slide.facet),
            None => {
                let known = store.bodies.walls.get(slot);
                known.known().any(|(f, side)| {
                    is_of_wall(f) && store.walls.facets[f as usize].is_still_at(side, &motion, store.now)
                })
            }
        };
        if parts {
            rewrite_here(store, slot, &store.state_now(slot));
        }
        store.mark_solo(slot);
    }
    store.edited();
    store.chains.clear();
    free_blocked(store);
}

/// Forgets the facets that have been taken down. Where these are many they are left out, and all discs
/// are scheduled again, as their events name facets.
fn forget_gone_parts(store: &mut Common) {
    let Common { bodies, walls, .. } = store;
    bodies.contacts.held.renumber(|f| (!walls.facets[f as usize].is_gone()).then_some(f));
    release_from_walls(store, Facet::is_gone);
    let Common { bodies, walls, .. } = store;
    if walls.is_sparse(bodies.slots()) {
        let numbers = walls.renumber();
        bodies.contacts.renumber(|f| numbers[f as usize]);
        for known in bodies.walls.stored_mut() {
            *known = known.renumbered(|f| numbers[f as usize]);
        }
        for slot in store.bodies.live().collect::<Vec<_>>() {
            store.mark_solo(slot);
        }
    }
}

/// Takes discs from facets to which they are held.
pub(super) fn release_from_walls(store: &mut Common, is_of: impl Fn(&Facet) -> bool) {
    let Common { bodies, walls, unsettled, dirty, .. } = store;
    let is_released = |to: HeldTo| matches!(to, HeldTo::Facet(f, _) if is_of(&walls.facets[f as usize]));
    let holds = &mut bodies.contacts.holds;
    let before = unsettled.len();
    unsettled.extend(holds.iter().filter(|&(_, held)| is_released(held.to)).map(|(slot, _)| slot));
    holds.retain(|_, to| !is_released(to));
    dirty.extend_from_slice(&unsettled[before..]);
}

/// The sides of a wall that discs at it know: points that lie on it know them from nothing else.
fn known_sides(store: &Common, slot: u32, near: &[Slot], is_turn: bool) -> SmallVec<[Known; 8]> {
    let (first, is_thick) = (store.walls.first_of(slot), store.walls.is_thick_at_rest(slot));
    let of = |&disc: &Slot| {
        let motion = store.bodies.motion_at(disc, store.now);
        let known = store.bodies.walls.get(disc);
        let is_there = |&(f, side): &(u32, Side)| {
            let facet = &store.walls.facets[f as usize];
            facet.wall == slot && facet.is_still_at(side, &motion, store.now)
        };
        let known: SmallVec<[_; 2]> = known.known().filter(is_there).collect();
        known.into_iter().filter_map(move |(f, side)| {
            let part = f - first;
            let (part, side) =
                if is_turn { (0, arm::side_of_arm(part, side, is_thick)?) } else { (part, side) };
            Some(Known { disc, part, side })
        })
    };
    near.iter().flat_map(of).collect()
}

fn know_sides(store: &mut Common, slot: u32, known: &[Known], is_turn: bool) {
    let (first, is_thick) = (store.walls.first_of(slot), store.walls.is_thick_at_rest(slot));
    for &Known { disc, part, side } in known {
        let (part, side) = if is_turn { arm::part_on(side, is_thick) } else { (part, side) };
        let others = store.bodies.walls.get(disc);
        store.bodies.walls.set(disc, others.with_first(first + part, side));
    }
}

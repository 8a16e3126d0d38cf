//! What passes through what it overlaps until they have parted.

use crate::apply::token::{GuardedStore, Open};
use crate::state::contacts::{Passing, PassingWall};
use crate::store::{Common, Store};
use crate::touch::held_depth;
use crate::walls::facet::Facet;
use crate::{Physics, Rules};
use carom_broadphase::{Circle, Slot};
use carom_math::Time;

/// Lets a disc pass through another if it would collide with it and overlaps it.
pub(super) fn pass_if_overlapping<P: Physics>(
    store: &mut Store<P>,
    disc: Slot,
    through: Slot,
    is_judged: bool,
) -> bool {
    let passes = !store.bodies.ignore(disc, through) && store.are_overlapping(disc, through);
    if passes {
        let (since, end) = (store.now, Time::NEVER);
        store.bodies.contacts.passing.push(Passing { disc, through, since, end, is_judged });
    }
    passes
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
        if is_new && pass_if_overlapping(store, slot, through, true) {
            store.mark(through);
        }
    }
    let motion = store.bodies.wrapped_motion_at(slot, store.now);
    for f in store.walls.planes.near(store.simd, circle) {
        let facet = &store.walls.facets[f as usize];
        let wall = facet.wall;
        let is_new = store.bodies.meets_wall(slot, &facet.rules) && !facet.rules.collides_with(before);
        let is_known = store.bodies.contacts.passes_wall(slot, wall);
        let least = held_depth(store.bodies.is_bent(), motion.radius);
        if is_new && !is_known && facet.overlap(&motion, since).is_some_and(|depth| depth > least) {
            store.bodies.contacts.passing_walls.push(PassingWall { disc: slot, wall, since, end });
        }
    }
    store.mark(slot);
}

/// Lets the discs pass that a wall overlaps and that it did not collide with, until they have parted. The
/// discs near it are marked.
pub(super) fn pass_overlapped_by_wall(store: &mut Common, wall: u32, before: &Rules, rules: &Rules) {
    let (since, end) = (store.now, Time::NEVER);
    let Common { bodies, walls, dirty, .. } = store;
    for &disc in dirty.iter() {
        let (own, motion) = (bodies.rules.get(disc), bodies.motion_at(disc, since));
        let is_new = bodies.meets_wall(disc, rules) && !before.collides_with(&own);
        let is_known = bodies.contacts.passes_wall(disc, wall);
        let (mut facets, least) = (walls.facets_of(wall).iter(), held_depth(bodies.is_bent(), motion.radius));
        let is_in = |facet: &Facet| facet.overlap(&motion, since).is_some_and(|depth| depth > least);
        if is_new && !is_known && facets.any(is_in) {
            bodies.contacts.passing_walls.push(PassingWall { disc, wall, since, end });
        }
    }
}

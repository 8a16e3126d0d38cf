//! What touches what at an instant, as a group of impacts has it.

use super::contact::{
    ContactNow, disc_contact, disc_contact_at, gap_at_impact, is_waived, kind_of, least_parting, wall_contact,
};
use super::rest::is_near;
use crate::Physics;
use crate::physics::Reach;
use crate::predict::{CommonPredictor, NEAR, StatePredictor, with_margin};
use crate::state::contacts::HeldTo;
use crate::state::stamp::ImpactKind;
use crate::state::wall_memory::WallMemory;
use crate::state::with::With;
use crate::store::{Common, Store};
use crate::touch::{Apart, NEARBY};
use carom_broadphase::{Circle, EventTimes, Kind, Scheduled, Slot};
use carom_math::toi::{Memory, Motion};
use carom_solver::{Group, MassClass, Other};

/// As it is going to be stored, so that the stored places tell later who touched whom.
pub(crate) fn motion_now(store: &Common, slot: Slot) -> Motion {
    store.bodies.wrapped_motion_at(slot, store.now)
}

pub(crate) fn add_member(store: &Common, group: &mut Group, slot: Slot, motion: Motion) -> usize {
    let mass = store.bodies.detail(slot).mass;
    group.add_member(slot, MassClass::of(mass), mass, motion)
}

/// Whether two discs that move so are in contact at this instant, or meet at it by prediction.
pub(crate) fn in_contact<P: Physics>(
    store: &Store<P>,
    [a, b]: [Slot; 2],
    [of_a, of_b]: [&Motion; 2],
    kind: ImpactKind,
) -> bool {
    let predictor = StatePredictor::of(store);
    let reach = store.physics.reach(of_a.radius, of_b.radius);
    if predictor.common().pass_through(a, b) || !(reach > 0.0) || is_waived(store, a, With::Disc(b)) {
        return false;
    }
    let apart = Apart::new(of_a.position, of_b.position, &store.bodies.periods);
    kind.takes_in(&apart, reach)
        || (P::ACCELERATED && is_near(apart.d, reach))
        || store.bodies.contacts.holds.are_held(a, b)
        || predictor.pair(a, b) == store.now
}

pub(crate) fn add_disc_contact<P: Physics>(store: &Store<P>, group: &mut Group, a: usize, b: usize) {
    let [of_a, of_b] = [a, b].map(|m| group.members[m]);
    let slots = [of_a.slot, of_b.slot];
    let [body_a, body_b] = slots.map(|slot| store.body_at(slot, store.now));
    let (motions, bodies) = ([&of_a.motion, &of_b.motion], [&body_a, &body_b]);
    let kind = kind_of(group);
    let mut add = |contact: ContactNow| {
        group.add_contact(a, Other::Member(b), contact.gap.normal, contact.restitution, contact.growth_speed);
    };
    add(disc_contact(store, slots, motions, bodies));
    let apart = Apart::new(of_a.motion.position, of_b.motion.position, &store.bodies.periods);
    let reach = store.physics.reach(of_a.motion.radius, of_b.motion.radius);
    for other in apart.others(&store.bodies.periods, reach).filter(|other| kind.takes_in(other, reach)) {
        add(disc_contact_at(store, other.d, slots, motions, bodies));
    }
}

pub(crate) fn add_wall_contacts<P: Physics>(store: &Store<P>, due: &Scheduled, group: &mut Group, m: usize) {
    let member = group.members[m];
    let motion = &member.motion;
    let circle = Circle { center: motion.position, radius: with_margin(motion.position, motion.radius) };
    let mut near = store.walls.planes.near(store.simd, &circle);
    let is_due = due.kind == Kind::Impact && due.a == due.b && due.a == member.slot;
    for held in store.bodies.contacts.holds.of(member.slot) {
        if let HeldTo::Facet(f, _) = &held.to
            && !near.contains(f)
        {
            near.push(*f);
            near.sort_unstable();
        }
    }
    if is_due && !near.contains(&due.tag) {
        // After a long path it may be placed apart.
        near.push(due.tag);
        near.sort_unstable();
    }
    for f in near {
        if !CommonPredictor::of(store).collides_with_facet(member.slot, f)
            || is_waived(store, member.slot, With::Facet(f))
        {
            continue;
        }
        let facet = &store.walls.facets[f as usize];
        let gap = if is_due && due.tag == f {
            gap_at_impact(store, member.slot, f, &member.motion)
        } else {
            let mut memory = memory_beside(store, due, member.slot, f, motion);
            let slack = facet.slack(motion);
            let is_at = || facet.distance(motion, store.now).is_some_and(|d| d.abs() <= NEARBY * slack);
            if memory == Memory::None && motion.radius <= slack && is_at() {
                memory = CommonPredictor::of(store).memory_at_impact(member.slot, f);
            }
            match facet.gap(motion, memory, store.now) {
                Some(_) if is_covered_now(store, member.slot, f, motion) => {
                    continue;
                }
                Some(gap) if in_wall_contact(store, member.slot, f, gap.distance, motion, kind_of(group)) => {
                    let hit = || CommonPredictor::of(store).memory_at_impact(member.slot, f);
                    let memory = if memory == Memory::None { hit() } else { memory };
                    facet.gap(motion, memory, store.now).unwrap_or(gap)
                }
                _ => continue,
            }
        };
        let body = store.body_at(member.slot, store.now);
        let contact = wall_contact(store, member.slot, f, motion, &body, gap);
        let other = Other::Facet(f, gap.side);
        group.add_contact(m, other, gap.normal, contact.restitution, contact.growth_speed);
        if facet.is_driven {
            note_driven(store, group, member.slot, f, motion);
        }
    }
}

/// Notes how the facet moves or turns with which a group has the last of its contacts.
#[cold]
fn note_driven(store: &Common, group: &mut Group, slot: Slot, f: u32, motion: &Motion) {
    let facet = &store.walls.facets[f as usize];
    let Some(added) = group.contacts.last_mut() else { return };
    match facet.arm() {
        Some(arm) => added.drive(least_parting(store, slot, arm, motion)),
        None => added.surface = facet.drift.velocity,
    }
}

/// What a disc of a group remembers of a facet.
///
/// A point also knows what continues a facet that it knows. Where one joins the facet that is due, a
/// point is on the side of it that faces the side of the other on which it hits that: rounding may have
/// put it past either.
fn memory_beside(store: &Common, due: &Scheduled, slot: Slot, f: u32, motion: &Motion) -> Memory {
    let walls = store.bodies.walls.get(slot);
    let mut known = walls.of(f);
    let facet = &store.walls.facets[f as usize];
    let (is_point, seen) = (motion.radius <= facet.slack(motion), facet.seen(motion, store.now));
    if known == Memory::None && is_point && !walls.is_empty() {
        known = CommonPredictor::of(store).memory_of_neighbour(slot, &walls, f, &seen);
    }
    if let Memory::Near(side) | Memory::Met(side) = known
        && store.bodies.time(slot) != store.now
        && !facet.is_still_at(side, motion, store.now)
    {
        // On a path that bends it has come round to the other side since.
        known = Memory::None;
    }
    if known != Memory::None || !is_point || due.a != due.b || due.a != slot || due.kind != Kind::Impact {
        return known;
    }
    let hit = WallMemory::met(due.tag, gap_at_impact(store, slot, due.tag, motion).side);
    CommonPredictor::of(store).memory_of_neighbour(slot, &hit, f, &seen)
}

/// Whether a disc is over another part of a wall than the end that facet `f` is.
fn is_covered_now(store: &Common, slot: Slot, f: u32, motion: &Motion) -> bool {
    CommonPredictor::of(store).is_covered(slot, f, motion, (motion.position, (store.now, 0.0)))
}

/// Whether a disc at this distance from a facet touches it, or meets it at this instant by prediction.
fn in_wall_contact(
    store: &Common,
    slot: Slot,
    f: u32,
    distance: f64,
    motion: &Motion,
    kind: ImpactKind,
) -> bool {
    let facet = &store.walls.facets[f as usize];
    let slack = facet.slack(motion);
    kind.takes_in_at(distance, slack)
        || (store.bodies.is_bent() && facet.arm().is_none() && distance <= NEAR * motion.radius)
        || store.bodies.contacts.holds.is_held_to(slot, f)
        || (distance.abs() <= NEARBY * slack && CommonPredictor::of(store).hit_time(slot, f) == store.now)
}

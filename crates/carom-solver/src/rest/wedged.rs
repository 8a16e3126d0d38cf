//! Parts of a group in which nothing can come to rest as it is: bodies that close in on what they hold by
//! their accelerations alone, or by the way in which lines of centres turn; and what would press only by
//! leverage.

use super::FreeAt;
use super::part::{renew_free, rest_part};
use super::rough::{release_rim, stop_rim};
use crate::complementarity::Infeasible;
use crate::contact_problem::MAX_POLISHED;
use crate::energy::{energy_less_work, note_work};
use crate::group::{Group, Other, Part, Scratch, Stuck};
use crate::impact::common_velocity::{is_between_still, move_as_one};
use crate::impact::crush::{note_passed, stop_part};
use crate::mass_class::MassClass;
use crate::rows::{apply_impulses, solve_contacts};
use crate::tolerances::ROUNDING;
use carom_math::eft::DoubleDouble as Dd;
use core::ops::Range;
use glam::DVec2;
use smallvec::SmallVec;

/// Lets the parts of a class come to rest. Returns the energy that it takes.
///
/// Infinite masses stop, as in impacts that leave no room (`impact/crush`), that close in on discs of
/// finite mass, and what closes in on a tracer passes over it.
pub(crate) fn rest_class(group: &mut Group, class: MassClass, free_at: FreeAt) -> f64 {
    group.find_parts(class, true);
    let parts = core::mem::take(&mut group.parts);
    let mut taken = 0.0;
    loop {
        let mut is_again = false;
        for part in &parts {
            let contacts = part.contacts();
            if group.stuck == Some(Stuck::Still)
                && group.with_part(&contacts, |group, part| is_between_still(group, part, class))
            {
                taken += hold_still(group, &contacts, class);
                continue;
            }
            save_part(group, &contacts, class);
            match rest_part(group, &contacts, class, free_at) {
                Ok(of_part) => taken += of_part,
                Err(Infeasible) => {
                    restore_part(group);
                    if stop_movers(group, part, class) {
                        is_again = true;
                    } else {
                        taken += rest_wedged(group, &contacts, class, free_at);
                    }
                }
            }
        }
        // What else they carried or pushed has to do with them as they are now.
        if !is_again {
            break;
        }
    }
    group.parts = parts;
    taken
}

/// Holds a part where it is, whatever the forces. Returns the energy that it takes.
fn hold_still(group: &mut Group, contacts: &Range<usize>, class: MassClass) -> f64 {
    let before = energy_less_work(group, contacts, class);
    stop_part(group, contacts, class);
    group.for_each_moved(contacts, class, |group, m| {
        group.members[m].acceleration = DVec2::ZERO;
        stop_rim(group, m);
    });
    for i in contacts.clone() {
        group.contacts[group.order[i] as usize].pressing.hold_still();
    }
    before - energy_less_work(group, contacts, class)
}

/// Stops the infinite masses that move at a part of finite ones. Whether there are any.
fn stop_movers(group: &mut Group, part: &Part, class: MassClass) -> bool {
    if class != MassClass::Finite {
        return false;
    }
    let contacts = group.order[part.contacts()].iter().map(|&c| &group.contacts[c as usize]);
    let movers: SmallVec<[usize; 4]> = contacts
        .filter(|contact| !contact.pressing.is_near)
        .flat_map(|contact| contact.ends().into_iter().flatten())
        .filter(|&m| group.members[m].class == MassClass::Infinite && group.velocity(m) != DVec2::ZERO)
        .collect();
    if movers.is_empty() {
        return false;
    }
    note_work(group);
    for m in movers {
        group.members[m].velocity = [Dd::ZERO; 2];
        if !group.yielded.contains(&m) {
            group.yielded.push(m);
        }
    }
    true
}

/// Brings to rest what nothing that moves closes in on. Returns the energy that it takes.
fn rest_wedged(group: &mut Group, contacts: &Range<usize>, class: MassClass, free_at: FreeAt) -> f64 {
    if class == MassClass::Tracer
        && let Some(taken) = rest_passed_over(group, contacts, class, free_at)
    {
        return taken;
    }
    // Walls that converge on a disc hold it: at rest there is an answer.
    if contacts.len() <= MAX_POLISHED {
        let before = energy_less_work(group, contacts, class);
        stop_part(group, contacts, class);
        if rest_part(group, contacts, class, free_at).is_ok() {
            return before - energy_less_work(group, contacts, class);
        }
        group.has_no_room |= class == MassClass::Finite && is_closed_in_on(group, contacts);
        restore_part(group);
    }
    leave_open(group, contacts, class, free_at)
}

/// Whether a wall that moves closes in on a part that cannot come to rest. Impacts as slow leave it to rest:
/// the part would be met again a little deeper until it has fallen to the rest speed, a thousand times,
/// before the rule for crushes sees it.
fn is_closed_in_on(group: &Group, contacts: &Range<usize>) -> bool {
    let speed = group.speed_of(contacts);
    group.order[contacts.clone()].iter().any(|&c| {
        let contact = &group.contacts[c as usize];
        let closes = contact.growth_speed > 0.0 && group.opening_in_f64(c) < -ROUNDING * speed;
        contact.surface != DVec2::ZERO && closes && !contact.pressing.is_near
    })
}

/// Brings a tracer to rest between its walls alone; what then closes in on it passes over it. Returns
/// the energy that it takes, 0, as a tracer has no mass; nothing if that is not how it is wedged.
fn rest_passed_over(
    group: &mut Group,
    contacts: &Range<usize>,
    class: MassClass,
    free_at: FreeAt,
) -> Option<f64> {
    let Group { order, contacts: all, .. } = group;
    order[contacts.clone()].sort_unstable_by_key(|&c| (matches!(all[c as usize].with, Other::Member(_)), c));
    let is_wall = |&c: &u32| matches!(all[c as usize].with, Other::Facet(..));
    let walls = contacts.start..contacts.start + order[contacts.clone()].partition_point(is_wall);
    rest_part(group, &walls, class, free_at).ok()?;
    let mut is_any = false;
    for i in walls.end..contacts.end {
        let c = group.order[i];
        group.contacts[c as usize].pressing.leave_open();
        if closes_in(group, c) {
            is_any |= note_passed(group, c);
        }
    }
    if !is_any {
        restore_part(group);
    }
    is_any.then_some(0.0)
}

/// Whether the two of a contact close in on each other, at once or by their accelerations.
fn closes_in(group: &Group, c: u32) -> bool {
    let contact = &group.contacts[c as usize];
    let [velocity, acceleration] = group.relative(c);
    let across = velocity.perp_dot(contact.normal);
    let opening = group.opening_in_f64(c);
    !contact.pressing.is_near
        && opening <= contact.pressing.slow
        && (opening < 0.0
            || acceleration.dot(contact.normal) + across * across * contact.pressing.curvature < 0.0)
}

/// Leaves a part without held contacts. What approaches there joins without restitution, as in slow
/// impacts; what closes in by its acceleration is met again a little deeper. Returns the energy that it
/// takes.
fn leave_open(group: &mut Group, contacts: &Range<usize>, class: MassClass, free_at: FreeAt) -> f64 {
    let speed = group.speed_of(contacts);
    let touching = group.picked(contacts, |pressing| !pressing.is_near);
    let before = energy_less_work(group, contacts, class);
    if touching.iter().any(|&c| group.opening(c) < Dd::ZERO) {
        match solve_contacts(group, &touching, class, speed) {
            Ok(()) => apply_impulses(group, &touching, Dd::from(1.0)),
            Err(Infeasible) => _ = move_as_one(group, contacts, class, speed),
        }
        group.round_velocities(contacts, class, speed);
    }
    let taken = before - energy_less_work(group, contacts, class);
    renew_free(group, contacts, class, free_at);
    for i in contacts.clone() {
        group.contacts[group.order[i] as usize].pressing.leave_open();
    }
    group.for_each_moved(contacts, class, |group, m| {
        group.members[m].acceleration = group.members[m].free;
        release_rim(group, m);
    });
    taken
}

/// Saves the velocities of what a part moves, and what has brought it to rest.
fn save_part(group: &mut Group, contacts: &Range<usize>, class: MassClass) {
    let Group { members, order, contacts: all, .. } = group;
    let Scratch { saved_part, saved_rest, .. } = &mut group.scratch;
    saved_part.clear();
    saved_rest.clear();
    // Parts differ, and none is larger than the group.
    saved_part.reserve(members.len());
    saved_rest.reserve(all.len());
    for &c in &order[contacts.clone()] {
        let contact = &all[c as usize];
        saved_rest.push((c, contact.rest_impulse));
        let moved = contact.ends().into_iter().flatten().filter(|&m| members[m].class == class);
        saved_part.extend(moved.map(|m| (m, members[m].velocity)));
    }
    let Group { friction, scratch, .. } = group;
    scratch.saved_part_rims.clear();
    if friction.is_on {
        scratch.saved_part_rims.extend(friction.rims.iter().map(|rim| rim.speed));
    }
}

fn restore_part(group: &mut Group) {
    for &(m, velocity) in &group.scratch.saved_part {
        group.members[m].velocity = velocity;
    }
    for &(c, rest_impulse) in &group.scratch.saved_rest {
        group.contacts[c as usize].rest_impulse = rest_impulse;
    }
    let Group { friction, scratch, .. } = group;
    friction.rims.iter_mut().zip(&scratch.saved_part_rims).for_each(|(rim, &speed)| rim.speed = speed);
}

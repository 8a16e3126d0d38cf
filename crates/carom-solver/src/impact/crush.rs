//! What becomes of parts for which even e = 0 has no answer: see `carom_engine::CrushRule`.

use super::common_velocity::move_as_one;
use super::passes::join;
use crate::complementarity::Infeasible;
use crate::energy::energy_of_parts;
use crate::give_way::{End, Jam, Touch};
use crate::group::{Contact, Group, Loss, Other, Part};
use crate::mass_class::MassClass;
use crate::rows::{apply_impulses, solve_contacts};
use crate::tolerances::PASSED_CLOSING;
use alloc::vec::Vec;
use carom_math::eft::DoubleDouble as Dd;
use core::ops::Range;

/// Resolves the parts of a class that had no answer, given by their numbers; an error if it is by
/// growing that they have none.
pub(super) fn crush(
    group: &mut Group,
    parts: &mut [Part],
    failed: &[usize],
    class: MassClass,
) -> Result<(), Infeasible> {
    if failed.is_empty() {
        return Ok(());
    }
    let grows = |&k: &usize| {
        let mut contacts = group.order[parts[k].contacts()].iter();
        contacts.any(|&c| group.contacts[c as usize].growth_speed > 0.0)
    };
    if failed.iter().any(grows) {
        return Err(Infeasible);
    }
    match class {
        // Walls do not move: there is always an answer.
        MassClass::Infinite => {}
        MassClass::Finite => make_way(group, parts, failed),
        MassClass::Tracer => failed.iter().for_each(|&k| pass_over(group, &parts[k])),
    }
    Ok(())
}

/// Resolves parts of discs of finite mass that have no room, given by their numbers: the bodies that
/// close in give way, then all parts at those that do are solved with e = 0. Other parts are left as
/// they are.
fn make_way(group: &mut Group, parts: &mut [Part], failed: &[usize]) {
    let mut jam = core::mem::take(&mut group.scratch.jam);
    find_moving_bodies(group, parts, &mut jam.moving);
    jam.done.clear();
    for &first in failed {
        if !jam.done.contains(&first) {
            jam.connect(first);
            yield_in(group, parts, &mut jam, failed);
            jam.done.extend_from_slice(&jam.connected);
        }
    }
    group.scratch.jam = jam;
}

/// Finds the infinite masses at parts that move.
fn find_moving_bodies(group: &Group, parts: &[Part], moving: &mut Vec<(usize, usize)>) {
    moving.clear();
    for (k, part) in parts.iter().enumerate() {
        let contacts = group.order[part.contacts()].iter().map(|&c| &group.contacts[c as usize]);
        let members = contacts.flat_map(|contact| contact.ends().into_iter().flatten());
        let is_one = |&m: &usize| group.members[m].class == MassClass::Infinite && is_moving(group, m);
        moving.extend(members.filter(is_one).map(|m| (k, m)));
    }
    moving.sort_unstable();
    moving.dedup();
}

fn is_moving(group: &Group, m: usize) -> bool {
    group.members[m].velocity != [Dd::ZERO; 2]
}

fn yield_in(group: &mut Group, parts: &mut [Part], jam: &mut Jam, failed: &[usize]) {
    set_up(group, parts, jam);
    jam.problem.solve();
    let before = energy_of_parts(group, parts, &jam.connected);
    for (k, &m) in jam.bodies.iter().enumerate() {
        if let Some(velocity) = jam.problem.velocity(k) {
            group.members[m].velocity = velocity.map(Dd::from);
            if !group.yielded.contains(&m) {
                group.yielded.push(m);
            }
        }
    }
    stop_at_failed(group, jam, failed);
    for &k in &jam.connected {
        let at_one = |&c: &u32| {
            group.contacts[c as usize].ends().into_iter().flatten().any(|m| group.yielded.contains(&m))
        };
        if group.order[parts[k].contacts()].iter().any(at_one) {
            solve_plastic(group, &parts[k].contacts());
            // Its passes are undone.
            parts[k].loss = Loss::default();
        }
    }
    let after = energy_of_parts(group, parts, &jam.connected);
    group.book.crush.add(before - after);
}

/// Stops what moves at parts that failed where none of it gives way: only the rounding of places leaves room
/// there (`is_escape_by_rounding`), which the problem of giving way takes for true.
fn stop_at_failed(group: &mut Group, jam: &Jam, failed: &[usize]) {
    for k in failed.iter().filter(|k| jam.connected.contains(k)) {
        let movers = || jam.moving.iter().filter(|of| of.0 == *k).map(|of| of.1);
        if movers().any(|m| group.yielded.contains(&m)) {
            continue;
        }
        for m in movers() {
            group.members[m].velocity = [Dd::ZERO; 2];
            group.yielded.push(m);
        }
    }
}

/// Sets up the problem of the connected parts.
fn set_up(group: &Group, parts: &[Part], jam: &mut Jam) {
    let Jam { problem, connected, bodies, .. } = jam;
    problem.reset();
    for &m in &*bodies {
        problem.add_body(group.members[m].velocity);
    }
    let end = |m: usize| match (group.members[m].class, bodies.binary_search(&m)) {
        (_, Ok(k)) => End::Unstoppable(k),
        (MassClass::Finite, _) => End::Movable(m),
        _ => End::Fixed,
    };
    for &k in &*connected {
        for &c in &group.order[parts[k].contacts()] {
            let contact = &group.contacts[c as usize];
            let ends = contact.ends().map(|m| m.map_or(End::Fixed, end));
            problem.add_touch(Touch { ends, normal: contact.normal, part: k });
        }
    }
    // Those with walls have no part: they only hold the bodies.
    for contact in &group.contacts {
        if matches!(contact.with, Other::Facet(..)) && bodies.contains(&contact.a) {
            let ends = [end(contact.a), End::Fixed];
            problem.add_touch(Touch { ends, normal: contact.normal, part: usize::MAX });
        }
    }
}

/// Solves all contacts of a part once with e = 0, from the velocities before the impact.
fn solve_plastic(group: &mut Group, contacts: &Range<usize>) {
    let class = MassClass::Finite;
    let speed = restart(group, contacts, class);
    if join(group, contacts, class, speed).is_err() {
        // Only by rounding.
        group.restore_velocities(contacts, class);
        if move_as_one(group, contacts, class, speed).is_err() {
            stop_part(group, contacts, class);
        }
    }
    group.round_velocities(contacts, class, speed);
}

/// Undoes what was done to a part. Returns the largest component of a velocity, before or now.
fn restart(group: &mut Group, contacts: &Range<usize>, class: MassClass) -> f64 {
    group.restore_velocities(contacts, class);
    let members =
        group.order[contacts.clone()].iter().flat_map(|&c| group.contacts[c as usize].ends()).flatten();
    members.fold(group.speed_of(contacts), |speed, m| {
        speed.max(group.members[m].motion.velocity.abs().max_element())
    })
}

pub(crate) fn stop_part(group: &mut Group, contacts: &Range<usize>, class: MassClass) {
    group.for_each_moved(contacts, class, |group, m| group.members[m].velocity = [Dd::ZERO; 2]);
}

/// Resolves a part of a tracer that has no room: e = 0 at walls, and the discs that still close on it
/// pass over it.
fn pass_over(group: &mut Group, part: &Part) {
    let (contacts, class) = (part.contacts(), MassClass::Tracer);
    let speed = restart(group, &contacts, class);
    let is_wall = |&c: &u32| matches!(group.contacts[c as usize].with, Other::Facet(..));
    let mut walls = core::mem::take(&mut group.pass);
    walls.clear();
    walls.extend(group.order[contacts.clone()].iter().copied().filter(is_wall));
    if solve_contacts(group, &walls, class, speed).is_ok() {
        apply_impulses(group, &walls, Dd::from(1.0));
    }
    group.pass = walls;
    group.round_velocities(&contacts, class, speed);
    for i in contacts {
        let c = group.order[i];
        if group.closing_speed(&group.contacts[c as usize]).to_f64() > PASSED_CLOSING * speed {
            note_passed(group, c);
        }
    }
}

/// Notes that the disc of a contact with a tracer passes over that. Whether it is with a disc.
pub(crate) fn note_passed(group: &mut Group, c: u32) -> bool {
    let Contact { a, with: Other::Member(b), .. } = group.contacts[c as usize] else { return false };
    let pair = if group.members[a].class == MassClass::Tracer { (a, b) } else { (b, a) };
    if !group.passed.contains(&pair) {
        group.passed.push(pair);
    }
    true
}

//! One velocity for all of a part: the last resort where its contacts or masses are too unlike for the
//! arithmetic, or where its impacts never end.

use crate::complementarity::Infeasible;
use crate::contact_problem::RowKind;
use crate::group::{Group, Member, NONE, Other, Scratch, Stuck};
use crate::mass_class::MassClass;
use carom_math::eft::DoubleDouble as Dd;
use carom_math::sqrt;
use core::ops::Range;
use glam::DVec2;
use smallvec::SmallVec;

/// Gives the part one common velocity: that of its momentum, less what would lead into what it cannot
/// move. Always possible between walls, and never a gain of energy.
pub(crate) fn move_as_one(
    group: &mut Group,
    contacts: &Range<usize>,
    class: MassClass,
    speed: f64,
) -> Result<(), Infeasible> {
    group.with_part(contacts, |group, part| {
        if !may_move_as_one(group, part, class) {
            return Err(Infeasible);
        }
        group.gather_bodies(part, class);
        let mass = take_common_velocity(group, class);
        let result = keep_out(group, part, class, mass, speed);
        if result.is_err() {
            for (&m, &velocity) in group.scratch.bodies.iter().zip(&group.scratch.saved) {
                group.members[m as usize].velocity = velocity;
            }
        } else {
            let pushed = core::mem::take(&mut group.pass);
            share_momentum(group, part, class, &pushed, false);
            group.pass = pushed;
        }
        result
    })
}

/// Gives a part whose impacts get nowhere one velocity; the last time, or if it has one already, 0 if all
/// that it cannot move is at rest.
pub(super) fn get_stuck(
    group: &mut Group,
    contacts: &Range<usize>,
    class: MassClass,
    speed: f64,
) -> Result<(), Infeasible> {
    let is_still = group.with_part(contacts, |group, part| {
        group.gather_bodies(part, class);
        let is_last = group.stuck == Some(Stuck::Still) || group.scratch.bodies.len() == 1;
        is_last && is_between_still(group, part, class)
    });
    if !is_still {
        move_as_one(group, contacts, class, speed)?;
        group.round_velocities(contacts, class, speed);
        return Ok(());
    }
    group.with_part(contacts, |group, part| {
        group.gather_bodies(part, class);
        take_common_velocity(group, class);
        for &m in &group.scratch.bodies {
            group.members[m as usize].velocity = [Dd::ZERO; 2];
        }
        share_momentum(group, part, class, &[], true);
    });
    Ok(())
}

/// Whether a part has something that it cannot move, and nothing of that moves or grows.
pub(crate) fn is_between_still(group: &Group, part: &[u32], class: MassClass) -> bool {
    let mut is_any = false;
    part.iter().map(|&c| &group.contacts[c as usize]).all(|contact| {
        let unmoved = contact.ends().into_iter().flatten().find(|&m| !moves(group, m, class));
        is_any |= unmoved.is_some() || matches!(contact.with, Other::Facet(..));
        contact.growth_speed == 0.0
            && contact.surface == DVec2::ZERO
            && unmoved.is_none_or(|m| group.members[m].velocity == [Dd::ZERO; 2])
    }) && is_any
}

/// Shares out among the contacts of a part the momentum that its bodies have got, beyond that of the outer
/// contacts `pushed`: each body gets it by one contact, and passes it on to what lies behind. Its size,
/// whatever its direction, counts as impulse. `by_ground` says whether what the part cannot move gives it.
fn share_momentum(group: &mut Group, part: &[u32], class: MassClass, pushed: &[u32], by_ground: bool) {
    let Group { members, contacts, scratch, .. } = group;
    let Scratch { bodies, saved, body_of, ways, owed, problem, .. } = scratch;
    let moved = |c: u32| contacts[c as usize].ends().map(|end| end.filter(|&m| members[m].class == class));
    owed.clear();
    owed.resize(members.len(), DVec2::ZERO);
    for (&m, before) in bodies.iter().zip(&*saved) {
        let Member { mass, velocity: [x, y], .. } = members[m as usize];
        let change = DVec2::new((x - before[0]).to_f64(), (y - before[1]).to_f64());
        owed[m as usize] = if class == MassClass::Finite { change * mass } else { change };
    }
    for (&c, impulse) in pushed.iter().zip(&problem.solution.impulses) {
        let push = contacts[c as usize].normal * impulse.to_f64();
        let [a, b] = moved(c);
        a.into_iter().for_each(|m| owed[m] += push);
        b.into_iter().for_each(|m| owed[m] -= push);
    }
    // A tree, from what gives, found in an order that does not depend on that of contacts.
    let mut sorted: SmallVec<[u32; 32]> = part.into();
    let slot = |m: usize| u64::from(members[m].slot);
    sorted.sort_unstable_by_key(|&c| (moved(c).iter().flatten().count(), contacts[c as usize].key(slot)));
    ways.clear();
    body_of.resize(members.len(), NONE);
    if let (false, Some(&first)) = (by_ground, bodies.first()) {
        body_of[first as usize] = 0;
    }
    let mut found = usize::MAX;
    while core::mem::replace(&mut found, ways.len()) != ways.len() {
        for &c in &sorted {
            let (one, other) = match moved(c) {
                [Some(a), Some(b)] if body_of[b] == NONE => (b, Some(a)),
                [Some(a), b] | [b, Some(a)] => (a, b),
                [None, None] => continue,
            };
            if body_of[one] == NONE && other.map_or(by_ground, |m| body_of[m] != NONE) {
                body_of[one] = 0;
                ways.push((one, c, other));
            }
        }
    }
    for &(one, c, other) in ways.iter().rev() {
        contacts[c as usize].impulse += sqrt(owed[one].length_squared());
        if let Some(other) = other {
            let passed_on = owed[one];
            owed[other] += passed_on;
        }
    }
    bodies.iter().for_each(|&m| body_of[m as usize] = NONE);
}

fn moves(group: &Group, member: usize, class: MassClass) -> bool {
    group.members[member].class == class
}

/// Whether one velocity is an answer. It is not where discs of the part press on each other by growing.
fn may_move_as_one(group: &Group, part: &[u32], class: MassClass) -> bool {
    part.iter().map(|&c| &group.contacts[c as usize]).all(|contact| {
        let inner = contact.ends().iter().all(|end| end.is_some_and(|m| moves(group, m, class)));
        !inner || contact.growth_speed <= 0.0
    })
}

/// Sets the velocities of the bodies to that of their momentum, and saves what they were. Their mass.
fn take_common_velocity(group: &mut Group, class: MassClass) -> Dd {
    let (mut mass, mut momentum) = (Dd::ZERO, [Dd::ZERO; 2]);
    for &m in &group.scratch.bodies {
        let member = &group.members[m as usize];
        let of_m = Dd::from(if class == MassClass::Finite { member.mass } else { 1.0 });
        let [x, y] = member.velocity;
        mass = mass + of_m;
        momentum = [momentum[0] + of_m * x, momentum[1] + of_m * y];
    }
    let velocity = momentum.map(|p| p / mass);
    group.scratch.saved.clear();
    for &m in &group.scratch.bodies {
        group.scratch.saved.push(core::mem::replace(&mut group.members[m as usize].velocity, velocity));
    }
    mass
}

/// Turns the common velocity out of what the part cannot move.
fn keep_out(
    group: &mut Group,
    part: &[u32],
    class: MassClass,
    mass: Dd,
    speed: f64,
) -> Result<(), Infeasible> {
    let mut outer = core::mem::take(&mut group.pass);
    outer.clear();
    group.scratch.problem.reset();
    let body = group.scratch.problem.add_body(mass.to_f64());
    let mut crushable = false;
    for &c in part {
        let contact = group.contacts[c as usize];
        let ends = contact.ends().map(|end| end.filter(|&m| moves(group, m, class)).map(|_| body));
        if ends.iter().flatten().count() == 1 {
            group.scratch.problem.add_row(
                ends,
                contact.normal,
                group.closing_speed(&contact),
                RowKind::OneSided,
            );
            let unmoved = contact.ends().into_iter().flatten().find(|&m| !moves(group, m, class));
            crushable |= contact.growth_speed != 0.0
                || unmoved.is_some_and(|m| group.members[m].velocity != [Dd::ZERO; 2]);
            outer.push(c);
        }
    }
    let result = group.scratch.problem.solve(speed, crushable);
    if result.is_ok()
        && let Some(&[x, y]) = group.scratch.problem.solution.changes.first()
    {
        for &m in &group.scratch.bodies {
            let velocity = &mut group.members[m as usize].velocity;
            *velocity = [velocity[0] + x, velocity[1] + y];
        }
        for (&c, impulse) in outer.iter().zip(&group.scratch.problem.solution.impulses) {
            group.contacts[c as usize].impulse += impulse.to_f64().max(0.0);
        }
    }
    group.pass = outer;
    result
}

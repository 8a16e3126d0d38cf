//! The contacts of a group as rows of a [`ContactProblem`](crate::contact_problem::ContactProblem).

use crate::complementarity::Infeasible;
use crate::contact_problem::{Precision, RowKind};
use crate::group::{Group, Member, NONE};
use crate::mass_class::MassClass;
use crate::tolerances::MAX_ROUNDED_ANGLE;
use carom_math::eft::DoubleDouble as Dd;
use carom_math::tolerance::touch_slack;
use glam::DVec2;

/// Sets up and solves the problem of these contacts.
pub(crate) fn solve_contacts(
    group: &mut Group,
    part: &[u32],
    class: MassClass,
    speed: f64,
) -> Result<(), Infeasible> {
    // The exact solver takes far longer to be sure of the active set of held contacts than it is worth.
    let is_held = |&c: &u32| group.contacts[c as usize].pressing.was_held;
    let precision = if part.iter().any(is_held) { Precision::Rounded } else { Precision::Full };
    let may_lack_room = solve_rows(group, part, class, (speed, precision), |group, c| {
        let contact = &group.contacts[c as usize];
        let kind = if contact.pressing.was_held { RowKind::Pushing } else { RowKind::OneSided };
        (contact.normal, group.closing_speed(contact), kind)
    })?;
    if may_lack_room && is_escape_by_rounding(group, part, speed) { Err(Infeasible) } else { Ok(()) }
}

/// Whether something escapes so fast from what closes in on it that the rounding of places lets it.
///
/// Between two that close in at a speed `u` a disc off their line by an angle `δ` leaves at `u/δ`. Where
/// discs lie is known to some ulp of their coordinates, and so is `δ`; where discs come to rest, it is known
/// to the largest gap. Two discs on a floor, a thousand from the origin, were pressed to a wall by a piston
/// at 3 m/s: one left upwards at 4·10¹² m/s.
fn is_escape_by_rounding(group: &Group, part: &[u32], speed: f64) -> bool {
    let changes = &group.scratch.problem.solution.changes;
    let fastest = changes.iter().flatten().fold(0.0, |most: f64, change| most.max(change.to_f64().abs()));
    if fastest <= speed {
        return false;
    }
    let angle = |&c: &u32| {
        let [Some(a), Some(b)] = group.contacts[c as usize].ends() else { return 0.0 };
        let [a, b] = [a, b].map(|m| group.members[m].motion);
        let [of_a, of_b] = [a, b].map(|disc| disc.position.abs().max_element().max(disc.radius));
        touch_slack(of_a.max(of_b)) / (a.radius + b.radius)
    };
    let widest = part.iter().map(angle).fold(0.0, f64::max);
    fastest * group.max_gap.max(MAX_ROUNDED_ANGLE * widest) > speed
}

/// Solves the problem of these contacts to a precision, where `row` gives normal, speed of closing, and kind.
/// Whether something closes in that these contacts do not move, so that there might have been no room.
pub(crate) fn solve_rows(
    group: &mut Group,
    part: &[u32],
    class: MassClass,
    (speed, precision): (f64, Precision),
    row: impl Fn(&Group, u32) -> (DVec2, Dd, RowKind),
) -> Result<bool, Infeasible> {
    let crushable = gather_rows(group, part, class, |member| member.mass, row);
    group.scratch.problem.precision = precision;
    group.scratch.problem.solve(speed, crushable)?;
    Ok(crushable)
}

/// Sets up the problem of `solve_rows`. Whether what closes in may have no room for it.
pub(crate) fn gather_rows(
    group: &mut Group,
    part: &[u32],
    class: MassClass,
    mass: impl Fn(&Member) -> f64,
    row: impl Fn(&Group, u32) -> (DVec2, Dd, RowKind),
) -> bool {
    group.scratch.problem.reset();
    group.scratch.bodies.clear();
    group.scratch.body_of.resize(group.members.len(), NONE);
    let mut crushable = false;
    for &c in part {
        let contact = &group.contacts[c as usize];
        crushable |= contact.growth_speed != 0.0;
        let mut ends = [None; 2];
        for (end, m) in ends.iter_mut().zip(contact.ends()) {
            let Some(m) = m else { continue };
            let member = &group.members[m];
            if member.class != class {
                crushable |= member.velocity != [Dd::ZERO; 2];
                continue;
            }
            if group.scratch.body_of[m] == NONE {
                // Where only tracers or infinite masses move, their mass cancels.
                let mass = if class == MassClass::Finite { mass(member) } else { 1.0 };
                group.scratch.body_of[m] = group.scratch.problem.add_body(mass);
                group.scratch.bodies.push(m as u32);
            }
            *end = Some(group.scratch.body_of[m]);
        }
        let (normal, closing, kind) = row(group, c);
        group.scratch.problem.add_row(ends, normal, closing, kind);
    }
    for &m in &group.scratch.bodies {
        group.scratch.body_of[m as usize] = NONE;
    }
    crushable
}

/// Applies the solution, multiplied.
pub(crate) fn apply_impulses(group: &mut Group, part: &[u32], factor: Dd) {
    for (&m, &change) in group.scratch.bodies.iter().zip(&group.scratch.problem.solution.changes) {
        let velocity = &mut group.members[m as usize].velocity;
        *velocity = [velocity[0] + change[0] * factor, velocity[1] + change[1] * factor];
    }
    for (&c, &impulse) in part.iter().zip(&group.scratch.problem.solution.impulses) {
        if impulse > Dd::ZERO {
            group.contacts[c as usize].impulse += (impulse * factor).to_f64();
        }
    }
}

/// Applies the velocities of the solution, and no impulses.
pub(crate) fn apply_changes(group: &mut Group) {
    for (&m, &change) in group.scratch.bodies.iter().zip(&group.scratch.problem.solution.changes) {
        let velocity = &mut group.members[m as usize].velocity;
        *velocity = [velocity[0] + change[0], velocity[1] + change[1]];
    }
}

//! Forces of contacts, at the instant or over a piece, and the accelerations with them.

use super::rough::{let_slide, note_fast_slides, release_slips, solve_rubbing};
use crate::complementarity::Infeasible;
use crate::contact_problem::ground::Ground;
use crate::contact_problem::{Precision, RowKind};
use crate::group::{Group, Member};
use crate::mass_class::MassClass;
use crate::rows::gather_rows;
use crate::tolerances::{KEEPS_DIRECTION, LEAST_FORCE, LEVERAGE, ROUNDING, UNMOVED};
use carom_math::eft::DoubleDouble as Dd;
use carom_math::sqrt;
use glam::DVec2;
use smallvec::SmallVec;

/// Solves for the forces of contacts at the instant. Returns the largest acceleration that goes into it.
pub(super) fn solve_forces(group: &mut Group, contacts: &[u32], class: MassClass) -> Result<f64, Infeasible> {
    let largest = largest_pull(group, contacts);
    let of_way = if group.sought.is_still { 0.0 } else { 1.0 };
    solve_forces_of(group, contacts, class, (largest, 0.0), |group, c| {
        let contact = &group.contacts[c as usize];
        let [velocity, _] = group.relative(c);
        let across = velocity.perp_dot(contact.normal);
        let free = group.relative_free(c).dot(contact.normal);
        let opening = free + across * across * contact.pressing.curvature * of_way;
        (contact.normal, Dd::from(-opening), contact.pressing.guess)
    })?;
    note_forces(group, contacts);
    Ok(largest)
}

/// Solves for forces as [`solve_forces`], and takes out the contacts that are near and would press only by
/// [leverage](LEVERAGE).
pub(super) fn solve_near_forces(
    group: &mut Group,
    contacts: &mut SmallVec<[u32; 32]>,
    class: MassClass,
) -> Result<f64, Infeasible> {
    loop {
        let largest = solve_forces(group, contacts, class)?;
        let count = contacts.len();
        contacts.retain(|c| {
            let pressing = &mut group.contacts[*c as usize].pressing;
            pressing.has_leverage |= pressing.is_near && pressing.force > LEVERAGE * largest;
            if pressing.has_leverage {
                (pressing.is_candidate, pressing.is_active, pressing.force) = (false, false, 0.0);
                pressing.is_settled = false;
            }
            !pressing.has_leverage
        });
        if contacts.len() == count {
            return Ok(largest);
        }
    }
}

/// Solves for forces as [`solve_near_forces`], with friction and as if nothing moved. The search begins with
/// those of when it was last asked.
///
/// They change little from event to event, while those of the instant change with each slip. Begun with these
/// it takes as long as without a start.
pub(super) fn solve_still_forces(
    group: &mut Group,
    contacts: &mut SmallVec<[u32; 32]>,
    class: MassClass,
) -> Result<f64, Infeasible> {
    group.sought.is_still = true;
    for &c in &*contacts {
        let grip = &mut group.friction.grips[c as usize];
        if grip.still != [0.0; 3] {
            grip.begin_still();
            let guess = if grip.still[2] > 0.0 { RowKind::Pushing } else { RowKind::Idle };
            group.contacts[c as usize].pressing.guess = guess;
        }
    }
    let result = solve_near_forces(group, contacts, class);
    for &c in &*contacts {
        let grip = &mut group.friction.grips[c as usize];
        grip.still = grip.forces;
    }
    group.sought.is_still = false;
    result
}

/// Solves for the forces of contacts, at the instant or over a piece of `lasts` seconds. `largest` is the
/// largest acceleration that they may have to cancel; `row` as for `solve_rows`.
pub(super) fn solve_forces_of(
    group: &mut Group,
    contacts: &[u32],
    class: MassClass,
    (largest, lasts): (f64, f64),
    row: impl Fn(&Group, u32) -> (DVec2, Dd, RowKind),
) -> Result<(), Infeasible> {
    gather_rows(group, contacts, class, |member| member.mass * member.inertia, row);
    if !group.scratch.bodies.iter().any(|&m| group.members[m as usize].grip > 0.0) {
        if group.friction.is_on {
            if solve_rubbing(group, contacts, class, (largest, lasts)).is_ok()
                || solve_released(group, contacts, class, (largest, lasts))
            {
                return Ok(());
            }
            // No forces fulfil Coulomb's law: friction without a limit may lock discs like gears. Contacts
            // are smooth then. Where only the question who presses has no answer, friction stays for the
            // forces of the moving discs, which may have one: a tracer that a disc presses out between
            // itself and the floor would be locked if nothing moved.
            if group.sought.is_still {
                contacts.iter().for_each(|&c| group.friction.grips[c as usize].forces = [0.0; 3]);
            } else {
                let_slide(group, contacts);
                group.sought.is_smooth = true;
            }
        }
        // The softness gives way under forces that are large for what they cancel.
        let is_steep = ROUNDING * largest_force(group, contacts) > UNMOVED * largest;
        let precision = if lasts > 0.0 && !is_steep { Precision::Soft } else { Precision::Rounded };
        group.scratch.problem.precision = precision;
        // What accelerates on its own, or slides in a narrowing channel, may leave no room.
        return group.scratch.problem.solve(largest, true);
    }
    group.scratch.problem.ground.grounds.clear();
    for &m in &group.scratch.bodies {
        let ground = ground_of(group, m as usize, largest, lasts);
        group.scratch.problem.ground.grounds.push(ground);
    }
    group.scratch.problem.solve_on_ground(largest)
}

/// Solves for forces of contacts where none drive slips in their directions. Whether there are any.
///
/// Friction along a given slip may draw in what presses on it, harder than anything holds: then no finite
/// force answers to Coulomb's law (Painlevé, C. R. Acad. Sci. 121 (1895) 112), and an impulse stops the slip.
/// It is left to the answer whether slips stop: in a piece by its end, at an instant in the time in which the
/// largest acceleration passes the largest gap. With no slip given there is always an answer, unless what
/// forces do not stop drives a slip where discs are jammed.
fn solve_released(
    group: &mut Group,
    contacts: &[u32],
    class: MassClass,
    (largest, lasts): (f64, f64),
) -> bool {
    if group.sought.is_still || !release_slips(group, contacts) {
        return false;
    }
    let is_of_instant = !(lasts > 0.0);
    if is_of_instant {
        let sizes = contacts.iter().map(|&c| group.contacts[c as usize].pressing.size);
        let least = sizes.fold(f64::INFINITY, f64::min);
        group.sought.stops_within = Some(sqrt(2.0 * group.max_gap * least / largest));
    }
    let is_found = solve_rubbing(group, contacts, class, (largest, lasts)).is_ok();
    group.sought.stops_within = None;
    if is_found && is_of_instant {
        note_fast_slides(group, contacts);
    }
    is_found
}

/// What the ground does to a member. Of one that moves the friction is that of its velocity in the middle
/// of a piece, `v + ½ a T`: against the way from its beginning to its end.
///
/// A solution is a change `c` of the free acceleration. The way has the direction of `v + ½ (free + c) T`,
/// and so that of `c + o` with `o = free + 2v/T`; of a body at rest, that of `c + o` with `o = free`.
fn ground_of(group: &Group, m: usize, largest: f64, lasts: f64) -> Ground {
    let (member, velocity) = (&group.members[m], group.velocity(m));
    let (pull, most, free) = (member.pull, member.grip, member.free);
    match (velocity == DVec2::ZERO, lasts > 0.0) {
        _ if !(most > 0.0) => Ground::default(),
        (true, _) => Ground { most, offset: free, ..Ground::default() },
        // At the instant friction is against the velocity, and a part of `free`.
        (false, false) => Ground::default(),
        (false, true) if member.stops => {
            Ground { pull: -velocity / lasts - free, is_given: true, ..Ground::default() }
        }
        // It hardly turns: friction is that of the instant.
        (false, true) if velocity.abs().max_element() > KEEPS_DIRECTION * lasts * most.max(largest) => {
            Ground::default()
        }
        (false, true) => {
            Ground { pull: pull - free, most, offset: free + velocity * (2.0 / lasts), ..Ground::default() }
        }
    }
}

/// Takes forces from the problem: the search of the next one begins with those that push.
pub(super) fn note_forces(group: &mut Group, contacts: &[u32]) {
    for (r, &c) in contacts.iter().enumerate() {
        let pressing = &mut group.contacts[c as usize].pressing;
        pressing.force = group.scratch.problem.push_of(r);
        pressing.guess = if pressing.force > 0.0 { RowKind::Pushing } else { RowKind::Idle };
    }
}

/// The largest acceleration that forces at some contacts may have to cancel.
pub(super) fn largest_pull(group: &Group, contacts: &[u32]) -> f64 {
    let mut largest = 0.0_f64;
    for &c in contacts {
        let [velocity, _] = group.relative(c);
        let contact = &group.contacts[c as usize];
        let across = velocity.perp_dot(contact.normal);
        largest = largest.max(across * across * contact.pressing.curvature.abs());
        for m in contact.ends().into_iter().flatten() {
            let Member { free, acceleration, .. } = group.members[m];
            largest = largest.max(free.abs().max(acceleration.abs()).max_element());
        }
    }
    largest
}

/// The largest force, as the acceleration that it makes.
pub(super) fn largest_force(group: &Group, contacts: &[u32]) -> f64 {
    contacts.iter().map(|&c| group.contacts[c as usize].pressing.force).fold(0.0, f64::max)
}

/// Takes accelerations from the problem, and from the forces that are noted which contacts are held;
/// `largest` is the largest acceleration that cancelled.
pub(super) fn take_forces(group: &mut Group, active: &[u32], largest: f64) {
    let bodies = core::mem::take(&mut group.scratch.bodies);
    let mut scale = largest;
    for change in &group.scratch.problem.solution.changes {
        scale = scale.max(change[0].to_f64().abs()).max(change[1].to_f64().abs());
    }
    for (&m, &[x, y]) in bodies.iter().zip(&group.scratch.problem.solution.changes) {
        let member = &mut group.members[m as usize];
        let sum = [x + Dd::from(member.free.x), y + Dd::from(member.free.y)].map(Dd::to_f64);
        // What is left of accelerations that cancelled is rounding.
        let is_rounding = |a: f64| a.abs() <= UNMOVED * scale && !member.stops;
        member.acceleration = DVec2::from(sum.map(|a| if is_rounding(a) { 0.0 } else { a }));
    }
    group.scratch.bodies = bodies;
    let most = largest_force(group, active);
    for &c in active {
        let pressing = &mut group.contacts[c as usize].pressing;
        pressing.is_held = pressing.force > LEAST_FORCE * most;
    }
}

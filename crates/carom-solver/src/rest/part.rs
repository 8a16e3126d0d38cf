//! A part comes to rest: who presses, the projection that stops it, and the forces after it.

use super::FreeAt;
use super::driven::BeforeStops;
use super::forces::{largest_force, solve_near_forces, solve_still_forces, take_forces};
use super::rough::{
    energy_of_rims, has_limits, is_to_stick, keep_fast, may_stick, note_all_slips, note_fast_slips,
    note_more_stops, note_stops, project, release_rim, restore_rims, save_rims, stop_still_rim, stops,
};
use super::slip::would_draw;
use crate::complementarity::Infeasible;
use crate::contact_problem::{Precision, RowKind};
use crate::energy::energy_less_work;
use crate::group::{Group, rounding_unit};
use crate::mass_class::MassClass;
use crate::tolerances::{ADDED_ENERGY, CLOSED, LEAST_FORCE, ROUNDING};
use carom_math::eft::DoubleDouble as Dd;
use carom_math::sqrt;
use core::ops::Range;
use smallvec::SmallVec;

/// Lets a part come to rest, as the [room](super) says. Returns the energy that it takes; an error where
/// velocities or accelerations have no answer.
pub(super) fn rest_part(
    group: &mut Group,
    contacts: &Range<usize>,
    class: MassClass,
    free_at: FreeAt,
) -> Result<f64, Infeasible> {
    let before = energy_less_work(group, contacts, class);
    let speed = group.speed_of(contacts);
    find_candidates(group, contacts);
    note_fast_slips(group, contacts);
    find_pressing(group, contacts, class, speed)?;
    let of_rims = energy_of_rims(group, contacts, class);
    let before_stops = group.friction.is_on.then(|| BeforeStops::of(group, contacts));
    // Each round keeps one slip more at least.
    loop {
        stop_pressing(group, contacts, class, (speed, before + of_rims))?;
        stop_still(group, contacts, class, speed);
        let taken = before - energy_less_work(group, contacts, class);
        renew_free(group, contacts, class, free_at);
        find_forces(group, contacts, class, speed)?;
        let keeps_more = |before: &BeforeStops| before.keep_driven(group, contacts, speed);
        if !before_stops.as_ref().is_some_and(keeps_more) {
            return Ok(taken);
        }
    }
}

/// The accelerations without contacts with the velocities that came out, where friction depends on these.
pub(super) fn renew_free(group: &mut Group, contacts: &Range<usize>, class: MassClass, free_at: FreeAt) {
    group.for_each_moved(contacts, class, |group, m| {
        if group.members[m].grip > 0.0 {
            group.set_free(m, free_at(m, group.velocity(m)));
        }
    });
}

/// Finds the contacts that open or close no faster than their rest speed.
fn find_candidates(group: &mut Group, contacts: &Range<usize>) {
    for i in contacts.clone() {
        let c = group.order[i];
        let opening = group.opening_in_f64(c);
        let pressing = &mut group.contacts[c as usize].pressing;
        pressing.is_candidate = opening.abs() <= pressing.slow;
        (pressing.presses, pressing.is_active, pressing.is_held) = (false, false, false);
        (pressing.force, pressing.is_settled, pressing.has_leverage) = (0.0, false, false);
    }
}

/// Finds which candidates press: those that get a force if none of them moved. Where none opens or closes by
/// more than rounding, nothing is to be stopped, and it is not asked.
///
/// With friction it is asked as if nothing moved at all. Along slips that are given it may have no answer. In
/// heaps one question of six had none, and contacts slid on without friction.
fn find_pressing(
    group: &mut Group,
    contacts: &Range<usize>,
    class: MassClass,
    speed: f64,
) -> Result<(), Infeasible> {
    let moves = |c: &u32| {
        let is_candidate = group.contacts[*c as usize].pressing.is_candidate;
        is_candidate && (group.opening_in_f64(*c).abs() > ROUNDING * speed || may_stick(group, *c, speed))
    };
    if !group.order[contacts.clone()].iter().any(moves) {
        return Ok(());
    }
    let candidates = group.picked(contacts, |pressing| pressing.is_candidate);
    solve_apart(group, candidates, class, |group, candidates| {
        let solve = if group.friction.is_on { solve_still_forces } else { solve_near_forces };
        solve(group, candidates, class)?;
        let largest = largest_force(group, candidates);
        for &c in &*candidates {
            let presses = group.contacts[c as usize].pressing.force > LEAST_FORCE * largest
                && !would_draw(group, c, CLOSED);
            group.contacts[c as usize].pressing.presses = presses;
        }
        Ok(())
    })
}

/// Projects onto the velocities at which what presses neither opens nor closes, and nothing that touches
/// closes. `before` is the energy.
///
/// Passes take what was slow for pressed, by the speeds before them, and let it close as slowly; beside those
/// after them that need not be slow. Restitution has been: the projection takes the rest of the speed.
///
/// In `f64`, with what presses two-sided. If that adds energy, in double-double: the forces of a narrow wedge
/// are large, and so is what they round. If there is no such projection, as where one body presses in two
/// contacts with another, that cannot both stop opening, one-sided: then some open. Where slips are stopped
/// with the openings there may be none either: a piston moves along discs that stick to the floor and to each
/// other all around. Then slips are kept, and have friction.
fn stop_pressing(
    group: &mut Group,
    contacts: &Range<usize>,
    class: MassClass,
    (speed, before): (f64, f64),
) -> Result<(), Infeasible> {
    let rows = group.picked(contacts, |pressing| pressing.is_candidate || !pressing.is_near);
    note_stops(group, &rows, speed);
    let moves = |&c: &u32| {
        let opening = group.opening_in_f64(c);
        let least = ROUNDING * speed;
        let is_off = opening > least || is_to_stick(group, c, speed);
        (opening < -least && !grazes(group, c)) || (group.contacts[c as usize].pressing.presses && is_off)
    };
    if !rows.iter().any(moves) {
        return Ok(());
    }
    group.scratch.saved.clear();
    group.scratch.saved.extend(group.members.iter().map(|member| member.velocity));
    save_rims(group);
    let attempts = [
        (Precision::Rounded, RowKind::TwoSided, true),
        (Precision::Full, RowKind::TwoSided, true),
        (Precision::Rounded, RowKind::OneSided, true),
        (Precision::Rounded, RowKind::TwoSided, false),
        (Precision::Rounded, RowKind::OneSided, false),
    ];
    let mut result = Ok(0.0);
    for (precision, of_pressing, with_slips) in attempts {
        let is_asked = with_slips || group.friction.is_on;
        if !is_asked || (result.is_err() && precision == Precision::Full) {
            continue;
        }
        let mut impulses: SmallVec<[f64; 32]> = SmallVec::from_elem(0.0, rows.len());
        let kinds = (of_pressing, with_slips);
        result = project_pressing(group, &rows, class, (speed, precision), kinds, &mut impulses);
        let Ok(work) = result else { continue };
        // A projection onto a cone takes energy; a solution that adds some is not that projection.
        let after = energy_less_work(group, contacts, class) + energy_of_rims(group, contacts, class);
        if after - work <= before * (1.0 + ADDED_ENERGY) {
            break;
        }
        for (member, velocity) in group.members.iter_mut().zip(&group.scratch.saved) {
            member.velocity = *velocity;
        }
        restore_rims(group);
        for (&c, impulse) in rows.iter().zip(impulses) {
            group.contacts[c as usize].rest_impulse -= impulse;
        }
    }
    result?;
    group.round_velocities(contacts, class, speed);
    Ok(())
}

/// Projects, with what presses as rows of this kind, and with slips or not; and again with what slips then
/// against the way on which forces drive it. Adds the impulses to these. Returns the work, as [`project`].
fn project_pressing(
    group: &mut Group,
    rows: &[u32],
    class: MassClass,
    precision: (f64, Precision),
    (of_pressing, with_slips): (RowKind, bool),
    impulses: &mut [f64],
) -> Result<f64, Infeasible> {
    let row = |group: &Group, c: u32| {
        let contact = &group.contacts[c as usize];
        let kind = if contact.pressing.presses { of_pressing } else { RowKind::OneSided };
        let closing = if grazes(group, c) { Dd::ZERO } else { -group.opening(c) };
        (contact.normal, closing, kind)
    };
    let sticks = |group: &Group, c: u32| if with_slips { stops(group, c) } else { [false; 2] };
    let had_limits = with_slips && has_limits(group, rows);
    let rubs = (sticks, |_: &Group, _| [false; 2]);
    let mut work = project(group, rows, class, precision, row, rubs)?;
    note_rest_impulses(group, rows, impulses);
    // What limits have left slow is stopped without them, now that no fast slip ends.
    let mut is_left = had_limits && keep_fast(group, rows, precision.0);
    while with_slips && (note_more_stops(group, rows, precision.0) || is_left) {
        is_left = false;
        let Ok(more) = project(group, rows, class, precision, row, rubs) else { break };
        note_rest_impulses(group, rows, impulses);
        work += more;
    }
    Ok(work)
}

/// Whether two that do not press move about each other so that they part again before they have closed by
/// more than the rounding of their places: at `v_t²/R`, a closing speed `q` closes `q² R/(2 v_t²)`. They are
/// let close as they do, and no faster.
///
/// To stop them would take the speed along the contact where the two lie on one wall: the contact is the
/// flank of a wedge of the angle `q/v_t`, which is rounding, as of a disc that rolls over a point.
fn grazes(group: &Group, c: u32) -> bool {
    let contact = &group.contacts[c as usize];
    let across = group.relative(c)[0].perp_dot(contact.normal);
    let (closing, pressing) = (-group.opening_in_f64(c), &contact.pressing);
    let parting = across * across * pressing.curvature;
    !pressing.presses && closing > 0.0 && closing * closing <= 2.0 * pressing.touch * parting
}

/// Adds the impulses of the solution to those that bring contacts to rest, and to these.
fn note_rest_impulses(group: &mut Group, rows: &[u32], sums: &mut [f64]) {
    let Group { contacts, scratch, .. } = group;
    for ((&c, sum), impulse) in rows.iter().zip(sums).zip(&scratch.problem.solution.impulses) {
        contacts[c as usize].rest_impulse += impulse.to_f64();
        *sum += impulse.to_f64();
    }
}

/// Stops what is [nearly still](crate::group::Member::still_speed), so that it has no events.
fn stop_still(group: &mut Group, contacts: &Range<usize>, class: MassClass, speed: f64) {
    let unit = rounding_unit(speed);
    group.for_each_moved(contacts, class, |group, m| {
        let member = &mut group.members[m];
        let least = member.still_speed(speed);
        let is_still = member.velocity.iter().all(|v| v.to_f64().abs() <= least);
        let rounded = member.velocity.map(|v| v.round_to(unit).into());
        member.velocity = if is_still { [Dd::ZERO; 2] } else { rounded };
        if group.friction.is_on {
            stop_still_rim(group, m, speed);
        }
    });
}

/// The forces of the contacts that neither open nor close, and the accelerations with them.
fn find_forces(
    group: &mut Group,
    contacts: &Range<usize>,
    class: MassClass,
    speed: f64,
) -> Result<(), Infeasible> {
    for i in contacts.clone() {
        let c = group.order[i];
        let opening = group.opening_in_f64(c);
        let ends = group.contacts[c as usize].ends();
        let mut fall = speed;
        for m in ends.into_iter().flatten() {
            let member = &mut group.members[m];
            fall = fall.max(member.fall_speed());
            if member.class == class {
                member.acceleration = member.free;
                release_rim(group, m);
            }
        }
        let closed = (CLOSED * fall).min(group.contacts[c as usize].pressing.slow);
        // What is near has no part in projections. One that these let close at 10⁻³ m/s was held by the
        // forces of a piece, and dipped by 10⁻⁵ of the radius before it was closed at the end.
        let is_met = group.contacts[c as usize].pressing.is_near && opening < -closed;
        let closed = if group.friction.is_on { closed.max(low_opening(group, c)) } else { closed };
        let pressing = &mut group.contacts[c as usize].pressing;
        pressing.is_active = !pressing.has_leverage && !is_met && opening.abs() <= closed;
        pressing.is_settled =
            !pressing.has_leverage && (pressing.is_active || !pressing.is_near || opening >= 0.0);
        (pressing.is_held, pressing.force) = (false, 0.0);
    }
    note_all_slips(group, contacts, speed);
    let active = group.picked(contacts, |pressing| pressing.is_active);
    solve_apart(group, active, class, |group, active| {
        let largest = solve_near_forces(group, active, class)?;
        take_forces(group, active, largest);
        Ok(())
    })
}

/// Solves for the forces of contacts: with friction of those that hang together, each such part by itself.
///
/// Where one has no answer to Coulomb's law and slides, the others keep theirs. Solved with a heap that was
/// wedged, a disc beside it slid along the floor without friction for a minute.
fn solve_apart(
    group: &mut Group,
    mut contacts: SmallVec<[u32; 32]>,
    class: MassClass,
    mut solve: impl FnMut(&mut Group, &mut SmallVec<[u32; 32]>) -> Result<(), Infeasible>,
) -> Result<(), Infeasible> {
    if !group.friction.is_on {
        return solve(group, &mut contacts);
    }
    group.sort_by_parts(&mut contacts, class);
    let root = |&c: &u32| group.root_of_contact(c, class);
    let parts = contacts.chunk_by(|a, b| root(a) == root(b));
    let mut parts: SmallVec<[SmallVec<[u32; 32]>; 4]> = parts.map(SmallVec::from_slice).collect();
    parts.iter_mut().try_for_each(|part| solve(group, part))
}

/// The largest speed of opening at which a rubbing contact is active, or of closing of one that touches: a
/// contact that opens at it rises by the largest gap of a piece.
///
/// With friction the acceleration problem may have several solutions. A contact that does not press in the
/// solution that tells who presses may be driven together in the next one: it opens at 10⁻⁷ m/s, and is met
/// again 10⁻⁷ s later, without end. Projections that stop slips, too, leave larger speeds of opening.
fn low_opening(group: &Group, c: u32) -> f64 {
    let pressing = &group.contacts[c as usize].pressing;
    let gap = group.max_gap * pressing.size;
    pressing.slow * sqrt(gap / (pressing.touch + pressing.height).max(gap))
}

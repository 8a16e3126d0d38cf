//! Friction of what slides in held contacts, with the impulses that set their speeds of opening to 0.
//!
//! Of a force `λ₀ + s t` a piece of `T` seconds has the mean `λ₀ + s T/3`, with which places are right at its
//! end. Its impulse is `λ₀ T + s T²/2`: the projection after the piece adds the `s T²/6` that velocities
//! lack, and what slides has friction from these, too. Without it, sliding along a curve was right to first
//! order in `T` only: in a bowl of five radii, with μ = 3, to 1 % of the change of speed.

use super::rough::{is_of_rolling, is_sliding, project, slips_of, stuck};
use crate::complementarity::Infeasible;
use crate::contact_problem::{Precision, RowKind};
use crate::group::Group;
use crate::mass_class::MassClass;
use carom_math::eft::DoubleDouble as Dd;
use smallvec::SmallVec;

/// How many times as much energy friction may take as from the impulses that normals alone have.
///
/// Where discs are wedged, friction in given directions draws in what presses: the energy of a heap rose to
/// four times what it was. With less, friction is left out where a heavy disc leans on a light one.
const DRAWN_IN: f64 = 4.0;

/// How a member moves: its velocity, and the speed of its rim.
type Motion = ([Dd; 2], f64);

fn motions_of(group: &Group) -> SmallVec<[Motion; 32]> {
    let members = group.members.iter().zip(&group.friction.rims);
    members.map(|(member, rim)| (member.velocity, rim.speed)).collect()
}

fn restore(group: &mut Group, motions: &[Motion]) {
    let members = group.members.iter_mut().zip(&mut group.friction.rims);
    for ((member, rim), &(velocity, speed)) in members.zip(motions) {
        (member.velocity, rim.speed) = (velocity, speed);
    }
}

/// Sets the speeds of opening of held contacts to 0, and those at which they slip and roll where they have
/// stuck. What slides rubs, if that reverses no slip, and draws in nothing that presses.
///
/// # Errors
/// If the speeds cannot be 0.
pub(super) fn keep_closed(
    group: &mut Group,
    held: &[u32],
    class: MassClass,
    speed: f64,
) -> Result<(), Infeasible> {
    let row =
        |group: &Group, c: u32| (group.contacts[c as usize].normal, -group.opening(c), RowKind::TwoSided);
    let attempt = |group: &mut Group, with_slides: bool| {
        let slides =
            |group: &Group, c: u32| if with_slides { is_sliding(group, c, speed) } else { [false; 2] };
        project(group, held, class, (speed, Precision::Rounded), row, (stuck, slides))
    };
    if !group.friction.is_on {
        return attempt(group, false).map(|_| ());
    }
    let slips: SmallVec<[[f64; 2]; 32]> = held.iter().map(|&c| slips_on(group, c, speed)).collect();
    let before = motions_of(group);
    attempt(group, false)?;
    let of_normals = rubbed_by_normals(group, held, &slips);
    if of_normals == 0.0 {
        return Ok(());
    }
    let by_normals = motions_of(group);
    restore(group, &before);
    let is_found = attempt(group, true).is_ok();
    let is_drawn_in = !(rubbed(group, &slips) <= DRAWN_IN * of_normals);
    // Friction ends a slip, and does not reverse it: four hundred pieces followed each other in a frame of a
    // press, each of slips that the one before had reversed.
    let is_reversed = |(&c, before): (&u32, &[f64; 2])| {
        slips_of(group, c).iter().zip(before).any(|(after, before)| after * before < 0.0)
    };
    if !is_found || is_drawn_in || held.iter().zip(&slips).any(is_reversed) {
        restore(group, &by_normals);
    } else if class == MassClass::Finite {
        let taken = heat_of_slides(group, held, &slips);
        group.book.friction.add(taken);
        group.book.held.add(-taken);
    }
    Ok(())
}

/// What friction of the impulses along the normals of the last projection takes at these slips, if all of it
/// is against them.
fn rubbed_by_normals(group: &Group, held: &[u32], slips: &[[f64; 2]]) -> f64 {
    let impulses = &group.scratch.problem.solution.impulses;
    let of_contact = |((&c, slips), impulse): ((&u32, &[f64; 2]), &Dd)| {
        let most = group.friction.grips[c as usize].most;
        let of_rub = |k: usize| if slips[k] == 0.0 { 0.0 } else { most[k] * slips[k].abs() };
        impulse.to_f64().abs() * (of_rub(0) + of_rub(1))
    };
    held.iter().zip(slips).zip(impulses).map(of_contact).sum()
}

/// The same of the friction that the last projection had.
fn rubbed(group: &Group, slips: &[[f64; 2]]) -> f64 {
    slides(group).map(|(row, k, impulse)| (impulse * slips[row][k]).abs()).sum()
}

/// What friction has taken in the last projection: of each impulse, times the mean of the slips before and
/// after.
fn heat_of_slides(group: &Group, held: &[u32], slips: &[[f64; 2]]) -> f64 {
    let mean = |row: usize, k: usize| 0.5 * (slips[row][k] + slips_of(group, held[row])[k]);
    slides(group).map(|(row, k, impulse)| -impulse * mean(row, k)).sum()
}

/// What slides in the last projection: the row of the contact, 0 for slip and 1 for rolling, and the impulse.
fn slides(group: &Group) -> impl Iterator<Item = (usize, usize, f64)> {
    let rubs = group.scratch.problem.rough.rubs.iter().filter(|rub| rub.is_given);
    rubs.map(|rub| (rub.contact as usize, usize::from(is_of_rolling(&rub.gradient)), rub.impulse))
}

/// The speeds at which a contact slips and rolls, 0 for what does not go on.
fn slips_on(group: &Group, c: u32, speed: f64) -> [f64; 2] {
    let (slips, slides) = (slips_of(group, c), is_sliding(group, c, speed));
    [0, 1].map(|k| if slides[k] { slips[k] } else { 0.0 })
}

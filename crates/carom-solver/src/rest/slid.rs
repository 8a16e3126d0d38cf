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

/// The same as a part of what friction took in the piece, so that both together take energy.
///
/// A heavy disc on light ones may draw in seventy times what normals alone have, and of discs that are wedged
/// friction takes nothing in a piece.
const OF_HEAT: f64 = 0.5;

/// How often friction is found, each time with the slips set to 0 that the time before has reversed. Each
/// time costs a projection. Where slips are still reversed after the last, the projection has no friction.
const ENDED: usize = 3;

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

/// A slip of a contact: the number of the contact, and 0 for sliding or 1 for rolling.
type Slide = (u32, usize);

/// Sets the speeds of opening of held contacts to 0, and those at which they slip and roll where they have
/// stuck. What slides rubs, if that draws in nothing that presses.
///
/// # Errors
/// If the speeds cannot be 0.
pub(super) fn keep_closed(
    group: &mut Group,
    held: &[u32],
    class: MassClass,
    speed: f64,
) -> Result<(), Infeasible> {
    if !group.friction.is_on {
        return project_closed(group, held, class, speed, None);
    }
    let slips: SmallVec<[[f64; 2]; 32]> = held.iter().map(|&c| slips_on(group, c, (class, speed))).collect();
    let before = motions_of(group);
    project_closed(group, held, class, speed, None)?;
    let of_normals = rubbed_by_normals(group, held, &slips);
    if of_normals == 0.0 {
        return Ok(());
    }
    let heat: f64 = held.iter().map(|&c| group.friction.grips[c as usize].heat).sum();
    let most = f64::max(DRAWN_IN * of_normals, OF_HEAT * heat);
    let by_normals = motions_of(group);
    // Friction ends a slip, and does not reverse it: four hundred pieces followed each other in a frame of a
    // press, each of slips that the one before had reversed.
    let mut ended: SmallVec<[Slide; 8]> = SmallVec::new();
    for _ in 0..ENDED {
        restore(group, &before);
        let found = project_closed(group, held, class, speed, Some(&ended));
        if found.is_err() || !(rubbed(group, &slips) <= most) {
            break;
        }
        let count = ended.len();
        for (&c, before) in held.iter().zip(&slips) {
            let after = slips_of(group, c);
            let is_reversed = |&k: &usize| after[k] * before[k] < 0.0 && !ended.contains(&(c, k));
            let reversed: SmallVec<[Slide; 2]> = (0..2).filter(is_reversed).map(|k| (c, k)).collect();
            ended.extend(reversed);
        }
        if ended.len() == count {
            if class == MassClass::Finite {
                let taken = heat_of_slides(group, held, &slips);
                group.book.friction.add(taken);
                group.book.held.add(-taken);
            }
            return Ok(());
        }
    }
    restore(group, &by_normals);
    Ok(())
}

/// Projects once. With `ended` the slips that go on have friction, and those in `ended` are set to 0.
fn project_closed(
    group: &mut Group,
    held: &[u32],
    class: MassClass,
    speed: f64,
    ended: Option<&[Slide]>,
) -> Result<(), Infeasible> {
    let row =
        |group: &Group, c: u32| (group.contacts[c as usize].normal, -group.opening(c), RowKind::TwoSided);
    let ends = |c: u32, k: usize| ended.is_some_and(|ended| ended.contains(&(c, k)));
    let sticks = |group: &Group, c: u32| {
        let stuck = stuck(group, c);
        [0, 1].map(|k| stuck[k] || ends(c, k))
    };
    let slides = |group: &Group, c: u32| {
        let rubs = rubs_on(group, c, (class, speed));
        [0, 1].map(|k| ended.is_some() && rubs[k] && !ends(c, k))
    };
    project(group, held, class, (speed, Precision::Rounded), row, (sticks, slides)).map(|_| ())
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
    rubs(group).map(|(row, k, impulse)| (impulse * slips[row][k]).abs()).sum()
}

/// What friction has taken in the last projection: of each impulse, times the mean of the slips before and
/// after.
fn heat_of_slides(group: &Group, held: &[u32], slips: &[[f64; 2]]) -> f64 {
    let mean = |row: usize, k: usize| match slips[row][k] {
        0.0 => 0.0,
        before => 0.5 * (before + slips_of(group, held[row])[k]),
    };
    rubs(group).map(|(row, k, impulse)| -impulse * mean(row, k)).sum()
}

/// What rubs in the last projection: the row of the contact, 0 for slip and 1 for rolling, and the impulse.
fn rubs(group: &Group) -> impl Iterator<Item = (usize, usize, f64)> {
    let rubs = group.scratch.problem.rough.rubs.iter();
    rubs.map(|rub| (rub.contact as usize, usize::from(is_of_rolling(&rub.gradient)), rub.impulse))
}

/// The speeds at which a contact slips and rolls, 0 for what does not go on.
fn slips_on(group: &Group, c: u32, of: (MassClass, f64)) -> [f64; 2] {
    let (slips, rubs) = (slips_of(group, c), rubs_on(group, c, of));
    [0, 1].map(|k| if rubs[k] { slips[k] } else { 0.0 })
}

/// Which of slip and rolling of a contact go on, with friction that took energy in the piece.
///
/// Of a contact that is held without a force, as it opens by less than the largest gap, the impulse that
/// closes it pulls. With friction from that a disc that had slid off another one was drawn along, and the
/// energy of four rose by 1.7 · 10⁻⁴.
fn rubs_on(group: &Group, c: u32, (class, speed): (MassClass, f64)) -> [bool; 2] {
    let has_heat = class != MassClass::Finite || group.friction.grips[c as usize].heat > 0.0;
    is_sliding(group, c, speed).map(|slides| slides && has_heat)
}

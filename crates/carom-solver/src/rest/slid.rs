//! Friction of what slides in held contacts, with the impulses that set their speeds of opening to 0.
//!
//! Of a force `λ₀ + s t` a piece of `T` seconds has the mean `λ₀ + s T/3`, with which places are right at its
//! end. Its impulse is `λ₀ T + s T²/2`: the projection after the piece adds the `s T²/6` that velocities
//! lack, and what slides has friction from these, too. Without it, sliding along a curve was right to first
//! order in `T` only: in a bowl of five radii, with μ = 3, to 1 % of the change of speed.

use super::rough::{is_of_rolling, is_sliding, project, slips_of, stuck};
use crate::complementarity::Infeasible;
use crate::contact_problem::rough::Rub;
use crate::contact_problem::{Precision, RowKind};
use crate::group::{Group, Member, Rim};
use crate::mass_class::MassClass;
use carom_math::eft::DoubleDouble as Dd;
use smallvec::SmallVec;

/// How many times as much velocities may change as by the impulses and the friction of single contacts, by
/// the square.
///
/// Where discs are wedged, friction in given directions draws in what presses: the energy of a heap rose to
/// four times what it was. With less, friction is left out where contacts only share discs.
const DRAWN_IN: f64 = 2.0;

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

/// Twice the energy of what has changed.
fn change_since(group: &Group, motions: &[Motion]) -> f64 {
    let members = group.members.iter().zip(&group.friction.rims).zip(motions);
    let of_member = |((member, rim), &(velocity, speed)): ((&Member, &Rim), &Motion)| {
        let [x, y] = [0, 1].map(|k| (member.velocity[k] - velocity[k]).to_f64());
        let turn = rim.speed - speed;
        let of_turn = if rim.is_turned() { rim.inertia * turn * turn } else { 0.0 };
        let mass = if member.class == MassClass::Finite { member.mass } else { 1.0 };
        mass * (x * x + y * y + of_turn)
    };
    members.map(of_member).sum()
}

/// Sets the speeds of opening of held contacts to 0, and those at which they slip and roll where they have
/// stuck. What slides rubs, if that reverses no slip, and changes velocities by no more than friction of
/// single contacts does.
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
    let most = held.iter().map(|&c| most_by_friction(group, c, speed)).fold(0.0, f64::max);
    if most == 0.0 {
        return attempt(group, false).map(|_| ());
    }
    let before = motions_of(group);
    let slips: SmallVec<[[f64; 2]; 32]> = held.iter().map(|&c| slips_on(group, c, speed)).collect();
    attempt(group, false)?;
    let (by_normals, least) = (motions_of(group), change_since(group, &before));
    restore(group, &before);
    let is_found = attempt(group, true).is_ok();
    let is_drawn_in = !(change_since(group, &before) <= DRAWN_IN * (1.0 + most) * least);
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

/// What friction of what slides has taken in the last projection: of an impulse, times the mean of the slips
/// before and after.
fn heat_of_slides(group: &Group, held: &[u32], slips: &[[f64; 2]]) -> f64 {
    let of_rub = |rub: &Rub| {
        let (row, k) = (rub.contact as usize, usize::from(is_of_rolling(&rub.gradient)));
        -0.5 * rub.impulse * (slips[row][k] + slips_of(group, held[row])[k])
    };
    let rubs = group.scratch.problem.rough.rubs.iter();
    rubs.filter(|rub| rub.is_given).map(of_rub).sum()
}

/// The speeds at which a contact slips and rolls, 0 for what does not go on.
fn slips_on(group: &Group, c: u32, speed: f64) -> [f64; 2] {
    let (slips, slides) = (slips_of(group, c), is_sliding(group, c, speed));
    [0, 1].map(|k| if slides[k] { slips[k] } else { 0.0 })
}

/// How many times the square of the change by an impulse its friction changes velocities, at one contact; 0
/// where nothing slides.
fn most_by_friction(group: &Group, c: u32, speed: f64) -> f64 {
    if !group.friction.is_on {
        return 0.0;
    }
    let ends = group.contacts[c as usize].ends().into_iter().flatten();
    let turned = ends.map(|m| group.friction.rims[m].inertia).fold(f64::INFINITY, f64::min);
    let (most, slides) = (group.friction.grips[c as usize].most, is_sliding(group, c, speed));
    let along = if slides[0] { most[0] * most[0] * (1.0 + 1.0 / turned) } else { 0.0 };
    let rolling = if slides[1] { most[1] * most[1] / turned } else { 0.0 };
    along + rolling
}

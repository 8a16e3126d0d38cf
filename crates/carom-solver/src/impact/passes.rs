//! Passes over the contacts of a part, until none approaches.

use super::approach::{approaches, is_pressed};
use super::common_velocity::{get_stuck, move_as_one};
use crate::complementarity::Infeasible;
use crate::energy::energy_less_work;
use crate::group::{Group, Loss, Part, Scratch};
use crate::mass_class::MassClass;
use crate::rows::{apply_impulses, solve_contacts};
use crate::tolerances::{PRESSING_OPENING, RESIDUAL};
use carom_math::eft::DoubleDouble as Dd;
use core::ops::Range;

/// How often contacts take part in passes, in all, before a part is solved with e = 0 instead.
///
/// A row of N takes about N passes of one contact, far below it. A patch of N inelastic discs passes its
/// approach on from side to side, a few per cent less of it in each pass, and would take some 50 passes of
/// most of its contacts. The limit ends it after eight or so, which takes 10⁻⁴ of the energy of a thousand
/// discs at e = 0.5, and 5·10⁻³ at e = 0.
fn work_limit(contacts: usize) -> usize {
    256 + 8 * contacts
}

/// Passes until nothing approaches. Returns what the part loses.
pub(super) fn resolve_part(group: &mut Group, part: &Part, class: MassClass) -> Result<Loss, Infeasible> {
    let contacts = part.contacts();
    let mut plastic = 0.0;
    let mut speed = group.speed_of(&contacts);
    let mut work = 0;
    let mut approaching = select_approaching(group, &contacts, RESIDUAL * speed);
    if !approaching {
        return Ok(Loss::default());
    }
    let before = energy_less_work(group, &contacts, class);
    if group.stuck.is_some() && get_stuck(group, &contacts, class, speed).is_ok() {
        let plastic = before - energy_less_work(group, &contacts, class);
        return Ok(Loss { restitution: 0.0, plastic });
    }
    note_contacts_of_members(group, &contacts, class);
    while approaching {
        work += group.pass.len();
        let is_last = work > work_limit(contacts.len());
        let result = if is_last {
            join(group, &contacts, class, speed).map(|work| plastic += work)
        } else {
            make_pass(group, class, speed).map(|work| plastic += work)
        };
        if result.is_err() {
            group.restore_velocities(&contacts, class);
            move_as_one(group, &contacts, class, speed)?;
            plastic = before - energy_less_work(group, &contacts, class);
            break;
        }
        if is_last {
            break;
        }
        approaching = select_again(group, class, &mut speed);
    }
    group.round_velocities(&contacts, class, speed);
    // The loss is the difference of energies, not −½ Σ λ(D′₋ + D′₊): where contacts depend on each other,
    // impulses are too uncertain to give it to the last digit.
    let total = before - energy_less_work(group, &contacts, class);
    Ok(Loss { restitution: total - plastic, plastic })
}

/// Notes which contacts each member of a part has.
fn note_contacts_of_members(group: &mut Group, contacts: &Range<usize>, class: MassClass) {
    let Group { scratch, order, contacts: all, members, .. } = group;
    let moving = |&c: &u32| {
        let ends = all[c as usize].ends().into_iter().flatten();
        ends.filter(|&m| members[m].class == class).map(move |m| (c, m))
    };
    scratch.contacts_of.note(members.len(), order[contacts.clone()].iter().flat_map(moving));
    scratch.is_candidate.resize(all.len().max(scratch.is_candidate.len()), false);
}

/// Selects the contacts for the next pass, from those of the bodies of the last one: others do what they
/// did. `speed` rises to the speeds of these bodies. Whether there are any.
fn select_again(group: &mut Group, class: MassClass, speed: &mut f64) -> bool {
    let mut pass = core::mem::take(&mut group.pass);
    let Scratch { contacts_of, candidates, is_candidate, .. } = &mut group.scratch;
    candidates.clear();
    for m in pass.iter().flat_map(|&c| group.contacts[c as usize].ends()).flatten() {
        if group.members[m].class != class {
            continue;
        }
        *speed = speed.max(group.members[m].largest_speed());
        for &c in contacts_of.of(m) {
            if !core::mem::replace(&mut is_candidate[c as usize], true) {
                candidates.push(c);
            }
        }
    }
    pass.clear();
    let tolerance = RESIDUAL * *speed;
    for &c in &group.scratch.candidates {
        group.scratch.is_candidate[c as usize] = false;
        if approaches(group, c, tolerance) {
            pass.push(c);
        }
    }
    if !pass.is_empty() {
        pass.extend(group.scratch.candidates.iter().filter(|&&c| is_pressed(group, c, tolerance)));
    }
    group.pass = pass;
    !group.pass.is_empty()
}

/// Selects the contacts for a pass. Whether it has any.
pub(crate) fn select_approaching(group: &mut Group, contacts: &Range<usize>, tolerance: f64) -> bool {
    let mut pass = core::mem::take(&mut group.pass);
    pass.clear();
    pass.extend(group.order[contacts.clone()].iter().filter(|&&c| approaches(group, c, tolerance)));
    if !pass.is_empty() {
        // What is pressed stays pressed.
        pass.extend(group.order[contacts.clone()].iter().filter(|&&c| is_pressed(group, c, tolerance)));
    }
    group.pass = pass;
    !group.pass.is_empty()
}

/// One pass over the contacts that approach, each part of them by itself. Returns the energy that it
/// takes beyond restitution.
///
/// With the impulses `λ` at zero restitution, the change of velocities `Δ = M⁻¹ Gᵀ λ` is applied `1 + e`
/// times, which takes `½ (1 − e²) |Δ|²_M` of the energy (`impulse.md`, Energy). In a cluster it is applied
/// once: beyond restitution that takes `½ e² |Δ|²_M`.
pub(crate) fn make_pass(group: &mut Group, class: MassClass, speed: f64) -> Result<f64, Infeasible> {
    let mut pass = core::mem::take(&mut group.pass);
    group.sort_by_parts(&mut pass, class);
    let (mut result, mut plastic) = (Ok(()), 0.0);
    let mut rest = &pass[..];
    while let (Ok(()), Some(&first)) = (result, rest.first()) {
        let root = group.root_of_contact(first, class);
        let size = rest.partition_point(|&c| group.root_of_contact(c, class) == root);
        let (part, others) = rest.split_at(size);
        result = solve_contacts(group, part, class, speed);
        if result.is_ok() {
            let mut restitution = least_restitution(group, part, speed);
            if group.is_cluster {
                plastic += restitution * restitution * work_of(group, part, class);
                restitution = 0.0;
            }
            apply_impulses(group, part, Dd::from(1.0) + Dd::from(restitution));
        }
        rest = others;
    }
    group.pass = pass;
    result.map(|()| plastic)
}

/// Solves all contacts of a part once with e = 0, which ends it. Returns the energy that this takes.
pub(crate) fn join(
    group: &mut Group,
    contacts: &Range<usize>,
    class: MassClass,
    speed: f64,
) -> Result<f64, Infeasible> {
    group.with_part(contacts, |group, part| {
        solve_contacts(group, part, class, speed)?;
        let taken = work_of(group, part, class);
        apply_impulses(group, part, Dd::from(1.0));
        Ok(taken)
    })
}

/// The smallest restitution among the contacts that press: those that neither approach nor part once
/// they are solved.
fn least_restitution(group: &Group, part: &[u32], speed: f64) -> f64 {
    let presses = |r: usize| group.scratch.problem.opening_after(r).to_f64() <= PRESSING_OPENING * speed;
    (0..).zip(part).fold(1.0, |least, (r, &c)| {
        let restitution = group.contacts[c as usize].restitution;
        if restitution < least && presses(r) { restitution } else { least }
    })
}

/// `½ λᵀ A λ` of the solution: what the impulses at zero restitution take, and restitution e gives back
/// e² of.
fn work_of(group: &Group, part: &[u32], class: MassClass) -> f64 {
    if class != MassClass::Finite {
        return 0.0;
    }
    // λᵀ A λ = −λᵀ q for complementary impulses, and −q is the speed of closing.
    let impulses = part.iter().zip(&group.scratch.problem.solution.impulses);
    let work =
        |(&c, &impulse): (&u32, &Dd)| (impulse * group.closing_speed(&group.contacts[c as usize])).to_f64();
    (0.5 * impulses.map(work).sum::<f64>()).max(0.0)
}

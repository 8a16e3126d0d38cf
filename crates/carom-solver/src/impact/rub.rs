//! Friction at the contacts of an impact: Coulomb's law for all of them together, with the normal impulses
//! of the passes as limits. See `docs/derivations/impulse.md`, Friction.

use crate::contact_problem::RowKind;
use crate::contact_problem::rough::Rub;
use crate::group::Group;
use crate::mass_class::MassClass;
use crate::rows::gather_rows;
use crate::tolerances::{CANCELLED, CANCELLED_EXACTLY};
use carom_math::eft::DoubleDouble as Dd;

/// See [`Group::rub`].
pub(crate) fn rub(group: &mut Group) {
    group.scratch.saved.clear();
    group.scratch.saved.extend(group.members.iter().map(|member| member.velocity));
    let Group { friction, members, .. } = group;
    friction.rubbed.clear();
    friction.rubbed.extend(members.iter().map(|member| member.velocity.map(Dd::to_f64)));
    for class in group.classes() {
        group.find_parts(class, false);
        let parts = core::mem::take(&mut group.parts);
        for part in &parts {
            group.with_part(&part.contacts(), |group, contacts| rub_part(group, contacts, class));
        }
        group.parts = parts;
    }
    for (member, saved) in group.members.iter_mut().zip(&group.scratch.saved) {
        member.velocity = *saved;
    }
}

/// Rubs the contacts of a part, if one of them has pushed. What follows with other masses sees the
/// velocities with all that presses.
///
/// Contacts that hang together have the least tangential restitution among them, and if rubbing presses none:
/// with more, energy could rise.
fn rub_part(group: &mut Group, contacts: &[u32], class: MassClass) {
    let has_pushed = |&c: &u32| group.contacts[c as usize].impulse > 0.0;
    let rubs = |&c: &u32| group.friction.grips[c as usize].most[0] > 0.0;
    if !contacts.iter().any(has_pushed) || !contacts.iter().any(rubs) {
        return;
    }
    let of_contact = |&c: &u32| group.friction.grips[c as usize].restitution;
    let mut restitution = contacts.iter().map(of_contact).fold(1.0, f64::min);
    // That of smooth contacts.
    if restitution == -1.0 {
        return;
    }
    let speed = loop {
        let speed = gather(group, contacts, class, restitution);
        if group.scratch.problem.rub(speed, restitution).is_err() {
            return;
        }
        let presses = |row: usize| {
            let (impulse, diagonal) = group.scratch.problem.force_of(row);
            impulse * diagonal > CANCELLED * speed
        };
        if restitution <= 0.0 || !(0..contacts.len()).any(presses) {
            break speed;
        }
        restitution = 0.0;
    };
    let Group { scratch, members, friction, .. } = group;
    for (&m, (all, by_rubs)) in scratch.bodies.iter().zip(scratch.problem.rough.exact_changes()) {
        let (member, rim) = (&mut members[m as usize], &mut friction.rims[m as usize]);
        let with = |k: usize, change: [Dd; 3]| member.velocity[k] + change[k];
        friction.rubbed[m as usize] = [0, 1].map(|k| with(k, by_rubs).to_f64());
        member.velocity = [with(0, all), with(1, all)];
        let left = (Dd::from(rim.speed) + all[2]).to_f64();
        rim.speed = if left.abs() <= CANCELLED_EXACTLY * speed { 0.0 } else { left };
    }
}

/// Sets up the problem of some contacts, with this tangential restitution. The largest speed.
fn gather(group: &mut Group, contacts: &[u32], class: MassClass, restitution: f64) -> f64 {
    gather_rows(
        group,
        contacts,
        class,
        |member| member.mass,
        |group, c| {
            let contact = &group.contacts[c as usize];
            // Nothing approaches after the passes; what rounding leaves is not to press.
            (contact.normal, group.closing_speed(contact), RowKind::Idle)
        },
    );
    group.note_inertias();
    let mut speed = 0.0_f64;
    for (row, &c) in (0..).zip(contacts) {
        let contact = &group.contacts[c as usize];
        let (tangent, most) = (contact.normal.perp(), group.friction.grips[c as usize].most[0]);
        let slip = group.exact_slip_of(c);
        let ends = contact.ends().into_iter().flatten();
        speed = ends.fold(speed, |speed, m| {
            speed.max(group.members[m].largest_speed()).max(group.friction.rims[m].speed.abs())
        });
        group.scratch.problem.rough.given.push(contact.impulse);
        if most > 0.0 {
            let [gradient, _] = group.gradients_of(c, tangent);
            let opening = slip * (Dd::from(1.0) + Dd::from(restitution));
            group.scratch.problem.rough.rubs.push(Rub::new(row, gradient, opening, most));
        }
    }
    speed
}

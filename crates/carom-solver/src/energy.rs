//! The energy of a group, as far as finite masses have it.

use crate::group::{Contact, Group, Part};
use crate::mass_class::MassClass;
use carom_math::eft::DoubleDouble as Dd;
use core::ops::Range;
use glam::DVec2;

/// See [`Group::note_work`].
pub(crate) fn note_work(group: &mut Group) {
    for c in 0..group.contacts.len() {
        let contact = &group.contacts[c];
        let impulse = contact.not_noted();
        if impulse != 0.0 && group.class_of(contact) == MassClass::Finite {
            let work = impulse * driving_speed(group, contact);
            group.book.growth.add(impulse * contact.growth_speed);
            group.book.work.add(work);
            group.contacts[c].noted = group.contacts[c].impulse + group.contacts[c].rest_impulse;
        }
    }
}

/// The speed along the normal at which an infinite mass moves into a contact; 0 without one. Walls
/// have turned it before finite discs met it.
fn driving_speed(group: &Group, contact: &Contact) -> f64 {
    let of = |end: Option<usize>| {
        let member = end.map(|m| &group.members[m]).filter(|member| member.class == MassClass::Infinite);
        member.map_or(DVec2::ZERO, |member| DVec2::from(member.velocity.map(Dd::to_f64)))
    };
    let [a, b] = contact.ends().map(of);
    (a - b).dot(contact.normal)
}

/// The energy of the finite discs of some contacts, less the work on them there that is not noted yet:
/// what only losses change. 0 for other classes.
///
/// In double-double, as a loss is the difference of two such sums, each up to 10¹⁶ times as large.
pub(crate) fn energy_less_work(group: &mut Group, contacts: &Range<usize>, class: MassClass) -> f64 {
    if class != MassClass::Finite {
        return 0.0;
    }
    group.with_part(contacts, |group, part| {
        group.gather_bodies(part, MassClass::Finite);
        // Rounded as they are noted and stored: what that takes is no loss of the next impact.
        let work = |sum: Dd, &c: &u32| {
            let contact = &group.contacts[c as usize];
            let impulse = contact.not_noted();
            if impulse == 0.0 {
                return sum;
            }
            sum + Dd::from(impulse * contact.growth_speed) + Dd::from(impulse * driving_speed(group, contact))
        };
        let energy = |sum: Dd, &m: &u32| {
            let DVec2 { x, y } = group.velocity(m as usize);
            let twice_per_mass = Dd::product(x, x) + Dd::product(y, y);
            sum + twice_per_mass * Dd::from(0.5 * group.members[m as usize].mass)
        };
        (group.scratch.bodies.iter().fold(Dd::ZERO, energy) - part.iter().fold(Dd::ZERO, work)).to_f64()
    })
}

/// The sum for several parts, with what their passes took.
pub(crate) fn energy_of_parts(group: &mut Group, parts: &[Part], which: &[usize]) -> f64 {
    which
        .iter()
        .map(|&k| parts[k].loss.total() + energy_less_work(group, &parts[k].contacts(), MassClass::Finite))
        .sum()
}

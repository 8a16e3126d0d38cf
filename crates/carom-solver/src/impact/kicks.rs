//! Kicks: what restitutions above 1 add, once an instant.
//!
//! A restitution above 1 acts as 1 in the passes, which then end. What is beyond it is an impulse of its own
//! at each contact, after them.

use super::count_pushes;
use crate::energy::note_work;
use crate::group::{Contact, Group, Member, rounding_unit};
use crate::mass_class::MassClass;
use carom_math::eft::DoubleDouble as Dd;

/// See [`Group::kick`].
pub(crate) fn kick(group: &mut Group) {
    let is_kick =
        |contact: &Contact| contact.impulse > 0.0 && (contact.restitution > 1.0 || contact.added_kick > 0.0);
    if group.stuck.is_some() || !group.contacts.iter().any(is_kick) {
        return;
    }
    for c in 0..group.contacts.len() {
        let contact = group.contacts[c];
        let approach = group.approach_before(&contact);
        let by_restitution = (contact.restitution - 1.0).max(0.0) * approach.max(0.0);
        group.contacts[c].kick = if is_kick(&contact) { by_restitution + contact.added_kick } else { 0.0 };
    }
    // The infinite masses first, so that they do their work at the velocities that they have afterwards.
    kick_contacts(group, |class| class == MassClass::Infinite);
    // The energy of kicks is their impulse times the mean speed of opening: half of it before, half
    // after.
    let before = power_of_kicks(group);
    kick_contacts(group, |class| class != MassClass::Infinite);
    let gained = 0.5 * (before + power_of_kicks(group));
    group.book.kicks.add(gained);
    round_all(group);
    count_pushes(group);
    note_work(group);
}

/// The impulses of the kicks that finite masses feel, times the speeds of opening.
fn power_of_kicks(group: &Group) -> f64 {
    let power = |(c, contact): (usize, &Contact)| kick_of(group, c) * group.closing_speed(contact).to_f64();
    -group.contacts.iter().enumerate().map(power).sum::<f64>()
}

fn kick_contacts(group: &mut Group, of_class: impl Fn(MassClass) -> bool) {
    for c in 0..group.contacts.len() {
        if of_class(group.class_of(&group.contacts[c])) {
            kick_contact(group, c);
        }
    }
}

/// The inverse masses of a contact's ends, of those that it can move.
fn mobilities(group: &Group, contact: &Contact) -> [Dd; 2] {
    let class = group.class_of(contact);
    contact.ends().map(|end| match end.map(|m| &group.members[m]) {
        Some(member) if member.class == class => match class {
            MassClass::Finite => Dd::from(1.0) / Dd::from(member.mass),
            MassClass::Infinite | MassClass::Tracer => Dd::from(1.0),
        },
        _ => Dd::ZERO,
    })
}

/// The impulse of a contact's kick, as far as finite masses feel it.
fn kick_of(group: &Group, c: usize) -> f64 {
    let contact = &group.contacts[c];
    if contact.kick <= 0.0 || group.class_of(contact) != MassClass::Finite {
        return 0.0;
    }
    let [a, b] = mobilities(group, contact);
    contact.kick / (a + b).to_f64()
}

/// Lets a contact open faster by its kick.
fn kick_contact(group: &mut Group, c: usize) {
    let contact = group.contacts[c];
    if contact.kick <= 0.0 {
        return;
    }
    let mobilities = mobilities(group, &contact);
    let impulse = Dd::from(contact.kick) / (mobilities[0] + mobilities[1]);
    let normals = [-contact.normal, contact.normal];
    for ((end, mobility), normal) in contact.ends().into_iter().zip(mobilities).zip(normals) {
        let Some(m) = end else { continue };
        let change = impulse * mobility;
        let [x, y] = group.members[m].velocity;
        let added = [change * Dd::from(normal.x), change * Dd::from(normal.y)];
        group.members[m].velocity = [x + added[0], y + added[1]];
    }
    group.contacts[c].impulse += impulse.to_f64();
}

/// Rounds all velocities, with the largest one of a class as the measure.
fn round_all(group: &mut Group) {
    for class in MassClass::ALL {
        let of_class = group.members.iter().filter(|member| member.class == class);
        let unit = rounding_unit(of_class.map(Member::largest_speed).fold(0.0, f64::max));
        for member in group.members.iter_mut().filter(|member| member.class == class) {
            member.velocity = member.velocity.map(|v| v.round_to(unit).into());
        }
    }
}

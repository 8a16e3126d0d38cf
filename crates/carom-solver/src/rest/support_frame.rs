//! Keeps what is held as it was: contacts closed, clusters at their energy in the frame of what supports
//! them.

use super::clusters::{Clusters, clusters};
use super::rough::{is_dragged, slides};
use super::slid::keep_closed;
use crate::complementarity::Infeasible;
use crate::group::{Group, Member, Other};
use crate::mass_class::MassClass;
use crate::tolerances::{MAX_ENERGY_REPAIR, ROUNDING};
use carom_math::sqrt;
use core::ops::Range;
use glam::DVec2;
use smallvec::SmallVec;

/// What a cluster is held to that it cannot move: walls, and infinite masses.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Carrier {
    Nothing,
    /// Bodies of this velocity, in whose frame their forces do no work.
    One(DVec2),
    /// Bodies of different velocities.
    Several,
}

impl Carrier {
    /// The velocity of the frame in which its forces do no work, if there is one.
    fn velocity(self) -> Option<DVec2> {
        match self {
            Carrier::Nothing => Some(DVec2::ZERO),
            Carrier::One(velocity) => Some(velocity),
            Carrier::Several => None,
        }
    }

    fn and(self, velocity: DVec2) -> Carrier {
        match self {
            Carrier::Nothing => Carrier::One(velocity),
            Carrier::One(one) if one == velocity => self,
            _ => Carrier::Several,
        }
    }
}

/// What a held member was when its piece began.
#[derive(Clone, Copy, Debug)]
pub struct Began {
    /// Its velocity.
    pub velocity: DVec2,
    /// The speed of its rim: see [`Rim`](crate::Rim).
    pub rim_speed: f64,
    /// The work of the accelerations without contacts since then, per unit of mass, in the frame that is
    /// asked for.
    pub work: f64,
    /// How many times its mass resisted.
    pub inertia: f64,
}

/// See [`Group::keep_held`].
pub(crate) fn keep_held(group: &mut Group, began: impl Fn(&Member, DVec2) -> Began) {
    // First gaps stop opening: a projection, which changes energy by the second order of what it takes away.
    // Then the energy is put right. Along held contacts all velocities of a cluster may be scaled alike, as
    // that opens nothing.
    keep_all_held(group);
    let roots = clusters(group, |pressing| pressing.was_held);
    let carriers = carriers(group, &roots);
    // Tracers follow the finite masses that they lie on. By themselves their mass cancels, as that of an
    // infinite mass at walls; without these nothing deflects it.
    let mut has_finite: SmallVec<[bool; 32]> = SmallVec::from_elem(false, group.members.len());
    for (member, &root) in group.members.iter().zip(&roots) {
        has_finite[root as usize] |= member.is_held && member.class == MassClass::Finite;
    }
    // Twice the kinetic energy of each cluster, and by how much that is off.
    let mut sums: SmallVec<[(f64, f64); 32]> = SmallVec::from_elem((0.0, 0.0), group.members.len());
    for m in (0..group.members.len()).filter(|&m| group.members[m].is_held) {
        let member = &group.members[m];
        let Some(frame) = carriers[roots[m] as usize].velocity() else { continue };
        let Began { velocity: velocity_before, rim_speed, work, inertia } = began(member, frame);
        let velocity = group.velocity(m) - frame;
        let is_free = member.class == MassClass::Infinite && carriers[roots[m] as usize] == Carrier::Nothing;
        let mass = match has_finite[roots[m] as usize] {
            true => member.mass * inertia,
            false if is_free => 0.0,
            false => 1.0,
        };
        let mut square = velocity.length_squared();
        let mut gained = square - (velocity_before - frame).length_squared();
        if group.friction.is_on {
            let rim = &group.friction.rims[m];
            let inertia = if rim.is_turned() { rim.inertia } else { 0.0 };
            square += inertia * rim.speed * rim.speed;
            gained += inertia * (rim.speed * rim.speed - rim_speed * rim_speed);
        }
        let (kinetic, off) = &mut sums[roots[m] as usize];
        (*kinetic, *off) = (*kinetic + mass * square, *off + mass * (gained - 2.0 * work));
    }
    for m in 0..group.members.len() {
        let (kinetic, off) = sums[roots[m] as usize];
        let Some(frame) = carriers[roots[m] as usize].velocity() else { continue };
        if group.members[m].is_held && kinetic > 0.0 && off.abs() <= MAX_ENERGY_REPAIR * kinetic {
            let (velocity, scale) = (group.velocity(m) - frame, sqrt(1.0 - off / kinetic));
            group.set_velocity(m, frame + velocity * scale);
            if group.friction.is_on && group.friction.rims[m].is_turned() {
                group.friction.rims[m].speed *= scale;
            }
        }
    }
}

/// Sets the speeds of opening to 0 of the contacts that were held: where they cannot be, they are left as
/// the motion up to now left them.
fn keep_all_held(group: &mut Group) {
    fix_stopped(group, true);
    for class in group.classes() {
        group.find_parts(class, true);
        let parts = core::mem::take(&mut group.parts);
        for part in &parts {
            _ = keep_part_held(group, &part.contacts(), class);
        }
        group.parts = parts;
    }
    fix_stopped(group, false);
}

fn keep_part_held(group: &mut Group, contacts: &Range<usize>, class: MassClass) -> Result<(), Infeasible> {
    let speed = group.speed_of(contacts);
    let held = group.picked(contacts, |pressing| pressing.was_held);
    let is_dragged = |&c: &u32| {
        group.friction.is_on && is_dragged(group, c, group.friction.grips[c as usize].stuck, speed)
    };
    let moves = |&c: &u32| !(group.opening_in_f64(c).abs() <= ROUNDING * speed);
    if held.iter().any(|c| moves(c) || is_dragged(c)) {
        keep_closed(group, &held, class, speed)?;
    }
    group.round_velocities(contacts, class, speed);
    Ok(())
}

/// Whether held discs at rest, on which friction acts, are taken for ones that nothing moves: what
/// pieces leave of the speeds at which contacts open is no reason for them to move.
fn fix_stopped(group: &mut Group, fixed: bool) {
    for m in 0..group.members.len() {
        let stopped = group.velocity(m) == DVec2::ZERO;
        let member = &mut group.members[m];
        if let (false, Some(class)) = (fixed, member.own_class) {
            (member.class, member.own_class) = (class, None);
        } else if fixed && stopped && member.is_held && member.grip > 0.0 {
            (member.class, member.own_class) = (MassClass::Infinite, Some(member.class));
        }
    }
}

/// What carries each cluster, by the root of it in [`clusters`] of the contacts that were held.
fn carriers(group: &Group, roots: &Clusters) -> SmallVec<[Carrier; 32]> {
    let mut carriers = SmallVec::from_elem(Carrier::Nothing, roots.len());
    let is_carrier = |m: usize| group.members[m].class == MassClass::Infinite;
    let mut note = |m: usize, velocity: DVec2| {
        let carrier: &mut Carrier = &mut carriers[roots[m] as usize];
        *carrier = carrier.and(velocity);
    };
    for contact in group.contacts.iter().filter(|contact| contact.pressing.was_held) {
        match contact.with {
            Other::Facet(..) => note(contact.a, contact.surface),
            Other::Member(b) if is_carrier(b) => note(contact.a, group.velocity(b)),
            Other::Member(b) if is_carrier(contact.a) => note(b, group.velocity(contact.a)),
            Other::Member(_) => {}
        }
    }
    for left in &group.left {
        note(left.member, left.surface);
    }
    if group.friction.is_on {
        // Friction does work there, whatever the frame.
        let of_left = group.left.iter().filter(|left| !left.stuck);
        of_left.for_each(|left| carriers[roots[left.member] as usize] = Carrier::Several);
        let slides = |c: &u32| group.contacts[*c as usize].pressing.was_held && slides(group, *c);
        for c in (0..group.contacts.len() as u32).filter(slides) {
            let ends = group.contacts[c as usize].ends();
            ends.into_iter().flatten().for_each(|m| carriers[roots[m] as usize] = Carrier::Several);
        }
    }
    carriers
}

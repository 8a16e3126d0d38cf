use super::group::{Group, Member, Other};
use super::rest::Clusters;
use crate::mass_class::MassClass;
use carom_math::sqrt;
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

impl Group {
    /// Keeps contacts that were held from opening or closing, and each cluster of them at its energy: scales
    /// its velocities so that the energy since its piece began has changed by the work of the accelerations
    /// without contacts, and nothing else, as forces of contact do none. Seen from the infinite masses that
    /// carry it, if these move.
    ///
    /// `began` gives for a held member and the velocity of that frame: the velocity that the member had when
    /// the piece began, the work since then per unit of mass, and how many times its mass resisted.
    pub fn keep_held(&mut self, began: impl Fn(&Member, DVec2) -> (DVec2, f64, f64)) {
        self.keep_all_held();
        let roots = self.clusters(|pressing| pressing.was_held);
        let carriers = self.carriers(&roots);
        // Tracers follow the finite masses that they lie on. By themselves their mass cancels, as that of an
        // infinite mass at walls; without these nothing deflects it.
        let mut has_finite: SmallVec<[bool; 32]> = SmallVec::from_elem(false, self.members.len());
        for (member, &root) in self.members.iter().zip(&roots) {
            has_finite[root as usize] |= member.is_held && member.class == MassClass::Finite;
        }
        // Twice the kinetic energy of each cluster, and by how much that is off.
        let mut sums: SmallVec<[(f64, f64); 32]> = SmallVec::from_elem((0.0, 0.0), self.members.len());
        for m in (0..self.members.len()).filter(|&m| self.members[m].is_held) {
            let member = &self.members[m];
            let Some(frame) = carriers[roots[m] as usize].velocity() else { continue };
            let (velocity_before, work, inertia) = began(member, frame);
            let velocity = self.velocity(m) - frame;
            let is_free =
                member.class == MassClass::Infinite && carriers[roots[m] as usize] == Carrier::Nothing;
            let mass = match has_finite[roots[m] as usize] {
                true => member.mass * inertia,
                false if is_free => 0.0,
                false => 1.0,
            };
            let gained = velocity.length_squared() - (velocity_before - frame).length_squared();
            let (kinetic, off) = &mut sums[roots[m] as usize];
            (*kinetic, *off) =
                (*kinetic + mass * velocity.length_squared(), *off + mass * (gained - 2.0 * work));
        }
        for m in 0..self.members.len() {
            let (kinetic, off) = sums[roots[m] as usize];
            let Some(frame) = carriers[roots[m] as usize].velocity() else { continue };
            if self.members[m].is_held && kinetic > 0.0 && off.abs() <= 1e-2 * kinetic {
                let velocity = self.velocity(m) - frame;
                self.set_velocity(m, frame + velocity * sqrt(1.0 - off / kinetic));
            }
        }
    }

    /// What carries each cluster, by the root of it in [`Group::clusters`] of the contacts that were held.
    fn carriers(&self, roots: &Clusters) -> SmallVec<[Carrier; 32]> {
        let mut carriers = SmallVec::from_elem(Carrier::Nothing, roots.len());
        let is_carrier = |m: usize| self.members[m].class == MassClass::Infinite;
        let mut note = |m: usize, velocity: DVec2| {
            let carrier: &mut Carrier = &mut carriers[roots[m] as usize];
            *carrier = carrier.and(velocity);
        };
        for contact in self.contacts.iter().filter(|contact| contact.pressing.was_held) {
            match contact.with {
                Other::Facet(..) => note(contact.a, contact.surface),
                Other::Member(b) if is_carrier(b) => note(contact.a, self.velocity(b)),
                Other::Member(b) if is_carrier(contact.a) => note(b, self.velocity(contact.a)),
                Other::Member(_) => {}
            }
        }
        carriers
    }
}

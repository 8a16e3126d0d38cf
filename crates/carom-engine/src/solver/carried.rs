use super::group::{Group, Other};
use super::rest::Clusters;
use crate::state::stamp::MassClass;
use glam::DVec2;
use smallvec::SmallVec;

/// What a cluster is held to that it cannot move: walls, and infinite masses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Carrier {
    Nothing,
    /// Bodies of this velocity, in whose frame their forces do no work.
    One(DVec2),
    /// Bodies of different velocities.
    Several,
}

impl Carrier {
    /// The velocity of the frame in which its forces do no work, if there is one.
    pub(crate) fn velocity(self) -> Option<DVec2> {
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
    /// What carries each cluster, by the root of it in [`Group::clusters`] of the contacts that were held.
    pub(crate) fn carriers(&self, roots: &Clusters) -> SmallVec<[Carrier; 32]> {
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

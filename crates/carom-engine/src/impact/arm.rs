use super::contact::ContactNow;
use crate::{Body, Physics, World};
use carom_broadphase::Slot;
use carom_math::toi::{Arm, Gap, Motion};
use carom_math::{DVec2, sqrt};
use carom_solver::{Contact, Group, Other};
use smallvec::SmallVec;

/// What parts from an arm that turns does so at no less than this fraction of the speed of its tip, so that
/// what is pressed on it by its turning hops at most some 128 times a radian.
const LEAST_OF_TIP: f64 = 1.0 / 128.0;

/// And at no less than takes a disc up by this fraction of its radius against its own acceleration.
const LEAST_RISE: f64 = 1.0 / 1024.0;

/// The least part of that speed at which a disc counts as approaching an arm. One that is in contact with it
/// by prediction may recede from it by rounding.
const LEAST_APPROACH: f64 = 1.0 / (1u64 << 40) as f64;

/// Contacts with arms that turn: see [`World::turn_arm`].
impl<P: Physics> World<P> {
    /// The velocity of what a facet consists of at a place.
    #[inline(always)]
    pub(super) fn surface_velocity(&self, f: u32, place: DVec2) -> DVec2 {
        self.store.walls.facets[f as usize].velocity_at(place)
    }

    /// A contact with a facet of a wall that turns or moves: it comes nearer as the surfaces of what grows
    /// do.
    #[cold]
    #[inline(never)]
    pub(super) fn contact_with_driven(
        &self,
        slot: Slot,
        f: u32,
        motion: &Motion,
        (body, gap): (&Body<P::Body>, Gap),
    ) -> ContactNow {
        let facet = &self.store.walls.facets[f as usize];
        let surface = facet.velocity_at(motion.position + gap.normal * motion.radius);
        let contact = self.contact_with_surface(slot, f, motion, -surface.dot(gap.normal), (body, gap));
        facet.arm().map_or(contact, |arm| self.driven(slot, arm, motion, contact))
    }

    /// A contact with an arm, at no less than the restitution at which the disc parts from it for good.
    ///
    /// Where the arm presses on it, a disc that did not part would meet the arm again at once.
    fn driven(&self, slot: Slot, arm: &Arm, motion: &Motion, contact: ContactNow) -> ContactNow {
        let least = self.least_parting(slot, arm, motion);
        let approach_speed = contact.approach_speed.max(least * LEAST_APPROACH);
        let least_restitution = least / approach_speed;
        let restitution = contact.restitution.max(least_restitution);
        ContactNow { approach_speed, restitution, least_restitution, ..contact }
    }

    /// The least speed at which a disc parts from an arm.
    pub(super) fn least_parting(&self, slot: Slot, arm: &Arm, motion: &Motion) -> f64 {
        let of_tip = arm.rate.abs() * arm.reach() * LEAST_OF_TIP;
        if !P::ACCELERATED {
            return of_tip;
        }
        let size = if motion.radius > 0.0 { motion.radius } else { arm.reach() };
        let pull = sqrt(self.store.bodies.bend(slot).acceleration.length_squared());
        sqrt(of_tip * of_tip + 2.0 * pull * size * LEAST_RISE)
    }

    /// The walls that turn or move and close in on a member of a group.
    pub(super) fn closing_walls(&self, group: &Group) -> SmallVec<[u32; 4]> {
        let wall = |contact: &Contact| match contact.with {
            Other::Facet(f, _) if contact.growth_speed > 0.0 => {
                let facet = &self.store.walls.facets[f as usize];
                facet.is_driven.then_some(facet.wall)
            }
            _ => None,
        };
        let mut walls: SmallVec<[u32; 4]> = group.contacts.iter().filter_map(wall).collect();
        // In the order in which they were put up.
        walls.sort_unstable_by_key(|&wall| self.store.walls.first_of(wall));
        walls.dedup();
        walls
    }
}

//! Slow slips that were stopped, and that forces drive on.

use super::rough::{keep_slip, slips_of};
use crate::group::Group;
use carom_math::eft::DoubleDouble as Dd;
use core::ops::Range;
use smallvec::SmallVec;

/// A part with friction before its slow slips are stopped.
pub(super) struct BeforeStops {
    velocities: SmallVec<[[Dd; 2]; 32]>,
    rims: SmallVec<[f64; 32]>,
    /// Of each contact the impulse that has brought it to rest, and its slips.
    contacts: SmallVec<[(f64, [f64; 2]); 32]>,
}

impl BeforeStops {
    pub(super) fn of(group: &Group, contacts: &Range<usize>) -> Self {
        let of_contact = |&c: &u32| (group.contacts[c as usize].rest_impulse, slips_of(group, c));
        BeforeStops {
            velocities: group.members.iter().map(|member| member.velocity).collect(),
            rims: group.friction.rims.iter().map(|rim| rim.speed).collect(),
            contacts: group.order[contacts.clone()].iter().map(of_contact).collect(),
        }
    }

    /// Notes the slips that were stopped, and that forces drive on the way on which they were: these are to
    /// be kept. Whether there are any; with them the part has the state of before.
    ///
    /// The forces that tell who presses take all that is slow for still, and may hold what cannot stop: a
    /// disc in a wedge that a wall closes slips on one of the two. Stopped on one it slipped on the other,
    /// came to stick there after 10⁻⁵ s, and was stopped again: three thousand pieces in a frame.
    pub(super) fn keep_driven(&self, group: &mut Group, contacts: &Range<usize>, speed: f64) -> bool {
        let mut is_any = false;
        for (i, &(_, slips)) in contacts.clone().zip(&self.contacts) {
            let c = group.order[i];
            for (k, slip) in slips.into_iter().enumerate() {
                is_any |= keep_slip(group, c, k, slip, speed);
            }
        }
        if is_any {
            self.take(group, contacts);
        }
        is_any
    }

    fn take(&self, group: &mut Group, contacts: &Range<usize>) {
        for (member, &velocity) in group.members.iter_mut().zip(&self.velocities) {
            member.velocity = velocity;
        }
        for (rim, &speed) in group.friction.rims.iter_mut().zip(&self.rims) {
            rim.speed = speed;
        }
        for (i, &(impulse, _)) in contacts.clone().zip(&self.contacts) {
            let c = group.order[i];
            group.contacts[c as usize].rest_impulse = impulse;
        }
    }
}

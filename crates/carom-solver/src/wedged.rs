//! Parts of a group in which nothing can come to rest as it is: bodies that close in on what they hold by
//! their accelerations alone, or by the way in which lines of centres turn; and what would press only by
//! leverage.

use super::complementarity::Infeasible;
use super::contact_problem::MAX_POLISHED;
use super::ground::Free;
use super::group::{Contact, Group, Other, Part};
use crate::mass_class::MassClass;
use carom_math::eft::DoubleDouble as Dd;
use core::ops::Range;
use glam::DVec2;
use smallvec::SmallVec;

/// The accelerations without contacts of a member with some velocity.
pub(crate) type FreeAt<'a> = &'a dyn Fn(usize, DVec2) -> Free;

/// What is near and does not touch may press with a force of so many times the largest acceleration. With
/// more it is a wedge on whose flanks it would lie, like the end of a wall beside which a disc fits a gap:
/// its normal has turned before it closes. A gap of 10⁻¹⁰ of the size closes head-on within a turn of that,
/// and under a leverage of `k` within one of `10⁻¹⁰ k`, of the `1/k` that there are.
const LEVERAGE: f64 = 1e4;

impl Group {
    /// Lets the parts of a class come to rest. Returns the energy that it takes.
    ///
    /// As with impacts that leave no room (`yielding.rs`), infinite masses stop that close in on discs of
    /// finite mass, and what closes in on a tracer passes over it.
    pub(super) fn rest_class(&mut self, class: MassClass, free_at: FreeAt) -> f64 {
        self.find_parts(class);
        let parts = core::mem::take(&mut self.parts);
        let mut taken = 0.0;
        loop {
            let mut is_again = false;
            for part in &parts {
                let contacts = part.contacts();
                self.save_part(&contacts, class);
                match self.rest_part(&contacts, class, free_at) {
                    Ok(of_part) => taken += of_part,
                    Err(Infeasible) => {
                        self.restore_part();
                        if self.stop_movers(part, class) {
                            is_again = true;
                        } else {
                            taken += self.rest_wedged(&contacts, class, free_at);
                        }
                    }
                }
            }
            // What else they carried or pushed has to do with them as they are now.
            if !is_again {
                break;
            }
        }
        self.parts = parts;
        taken
    }

    /// As `solve_forces`, without those that are near and would press only by leverage: these are taken out.
    pub(super) fn solve_near_forces(
        &mut self,
        contacts: &mut SmallVec<[u32; 32]>,
        class: MassClass,
    ) -> Result<f64, Infeasible> {
        loop {
            let largest = self.solve_forces(contacts, class)?;
            let count = contacts.len();
            contacts.retain(|c| {
                let pressing = &mut self.contacts[*c as usize].pressing;
                pressing.is_passed |= pressing.is_near && pressing.force > LEVERAGE * largest;
                if pressing.is_passed {
                    (pressing.is_candidate, pressing.is_active, pressing.force) = (false, false, 0.0);
                    pressing.is_settled = false;
                }
                !pressing.is_passed
            });
            if contacts.len() == count {
                return Ok(largest);
            }
        }
    }

    /// Stops the infinite masses that move at a part of finite ones. Whether there are any.
    fn stop_movers(&mut self, part: &Part, class: MassClass) -> bool {
        if class != MassClass::Finite {
            return false;
        }
        let contacts = self.order[part.contacts()].iter().map(|&c| &self.contacts[c as usize]);
        let movers: SmallVec<[usize; 4]> = contacts
            .filter(|contact| !contact.pressing.is_near)
            .flat_map(|contact| contact.ends().into_iter().flatten())
            .filter(|&m| self.members[m].class == MassClass::Infinite && self.velocity(m) != DVec2::ZERO)
            .collect();
        if movers.is_empty() {
            return false;
        }
        self.note_work();
        for m in movers {
            self.members[m].velocity = [Dd::ZERO; 2];
            if !self.yielded.contains(&m) {
                self.yielded.push(m);
            }
        }
        true
    }

    /// Brings to rest what nothing that moves closes in on. Returns the energy that it takes.
    fn rest_wedged(&mut self, contacts: &Range<usize>, class: MassClass, free_at: FreeAt) -> f64 {
        if class == MassClass::Tracer
            && let Some(taken) = self.rest_passed_over(contacts, class, free_at)
        {
            return taken;
        }
        // Walls that converge on a disc hold it: at rest there is an answer.
        if contacts.len() <= MAX_POLISHED {
            let before = self.energy_less_work(contacts, class);
            self.stop_part(contacts, class);
            if self.rest_part(contacts, class, free_at).is_ok() {
                return before - self.energy_less_work(contacts, class);
            }
            self.restore_part();
        }
        self.leave_open(contacts, class, free_at)
    }

    /// Brings a tracer to rest between its walls alone; what then closes in on it passes over it. Returns
    /// the energy that it takes, which is none; nothing if that is not how it is wedged.
    fn rest_passed_over(
        &mut self,
        contacts: &Range<usize>,
        class: MassClass,
        free_at: FreeAt,
    ) -> Option<f64> {
        let Group { order, contacts: all, .. } = self;
        order[contacts.clone()]
            .sort_unstable_by_key(|&c| (matches!(all[c as usize].with, Other::Member(_)), c));
        let is_wall = |&c: &u32| matches!(all[c as usize].with, Other::Facet(..));
        let walls = contacts.start..contacts.start + order[contacts.clone()].partition_point(is_wall);
        self.rest_part(&walls, class, free_at).ok()?;
        let mut is_any = false;
        for i in walls.end..contacts.end {
            let c = self.order[i];
            self.contacts[c as usize].pressing.leave_open();
            if self.closes_in(c) {
                is_any |= self.note_passed(c);
            }
        }
        if !is_any {
            self.restore_part();
        }
        is_any.then_some(0.0)
    }

    /// Whether the two of a contact close in on each other, at once or by their accelerations.
    fn closes_in(&self, c: u32) -> bool {
        let contact = &self.contacts[c as usize];
        let [velocity, acceleration] = self.relative(c);
        let across = velocity.perp_dot(contact.normal);
        let opening = self.opening(c).to_f64();
        !contact.pressing.is_near
            && opening <= contact.pressing.slow
            && (opening < 0.0
                || acceleration.dot(contact.normal) + across * across * contact.pressing.curvature < 0.0)
    }

    /// Leaves a part without held contacts. What approaches there joins without restitution, as in slow
    /// impacts; what closes in by its acceleration is met again a little deeper. Returns the energy that it
    /// takes.
    fn leave_open(&mut self, contacts: &Range<usize>, class: MassClass, free_at: FreeAt) -> f64 {
        let speed = self.speed_of(contacts);
        let touching = self.picked(contacts, |pressing| !pressing.is_near);
        let before = self.energy_less_work(contacts, class);
        if touching.iter().any(|&c| self.opening(c) < Dd::ZERO) {
            match self.solve_contacts(&touching, class, speed) {
                Ok(()) => self.apply_impulses(&touching, Dd::from(1.0)),
                Err(Infeasible) => _ = self.move_as_one(contacts, class, speed),
            }
            self.round_velocities(contacts, class, speed);
        }
        let taken = before - self.energy_less_work(contacts, class);
        self.renew_free(contacts, class, free_at);
        for i in contacts.clone() {
            self.contacts[self.order[i] as usize].pressing.leave_open();
        }
        self.for_each_moved(contacts, class, |group, m| {
            group.members[m].acceleration = group.members[m].free;
        });
        taken
    }

    /// Settles the contacts for which others stand, of one facet in the place of another: they press if these
    /// do, and are not held themselves.
    pub(super) fn settle_twins(&mut self) {
        for c in 0..self.contacts.len() {
            let twin = self.contacts[c];
            if twin.is_twin {
                let stands_for = |other: &&Contact| !other.is_twin && other.normal == twin.normal;
                let of_other = self.facet_contacts_of(twin.a).find(stands_for).map(|other| other.pressing);
                let is_settled = of_other.is_some_and(|pressing| pressing.is_settled || pressing.is_held);
                self.contacts[c].pressing.is_settled = is_settled;
            }
        }
    }

    /// Saves the velocities of what a part moves, and what has brought it to rest.
    fn save_part(&mut self, contacts: &Range<usize>, class: MassClass) {
        let Group { saved_part, saved_rest, members, order, contacts: all, .. } = self;
        saved_part.clear();
        saved_rest.clear();
        // Parts differ, and none is larger than the group.
        saved_part.reserve(members.len());
        saved_rest.reserve(all.len());
        for &c in &order[contacts.clone()] {
            let contact = &all[c as usize];
            saved_rest.push((c, contact.rest_impulse));
            let moved = contact.ends().into_iter().flatten().filter(|&m| members[m].class == class);
            saved_part.extend(moved.map(|m| (m, members[m].velocity)));
        }
    }

    fn restore_part(&mut self) {
        for &(m, velocity) in &self.saved_part {
            self.members[m].velocity = velocity;
        }
        for &(c, rest_impulse) in &self.saved_rest {
            self.contacts[c as usize].rest_impulse = rest_impulse;
        }
    }
}

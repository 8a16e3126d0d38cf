use super::complementarity::Infeasible;
use super::give_way::{End, Touch};
use super::group::{Contact, Group, Loss, Other, Part};
use super::jam::Jam;
use crate::mass_class::MassClass;
use alloc::vec::Vec;
use carom_math::eft::DoubleDouble as Dd;
use core::ops::Range;

/// What becomes of parts for which even e = 0 has no answer: see `carom_engine::CrushRule`.
impl Group {
    /// Resolves the parts of a class that had no answer, given by their numbers; an error if it is by
    /// growing that they have none.
    pub(super) fn crush(
        &mut self,
        parts: &mut [Part],
        failed: &[usize],
        class: MassClass,
    ) -> Result<(), Infeasible> {
        if failed.is_empty() {
            return Ok(());
        }
        let grows = |&k: &usize| {
            let mut contacts = self.order[parts[k].contacts()].iter();
            contacts.any(|&c| self.contacts[c as usize].growth_speed > 0.0)
        };
        if failed.iter().any(grows) {
            return Err(Infeasible);
        }
        match class {
            // Walls do not move: there is always an answer.
            MassClass::Infinite => {}
            MassClass::Finite => self.make_way(parts, failed),
            MassClass::Tracer => failed.iter().for_each(|&k| self.pass_over(&parts[k])),
        }
        Ok(())
    }

    /// Resolves parts of discs of finite mass that have no room, given by their numbers: the bodies that
    /// close in give way, then all parts at those that do are solved with e = 0. Other parts are left as
    /// they are.
    fn make_way(&mut self, parts: &mut [Part], failed: &[usize]) {
        let mut jam = core::mem::take(&mut self.jam);
        self.find_moving_bodies(parts, &mut jam.moving);
        jam.done.clear();
        for &first in failed {
            if !jam.done.contains(&first) {
                jam.connect(first);
                self.yield_in(parts, &mut jam);
                jam.done.extend_from_slice(&jam.connected);
            }
        }
        self.jam = jam;
    }

    /// Finds the infinite masses at parts that move.
    fn find_moving_bodies(&self, parts: &[Part], moving: &mut Vec<(usize, usize)>) {
        moving.clear();
        for (k, part) in parts.iter().enumerate() {
            let contacts = self.order[part.contacts()].iter().map(|&c| &self.contacts[c as usize]);
            let members = contacts.flat_map(|contact| contact.ends().into_iter().flatten());
            let is_one = |&m: &usize| self.members[m].class == MassClass::Infinite && self.is_moving(m);
            moving.extend(members.filter(is_one).map(|m| (k, m)));
        }
        moving.sort_unstable();
        moving.dedup();
    }

    fn is_moving(&self, m: usize) -> bool {
        self.members[m].velocity != [Dd::ZERO; 2]
    }

    fn yield_in(&mut self, parts: &mut [Part], jam: &mut Jam) {
        self.set_up(parts, jam);
        jam.problem.solve();
        let before = self.energy_of_parts(parts, &jam.connected);
        for (k, &m) in jam.bodies.iter().enumerate() {
            if let Some(velocity) = jam.problem.velocity(k) {
                self.members[m].velocity = velocity.map(Dd::from);
                if !self.yielded.contains(&m) {
                    self.yielded.push(m);
                }
            }
        }
        for &k in &jam.connected {
            let at_one = |&c: &u32| {
                self.contacts[c as usize].ends().into_iter().flatten().any(|m| self.yielded.contains(&m))
            };
            if self.order[parts[k].contacts()].iter().any(at_one) {
                self.solve_plastic(&parts[k].contacts());
                // Its passes are undone.
                parts[k].loss = Loss::default();
            }
        }
        let after = self.energy_of_parts(parts, &jam.connected);
        self.book.crush.add(before - after);
    }

    /// Sets up the problem of the connected parts.
    fn set_up(&self, parts: &[Part], jam: &mut Jam) {
        let Jam { problem, connected, bodies, .. } = jam;
        problem.reset();
        for &m in &*bodies {
            problem.add_body(self.members[m].velocity);
        }
        let end = |m: usize| match (self.members[m].class, bodies.binary_search(&m)) {
            (_, Ok(k)) => End::Unstoppable(k),
            (MassClass::Finite, _) => End::Movable(m),
            _ => End::Fixed,
        };
        for &k in &*connected {
            for &c in &self.order[parts[k].contacts()] {
                let contact = &self.contacts[c as usize];
                let ends = contact.ends().map(|m| m.map_or(End::Fixed, end));
                problem.add_touch(Touch { ends, normal: contact.normal, part: k });
            }
        }
        // Those with walls have no part: they only hold the bodies.
        for contact in &self.contacts {
            if matches!(contact.with, Other::Facet(..)) && bodies.contains(&contact.a) {
                let ends = [end(contact.a), End::Fixed];
                problem.add_touch(Touch { ends, normal: contact.normal, part: usize::MAX });
            }
        }
    }

    /// Solves all contacts of a part once with e = 0, from the velocities before the impact.
    fn solve_plastic(&mut self, contacts: &Range<usize>) {
        let class = MassClass::Finite;
        let speed = self.restart(contacts, class);
        if self.join(contacts, class, speed).is_err() {
            // Only by rounding.
            self.restore_velocities(contacts, class);
            if self.move_as_one(contacts, class, speed).is_err() {
                self.stop_part(contacts, class);
            }
        }
        self.round_velocities(contacts, class, speed);
    }

    /// Undoes what was done to a part. Returns the largest component of a velocity, before or now.
    fn restart(&mut self, contacts: &Range<usize>, class: MassClass) -> f64 {
        self.restore_velocities(contacts, class);
        let members =
            self.order[contacts.clone()].iter().flat_map(|&c| self.contacts[c as usize].ends()).flatten();
        members.fold(self.speed_of(contacts), |speed, m| {
            speed.max(self.members[m].motion.velocity.abs().max_element())
        })
    }

    pub(super) fn stop_part(&mut self, contacts: &Range<usize>, class: MassClass) {
        self.for_each_moved(contacts, class, |group, m| group.members[m].velocity = [Dd::ZERO; 2]);
    }

    /// Resolves a part of a tracer that has no room: e = 0 at walls, and the discs that still close on it
    /// pass over it.
    fn pass_over(&mut self, part: &Part) {
        let (contacts, class) = (part.contacts(), MassClass::Tracer);
        let speed = self.restart(&contacts, class);
        let is_wall = |&c: &u32| matches!(self.contacts[c as usize].with, Other::Facet(..));
        let mut walls = core::mem::take(&mut self.pass);
        walls.clear();
        walls.extend(self.order[contacts.clone()].iter().copied().filter(is_wall));
        if self.solve_contacts(&walls, class, speed).is_ok() {
            self.apply_impulses(&walls, Dd::from(1.0));
        }
        self.pass = walls;
        self.round_velocities(&contacts, class, speed);
        for i in contacts {
            let c = self.order[i];
            if self.closing_speed(&self.contacts[c as usize]).to_f64() > NEGLIGIBLE * speed {
                self.note_passed(c);
            }
        }
    }

    /// Notes that the disc of a contact with a tracer passes over that. Whether it is with a disc.
    pub(super) fn note_passed(&mut self, c: u32) -> bool {
        let Contact { a, with: Other::Member(b), .. } = self.contacts[c as usize] else { return false };
        let pair = if self.members[a].class == MassClass::Tracer { (a, b) } else { (b, a) };
        if !self.passed.contains(&pair) {
            self.passed.push(pair);
        }
        true
    }
}

/// A disc that closes on a tracer more slowly than this fraction of the largest speed does so by rounding.
const NEGLIGIBLE: f64 = 1.0 / (1u64 << 40) as f64;

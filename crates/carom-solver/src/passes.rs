//! How a group resolves its contacts.
//!
//! Passes: all contacts that approach are solved together for impulses `λ ≥ 0` at zero restitution;
//! velocities change by `1 + e` times that, `e` the smallest restitution among the contacts that press;
//! until nothing approaches (generalised reflections: Smith, Kaufman, Vouga, Tamstorf and Grinspun, ACM TOG
//! 31 (2012) 106). After a bounded amount of work the touching contacts are solved once with `e = 0`, which
//! ends it (Vouga et al., arXiv:1712.00381). A pass is a projection in the metric of the masses,
//! over-relaxed by at most two, so in each part energy does not rise by more than the work of what the part
//! cannot move.

use super::complementarity::Infeasible;
use super::group::{Contact, Group, Loss, Member, NONE, Other, Part, root};
use super::role::{Precision, Role};
use crate::mass_class::MassClass;
use carom_math::eft::DoubleDouble as Dd;
use core::ops::Range;
use glam::DVec2;
use smallvec::SmallVec;

/// Velocities in the group count as equal when they differ by less than this fraction of the largest: above
/// the rounding of double-double, far below that of `f64`.
pub(super) const RESIDUAL: f64 = 1.0 / (1u128 << 90) as f64;

/// A contact presses if after a pass with e = 0 it opens by less than this fraction of the largest speed.
const PRESSING: f64 = 1.0 / (1u64 << 44) as f64;

/// How often contacts take part in passes, in all, before a part is solved with e = 0 instead. A row of N
/// takes about N passes of one contact; a patch of N inelastic discs passes its approach on from side to
/// side, a few per cent less of it in each pass of most of its contacts.
fn work_limit(contacts: usize) -> usize {
    256 + 8 * contacts
}

/// The unit that velocities are rounded to: far below an ulp of the largest, and above the rounding of
/// double-double, which ratios of masses of 10¹² bring up to 2⁻⁷⁸ of it.
pub(super) fn rounding_unit(speed: f64) -> f64 {
    let exponent = speed.to_bits() >> 52;
    f64::from_bits(exponent.saturating_sub(72) << 52).max(f64::MIN_POSITIVE)
}

impl Group {
    /// Finds the velocities after the impact. Infinite masses first, which only walls deflect; then the
    /// finite ones; then the tracers, which deflect nothing.
    ///
    /// In passes, each of the contacts that approach, until none does (generalised reflections: Smith,
    /// Kaufman, Vouga, Tamstorf and Grinspun, ACM TOG 31 (2012) 106); after 256 + 8 times its contacts a part
    /// is solved once with e = 0. Bodies that close in on what has no room give way: they are `yielded`
    /// then, or pass over tracers, `passed`.
    ///
    /// # Errors
    /// [`Infeasible`] where surfaces that grow or turn have no room.
    pub fn resolve(&mut self) -> Result<(), Infeasible> {
        for class in self.classes() {
            self.resolve_class(class)?;
        }
        self.count_pushes();
        Ok(())
    }

    fn resolve_class(&mut self, class: MassClass) -> Result<(), Infeasible> {
        self.find_parts(class);
        let mut parts = core::mem::take(&mut self.parts);
        let mut failed = SmallVec::<[usize; 4]>::new();
        for (k, part) in parts.iter_mut().enumerate() {
            match self.resolve_part(part, class) {
                Ok(loss) => part.loss = loss,
                Err(Infeasible) => failed.push(k),
            }
        }
        let result = self.crush(&mut parts, &failed, class);
        for Part { loss, .. } in &parts {
            self.book.restitution.add(loss.restitution);
            if self.is_crushed { &mut self.book.crush } else { &mut self.book.collapse }.add(loss.plastic);
        }
        self.parts = parts;
        result
    }

    /// The classes that its contacts are resolved with, in the order of these.
    pub(super) fn classes(&self) -> impl Iterator<Item = MassClass> + use<> {
        let mut is_any = [false; MassClass::ALL.len()];
        self.contacts.iter().for_each(|contact| is_any[self.class_of(contact) as usize] = true);
        MassClass::ALL.into_iter().filter(move |&class| is_any[class as usize])
    }

    /// Finds the parts of a class, and their contacts.
    pub(super) fn find_parts(&mut self, class: MassClass) {
        let mut order = core::mem::take(&mut self.order);
        order.clear();
        order.extend((0..self.contacts.len() as u32).filter(|&c| {
            let contact = &self.contacts[c as usize];
            let takes_part = !contact.pressing.is_near || self.with_near;
            !contact.is_twin && takes_part && self.class_of(contact) == class
        }));
        self.sort_by_parts(&mut order, class);
        self.parts.clear();
        let mut start = 0;
        while let Some(&first) = order.get(start) {
            let root = self.root_of_contact(first, class);
            let size = order[start..].partition_point(|&c| self.root_of_contact(c, class) == root);
            let (start_of, end) = (start as u32, (start + size) as u32);
            self.parts.push(Part { start: start_of, end, loss: Loss::default() });
            start += size;
        }
        self.order = order;
    }

    /// The class that a contact is resolved with: that of its most easily moved body.
    pub fn class_of(&self, contact: &Contact) -> MassClass {
        let of_a = self.members[contact.a].class;
        let Other::Member(b) = contact.with else { return of_a };
        let of_b = self.members[b].class;
        match (of_a, of_b) {
            (MassClass::Tracer, _) | (_, MassClass::Tracer) => MassClass::Tracer,
            (MassClass::Finite, _) | (_, MassClass::Finite) => MassClass::Finite,
            (MassClass::Infinite, MassClass::Infinite) => MassClass::Infinite,
        }
    }

    /// Sorts contacts by the parts that they form by themselves.
    fn sort_by_parts(&mut self, contacts: &mut [u32], class: MassClass) {
        self.links.resize(self.members.len(), 0);
        for &c in &*contacts {
            for m in self.contacts[c as usize].ends().into_iter().flatten() {
                self.links[m] = m as u32;
            }
        }
        for &c in &*contacts {
            if let [Some(a), Some(b)] = self.contacts[c as usize].ends()
                && self.members[a].class == class
                && self.members[b].class == class
            {
                let (root_a, root_b) = (root(&mut self.links, a as u32), root(&mut self.links, b as u32));
                self.links[root_a.max(root_b) as usize] = root_a.min(root_b);
            }
        }
        let mut roots = contacts.iter().map(|&c| self.root_of_contact(c, class));
        let first = roots.next();
        if roots.all(|root| Some(root) == first) {
            // Mostly there is one.
            return contacts.sort_unstable();
        }
        contacts.sort_unstable_by_key(|&c| (self.root_of_contact(c, class), c));
    }

    /// The root of the member that a contact can move.
    fn root_of_contact(&self, contact: u32, class: MassClass) -> u32 {
        let ends = self.contacts[contact as usize].ends();
        let mut root =
            ends.into_iter().flatten().find(|&m| self.members[m].class == class).unwrap_or(0) as u32;
        while self.links[root as usize] != root {
            root = self.links[root as usize];
        }
        root
    }

    /// Passes until nothing approaches. Returns what the part loses.
    fn resolve_part(&mut self, part: &Part, class: MassClass) -> Result<Loss, Infeasible> {
        let contacts = part.contacts();
        let mut plastic = 0.0;
        let mut speed = self.speed_of(&contacts);
        let mut work = 0;
        let mut approaching = self.select_approaching(&contacts, RESIDUAL * speed);
        if !approaching {
            return Ok(Loss::default());
        }
        let before = self.energy_less_work(&contacts, class);
        self.note_contacts_of_members(&contacts, class);
        while approaching {
            work += self.pass.len();
            let is_last = work > work_limit(contacts.len());
            let result = if is_last {
                self.join(&contacts, class, speed).map(|work| plastic += work)
            } else {
                self.make_pass(class, speed).map(|work| plastic += work)
            };
            if result.is_err() {
                self.restore_velocities(&contacts, class);
                self.move_as_one(&contacts, class, speed)?;
                plastic = before - self.energy_less_work(&contacts, class);
                break;
            }
            if is_last {
                break;
            }
            approaching = self.select_again(class, &mut speed);
        }
        self.round_velocities(&contacts, class, speed);
        // Measured: where contacts depend on each other, impulses are too uncertain to say it to the last
        // digit.
        let total = before - self.energy_less_work(&contacts, class);
        Ok(Loss { restitution: total - plastic, plastic })
    }

    /// Notes which contacts each member of a part has.
    fn note_contacts_of_members(&mut self, contacts: &Range<usize>, class: MassClass) {
        let part = &self.order[contacts.clone()];
        let moving = |c: u32| {
            let ends = self.contacts[c as usize].ends().into_iter().flatten();
            ends.filter(|&m| self.members[m].class == class)
        };
        // Counts, then their sums: the starts, which become the ends as the contacts are filled in.
        self.ends_of.clear();
        self.ends_of.resize(self.members.len() + 1, 0);
        for &c in part {
            moving(c).for_each(|m| self.ends_of[m + 1] += 1);
        }
        for m in 0..self.members.len() {
            self.ends_of[m + 1] += self.ends_of[m];
        }
        self.contacts_of.clear();
        self.contacts_of.resize(self.ends_of[self.members.len()] as usize, 0);
        for &c in part {
            for m in moving(c) {
                self.contacts_of[self.ends_of[m] as usize] = c;
                self.ends_of[m] += 1;
            }
        }
        self.is_candidate.resize(self.contacts.len().max(self.is_candidate.len()), false);
    }

    /// Selects the contacts for the next pass, from those of the bodies of the last one: others do what they
    /// did. `speed` rises to the speeds of these bodies.
    fn select_again(&mut self, class: MassClass, speed: &mut f64) -> bool {
        let mut pass = core::mem::take(&mut self.pass);
        self.candidates.clear();
        for m in pass.iter().flat_map(|&c| self.contacts[c as usize].ends()).flatten() {
            if self.members[m].class != class {
                continue;
            }
            let [x, y] = self.members[m].velocity.map(|v| v.to_f64().abs());
            *speed = speed.max(x).max(y);
            let start = if m == 0 { 0 } else { self.ends_of[m - 1] as usize };
            for &c in &self.contacts_of[start..self.ends_of[m] as usize] {
                if !core::mem::replace(&mut self.is_candidate[c as usize], true) {
                    self.candidates.push(c);
                }
            }
        }
        pass.clear();
        let tolerance = RESIDUAL * *speed;
        for &c in &self.candidates {
            self.is_candidate[c as usize] = false;
            if self.approaches(c, tolerance) {
                pass.push(c);
            }
        }
        if !pass.is_empty() {
            pass.extend(self.candidates.iter().filter(|&&c| self.is_pressed(c, tolerance)));
        }
        self.pass = pass;
        !self.pass.is_empty()
    }

    /// The largest component of a velocity, or speed of growth, in these contacts.
    pub(super) fn speed_of(&self, contacts: &Range<usize>) -> f64 {
        self.order[contacts.clone()].iter().fold(0.0, |speed: f64, &c| {
            let contact = &self.contacts[c as usize];
            contact.ends().into_iter().flatten().fold(speed.max(contact.growth_speed.abs()), |speed, m| {
                let [x, y] = self.members[m].velocity.map(|v| v.to_f64().abs());
                speed.max(x).max(y)
            })
        })
    }

    /// Selects the contacts for a pass; false if there are none.
    pub(super) fn select_approaching(&mut self, contacts: &Range<usize>, tolerance: f64) -> bool {
        let mut pass = core::mem::take(&mut self.pass);
        pass.clear();
        pass.extend(self.order[contacts.clone()].iter().filter(|&&c| self.approaches(c, tolerance)));
        if !pass.is_empty() {
            // What is pressed stays pressed.
            pass.extend(self.order[contacts.clone()].iter().filter(|&&c| self.is_pressed(c, tolerance)));
        }
        self.pass = pass;
        !self.pass.is_empty()
    }

    /// One pass over the contacts that approach, each part of them by itself. Returns the energy that it
    /// takes beyond restitution.
    pub(super) fn make_pass(&mut self, class: MassClass, speed: f64) -> Result<f64, Infeasible> {
        let mut pass = core::mem::take(&mut self.pass);
        self.sort_by_parts(&mut pass, class);
        let (mut result, mut plastic) = (Ok(()), 0.0);
        let mut rest = &pass[..];
        while let (Ok(()), Some(&first)) = (result, rest.first()) {
            let root = self.root_of_contact(first, class);
            let size = rest.partition_point(|&c| self.root_of_contact(c, class) == root);
            let (part, others) = rest.split_at(size);
            result = self.solve_contacts(part, class, speed);
            if result.is_ok() {
                let mut restitution = self.least_restitution(part, speed);
                if self.is_cluster {
                    plastic += restitution * restitution * self.work_of(part, class);
                    restitution = 0.0;
                }
                self.apply_impulses(part, Dd::from(1.0) + Dd::from(restitution));
            }
            rest = others;
        }
        self.pass = pass;
        result.map(|()| plastic)
    }

    /// Solves all contacts of a part once with e = 0, which ends it. Returns the energy that this takes.
    pub(super) fn join(
        &mut self,
        contacts: &Range<usize>,
        class: MassClass,
        speed: f64,
    ) -> Result<f64, Infeasible> {
        self.with_part(contacts, |group, part| {
            group.solve_contacts(part, class, speed)?;
            let taken = group.work_of(part, class);
            group.apply_impulses(part, Dd::from(1.0));
            Ok(taken)
        })
    }

    /// Calls `solve` with the contacts of a part.
    pub(super) fn with_part<R>(
        &mut self,
        contacts: &Range<usize>,
        solve: impl FnOnce(&mut Self, &[u32]) -> R,
    ) -> R {
        let order = core::mem::take(&mut self.order);
        let result = solve(self, &order[contacts.clone()]);
        self.order = order;
        result
    }

    /// Sets up and solves the problem of these contacts.
    pub(super) fn solve_contacts(
        &mut self,
        part: &[u32],
        class: MassClass,
        speed: f64,
    ) -> Result<(), Infeasible> {
        // What is pressed depends on what is around it: see `rough.rs`.
        let is_held = |&c: &u32| self.contacts[c as usize].pressing.was_held;
        let precision = if part.iter().any(is_held) { Precision::Rounded } else { Precision::Full };
        self.solve_rows(part, class, (speed, precision), |group, c| {
            let contact = &group.contacts[c as usize];
            (contact.normal, group.closing_speed(contact), Role::OneSided)
        })
    }

    /// As `solve_contacts`, to a precision, where `row` gives normal, speed of closing, and role.
    pub(super) fn solve_rows(
        &mut self,
        part: &[u32],
        class: MassClass,
        (speed, precision): (f64, Precision),
        row: impl Fn(&Group, u32) -> (DVec2, Dd, Role),
    ) -> Result<(), Infeasible> {
        let crushable = self.gather_rows(part, class, |member| member.mass, row);
        self.problem.precision = precision;
        self.problem.solve(speed, crushable)
    }

    /// Sets up the problem of `solve_rows`. Whether what closes in may have no room for it.
    pub(super) fn gather_rows(
        &mut self,
        part: &[u32],
        class: MassClass,
        mass: impl Fn(&Member) -> f64,
        row: impl Fn(&Group, u32) -> (DVec2, Dd, Role),
    ) -> bool {
        self.problem.reset();
        self.bodies.clear();
        self.body_of.resize(self.members.len(), NONE);
        let mut crushable = false;
        for &c in part {
            let contact = &self.contacts[c as usize];
            crushable |= contact.growth_speed != 0.0;
            let mut ends = [None; 2];
            for (end, m) in ends.iter_mut().zip(contact.ends()) {
                let Some(m) = m else { continue };
                let member = &self.members[m];
                if member.class != class {
                    crushable |= member.velocity != [Dd::ZERO; 2];
                    continue;
                }
                if self.body_of[m] == NONE {
                    // Where only tracers or infinite masses move, their mass cancels.
                    let mass = if class == MassClass::Finite { mass(member) } else { 1.0 };
                    self.body_of[m] = self.problem.add_body(mass);
                    self.bodies.push(m as u32);
                }
                *end = Some(self.body_of[m]);
            }
            let (normal, closing, role) = row(self, c);
            self.problem.add_row(ends, normal, closing, role);
        }
        for &m in &self.bodies {
            self.body_of[m as usize] = NONE;
        }
        crushable
    }

    /// The smallest restitution among the contacts that press: those that neither approach nor part once
    /// they are solved.
    fn least_restitution(&self, part: &[u32], speed: f64) -> f64 {
        let presses = |r: usize| self.problem.opening_after(r).to_f64() <= PRESSING * speed;
        (0..).zip(part).fold(1.0, |least, (r, &c)| {
            let restitution = self.contacts[c as usize].restitution;
            if restitution < least && presses(r) { restitution } else { least }
        })
    }

    /// `½ λᵀ A λ` of the solution: what the impulses at zero restitution take, and restitution e gives back
    /// e² of.
    fn work_of(&self, part: &[u32], class: MassClass) -> f64 {
        if class != MassClass::Finite {
            return 0.0;
        }
        // λᵀ A λ = −λᵀ q for complementary impulses, and −q is the speed of closing.
        let impulses = part.iter().zip(&self.problem.impulses);
        let work =
            |(&c, &impulse): (&u32, &Dd)| (impulse * self.closing_speed(&self.contacts[c as usize])).to_f64();
        (0.5 * impulses.map(work).sum::<f64>()).max(0.0)
    }

    /// Applies the solution, multiplied.
    pub(super) fn apply_impulses(&mut self, part: &[u32], factor: Dd) {
        for (&m, &change) in self.bodies.iter().zip(&self.problem.changes) {
            let velocity = &mut self.members[m as usize].velocity;
            *velocity = [velocity[0] + change[0] * factor, velocity[1] + change[1] * factor];
        }
        for (&c, &impulse) in part.iter().zip(&self.problem.impulses) {
            if impulse > Dd::ZERO {
                self.contacts[c as usize].impulse += (impulse * factor).to_f64();
            }
        }
    }

    /// Undoes what was done to a part.
    pub(super) fn restore_velocities(&mut self, contacts: &Range<usize>, class: MassClass) {
        for i in contacts.clone() {
            self.contacts[self.order[i] as usize].impulse = 0.0;
        }
        self.for_each_moved(contacts, class, |group, m| {
            let member = &mut group.members[m];
            member.velocity = [member.motion.velocity.x.into(), member.motion.velocity.y.into()];
        });
    }

    /// Rounds the velocities of a part to multiples of a unit far below an ulp of the largest, and above
    /// the rounding of double-double; then to `f64`. What is a rounding apart before is the same after.
    pub(super) fn round_velocities(&mut self, contacts: &Range<usize>, class: MassClass, speed: f64) {
        let unit = rounding_unit(speed);
        self.with_part(contacts, |group, part| group.gather_bodies(part, class));
        for &m in &self.bodies {
            let member = &mut self.members[m as usize];
            member.velocity = member.velocity.map(|v| v.round_to(unit).into());
        }
    }
}

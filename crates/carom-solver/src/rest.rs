//! How contacts come to rest: which of those that touch press on each other from an impact on, and with what
//! forces.
//!
//! A contact has a *rest speed*: that of a fall from its rest height with the accelerations around. What
//! opens or closes more slowly is a candidate. The forces of the candidates, `λ ≥ 0` with `D″ ≥ 0` and `λ D″
//! = 0` (Gauss' principle of least constraint), tell which of them press; one projection sets the speeds of
//! these to 0, the others being inequalities. Then the forces of all that neither open nor close make the
//! accelerations. See `docs/derivations/resting.md`.

use super::complementarity::Infeasible;
use super::group::{Group, Member, Other, root};
use super::passes::rounding_unit;
use super::pressing::Pressing;
use super::role::{Precision, Role};
use super::wedged::FreeAt;
use crate::mass_class::MassClass;
use carom_math::eft::DoubleDouble as Dd;
use carom_math::sqrt;
use core::ops::Range;
use glam::DVec2;
use smallvec::SmallVec;

/// What cancels to less than this fraction of the largest term is 0.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Speeds are 0 below this fraction of the largest, or of that of a fall by a radius.
const STILL: f64 = 1e-12;

/// After the projection a contact neither opens nor closes if it does so by less than this fraction: where
/// contacts depend on each other it leaves up to 10⁻⁸.
const CLOSED: f64 = 1e-8;

/// Accelerations are 0 below this fraction of the largest.
pub(super) const UNMOVED: f64 = 1e-11;

/// The share of energy that rounding may add in a projection.
const ADDED: f64 = 1e-12;

/// A force is one if it is more than this fraction of the largest.
const FORCE: f64 = 1e-10;

/// For each member of a group the first of its cluster.
pub(super) type Clusters = SmallVec<[u32; 32]>;

impl Member {
    /// The speed of a fall by a radius with the acceleration that it has without contacts, or with the
    /// largest that the ground's friction can give it: of a disc at rest that the ground holds the first is
    /// 0.
    pub(super) fn fall_speed(&self) -> f64 {
        sqrt(self.free.length().max(self.grip) * self.motion.radius)
    }
}

impl Group {
    /// Lets what is slow enough come to rest, and finds the forces of all that press, from the free
    /// accelerations of the members: the least constraint (Gauss). What is held has a piece of motion then:
    /// an acceleration that is constant while it lasts, over which no gap exceeds 10⁻¹⁰ of the distance at
    /// contact.
    ///
    /// `free_at` gives how a member moves without contacts at another velocity than its own; it is asked
    /// where the ground holds it. What has no answer is left without held contacts.
    pub fn come_to_rest(&mut self, free_at: FreeAt) {
        self.note_rest_speeds();
        self.with_near = true;
        let taken = self.classes().map(|class| self.rest_class(class, free_at)).sum();
        self.with_near = false;
        self.book.rest.add(taken);
        self.plan_pieces();
        self.settle_twins();
    }

    /// Lets a part come to rest. Returns the energy that it takes; an error where velocities or
    /// accelerations have no answer.
    pub(super) fn rest_part(
        &mut self,
        contacts: &Range<usize>,
        class: MassClass,
        free_at: FreeAt,
    ) -> Result<f64, Infeasible> {
        let before = self.energy_less_work(contacts, class);
        let speed = self.speed_of(contacts);
        self.find_candidates(contacts);
        self.find_pressing(contacts, class)?;
        self.stop_pressing(contacts, class, (speed, before))?;
        self.stop_still(contacts, class, speed);
        let taken = before - self.energy_less_work(contacts, class);
        self.renew_free(contacts, class, free_at);
        self.find_forces(contacts, class, speed)?;
        Ok(taken)
    }

    /// The accelerations without contacts with the velocities that came out, where friction depends on these.
    pub(super) fn renew_free(&mut self, contacts: &Range<usize>, class: MassClass, free_at: FreeAt) {
        self.for_each_moved(contacts, class, |group, m| {
            if group.members[m].grip > 0.0 {
                group.set_free(m, free_at(m, group.velocity(m)));
            }
        });
    }

    /// Sets the speeds of opening to 0 of the contacts that were held: where they cannot be, they are left as
    /// the motion up to now left them.
    pub(super) fn keep_all_held(&mut self) {
        self.with_near = true;
        self.fix_stopped(true);
        for class in self.classes() {
            self.find_parts(class);
            let parts = core::mem::take(&mut self.parts);
            for part in &parts {
                _ = self.keep_part_held(&part.contacts(), class);
            }
            self.parts = parts;
        }
        self.fix_stopped(false);
        self.with_near = false;
    }

    fn keep_part_held(&mut self, contacts: &Range<usize>, class: MassClass) -> Result<(), Infeasible> {
        let speed = self.speed_of(contacts);
        let held = self.picked(contacts, |pressing| pressing.was_held);
        if held.iter().any(|&c| !(self.opening(c).to_f64().abs() <= ROUNDING * speed)) {
            self.solve_rows(&held, class, (speed, Precision::Rounded), |group, c| {
                (group.contacts[c as usize].normal, -group.opening(c), Role::TwoSided)
            })?;
            self.apply_changes();
        }
        self.round_velocities(contacts, class, speed);
        Ok(())
    }

    /// The contacts of a part that are taken.
    pub(super) fn picked(
        &self,
        contacts: &Range<usize>,
        takes: impl Fn(&Pressing) -> bool,
    ) -> SmallVec<[u32; 32]> {
        let is_taken = |&c: &u32| takes(&self.contacts[c as usize].pressing);
        self.order[contacts.clone()].iter().copied().filter(is_taken).collect()
    }

    /// Does something with each member that the contacts of a part can move, once for every contact. There is
    /// no list of them: parts are as large as the group, and groups allocate nothing.
    pub(super) fn for_each_moved(
        &mut self,
        contacts: &Range<usize>,
        class: MassClass,
        mut act: impl FnMut(&mut Self, usize),
    ) {
        for i in contacts.clone() {
            for m in self.contacts[self.order[i] as usize].ends().into_iter().flatten() {
                if self.members[m].class == class {
                    act(self, m);
                }
            }
        }
    }

    /// Applies the velocities of the solution, and no impulses.
    fn apply_changes(&mut self) {
        for (&m, &change) in self.bodies.iter().zip(&self.problem.changes) {
            let velocity = &mut self.members[m as usize].velocity;
            *velocity = [velocity[0] + change[0], velocity[1] + change[1]];
        }
    }

    /// The speed at which a contact opens.
    pub(super) fn opening(&self, c: u32) -> Dd {
        -self.closing_speed(&self.contacts[c as usize])
    }

    /// The speed at which a contact opens with the velocities as they are; less than 0 if it closes.
    pub fn opening_speed(&self, contact: &super::group::Contact) -> f64 {
        -self.closing_speed(contact).to_f64()
    }

    /// The velocity and acceleration of the second body of a contact relative to the first.
    pub(crate) fn relative(&self, c: u32) -> [DVec2; 2] {
        let contact = &self.contacts[c as usize];
        let of = |m: usize| [self.velocity(m), self.members[m].acceleration];
        let [v, a] = of(contact.a);
        match contact.with {
            Other::Member(b) => {
                let [v_b, a_b] = of(b);
                [v_b - v, a_b - a]
            }
            Other::Facet(..) => [contact.surface - v, -a],
        }
    }

    /// For each member one of its cluster, the same for all: of those that hang together through contacts
    /// that are taken.
    pub(super) fn clusters(&self, takes: impl Fn(&Pressing) -> bool) -> Clusters {
        self.clusters_through(takes, |m| self.members[m].class != MassClass::Infinite)
    }

    /// As `clusters`, where `joins` says of a member whether what it touches hangs together.
    pub(super) fn clusters_through(
        &self,
        takes: impl Fn(&Pressing) -> bool,
        joins: impl Fn(usize) -> bool,
    ) -> Clusters {
        let mut links: Clusters = (0..self.members.len() as u32).collect();
        for contact in self.contacts.iter().filter(|contact| takes(&contact.pressing)) {
            let [Some(a), Some(b)] = contact.ends() else { continue };
            if joins(a) && joins(b) {
                let (a, b) = (root(&mut links, a as u32), root(&mut links, b as u32));
                links[a.max(b) as usize] = a.min(b);
            }
        }
        for m in 0..links.len() as u32 {
            links[m as usize] = root(&mut links, m);
        }
        links
    }

    /// Sets the rest speeds of all contacts, from the free accelerations of the members.
    ///
    /// What presses on a body that is held falls with the rest of its cluster: there the largest of the
    /// accelerations counts. The rest height counts where a body of the contact has another one that is
    /// slow. A disc alone on a floor bounces until it touches.
    pub fn note_rest_speeds(&mut self) {
        let mut speed = 0.0_f64;
        for member in &self.members {
            let [x, y] = member.velocity.map(|v| v.to_f64().abs());
            speed = speed.max(x).max(y);
        }
        let least = ROUNDING * speed;
        let falls = self.falls();
        let mut quiet: SmallVec<[u32; 32]> = SmallVec::from_elem(0, self.members.len());
        let mut pulls: SmallVec<[(f64, bool); 64]> = SmallVec::new();
        for c in 0..self.contacts.len() as u32 {
            let contact = &self.contacts[c as usize];
            let [velocity, _] = self.relative(c);
            let (along, across) = (velocity.dot(contact.normal), velocity.perp_dot(contact.normal));
            let ends = || contact.ends().into_iter().flatten();
            let pull =
                ends().map(|m| falls[m]).sum::<f64>() + across * across * contact.pressing.curvature.abs();
            let Pressing { touch, height, was_held, is_driven, .. } = contact.pressing;
            let is_quiet =
                was_held || !is_driven && along.abs() <= sqrt(2.0 * (touch + height) * pull).max(least);
            ends().for_each(|m| quiet[m] += u32::from(is_quiet));
            pulls.push((pull, is_quiet));
        }
        for (c, &(pull, is_quiet)) in pulls.iter().enumerate() {
            let contact = &self.contacts[c];
            let Pressing { touch, height, is_near, .. } = contact.pressing;
            let others = |m: usize| quiet[m] > u32::from(is_quiet);
            let has_slow_neighbour = contact.ends().into_iter().flatten().any(others);
            let height = match (has_slow_neighbour, is_near) {
                (true, _) => touch + height,
                (false, false) => touch,
                (false, true) => 0.0,
            };
            let pressing = &mut self.contacts[c].pressing;
            // Nothing is as slow as that.
            pressing.slow = if pressing.is_driven { -1.0 } else { sqrt(2.0 * height * pull).max(least) };
        }
    }

    /// For each member the size of the largest free acceleration in the cluster in which it was held.
    fn falls(&self) -> SmallVec<[f64; 32]> {
        let roots = self.clusters(|pressing| pressing.was_held);
        let mut largest: SmallVec<[f64; 32]> = SmallVec::from_elem(0.0, self.members.len());
        for (member, &root) in self.members.iter().zip(&roots) {
            largest[root as usize] = largest[root as usize].max(member.free.length());
        }
        roots.iter().map(|&root| largest[root as usize]).collect()
    }

    fn find_candidates(&mut self, contacts: &Range<usize>) {
        for i in contacts.clone() {
            let c = self.order[i];
            let opening = self.opening(c).to_f64();
            let pressing = &mut self.contacts[c as usize].pressing;
            pressing.is_candidate = opening.abs() <= pressing.slow;
            (pressing.presses, pressing.is_active, pressing.is_held) = (false, false, false);
            (pressing.force, pressing.is_settled, pressing.is_passed) = (0.0, false, false);
        }
    }

    /// Finds which candidates press: those that get a force if none of them moved.
    fn find_pressing(&mut self, contacts: &Range<usize>, class: MassClass) -> Result<(), Infeasible> {
        let moves =
            |c: &u32| self.contacts[*c as usize].pressing.is_candidate && self.opening(*c) != Dd::ZERO;
        if !self.order[contacts.clone()].iter().any(moves) {
            return Ok(());
        }
        let mut candidates = self.picked(contacts, |pressing| pressing.is_candidate);
        self.solve_near_forces(&mut candidates, class)?;
        let largest = self.largest_force(&candidates);
        for &c in &candidates {
            let presses =
                self.contacts[c as usize].pressing.force > FORCE * largest && !self.would_draw(c, CLOSED);
            self.contacts[c as usize].pressing.presses = presses;
        }
        Ok(())
    }

    /// Projects onto the velocities at which what presses neither opens nor closes, and nothing that touches
    /// closes: passes leave what was slow beside the velocities before them, and need not be beside those
    /// after. `before` is the energy.
    fn stop_pressing(
        &mut self,
        contacts: &Range<usize>,
        class: MassClass,
        (speed, before): (f64, f64),
    ) -> Result<(), Infeasible> {
        let rows = self.picked(contacts, |pressing| pressing.is_candidate || !pressing.is_near);
        let moves = |&c: &u32| {
            let opening = self.opening(c).to_f64();
            opening < -ROUNDING * speed || (self.contacts[c as usize].pressing.presses && opening != 0.0)
        };
        if !rows.iter().any(moves) {
            return Ok(());
        }
        self.saved.clear();
        self.saved.extend(self.members.iter().map(|member| member.velocity));
        // What presses beside contacts with the same two bodies cannot always stop opening: then it opens.
        let attempts = [
            (Precision::Rounded, Role::TwoSided),
            (Precision::Full, Role::TwoSided),
            (Precision::Rounded, Role::OneSided),
        ];
        let mut result = Ok(());
        for (precision, of_pressing) in attempts {
            if result.is_err() && precision == Precision::Full {
                continue;
            }
            result = self.solve_rows(&rows, class, (speed, precision), |group, c| {
                let contact = &group.contacts[c as usize];
                let role = if contact.pressing.presses { of_pressing } else { Role::OneSided };
                (contact.normal, -group.opening(c), role)
            });
            if result.is_err() {
                continue;
            }
            self.apply_changes();
            self.note_rest_impulses(&rows, 1.0);
            // A projection onto a cone takes energy: a solution that adds some is none.
            if self.energy_less_work(contacts, class) <= before * (1.0 + ADDED) {
                break;
            }
            for (member, velocity) in self.members.iter_mut().zip(&self.saved) {
                member.velocity = *velocity;
            }
            self.note_rest_impulses(&rows, -1.0);
        }
        result?;
        self.round_velocities(contacts, class, speed);
        Ok(())
    }

    /// Adds the impulses of the solution to those that bring contacts to rest, or takes them away.
    fn note_rest_impulses(&mut self, rows: &[u32], sign: f64) {
        for (&c, impulse) in rows.iter().zip(&self.problem.impulses) {
            self.contacts[c as usize].rest_impulse += sign * impulse.to_f64();
        }
    }

    /// What is all but still is still.
    fn stop_still(&mut self, contacts: &Range<usize>, class: MassClass, speed: f64) {
        let unit = rounding_unit(speed);
        self.for_each_moved(contacts, class, |group, m| {
            let member = &mut group.members[m];
            let least = STILL * speed.max(member.fall_speed());
            let is_still = member.velocity.iter().all(|v| v.to_f64().abs() <= least);
            let rounded = member.velocity.map(|v| v.round_to(unit).into());
            member.velocity = if is_still { [Dd::ZERO; 2] } else { rounded };
        });
    }

    /// The forces of the contacts that neither open nor close, and the accelerations with them.
    fn find_forces(
        &mut self,
        contacts: &Range<usize>,
        class: MassClass,
        speed: f64,
    ) -> Result<(), Infeasible> {
        for i in contacts.clone() {
            let c = self.order[i];
            let opening = self.opening(c).to_f64();
            let ends = self.contacts[c as usize].ends();
            let mut fall = speed;
            for m in ends.into_iter().flatten() {
                let member = &mut self.members[m];
                if member.class == class {
                    member.acceleration = member.free;
                }
                fall = fall.max(member.fall_speed());
            }
            let pressing = &mut self.contacts[c as usize].pressing;
            pressing.is_active = !pressing.is_passed && opening.abs() <= (CLOSED * fall).min(pressing.slow);
            pressing.is_settled =
                !pressing.is_passed && (pressing.is_active || !pressing.is_near || opening >= 0.0);
            (pressing.is_held, pressing.force) = (false, 0.0);
        }
        let mut active = self.picked(contacts, |pressing| pressing.is_active);
        let largest = self.solve_near_forces(&mut active, class)?;
        self.take_forces(&active, largest);
        Ok(())
    }

    /// Solves for the forces of contacts at the instant. Returns the largest acceleration that goes into it.
    pub(super) fn solve_forces(&mut self, contacts: &[u32], class: MassClass) -> Result<f64, Infeasible> {
        let largest = self.largest_pull(contacts);
        self.solve_forces_of(contacts, class, (largest, 0.0), |group, c| {
            let contact = &group.contacts[c as usize];
            let [velocity, _] = group.relative(c);
            let across = velocity.perp_dot(contact.normal);
            let free = group.relative_free(c).dot(contact.normal);
            let opening = free + across * across * contact.pressing.curvature;
            (contact.normal, Dd::from(-opening), contact.pressing.guess)
        })?;
        self.note_forces(contacts);
        Ok(largest)
    }

    /// Takes forces from the problem: the search of the next one begins with those that push.
    fn note_forces(&mut self, contacts: &[u32]) {
        for (r, &c) in contacts.iter().enumerate() {
            let pressing = &mut self.contacts[c as usize].pressing;
            pressing.force = self.problem.push_of(r);
            pressing.guess = if pressing.force > 0.0 { Role::Pushing } else { Role::Idle };
        }
    }

    /// The largest acceleration that forces at some contacts may have to cancel.
    pub(super) fn largest_pull(&self, contacts: &[u32]) -> f64 {
        let mut largest = 0.0_f64;
        for &c in contacts {
            let [velocity, _] = self.relative(c);
            let contact = &self.contacts[c as usize];
            let across = velocity.perp_dot(contact.normal);
            largest = largest.max(across * across * contact.pressing.curvature.abs());
            for m in contact.ends().into_iter().flatten() {
                let Member { free, acceleration, .. } = self.members[m];
                largest = largest.max(free.abs().max(acceleration.abs()).max_element());
            }
        }
        largest
    }

    /// The acceleration of the second body of a contact relative to the first, without the forces of contacts
    /// of its class: what these do not move has the acceleration that others give it.
    pub(super) fn relative_free(&self, c: u32) -> DVec2 {
        let contact = &self.contacts[c as usize];
        let class = self.class_of(contact);
        let of = |m: usize| {
            let member = &self.members[m];
            if member.class == class { member.free } else { member.acceleration }
        };
        match contact.with {
            Other::Member(b) => of(b) - of(contact.a),
            Other::Facet(..) => -of(contact.a),
        }
    }

    /// The largest force, as the acceleration that it makes.
    fn largest_force(&self, contacts: &[u32]) -> f64 {
        contacts.iter().map(|&c| self.contacts[c as usize].pressing.force).fold(0.0, f64::max)
    }

    /// Takes accelerations from the problem, and which contacts are held; `largest` is the largest
    /// acceleration that cancelled.
    pub(super) fn take_forces(&mut self, active: &[u32], largest: f64) {
        let bodies = core::mem::take(&mut self.bodies);
        let mut scale = largest;
        for change in &self.problem.changes {
            scale = scale.max(change[0].to_f64().abs()).max(change[1].to_f64().abs());
        }
        for (&m, &[x, y]) in bodies.iter().zip(&self.problem.changes) {
            let member = &mut self.members[m as usize];
            let sum = [x + Dd::from(member.free.x), y + Dd::from(member.free.y)].map(Dd::to_f64);
            // What cancelled is none.
            let is_none = |a: f64| a.abs() <= UNMOVED * scale && !member.stops;
            member.acceleration = DVec2::from(sum.map(|a| if is_none(a) { 0.0 } else { a }));
        }
        self.bodies = bodies;
        self.note_forces(active);
        let most = self.largest_force(active);
        for &c in active {
            let pressing = &mut self.contacts[c as usize].pressing;
            pressing.is_held = pressing.force > FORCE * most;
        }
    }
}

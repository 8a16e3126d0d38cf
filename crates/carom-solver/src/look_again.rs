//! What follows the passes of a group, once an instant: kicks, and the look after the physics.
//!
//! A restitution above 1 acts as 1 in the passes; what is beyond it is a kick, an impulse of its own at
//! each contact. Then the physics adds what it does, contact by contact. Both may make contacts approach,
//! which have met and do not meet again: so all contacts are looked at once more, and where one approaches
//! its part is solved with e = 0, normal impulses only. None approaches after it.

use super::complementarity::Infeasible;
use super::group::{Contact, Driven, Group, Other};
use crate::mass_class::MassClass;
use carom_math::eft::DoubleDouble as Dd;
use glam::DVec2;

/// A contact approaches after the physics if it does so by more than this fraction of the speeds: 4 ulp,
/// what is left by the rounding of velocities.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

impl Group {
    /// Adds the kicks of the contacts that pushed with a restitution above 1, (e − 1) times the speed of
    /// approach before the impact, or by a verdict, as an impulse.
    pub fn kick(&mut self) {
        let is_kick = |contact: &Contact| {
            contact.impulse > 0.0 && (contact.restitution > 1.0 || contact.added_kick > 0.0)
        };
        if !self.contacts.iter().any(is_kick) {
            return;
        }
        for c in 0..self.contacts.len() {
            let contact = self.contacts[c];
            let approach = self.approach_before(&contact);
            let by_restitution = (contact.restitution - 1.0).max(0.0) * approach.max(0.0);
            self.contacts[c].kick = if is_kick(&contact) { by_restitution + contact.added_kick } else { 0.0 };
        }
        // The infinite masses first, so that they do their work at the velocities that they have afterwards.
        self.kick_contacts(|class| class == MassClass::Infinite);
        // The energy of kicks is their impulse times the mean speed of opening: half of it before, half
        // after.
        let before = self.power_of_kicks();
        self.kick_contacts(|class| class != MassClass::Infinite);
        let gained = 0.5 * (before + self.power_of_kicks());
        self.book.kicks.add(gained);
        self.round_all();
        self.count_pushes();
        self.note_work();
    }

    /// The impulses of the kicks that finite masses feel, times the speeds of opening.
    fn power_of_kicks(&self) -> f64 {
        let power = |(c, contact): (usize, &Contact)| self.kick_of(c) * self.closing_speed(contact).to_f64();
        -self.contacts.iter().enumerate().map(power).sum::<f64>()
    }

    fn kick_contacts(&mut self, of_class: impl Fn(MassClass) -> bool) {
        for c in 0..self.contacts.len() {
            if of_class(self.class_of(&self.contacts[c])) {
                self.kick_contact(c);
            }
        }
    }

    /// The speed at which a contact closed at the instant, before the impact; less than 0 if it opened.
    pub fn approach_before(&self, contact: &Contact) -> f64 {
        let of_b =
            if let Other::Member(b) = contact.with { self.members[b].motion.velocity } else { DVec2::ZERO };
        let speed = (self.members[contact.a].motion.velocity - of_b).dot(contact.normal);
        if contact.growth_speed != 0.0 { speed + contact.growth_speed } else { speed }
    }

    /// The inverse masses of a contact's ends, of those that it can move.
    fn mobilities(&self, contact: &Contact) -> [Dd; 2] {
        let class = self.class_of(contact);
        contact.ends().map(|end| match end.map(|m| &self.members[m]) {
            Some(member) if member.class == class => match class {
                MassClass::Finite => Dd::from(1.0) / Dd::from(member.mass),
                MassClass::Infinite | MassClass::Tracer => Dd::from(1.0),
            },
            _ => Dd::ZERO,
        })
    }

    /// The impulse of a contact's kick, as far as finite masses feel it.
    fn kick_of(&self, c: usize) -> f64 {
        let contact = &self.contacts[c];
        if contact.kick <= 0.0 || self.class_of(contact) != MassClass::Finite {
            return 0.0;
        }
        let [a, b] = self.mobilities(contact);
        contact.kick / (a + b).to_f64()
    }

    /// Lets a contact open faster by its kick.
    fn kick_contact(&mut self, c: usize) {
        let contact = self.contacts[c];
        if contact.kick <= 0.0 {
            return;
        }
        let mobilities = self.mobilities(&contact);
        let impulse = Dd::from(contact.kick) / (mobilities[0] + mobilities[1]);
        let normals = [-contact.normal, contact.normal];
        for ((end, mobility), normal) in contact.ends().into_iter().zip(mobilities).zip(normals) {
            let Some(m) = end else { continue };
            let change = impulse * mobility;
            let [x, y] = self.members[m].velocity;
            let added = [change * Dd::from(normal.x), change * Dd::from(normal.y)];
            self.members[m].velocity = [x + added[0], y + added[1]];
        }
        self.contacts[c].impulse += impulse.to_f64();
    }

    /// Rounds all velocities, with the largest one of a class as the measure.
    fn round_all(&mut self) {
        for class in MassClass::ALL {
            let of_class = self.members.iter().filter(|member| member.class == class);
            let speeds = of_class.flat_map(|member| member.velocity).map(|v| v.to_f64().abs());
            let unit = super::passes::rounding_unit(speeds.fold(0.0, f64::max));
            for member in self.members.iter_mut().filter(|member| member.class == class) {
                member.velocity = member.velocity.map(|v| v.round_to(unit).into());
            }
        }
    }

    /// Sets the velocity of a member, to what the physics has made of it.
    pub fn set_velocity(&mut self, member: usize, velocity: DVec2) {
        self.members[member].velocity = [velocity.x.into(), velocity.y.into()];
    }

    /// Lets contacts with what turns count as approaching until they open at their least speed. Returns
    /// whether there are any.
    pub fn raise_openings(&mut self) -> bool {
        let is_any = self.contacts.iter().any(|contact| contact.driven.is_some());
        for contact in &mut self.contacts {
            if let Some(Driven { surface_speed, least_opening }) = contact.driven {
                contact.growth_speed = surface_speed + least_opening;
            }
        }
        is_any
    }

    /// Undoes `raise_openings`, and notes what has been done since: it is the work of what turns.
    pub fn lower_openings(&mut self) {
        if self.contacts.iter().all(|contact| contact.driven.is_none()) {
            return;
        }
        self.note_work();
        for contact in &mut self.contacts {
            if let Some(driven) = contact.driven {
                contact.growth_speed = driven.surface_speed;
            }
        }
    }

    /// Lets no contact approach: solves those that do with e = 0, normal impulses only.
    ///
    /// # Errors
    /// As of [`Group::resolve`].
    pub fn look_again(&mut self) -> Result<(), Infeasible> {
        for class in self.classes() {
            self.find_parts(class);
            let mut parts = core::mem::take(&mut self.parts);
            let result = (0..parts.len()).try_for_each(|k| {
                let contacts = parts[k].contacts();
                let speed = self.speed_of(&contacts);
                if !self.select_approaching(&contacts, ROUNDING * speed) {
                    return Ok(());
                }
                let before = self.energy_less_work(&contacts, class);
                if self.join(&contacts, class, speed).is_err()
                    && self.move_as_one(&contacts, class, speed).is_err()
                {
                    return self.crush(&mut parts, &[k], class);
                }
                self.round_velocities(&contacts, class, speed);
                let after = self.energy_less_work(&contacts, class);
                self.book.look_again.add(before - after);
                Ok(())
            });
            self.parts = parts;
            result?;
        }
        self.count_pushes();
        Ok(())
    }
}

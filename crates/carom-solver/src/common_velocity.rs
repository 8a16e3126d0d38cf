use super::complementarity::Infeasible;
use super::group::{Group, NONE};
use crate::mass_class::MassClass;
use carom_math::eft::DoubleDouble as Dd;
use core::ops::Range;

/// What is left for a part that no arithmetic solves.
impl Group {
    /// Gives the part one common velocity: that of its momentum, less what would lead into what it cannot
    /// move. Always possible between walls, and never a gain of energy.
    pub(super) fn move_as_one(
        &mut self,
        contacts: &Range<usize>,
        class: MassClass,
        speed: f64,
    ) -> Result<(), Infeasible> {
        self.with_part(contacts, |group, part| {
            if !group.may_move_as_one(part, class) {
                return Err(Infeasible);
            }
            group.gather_bodies(part, class);
            let mass = group.take_common_velocity(class);
            let result = group.keep_out(part, class, mass, speed);
            if result.is_err() {
                for (&m, &velocity) in group.bodies.iter().zip(&group.saved) {
                    group.members[m as usize].velocity = velocity;
                }
            }
            result
        })
    }

    fn moves(&self, member: usize, class: MassClass) -> bool {
        self.members[member].class == class
    }

    /// Not where discs of the part press on each other by growing.
    fn may_move_as_one(&self, part: &[u32], class: MassClass) -> bool {
        part.iter().map(|&c| &self.contacts[c as usize]).all(|contact| {
            let inner = contact.ends().iter().all(|end| end.is_some_and(|m| self.moves(m, class)));
            !inner || contact.growth_speed <= 0.0
        })
    }

    /// Finds the bodies of a part that its contacts can move, in ascending order.
    pub(super) fn gather_bodies(&mut self, part: &[u32], class: MassClass) {
        let Group { bodies, body_of, contacts, members, .. } = self;
        bodies.clear();
        body_of.resize(members.len(), NONE);
        for m in part.iter().flat_map(|&c| contacts[c as usize].ends()).flatten() {
            if members[m].class == class && body_of[m] == NONE {
                body_of[m] = bodies.len() as u32;
                bodies.push(m as u32);
            }
        }
        bodies.iter().for_each(|&m| body_of[m as usize] = NONE);
        bodies.sort_unstable();
    }

    /// Sets the velocities of the bodies to that of their momentum, and saves what they were. Their mass.
    fn take_common_velocity(&mut self, class: MassClass) -> Dd {
        let (mut mass, mut momentum) = (Dd::ZERO, [Dd::ZERO; 2]);
        for &m in &self.bodies {
            let member = &self.members[m as usize];
            let of_m = Dd::from(if class == MassClass::Finite { member.mass } else { 1.0 });
            let [x, y] = member.velocity;
            mass = mass + of_m;
            momentum = [momentum[0] + of_m * x, momentum[1] + of_m * y];
        }
        let velocity = momentum.map(|p| p / mass);
        self.saved.clear();
        for &m in &self.bodies {
            self.saved.push(core::mem::replace(&mut self.members[m as usize].velocity, velocity));
        }
        mass
    }

    /// Turns the common velocity out of what the part cannot move.
    fn keep_out(&mut self, part: &[u32], class: MassClass, mass: Dd, speed: f64) -> Result<(), Infeasible> {
        let mut outer = core::mem::take(&mut self.pass);
        outer.clear();
        self.problem.reset();
        let body = self.problem.add_body(mass.to_f64());
        let mut crushable = false;
        for &c in part {
            let contact = self.contacts[c as usize];
            let ends = contact.ends().map(|end| end.filter(|&m| self.moves(m, class)).map(|_| body));
            if ends.iter().flatten().count() == 1 {
                self.problem.add_contact(ends, contact.normal, self.closing_speed(&contact));
                let unmoved = contact.ends().into_iter().flatten().find(|&m| !self.moves(m, class));
                crushable |= contact.growth_speed != 0.0
                    || unmoved.is_some_and(|m| self.members[m].velocity != [Dd::ZERO; 2]);
                outer.push(c);
            }
        }
        let result = self.problem.solve(speed, crushable);
        if result.is_ok()
            && let Some(&[x, y]) = self.problem.changes.first()
        {
            for &m in &self.bodies {
                let velocity = &mut self.members[m as usize].velocity;
                *velocity = [velocity[0] + x, velocity[1] + y];
            }
            for (&c, impulse) in outer.iter().zip(&self.problem.impulses) {
                self.contacts[c as usize].impulse += impulse.to_f64().max(0.0);
            }
        }
        self.pass = outer;
        result
    }
}

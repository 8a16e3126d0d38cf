use super::{Contact, Group, Other};
use carom_math::eft::DoubleDouble as Dd;
use core::ops::Range;
use glam::DVec2;

/// Speeds of members, and at contacts.
impl Group {
    /// The velocity of a member after `resolve`, rounded.
    pub fn velocity(&self, member: usize) -> DVec2 {
        let [x, y] = self.members[member].velocity;
        DVec2::new(x.to_f64(), y.to_f64())
    }

    /// Sets the velocity of a member, to what the physics has made of it.
    pub fn set_velocity(&mut self, member: usize, velocity: DVec2) {
        self.members[member].velocity = [velocity.x.into(), velocity.y.into()];
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

    /// The acceleration of the second body of a contact relative to the first, without the forces of contacts
    /// of its class: what these do not move has the acceleration that others give it.
    pub(crate) fn relative_free(&self, c: u32) -> DVec2 {
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

    /// Speed at which a contact closes, along its normal.
    pub(crate) fn closing_speed(&self, contact: &Contact) -> Dd {
        let [ax, ay] = self.members[contact.a].velocity;
        let [x, y] = match contact.with {
            Other::Member(b) => {
                let [bx, by] = self.members[b].velocity;
                [ax - bx, ay - by]
            }
            Other::Facet(..) => [ax, ay],
        };
        let speed = x * Dd::from(contact.normal.x) + y * Dd::from(contact.normal.y);
        if contact.growth_speed != 0.0 { speed + Dd::from(contact.growth_speed) } else { speed }
    }

    /// The speed at which a contact opens.
    pub(crate) fn opening(&self, c: u32) -> Dd {
        -self.closing_speed(&self.contacts[c as usize])
    }

    /// The same in `f64`, as good as its rounding of the velocities: for what rests.
    pub(crate) fn opening_in_f64(&self, c: u32) -> f64 {
        let contact = &self.contacts[c as usize];
        let of_b = if let Other::Member(b) = contact.with { self.velocity(b) } else { DVec2::ZERO };
        (of_b - self.velocity(contact.a)).dot(contact.normal) - contact.growth_speed
    }

    /// The speed at which a contact opens with the velocities as they are; less than 0 if it closes.
    pub fn opening_speed(&self, contact: &Contact) -> f64 {
        -self.closing_speed(contact).to_f64()
    }

    /// The speed at which a contact closed at the instant, before the impact; less than 0 if it opened.
    pub fn approach_before(&self, contact: &Contact) -> f64 {
        let of_b =
            if let Other::Member(b) = contact.with { self.members[b].motion.velocity } else { DVec2::ZERO };
        let speed = (self.members[contact.a].motion.velocity - of_b).dot(contact.normal);
        if contact.growth_speed != 0.0 { speed + contact.growth_speed } else { speed }
    }

    /// The largest component of a velocity, or speed of growth, in these contacts.
    pub(crate) fn speed_of(&self, contacts: &Range<usize>) -> f64 {
        self.order[contacts.clone()].iter().fold(0.0, |speed: f64, &c| {
            let contact = &self.contacts[c as usize];
            let ends = contact.ends().into_iter().flatten();
            let speed = speed.max(contact.growth_speed.abs());
            ends.fold(speed, |speed, m| speed.max(self.members[m].largest_speed()))
        })
    }
}

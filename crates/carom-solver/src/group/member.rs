use crate::mass_class::MassClass;
use crate::tolerances::STILL;
use carom_math::eft::DoubleDouble as Dd;
use carom_math::sqrt;
use carom_math::toi::Motion;
use glam::DVec2;

/// A disc of a [`Group`](crate::Group).
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// Its name outside of the group.
    pub slot: u32,
    /// The class of its mass.
    pub class: MassClass,
    /// Its mass ≥ 0.
    pub mass: f64,
    /// Its motion up to the instant, at the instant.
    pub motion: Motion,
    pub(crate) velocity: [Dd; 2],
    /// How many contacts pushed it.
    pub pushes: u32,
    /// The smallest restitution among these; 1 without any.
    pub restitution: f64,
    /// Whether its velocity may have changed, or that of a disc that it touches.
    pub takes_part: bool,
    /// Its acceleration without the forces of contacts.
    pub free: DVec2,
    /// Its acceleration with them: see [`Group::come_to_rest`](crate::Group::come_to_rest).
    pub acceleration: DVec2,
    /// Where the ground holds it: its acceleration without contacts and friction.
    pub(crate) pull: DVec2,
    /// The largest friction of the ground, per unit of mass.
    pub grip: f64,
    /// How many times its mass resists forces of contacts.
    pub(crate) inertia: f64,
    /// Whether friction stops it at the end of its piece.
    pub(crate) stops: bool,
    /// The class of its mass, while it is taken for one that nothing moves.
    pub(crate) own_class: Option<MassClass>,
    /// Seconds that its acceleration lasts; infinite if only the disc's own motion ends it.
    pub lasts: f64,
    /// Whether it is held, or was.
    pub is_held: bool,
}

/// How a member moves without contacts.
#[derive(Clone, Copy, Debug)]
pub struct Free {
    /// Its acceleration, with the friction of the ground.
    pub acceleration: DVec2,
    /// Its acceleration without that friction.
    pub pull: DVec2,
    /// The largest friction per unit of mass, ≥ 0.
    pub grip: f64,
    /// How many times its mass resists forces of contacts, > 0: 1, or more where it must roll.
    pub inertia: f64,
}

impl Member {
    /// The larger component of its velocity, by size.
    pub(crate) fn largest_speed(&self) -> f64 {
        let [x, y] = self.velocity.map(|v| v.to_f64().abs());
        x.max(y)
    }

    /// The speed of a fall by a radius with the acceleration that it has without contacts, or with the
    /// largest that the ground's friction can give it: of a disc at rest that the ground holds the first is
    /// 0.
    pub(crate) fn fall_speed(&self) -> f64 {
        sqrt(self.free.length().max(self.grip) * self.motion.radius)
    }

    /// The speed up to which it is [still](STILL) beside others of this speed; far from the origin, that at
    /// which it moves by the rounding of its place in the time of a fall.
    pub(crate) fn still_speed(&self, speed: f64) -> f64 {
        let rounding = f64::EPSILON * self.motion.position.abs().max_element() / self.motion.radius;
        // A point falls by no radius: 0 times infinity is no number, and `max` leaves it out.
        (STILL * speed).max(STILL.max(rounding) * self.fall_speed())
    }
}

use crate::physics::Reach;
use crate::predict::{VISITOR, size};
use crate::state::bend::{Bend, may_meet, motion_left};
use crate::state::growth::Growth;
use crate::state::record::Record;
use crate::state::stamp::MassClass;
use crate::touch::is_point;
use crate::{Body, Disc, DiscId, Physics, State, World};
use carom_broadphase::Slot;
use carom_math::Time;
use carom_math::toi::{self, Memory, Motion, bent};
use glam::DVec2;

/// A disc as it would be stored, were it inserted at the present: a state of no impact.
///
/// When it meets another is what the predictor has for a pair of which this one's state is the later one,
/// in the same operations.
pub(super) struct Guest<'a, P: Physics> {
    pub(super) disc: &'a Disc<P::Body, P::Extra>,
    /// At the present, on the clock of the schedule.
    pub(super) motion: Motion,
    pub(super) bend: Bend,
    pub(super) class: MassClass,
    /// Its radius, or half the distance at which it touches its like.
    pub(super) size: f64,
    /// Whether the others stand still, and nothing grows.
    pub(super) frozen: bool,
    record: Record,
    growth: Growth,
    epoch: f64,
}

impl<P: Physics> Guest<'_, P> {
    /// Its motion at a later time.
    pub(super) fn motion_at(&self, time: Time) -> Motion {
        let (position, velocity) = if P::ACCELERATED {
            self.bend.after(&self.record, time.since(self.record.time()))
        } else {
            let motion = self.record.motion_at(time);
            (motion.position, motion.velocity)
        };
        let radius =
            if self.frozen { self.motion.radius } else { self.growth.grown(self.record.radius, time) };
        Motion::new(position, velocity, radius)
    }

    /// No less than the length of its way in so many seconds.
    pub(super) fn way(&self, seconds: f64) -> f64 {
        let length = |v: DVec2| carom_math::sqrt(v.length_squared());
        (length(self.motion.velocity) + length(self.bend.acceleration) * (0.5 * seconds)) * seconds
    }

    /// Seconds to the end of its motion, and a little more.
    fn left(&self) -> f64 {
        motion_left(self.bend.lasts, 0.0, self.epoch)
    }

    fn path(&self) -> bent::Motion {
        let Motion { position, velocity, radius, .. } = self.motion;
        bent::Motion { position, velocity, acceleration: self.bend.acceleration, radius }
    }
}

impl<P: Physics> World<P> {
    /// A disc as it would be in the world.
    pub(super) fn guest<'a>(&self, disc: &'a Disc<P::Body, P::Extra>, frozen: bool) -> Guest<'a, P> {
        let (now, growth) = (self.now, &self.bodies.growth);
        let position = self.bodies.periods.wrap(disc.position).0;
        let velocity = if self.drag().is_some() { disc.velocity / self.pace() } else { disc.velocity };
        let stored = growth.stored(disc.radius, now);
        let record = Record { radius: stored, ..Record::FREE.changed(now, position, velocity) };
        let bend = if P::ACCELERATED && !disc.kinematic {
            let (mass, restitution, own) = (disc.mass, disc.restitution, disc.body);
            let body = Body { id: DiscId::new(VISITOR, 0), radius: disc.radius, mass, restitution, own };
            Bend::of(&self.physics, &body, &State { position, velocity, extra: disc.extra })
        } else {
            Bend::NONE
        };
        let rate = if frozen { 0.0 } else { growth.rate_at(now) };
        let motion = Motion { growth: rate, ..Motion::new(position, velocity, growth.grown(stored, now)) };
        Guest {
            disc,
            motion,
            bend,
            class: MassClass::of(disc.mass),
            size: size(&self.physics, motion.radius),
            frozen,
            record,
            growth: *growth,
            epoch: self.clock.epoch(),
        }
    }

    /// Whether it collides with a disc of the world, by their classes and rules.
    #[inline]
    pub(super) fn guest_collides(&self, guest: &Guest<'_, P>, slot: Slot) -> bool {
        !guest.class.pass_through(self.bodies.class(slot))
            && guest.disc.collision_rules().collides_with(&self.bodies.rules.latest(slot))
    }

    /// Seconds until it meets a disc of the world.
    #[inline]
    pub(super) fn guest_meets(&self, guest: &Guest<'_, P>, slot: Slot) -> Option<f64> {
        let other = self.bodies.motion_at(slot, self.now);
        let moving = if guest.frozen { DVec2::ZERO } else { other.velocity };
        let (d, v) = (other.position - guest.motion.position, moving - guest.motion.velocity);
        let reach = self.physics.reach(guest.motion.radius, other.radius);
        if P::ACCELERATED {
            let bend = if guest.frozen { &Bend::NONE } else { self.bodies.bend(slot) };
            let a = bend.acceleration - guest.bend.acceleration;
            let age = self.now.since(self.bodies.time(slot));
            let lasts = [guest.left(), motion_left(bend.lasts, age, guest.epoch)];
            let until = lasts[0].min(lasts[1]);
            return if may_meet(d, v, a, reach, lasts) {
                bent::disc_disc(d, v, a, reach, until)
            } else {
                None
            };
        }
        let (periods, rate) = (&self.bodies.periods, guest.motion.growth);
        let window = [0.0, self.clock.horizon()];
        match (periods.is_open(), rate > 0.0) {
            (true, false) => toi::disc_disc(d, v, reach),
            (true, true) => toi::disc_disc_growing(d, v, reach, rate),
            (false, false) => toi::disc_disc_images(d, v, reach, periods, window, |_| false),
            (false, true) => toi::disc_disc_images_growing(d, v, reach, rate, periods, window, |_| false),
        }
    }

    /// Seconds until it hits a part of a wall.
    pub(super) fn guest_hits(&self, guest: &Guest<'_, P>, f: u32) -> Option<f64> {
        let predictor = self.predictor_of_visitor(guest.disc.collision_rules());
        let frozen = guest.frozen.then(|| self.walls.facets[f as usize].standing_from(self.now));
        let facet = frozen.as_ref().unwrap_or(&self.walls.facets[f as usize]);
        let memory = self.guest_memory(guest, f);
        let (dt, at) = if P::ACCELERATED {
            let path = guest.path();
            let dt = facet.first_contact(&path, memory, guest.left(), self.now)?;
            (dt, path.after(dt).position)
        } else {
            let dt = facet.time_of_impact(&guest.motion, memory, || self.now)?;
            (dt, guest.motion.position + guest.motion.velocity * dt)
        };
        // Beside a wall that is frozen as it moves the others are where it is, too.
        let (motion, when) = (&guest.motion, (self.now, if guest.frozen { 0.0 } else { dt }));
        (!predictor.is_covered(VISITOR, f, motion, (at, when))).then_some(dt)
    }

    /// Its motion as seen from a part of a wall, which stands still if all do.
    fn seen_by(&self, guest: &Guest<'_, P>, f: u32) -> Motion {
        let seen = self.walls.facets[f as usize].seen(&guest.motion, self.now);
        if guest.frozen { Motion { velocity: guest.motion.velocity, ..seen } } else { seen }
    }

    /// What it knows of a part of a wall: where its path leads, if it is a point.
    fn guest_memory(&self, guest: &Guest<'_, P>, f: u32) -> Memory {
        if !is_point(&guest.motion) {
            return Memory::None;
        }
        let seen = self.seen_by(guest, f);
        let predictor = self.predictor_of_visitor(guest.disc.collision_rules());
        predictor.side_ahead(VISITOR, f, &seen).map_or(Memory::None, Memory::Near)
    }

    /// As `guest_memory`, with the side on which it hits it.
    pub(super) fn guest_memory_at_impact(&self, guest: &Guest<'_, P>, f: u32) -> Memory {
        let (memory, shape) = (self.guest_memory(guest, f), &self.walls.facets[f as usize].shape);
        let seen = self.seen_by(guest, f);
        let side = if P::ACCELERATED {
            let path = bent::Motion { position: seen.position, velocity: seen.velocity, ..guest.path() };
            shape.side_hit_on_parabola(&path, memory, guest.left())
        } else {
            shape.side_hit(&seen, memory)
        };
        side.map_or(memory, Memory::Near)
    }
}

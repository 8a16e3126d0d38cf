use crate::physics::{Reach, ReachOf};
use crate::predict::{CommonPredictor, Joints};
use crate::state::bend::{Bend, may_meet};
use crate::state::growth::Growth;
use crate::state::record::Record;
use crate::store::{Common, Store};
use crate::touch::{is_point, motion_left};
use crate::{Body, Disc, DiscId, Physics, Rules, State};
use carom_broadphase::Slot;
use carom_math::Time;
use carom_math::toi::{self, Memory, Motion, bent};
use carom_solver::MassClass;
use glam::DVec2;

/// A disc as it would be stored, were it inserted at the present: a state of no impact.
///
/// When it meets another is what the predictor has for a pair of which this one's state is the later one,
/// in the same operations.
pub(crate) struct Guest<'a> {
    store: &'a Common,
    reach: ReachOf<'a>,
    pub(super) rules: Rules,
    pub(super) is_kinematic: bool,
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

impl<'a> Guest<'a> {
    /// Asks about the joints of what it collides with.
    fn at_joints<T>(&self, ask: impl FnOnce(&Joints<'_>) -> T) -> T {
        let collides = |f: u32| self.rules.collides_with(&self.store.walls.facets[f as usize].rules);
        ask(&CommonPredictor::of(self.store).joints(&collides, &|_| Memory::None, self.bend.acceleration))
    }

    /// Its motion at a later time.
    pub(super) fn motion_at(&self, time: Time) -> Motion {
        let (position, velocity) = if self.store.bodies.is_bent() {
            self.bend.after(&self.record, time.since(self.record.time()))
        } else {
            let motion = self.record.motion_at(time);
            (motion.position, motion.velocity)
        };
        let radius =
            if self.frozen { self.motion.radius } else { self.growth.grown(self.record.radius, time) };
        Motion::new(position, velocity, radius)
    }

    /// An upper bound of the length of its way in a number of seconds.
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

    /// A disc, whose numbers have been checked, as it would be in the world.
    pub(crate) fn new<P: Physics>(store: &'a Store<P>, disc: &Disc<P::Body, P::Extra>, frozen: bool) -> Self {
        let (physics, bodies, clock, now) = (&store.physics, &store.bodies, &store.clock, store.now);
        let growth = &bodies.growth;
        let position = bodies.periods.wrap(disc.position).0;
        let velocity = disc.velocity / store.pace();
        let stored = growth.stored(disc.radius, now);
        let record = Record { radius: stored, ..Record::FREE.changed(now, position, velocity) };
        let bend = if P::ACCELERATED && !disc.kinematic {
            let (mass, restitution, own) = (disc.mass, disc.restitution, disc.body);
            let body = Body { id: DiscId::new(Slot::MAX, 0), radius: disc.radius, mass, restitution, own };
            Bend::of(physics, &body, &State { position, velocity, extra: disc.extra })
        } else {
            Bend::NONE
        };
        let rate = if frozen { 0.0 } else { growth.rate_at(now) };
        let motion = Motion { growth: rate, ..Motion::new(position, velocity, growth.grown(stored, now)) };
        Guest {
            store,
            reach: ReachOf::new(physics),
            rules: disc.collision_rules(),
            is_kinematic: disc.kinematic,
            motion,
            bend,
            class: MassClass::of(disc.mass),
            size: physics.size(motion.radius),
            frozen,
            record,
            growth: *growth,
            epoch: clock.epoch(),
        }
    }

    /// Whether it collides with a disc of the world, by their classes and rules.
    #[inline]
    pub(super) fn collides(&self, slot: Slot) -> bool {
        let bodies = &self.store.bodies;
        !self.class.pass_through(bodies.class(slot)) && self.rules.collides_with(&bodies.rules.latest(slot))
    }

    /// Seconds until it meets a disc of the world.
    #[inline]
    pub(super) fn meets(&self, slot: Slot) -> Option<f64> {
        let store = self.store;
        let other = store.bodies.motion_at(slot, store.now);
        let moving = if self.frozen { DVec2::ZERO } else { other.velocity };
        let (d, v) = (other.position - self.motion.position, moving - self.motion.velocity);
        let reach = self.reach.at(self.motion.radius, other.radius);
        if store.bodies.is_bent() {
            let bend = if self.frozen { &Bend::NONE } else { store.bodies.bend(slot) };
            let a = bend.acceleration - self.bend.acceleration;
            let age = store.now.since(store.bodies.time(slot));
            let lasts = [self.left(), motion_left(bend.lasts, age, self.epoch)];
            let until = lasts[0].min(lasts[1]);
            let meets = |d| {
                if may_meet(d, v, a, reach, lasts) { bent::disc_disc(d, v, a, reach, until) } else { None }
            };
            if store.bodies.periods.is_open() {
                return meets(d);
            }
            let path = bent::Motion { position: d, velocity: v, acceleration: a, radius: 0.0 };
            return self.meets_image(&path, reach, until, meets);
        }
        let (periods, rate) = (&store.bodies.periods, self.motion.growth);
        let window = [0.0, store.clock.horizon()];
        match (periods.is_open(), rate > 0.0) {
            (true, false) => toi::disc_disc(d, v, reach),
            (true, true) => toi::disc_disc_growing(d, v, reach, rate),
            (false, false) => toi::disc_disc_images(d, v, reach, periods, window, |_| false),
            (false, true) => toi::disc_disc_images_growing(d, v, reach, rate, periods, window, |_| false),
        }
    }

    /// Seconds until it meets the first image of a disc whose path as seen from it is this one.
    #[cold]
    fn meets_image(
        &self,
        path: &bent::Motion,
        reach: f64,
        until: f64,
        meets: impl Fn(DVec2) -> Option<f64>,
    ) -> Option<f64> {
        let (periods, until) = (&self.store.bodies.periods, until.min(self.store.clock.horizon()));
        if path.acceleration == DVec2::ZERO {
            // However far it flies.
            let window = [0.0, until];
            return toi::disc_disc_images(path.position, path.velocity, reach, periods, window, |_| false)
                .filter(|dt| *dt < until);
        }
        let mut first = f64::INFINITY;
        bent::for_each_image_near(path, reach, until, periods, |image| {
            first = meets(image).unwrap_or(f64::INFINITY).min(first);
            first
        });
        Some(first).filter(|dt| dt.is_finite())
    }

    /// Seconds until it hits a part of a wall.
    pub(super) fn hits(&self, f: u32) -> Option<f64> {
        let store = self.store;
        let frozen = self.frozen.then(|| store.walls.facets[f as usize].standing_from(store.now));
        let facet = frozen.as_ref().unwrap_or(&store.walls.facets[f as usize]);
        let memory = self.memory(f);
        let (dt, at) = if store.bodies.is_bent() {
            let path = self.path();
            let dt = facet.first_contact(&path, memory, self.left(), store.now)?;
            (dt, path.after(dt).position)
        } else {
            let dt = facet.time_of_impact(&self.motion, memory, || store.now)?;
            (dt, self.motion.position + self.motion.velocity * dt)
        };
        // Beside a wall that is frozen as it moves the others are where it is, too.
        let (motion, when) = (&self.motion, (store.now, if self.frozen { 0.0 } else { dt }));
        (!self.at_joints(|joints| joints.is_end_covered(f, motion, (at, when)))).then_some(dt)
    }

    /// Its motion as seen from a part of a wall, which stands still if all do.
    fn seen_by(&self, f: u32) -> Motion {
        let store = self.store;
        let seen = store.walls.facets[f as usize].seen(&self.motion, store.now);
        if self.frozen { Motion { velocity: self.motion.velocity, ..seen } } else { seen }
    }

    /// What it knows of a part of a wall: where its path leads, if it is a point.
    fn memory(&self, f: u32) -> Memory {
        if !is_point(&self.motion) {
            return Memory::None;
        }
        let seen = self.seen_by(f);
        self.at_joints(|joints| joints.side_ahead(f, &seen)).map_or(Memory::None, Memory::Near)
    }

    /// As `memory`, with the side on which it hits it.
    pub(super) fn memory_at_impact(&self, f: u32) -> Memory {
        let store = self.store;
        let (memory, shape) = (self.memory(f), &store.walls.facets[f as usize].shape);
        let seen = self.seen_by(f);
        let side = if store.bodies.is_bent() {
            let path = bent::Motion { position: seen.position, velocity: seen.velocity, ..self.path() };
            shape.side_hit_on_parabola(&path, memory, self.left())
        } else {
            shape.side_hit(&seen, memory)
        };
        side.map_or(memory, Memory::Near)
    }
}

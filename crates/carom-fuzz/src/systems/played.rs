//! A system in the engine: as it is, in a mirror, in other units, or with its discs in another order.

use super::system::{Motion, Shape, System};
use carom_engine::{
    DVec2, Disc, Forces, Rest, Rough, RoughDisc, RoughWall, Roughness, Settings, Spin, StopReason, Wall,
    World,
};

/// The least height and gap, as a fraction of the radius.
const FINEST: f64 = 1e-12;

/// How a system is put into a world. What is read is taken back.
#[derive(Clone, Copy, Debug)]
pub struct Pose {
    /// −1 on an axis that is mirrored.
    pub mirror: [f64; 2],
    /// What masses, lengths and times are multiplied by: powers of two.
    pub units: [f64; 3],
    /// Whether discs are inserted from the last to the first.
    pub is_reversed: bool,
    /// Whether heights and gaps are the least that rounding leaves room for: a hundredth of those of
    /// [`Rest::strict`], and less.
    pub is_finest: bool,
}

impl Default for Pose {
    fn default() -> Self {
        Pose { mirror: [1.0, 1.0], units: [1.0; 3], is_reversed: false, is_finest: false }
    }
}

impl Pose {
    /// Mirrored, there and back.
    fn turned(&self, v: DVec2) -> DVec2 {
        v * DVec2::from(self.mirror)
    }

    /// A vector in the units of the pose: a length times this power of time.
    fn vector(&self, v: DVec2, times: i32) -> DVec2 {
        self.turned(v) * (self.units[1] * self.units[2].powi(times))
    }

    /// −1 where what turns to the left turns to the right.
    fn hand(&self) -> f64 {
        self.mirror[0] * self.mirror[1]
    }

    fn back(&self, motion: Motion) -> Motion {
        let [_, length, time] = self.units;
        Motion {
            place: self.turned(motion.place) / length,
            velocity: self.turned(motion.velocity) / length * time,
            spin: motion.spin * self.hand() * time,
        }
    }
}

fn roughness([friction, rolling]: [f64; 2]) -> Roughness {
    let sliding = Roughness::new(friction, 0.0).expect("a friction in range");
    sliding.with_rolling_resistance(rolling).expect("a resistance in range")
}

type Played = World<Rough<Forces>>;

fn shape(system: &System, k: usize, pose: &Pose) -> Wall<RoughWall> {
    let surface = &system.surfaces[k];
    let (at, length) = (|v: DVec2| pose.vector(v, 0), pose.units[1]);
    let wall = match surface.shape {
        Shape::Plane(point, normal) => Wall::half_plane(at(point), pose.turned(normal)),
        Shape::Hill(center, radius) => Wall::disc(at(center), radius * length),
        Shape::Bowl(center, radius) => Wall::circle(at(center), radius * length),
    };
    let belt = surface.belt * pose.hand() * length / pose.units[2];
    let rough = RoughWall::new(Some(roughness(surface.rough))).with_surface_speed(belt);
    wall.with_restitution(0.0).with_surface(rough.expect("a speed in range"))
}

fn world(system: &System, pose: &Pose) -> Option<(Played, Vec<carom_engine::DiscId>)> {
    let [masses, length, time] = pose.units;
    let forces = Forces::new().with_gravity(pose.vector(system.gravity, -2)).expect("a gravity in range");
    // A thousandth of the time of a fall, as the default is of a second.
    let epoch = (system.unit.log2().round() - 10.0).exp2() * time;
    let rest = if pose.is_finest { Rest::new(FINEST).with_gap(FINEST) } else { Rest::strict() };
    let settings = Settings::default().with_rest(Some(rest)).with_budget(200_000).with_epoch(epoch);
    let physics = Rough::new(forces, Roughness::SMOOTH);
    let mut world = World::with_physics(physics, settings).expect("settings in range");
    let mut movers = Vec::new();
    for (k, surface) in system.surfaces.iter().enumerate() {
        let id = world.add_wall(shape(system, k, pose)).expect("a wall in range");
        if surface.velocity != DVec2::ZERO {
            movers.push((id, surface.velocity));
        }
    }
    let mut ids = vec![None; system.bodies.len()];
    let mut order: Vec<usize> = (0..ids.len()).collect();
    if pose.is_reversed {
        order.reverse();
    }
    for k in order {
        let body = &system.bodies[k];
        let own = RoughDisc {
            inertia: body.inertia,
            roughness: Some(roughness(body.rough)),
            ..RoughDisc::default()
        };
        let disc = Disc::new(pose.vector(body.place, 0), body.radius * length)
            .with_mass(body.mass * masses)
            .with_velocity(pose.vector(body.velocity, -1))
            .with_restitution(0.0)
            .with_body(own)
            .with_extra(Spin::new(body.spin * pose.hand() / time));
        ids[k] = Some(world.insert(disc).ok()?);
    }
    for (id, velocity) in movers {
        let seconds = (1.0 + (system.seconds).log2().ceil()).exp2() * time;
        world.move_wall(id, pose.vector(velocity, -1) * seconds, seconds).expect("a motion in range");
    }
    Some((world, ids.into_iter().flatten().collect()))
}

/// Why the engine did not play a system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Refused {
    /// It takes two to overlap.
    Overlaps,
    /// Play stops before the end.
    Stops(StopReason),
}

/// The motions at these times, as the engine has them.
///
/// # Errors
/// If the engine refuses a disc, or play stops.
pub fn played(system: &System, pose: &Pose, times: &[f64]) -> Result<Vec<Vec<Motion>>, Refused> {
    let (mut world, ids) = world(system, pose).ok_or(Refused::Overlaps)?;
    let mut samples = Vec::new();
    for time in times {
        let advance = world.advance_to(time * pose.units[2]).expect("a time in range");
        if advance.end != StopReason::Reached {
            return Err(Refused::Stops(advance.end));
        }
        let of = |id: &carom_engine::DiscId| {
            let disc = world.get(*id).expect("it has not been removed");
            let spin = disc.extra().angular_velocity;
            pose.back(Motion { place: disc.position(), velocity: disc.velocity(), spin })
        };
        samples.push(ids.iter().map(of).collect());
    }
    Ok(samples)
}

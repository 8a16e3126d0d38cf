//! Random worlds with gravity, thrust and friction.

use carom_engine::{DVec2, Disc, DiscForces, Forces, Rest, Settings, Wall, WallShape, World};
use carom_testkit::rng::Rng;

/// A box of 10 × 10 with `n` discs on a lattice, a little off. By the seed, modulo 5, they have: gravity
/// alone; gravity, thrust and walls; friction and walls, inelastic; friction, thrust and walls; gravity,
/// thrust and walls, inelastic.
pub(crate) fn world(seed: u64, n: usize) -> World<Forces> {
    let has_friction = matches!(seed % 5, 2 | 3);
    let (has_thrust, has_walls) = (matches!(seed % 5, 1 | 3 | 4), !seed.is_multiple_of(5));
    let rng = &mut Rng::new(seed);
    let gravity = if has_friction { DVec2::ZERO } else { rng.vector(4.0) };
    let forces = Forces::new().with_gravity(gravity).unwrap().with_weight(2.0).unwrap();
    let settings = Settings::default().with_budget(200_000);
    let mut world: World<Forces> = World::with_physics(forces, settings).unwrap();
    world.add_wall(Wall::container(DVec2::splat(-5.0), DVec2::splat(5.0))).unwrap();
    if has_walls {
        let bump = WallShape::Disc { center: DVec2::new(5.0, 0.0), radius: 0.9 };
        world.add_wall(Wall::new(bump)).unwrap();
        world.add_wall(Wall::segment([-5.0, 4.0], [-4.0, 5.0])).unwrap();
        world.add_wall(Wall::segment([-0.7, -4.6], [0.7, -4.6])).unwrap();
    }
    let side = (n as f64).sqrt().ceil() as usize;
    let step = 8.4 / side as f64;
    for k in 0..n {
        let cell = DVec2::new((k % side) as f64, (k / side) as f64);
        let place = (cell - DVec2::splat(0.5 * (side as f64 - 1.0))) * step + rng.vector(0.1 * step);
        let mut own = DiscForces::default();
        if has_friction && rng.chance(70) {
            own.friction = rng.pick(&[0.1, 0.3, 1.0]);
        } else if has_thrust && rng.chance(50) {
            own.acceleration = rng.vector(3.0);
            own.gravity_scale = rng.pick(&[0.0, 1.0, 1.0, 2.0]);
        }
        let disc = Disc::new(place, rng.pick(&[0.3, 0.2]) * step)
            .with_velocity(rng.vector(6.0))
            .with_mass(rng.pick(&[1.0, 1.0, 2.0, 0.3]))
            .with_restitution(if matches!(seed % 5, 2 | 4) { 0.9 } else { 1.0 })
            .with_body(own);
        world.insert(disc).unwrap();
    }
    world
}

/// An empty world with this gravity and the strict rule of rest, at which closed forms hold.
pub(crate) fn under(gravity: impl Into<DVec2>) -> World<Forces> {
    under_rule(gravity, Rest::strict())
}

fn under_rule(gravity: impl Into<DVec2>, rest: Rest) -> World<Forces> {
    let forces = Forces::new().with_gravity(gravity).unwrap();
    World::with_physics(forces, Settings::default().with_rest(Some(rest))).unwrap()
}

/// Discs that fall into a V of two straight walls at 45 degrees, and come to rest by the strict rule.
pub(crate) fn heap(seed: u64, n: usize, e: f64) -> World<Forces> {
    heap_by(Rest::strict(), seed, n, e)
}

/// As [`heap`], by another rule.
pub(crate) fn heap_by(rest: Rest, seed: u64, n: usize, e: f64) -> World<Forces> {
    let rng = &mut Rng::new(seed);
    let mut world = under_rule([0.0, -1.0], rest);
    for x in [-1.0, 1.0] {
        world.add_wall(Wall::half_plane([0.0, 0.0], [x, 1.0]).with_restitution(e)).unwrap();
    }
    let columns = (n as f64).sqrt().ceil() as usize;
    for k in 0..n {
        let cell = DVec2::new((k % columns) as f64 - 0.5 * (columns as f64 - 1.0), (k / columns) as f64);
        let place = cell * 2.5 + DVec2::new(0.0, 1.5 * columns as f64 + 4.0) + rng.vector(0.15);
        let radius = rng.pick(&[1.0, 1.0, 0.6]);
        let disc = Disc::new(place, radius)
            .with_mass(radius * radius)
            .with_velocity(rng.vector(1.0))
            .with_restitution(e);
        world.insert(disc).unwrap();
    }
    world
}

/// A box of 10 × 10 with `n` discs that have thrusts and limits of their speed, or friction on the table,
/// under gravity or not; by the seed, modulo 3, elastic, inelastic or plastic.
pub(crate) fn limited(seed: u64, n: usize) -> World<Forces> {
    let rng = &mut Rng::new(seed);
    let gravity = if seed.is_multiple_of(2) { DVec2::ZERO } else { rng.vector(4.0) };
    let forces = Forces::new().with_gravity(gravity).unwrap().with_weight(4.0).unwrap();
    let settings = Settings::default().with_budget(200_000);
    let mut world: World<Forces> = World::with_physics(forces, settings).unwrap();
    let e = [1.0, 0.6, 0.0][seed as usize % 3];
    world.add_wall(Wall::container(DVec2::splat(-5.0), DVec2::splat(5.0)).with_restitution(e)).unwrap();
    let bump = WallShape::Disc { center: DVec2::new(5.0, 0.0), radius: 0.9 };
    world.add_wall(Wall::new(bump).with_restitution(e)).unwrap();
    for k in 0..n {
        let place = DVec2::new((k % 4) as f64 - 1.5, (k / 4) as f64 - 1.5) * 2.0 + rng.vector(0.2);
        let own = if rng.chance(20) {
            DiscForces { friction: rng.pick(&[0.1, 0.3]), gravity_scale: 0.0, ..DiscForces::default() }
        } else {
            let speed_limit = rng.pick(&[0.5, 1.0, 2.0, 4.0, f64::INFINITY]);
            DiscForces { acceleration: rng.vector(5.0), speed_limit, ..DiscForces::default() }
        };
        let disc = Disc::new(place, rng.pick(&[0.4, 0.6]))
            .with_velocity(rng.vector(4.0))
            .with_mass(rng.pick(&[1.0, 1.0, 2.0, 0.3]))
            .with_restitution(e)
            .with_body(own);
        world.insert(disc).unwrap();
    }
    world
}

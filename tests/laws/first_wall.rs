//! The first wall on the path of a disc, against a look at each wall.

use crate::common::rng::Rng;
use carom_engine::{DVec2, Disc, SchedulerKind, Settings, Wall, World};

/// Walls of every bounded form, short and long, in a box with sides of 60; and discs between them, points and
/// discs at rest among them, some of which fly along a line of the lattice on which the walls are.
fn strewn(rng: &mut Rng) -> World {
    let mut world = World::with_settings(Settings::default().with_scheduler(SchedulerKind::Table)).unwrap();
    world.add_wall(Wall::container(DVec2::splat(-30.0), DVec2::splat(30.0))).unwrap();
    for _ in 0..20 + rng.below(100) {
        let at = DVec2::new(rng.below(29) as f64, rng.below(29) as f64) * 2.0 - 28.0;
        let length = if rng.chance(5) { 30.0 } else { 2.0 };
        let to = at + if rng.chance(50) { DVec2::X } else { rng.vector(length) };
        _ = world.add_wall(match rng.below(5) {
            0 => Wall::disc(at, 0.5),
            1 => Wall::one_sided_segment(at, to),
            2 => Wall::arc(at, 0.75, rng.unit(), 4.0 * rng.unit()),
            3 => Wall::polyline(&[at, to, to + DVec2::Y]),
            _ => Wall::segment(at, to),
        });
    }
    for _ in 0..20 {
        let at = DVec2::new(rng.below(57) as f64, rng.below(57) as f64) - 28.0;
        let velocity = match rng.below(5) {
            0 => DVec2::ZERO,
            1 => DVec2::X,
            2 => DVec2::NEG_Y * 1e-170,
            _ => rng.vector(3.0),
        };
        let radius = if rng.chance(20) { 0.0 } else { 0.1 + 0.4 * rng.unit() };
        // Where there is no room, it is refused.
        _ = world.insert(Disc::new(at, radius).with_velocity(velocity));
    }
    world
}

/// The walls ahead have the first, and those within 7 of where a disc was have it, too, where the disc gets
/// less than 6 far.
#[test]
fn the_first_wall_ahead_is_that_of_all() {
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let mut world = strewn(&mut rng);
        for _ in 0..20 {
            world.step_event();
            for disc in world.ids().filter_map(|id| world.get(id)) {
                let [ahead, near, of_each] = world.first_wall_times(disc.id().slot(), 7.0);
                assert_eq!(ahead, of_each, "seed {seed}, {}", disc.id());
                let way = disc.velocity().length() * ahead.since(disc.state_time());
                assert!(near >= ahead && (near == ahead || !(way < 6.0)), "seed {seed}, {}", disc.id());
            }
        }
    }
}

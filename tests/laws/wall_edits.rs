//! Walls that come and go: at the cost of the discs that are near, and without a loss of those that others
//! hold too. That the events are those of the pair table and the rescan, `grid.rs` and random games show
//! (`crates/carom-fuzz/tests/games.rs`).

use crate::common::by::By;
use crate::common::rng::{Rng, cases};
use carom_engine::{DVec2, Disc, Forces, Settings, Wall, World};

/// The cost of a short wall does not grow with the number of discs: those that are planned again are the ones
/// within a few radii of it.
#[test]
fn a_short_wall_is_the_business_of_the_discs_near_it() {
    let mut world = By::Grid.world(Settings::default());
    let (discs, mut rng) = (10_000, Rng::new(7));
    world.add_wall(Wall::container([0.0, 0.0], [40.0, 40.0])).unwrap();
    for k in 0..discs {
        let place = DVec2::new(f64::from(k % 100) + 0.5, f64::from(k / 100) + 0.5) * 0.4;
        world.insert(Disc::new(place, 0.1).with_velocity(rng.vector(1.0))).unwrap();
    }
    world.advance(0.01).unwrap();
    // Ten radii long, across the gap between two rows.
    let radius = 0.1;
    let wall = Wall::segment(DVec2::new(20.0, 20.0), DVec2::new(20.0 + 10.0 * radius, 20.0));
    let before = world.counters().solo_times;
    let mut edits = 0;
    for _ in 0..100 {
        if let Ok(id) = world.add_wall(wall.clone()) {
            world.next_event();
            world.remove_wall(id).unwrap();
            world.next_event();
            edits += 2;
        }
        world.advance(1e-4).unwrap();
    }
    assert!(edits > 20, "the wall fits between the discs");
    let planned = world.counters().solo_times - before;
    // A disc's neighbourhood reaches a few radii beyond it: within 6 radii of the segment there are, at a
    // quarter of the lattice's packing, fewer than 60 discs.
    assert!(planned < 60 * edits + u64::from(discs as u32), "{planned} plans for {edits} edits");
}

/// Two equal rooms at one place, of which the one along which a disc slides, or that it has just hit, goes:
/// the other one holds it from then on, and no impact with it is in the past.
#[test]
fn a_wall_that_goes_leaves_discs_to_the_one_at_the_same_place() {
    for (radius, velocity) in [(0.0, [1.0, 0.3]), (0.5, [1.0, 0.0]), (0.125, [-0.3, 2.0])] {
        for first in [true, false] {
            let mut world = World::new();
            let room = || Wall::stadium([0.0, 0.0], 3.0, 8.0);
            let walls = [world.add_wall(room()).unwrap(), world.add_wall(room()).unwrap()];
            let disc = Disc::new([2.0, 6.0], radius).with_velocity(velocity).with_restitution(0.0);
            let disc = world.insert(disc).unwrap();
            for part in 0..40 {
                world.advance(0.37).unwrap();
                if part == 20 {
                    world.remove_wall(walls[usize::from(first)]).unwrap();
                }
                let next = world.next_event().map(|next| next.time);
                assert!(next.is_none_or(|time| time >= world.now()), "{next:?} at {:?}", world.now());
            }
            world.assert_well_formed();
            let p = world.get(disc).unwrap().position();
            let off = (p.x.abs() - 3.0).max(0.0);
            assert!(off.hypot(p.y) <= 8.0 - radius + 1e-12, "{p}");
        }
    }
}

/// Walls are put up and taken down far away, and so that discs that hardly move come to them beyond all times
/// of the clock: the schedule is what is computed anew.
#[test]
fn walls_that_are_met_late_are_scheduled_right() {
    for seed in 0..cases(200) {
        let rng = &mut Rng::new(seed);
        let power = |rng: &mut Rng, least: f64, most: f64| 10_f64.powf(rng.range(least, most));
        let gravity = DVec2::new(rng.range(-1.0, 1.0), -1.0) * power(rng, -30.0, 2.0);
        let settings = if rng.chance(50) { By::Table } else { By::Grid }.settings(Settings::default());
        let physics = Forces::new().with_gravity(gravity).unwrap();
        let mut world = World::with_physics(physics, settings.with_budget(20)).unwrap();
        for k in 0..3 {
            let velocity = rng.vector(1.0) * power(rng, -20.0, 3.0);
            let disc = Disc::new([3.0 * f64::from(k), 0.0], power(rng, -3.0, 0.0));
            world.insert(disc.with_velocity(velocity)).unwrap();
        }
        for _ in 0..6 {
            let place = rng.vector(1.0) * power(rng, 0.0, 14.0);
            let end = place + rng.vector(1.0) * power(rng, 0.0, 14.0);
            let wall = world.add_wall(match rng.below(4) {
                0 => Wall::one_sided_segment(place, end),
                1 => Wall::disc(place, 1.0),
                2 => Wall::half_plane(place, -place),
                _ => Wall::segment(place, end),
            });
            world.assert_well_formed();
            if rng.chance(30) {
                world.advance(power(rng, -3.0, 6.0)).unwrap();
            }
            if let (Ok(wall), true) = (wall, rng.chance(20)) {
                world.remove_wall(wall).unwrap();
            }
            world.assert_well_formed();
        }
    }
}

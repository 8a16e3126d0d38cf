//! Regions change no bit, and a disc crosses the border of one where its distance is zero. That no crossing
//! is lost or doubled, random games show (`crates/carom-fuzz/tests/games.rs`).

use crate::common::grammar::{self, Game};
use crate::common::record::state_bits;
use crate::common::regions;
use crate::common::rng::{Rng, cases};
use crate::forces::scene;
use carom_engine::{CrossingCause, DVec2, Disc, Error, Physics, Region, Settings, StopReason, Wall, World};

/// Up to four random regions, some of which discs carry.
fn add_regions<P: Physics>(world: &mut World<P>, rng: &mut Rng) {
    let ids: Vec<_> = world.ids().collect();
    // What has no length is refused.
    (0..1 + rng.below(4)).for_each(|_| _ = world.add_region(grammar::region(rng, 4.0, &ids)));
}

/// A world with regions has the states of one without, also after edits.
fn assert_same_states<P: Physics>(mut bare: World<P>, rng: &mut Rng, what: &str) {
    let mut world = bare.clone();
    for _ in 0..4 {
        let ids: Vec<_> = bare.ids().collect();
        add_regions(&mut world, rng);
        if !ids.is_empty() {
            let (id, velocity) = (rng.pick(&ids), rng.vector(3.0));
            for world in [&mut world, &mut bare] {
                world.set_velocity(id, velocity).unwrap();
            }
        }
        let dt = rng.range(0.0, 1.0);
        let ends = [&mut world, &mut bare].map(|world| world.advance(dt).unwrap().end);
        if ends != [StopReason::Reached; 2] {
            break;
        }
        assert_eq!(state_bits(&world), state_bits(&bare), "{what}");
    }
}

#[test]
fn regions_change_no_state() {
    for seed in 0..cases(150) {
        let rng = &mut Rng::new(seed);
        let world: World = Game::plain(rng, Settings::default().with_budget(1500)).world;
        assert_same_states(world, rng, &format!("seed {seed}"));
    }
    for seed in 0..cases(60) {
        let world = scene::world(seed, 12);
        assert_same_states(world, &mut Rng::new(!seed), &format!("seed {seed}, where discs accelerate"));
    }
}

/// Walls of all forms as sensors: who is inside is who overlaps them, and a crossing is where the distance of
/// an edge is zero, on straight paths and on parabolas.
#[test]
fn sensor_walls_are_crossed_where_the_distance_is_zero() {
    let mut crossed = 0;
    for seed in 0..cases(200) {
        let mut rng = Rng::new(seed ^ 0x3A11);
        let gravity = if seed % 3 == 0 { DVec2::ZERO } else { rng.vector(2.0) };
        let mut world = scene::under(gravity);
        println!("seed {seed}");
        for _ in 0..6 {
            // A segment whose ends are one point is refused, and nothing else is.
            if let Err(error) = world.add_sensor_wall(grammar::wall(&mut rng, 4.0)) {
                assert!(matches!(error, Error::OutOfRange { value: 0.0, .. }), "{error}");
            }
        }
        for _ in 0..6 {
            let disc = Disc::new(rng.vector(6.0), rng.range(0.05, 1.0)).with_velocity(rng.vector(5.0));
            world.insert(disc.with_team(1)).unwrap();
        }
        crossed += regions::follow(&mut world, 4.0)[1];
        assert_eq!(world.counters().disc_impacts + world.counters().wall_impacts, 0);
        for frame in 1..=20 {
            world.advance_to(4.0 + f64::from(frame)).unwrap();
            regions::check(&world, 1e-9);
            crossed += regions::crossings(&world);
        }
    }
    assert!(crossed > 2000, "{crossed}");
}

/// Where paths bend, too.
#[test]
fn regions_are_crossed_where_the_distance_is_zero() {
    let (mut crossed, mut steps) = (0, 0);
    for seed in 0..cases(60) {
        println!("seed {seed}");
        let mut world = scene::world(seed, 9);
        let rng = &mut Rng::new(seed ^ 0x9E61);
        (0..2).for_each(|_| add_regions(&mut world, rng));
        for frame in 1..=40 {
            let [more, crossings] = regions::follow(&mut world, 0.1 * f64::from(frame));
            (steps, crossed) = (steps + more, crossed + crossings);
        }
        world.assert_well_formed();
    }
    assert!(crossed > 2000 && steps > crossed, "{crossed} of {steps}");
}

/// A region of a wall goes with it.
#[test]
fn what_is_inside_of_a_wall_leaves_when_it_is_removed() {
    let mut world = World::new();
    let (wall, region) = world.add_sensor_wall(Wall::segment([0.0, -1.0], [0.0, 1.0])).unwrap();
    let disc = world.insert(Disc::new([0.0, 0.0], 0.5)).unwrap();
    assert!(world.is_inside(region, disc));
    world.advance(1.0).unwrap();
    world.remove_wall(wall).unwrap();
    assert_eq!(world.inside(region).map(drop), Err(Error::NoSuchRegion(region)));
    world.advance(1.0).unwrap();
    assert_eq!(world.events()[0].crossing().map(|left| left.cause), Some(CrossingCause::RegionRemoved));
    assert_eq!(world.add_region(Region::wall(wall)), Err(Error::NoSuchWall(wall)));
    world.set_growth(0.1).unwrap();
    let refused = world.add_sensor_wall(Wall::segment([0.0, -1.0], [0.0, 1.0]));
    assert!(matches!(refused, Err(Error::Inconsistent { .. })) && world.walls().next().is_none());
    // On one that is solid nothing that collides with it enters.
    let mut world = World::new();
    let floor = world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0])).unwrap();
    world.add_region(Region::wall(floor)).unwrap();
    world.insert(Disc::new([0.0, 3.0], 0.5).with_velocity([0.0, -1.0])).unwrap();
    world.advance(9.0).unwrap();
    assert_eq!((world.events().len(), world.counters().wall_impacts), (1, 1));
}

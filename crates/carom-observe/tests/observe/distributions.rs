//! Distributions of speeds and free times, against what is known exactly.

use carom_engine::{DVec2, Disc, Settings, Wall, World};
use carom_observe::{FreeTimes, Histogram, mean_free_time};
use carom_scene::{Generator, Random};

const DISCS: usize = 100;

/// Equal discs on a square lattice between walls, with velocities of one temperature.
fn gas() -> World {
    let mut random = Random::new(Generator::default(), 5);
    let mut world = World::with_settings(Settings::default().with_budget(u64::MAX)).unwrap();
    world.add_wall(Wall::container(DVec2::ZERO, DVec2::splat(20.0))).unwrap();
    for k in 0..DISCS as u32 {
        let place = DVec2::new(f64::from(k % 10), f64::from(k / 10)) * 2.0 + 1.0;
        world.insert(Disc::new(place, 0.5).with_velocity(random.normal_pair())).unwrap();
    }
    world
}

/// All velocities of N discs with the energy E are alike likely: one has more than the part x of the energy
/// with the probability (1 − x)^(N − 1), which is Maxwell's distribution for many. 500 looks at 100 discs, an
/// impact of each apart, tell that to four standard errors of 50,000 independent ones, 0.9 %.
#[test]
fn speeds_of_few_discs_are_those_of_the_microcanonical_ensemble() {
    let mut world = gas();
    let energy = world.kinetic_energy();
    let mut speeds = Histogram::new(64).unwrap();
    for look in 0..520 {
        world.advance(2.0).unwrap();
        if look >= 20 {
            world.discs().for_each(|(_, disc)| speeds.add(disc.velocity.length()).unwrap());
        }
    }
    let mut below = 0;
    for bin in speeds.bins() {
        below += bin.count;
        let share = below as f64 / speeds.count() as f64;
        let part = 0.5 * bin.high * bin.high / energy;
        let exact = 1.0 - (1.0 - part).max(0.0).powi(DISCS as i32 - 1);
        assert!((share - exact).abs() < 9e-3, "below {}: {share}, not {exact}", bin.high);
    }
}

/// The mean of flights is N t/(2 impacts), up to the flights at both ends of the run, one a disc of 200.
#[test]
fn the_mean_of_flights_is_the_mean_free_time() {
    let mut world = gas();
    let mut flights = FreeTimes::new(128).unwrap();
    world.advance_with(500.0, &mut flights).unwrap();
    let impacts = (flights.histogram().count() + DISCS as u64) / 2;
    let mean = mean_free_time(DISCS, impacts, 500.0).unwrap();
    let seen = flights.histogram().mean().unwrap();
    assert!(impacts > 50 * DISCS as u64 && (seen / mean - 1.0).abs() < 0.02, "{seen}, not {mean}");
}

//! Against closed forms.

use crate::scene::{KINDS, world};
use carom_engine::broadphase::PairTable;
use carom_engine::{DVec2, Disc, Forces, Settings, Wall, World};

fn falling(gravity: DVec2) -> World<Forces> {
    let forces = Forces::new().with_gravity(gravity).unwrap();
    World::with_physics(forces, Settings::default()).unwrap()
}

/// A disc that falls from rest at height `h` above a floor and bounces elastically is at the floor at
/// `√(2h/g) (2k − 1)`.
#[test]
fn an_elastic_ball_bounces_on_time() {
    let (g, h) = (9.81, 1.3);
    let mut world = falling(DVec2::new(0.0, -g));
    world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0])).unwrap();
    let ball = world.insert(Disc::new([0.0, h + 0.25], 0.25)).unwrap();
    let fall = (2.0 * h / g).sqrt();
    for k in 1..=10_000 {
        let step = world.step_event();
        let expected = fall * (2.0 * f64::from(k) - 1.0);
        let off = (step.time.as_secs() - expected).abs() / expected;
        assert!(off <= 1e-12, "bounce {k} at {} instead of {expected}", step.time.as_secs());
    }
    assert_eq!(world.counters().wall_impacts, 10_000);
    assert!(world.get(ball).unwrap().position().y > 0.24);
}

/// Energy, kinetic and potential, of an elastic gas under gravity: to 1e-11 over 10⁵ impacts (10⁶ in a
/// campaign).
#[test]
fn energy_is_kept_under_gravity() {
    let mut world = world::<PairTable>(3, KINDS[0], 16);
    let before = world.energy();
    let mut impacts = 0;
    while impacts < crate::common::rng::cases(100_000) {
        impacts += world.advance(10.0).unwrap().events;
    }
    let off = (world.energy() - before).abs() / world.kinetic_energy();
    assert!(off <= 1e-11, "off by {off}");
}

/// The ledger accounts for the kinetic energy, forces included.
#[test]
fn the_ledger_closes() {
    for (seed, kind) in (0..50).zip(KINDS.into_iter().cycle()) {
        let mut world = world::<PairTable>(seed, kind, 9);
        let scale = world.kinetic_energy().max(100.0);
        for _ in 0..20 {
            world.advance(0.1).unwrap();
            let off = (world.ledger().total - world.kinetic_energy()).abs() / scale;
            assert!(off <= 1e-12, "seed {seed}, {kind:?}: off by {off}");
        }
    }
}

//! Discs that grow, step by step and from snapshots. That they obey the laws that others do, among walls and
//! in periodic worlds, random games show (`crates/carom-fuzz/tests/games.rs`).

use crate::common::record::{event_bits, state_bits};
use crate::common::rng::{Rng, cases};
use crate::common::stored::advance_with_loaded;
use carom_engine::{DVec2, Disc, Settings, Wall, World};

/// Step by step as in one call, with questions for the next event in between.
#[test]
fn steps_are_those_of_the_whole() {
    let mut steps = 0;
    for seed in 0..cases(20) {
        let mut rng = Rng::new(seed);
        let settings = Settings::default().with_period([Some(10.0); 2]);
        let mut world = World::with_settings(settings).unwrap();
        for k in 0..25 {
            let at = DVec2::new(f64::from(k % 5), f64::from(k / 5)) * 2.0;
            world.insert(Disc::new(at, 0.5).with_velocity(rng.vector(1.0))).unwrap();
        }
        world.set_growth(0.1).unwrap();
        let mut stepped = world.clone();
        world.advance(3.0).unwrap();
        steps += world.events().len();
        for event in world.events() {
            let next = stepped.next_event().unwrap();
            assert_eq!(next.time, event.time());
            stepped.step_event();
            assert_eq!(event_bits(&stepped.events()[0]), event_bits(event));
        }
        stepped.advance_to(world.now()).unwrap();
        assert_eq!(state_bits(&stepped), state_bits(&world));
    }
    assert!(steps > 600, "{steps}");
}

/// What is saved in the middle of it goes on with the same bits, growth included.
#[test]
fn a_saved_world_goes_on_growing() {
    for seed in 0..cases(20) {
        let mut rng = Rng::new(seed);
        let period = [Some(12.0), (seed % 2 == 0).then_some(12.0)];
        let mut world = World::with_settings(Settings::default().with_period(period)).unwrap();
        if period[1].is_none() {
            world.add_wall(Wall::half_plane(DVec2::ZERO, DVec2::Y)).unwrap();
        }
        for k in 0..25 {
            let at = DVec2::new(f64::from(k % 5), f64::from(k / 5)) * 2.3 + 1.1;
            world.insert(Disc::new(at, rng.range(0.2, 0.8)).with_velocity(rng.vector(1.0))).unwrap();
        }
        world.set_growth(rng.pick(&[0.02, 0.1])).unwrap();
        world.advance(1.0 + rng.unit()).unwrap();
        advance_with_loaded(&mut world, 1.0, &format!("seed {seed}"));
        assert!(!world.events().is_empty() && world.growth() > 0.0);
    }
}

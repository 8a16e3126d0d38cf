//! Discs under gravity.

use crate::random::Random;
use carom_engine::{Disc, Forces, SchedulerKind, Settings, Wall, World};
use std::hint::black_box;

fn box_under_gravity(side: f64) -> World<Forces> {
    let forces = Forces::new().with_gravity([0.0, -1.0]).expect("it is in range");
    let settings = Settings::default().with_record_events(false).with_scheduler(SchedulerKind::Table);
    let mut world: World<Forces> = World::with_physics(forces, settings).expect("the settings are in range");
    world.add_wall(Wall::container([0.0, 0.0], [side, side])).expect("it is a box");
    world
}

/// 16 elastic unit discs.
pub(crate) fn gas_under_gravity(events: u64) {
    let (side, mut random) = (13.0, Random(1));
    let mut world = box_under_gravity(side);
    for k in 0..16 {
        let place = [1.7 + 3.2 * f64::from(k % 4), 1.7 + 3.2 * f64::from(k / 4)];
        world.insert(Disc::new(place, 1.0).with_velocity(random.vector(2.0))).expect("there is room");
    }
    for budget in [2000, events] {
        world.set_budget(budget);
        assert_eq!(world.advance(1e9).expect("the time is in range").events, budget);
    }
}

/// Ten discs that lose most of their energy at an impact fall on a heap and come to rest, this many times.
pub(crate) fn heaps(times: u64) {
    let (side, mut random) = (8.0, Random(3));
    let mut start = box_under_gravity(side);
    for k in 0..10 {
        let place = [1.3 + 1.8 * f64::from(k % 4), 1.3 + 2.2 * f64::from(k / 4)];
        let disc = Disc::new(place, 0.8).with_velocity(random.vector(1.0)).with_restitution(0.4);
        start.insert(disc).expect("there is room");
    }
    let mut world = start.clone();
    for _ in 0..times {
        world.clone_from(black_box(&start));
        world.advance_to(20.0).expect("the time is in range");
        black_box(&world);
    }
}

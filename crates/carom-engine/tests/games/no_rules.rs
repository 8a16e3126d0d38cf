//! A judge that has no rules now.

use crate::common::record::{event_bits, state_bits};
use crate::common::rng::Rng;
use crate::common::umpire::Umpire;
use carom_engine::{DVec2, Disc, DiscForces, Forces, Judged, Physics, Settings, Wall, World};

/// Bits of all events and of the states at the end of discs that fall into a box, bounce and come to rest.
fn fallen<P>(physics: P, seed: u64) -> (Vec<u64>, Vec<u64>)
where
    P: Physics<Extra = (), Body = DiscForces, Surface = ()>,
{
    let rng = &mut Rng::new(seed);
    let mut world: World<P> = World::with_physics(physics, Settings::default()).unwrap();
    world.add_wall(Wall::container([-3.0, -3.0], [3.0, 3.0]).with_restitution(0.5)).unwrap();
    // Each column by itself: a heap of all is the work of a minute.
    for x in [-1.5, -0.5, 0.5, 1.5] {
        world.add_wall(Wall::segment([x, -3.0], [x, 3.0]).with_restitution(0.5)).unwrap();
    }
    for k in 0..20 {
        let place = DVec2::new(f64::from(k % 5) - 2.0, f64::from(k / 5) - 1.0);
        let disc = Disc::new(place, 0.375).with_velocity(rng.vector(2.0)).with_restitution(0.5);
        world.insert(disc).unwrap();
    }
    world.advance(6.0).unwrap();
    let events = world.events().iter().flat_map(event_bits).collect();
    (events, state_bits(&world))
}

/// It is not asked, and the run is that of the physics alone, to the last bit.
#[test]
fn a_judge_without_rules_is_none() {
    let gravity = Forces::new().with_gravity([0.0, -4.0]).unwrap();
    for seed in 1..=5 {
        let alone = fallen(gravity, seed);
        assert!(alone.0.len() > 1000, "{}", alone.0.len());
        assert_eq!(fallen(Judged::new(gravity, Umpire::Silent), seed), alone, "{seed}");
    }
}

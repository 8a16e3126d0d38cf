//! Discs of infinite mass that move carry and push what rests on them: as the same in their frame, at rest.

use super::scene::under;
use crate::common::rng::{Rng, cases};
use carom_engine::{
    CastOptions, DVec2, Disc, DiscForces, DiscId, Event, Forces, QueryFilter, Settings, StopReason, Wall,
    World,
};

const G: f64 = 9.81;

fn mover(world: &mut World<Forces>, at: [f64; 2], radius: f64, velocity: [f64; 2]) -> DiscId {
    let disc = Disc::new(at, radius).with_mass(f64::INFINITY).with_velocity(velocity);
    world.insert(disc.with_overlap()).unwrap()
}

/// A disc on top of one that rises at 0.5 m/s rises with it. When that stops, it is thrown up with that
/// speed, is back after 2 v/g, and at rest after v/g · 2/(1 − e). When that is lowered at once it falls after
/// it, and when that is raised it is hit.
#[test]
fn a_disc_rides_on_one_that_rises() {
    let mut world = under([0.0, -G]);
    let lift = mover(&mut world, [0.0, 0.0], 1.0, [0.0, 0.5]);
    let rider =
        world.insert(Disc::new([0.0, 1.25], 0.25).with_velocity([0.0, 0.5]).with_restitution(0.25)).unwrap();
    // Together, e = √(1 · 0.25).
    let e = 0.5;
    world.advance(10.0).unwrap();
    assert_eq!(world.held_to(rider).count(), 1);
    assert_eq!(world.get(rider).unwrap().velocity(), DVec2::new(0.0, 0.5));
    assert!((world.get(rider).unwrap().position() - DVec2::new(0.0, 6.25)).length() < 1e-12);
    world.set_velocity(lift, [0.0, 0.0]).unwrap();
    let thrown = world.now().as_secs();
    world.advance(0.0).unwrap();
    let let_go = world.events().iter().filter(|event| matches!(event, Event::LetGo(_)));
    assert_eq!(let_go.count(), 1, "{:?}", world.events());
    world.advance_until_event(5.0, |event| event.impact().is_some()).unwrap();
    assert!((world.now().as_secs() - thrown - 1.0 / G).abs() < 1e-12);
    world.advance_until_event(5.0, |event| matches!(event, Event::Held(_))).unwrap();
    let rest = (1.0 / G) / (1.0 - e);
    assert!((world.now().as_secs() - thrown - rest).abs() < 1e-6, "{}", world.now().as_secs() - thrown);
    world.advance(1.0).unwrap();
    assert_eq!(world.get(rider).unwrap().velocity(), DVec2::ZERO);
    // Lowered at 1 m/s at once: it falls after it, and is at its speed after v/g, and on it after 2 v/g.
    world.set_velocity(lift, [0.0, -1.0]).unwrap();
    let lowered = world.now().as_secs();
    world.advance_until_event(5.0, |event| event.impact().is_some()).unwrap();
    assert!((world.now().as_secs() - lowered - 2.0 / G).abs() < 1e-9, "{}", world.now().as_secs() - lowered);
    // And raised while it presses again: a blow.
    world.advance(5.0).unwrap();
    assert_eq!(world.held_to(rider).count(), 1);
    world.set_velocity(lift, [0.0, 1.0]).unwrap();
    world.advance(0.0).unwrap();
    let impacts: Vec<_> = world.events().iter().filter_map(Event::impact).collect();
    assert_eq!(impacts.len(), 1, "{:?}", world.events());
    assert!((impacts[0].approach_speed - 2.0).abs() < 1e-12);
    assert!((world.get(rider).unwrap().velocity().y - (1.0 + 2.0 * e)).abs() < 1e-12);
}

/// A disc is pushed up a slope, held between that and what pushes it, at its speed.
#[test]
fn a_disc_is_pushed_up_a_slope() {
    let mut world = under([0.0, -G]);
    // A slope of 3 to 4: along it (0.8, 0.6), normal to it (−0.6, 0.8).
    let (along, normal) = (DVec2::new(0.8, 0.6), DVec2::new(-0.6, 0.8));
    world.add_wall(Wall::half_plane([0.0, 0.0], normal).with_restitution(0.0)).unwrap();
    let pushed = Disc::new(along * 0.5 + normal * 0.25, 0.25).with_restitution(0.0);
    let pushed = world.insert(pushed).unwrap();
    let v = along * 0.4;
    let plunger = mover(&mut world, (normal * 0.5).into(), 0.25, v.into());
    world.set_position(plunger, normal * 0.5 - along).unwrap();
    world.advance(10.0).unwrap();
    let disc = world.get(pushed).unwrap();
    assert_eq!(world.held_to(pushed).count(), 2);
    assert!((disc.velocity() - v).length() < 1e-12, "{}", disc.velocity());
    // It touches both.
    assert!((disc.position().dot(normal) - 0.25).abs() < 1e-10);
    let apart = disc.position() - world.get(plunger).unwrap().position();
    assert!((apart.length() - 0.5).abs() < 1e-10, "{apart}");
    assert!((world.ledger().total - world.kinetic_energy()).abs() < 1e-12, "{:?}", world.ledger());
}

/// Neither a pull of its own nor friction with the table acts on a kinematic disc, which a disc of infinite
/// mass feels; in forecasts and queries neither.
#[test]
fn no_force_acts_on_a_kinematic_disc() {
    let forces = Forces::new().with_weight(G).unwrap();
    let mut world: World<Forces> = World::with_physics(forces, Settings::default()).unwrap();
    for own in [
        DiscForces { acceleration: DVec2::new(0.0, 3.0), ..DiscForces::default() },
        DiscForces { friction: 0.25, ..DiscForces::default() },
    ] {
        let disc = Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0]).with_body(own);
        let mallet = world.insert(disc.kinematic()).unwrap();
        let heavy = world.insert(disc.with_position([0.0, 5.0]).with_mass(f64::INFINITY)).unwrap();
        let start = world.now().as_secs();
        let visitor = disc.with_position([0.0, 10.0]).kinematic();
        let in_its_way = world.insert(Disc::new([2.0, 10.0], 0.5)).unwrap();
        let hit = world.cast_disc(&visitor, &CastOptions::new(), &QueryFilter::new()).unwrap().unwrap();
        assert_eq!(hit.time.as_secs(), start + 1.0);
        world.remove(in_its_way).unwrap();
        world.advance(1.0).unwrap();
        let [straight, bent] = [mallet, heavy].map(|id| world.get(id).unwrap().velocity());
        assert_eq!(straight, DVec2::X);
        assert_ne!(bent, DVec2::X);
        world.move_to_until(mallet, [0.0, 0.0], start + 2.0).unwrap();
        world.advance(1.0).unwrap();
        assert_eq!(world.get(mallet).unwrap().position(), DVec2::ZERO);
        world.remove(mallet).unwrap();
        world.remove(heavy).unwrap();
    }
}

/// A heap in a trough of movers that all have one velocity comes to rest in their frame.
#[test]
fn a_trough_that_moves_carries_its_heap() {
    for seed in 0..cases(8) {
        let velocity = [DVec2::ZERO, DVec2::new(0.5, 0.25)][seed as usize % 2];
        let rng = &mut Rng::new(seed);
        let mut world = under([0.0, -G]);
        for (x, y) in [(-3.0, 3.0), (-2.0, 1.0), (0.0, 0.0), (2.0, 1.0), (3.0, 3.0)] {
            mover(&mut world, [x, y], 1.2, velocity.into());
        }
        // More would not lie in it.
        let n = 1 + seed as usize / 2 % 4;
        for k in 0..n {
            let place = DVec2::new(rng.range(-0.6, 0.6), 2.5 + 1.1 * k as f64);
            let disc = Disc::new(place, 0.4).with_velocity(velocity).with_restitution(0.2);
            world.insert(disc).unwrap();
        }
        let what = format!("seed {seed}, {velocity}");
        assert_eq!(world.advance(10.0).unwrap().end, StopReason::Reached, "{what}");
        let off = (world.ledger().total - world.kinetic_energy()).abs();
        assert!(off < 1e-12 * world.ledger().restitution, "{what}: {:?}", world.ledger());
        for (id, disc) in world.discs().filter(|(_, disc)| disc.mass.is_finite()) {
            assert!((disc.velocity - velocity).length() < 1e-12, "{what}: {}", disc.velocity);
            assert!(world.held_to(id).count() >= 2, "{what}");
        }
    }
}

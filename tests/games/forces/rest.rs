//! Heaps come to rest, stay so, wake when they are hit, and come to rest again.

use super::scene::{heap, under};
use crate::common::rng::{Rng, cases};
use carom_engine::{DVec2, Disc, DiscForces, Forces, Overlap, StopReason, Wall, World};

/// The deepest overlap of two discs, as a fraction of the smaller radius.
fn overlap(world: &World<Forces>) -> f64 {
    let discs: Vec<_> = world.discs().map(|(_, disc)| disc).collect();
    let mut deepest = 0.0_f64;
    for (k, a) in discs.iter().enumerate() {
        for b in &discs[..k] {
            let depth = a.radius + b.radius - (a.position - b.position).length();
            deepest = deepest.max(depth / a.radius.min(b.radius));
        }
    }
    deepest
}

/// Runs until nothing happens any more; returns how many impacts that took, pieces not counted.
fn settle(world: &mut World<Forces>, what: &str) -> u64 {
    let before = (world.counters().events, world.counters().pieces);
    let advance = world.advance(1000.0).unwrap();
    assert_eq!(advance.end, StopReason::Reached, "{what}");
    assert!(world.next_event().is_none(), "{what}: {:?}", world.next_event());
    assert!(world.discs().all(|(_, disc)| disc.velocity == DVec2::ZERO), "{what}: something moves");
    let deepest = overlap(world);
    assert!(deepest <= 1e-9, "{what}: overlap {deepest}");
    let (events, pieces) = (world.counters().events, world.counters().pieces);
    (events - before.0) - (pieces - before.1)
}

#[test]
fn heaps_come_to_rest() {
    let mut most = 0.0_f64;
    for seed in 0..cases(24) {
        let n = [1, 2, 3, 5, 10, 20][seed as usize % 6];
        let e = [0.5, 0.0, 0.8, 0.3][seed as usize / 6 % 4];
        let what = format!("seed {seed}, {n} discs, e = {e}");
        let mut world = heap(seed, n, e);
        let before = world.energy();
        let impacts = settle(&mut world, &what) as f64 / n as f64;
        assert!(impacts <= 2000.0, "{what}: {impacts} impacts a disc");
        most = most.max(impacts);
        let ledger = world.ledger();
        assert!((ledger.total - world.kinetic_energy()).abs() <= 1e-12 * before, "{what}: {ledger:?}");
        assert!(world.energy() <= before, "{what}: energy has risen");
        // A blow on the highest one.
        let highest = world.discs().max_by(|a, b| a.1.position.y.total_cmp(&b.1.position.y)).unwrap().0;
        world.set_velocity(highest, [0.3, -1.0]).unwrap();
        assert!(world.next_event().is_some(), "{what}: it does not wake");
        settle(&mut world, &format!("{what}, after a blow"));
    }
    println!("at most {most} impacts a disc");
}

/// Nothing else happens at the end of a frame than in the middle of it: a heap at rest has no events.
#[test]
fn a_heap_at_rest_wakes_when_its_support_goes_and_gravity_turns() {
    let mut world = heap(4, 5, 0.5);
    settle(&mut world, "heap");
    let resting: Vec<_> = world.discs().map(|(id, disc)| (id, disc.position)).collect();
    assert!(resting.iter().all(|&(id, _)| world.held_to(id).count() > 0));
    // Gravity off and on again: they stay where they are.
    world.set_physics(Forces::new()).unwrap();
    world.advance(1.0).unwrap();
    assert!(resting.iter().all(|&(id, at)| world.get(id).unwrap().position() == at));
    world.set_physics(Forces::new().with_gravity([0.0, 1.0]).unwrap()).unwrap();
    world.advance(0.5).unwrap();
    assert!(resting.iter().all(|&(id, at)| world.get(id).unwrap().position().y > at.y));
    world.set_physics(Forces::new().with_gravity([0.0, -1.0]).unwrap()).unwrap();
    settle(&mut world, "gravity turned back");
    // Without the walls all fall.
    let walls: Vec<_> = world.walls().map(|(id, _)| id).collect();
    for wall in walls {
        world.remove_wall(wall).unwrap();
    }
    let before: Vec<_> = world.discs().map(|(id, disc)| (id, disc.position)).collect();
    world.advance(0.5).unwrap();
    for (id, at) in before {
        let fallen = at.y - world.get(id).unwrap().position().y;
        assert!((fallen - 0.125).abs() < 1e-8, "{id} has fallen by {fallen}");
    }
}

/// Edits of discs that press: what was held to one is settled without it.
#[test]
fn a_heap_takes_edits() {
    let rng = &mut Rng::new(7);
    for seed in 0..cases(12) {
        let mut world = heap(seed, 6, 0.5);
        let what = format!("seed {seed}");
        settle(&mut world, &what);
        for edit in 0..6 {
            let ids: Vec<_> = world.ids().collect();
            let id = rng.pick(&ids);
            match rng.below(6) {
                0 if ids.len() > 2 => drop(world.remove(id).unwrap()),
                1 => world.set_mass(id, rng.range(0.2, 5.0)).unwrap(),
                2 => world.set_velocity(id, rng.vector(2.0)).unwrap(),
                3 => {
                    let own = DiscForces { acceleration: rng.vector(0.5), ..DiscForces::default() };
                    world.set_body(id, own).unwrap();
                }
                4 => {
                    let above = world.discs().map(|(_, disc)| disc.position.y).fold(0.0, f64::max);
                    world.set_position(id, [rng.range(-1.0, 1.0), above + 4.0]).unwrap();
                }
                _ => {
                    let other = rng.pick(&ids);
                    world.set_overlap(id, Overlap::Allow).unwrap();
                    if other != id && world.exclude(id, other).unwrap() {
                        world.advance(0.01).unwrap();
                        _ = world.remove(other).unwrap();
                    }
                }
            }
            world.assert_well_formed();
            let what = format!("{what}, edit {edit}");
            world.advance(rng.range(0.0, 0.5)).unwrap();
            assert!(overlap(&world) <= 1e-9, "{what}: overlap {}", overlap(&world));
            let scale = world.kinetic_energy().max(100.0);
            let off = (world.ledger().total - world.kinetic_energy()).abs() / scale;
            assert!(off <= 1e-12, "{what}: the ledger is off by {off}");
        }
    }
}

/// A box that is carried by nothing: discs that touch at equal velocities press on nothing.
#[test]
fn what_falls_together_is_not_held() {
    let mut world = under([0.0, -1.0]);
    let ids = [0.0, 1.0, 2.0].map(|x| world.insert(Disc::new([x, 5.0], 0.5)).unwrap());
    world.advance(2.0).unwrap();
    assert_eq!(world.counters().events, 0);
    for (id, x) in ids.into_iter().zip([0.0, 1.0, 2.0]) {
        assert_eq!(world.get(id).unwrap().position(), DVec2::new(x, 3.0));
        assert_eq!(world.held_to(id).count(), 0);
    }
    world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0]).with_restitution(0.0)).unwrap();
    world.advance(5.0).unwrap();
    assert!(ids.into_iter().all(|id| world.held_to(id).count() == 1));
}

/// What slides along a wall leaves it at its end: a segment, and an arc, to the closed form of a free fall
/// from there.
#[test]
fn a_disc_leaves_a_wall_over_its_end() {
    let walls = [
        Wall::segment([0.0, 1.3], [1.5, 1.1]),
        Wall::arc([0.0, 0.22], 0.22, -std::f64::consts::FRAC_PI_2, 1.5),
    ];
    let discs = [
        Disc::new([0.15, 1.39], 0.02).with_restitution(0.5),
        Disc::new([0.1414, 0.08], 0.02).with_velocity([-2.0, -1.5]).with_restitution(0.5),
    ];
    for (wall, disc) in walls.into_iter().zip(discs) {
        let mut world = under([0.0, -9.81]);
        world.add_wall(wall.with_restitution(0.5)).unwrap();
        let ball = world.insert(disc).unwrap();
        let before = world.energy();
        assert_eq!(world.advance(5.0).unwrap().end, StopReason::Reached);
        assert!(world.next_event().is_none() && world.held_to(ball).count() == 0);
        assert!(world.counters().events < 200, "{} events", world.counters().events);
        assert!(world.energy() < before && world.get(ball).unwrap().position().y < -10.0);
    }
}

/// A disc that nothing pulls comes to rest on a floor against which another one presses it: what falls is the
/// cluster. Both then run along the floor as one, with the acceleration of the whole, 0.2/3.
#[test]
fn a_disc_is_pressed_to_the_floor_by_another() {
    let mut world = under([0.0, 0.0]);
    world.set_budget(20_000);
    world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0]).with_restitution(0.3)).unwrap();
    let drive = DiscForces { acceleration: DVec2::new(0.2, -2.0), ..DiscForces::default() };
    let insert = |world: &mut World<Forces>, place: [f64; 2], radius: f64, mass: f64, body: DiscForces| {
        let disc = Disc::new(place, radius).with_mass(mass).with_body(body);
        world.insert(disc.with_restitution(0.3)).unwrap()
    };
    let big = insert(&mut world, [0.0, 0.5], 0.5, 1.0, drive);
    let small = insert(&mut world, [0.6, 0.13], 0.125, 2.0, DiscForces::default());
    let advance = world.advance(20.0).unwrap();
    assert_eq!(advance.end, StopReason::Reached);
    assert!(advance.events < 500, "{} events", advance.events);
    assert!(overlap(&world) <= 1e-9);
    for id in [big, small] {
        let acceleration = world.get(id).unwrap().acceleration();
        assert_eq!(world.held_to(id).count(), 2);
        assert!((acceleration - DVec2::new(0.2 / 3.0, 0.0)).length() <= 1e-12, "{acceleration}");
    }
}

/// Two walls in one place hold a disc as one does: once it lies there nothing happens any more.
#[test]
fn a_disc_rests_on_two_walls_in_one_place() {
    for e in [0.0, 0.5] {
        let mut world = under([0.0, -3.0]);
        for _ in 0..2 {
            world.add_wall(Wall::half_plane([0.0, -2.0], [-1.0, 2.0]).with_restitution(e)).unwrap();
            world.add_wall(Wall::half_plane([0.0, -2.0], [1.0, 2.0]).with_restitution(e)).unwrap();
        }
        let disc = world.insert(Disc::new([0.3, 0.5], 0.25).with_restitution(e)).unwrap();
        let report = world.advance(100.0).unwrap();
        assert_eq!(report.end, StopReason::Reached, "e = {e}");
        assert_eq!(world.get(disc).unwrap().velocity(), DVec2::ZERO, "e = {e}");
        assert_eq!(world.advance(1000.0).unwrap().events, 0, "e = {e}");
    }
}

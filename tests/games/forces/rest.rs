//! Heaps come to rest, stay so, wake when they are hit, and come to rest again. That they take edits of all
//! kinds, random games show (`crates/carom-fuzz/tests/games.rs`).

use super::scene::{heap, heap_by, under};
use crate::common::record::deepest_overlap_by;
use crate::common::rng::cases;
use carom_engine::{DVec2, Disc, DiscForces, Forces, Rest, SchedulerKind, StopReason, Wall, World};

/// The deepest overlap of two discs, as a fraction of the smaller radius.
fn overlap(world: &World<Forces>) -> f64 {
    deepest_overlap_by(world, |depth, [(_, a), (_, b)]| depth / a.radius.min(b.radius))
}

/// Overlaps come to three times the largest gap inside of a piece, as several pieces add up
/// (`resting.md`).
fn allowed_overlap(rest: &Rest) -> f64 {
    4.0 * rest.gap
}

/// Runs until nothing happens any more; returns how many impacts that took, pieces not counted.
fn settle(world: &mut World<Forces>, what: &str) -> u64 {
    let before = (world.counters().events, world.counters().pieces);
    let advance = world.advance(1000.0).unwrap();
    assert_eq!(advance.end, StopReason::Reached, "{what}");
    assert!(world.next_event().is_none(), "{what}: {:?}", world.next_event());
    assert!(world.discs().all(|(_, disc)| disc.velocity == DVec2::ZERO), "{what}: something moves");
    let deepest = overlap(world);
    let allowed = allowed_overlap(&world.settings().rest.unwrap());
    assert!(deepest <= allowed, "{what}: overlap {deepest}");
    let (events, pieces) = (world.counters().events, world.counters().pieces);
    (events - before.0) - (pieces - before.1)
}

#[test]
fn heaps_come_to_rest() {
    let mut most = 0.0_f64;
    for seed in 0..cases(24) {
        let n = [1, 2, 3, 5, 10, 20][seed as usize % 6];
        let e = [0.5, 0.0, 0.8, 0.3][seed as usize / 6 % 4];
        let rest = if (seed + seed / 6) % 2 == 0 { Rest::strict() } else { Rest::default() };
        let what = format!("seed {seed}, {n} discs, e = {e}, {rest:?}");
        let mut world = heap_by(rest, seed, n, e);
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

/// Of two walls in one place one goes while a disc that bounced off both is in flight, and another lies on
/// them: the one in flight comes back to the wall that is left, `2v/g` after it rose from there with speed
/// `v`, and to nothing before.
#[test]
fn a_wall_goes_from_beside_another_in_its_place() {
    for kind in [SchedulerKind::Table, SchedulerKind::Grid] {
        let mut world = under([-3.0, 0.0]);
        world.set_scheduler(kind).unwrap();
        let container = |e| Wall::container([-4.0, -4.0], [4.0, 4.0]).with_restitution(e);
        let first = world.add_wall(container(0.75)).unwrap();
        world.add_wall(container(0.5)).unwrap();
        let flying = world.insert(Disc::new([0.0, 0.0], 0.125)).unwrap();
        let lying = world.insert(Disc::new([1.0, 3.0], 0.125).with_restitution(0.0)).unwrap();
        let hit = world.step_event().time.as_secs();
        let rise = world.get(flying).unwrap().velocity().x;
        world.advance(0.3).unwrap();
        assert!(world.held_to(lying).next().is_some());
        world.remove_wall(first).unwrap();
        world.assert_well_formed();
        let mut next = world.next_event().unwrap();
        while next.time == world.now() {
            world.step_event();
            next = world.next_event().unwrap();
        }
        let expected = hit + 2.0 * rise / 3.0;
        assert!((next.time.as_secs() - expected).abs() < 1e-12, "{next:?} in place of {expected}");
    }
}

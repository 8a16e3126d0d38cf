//! Edits of many discs at once do what single ones do, in one piece.

use crate::common::record::event_bits;
use crate::common::rng::Rng;
use carom_engine::{DVec2, Disc, DiscId, Error, Overlap, SchedulerKind, Settings, Wall, World};

/// A box of discs of random places and velocities.
fn crowd(kind: SchedulerKind, rng: &mut Rng) -> (World, Vec<DiscId>) {
    let mut world = World::with_settings(Settings::default().with_scheduler(kind)).unwrap();
    world.add_wall(Wall::container([0.0, 0.0], [20.0, 20.0])).unwrap();
    while world.len() < 40 {
        let place = DVec2::new(rng.range(1.0, 19.0), rng.range(1.0, 19.0));
        _ = world.insert(Disc::new(place, rng.range(0.2, 0.8)).with_velocity(rng.vector(3.0)));
    }
    world.advance(1.0).unwrap();
    let ids = world.ids().collect();
    (world, ids)
}

/// The events from here on, to the bit.
fn future(mut world: World) -> Vec<Vec<u64>> {
    world.assert_well_formed();
    world.advance(3.0).unwrap();
    world.events().iter().map(event_bits).collect()
}

/// An edit of all discs of a box, and the same one by one: the same events from there on.
fn assert_alike(seed: u64, edit: impl Fn([&mut World; 2], &[DiscId], &mut Rng)) {
    for kind in [SchedulerKind::Table, SchedulerKind::Grid] {
        let mut rng = Rng::new(seed);
        let (mut world, ids) = crowd(kind, &mut rng);
        let mut single = world.clone();
        edit([&mut world, &mut single], &ids, &mut rng);
        assert!(world.discs().eq(single.discs()));
        assert_eq!(future(world), future(single));
    }
}

#[test]
fn velocities_set_at_once_are_those_set_one_by_one() {
    assert_alike(1, |[world, single], ids, rng| {
        let mut all: Vec<_> = ids.iter().map(|&id| (id, rng.vector(5.0))).collect();
        all.push((ids[0], DVec2::X));
        world.set_velocities(&all).unwrap();
        all.iter().for_each(|&(id, velocity)| single.set_velocity(id, velocity).unwrap());
    });
}

/// With one bad entry anywhere nothing changes.
#[test]
fn a_refusal_changes_nothing() {
    let (mut world, ids) = crowd(SchedulerKind::Table, &mut Rng::new(3));
    let before = future(world.clone());
    let gone = world.insert(Disc::new([0.1, 0.1], 0.05)).unwrap();
    world.remove(gone).unwrap();
    let corner = DVec2::new(0.9, 0.9);
    for bad in [(ids[3], DVec2::new(f64::NAN, 0.0)), (gone, DVec2::ZERO)] {
        assert!(world.set_velocities(&[(ids[0], DVec2::X), bad]).is_err());
        assert!(world.set_positions(&[(ids[0], corner), bad]).is_err());
    }
    // Into a wall, onto one that stays, onto one that moves.
    let staying = world.get(ids[5]).unwrap().position();
    for bad in [DVec2::ZERO, staying, corner] {
        let refused = world.set_positions(&[(ids[0], corner), (ids[1], bad)]);
        assert!(
            matches!(refused, Err(Error::OverlapsDisc { .. } | Error::OverlapsWall { .. })),
            "{refused:?}"
        );
    }
    assert_eq!(future(world), before);
}

/// Random discs trade places with others of the same radius: the result is that of single moves with leave to
/// overlap on the way.
#[test]
fn discs_take_each_others_places() {
    assert_alike(4, |[world, single], ids, rng| {
        for &id in ids {
            world.set_radius(id, 0.2).unwrap();
            single.set_radius(id, 0.2).unwrap();
        }
        let places: Vec<DVec2> = ids.iter().map(|&id| world.get(id).unwrap().position()).collect();
        let order = rng.permutation(ids.len());
        let all: Vec<_> = ids.iter().zip(&order).map(|(&id, &k)| (id, places[k])).collect();
        for &(id, place) in &all {
            single.set_overlap(id, Overlap::Allow).unwrap();
            single.set_position(id, place).unwrap();
            single.set_overlap(id, Overlap::Refuse).unwrap();
        }
        world.set_positions(&all).unwrap();
    });
}

#[test]
fn discs_that_are_not_retained_are_gone() {
    assert_alike(6, |[world, single], ids, _| {
        world.retain(|disc| disc.velocity().x > 0.0);
        for &id in ids.iter().filter(|&&id| !world.contains(id)) {
            assert!(single.remove(id).unwrap().velocity.x <= 0.0);
        }
        assert!(world.len() > 5 && world.len() < 35);
        assert!(world.discs().all(|(_, disc)| disc.velocity.x > 0.0));
    });
}

/// A cleared world is as good as a new one of the same time, except for its handles, serial numbers and
/// counters.
#[test]
fn a_cleared_world_can_be_filled_again() {
    for kind in [SchedulerKind::Table, SchedulerKind::Grid] {
        let (mut world, ids) = crowd(kind, &mut Rng::new(7));
        // On its way when it goes: it arrives nowhere.
        let mallet = world.insert(Disc::new([30.0, 30.0], 0.5).kinematic()).unwrap();
        world.move_to_until(mallet, [31.0, 30.0], 2.0).unwrap();
        world.clear();
        assert_eq!((world.len(), world.walls().count(), world.next_event()), (0, 0, None));
        assert!(ids.iter().all(|&id| world.get(id).is_none()));
        world.advance(1.0).unwrap();
        let again = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0])).unwrap();
        assert!(!ids.contains(&again));
        world.insert(Disc::new([3.0, 0.0], 0.5)).unwrap();
        assert_eq!(world.advance(10.0).unwrap().events, 1);
    }
}

#[test]
fn impulses_change_velocities_by_mass() {
    let mut world = World::new();
    let heavy = world.insert(Disc::new([0.0, 0.0], 0.5).with_mass(4.0)).unwrap();
    let wall = world.insert(Disc::new([5.0, 0.0], 0.5).with_mass(f64::INFINITY)).unwrap();
    let tracer = world.insert(Disc::new([9.0, 0.0], 0.5).with_mass(0.0)).unwrap();
    world.apply_impulse(heavy, [2.0, -6.0]).unwrap();
    world.apply_impulse(wall, [1e9, 0.0]).unwrap();
    let velocity = |id| world.get(id).unwrap().velocity();
    assert_eq!((velocity(heavy), velocity(wall)), (DVec2::new(0.5, -1.5), DVec2::ZERO));
    let refused = world.apply_impulse(tracer, [1.0, 0.0]);
    assert!(matches!(refused, Err(Error::Inconsistent { field: "mass", .. })), "{refused:?}");
    for bad in [[f64::NAN, 0.0], [0.0, f64::INFINITY]] {
        assert!(matches!(world.apply_impulse(heavy, bad), Err(Error::OutOfRange { .. })));
    }
}

/// A turn of contest games: a second of play, after which places are rounded, and velocities multiplied by
/// 0.85 and cut to whole numbers, all in one edit each. From 100 a turn a disc is at 100, 185, 257, 318, …,
/// as reckoned in whole numbers, and at rest after 20 turns.
#[test]
fn velocities_fall_turn_by_turn_as_contest_games_round_them() {
    let mut world = World::new();
    let starts = [(100_i64, -37_i64), (-640, 512), (7, 3)];
    let mut expected: Vec<[(i64, i64); 2]> = Vec::new();
    for (k, (vx, vy)) in (0..).zip(starts) {
        let at = (0, 10_000 * k);
        let disc = Disc::new([at.0 as f64, at.1 as f64], 400.0).with_velocity([vx as f64, vy as f64]);
        world.insert(disc).unwrap();
        expected.push([at, (vx, vy)]);
    }
    for turn in 1..=60 {
        world.advance(1.0).unwrap();
        let places: Vec<_> = world.discs().map(|(id, disc)| (id, disc.position.round())).collect();
        let slowed: Vec<_> = world.discs().map(|(id, disc)| (id, (disc.velocity * 0.85).trunc())).collect();
        world.set_positions(&places).unwrap();
        world.set_velocities(&slowed).unwrap();
        for (disc, [at, v]) in world.discs().map(|(_, disc)| disc).zip(&mut expected) {
            *at = (at.0 + v.0, at.1 + v.1);
            *v = (v.0 * 85 / 100, v.1 * 85 / 100);
            assert_eq!(disc.position, DVec2::new(at.0 as f64, at.1 as f64), "turn {turn}");
            assert_eq!(disc.velocity, DVec2::new(v.0 as f64, v.1 as f64), "turn {turn}");
        }
    }
    assert_eq!(world.kinetic_energy(), 0.0);
}

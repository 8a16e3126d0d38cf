//! What the work of an event is: counted, as the pair table promises.

use carom_engine::{Counters, DVec2, Disc, DiscId, Partner, Rules, SchedulerKind, Wall, World};

/// `n` discs that drift slowly, far from each other.
fn drifting(n: usize) -> (World, Vec<DiscId>) {
    let mut world = World::new();
    let ids = (0..n).map(|k| {
        let (x, y) = ((k % 7) as f64 * 10.0, (k / 7) as f64 * 10.0);
        let velocity = DVec2::new(0.3 * ((k * 5) % 11) as f64 - 1.5, 0.2 * ((k * 3) % 13) as f64 - 1.3);
        world.insert(Disc::new(DVec2::new(x, y), 0.7).with_velocity(velocity)).unwrap()
    });
    let ids = ids.collect();
    (world, ids)
}

fn cost(world: &mut World, action: impl FnOnce(&mut World)) -> (u64, u64) {
    _ = world.scheduled();
    let before = world.counters();
    action(world);
    _ = world.scheduled();
    let after = world.counters();
    (after.pair_times - before.pair_times, after.solo_times - before.solo_times)
}

/// DESIGN: N(N−1)/2 pairs and the diagonal. An impact of two discs changes the rows and columns of both,
/// which share one entry: 2(N − 1) − 1 pair times and 2 on the diagonal. An impact with a wall N − 1 and 1.
#[test]
fn an_impact_recomputes_what_it_touched() {
    for n in [2, 3, 8, 9, 30, 64, 65, 130] {
        let (mut world, _) = drifting(n);
        world.set_scheduler(SchedulerKind::Table).unwrap();
        world.add_wall(Wall::container(DVec2::splat(-5.0), DVec2::new(65.0, 190.0))).unwrap();
        let (mut discs, mut walls) = (0, 0);
        for _ in 0..300 {
            let (pairs, solos) = cost(&mut world, |world| {
                assert_eq!(world.step_event().events, 1);
            });
            assert_eq!(world.events().len(), 1, "no groups here");
            let n = n as u64;
            match world.events()[0].impact().unwrap().b {
                Partner::Disc(_) => {
                    assert_eq!((pairs, solos), (2 * n - 3, 2), "{n} discs");
                    discs += 1;
                }
                Partner::Wall { .. } => {
                    assert_eq!((pairs, solos), (n - 1, 1), "{n} discs, at a wall");
                    walls += 1;
                }
            }
        }
        assert!(discs > 0 && walls > 0, "{n}: {discs} and {walls}");
    }
}

/// Edits mark, recomputing waits: k different discs edited cost one rescheduling in which a pair of two of
/// them is computed once, k(N − 1) − k(k − 1)/2 in all.
#[test]
fn edits_in_a_row_cost_one_rescheduling() {
    for n in [4, 5, 16, 96] {
        for k in 1..=4 {
            let (mut world, ids) = drifting(n);
            let (pairs, solos) = cost(&mut world, |world| {
                for (i, &id) in ids[..k].iter().enumerate() {
                    world.set_velocity(id, DVec2::new(1.0 + i as f64, -0.5)).unwrap();
                }
            });
            assert_eq!(pairs as usize, k * (n - 1) - k * (k - 1) / 2, "{k} of {n}");
            assert_eq!(solos as usize, k);
        }
    }
}

/// Any number of edits of one disc cost one rescheduling of that disc: N − 1 pair times and one on the
/// diagonal.
#[test]
fn edits_of_one_disc_cost_once() {
    let (mut world, ids) = drifting(20);
    let counted = cost(&mut world, |world| {
        for k in 0..50 {
            world.set_velocity(ids[3], DVec2::new(f64::from(k), 1.0)).unwrap();
            world.set_radius(ids[3], 0.5 + 0.001 * f64::from(k)).unwrap();
        }
    });
    assert_eq!(counted, (19, 1));
    // An edit that rewrites nothing costs nothing, and neither does a refused one.
    let counted = cost(&mut world, |world| {
        world.set_mass(ids[3], 2.0).unwrap();
        world.set_restitution(ids[3], 0.5).unwrap();
        world.set_user_data(ids[3], 1).unwrap();
        world.set_velocity(ids[3], DVec2::NAN).unwrap_err();
        world.set_radius(ids[3], 100.0).unwrap_err();
        world.insert(Disc::new(DVec2::ZERO, 1.0)).unwrap_err();
    });
    assert_eq!(counted, (0, 0));
    // Inserted and removed again, edited and removed: nothing to recompute.
    let counted = cost(&mut world, |world| {
        let id = world.insert(Disc::new(DVec2::new(-30.0, 0.0), 1.0)).unwrap();
        world.remove(id).unwrap();
        world.set_velocity(ids[4], DVec2::ZERO).unwrap();
        world.remove(ids[4]).unwrap();
    });
    assert_eq!(counted, (0, 0));
}

/// A wall changes what discs do on their own and no pair: with the table N on the diagonal, and the N − 1
/// pairs of a disc whose velocity is set beside it.
#[test]
fn walls_cost_no_pair_times() {
    for n in [4, 9, 40, 96] {
        let (mut world, ids) = drifting(n);
        world.set_scheduler(SchedulerKind::Table).unwrap();
        world.add_wall(Wall::container(DVec2::splat(-5.0), DVec2::new(65.0, 190.0))).unwrap();
        world.advance(7.0).unwrap();
        let mut door = None;
        let counted = cost(&mut world, |world| {
            door = Some(world.add_wall(Wall::segment([-4.0, 170.0], [60.0, 171.0])).unwrap());
        });
        assert_eq!(counted, (0, n as u64), "{n} discs, a wall goes up");
        let door = door.unwrap();
        let counted =
            cost(&mut world, |world| world.set_wall_rules(door, Rules::new().with_mask(0)).unwrap());
        assert_eq!(counted, (0, n as u64), "{n} discs, it opens");
        let counted = cost(&mut world, |world| {
            world.remove_wall(door).unwrap();
            world.set_velocity(ids[1], DVec2::new(1.0, -0.5)).unwrap();
        });
        assert_eq!(counted, (n as u64 - 1, n as u64), "{n} discs, it goes, and one has another velocity");
    }
}

/// Frames and queries between events recompute nothing.
#[test]
fn quiet_frames_cost_nothing() {
    let (mut world, _) = drifting(12);
    world.add_wall(Wall::container(DVec2::splat(-5.0), DVec2::splat(65.0))).unwrap();
    let next = world.next_event().unwrap().time;
    let before: Counters = world.counters();
    let frames = 200;
    for frame in 1..frames {
        world.advance_to(next.as_secs() * f64::from(frame) / f64::from(frames)).unwrap();
        let _ = (world.next_event(), world.kinetic_energy(), world.momentum(), world.clone());
    }
    assert_eq!(world.counters(), before);
}

/// What events are counted as: each group once, each contact by its kind.
#[test]
fn events_and_impacts_are_counted() {
    let (mut world, _) = drifting(40);
    world.add_wall(Wall::container(DVec2::splat(-5.0), DVec2::splat(65.0))).unwrap();
    let (mut events, mut discs, mut walls) = (0, 0, 0);
    for _ in 0..200 {
        events += world.advance(0.5).unwrap().events;
        for event in world.events() {
            match event.impact().unwrap().b {
                Partner::Disc(_) => discs += 1,
                Partner::Wall { .. } => walls += 1,
            }
        }
    }
    let counters = world.counters();
    assert!(discs > 30 && walls > 30, "{discs} {walls}");
    assert_eq!((counters.events, counters.disc_impacts, counters.wall_impacts), (events, discs, walls));
    assert_eq!((counters.changes, counters.ledger.collapse), (0, 0.0));
    assert!(counters.roots <= counters.pair_times);
}

//! Work is bounded in operations, whatever the flight: bookkeeping where nothing meets ends.

use crate::common::by::By;
use crate::common::rng::Rng;
use carom_engine::{DVec2, Disc, Settings, StopReason, World};

fn world(by: By, period: [Option<f64>; 2]) -> World {
    by.world(Settings::default().with_period(period))
}

/// Pair times and rebuilt neighbourhoods so far.
fn work(world: &World) -> u64 {
    let counters = world.counters();
    counters.pair_times + counters.row_searches
}

/// Discs that fly apart in the open plane: neighbourhoods are left for ever, and no pair meets.
fn flying_apart(by: By, discs: usize) -> World {
    let mut world = world(by, [None; 2]);
    let mut rng = Rng::new(3);
    let side = (discs as f64).sqrt() as usize;
    for k in 0..discs {
        let place = DVec2::new((k % side) as f64, (k / side) as f64) - 0.5 * side as f64;
        // An expansion about the origin, in which distances only grow.
        let position = 3.0 * place + rng.vector(0.3);
        world.insert(Disc::new(position, 1.0).with_velocity(position)).unwrap();
    }
    world
}

#[test]
fn a_lone_disc_flies_a_thousand_million_periods() {
    for by in [By::Grid, By::Table] {
        for period in [[Some(1.0), Some(1.0)], [Some(1.0), None], [None, Some(1.0)]] {
            let mut world = world(by, period);
            let disc = Disc::new(DVec2::splat(0.5), 0.1).with_velocity(DVec2::new(1.0, 0.618));
            let id = world.insert(disc).unwrap();
            for _ in 0..10 {
                assert_eq!(world.advance(1e8).unwrap().end, StopReason::Reached);
            }
            assert!(world.next_event().is_none());
            let velocity = world.get(id).unwrap().velocity();
            assert_eq!(velocity, DVec2::new(1.0, 0.618));
            assert!(work(&world) < 100, "{}", work(&world));
        }
    }
}

/// Discs that fly side by side, or on tracks that never meet, and one that meets another after 10⁶ periods.
#[test]
fn discs_that_do_not_meet_cost_one_search() {
    fn run(by: By) -> [u64; 2] {
        let mut world = world(by, [Some(1.0), Some(1.0)]);
        for k in 0..40 {
            let place = DVec2::new(0.1 * f64::from(k % 10), 0.2 * f64::from(k / 10) + 0.1);
            world.insert(Disc::new(place, 0.04).with_velocity(DVec2::new(1.0, 0.0))).unwrap();
        }
        // Slower by 10⁻⁷: it comes to where it touches the next one after 0.02 · 10⁷ s.
        let late = DVec2::new(0.05, 0.95);
        world.insert(Disc::new(late, 0.04).with_velocity(DVec2::new(1.0, 0.0))).unwrap();
        let other = DVec2::new(0.15, 0.95);
        world.insert(Disc::new(other, 0.04).with_velocity(DVec2::new(1.0 - 1e-7, 0.0))).unwrap();
        let advance = world.advance(1e6).unwrap();
        assert_eq!((advance.end, advance.time.as_secs()), (StopReason::Reached, 1e6));
        [advance.events, work(&world)]
    }
    let ([events, work], [of_table, _]) = (run(By::Grid), run(By::Table));
    assert_eq!(events, of_table);
    assert!(events > 0 && work < 20_000 * events, "{events} {work}");
}

#[test]
fn nothing_in_sight_is_found_once_and_remembered() {
    let mut world = flying_apart(By::Grid, 3000);
    assert!(world.next_event().is_none());
    let once = work(&world);
    // Each pair once, and some ten neighbourhoods a disc with up to eight neighbours each.
    assert!(once < 3000 * 3000 / 2 + 100 * 3000, "{once}");
    assert_eq!(world.step_event().events, 0);
    assert!(world.next_event().is_none());
    for _ in 0..100 {
        assert_eq!(world.advance(1e6).unwrap().events, 0);
    }
    assert_eq!(work(&world), once);
}

/// What was found in a search among all pairs is forgotten when anything is edited, and lists are right
/// again.
#[test]
fn edits_after_a_search_are_seen() {
    fn run(by: By, edit: u32) -> World {
        let mut world = flying_apart(by, 100);
        let ids: Vec<_> = world.discs().map(|(id, _)| id).collect();
        assert!(world.next_event().is_none());
        world.advance(50.0).unwrap();
        world.assert_well_formed();
        // At ten times the way a second: it meets that disc, or one before.
        let aimed = |from: usize, at: usize, world: &World| {
            let [from, to] = [from, at].map(|k| world.get(ids[k]).unwrap().position());
            world.get(ids[at]).unwrap().velocity() + 10.0 * (to - from)
        };
        match edit {
            0 => world.set_velocity(ids[0], aimed(0, 57, &world)).unwrap(),
            1 => world.remove(ids[7]).map(|_| ()).unwrap(),
            2 => world.set_position(ids[9], DVec2::new(-3000.0, 1000.0)).unwrap(),
            3 => {
                let velocity = -10.0 * (DVec2::splat(1e4) - world.get(ids[40]).unwrap().position());
                let disc = Disc::new(DVec2::splat(1e4), 2.0).with_velocity(velocity);
                world.insert(disc).map(|_| ()).unwrap();
            }
            _ => world.set_velocity(ids[50], aimed(50, 3, &world)).unwrap(),
        }
        world.assert_well_formed();
        world.advance(1e3).unwrap();
        world.assert_well_formed();
        world
    }
    let mut events = 0;
    for edit in 0..5 {
        let (grid, table) = (run(By::Grid, edit), run(By::Table, edit));
        assert_eq!(grid.diff(&table), None, "edit {edit}");
        events += grid.counters().events;
    }
    assert!(events > 3, "{events}");
}

/// At packing 0.01 a disc crosses some two circles between impacts, each with a dozen others, and meets one
/// in twenty of these: the grid lists those alone that it may meet on its path. With all of them in the lists
/// there are 80 pair times an event.
#[test]
fn a_dilute_gas_looks_at_few_pairs() {
    let pitch = (0.25 * core::f64::consts::PI / 0.01).sqrt();
    let (discs, across, rng) = (500, 500_f64.sqrt().ceil(), &mut Rng::new(3));
    let mut world = world(By::Grid, [Some(across * pitch); 2]);
    for k in 0..discs {
        let place = DVec2::new(f64::from(k) % across, (f64::from(k) / across).floor()) + 0.5;
        let disc = Disc::new(place * pitch + rng.vector(0.1), 0.5).with_velocity(rng.vector(1.0));
        world.insert(disc).unwrap();
    }
    world.set_budget(10_000);
    world.advance(1e6).unwrap();
    let before = world.counters();
    world.advance(1e6).unwrap();
    let after = world.counters();
    let pair_times = after.pair_times - before.pair_times;
    let events = after.events - before.events;
    assert!(events == 10_000 && pair_times < 16 * events, "{pair_times} for {events}");
}

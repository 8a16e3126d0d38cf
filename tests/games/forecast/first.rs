//! The first impact of some kind is the first among all that happen.

use super::plain;
use crate::common::by::By;
use crate::common::rng::{Rng, cases};
use carom_engine::{Disc, Event, Forecast, Impact, PathEnd, Settings, StopReason, Wall, World};

/// The first impact of one disc with another, as forecast; and as it happens.
fn of(by: By, seed: u64) -> [Option<Impact>; 2] {
    let mut rng = Rng::new(seed);
    let mut world = plain(by, &mut rng, Settings::default().with_budget(300), 0.2);
    let discs: Vec<_> = world.ids().collect();
    if discs.len() < 2 {
        return [None; 2];
    }
    let [one, other] = [discs[0], discs[rng.below(discs.len())]];
    let is_wanted = |impact: &Impact| impact.involves(one) || impact.involves(other);
    let (before, mut forecast) = (world.clone(), Forecast::new());
    let found = forecast.first_impact(&world, 1.0, is_wanted).unwrap();
    assert_eq!(world.diff(&before), None);
    assert!(forecast.is_current(&world) && forecast.pieces().is_empty());
    let (advance, events) = by.advance(&mut world, 1.0);
    let end = match (found, advance.end) {
        (Some(_), _) => PathEnd::Impacts,
        (None, StopReason::Reached) => PathEnd::Time,
        (None, ended) => PathEnd::Stopped(ended),
    };
    assert_eq!(forecast.end(), end, "seed {seed}");
    [found, events.iter().filter_map(Event::impact).copied().find(is_wanted)]
}

#[test]
fn the_first_impact_is_the_first_that_happens() {
    let mut count = [0; 2];
    for seed in 0..cases(120) {
        let [found, happened] = of(By::Table, seed);
        assert_eq!(found, happened, "seed {seed}");
        assert_eq!([found; 2], of(By::Grid, seed), "seed {seed}, grid");
        if seed % 4 == 0 {
            assert_eq!([found; 2], of(By::Rescan, seed), "seed {seed}, rescan");
        }
        count[usize::from(found.is_some())] += 1;
    }
    assert!(count.iter().all(|&count| count > 20), "{count:?}");
}

#[test]
fn a_budget_that_is_used_up_is_no_answer() {
    let mut world = World::with_settings(Settings::default().with_budget(10)).unwrap();
    world.add_wall(Wall::container([0.0, 0.0], [4.0, 4.0])).unwrap();
    world.insert(Disc::new([2.0, 2.0], 0.5).with_velocity([30.0, 0.0])).unwrap();
    let mut forecast = Forecast::new();
    assert_eq!(forecast.first_impact(&world, 10.0, |_| false), Ok(None));
    assert_eq!(forecast.end(), PathEnd::Stopped(StopReason::OutOfBudget));
    assert_eq!(forecast.first_impact(&world, 0.1, |_| false), Ok(None));
    assert_eq!(forecast.end(), PathEnd::Time);
}

/// What is wanted is asked of no impact after the one that is found, though the group is resolved to its end.
#[test]
fn nothing_is_asked_after_the_answer() {
    let mut world = World::new();
    for x in [0.0, 1.0, 2.0, 3.0] {
        world.insert(Disc::new([x, 0.0], 0.5).with_restitution(0.5)).unwrap();
    }
    world.insert(Disc::new([-3.0, 0.0], 0.5).with_velocity([1.0, 0.0])).unwrap();
    let (mut asked, mut forecast) = (0, Forecast::new());
    let found = forecast.first_impact(&world, 10.0, |_| {
        asked += 1;
        true
    });
    assert!(found.unwrap().is_some());
    assert_eq!(asked, 1);
}

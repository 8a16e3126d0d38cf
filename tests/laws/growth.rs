//! Discs that grow obey the laws that others do: every scheduler finds the same events to the last bit,
//! whatever the cuts of time and the edits on the way, and a world that was saved goes on as it would have.

use crate::common::by::By;
use crate::common::program::{build, edit};
use crate::common::record::{Seen, assert_same, event_bits, events_in, state_bits};
use crate::common::rng::{Rng, cases};
use crate::common::stored::advance_with_loaded;
use carom_engine::{DVec2, Disc, DiscId, Error, Settings, StopReason, Wall, WallId, World};

/// One of the things that growth is edited by.
pub(crate) fn edit_growth(world: &mut World, rng: &mut Rng) -> Result<(), Error> {
    match rng.below(6) {
        0 => world.set_growth(0.0),
        1 => world.scale_velocities(rng.pick(&[0.0, 0.5, 0.9, 1.0, 2.0])),
        _ => world.set_growth(rng.pick(&[1e-6, 0.01, 0.1, 0.1, 1.0, 30.0])),
    }
}

/// Some seconds in `pieces` calls. Whether to go on.
fn advance(by: By, world: &mut World, length: f64, pieces: u32, seen: &mut Vec<Seen>) -> bool {
    let from = world.now();
    for k in 1..=pieces {
        let part = if k == pieces { 1.0 } else { f64::from(k) / f64::from(pieces) };
        let to = world.clock().after(from, length * part);
        let (advance, events) = by.advance_to(world, to);
        seen.extend(events.iter().map(Seen::event));
        match advance.end {
            StopReason::Reached => {}
            StopReason::Outgrown => {
                // The others of these calls end at the same moment.
                seen.push(Seen::Edit(format!("outgrown at {:?}", advance.time)));
                return false;
            }
            StopReason::OutOfBudget => {
                seen.push(Seen::TooMany);
                return false;
            }
            other => unreachable!("{other:?}"),
        }
    }
    seen.push(Seen::states(world));
    true
}

/// A world as in the other laws: gases, racks and lattices, of all masses and restitutions, with walls of all
/// forms, of which those with hollow sides are taken down again.
fn in_the_open(by: By, seed: u64, pieces: u32) -> (Vec<Seen>, World) {
    let mut rng = Rng::new(seed);
    let settings = Settings::default()
        .with_budget(600)
        .with_start(rng.pick(&[0.0, 0.1, 12345.678]))
        .with_epoch(rng.pick(&[1.0 / 1024.0, 1.0, 64.0]));
    let mut world = by.world(settings);
    let mut seen = Vec::new();
    let (mut discs, mut walls): (Vec<DiscId>, Vec<WallId>) = build(&mut world, &mut rng, &mut seen);
    while let Err(Error::CannotGrow { wall }) = world.set_growth(0.05) {
        let _ = world.remove_wall(wall).unwrap();
    }
    for _ in 0..5 {
        if !advance(by, &mut world, rng.range(0.0, 0.8), pieces, &mut seen) {
            break;
        }
        for _ in 0..rng.below(4) {
            seen.push(if rng.chance(30) {
                Seen::edit(edit_growth(&mut world, &mut rng))
            } else {
                Seen::Edit(edit(&mut world, &mut rng, &mut discs, &mut walls))
            });
        }
        if rng.chance(50) {
            seen.push(Seen::edit(world.next_event()));
        }
    }
    world.assert_well_formed();
    (seen, world)
}

/// A periodic world, along one axis or both.
fn periodic(by: By, seed: u64, discs: usize, pieces: u32) -> (Vec<Seen>, StopReason) {
    crate::periodic::run(by, seed, discs, pieces, true)
}

/// Law 8, law 1 and their like, in the plane with walls.
#[test]
fn all_schedulers_find_the_same_events_in_the_open() {
    let (mut events, mut walls, mut groups) = (0, 0, 0);
    for seed in 0..cases(300) {
        let (table, world) = in_the_open(By::Table, seed, 1);
        assert_same(&in_the_open(By::Grid, seed, 1).0, &table, &format!("grid, seed {seed}"));
        if seed % 3 == 0 {
            assert_same(&in_the_open(By::Rescan, seed, 1).0, &table, &format!("rescan, seed {seed}"));
        }
        let counters = world.counters();
        (events, walls) = (events + events_in(&table), walls + counters.wall_impacts);
        groups += counters.groups;
    }
    assert!(events > 10_000 && walls > 2000 && groups > 500, "{events} {walls} {groups}");
}

#[test]
fn all_schedulers_find_the_same_events_in_periodic_worlds() {
    let (mut events, mut outgrown) = (0, 0);
    for seed in 0..cases(300) {
        let discs = 1 + (seed % 23) as usize;
        let (table, end) = periodic(By::Table, seed, discs, 1);
        assert_same(&periodic(By::Grid, seed, discs, 1).0, &table, &format!("grid, seed {seed}"));
        if seed % 3 == 0 {
            assert_same(&periodic(By::Rescan, seed, discs, 1).0, &table, &format!("rescan, seed {seed}"));
        }
        events += events_in(&table);
        outgrown += u32::from(end == StopReason::Outgrown);
    }
    assert!(events > 10_000 && outgrown > 20, "{events} {outgrown}");
}

#[test]
fn the_grid_has_the_bits_of_the_table_in_worlds_of_many() {
    let mut events = 0;
    for seed in 0..cases(12) {
        let discs = 60 + 67 * seed as usize % 211;
        let (table, _) = periodic(By::Table, seed, discs, 1);
        assert_same(&periodic(By::Grid, seed, discs, 1).0, &table, &format!("seed {seed}, {discs} discs"));
        events += events_in(&table);
    }
    assert!(events > 5000, "{events}");
}

/// Law 1. Runs whose budget is used up are not compared: it is that of a call.
#[test]
fn how_time_is_cut_changes_no_bit() {
    let mut compared = 0;
    for seed in 0..cases(100) {
        let discs = 1 + (seed % 23) as usize;
        for (whole, cut) in [
            (in_the_open(By::Grid, seed, 1).0, in_the_open(By::Grid, seed, 7).0),
            (periodic(By::Grid, seed, discs, 1).0, periodic(By::Grid, seed, discs, 5).0),
        ] {
            if !whole.contains(&Seen::TooMany) {
                assert_same(&cut, &whole, &format!("seed {seed}"));
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

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

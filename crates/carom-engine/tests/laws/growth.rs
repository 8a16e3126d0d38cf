//! Discs that grow obey the laws that others do: every scheduler finds the same events to the last bit,
//! whatever the cuts of time and the edits on the way, and a world that was saved goes on as it would have.

use crate::common::program::{build, edit};
use crate::common::record::{Seen, assert_same, event_bits, state_bits};
use crate::common::rescan::Rescan;
use crate::common::rng::{Rng, cases};
use carom_engine::broadphase::{CellGrid, PairTable, Scheduler};
use carom_engine::{DVec2, Disc, DiscId, Error, Settings, Smooth, StopReason, Wall, WallId, World};

type Of<S> = World<Smooth, S>;

/// How often something was seen that a test is about.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    events: usize,
    walls: usize,
    groups: u64,
    outgrown: usize,
}

/// One of the things that growth is edited by.
fn edit_growth<S: Scheduler>(world: &mut Of<S>, rng: &mut Rng) -> String {
    match rng.below(6) {
        0 => format!("{:?}", world.set_growth(0.0)),
        1 => format!("{:?}", world.scale_velocities(rng.pick(&[0.0, 0.5, 0.9, 1.0, 2.0]))),
        _ => format!("{:?}", world.set_growth(rng.pick(&[1e-6, 0.01, 0.1, 0.1, 1.0, 30.0]))),
    }
}

/// Some seconds in `pieces` calls. Whether to go on.
fn advance<S: Scheduler>(world: &mut Of<S>, length: f64, pieces: u32, seen: &mut Vec<Seen>) -> bool {
    let from = world.now();
    for k in 1..=pieces {
        let part = if k == pieces { 1.0 } else { f64::from(k) / f64::from(pieces) };
        let to = world.clock().after(from, length * part);
        let advance = world.advance_to(to).unwrap();
        for event in world.events() {
            seen.push(Seen::Event(format!("{event:?}"), event_bits(event)));
        }
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
    seen.push(Seen::States(state_bits(world)));
    true
}

fn tally_of<S: Scheduler>(world: &Of<S>, seen: &[Seen]) -> Tally {
    Tally {
        events: seen.iter().filter(|seen| matches!(seen, Seen::Event(..))).count(),
        walls: world.counters().wall_impacts as usize,
        groups: world.counters().groups,
        outgrown: usize::from(matches!(seen.last(), Some(Seen::Edit(text)) if text.starts_with("outgrown"))),
    }
}

/// A world as in the other laws: gases, racks and lattices, of all masses and restitutions, with walls of all
/// forms, of which those with hollow sides are taken down again.
fn in_the_open<S: Scheduler>(seed: u64, pieces: u32) -> (Vec<Seen>, Tally) {
    let mut rng = Rng::new(seed);
    let settings = Settings::default()
        .with_budget(600)
        .with_start(rng.pick(&[0.0, 0.1, 12345.678]))
        .with_epoch(rng.pick(&[1.0 / 1024.0, 1.0, 64.0]));
    let mut world: Of<S> = World::with_physics(Smooth, settings).unwrap();
    let mut seen = Vec::new();
    let (mut discs, mut walls): (Vec<DiscId>, Vec<WallId>) = build(&mut world, &mut rng, &mut seen);
    while let Err(Error::CannotGrow { wall }) = world.set_growth(0.05) {
        let _ = world.remove_wall(wall).unwrap();
    }
    for _ in 0..5 {
        if !advance(&mut world, rng.range(0.0, 0.8), pieces, &mut seen) {
            break;
        }
        for _ in 0..rng.below(4) {
            let outcome = if rng.chance(30) {
                edit_growth(&mut world, &mut rng)
            } else {
                edit(&mut world, &mut rng, &mut discs, &mut walls)
            };
            seen.push(Seen::Edit(outcome));
        }
        if rng.chance(50) {
            seen.push(Seen::Edit(format!("{:?}", world.next_event())));
        }
    }
    world.assert_well_formed();
    let tally = tally_of(&world, &seen);
    (seen, tally)
}

/// A periodic world, along one axis or both.
fn periodic<S: Scheduler>(seed: u64, discs: usize, pieces: u32) -> (Vec<Seen>, Tally) {
    let mut rng = Rng::new(seed);
    let (length, width) = (rng.pick(&[1.0, 7.3, 100.0]), rng.pick(&[1.0, 1.0, 0.3, 4.7]));
    let area = DVec2::new(length, length * width);
    let period = match rng.below(4) {
        0 => [Some(area.x), None],
        1 => [None, Some(area.y)],
        _ => [Some(area.x), Some(area.y)],
    };
    let settings = Settings::default().with_period(period).with_budget(2000);
    let mut world: Of<S> = World::with_physics(Smooth, settings).unwrap();
    if period[1].is_none() {
        for (point, normal) in [(DVec2::ZERO, DVec2::Y), (DVec2::Y * area.y, -DVec2::Y)] {
            world.add_wall(Wall::half_plane(point, normal)).unwrap();
        }
    }
    let packing = rng.pick(&[0.001, 0.1, 0.3]);
    let radius = (packing * area.x * area.y / (discs as f64 * core::f64::consts::PI)).sqrt();
    let most = radius.min(0.12 * area.min_element());
    let (rests, mixed) = (rng.chance(20), rng.chance(30));
    let disc = |rng: &mut Rng| {
        let at = DVec2::new(rng.range(-0.5, 1.5), rng.range(0.0, 1.0)) * area;
        let velocity = if rests { DVec2::ZERO } else { rng.vector(area.x * 0.3) };
        let disc = Disc::new(at, rng.pick(&[1.0, 1.0, 0.5, 0.0]) * most);
        if !mixed {
            return disc.with_velocity(velocity);
        }
        let mass = rng.pick(&[1.0, 1.0, 2.0, 0.3, 0.0]);
        disc.with_velocity(velocity).with_mass(mass).with_restitution(rng.pick(&[1.0, 0.8, 0.0]))
    };
    let mut seen = Vec::new();
    let mut ids = Vec::new();
    for _ in 0..4 * discs {
        if ids.len() < discs {
            ids.extend(world.insert(disc(&mut rng)));
        }
    }
    world.set_growth(rng.pick(&[0.001, 0.1, 0.5, 0.5])).unwrap();
    for _ in 0..6 {
        if rng.chance(50) {
            seen.push(Seen::Edit(format!("{:?}", world.next_event())));
        }
        if !advance(&mut world, rng.pick(&[0.0, 0.05, 0.3, 1.7]), pieces, &mut seen) {
            break;
        }
        for _ in 0..rng.below(3) {
            let Some(&id) = ids.get(rng.below(ids.len().max(1))) else { break };
            let outcome = match rng.below(8) {
                0 => format!("{:?}", world.set_velocity(id, rng.vector(area.x))),
                1 => format!("{:?}", world.set_radius(id, rng.range(0.0, 0.1) * area.min_element())),
                2 => format!("{:?}", world.remove(id)),
                3 => format!("{:?}", world.set_position(id, rng.vector(3.0 * area.x))),
                4 => {
                    let made = world.insert(disc(&mut rng));
                    ids.extend(made.as_ref().ok());
                    format!("{made:?}")
                }
                _ => edit_growth(&mut world, &mut rng),
            };
            seen.push(Seen::Edit(outcome));
        }
    }
    world.assert_well_formed();
    let tally = tally_of(&world, &seen);
    (seen, tally)
}

/// Law 8, law 1 and their like, in the plane with walls.
#[test]
fn all_schedulers_find_the_same_events_in_the_open() {
    let mut all = Tally::default();
    for seed in 0..cases(300) {
        let (table, tally) = in_the_open::<PairTable>(seed, 1);
        assert_same(&in_the_open::<CellGrid>(seed, 1).0, &table, &format!("grid, seed {seed}"));
        if seed % 3 == 0 {
            assert_same(&in_the_open::<Rescan>(seed, 1).0, &table, &format!("rescan, seed {seed}"));
        }
        all = Tally {
            events: all.events + tally.events,
            walls: all.walls + tally.walls,
            groups: all.groups + tally.groups,
            outgrown: all.outgrown + tally.outgrown,
        };
    }
    assert!(all.events > 10_000 && all.walls > 2000 && all.groups > 500, "{all:?}");
}

#[test]
fn all_schedulers_find_the_same_events_in_periodic_worlds() {
    let mut all = Tally::default();
    for seed in 0..cases(300) {
        let discs = 1 + (seed % 23) as usize;
        let (table, tally) = periodic::<PairTable>(seed, discs, 1);
        assert_same(&periodic::<CellGrid>(seed, discs, 1).0, &table, &format!("grid, seed {seed}"));
        if seed % 3 == 0 {
            assert_same(&periodic::<Rescan>(seed, discs, 1).0, &table, &format!("rescan, seed {seed}"));
        }
        all.events += tally.events;
        all.outgrown += tally.outgrown;
    }
    assert!(all.events > 10_000 && all.outgrown > 20, "{all:?}");
}

#[test]
fn the_grid_has_the_bits_of_the_table_in_worlds_of_many() {
    let mut events = 0;
    for seed in 0..cases(12) {
        let discs = 60 + 67 * seed as usize % 211;
        let (table, tally) = periodic::<PairTable>(seed, discs, 1);
        assert_same(&periodic::<CellGrid>(seed, discs, 1).0, &table, &format!("seed {seed}, {discs} discs"));
        events += tally.events;
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
            (in_the_open::<CellGrid>(seed, 1).0, in_the_open::<CellGrid>(seed, 7).0),
            (periodic::<CellGrid>(seed, discs, 1).0, periodic::<CellGrid>(seed, discs, 5).0),
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
#[cfg(feature = "serde")]
#[test]
fn a_saved_world_goes_on_growing() {
    use crate::common::stored::FORMATS;
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
        let mut loaded: Vec<World> =
            FORMATS.iter().map(|format| format.load(&format.save(&world)).unwrap()).collect();
        let end = world.advance(1.0).unwrap();
        assert!(!world.events().is_empty() && world.growth() > 0.0);
        for loaded in &mut loaded {
            assert_eq!(loaded.advance(1.0).unwrap(), end);
            let bits = |world: &World| world.events().iter().map(event_bits).collect::<Vec<_>>();
            assert_eq!(bits(loaded), bits(&world));
            assert_eq!(state_bits(loaded), state_bits(&world));
            assert_eq!(loaded.growth().to_bits(), world.growth().to_bits());
        }
    }
}

//! Dilute gases, where the grid lists of a disc's neighbours those alone that it may meet on its path: the
//! events of the table, to the last bit, with paths that change by edits; and few pair times.

use crate::common::by::By;
use crate::common::record::{Seen, assert_same, events_in, note};
use crate::common::rng::{Rng, cases};
use carom_engine::{DVec2, Disc, DiscId, Settings, Wall, World};

#[derive(Clone, Copy, Debug)]
enum Room {
    Periodic,
    Box,
    Open,
}

/// Discs on a lattice at a packing fraction; some twice as large as the others if they are unequal, and one
/// without end to its mass.
fn gas(by: By, room: Room, discs: usize, packing: f64, is_unequal: bool, rng: &mut Rng) -> World {
    let pitch = (0.25 * core::f64::consts::PI / packing).sqrt();
    let across = (discs as f64).sqrt().ceil();
    let side = across * pitch;
    let period = matches!(room, Room::Periodic).then_some(side);
    let settings = Settings::default().with_period([period; 2]).with_budget(u64::MAX);
    let mut world = by.world(settings);
    if matches!(room, Room::Box) {
        world.add_wall(Wall::container(DVec2::ZERO, DVec2::splat(side))).unwrap();
    }
    for k in 0..discs {
        let place = DVec2::new(k as f64 % across, (k as f64 / across).floor()) + 0.5;
        let radius = if is_unequal { rng.pick(&[0.5, 0.5, 0.25, 1.0]) } else { 0.5 };
        let disc = Disc::new(place * pitch + rng.vector(0.1), radius).with_velocity(rng.vector(1.0));
        let disc =
            if is_unequal && k == 0 { disc.with_velocity([0.0, 0.0]).with_mass(f64::INFINITY) } else { disc };
        world.insert(disc).unwrap();
    }
    world
}

/// Some of the discs are given other velocities, places and radii, and one comes for one that goes.
fn edit(world: &mut World, side: f64, rng: &mut Rng) -> String {
    let ids: Vec<DiscId> = world.ids().collect();
    let mut outcomes = String::new();
    for _ in 0..rng.below(6) {
        let id = ids[rng.below(ids.len())];
        outcomes += &match rng.below(6) {
            0 => format!("{:?}", world.remove(id)),
            1 => format!("{:?}", world.set_position(id, DVec2::splat(0.5 * side) + rng.vector(0.4 * side))),
            2 => format!("{:?}", world.set_radius(id, rng.range(0.1, 1.0))),
            3 => {
                let place = DVec2::splat(0.5 * side) + rng.vector(0.4 * side);
                format!("{:?}", world.insert(Disc::new(place, 0.5).with_velocity(rng.vector(1.0))))
            }
            _ => format!("{:?}", world.set_velocity(id, rng.vector(3.0))),
        };
    }
    outcomes
}

fn run(by: By, seed: u64) -> Vec<Seen> {
    let mut rng = Rng::new(seed);
    let room = rng.pick(&[Room::Periodic, Room::Periodic, Room::Box, Room::Open]);
    let (packing, is_unequal) = (rng.pick(&[0.003, 0.01, 0.03, 0.06]), rng.below(3) == 0);
    let discs = 60 + rng.below(80);
    let mut world = gas(by, room, discs, packing, is_unequal, &mut rng);
    let side = (discs as f64 / packing).sqrt();
    let mut seen = Vec::new();
    for _ in 0..10 {
        world.advance(rng.range(0.2, 0.5) * side).unwrap();
        note(&mut seen, world.events(), &world);
        world.assert_well_formed();
        seen.push(Seen::Edit(edit(&mut world, side, &mut rng)));
        world.assert_well_formed();
    }
    seen
}

#[test]
fn the_grid_has_the_bits_of_the_table_in_dilute_gases() {
    for seed in 0..cases(24) {
        let expected = run(By::Table, seed);
        assert!(events_in(&expected) > 0, "seed {seed}");
        assert_same(&expected, &run(By::Grid, seed), &format!("seed {seed}"));
    }
}

/// At packing 0.01 a disc crosses some two circles between impacts, each with a dozen others, and meets
/// one in twenty of these: with all of them in the lists there are 80 pair times an event.
#[test]
fn a_dilute_gas_looks_at_few_pairs() {
    let mut world = gas(By::Grid, Room::Periodic, 500, 0.01, false, &mut Rng::new(3));
    world.set_budget(10_000);
    world.advance(1e6).unwrap();
    let before = world.counters();
    world.advance(1e6).unwrap();
    let after = world.counters();
    let pair_times = after.pair_times - before.pair_times;
    let events = after.events - before.events;
    assert!(events == 10_000 && pair_times < 16 * events, "{pair_times} for {events}");
}

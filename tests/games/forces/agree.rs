//! However events are scheduled, and time is cut into calls: the same bits, in worlds that random games
//! (`crates/carom-fuzz/tests/games.rs`) do not have: of many walls, to standstill.

use super::grip::break_shot;
use super::scene::{heap, world};
use crate::common::by::By;
use crate::common::record::{bits_of, state_bits};
use crate::common::rng::{Rng, cases};
use crate::common::stored::FORMATS;
use carom_engine::{DVec2, Forces, Wall, World};

/// The bits of all events up to then, and of the states at the end; saved and loaded after each frame or not.
fn record(by: By, mut world: World<Forces>, seconds: f64, frames: u32, is_saved: bool) -> Vec<Vec<u64>> {
    world.set_scheduler(by.kind()).unwrap();
    let mut bits = Vec::new();
    for frame in 1..=frames {
        let until = world.clock().at(seconds * f64::from(frame) / f64::from(frames));
        bits.extend(bits_of(&by.advance_to(&mut world, until).1));
        if is_saved {
            let format = FORMATS[frame as usize % 2];
            world = format.load(&format.save(&world)).unwrap();
        }
    }
    bits.push(state_bits(&world));
    bits
}

fn assert_same(one: &[Vec<u64>], other: &[Vec<u64>], what: &str) {
    let differ = one.iter().zip(other).position(|(a, b)| a != b);
    let (n, m) = (one.len() - 1, other.len() - 1);
    assert!(differ.is_none() && n == m, "{what}: entry {differ:?} of {n} and {m} events");
}

/// Law 8: table, grid and rescan find the same events; law 1: in one call or in frames. How many events.
fn assert_agree(world: &World<Forces>, seconds: f64, by: &[(By, u32)], what: &str) -> usize {
    let whole = record(By::Table, world.clone(), seconds, 1, false);
    for &(by, frames) in by {
        let other = record(by, world.clone(), seconds, frames, false);
        assert_same(&whole, &other, &format!("{what}, {by:?}, {frames} frames"));
    }
    whole.len() - 1
}

/// Among many walls, of which the table asks those near the path and the grid those near a circle.
#[test]
fn schedulers_agree_among_many_walls() {
    let mut walls_hit = 0;
    for seed in 0..cases(20) {
        let (mut world, rng) = (world(seed, 6), &mut Rng::new(1000 + seed));
        let mut added = 0;
        for k in 0..80 {
            let at = rng.vector(5.0);
            let wall = match k % 3 {
                0 => Wall::disc(at, 0.1),
                1 => Wall::segment(at, at + rng.vector(1.5)),
                _ => Wall::arc(at, 0.4, 0.0, 2.5),
            };
            // What is in the way of a disc is left out.
            added += usize::from(world.add_wall(wall).is_ok());
        }
        assert!(added >= 24, "{added}");
        walls_hit += assert_agree(&world, 3.0, &[(By::Grid, 1)], &format!("seed {seed}"));
    }
    assert!(walls_hit > 1000, "{walls_hit} events");
}

/// As above, of heaps that come to rest, to their last event and beyond.
#[test]
fn schedulers_and_frames_agree_on_heaps() {
    for seed in 0..cases(8) {
        let (n, e) = ([2, 3, 5, 7][seed as usize % 4], [0.5, 0.8][seed as usize / 4 % 2]);
        let by = [(By::Table, 600), (By::Grid, 1), (By::Rescan, 3)];
        assert_agree(&heap(seed, n, e), 60.0, &by, &format!("seed {seed}, {n} discs, e = {e}"));
    }
}

/// As above, of breaks on a table with friction, whose clusters slide and are held, to standstill.
#[test]
fn schedulers_and_frames_agree_on_breaks() {
    let mut pieces = 0;
    for seed in (0..cases(12)).chain([2722]) {
        let by = [(By::Table, 900), (By::Grid, 1), (By::Rescan, 3)];
        let by = &by[..if seed % 4 == 2 { 3 } else { 2 }];
        let mut world = break_shot(seed);
        assert_agree(&world, 30.0, by, &format!("seed {seed}"));
        world.advance(30.0).unwrap();
        pieces += world.counters().pieces;
    }
    assert!(pieces > 100, "{pieces} pieces");
}

/// Law 1 for snapshots: a world that is saved and loaded on the way goes on with the same bits.
#[test]
fn what_is_saved_on_the_way_goes_on() {
    let assert_goes_on = |world: World<Forces>, seconds: f64, frames: u32, what: &str| {
        let whole = record(By::Table, world.clone(), seconds, 1, false);
        assert_same(&whole, &record(By::Table, world, seconds, frames, true), what);
    };
    for seed in [0, 3, 2722] {
        assert_goes_on(break_shot(seed), 2.0, 100, &format!("break {seed}"));
    }
    for seed in 0..cases(6) {
        assert_goes_on(heap(seed, 5, 0.5), 40.0, 40, &format!("heap {seed}"));
    }
}

/// A world mirrored at an axis through the origin, discs and walls in the same order, has mirrored states, to
/// the last bit.
#[test]
fn a_mirrored_heap_stays_one() {
    for seed in 0..cases(8) {
        let (n, e) = ([2, 3, 5, 10][seed as usize % 4], [0.5, 0.8][seed as usize / 4 % 2]);
        let mut world = heap(seed, n, e);
        let mut mirrored = heap(seed, n, e);
        // The walls, too, in their order.
        let walls: Vec<_> = mirrored.walls().map(|(id, _)| id).collect();
        for wall in walls {
            mirrored.remove_wall(wall).unwrap();
        }
        for x in [1.0, -1.0] {
            mirrored.add_wall(Wall::half_plane([0.0, 0.0], [x, 1.0]).with_restitution(e)).unwrap();
        }
        let mirror = |v: DVec2| DVec2::new(-v.x, v.y);
        let discs: Vec<_> = mirrored.discs().collect();
        let places: Vec<_> = discs.iter().map(|(id, disc)| (*id, mirror(disc.position))).collect();
        mirrored.set_positions(&places).unwrap();
        for (id, disc) in &discs {
            mirrored.set_velocity(*id, mirror(disc.velocity)).unwrap();
        }
        for second in 1..=30 {
            for world in [&mut world, &mut mirrored] {
                world.advance_to(f64::from(second)).unwrap();
            }
            for (id, disc) in world.discs() {
                let image = mirrored.get(id).unwrap();
                assert_eq!(mirror(disc.position), image.position(), "seed {seed}, {second} s, {id}");
                assert_eq!(mirror(disc.velocity), image.velocity(), "seed {seed}, {second} s, {id}");
            }
        }
    }
}

//! However events are scheduled, and time is cut into calls: the same bits.

use crate::common::record::{event_bits, state_bits};
use crate::common::rescan::Rescan;
use crate::common::rng::{Rng, cases};
use crate::grip::break_shot;
use crate::scene::{KINDS, Kind, heap, world};
use carom_engine::broadphase::{CellGrid, PairTable, Scheduler};
use carom_engine::{DVec2, Event, Forces, Standstill, Wall, World};

/// The bits of all events up to then, and of the states at the end.
fn record<S: Scheduler>(mut world: World<Forces, S>, seconds: f64, frames: u32) -> (Vec<Vec<u64>>, Vec<u64>) {
    let mut events = Vec::new();
    for frame in 1..=frames {
        let until = seconds * f64::from(frame) / f64::from(frames);
        let mut sink = |event: &Event<Standstill>| events.push(event_bits(event));
        world.advance_to_with(until, &mut sink).unwrap();
    }
    (events, state_bits(&world))
}

fn assert_same(one: &(Vec<Vec<u64>>, Vec<u64>), other: &(Vec<Vec<u64>>, Vec<u64>), what: &str) {
    for (k, (a, b)) in one.0.iter().zip(&other.0).enumerate() {
        assert!(a == b, "{what}: event {k} of {} and {}", one.0.len(), other.0.len());
    }
    assert_eq!(one.0.len(), other.0.len(), "{what}: number of events");
    assert!(one.1 == other.1, "{what}: states");
}

/// Law 8: table, grid and rescan find the same events; law 1: in one call or in frames.
#[test]
fn schedulers_and_frames_agree() {
    let (mut events, mut quiet) = (0, 0);
    for seed in 0..cases(60) {
        let kind: Kind = KINDS[seed as usize % KINDS.len()];
        let n = [2, 5, 12, 40][seed as usize / KINDS.len() % 4];
        let table = record(world::<PairTable>(seed, kind, n), 2.0, 1);
        let what = format!("seed {seed}, {kind:?}, {n} discs");
        assert_same(&table, &record(world::<PairTable>(seed, kind, n), 2.0, 37), &format!("{what}, frames"));
        assert_same(&table, &record(world::<CellGrid>(seed, kind, n), 2.0, 1), &format!("{what}, grid"));
        if n < 20 {
            assert_same(&table, &record(world::<Rescan>(seed, kind, n), 2.0, 5), &format!("{what}, rescan"));
        }
        events += table.0.len();
        quiet += u32::from(table.0.is_empty());
    }
    assert!(events > 4000 && quiet < 5, "{events} events, {quiet} worlds without any");
}

/// As above, among many walls, of which the table asks those near the path and the grid those near a circle.
#[test]
fn schedulers_agree_among_many_walls() {
    let mut walls_hit = 0;
    for seed in 0..cases(20) {
        let kind: Kind = KINDS[seed as usize % KINDS.len()];
        let rng = &mut Rng::new(1000 + seed);
        let walls: Vec<Wall> = (0..80)
            .map(|k| {
                let at = rng.vector(5.0);
                match k % 3 {
                    0 => Wall::disc(at, 0.1),
                    1 => Wall::segment(at, at + rng.vector(1.5)),
                    _ => Wall::arc(at, 0.4, 0.0, 2.5),
                }
            })
            .collect();
        // What is in the way of a disc is left out, of both.
        fn with_walls<S: Scheduler>(seed: u64, kind: Kind, walls: &[Wall]) -> World<Forces, S> {
            let mut world = world::<S>(seed, kind, 6);
            let added = walls.iter().filter(|wall| world.add_wall((*wall).clone()).is_ok()).count();
            assert!(added >= 24, "{added}");
            world
        }
        let table = record(with_walls::<PairTable>(seed, kind, &walls), 3.0, 1);
        let grid = record(with_walls::<CellGrid>(seed, kind, &walls), 3.0, 1);
        assert_same(&table, &grid, &format!("seed {seed}, {kind:?}"));
        walls_hit += table.0.len();
    }
    assert!(walls_hit > 1000, "{walls_hit} events");
}

/// As above, of heaps that come to rest, to their last event and beyond.
#[test]
fn schedulers_and_frames_agree_on_heaps() {
    for seed in 0..cases(8) {
        let (n, e) = ([2, 3, 5, 7][seed as usize % 4], [0.5, 0.8][seed as usize / 4 % 2]);
        let of = |frames| record(heap::<PairTable>(seed, n, e), 60.0, frames);
        let (table, what) = (of(1), format!("seed {seed}, {n} discs, e = {e}"));
        assert_same(&table, &of(600), &format!("{what}, frames"));
        assert_same(&table, &record(heap::<CellGrid>(seed, n, e), 60.0, 1), &format!("{what}, grid"));
        assert_same(&table, &record(heap::<Rescan>(seed, n, e), 60.0, 3), &format!("{what}, rescan"));
    }
}

/// As above, of breaks on a table with friction, whose clusters slide and are held, to standstill.
#[test]
fn schedulers_and_frames_agree_on_breaks() {
    let mut pieces = 0;
    for seed in (0..cases(12)).chain([2722]) {
        let of = |frames| record(break_shot::<PairTable>(seed), 30.0, frames);
        let (table, what) = (of(1), format!("seed {seed}"));
        assert_same(&table, &of(900), &format!("{what}, frames"));
        assert_same(&table, &record(break_shot::<CellGrid>(seed), 30.0, 1), &format!("{what}, grid"));
        if seed % 4 == 2 {
            assert_same(&table, &record(break_shot::<Rescan>(seed), 30.0, 3), &format!("{what}, rescan"));
        }
        let mut world = break_shot::<PairTable>(seed);
        world.advance(30.0).unwrap();
        pieces += world.counters().pieces;
    }
    assert!(pieces > 100, "{pieces} pieces");
}

/// Law 1 for snapshots, of such a break.
#[cfg(feature = "serde")]
#[test]
fn a_break_that_is_saved_on_the_way_goes_on() {
    use crate::common::stored::FORMATS;
    for seed in [0, 3, 2722] {
        let whole = record(break_shot::<PairTable>(seed), 2.0, 1);
        let mut world = break_shot::<PairTable>(seed);
        let mut events = Vec::new();
        for frame in 1..=100_u8 {
            let mut sink = |event: &Event<Standstill>| events.push(event_bits(event));
            world.advance_to_with(f64::from(frame) / 50.0, &mut sink).unwrap();
            let format = FORMATS[usize::from(frame) % 2];
            world = format.load(&format.save(&world)).unwrap();
        }
        assert_same(&whole, &(events, state_bits(&world)), &format!("seed {seed}"));
    }
}

/// Law 1 for snapshots: a heap that is saved and loaded on the way goes on with the same bits.
#[cfg(feature = "serde")]
#[test]
fn a_heap_that_is_saved_on_the_way_goes_on() {
    use crate::common::stored::FORMATS;
    for seed in 0..cases(6) {
        let whole = record(heap::<PairTable>(seed, 5, 0.5), 40.0, 1);
        let mut world = heap::<PairTable>(seed, 5, 0.5);
        let mut events = Vec::new();
        for frame in 1..=40 {
            let mut sink = |event: &Event<Standstill>| events.push(event_bits(event));
            world.advance_to_with(f64::from(frame), &mut sink).unwrap();
            let bytes = FORMATS[frame as usize % 2].save(&world);
            world = FORMATS[frame as usize % 2].load(&bytes).unwrap();
        }
        assert_same(&whole, &(events, state_bits(&world)), &format!("seed {seed}"));
    }
}

/// A world mirrored at an axis through the origin, discs and walls in the same order, has mirrored states, to
/// the last bit.
#[test]
fn a_mirrored_heap_stays_one() {
    for seed in 0..cases(8) {
        let (n, e) = ([2, 3, 5, 10][seed as usize % 4], [0.5, 0.8][seed as usize / 4 % 2]);
        let mut world = heap::<PairTable>(seed, n, e);
        let mut mirrored = heap::<PairTable>(seed, n, e);
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

//! Overlapping discs pushed apart between walls.

use super::apart::{assert_apart, put};
use carom_engine::{DVec2, Disc, Wall, World};

use crate::common::record::state_bits;
use crate::common::rng::{Rng, cases};
use carom_testkit::at;

/// Rooms with discs at random, up to a packing fraction of 0.6: none leaves, none overlaps.
#[test]
fn rooms_full_of_discs() {
    let mut rng = Rng::new(5);
    for case in 0..cases(30) {
        let room = rng.below(5);
        let size = 10.0;
        let wall = match room {
            0 => Wall::container(at(-size, -size), at(size, size)),
            1 => Wall::rectangle(at(-size, -size), at(size, size)),
            2 => Wall::circle(at(0.0, 0.0), size),
            3 => Wall::stadium(at(0.0, 0.0), size / 2.0, size / 2.0),
            _ => Wall::polygon(&[
                at(-size, -size),
                at(size, -size),
                at(size, size),
                at(0.0, 4.0),
                at(-size, size),
            ]),
        };
        let area = [400.0, 400.0, 314.0, 178.0, 340.0][room];
        let inside = |p: DVec2, r: f64| match room {
            0 | 1 => p.abs().max_element() <= size - r,
            2 => p.length() <= size - r,
            3 => (p - at(p.x.clamp(-size / 2.0, size / 2.0), 0.0)).length() <= size / 2.0 - r,
            // The notch is below the line from (0, 4) to (±10, 10).
            _ => {
                p.x.abs() <= size - r
                    && p.y >= r - size
                    && (p.y - 4.0 - 0.6 * p.x.abs()) <= -r * 1.36_f64.sqrt() + 1e-12
                    || (r > 0.0 && p.x.abs() < size && p.y > -size && p.y < 4.0 + 0.6 * p.x.abs())
            }
        };
        let mut world = World::new();
        world.add_wall(wall.clone()).unwrap();
        let packing = rng.range(0.3, 0.6);
        let mut covered = 0.0;
        let mut discs = vec![];
        while covered < packing * area && discs.len() < 300 {
            let radius = if case % 2 == 0 { 0.9 } else { rng.range(0.3, 1.2) };
            let place = rng.vector(size);
            // Near or in the wall, too, but with the centre inside.
            if !inside(place, 0.01) {
                continue;
            }
            covered += core::f64::consts::PI * radius * radius;
            let disc = Disc::new(place, radius).with_mass(rng.range(0.1, 3.0));
            discs.push(world.insert(disc.with_overlap()).unwrap());
        }
        // Far enough from each other and the walls to leave no pockets.
        for x in [-2.4, 2.4] {
            let fixed = Disc::new(at(x, -0.5), 0.8).with_mass(f64::INFINITY);
            discs.push(world.insert(fixed.with_overlap()).unwrap());
        }
        let before = state_bits(&world);
        match world.push_apart() {
            Ok(moved) => {
                assert!(
                    moved.iter().all(|m| world.get(m.disc).unwrap().mass() < f64::INFINITY),
                    "case {case}"
                );
                for &id in &discs {
                    let disc = world.get(id).unwrap().to_disc();
                    assert!(inside(disc.position, 0.0), "case {case}: {disc:?} left {wall:?}");
                }
                assert_apart(&mut world, &format!("case {case}, {wall:?}"));
            }
            Err(error) => {
                assert_eq!(state_bits(&world), before);
                panic!("case {case}, room {room}, packing {packing}, {} discs: {error}", discs.len());
            }
        }
    }
}

/// A row between walls that is longer than the room must buckle, though nothing in it points sideways; in a
/// corridor that is only a little wider than the discs, and in corners.
#[test]
fn rows_buckle() {
    for n in [3, 5, 9] {
        for height in [2.6, 1.2] {
            let mut world = World::new();
            // Discs of diameter 1, room for n of 0.8 in a row; the zigzag of height 2.6 takes less.
            let half = if height > 2.0 { 0.4 * f64::from(n) } else { 0.55 * f64::from(n) };
            world.add_wall(Wall::container(at(-half, -0.5 * height), at(half, 0.5 * height))).unwrap();
            for k in 0..n {
                put(&mut world, at((f64::from(k) - 0.5 * f64::from(n - 1)) * 0.3, 0.0), 0.5);
            }
            let moved = world.push_apart();
            assert!(moved.is_ok(), "{n} in {height}: {moved:?}");
            assert_apart(&mut world, "a row");
        }
    }
    // Down into a wedge of 60°, where a heap has been put.
    let mut world = World::new();
    for normal in [at(3.0_f64.sqrt(), 1.0), at(-(3.0_f64.sqrt()), 1.0)] {
        world.add_wall(Wall::half_plane(at(0.0, 0.0), normal)).unwrap();
    }
    for _ in 0..20 {
        put(&mut world, at(0.0, 0.0), 0.5);
    }
    world.push_apart().unwrap();
    assert_apart(&mut world, "a wedge");
}

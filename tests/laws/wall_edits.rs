//! Walls that come and go among many discs: the same events as with the pair table, which asks at each what
//! all discs do on their own, at the cost of the discs that are near. That the table's are those of a rescan,
//! random games show (`crates/carom-fuzz/tests/games.rs`).

use crate::common::by::By;
use crate::common::record::state_bits;
use crate::common::rng::Rng;
use carom_engine::{DVec2, Disc, Settings, Wall, WallId, World};

const SIDE: f64 = 40.0;

/// A lattice of discs with gaps, moving at random, in a box.
fn gas(by: By, discs: u32, seed: u64) -> World {
    let mut rng = Rng::new(seed);
    let mut world = by.world(Settings::default());
    let across = (f64::from(discs)).sqrt().ceil();
    let cell = SIDE / across;
    world.add_wall(Wall::container(DVec2::ZERO, DVec2::splat(SIDE))).unwrap();
    for k in 0..discs {
        let (x, y) = (f64::from(k) % across, (f64::from(k) / across).floor());
        let disc = Disc::new(DVec2::new(x + 0.5, y + 0.5) * cell, 0.25 * cell);
        world.insert(disc.with_velocity(rng.vector(1.0))).unwrap();
    }
    world
}

fn short_wall(rng: &mut Rng) -> Wall {
    let at = DVec2::new(rng.range(1.0, SIDE - 1.0), rng.range(1.0, SIDE - 1.0));
    let to = at + rng.vector(1.0);
    match rng.below(5) {
        0 => Wall::segment(at, to),
        1 => Wall::one_sided_segment(at, to),
        2 => Wall::disc(at, 0.3),
        3 => Wall::arc(at, 1.0, rng.range(0.0, 6.0), rng.range(0.5, 6.0)),
        _ => Wall::half_plane(DVec2::new(0.0, -rng.range(0.0, 1.0)), DVec2::Y),
    }
}

/// Law 2 for walls: whether a disc is scheduled again changes no bit, as its next event is a pure function of
/// its state and the walls. So thousands of edits, with facets renumbered on the way, leave grid, table and a
/// world that was saved and loaded the same.
#[test]
fn edits_of_walls_near_and_far_give_the_events_of_the_table() {
    for seed in 0..3 {
        let mut rng = Rng::new(100 + seed);
        let mut worlds = [By::Table, By::Grid].map(|by| gas(by, 150, seed));
        let mut walls: Vec<[WallId; 2]> = Vec::new();
        let mut refused = 0;
        for step in 0..1500 {
            if walls.len() > 12 || (!walls.is_empty() && rng.below(3) == 0) {
                let ids = walls.swap_remove(rng.below(walls.len()));
                let removed = [0, 1].map(|k| worlds[k].remove_wall(ids[k]).unwrap());
                assert_eq!(removed[0], removed[1]);
            } else {
                let wall = short_wall(&mut rng);
                let [a, b] = &mut worlds;
                match (a.add_wall(wall.clone()), b.add_wall(wall)) {
                    (Ok(a), Ok(b)) => walls.push([a, b]),
                    (a, b) => {
                        assert_eq!(a.err().map(|e| e.to_string()), b.err().map(|e| e.to_string()));
                        refused += 1;
                    }
                }
            }
            if step % 4 == 0 {
                let events = worlds.each_mut().map(|world| world.advance(0.1).unwrap().events);
                assert_eq!(events[0], events[1], "seed {seed}, step {step}");
            }
            if step % 300 == 299 {
                let text = serde_json::to_string(&worlds[1]).unwrap();
                worlds[1] = serde_json::from_str(&text).unwrap();
            }
            assert_eq!(state_bits(&worlds[0]), state_bits(&worlds[1]), "seed {seed}, step {step}");
        }
        let impacts = worlds[0].counters().wall_impacts;
        assert!(impacts > 200 && refused > 100, "{impacts} impacts with walls, {refused} refused");
    }
}

/// The cost of a short wall does not grow with the number of discs: those that are planned again are the ones
/// within a few radii of it.
#[test]
fn a_short_wall_is_the_business_of_the_discs_near_it() {
    let mut world = gas(By::Grid, 10_000, 7);
    world.advance(0.01).unwrap();
    // Ten radii long, across the gap between two rows.
    let radius = SIDE / 400.0;
    let wall = Wall::segment(DVec2::new(20.0, 20.0), DVec2::new(20.0 + 10.0 * radius, 20.0));
    let before = world.counters().solo_times;
    let mut edits = 0;
    for _ in 0..100 {
        if let Ok(id) = world.add_wall(wall.clone()) {
            world.next_event();
            world.remove_wall(id).unwrap();
            world.next_event();
            edits += 2;
        }
        world.advance(1e-4).unwrap();
    }
    assert!(edits > 20, "the wall fits between the discs");
    let advanced = 10_000;
    let planned = world.counters().solo_times - before;
    // A disc's neighbourhood reaches a few radii beyond it: within 6 radii of the segment there are, at a
    // quarter of the lattice's packing, fewer than 60 discs.
    assert!(planned < 60 * edits + advanced, "{planned} plans for {edits} edits");
}

/// Two equal rooms at one place, of which the one along which a disc slides, or that it has just hit, goes:
/// the other one holds it from then on, and no impact with it is in the past.
#[test]
fn a_wall_that_goes_leaves_discs_to_the_one_at_the_same_place() {
    for (radius, velocity) in [(0.0, [1.0, 0.3]), (0.5, [1.0, 0.0]), (0.125, [-0.3, 2.0])] {
        for first in [true, false] {
            let mut world = World::new();
            let room = || Wall::stadium([0.0, 0.0], 3.0, 8.0);
            let walls = [world.add_wall(room()).unwrap(), world.add_wall(room()).unwrap()];
            let disc = Disc::new([2.0, 6.0], radius).with_velocity(velocity).with_restitution(0.0);
            let disc = world.insert(disc).unwrap();
            for part in 0..40 {
                world.advance(0.37).unwrap();
                if part == 20 {
                    world.remove_wall(walls[usize::from(first)]).unwrap();
                }
                let next = world.next_event().map(|next| next.time);
                assert!(next.is_none_or(|time| time >= world.now()), "{next:?} at {:?}", world.now());
            }
            world.assert_well_formed();
            let p = world.get(disc).unwrap().position();
            let off = (p.x.abs() - 3.0).max(0.0);
            assert!(off.hypot(p.y) <= 8.0 - radius + 1e-12, "{p}");
        }
    }
}

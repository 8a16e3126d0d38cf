//! Which scheduler searches changes neither results nor their order: at any moment, after any edit.

use super::{KINDS, disc, heavy, place, smooth};
use crate::common::rng::{Rng, cases};
use carom_engine::broadphase::{CellGrid, PairTable, Scheduler};
use carom_engine::{CastOptions, DVec2, Disc, Physics, QueryFilter, Ray, Rules, World};
use std::ops::ControlFlow;

/// The results of random queries, to the bit.
fn ask<P: Physics, S: Scheduler>(world: &World<P, S>, rng: &mut Rng) -> Vec<String> {
    let mut answers = Vec::new();
    let ids: Vec<_> = world.ids().collect();
    for _ in 0..12 {
        let mut filter = QueryFilter::new();
        filter = match rng.below(6) {
            0 => filter.only_discs(),
            1 => filter.only_walls(),
            2 if !ids.is_empty() => filter.excluding(rng.pick(&ids)),
            3 => filter.with_rules(Rules::new().with_membership(rng.bits() as u32 & 7).with_team(1)),
            _ => filter,
        };
        let at = if ids.is_empty() || rng.chance(50) {
            place(rng)
        } else {
            world.get(rng.pick(&ids)).unwrap().position()
        };
        let size = rng.pick(&[0.0, 0.5, 1.0, 3.0, 25.0, 1e4]);
        let mut found = Vec::new();
        world.overlap_point(at, &filter, &mut found).unwrap();
        answers.push(format!("point {at} {found:?}"));
        world.overlap_disc(at, size, &filter, &mut found).unwrap();
        answers.push(format!("disc {at} {size} {found:?}"));
        let mut seen = Vec::new();
        let visited = world.overlap_disc_with(at, size, &filter, |body| {
            seen.push(body);
            ControlFlow::Continue(())
        });
        assert_eq!((visited, &seen), (Ok(()), &found));
        let max = at + DVec2::new(size, rng.pick(&[0.0, 0.5, 1.0, 3.0]));
        world.overlap_box(at, max, &filter, &mut found).unwrap();
        answers.push(format!("box {at} {max} {found:?}"));
        let mut near = Vec::new();
        world.nearest(at, rng.pick(&[1, 3, 1000]), &filter, &mut near).unwrap();
        answers.push(format!("nearest {at} {near:?}"));
        let some = rng.vector(1.0);
        let direction = rng.pick(&[DVec2::X, DVec2::NEG_Y, DVec2::new(3.0, -4.0), some]);
        let length = rng.pick(&[0.0, 1.0, 10.0, 100.0, f64::INFINITY]);
        let ray = Ray::new(at, direction + DVec2::new(1e-9, 0.0)).with_max_distance(length);
        let first = world.cast_ray(&ray, &filter).unwrap();
        let mut hits = Vec::new();
        world.ray_hits(&ray, &filter, &mut hits).unwrap();
        assert_eq!(first, hits.first().copied(), "{ray:?}");
        answers.push(format!("{ray:?} {hits:?}"));
        let shot: Disc<P::Body, P::Extra> =
            Disc::new(at, rng.pick(&[0.0, 0.5, 2.0])).with_velocity(some * rng.pick(&[0.0, 1.0, 1e3]));
        let options = CastOptions::new().with_max_time(rng.pick(&[0.0, 1.0, f64::INFINITY]));
        for frozen in [false, true] {
            let hit = world.cast_disc(&shot, &options.with_frozen(frozen), &filter).unwrap();
            answers.push(format!("{shot:?} {frozen} {hit:?}"));
        }
    }
    answers
}

/// A life of a world with queries in between.
fn life<P: Physics, S: Scheduler>(mut world: World<P, S>, rng: &mut Rng) -> Vec<String> {
    let mut answers = ask(&world, rng);
    for _ in 0..6 {
        let ids: Vec<_> = world.ids().collect();
        match rng.below(7) {
            // Looks ahead of the present, and prepares for it.
            0 => {
                world.next_event();
            }
            1 => {
                _ = world.step_event();
            }
            2 if !ids.is_empty() => {
                world.remove(rng.pick(&ids)).unwrap();
            }
            3 if !ids.is_empty() => {
                let id = rng.pick(&ids);
                world.set_overlap(id, carom_engine::Overlap::Allow).unwrap();
                world.set_position(id, place(rng)).unwrap();
                _ = world.set_radius(id, 1.5);
            }
            4 if !ids.is_empty() => world.set_velocity(rng.pick(&ids), rng.vector(9.0)).unwrap(),
            5 => {
                world.insert(disc(rng)).unwrap();
            }
            _ => {
                world.advance(rng.pick(&[0.01, 0.1, 0.5])).unwrap();
            }
        }
        answers.extend(ask(&world, rng));
    }
    answers
}

#[test]
fn all_schedulers_give_the_same_answers() {
    for seed in 0..cases(40) {
        for kind in 0..KINDS {
            let rng = || Rng::new(1000 * seed + kind as u64);
            let of_table = life(smooth::<PairTable>(kind, &mut rng()), &mut rng());
            let of_grid = life(smooth::<CellGrid>(kind, &mut rng()), &mut rng());
            for (table, grid) in of_table.iter().zip(&of_grid) {
                assert_eq!(table, grid, "seed {seed} kind {kind}");
            }
        }
    }
}

#[test]
fn all_schedulers_give_the_same_answers_where_discs_accelerate() {
    for seed in 0..cases(20) {
        let of_table = life(heavy::<PairTable>(&mut Rng::new(seed)), &mut Rng::new(seed));
        let of_grid = life(heavy::<CellGrid>(&mut Rng::new(seed)), &mut Rng::new(seed));
        for (table, grid) in of_table.iter().zip(&of_grid) {
            assert_eq!(table, grid, "seed {seed}");
        }
    }
}

/// Discs that fly apart: the grid gives up its circles for a search among all pairs.
#[test]
fn flights_apart_are_followed() {
    for seed in 0..cases(10) {
        let mut rng = Rng::new(seed);
        let mut world: World<_, CellGrid> =
            World::with_physics(carom_engine::Smooth, carom_engine::Settings::default()).unwrap();
        for _ in 0..60 {
            let away = rng.vector(1.0);
            world
                .insert(carom_engine::Disc::new(away * 40.0, 0.1).with_overlap().with_velocity(away))
                .unwrap();
        }
        for time in [1.0, 1e3, 1e6, 1e9] {
            world.advance_to(time).unwrap();
            let mut table: World<_, PairTable> =
                World::with_physics(carom_engine::Smooth, carom_engine::Settings::default()).unwrap();
            for (_, disc) in world.discs() {
                table.insert(disc.with_overlap()).unwrap();
            }
            for (id, disc) in world.discs() {
                let (mut found, mut of_table) = (Vec::new(), Vec::new());
                world.overlap_point(disc.position, &QueryFilter::new(), &mut found).unwrap();
                table.overlap_point(disc.position, &QueryFilter::new(), &mut of_table).unwrap();
                assert!(found.contains(&carom_engine::Partner::Disc(id)));
                assert_eq!(found, of_table, "seed {seed} at {time}");
            }
        }
    }
}

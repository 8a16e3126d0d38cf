//! Queries in a gas of 10⁴ discs at packing 0.4, scheduled by the grid, and in one of 64, by the table.

mod support;

use carom::{CastOptions, DVec2, Disc, DiscId, QueryFilter, Ray, Wall, World};
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use support::cpu_time::CpuTime;

/// A stream of numbers in `[0, 1)`: SplitMix64 (Steele, Lea and Flood 2014).
fn numbers() -> impl FnMut() -> f64 {
    let mut seed = 1u64;
    move || {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// A square box of `n²` unit discs, after ten impacts each; and its side.
fn gas(n: u32) -> (World, f64) {
    let spacing = (std::f64::consts::PI / 0.4).sqrt();
    let side = f64::from(n) * spacing;
    let (mut world, mut number) = (World::new(), numbers());
    world.set_record_events(false);
    world.add_wall(Wall::container([0.0, 0.0], [side, side])).expect("a box");
    for k in 0..n * n {
        let place = DVec2::new(f64::from(k % n) + 0.5, f64::from(k / n) + 0.5) * spacing;
        let velocity = DVec2::new(number() - 0.5, number() - 0.5);
        world.insert(Disc::new(place, 1.0).with_velocity(velocity)).expect("there is room");
    }
    world.set_budget(u64::from(10 * n * n));
    world.advance(1e9).expect("the time is in range");
    (world, side)
}

fn queries(criterion: &mut Criterion<CpuTime>) {
    for (name, n) in [("10000", 100), ("64", 8)] {
        let (world, side) = gas(n);
        let mut group = criterion.benchmark_group(format!("queries among {name}"));
        let (all, mut found) = (QueryFilter::new(), Vec::with_capacity(1000));
        let mut number = numbers();
        let mut place = move || DVec2::new(number(), number()) * side;
        let mut at = move || (place(), place());
        let mut bench = |what: &str, query: &mut dyn FnMut(DVec2, DVec2)| {
            group.bench_function(what, |bencher| {
                bencher.iter_batched(&mut at, |(a, b)| query(a, b), BatchSize::SmallInput);
            });
        };
        bench("point", &mut |at, _| world.overlap_point(at, &all, &mut found).expect("in range"));
        bench("disc of 8", &mut |at, _| {
            world.overlap_disc(at, 8.0, &all, black_box(&mut found)).expect("in range");
        });
        bench("box of 16", &mut |at, _| {
            let half = DVec2::splat(8.0);
            world.overlap_box(at - half, at + half, &all, black_box(&mut found)).expect("in range");
        });
        let mut near = Vec::with_capacity(1000);
        bench("nearest 8", &mut |at, _| {
            world.nearest(at, 8, &all, black_box(&mut near)).expect("in range");
        });
        bench("ray to the first hit", &mut |at, to| {
            black_box(world.cast_ray(&Ray::new(at, to - at), &all)).expect("in range");
        });
        let mut hits = Vec::with_capacity(1000);
        bench("ray through all across", &mut |at, to| {
            let ray = Ray::new([0.0, at.y], DVec2::new(side, to.y - at.y));
            world.ray_hits(&ray, &all, black_box(&mut hits)).expect("in range");
        });
        let unseen = |_| false;
        let none = QueryFilter::new().only_discs().with_predicate(&unseen);
        bench("ray across, nothing passes", &mut |at, to| {
            let ray = Ray::new([0.0, at.y], DVec2::new(side, to.y - at.y)).with_max_distance(2.0 * side);
            black_box(world.cast_ray(&ray, &none)).expect("in range");
        });
        for (what, frozen) in [("disc cast, frozen", true), ("disc cast, moving", false)] {
            let options = CastOptions::new().with_frozen(frozen);
            bench(what, &mut |at, to| {
                let disc = Disc::new(at, 1.0).with_velocity((to - at) * (1.0 / side));
                black_box(world.cast_disc(&disc, &options, &all)).expect("in range");
            });
        }
        let ids: Vec<DiscId> = world.ids().collect();
        bench("one disc by its handle", &mut |at, _| {
            let id = ids[(at.x / side * ids.len() as f64) as usize];
            black_box(world.get(id).expect("it is there").position());
        });
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(CpuTime).sample_size(20);
    targets = queries
}
criterion_main!(benches);

//! What a program that looks ahead does most: overwrite a world with another, and clone one.

mod support;

use carom::World;
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use support::cpu_time::CpuTime;
use support::gas;

fn clones(criterion: &mut Criterion<CpuTime>) {
    for (name, anew) in [("clone_from", false), ("clone", true)] {
        let mut group = criterion.benchmark_group(name);
        for discs in [4, 16, 100, 200] {
            let world = gas::warm_of(discs).world;
            let mut other: World = world.clone();
            group.bench_function(format!("{discs} discs"), |bencher| {
                bencher.iter(|| {
                    if anew {
                        other = world.clone();
                    } else {
                        other.clone_from(&world);
                    }
                    black_box(&mut other);
                });
            });
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(CpuTime);
    targets = clones
}
criterion_main!(benches);

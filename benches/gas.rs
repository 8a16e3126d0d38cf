//! Elastic gas in a box at packing 0.3: CPU time per event, disc and wall impacts together.
//!
//! Beside each are two bare programs for the same gas: an array of times with row minima, four walls, and
//! nothing else (no handles, no events out, no groups, times that lose digits); and, where discs are few,
//! what one would write first, a loop over all others for the two of an impact and a minimum over all discs.
//! The machine's speed drops out of the ratios.

mod support;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use support::bare_table::BareTable;
use support::cpu_time::CpuTime;
use support::gas;
use support::naive_loop::NaiveLoop;

fn gases(criterion: &mut Criterion<CpuTime>) {
    let mut group = criterion.benchmark_group("gas");
    // One iteration is one event.
    group.throughput(Throughput::Elements(1));
    let named = ["box-16", "box-100", "box-1000"].map(|scene| (scene, gas::warm(scene)));
    for (scene, start) in [("box-4", gas::warm_of(4))].into_iter().chain(named) {
        group.bench_function(BenchmarkId::new("carom", scene), |bencher| {
            let mut world = start.world.clone();
            bencher.iter_custom(|events| CpuTime::of(|| gas::run(&mut world, events)));
        });
        group.bench_function(BenchmarkId::new("bare table", scene), |bencher| {
            let mut bare = BareTable::new(&start.states(), start.side);
            bencher.iter_custom(|events| CpuTime::of(|| bare.run(events)));
        });
        if start.world.len() <= 100 {
            group.bench_function(BenchmarkId::new("naive loop", scene), |bencher| {
                let mut naive = NaiveLoop::new(&start.states(), start.side);
                bencher.iter_custom(|events| CpuTime::of(|| naive.run(events)));
            });
        }
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(CpuTime);
    targets = gases
}
criterion_main!(benches);

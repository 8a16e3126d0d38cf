//! One world on several cores: a gas in a period, advanced as one and as strips in turn, from the same state.
//!
//! `cargo bench --bench cores [-- DISCS]`. Wall time, as that is what several cores save; a busy machine
//! takes it away. The two are compared at the end, bit by bit.

mod support;

use carom::{SchedulerKind, SplitWorld, World};
use cpu_time::ProcessTime;
use std::error::Error;
use std::num::NonZero;
use std::thread;
use std::time::Instant;
use support::crowd::Crowd;

/// In collisions a disc: before the first stretch, and in each.
const MELT: f64 = 10.0;
const STRETCH: f64 = 4.0;
const STRETCHES: usize = 5;

/// How long so many collisions a disc take, in seconds of the world.
fn seconds(world: &World, collisions: f64) -> f64 {
    let since = world.counters().disc_impacts as f64 / world.now().as_secs();
    0.5 * collisions * world.len() as f64 / since
}

fn main() -> Result<(), Box<dyn Error>> {
    let wanted = std::env::args().nth(1).and_then(|discs| discs.parse().ok());
    let discs: u32 = wanted.unwrap_or(1_000_000);
    let cores = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    println!("{discs} discs in a period on {cores} threads, million collisions a second of wall time\n");
    println!("| packing | one core | {cores} threads | ratio | CPU time over that of one | laid out in |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for packing in [0.3, 0.5, 0.7] {
        measure(discs, packing, cores)?;
    }
    Ok(())
}

fn measure(discs: u32, packing: f64, cores: NonZero<usize>) -> Result<(), Box<dyn Error>> {
    let mut alone = Crowd::periodic(discs, packing).world(SchedulerKind::Grid)?;
    alone.advance(1.0)?;
    let melting = seconds(&alone, MELT);
    alone.advance(melting)?;
    let dt = seconds(&alone, STRETCH);
    let mut split = SplitWorld::new(alone.clone(), cores);
    let start = Instant::now();
    split.advance(1e-3 * dt)?;
    alone.advance(1e-3 * dt)?;
    let laid_out = start.elapsed().as_secs_f64();
    let (mut of_one, mut of_all, mut work) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..STRETCHES {
        let (start, cpu) = (Instant::now(), ProcessTime::now());
        let one = alone.advance(dt)?;
        of_one.push(one.events as f64 / start.elapsed().as_secs_f64());
        let cpu_of_one = cpu.elapsed().as_secs_f64();
        let (start, cpu) = (Instant::now(), ProcessTime::now());
        let all = split.advance(dt)?;
        of_all.push(all.events as f64 / start.elapsed().as_secs_f64());
        work.push(cpu.elapsed().as_secs_f64() / cpu_of_one);
        assert_eq!(one, all, "the two end in the same way");
    }
    assert_eq!(alone.diff(&split.into_world()), None, "the two are the same");
    let [one, all, work] = [of_one, of_all, work].map(median);
    let (ratio, one, all) = (all / one, 1e-6 * one, 1e-6 * all);
    println!("| {packing} | {one:.2} | {all:.2} | {ratio:.2} | {work:.2} | {laid_out:.2} s |");
    Ok(())
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_unstable_by(f64::total_cmp);
    rates[rates.len() / 2]
}

//! From how many discs on the grid is faster than the table of all pairs.

use crate::measure;
use crate::support::crowd::Crowd;
use carom::{Counters, SchedulerKind, World};
use std::error::Error;

const PACKING: f64 = 0.3;
const WALLED: [u32; 6] = [32, 48, 64, 96, 128, 192];
const PERIODIC: [u32; 6] = [8, 12, 16, 24, 32, 64];
const WARM_UP: f64 = 100.0;

/// This many CPU seconds for each.
pub(crate) fn print(seconds: f64) -> Result<(), Box<dyn Error>> {
    println!(
        "\nµs of CPU time per event, of walls and of discs, the best of seven stretches, packing {PACKING}.\n"
    );
    println!("| | discs | table | grid | table / grid |");
    println!("| --- | --- | --- | --- | --- |");
    let walled = WALLED.map(|discs| ("box with walls", Crowd::walled(discs, PACKING)));
    let periodic = PERIODIC.map(|discs| ("periodic", Crowd::periodic(discs, PACKING)));
    for (name, crowd) in walled.into_iter().chain(periodic) {
        let table = cost(crowd, SchedulerKind::Table, seconds)?;
        let grid = cost(crowd, SchedulerKind::Grid, seconds)?;
        println!("| {name} | {} | {table:.2} | {grid:.2} | {:.2} |", crowd.discs, table / grid);
    }
    Ok(())
}

/// µs per event.
fn cost(crowd: Crowd, scheduler: SchedulerKind, seconds: f64) -> Result<f64, Box<dyn Error>> {
    let mut world = crowd.world(scheduler)?;
    let speed = measure::melt(&mut world, WARM_UP);
    let impacts = |world: &World| {
        let Counters { disc_impacts, wall_impacts, .. } = world.counters();
        disc_impacts + wall_impacts
    };
    let rates = measure::rates(&mut world, speed, seconds, impacts);
    Ok(1e6 / rates.into_iter().fold(f64::MIN_POSITIVE, f64::max))
}

//! SimdLevel, cache misses and mispredicted branches, counted by valgrind: the same on a busy machine.

use crate::measure;
use crate::reference;
use crate::support::crowd::Crowd;
use crate::support::gas;
use carom::SchedulerKind;
use std::error::Error;
use std::io::ErrorKind;
use std::process::Command;

const DISCS: u32 = 1024;
const WARM_UP: f64 = 30.0;
/// By how much the two runs differ whose difference is the cost: what comes before cancels.
const EVENTS: u64 = 30_000;

/// What one run under valgrind did in all.
struct Totals {
    collisions: u64,
    instructions: u64,
    cache_misses: u64,
    mispredicted: u64,
}

/// The part of this program that runs under valgrind.
pub(crate) fn count(events: u64, packing: f64) -> Result<(), Box<dyn Error>> {
    let mut world = Crowd::periodic(DISCS, packing).world(SchedulerKind::Fastest)?;
    measure::melt(&mut world, WARM_UP);
    gas::run(&mut world, events);
    println!("{}", world.counters().disc_impacts);
    Ok(())
}

/// A row for each packing, if there is valgrind.
pub(crate) fn print(packings: &[f64]) -> Result<(), Box<dyn Error>> {
    let [instructions, misses, mispredicted] = reference::COST;
    println!(
        "\nPer collision, {DISCS} discs, counted by callgrind with its model of the caches and AVX2 at \
         most. \"Single\" at \
         packing 0.5: {instructions} instructions, {misses} misses, {mispredicted} mispredicted.\n"
    );
    println!("| packing | instructions | first-level misses | mispredicted branches |");
    println!("| --- | --- | --- | --- |");
    for &packing in packings {
        let (Some(short), Some(long)) = (under_valgrind(0, packing)?, under_valgrind(EVENTS, packing)?)
        else {
            println!("| {packing} | no valgrind here | | |");
            continue;
        };
        let collisions = long.collisions.saturating_sub(short.collisions).max(1) as f64;
        let per_collision = |of: fn(&Totals) -> u64| of(&long).saturating_sub(of(&short)) as f64 / collisions;
        println!(
            "| {packing} | {:.0} | {:.1} | {:.1} |",
            per_collision(|totals| totals.instructions),
            per_collision(|totals| totals.cache_misses),
            per_collision(|totals| totals.mispredicted)
        );
    }
    Ok(())
}

/// `None` if there is no valgrind.
fn under_valgrind(events: u64, packing: f64) -> Result<Option<Totals>, Box<dyn Error>> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--cache-sim=yes", "--branch-sim=yes"])
        .arg(std::env::current_exe()?)
        .args(["--count", &events.to_string(), "--packings", &packing.to_string()])
        .output();
    let output = match output {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        output => output?,
    };
    let report = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("valgrind: {}\n{report}", output.status).into());
    }
    totals(&String::from_utf8_lossy(&output.stdout), &report)
        .map(Some)
        .ok_or_else(|| format!("valgrind's report is not understood:\n{report}").into())
}

/// From the number that the program printed, and the lines `Events` (names) and `Collected` (numbers) of
/// callgrind.
fn totals(printed: &str, report: &str) -> Option<Totals> {
    let line = |name: &str| {
        report.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            (key.split_whitespace().last() == Some(name)).then_some(value)
        })
    };
    let numbers = line("Collected")?.split_whitespace().map(|number| number.parse().ok());
    let named: Vec<(&str, Option<u64>)> = line("Events")?.split_whitespace().zip(numbers).collect();
    let sum = |names: &[&str]| -> Option<u64> {
        names.iter().map(|name| named.iter().find(|(known, _)| known == name)?.1).sum()
    };
    Some(Totals {
        collisions: printed.trim().parse().ok()?,
        instructions: sum(&["Ir"])?,
        cache_misses: sum(&["I1mr", "D1mr", "D1mw"])?,
        mispredicted: sum(&["Bcm", "Bim"])?,
    })
}

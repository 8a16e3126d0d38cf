//! Many equal discs in a periodic square: collisions per CPU second, memory, and what a collision costs.
//!
//! What it prints is Markdown, as it stands in `docs/benchmarks.md`.

#[path = "../support/mod.rs"]
mod support;

mod args;
mod crossover;
mod instructions;
mod measure;
mod plot;
mod reference;
mod tables;

use args::Args;
use clap::Parser;
use measure::Measured;
use std::error::Error;
use std::process::ExitCode;
use support::crowd::Crowd;

/// What the plot has beside the sizes of the tables.
const BETWEEN: [u32; 5] = [100, 316, 3162, 31_623, 316_228];

fn main() -> ExitCode {
    let args = Args::parse();
    let done = match args.count {
        Some(events) => instructions::count(events, args.packings[0]),
        None => run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    if args.is_smoke() {
        return smoke();
    }
    if args.crossover {
        return crossover::print(args.effort().seconds);
    }
    let mut measured = Vec::new();
    for &discs in &args.sizes {
        for &packing in &args.packings {
            measured.push(Crowd::periodic(discs, packing).measure(args.effort())?);
            tell(measured.last());
        }
    }
    tables::print(&measured);
    if !args.no_instructions {
        instructions::print(&args.packings)?;
    }
    let Some(file) = &args.plot else { return Ok(()) };
    for discs in BETWEEN.into_iter().filter(|discs| !args.sizes.contains(discs)) {
        for &packing in &args.packings {
            measured.push(Crowd::periodic(discs, packing).measure(args.effort())?);
            tell(measured.last());
        }
    }
    plot::draw(&measured, &args.packings, file)
}

/// How far it has come: the whole takes minutes.
fn tell(latest: Option<&Measured>) {
    if let Some(Measured { crowd, median, .. }) = latest {
        eprintln!("{} discs, packing {}: {:.2} M/s", crowd.discs, crowd.packing, median / 1e6);
    }
}

/// Everything once, on worlds so small that the figures mean nothing.
fn smoke() -> Result<(), Box<dyn Error>> {
    eprintln!(
        "a short run to see that it works: its figures mean nothing (cargo bench --bench many -- --help)"
    );
    let effort = measure::Effort { seconds: 0.01, warm_up: Some(2.0) };
    let mut measured = Vec::new();
    for discs in [100, 1024] {
        for packing in args::PACKINGS {
            measured.push(Crowd::periodic(discs, packing).measure(effort)?);
        }
    }
    tables::print(&measured);
    crossover::print(0.001)?;
    let drawing = plot::drawing(&measured, &args::PACKINGS)?;
    if !drawing.trim_end().ends_with("</svg>") {
        return Err("the plot is no whole drawing".into());
    }
    Ok(())
}

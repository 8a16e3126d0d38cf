//! Worlds that are uneven, and work beside the events: what scales badly if anything does.
//!
//! Each table compares a world with an even one of the same size in the same run, in CPU time; what it
//! prints is Markdown, as it stands in `docs/benchmarks.md`. `cargo bench --bench scaling -- NAME…` prints
//! the named tables only.

#[path = "../support/mod.rs"]
mod support;

mod events;
mod set_up;
mod worlds;

use std::error::Error;
use std::process::ExitCode;

type Outcome = Result<(), Box<dyn Error>>;
/// Measures and prints a table.
type Print = fn(Effort) -> Outcome;

/// The tables, by the name that asks for them.
const TABLES: [(&str, Print); 8] = [
    ("uneven", events::uneven),
    ("large", events::large_disc),
    ("segments", events::segments),
    ("dilute", events::dilute),
    ("expanding", events::expanding),
    ("apart", set_up::flying_apart),
    ("walls", set_up::walls),
    ("setup", set_up::many_discs),
];

/// How large the worlds are, and how long they are measured.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    /// Numbers of discs are divided by this.
    pub(crate) divisor: usize,
    /// CPU seconds for one figure.
    pub(crate) seconds: f64,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    // Cargo says `--bench` when it benches, and nothing when it tests.
    let is_short = !args.iter().any(|arg| arg == "--bench");
    let effort = if is_short {
        eprintln!("a short run to see that it works: its figures mean nothing");
        Effort { divisor: 100, seconds: 0.002 }
    } else {
        Effort { divisor: 1, seconds: 0.5 }
    };
    let names: Vec<&String> = args.iter().filter(|arg| !arg.starts_with("--")).collect();
    if let Some(name) = names.iter().find(|name| !TABLES.iter().any(|(table, _)| table == *name)) {
        let known: Vec<&str> = TABLES.iter().map(|(table, _)| *table).collect();
        eprintln!("error: no table {name:?}; there are {}", known.join(", "));
        return ExitCode::FAILURE;
    }
    for (name, print) in TABLES {
        if !names.is_empty() && !names.iter().any(|wanted| *wanted == name) {
            continue;
        }
        if let Err(error) = print(effort) {
            eprintln!("error: {name}: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

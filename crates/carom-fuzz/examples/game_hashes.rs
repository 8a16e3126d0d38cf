//! Prints the lines of the games from FROM to TO, or checks them.
//!
//! ```text
//! cargo run -p carom-fuzz --release --example game_hashes -- [FROM [TO]] [--check] [--explain]
//! ```

use carom_fuzz::hashes::{GAMES, check, explain, known, line};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

fn main() -> ExitCode {
    let (mut numbers, mut checks, mut explains) = (Vec::new(), false, false);
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--check" => checks = true,
            "--explain" => explains = true,
            number => numbers.push(number.parse().expect("the number of a game")),
        }
    }
    let from = numbers.first().copied().unwrap_or(0);
    let to = numbers.get(1).copied().unwrap_or(if numbers.is_empty() { GAMES } else { from + 1 });
    if explains {
        (from..to).for_each(explain);
        return ExitCode::SUCCESS;
    }
    if !checks {
        lines(from, to, |number| Some(line(number)));
        return ExitCode::SUCCESS;
    }
    let known = known();
    let differ = lines(from, to, |number| check(&known, number));
    println!("{differ} of {} games differ", to - from);
    if differ == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints lines in order, made on all cores, and counts them.
fn lines(from: u64, to: u64, line: impl Fn(u64) -> Option<String> + Sync) -> usize {
    let next = AtomicU64::new(from);
    let numbers = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|number| *number < to);
    let work = || {
        let lines = std::iter::from_fn(numbers).filter_map(|number| Some((number, line(number)?)));
        lines.collect::<Vec<_>>()
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut lines: Vec<(u64, String)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("it has no panics")).collect()
    });
    lines.sort();
    lines.iter().for_each(|(_, line)| println!("{line}"));
    lines.len()
}

//! Plays the games of a campaign from FROM to TO, one after another, says which of them fail and why, and
//! counts what they did. A game that takes more than two minutes of CPU ends the run, and is named: the next
//! run begins with the game after it.
//!
//! ```text
//! cargo run -p carom-fuzz --release --example campaign -- FROM TO
//! ```

use carom_fuzz::campaign::game;
use cpu_time::{ProcessTime, ThreadTime};
use std::collections::BTreeMap;
use std::panic::catch_unwind;
use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Seconds of CPU time after which a game is given up; most take milliseconds.
const PATIENCE: u64 = 120;

fn main() {
    let mut numbers = std::env::args().skip(1).map(|number| number.parse().expect("a number of a game"));
    let from: u64 = numbers.next().unwrap_or(0);
    let to: u64 = numbers.next().unwrap_or(from + 1);
    let current = Arc::new(AtomicU64::new(from));
    let watched = Arc::clone(&current);
    std::thread::spawn(move || {
        let (mut last, mut since) = (from, ProcessTime::now());
        loop {
            std::thread::sleep(Duration::from_secs(1));
            let now = watched.load(Ordering::Relaxed);
            if now != last {
                (last, since) = (now, ProcessTime::now());
            } else if since.elapsed().as_secs() > PATIENCE {
                println!("STUCK {now}");
                exit(3);
            }
        }
    });
    let (began, mut failed, mut events) = (ThreadTime::now(), 0, 0);
    let mut counts: BTreeMap<&str, [u64; 2]> = BTreeMap::new();
    for number in from..to {
        current.store(number, Ordering::Relaxed);
        let start = ThreadTime::now();
        match catch_unwind(|| game(number)) {
            Ok(tape) => {
                events += tape.events as u64;
                for (what, [accepted, refused]) in tape.counts {
                    let sum = counts.entry(what).or_default();
                    *sum = [sum[0] + accepted, sum[1] + refused];
                }
            }
            Err(_) => {
                failed += 1;
                println!("FAILED {number}");
            }
        }
        let took = start.elapsed().as_secs_f64();
        if took > 2.0 {
            println!("SLOW {number} {took:.1} s");
        }
        if (number + 1 - from).is_multiple_of(10_000) || number + 1 == to {
            let (games, cpu) = (number + 1 - from, began.elapsed().as_secs_f64());
            let rate = games as f64 / cpu;
            println!(
                "{from}..{}: {games} games, {events} events, {failed} failed, {cpu:.0} s CPU, {rate:.0}/s",
                number + 1
            );
        }
    }
    println!("calls (accepted, refused): {counts:?}");
    exit(i32::from(failed > 0));
}

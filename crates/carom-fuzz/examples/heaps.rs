//! Plays the heaps from FROM to TO, of discs that rub or are smooth, says which fail and why, and what came
//! of all.
//!
//! ```text
//! cargo run -p carom-fuzz --release --example heaps -- smooth|rough FROM TO
//! ```

use carom_engine::{Forces, Rough};
use carom_fuzz::heaps::{Outcome, asked, heap};
use cpu_time::ThreadTime;
use std::ops::Range;
use std::panic::catch_unwind;
use std::process::exit;

/// Seconds of CPU time from which on a heap is named.
const SLOW: f64 = 20.0;

fn main() {
    let Some((is_rough, Range { start: from, end: to })) = asked(std::env::args().skip(1)) else {
        eprintln!("usage: heaps smooth|rough FROM TO");
        exit(2)
    };
    let play: fn(u64) -> Outcome = if is_rough { heap::<Rough<Forces>> } else { heap::<Forces> };
    let (began, mut failed, mut all) = (ThreadTime::now(), 0, Vec::new());
    for number in from..to {
        let start = ThreadTime::now();
        match catch_unwind(|| play(number)) {
            Ok(outcome) => all.push(outcome),
            Err(_) => {
                failed += 1;
                println!("FAILED {number}");
            }
        }
        let took = start.elapsed().as_secs_f64();
        if took > SLOW {
            println!("SLOW {number} {took:.1} s");
        }
        if (number + 1 - from).is_multiple_of(250) || number + 1 == to {
            let most = |of: fn(&Outcome) -> f64| all.iter().map(of).fold(0.0, f64::max);
            let sum = |of: fn(&Outcome) -> u64| all.iter().map(of).sum::<u64>();
            println!(
                "{from}..{}: {failed} failed; {} discs, {} events, {} edits, {} crushed; {} at rest; \
                 bounces {:.0}, overlap {:.1e}, rise {:.1e}; {:.0} s CPU",
                number + 1,
                sum(|heap| heap.discs as u64),
                sum(|heap| heap.events),
                sum(|heap| heap.edits as u64),
                sum(|heap| heap.crushed as u64),
                sum(|heap| u64::from(heap.is_at_rest)),
                most(|heap| heap.bounces as f64),
                most(|heap| heap.overlap),
                most(|heap| heap.rise),
                began.elapsed().as_secs_f64(),
            );
        }
    }
    exit(i32::from(failed > 0));
}

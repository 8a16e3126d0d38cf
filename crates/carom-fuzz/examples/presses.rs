//! Plays the slow presses from FROM to TO, of discs that rub or are smooth, says which fail and which have
//! busy frames, and what came of all.
//!
//! ```text
//! cargo run -p carom-fuzz --release --example presses -- smooth|rough FROM TO
//! ```

use carom_engine::{Forces, Rough};
use carom_fuzz::heaps::asked;
use carom_fuzz::presses::{BUSY, Pressed, press};
use cpu_time::ThreadTime;
use std::ops::Range;
use std::panic::catch_unwind;
use std::process::exit;

fn main() {
    let Some((is_rough, Range { start: from, end: to })) = asked(std::env::args().skip(1)) else {
        eprintln!("usage: presses smooth|rough FROM TO");
        exit(2)
    };
    let play: fn(u64) -> Pressed = if is_rough { press::<Rough<Forces>> } else { press::<Forces> };
    let (began, mut failed, mut busy, mut all) = (ThreadTime::now(), 0, 0, Vec::new());
    for number in from..to {
        match catch_unwind(|| play(number)) {
            Ok(pressed) => {
                if pressed.pieces.0 > BUSY {
                    busy += 1;
                    println!("BUSY {number}: {} pieces in frame {}", pressed.pieces.0, pressed.pieces.1);
                }
                all.push(pressed);
            }
            Err(_) => {
                failed += 1;
                println!("FAILED {number}");
            }
        }
    }
    let overlap = all.iter().map(|pressed| pressed.overlap).fold(0.0, f64::max);
    println!(
        "{from}..{to}: {failed} failed, {busy} busy; {} discs, {} crushed; at most {} pieces and {} bounces \
         a frame; overlap {overlap:.1e}; {:.0} s CPU",
        all.iter().map(|pressed| pressed.discs).sum::<usize>(),
        all.iter().map(|pressed| pressed.crushed).sum::<usize>(),
        all.iter().map(|pressed| pressed.pieces.0).max().unwrap_or(0),
        all.iter().map(|pressed| pressed.bounces).max().unwrap_or(0),
        began.elapsed().as_secs_f64(),
    );
    exit(i32::from(failed > 0));
}

//! Work that is cut into numbered pieces, on all cores.

use crate::interrupt;
use crate::progress::Progress;
use carom_billiards::start_threads;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Pieces that a thread takes at a time.
const BATCH: u64 = 16;

/// Gives the numbers below `count` to threads, each of which adds them to what it has gathered; returns what
/// each has. What comes of a number must not depend on the thread. Ends early if it is interrupted. `words`
/// are what is done and what it is called: "break", "breaks".
pub(crate) fn on_all_cores<A: Send, E: Send>(
    threads: Option<u16>,
    count: u64,
    words: [&'static str; 2],
    new: impl Fn() -> A + Sync,
    add: impl Fn(&mut A, u64) -> Result<(), E> + Sync,
) -> Result<Vec<A>, E> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.map_or_else(cores, usize::from).min(count.div_ceil(BATCH) as usize);
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let work = || -> Result<A, E> {
        let mut gathered = new();
        loop {
            let first = next.fetch_add(BATCH, Ordering::Relaxed);
            if first >= count || interrupt::is_requested() {
                return Ok(gathered);
            }
            for k in first..(first + BATCH).min(count) {
                add(&mut gathered, k)?;
                done.fetch_add(1, Ordering::Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        let workers = start_threads(scope, threads, work);
        if workers.is_empty() {
            return Ok(vec![work()?]);
        }
        let [what, plural] = words;
        let mut progress = Progress::new(what);
        while workers.iter().any(|worker| !worker.is_finished()) {
            let done = done.load(Ordering::Relaxed);
            progress.at(done as f64 / count.max(1) as f64, || format!("{done} {plural}"));
            std::thread::sleep(Duration::from_millis(if progress.is_shown() { 50 } else { 2 }));
        }
        let joined = workers.into_iter().map(|worker| match worker.join() {
            Ok(of_one) => of_one,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.collect()
    })
}

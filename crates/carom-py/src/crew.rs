//! Work on many rows, on several threads.

use pyo3::prelude::*;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

/// Rows that a thread takes at once.
const CHUNK: usize = 16;

/// As many threads as are asked for, or as there are cores.
pub(crate) fn count(threads: Option<NonZeroUsize>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    threads.map_or_else(cores, NonZeroUsize::get).min(carom_billiards::MOST_THREADS)
}

/// Does `work` on each item, on a number of threads, each with a state of its own. Which thread takes
/// what is not determined: the work on an item is to depend on nothing but that.
pub(crate) fn each<T: Send, S>(
    threads: usize,
    items: &mut [T],
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &mut T) + Sync,
) {
    if threads <= 1 || items.len() <= CHUNK {
        let mut own = state();
        items.iter_mut().for_each(|item| work(&mut own, item));
        return;
    }
    let queue = Mutex::new(items.chunks_mut(CHUNK));
    let run = || {
        let mut own = state();
        loop {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(chunk) = next else { break };
            chunk.iter_mut().for_each(|item| work(&mut own, item));
        }
    };
    std::thread::scope(|scope| {
        let started = carom_billiards::start_threads(scope, threads - 1, run);
        run();
        drop(started);
    });
}

/// Rows between two looks for signals.
const ROUND: usize = 1024;

/// The same without the GIL, in rounds between which signals are looked for.
pub(crate) fn each_detached<T: Send, S>(
    py: Python<'_>,
    threads: usize,
    items: &mut [T],
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &mut T) + Sync,
) -> PyResult<()> {
    for round in items.chunks_mut(ROUND) {
        py.detach(|| each(threads, round, &state, &work));
        py.check_signals()?;
    }
    Ok(())
}

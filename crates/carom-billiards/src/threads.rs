//! Threads, as many as the system grants.

use std::thread::{Builder, Scope, ScopedJoinHandle};

/// The most threads that a call starts. More than the machine has cores gain nothing, and each takes the
/// memory of its stack.
pub const MOST_THREADS: usize = 1024;

/// Starts up to `count` threads that do the same work, and [`MOST_THREADS`] at most. It starts fewer where
/// the system refuses more, as a container with a limit of processes does. The caller does the work itself
/// where none starts.
pub fn start_threads<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    count: usize,
    work: impl Fn() -> T + Copy + Send + 'scope,
) -> Vec<ScopedJoinHandle<'scope, T>> {
    let start = |_| Builder::new().spawn_scoped(scope, work).ok();
    (0..count.min(MOST_THREADS)).map_while(start).collect()
}

//! Ctrl-C and requests to end: a run stops where it is, and what was asked for is written up to there.

use crate::error::INTERRUPTED;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a run goes on that looks at [`is_requested`].
static RUNNING: AtomicBool = AtomicBool::new(false);
static REQUESTED: AtomicBool = AtomicBool::new(false);
/// Files that are being written under a name that is not their own yet.
static PARTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Handles interrupts from here on: the first one during a run asks it to stop, any other ends the program at
/// once, and leaves no temporary file. Where the system has no such signals nothing is done.
pub(crate) fn install() {
    // An error means that there is a handler already, or none can be had: then an interrupt ends the program.
    let _ = ctrlc::set_handler(|| {
        if RUNNING.load(Ordering::SeqCst) && !REQUESTED.swap(true, Ordering::SeqCst) {
            return;
        }
        if let Ok(parts) = PARTS.lock() {
            for part in parts.iter() {
                let _ = std::fs::remove_file(part);
            }
        }
        let _ = writeln!(std::io::stderr(), "carom: interrupted");
        std::process::exit(i32::from(INTERRUPTED));
    });
}

/// Says when a run begins and ends.
pub(crate) fn set_running(running: bool) {
    RUNNING.store(running, Ordering::SeqCst);
}

/// Whether the run is asked to stop.
pub(crate) fn is_requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}

/// A temporary file that an interrupt removes, as dropping it does.
pub(crate) struct Part<'path>(&'path Path);

impl<'path> Part<'path> {
    pub(crate) fn new(path: &'path Path) -> Self {
        if let Ok(mut parts) = PARTS.lock() {
            parts.push(path.to_path_buf());
        }
        Self(path)
    }
}

impl Drop for Part<'_> {
    fn drop(&mut self) {
        if let Ok(mut parts) = PARTS.lock() {
            // It is not there any more if it has got its own name.
            let _ = std::fs::remove_file(self.0);
            parts.retain(|part| part != self.0);
        }
    }
}

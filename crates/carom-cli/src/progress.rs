//! A progress bar for long runs, on the terminal only.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

/// Runs shorter than this show nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// The bar's resolution.
const STEPS: u64 = 1000;

/// A bar that appears once the work has taken a second. Not drawn when standard error is not a terminal.
pub(crate) struct Progress {
    started: Instant,
    what: &'static str,
    bar: Option<ProgressBar>,
}

impl Progress {
    pub(crate) fn new(what: &'static str) -> Self {
        Self { started: Instant::now(), what, bar: None }
    }

    /// Says how much is done, 0 to 1, and what to write beside it.
    pub(crate) fn at(&mut self, done: f64, beside: impl FnOnce() -> String) {
        if self.bar.is_none() && self.started.elapsed() < PATIENCE {
            return;
        }
        let what = self.what;
        let bar = self.bar.get_or_insert_with(|| {
            // `new` draws to standard error, and to nowhere when that is not a terminal.
            let bar = ProgressBar::new(STEPS);
            if let Ok(style) =
                ProgressStyle::with_template("{prefix} {wide_bar} {percent:>3} %  {msg}  {eta} left")
            {
                bar.set_style(style);
            }
            bar.set_prefix(what);
            bar
        });
        bar.set_position((done.clamp(0.0, 1.0) * STEPS as f64) as u64);
        bar.set_message(beside());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

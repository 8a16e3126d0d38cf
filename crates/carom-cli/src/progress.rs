//! A progress bar for long runs, on the terminal only.

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
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
        let elapsed = self.started.elapsed();
        if self.bar.is_none() && elapsed < PATIENCE {
            return;
        }
        let done = if done > 0.0 { done.min(1.0) } else { 0.0 };
        let bar = self.bar.get_or_insert_with(|| {
            // `new` draws to standard error, and to nowhere when that is not a terminal.
            let bar = ProgressBar::new(STEPS).with_prefix(self.what);
            if let Ok(style) = ProgressStyle::with_template("{prefix} {wide_bar} {percent:>3} %  {msg}") {
                bar.set_style(style);
            }
            bar
        });
        // The bar's own estimate looks at the last moments only, and this bar began in the middle of the
        // work.
        let left = Duration::try_from_secs_f64(elapsed.as_secs_f64() * (1.0 - done) / done)
            .map_or(String::new(), |left| format!("{} left", HumanDuration(left)));
        let words: Vec<String> = [beside(), left].into_iter().filter(|words| !words.is_empty()).collect();
        bar.set_message(words.join(", "));
        bar.set_position((done * STEPS as f64) as u64);
    }

    /// Whether there is a bar.
    pub(crate) fn is_shown(&self) -> bool {
        self.bar.is_some()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

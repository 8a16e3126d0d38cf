//! How far a long piece of work has come.

use crate::error::SceneError;
use std::ops::ControlFlow;

/// What is called now and then with how much of the work is done, from 0 to 1, and says whether to go on.
pub type Progress<'run> = &'run mut dyn FnMut(f64) -> ControlFlow<()>;

/// Steps of equal weight, reported to a callback.
pub(crate) struct Steps<'run> {
    done: u64,
    all: u64,
    progress: Progress<'run>,
    is_cancelled: bool,
}

/// This many steps are taken between two calls: far less than can be noticed.
const A_CALL: u64 = 1 << 12;

impl<'run> Steps<'run> {
    pub(crate) fn new(all: u64, progress: Progress<'run>) -> Self {
        Self { done: 0, all, progress, is_cancelled: false }
    }

    /// The part that is done.
    pub(crate) fn part(&self) -> f64 {
        self.done as f64 / self.all as f64
    }

    pub(crate) fn done(&self) -> u64 {
        self.done
    }

    #[inline]
    pub(crate) fn step(&mut self) {
        self.done += 1;
        if self.done.is_multiple_of(A_CALL) {
            self.report(self.done as f64 / self.all as f64);
        }
    }

    /// Reports how much is done by other reckoning.
    pub(crate) fn report(&mut self, done: f64) {
        self.is_cancelled = self.is_cancelled || (self.progress)(done).is_break();
    }

    /// Whether the work is to end, once it has been said so.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.is_cancelled
    }

    /// An error if the work is to end.
    pub(crate) fn go_on(&self) -> Result<(), SceneError> {
        if self.is_cancelled { Err(SceneError::Cancelled) } else { Ok(()) }
    }

    /// Work is done again from here, or a part of it was not needed.
    pub(crate) fn go_to(&mut self, done: u64) {
        self.done = done;
    }
}

//! How far a long piece of work has come.

/// Steps of equal weight, reported to a callback.
pub(crate) struct Steps<'run> {
    done: u64,
    all: u64,
    progress: &'run mut dyn FnMut(f64),
}

/// So many steps are taken between two calls: far less than can be noticed.
const A_CALL: u64 = 1 << 12;

impl<'run> Steps<'run> {
    pub(crate) fn new(all: u64, progress: &'run mut dyn FnMut(f64)) -> Self {
        Self { done: 0, all, progress }
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
            (self.progress)(self.done as f64 / self.all as f64);
        }
    }

    /// Reports how much is done by other reckoning.
    pub(crate) fn report(&mut self, done: f64) {
        (self.progress)(done);
    }

    /// Work is done again from here, or a part of it was not needed.
    pub(crate) fn go_to(&mut self, done: u64) {
        self.done = done;
    }
}

//! How far a long piece of work has come.

/// Steps of equal weight, and who hears of them.
pub(crate) struct Steps<'run> {
    done: u64,
    all: u64,
    hear: &'run mut dyn FnMut(f64),
}

/// So many steps are taken between two calls: far less than can be noticed.
const A_CALL: u64 = 1 << 12;

impl<'run> Steps<'run> {
    pub(crate) fn new(all: u64, hear: &'run mut dyn FnMut(f64)) -> Self {
        Self { done: 0, all, hear }
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
            (self.hear)(self.done as f64 / self.all as f64);
        }
    }

    /// Tells how much is done by other reckoning.
    pub(crate) fn tell(&mut self, done: f64) {
        (self.hear)(done);
    }

    /// Work is done again from here, or a part of it was not needed.
    pub(crate) fn go_to(&mut self, done: u64) {
        self.done = done;
    }
}

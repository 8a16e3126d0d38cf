//! What an environment does.

use std::fmt::Display;

/// What a step gives.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Step {
    pub(crate) reward: f64,
    /// The episode is over by the rules.
    pub(crate) is_terminated: bool,
    /// It is over as it lasted too long.
    pub(crate) is_truncated: bool,
}

/// Why a step failed, in words.
#[derive(Clone, Debug)]
pub(crate) struct Failed(pub(crate) String);

impl<E: Display> From<E> for Failed {
    fn from(error: E) -> Self {
        Failed(error.to_string())
    }
}

/// An environment. What it does depends on the seed of the episode and the actions alone.
pub(crate) trait Task: Clone + Send + Sync {
    /// Numbers of an observation and of an action.
    fn widths(&self) -> [usize; 2];
    /// Begins an episode.
    fn reset(&mut self, seed: u64) -> Result<(), Failed>;
    fn step(&mut self, action: &[f32]) -> Result<Step, Failed>;
    fn observe(&self, row: &mut [f32]);
    /// A picture of `width` pixels across, as a PNG.
    fn picture(&self, width: u32) -> Result<Vec<u8>, Failed>;
}

/// A number of an action: from -1 to 1.
pub(crate) fn share(number: f32) -> f64 {
    if number.is_nan() { 0.0 } else { f64::from(number.clamp(-1.0, 1.0)) }
}

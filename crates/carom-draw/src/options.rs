//! How a movie is made.

use crate::{DrawError, Style};
use std::ops::RangeInclusive;

/// How a movie is made.
#[derive(Clone, Debug, PartialEq)]
pub struct MovieOptions {
    /// Pixels from left to right, [`Style::MIN_WIDTH`] to [`MovieOptions::MAX_WIDTH`], default 640.
    pub width: u32,
    /// Frames per second, 1 to 50, default 25. Delays in a GIF are whole hundredths of a second: at rates
    /// that do not divide 100 they vary by one, and each frame shows the moment at which it really appears.
    pub frames_per_second: u32,
    /// Simulated seconds per second of the movie, one of [`MovieOptions::SPEEDS`], default 1.
    pub speed: f64,
    /// Most frames, 1 to 100 000, default 1500 (a minute); a longer recording is cut off there.
    pub max_frames: usize,
}

impl MovieOptions {
    /// Greatest width of a movie, in pixels.
    pub const MAX_WIDTH: u32 = 2048;

    /// The speeds at which a movie plays, from 1e-100 to 1e100: what a speed is multiplied with or divided by
    /// stays within the range of numbers.
    pub const SPEEDS: RangeInclusive<f64> = 1e-100..=1e100;

    pub(crate) fn check(&self) -> Result<(), DrawError> {
        DrawError::check("options.width", self.width, Style::MIN_WIDTH..=Self::MAX_WIDTH)?;
        // Browsers play delays below 2/100 s at 10/100 s.
        DrawError::check("options.frames_per_second", self.frames_per_second, 1..=50)?;
        DrawError::check_number("options.speed", self.speed, Self::SPEEDS)?;
        DrawError::check("options.max_frames", self.max_frames, 1..=100_000)
    }
}

impl Default for MovieOptions {
    fn default() -> Self {
        Self { width: 640, frames_per_second: 25, speed: 1.0, max_frames: 1500 }
    }
}

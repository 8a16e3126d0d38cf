//! What can go wrong.

use carom_engine::math::Shown;
use std::ops::RangeInclusive;
use thiserror::Error;

/// Why something could not be drawn.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DrawError {
    /// A number or a text that is not allowed where it stands.
    #[error("{field} is {value}; allowed: {allowed}")]
    OutOfRange {
        /// The field, as its owner spells it.
        field: &'static str,
        /// The value that was given.
        value: String,
        /// What is allowed.
        allowed: String,
    },
    /// A disc to record is not in the world: its handle is dead or from another world.
    #[error("discs[{index}] is {disc}; allowed: the handle of a disc that is in the world")]
    UnknownDisc {
        /// Place in the list of discs.
        index: usize,
        /// The handle.
        disc: String,
    },
    /// The same disc was given twice.
    #[error("discs[{index}] is {disc} again; allowed: every disc once")]
    RepeatedDisc {
        /// Place in the list of discs.
        index: usize,
        /// The handle.
        disc: String,
    },
    /// There is no memory for a picture of this size.
    #[error("no memory for a picture of {width} by {height} pixels; allowed: a smaller width")]
    NoMemory {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
    /// The PNG encoder failed.
    #[error("the picture could not be encoded")]
    Png(#[from] png::EncodingError),
    /// The GIF encoder, or the writer under it, failed.
    #[error("the movie could not be written")]
    Gif(#[from] gif::EncodingError),
}

impl DrawError {
    /// Refuses a whole number unless it is in `range`.
    pub(crate) fn check<T: PartialOrd + std::fmt::Display>(
        field: &'static str,
        value: T,
        range: RangeInclusive<T>,
    ) -> Result<(), Self> {
        Self::check_shown(field, value, range, |value| value)
    }

    /// The same of any number.
    pub(crate) fn check_number(
        field: &'static str,
        value: f64,
        range: RangeInclusive<f64>,
    ) -> Result<(), Self> {
        Self::check_shown(field, value, range, Shown)
    }

    fn check_shown<T: PartialOrd, S: std::fmt::Display>(
        field: &'static str,
        value: T,
        range: RangeInclusive<T>,
        show: impl Fn(T) -> S,
    ) -> Result<(), Self> {
        if range.contains(&value) {
            return Ok(());
        }
        let (least, most) = range.into_inner();
        let allowed = format!("{} to {}", show(least), show(most));
        Err(Self::OutOfRange { field, value: show(value).to_string(), allowed })
    }
}

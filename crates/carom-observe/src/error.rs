//! What can go wrong.

use carom_engine::math::Shown;
use thiserror::Error;

/// Why something could not be measured, written or read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ObserveError {
    /// A number that is not allowed where it stands.
    #[error("{field} is {}; allowed: {allowed}", Shown(*value))]
    OutOfRange {
        /// Which number.
        field: &'static str,
        /// The value that was given.
        value: f64,
        /// What is allowed.
        allowed: String,
    },
    /// A number of a disc that is not allowed.
    #[error("{field}[{index}] is {}; allowed: {allowed}", Shown(*value))]
    BadDisc {
        /// Which number.
        field: &'static str,
        /// Place of the disc in the slice.
        index: usize,
        /// The value that was given.
        value: f64,
        /// What is allowed.
        allowed: &'static str,
    },
    /// Two lengths that should agree.
    #[error("{given} {field} for {expected} discs; allowed: one for each")]
    WrongLength {
        /// Of what.
        field: &'static str,
        /// How many there are.
        given: usize,
        /// How many there should be.
        expected: usize,
    },
    /// So few discs in so long a box that their cells are spanned by more images than is sensible.
    #[error(
        "the cells of {discs} discs need more than {images} images; allowed: a less elongated box, or more \
         discs"
    )]
    Elongated {
        /// How many discs there are.
        discs: usize,
        /// How many images there would have been.
        images: usize,
    },
    /// A name that cannot be the name of a column.
    #[error(
        "column {name:?}; allowed: a letter, then letters, digits and underscores, once in a frame, and \
         none of the standard ones"
    )]
    BadColumn {
        /// The name.
        name: String,
    },
    /// A file that is not as it should be.
    #[error("line {line}: {what}")]
    Malformed {
        /// Number of the line, counted from 1.
        line: u64,
        /// What is wrong.
        what: String,
    },
    /// The reader or writer underneath failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ObserveError {
    /// Refuses what is not in `least..=most`; NaN too.
    pub(crate) fn check(field: &'static str, value: f64, least: f64, most: f64) -> Result<f64, Self> {
        if (least..=most).contains(&value) {
            return Ok(value);
        }
        Err(Self::OutOfRange { field, value, allowed: format!("{} to {}", Shown(least), Shown(most)) })
    }

    /// Refuses what is not finite and above 0.
    pub(crate) fn positive(field: &'static str, value: f64) -> Result<f64, Self> {
        if value > 0.0 && value < f64::INFINITY {
            return Ok(value);
        }
        Err(Self::OutOfRange { field, value, allowed: "above 0 and finite".into() })
    }

    pub(crate) fn same_length(field: &'static str, given: usize, expected: usize) -> Result<(), Self> {
        if given == expected { Ok(()) } else { Err(Self::WrongLength { field, given, expected }) }
    }
}

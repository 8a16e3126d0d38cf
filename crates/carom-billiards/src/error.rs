//! What can be wrong with what is given.

use carom_engine::Error as EngineError;
use carom_engine::math::Shown;

/// Why a table, a layout of balls or a shot is refused: field, value, and what is allowed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A number is not finite or not in its range.
    #[error("{field} is {}, allowed is {allowed}", Shown(*value))]
    OutOfRange {
        /// Which number.
        field: &'static str,
        /// What was given.
        value: f64,
        /// What would have been accepted.
        allowed: &'static str,
    },
    /// A ball does not lie on the table, clear of cushions and pockets.
    #[error(
        "ball {label:?} is at ({}, {}), allowed are places on the table, clear of cushions and pockets",
        Shown(*x),
        Shown(*y)
    )]
    OffTable {
        /// Its label.
        label: String,
        /// Its place in the frame of the table.
        x: f64,
        /// As `x`.
        y: f64,
    },
    /// A ball in hand is put where the rules do not allow it.
    #[error("ball {label:?} is put to ({}, {}), allowed is {allowed}", Shown(*x), Shown(*y))]
    Misplaced {
        /// Its label.
        label: String,
        /// The place in the frame of the table.
        x: f64,
        /// As `x`.
        y: f64,
        /// Where it may be put.
        allowed: &'static str,
    },
    /// Two balls overlap.
    #[error("ball {label:?} overlaps ball {other:?} by {} m, allowed is touching", rounded(*depth))]
    Overlap {
        /// One of them.
        label: String,
        /// The other.
        other: String,
        /// By how much, in metres.
        depth: f64,
    },
    /// The tip slips off the ball.
    #[error(
        "the tip is {} radii off the centre, allowed is at most {}: it is a miscue",
        Shown(*offset),
        Shown(*allowed)
    )]
    Miscue {
        /// Offset of the tip as a fraction of the radius.
        offset: f64,
        /// What the cue allows.
        allowed: f64,
    },
    /// There is no such ball on the table, or in the game that is judged.
    #[error("there is no ball {label:?} on the table; there are {known}")]
    NoSuchBall {
        /// Which.
        label: String,
        /// The labels that there are.
        known: String,
    },
    /// There is no such table, rack or model.
    #[error("there is no {what} {name:?}; there are {known}")]
    Unknown {
        /// A table, a rack, a model.
        what: &'static str,
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// The rules of the game ask for something else now.
    #[error("it is not the time for that: {0}")]
    OutOfTurn(&'static str),
    /// The engine refuses it.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl Error {
    /// [`Error::NoSuchBall`] where there are these.
    pub(crate) fn no_ball<'a>(label: &str, known: impl Iterator<Item = &'a str>) -> Error {
        let known: Vec<&str> = known.collect();
        let known = if known.is_empty() { "none".into() } else { known.join(", ") };
        Error::NoSuchBall { label: label.into(), known }
    }
}

/// A length as a sentence says it: four digits.
fn rounded(length: f64) -> Shown {
    Shown(format!("{length:.3e}").parse().unwrap_or(length))
}

pub(crate) fn within(
    field: &'static str,
    value: f64,
    range: core::ops::RangeInclusive<f64>,
    allowed: &'static str,
) -> Result<(), Error> {
    if range.contains(&value) { Ok(()) } else { Err(Error::OutOfRange { field, value, allowed }) }
}

//! What can be wrong with a scene.

use crate::place::{FieldPath, Place, printable};
use std::io;

/// What is wrong with a scene, and where. The text is always one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The file could not be read.
    #[error("{}: cannot be read: {source}", printable(path))]
    Read {
        /// The path as it was given.
        path: String,
        /// What the system says.
        source: io::Error,
    },
    /// The file is larger than [`MAX_FILE_BYTES`](crate::MAX_FILE_BYTES), or than [`MAX_TOML_BYTES`](crate::MAX_TOML_BYTES)
    /// if it is TOML.
    #[error("{}: larger than {limit} bytes, the most that is read", printable(path))]
    FileTooLarge {
        /// The path as it was given.
        path: String,
        /// The largest size allowed.
        limit: u64,
    },
    /// Neither a named scene nor a file.
    #[error("{}: neither a named scene nor a file{}", printable(name),
        closest.map_or(String::new(), |near| format!("; the nearest name is `{near}`")))]
    NoSuchScene {
        /// The name that was asked for.
        name: String,
        /// The named scene whose name is most like it, if any is.
        closest: Option<&'static str>,
    },
    /// The text is not TOML or JSON, or a field is unknown, missing, or of the wrong type.
    #[error("{place}: {}", printable(what))]
    Syntax {
        /// Where.
        place: Place,
        /// What is wrong, and what is allowed.
        what: String,
    },
    /// The file is of another version or model than this library reads.
    #[error("{place}: {} is not known to this version; allowed: {allowed}", printable(found))]
    Unsupported {
        /// Where.
        place: Place,
        /// What stands there.
        found: String,
        /// What could stand there.
        allowed: &'static str,
    },
    /// A value outside what is allowed.
    #[error("{place}: {} is not allowed; must be {allowed}", printable(value))]
    Value {
        /// Where.
        place: Place,
        /// The value, as text.
        value: String,
        /// What is allowed.
        allowed: String,
    },
    /// A field that something else in the scene makes necessary.
    #[error("{place}: missing; {why}")]
    Missing {
        /// Where it should be.
        place: Place,
        /// What makes it necessary.
        why: String,
    },
    /// A field that has no meaning here.
    #[error("{place}: has no meaning here; {why}")]
    Unexpected {
        /// Where.
        place: Place,
        /// Why not.
        why: String,
    },
    /// More discs than a scene may have ([`MAX_DISCS`](crate::MAX_DISCS)).
    #[error("{place}: makes {count} discs; at most {limit} are allowed")]
    TooManyDiscs {
        /// Where the limit is passed.
        place: Place,
        /// The number of discs with this entry.
        count: u64,
        /// The largest number allowed.
        limit: u64,
    },
    /// The discs of a gas do not fit into its region.
    #[error("{place}: {why}")]
    NoRoom {
        /// Where.
        place: Place,
        /// What was tried, with the numbers.
        why: String,
    },
    /// The engine refused what the scene asks for: numbers outside its range, discs that overlap.
    #[error("{place}: {source}")]
    Refused {
        /// Where.
        place: Place,
        /// What the engine says.
        source: Box<carom_engine::Error>,
    },
    /// The world to go on with is not one of this scene.
    #[error("the world is not one of this scene: {why}")]
    OtherWorld {
        /// What does not agree.
        why: String,
    },
}

impl SceneError {
    /// The place, where the error has one.
    #[must_use]
    pub fn place(&self) -> Option<&Place> {
        match self {
            Self::Read { .. }
            | Self::FileTooLarge { .. }
            | Self::NoSuchScene { .. }
            | Self::OtherWorld { .. } => None,
            Self::Syntax { place, .. }
            | Self::Unsupported { place, .. }
            | Self::Value { place, .. }
            | Self::Missing { place, .. }
            | Self::Unexpected { place, .. }
            | Self::TooManyDiscs { place, .. }
            | Self::NoRoom { place, .. }
            | Self::Refused { place, .. } => Some(place),
        }
    }

    pub(crate) fn place_mut(&mut self) -> Option<&mut Place> {
        match self {
            Self::Read { .. }
            | Self::FileTooLarge { .. }
            | Self::NoSuchScene { .. }
            | Self::OtherWorld { .. } => None,
            Self::Syntax { place, .. }
            | Self::Unsupported { place, .. }
            | Self::Value { place, .. }
            | Self::Missing { place, .. }
            | Self::Unexpected { place, .. }
            | Self::TooManyDiscs { place, .. }
            | Self::NoRoom { place, .. }
            | Self::Refused { place, .. } => Some(place),
        }
    }

    pub(crate) fn value(field: FieldPath, value: impl ToString, allowed: impl Into<String>) -> Self {
        Self::Value { place: Place::field(field), value: value.to_string(), allowed: allowed.into() }
    }

    pub(crate) fn missing(field: FieldPath, why: impl Into<String>) -> Self {
        Self::Missing { place: Place::field(field), why: why.into() }
    }

    pub(crate) fn unexpected(field: FieldPath, why: impl Into<String>) -> Self {
        Self::Unexpected { place: Place::field(field), why: why.into() }
    }

    pub(crate) fn no_room(field: FieldPath, why: impl Into<String>) -> Self {
        Self::NoRoom { place: Place::field(field), why: why.into() }
    }
}

/// A number as one would write it into the file: 1e308 and not three hundred zeros.
pub(crate) fn number(value: f64) -> String {
    let text = format!("{value:?}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

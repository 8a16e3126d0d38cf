//! What can be wrong with a scene.

use crate::place::{FieldPath, Place, printable};
use carom_engine::math::Shown;
use carom_engine::{DiscId, WallId};
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
    /// The file is larger than [`MAX_FILE_BYTES`](crate::MAX_FILE_BYTES), or than
    /// [`MAX_TOML_BYTES`](crate::MAX_TOML_BYTES) if it is TOML.
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
        allowed: Box<str>,
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
    /// The engine refused what the scene asks for, such as discs that overlap.
    #[error("{place}: {what}")]
    Refused {
        /// Where.
        place: Place,
        /// What the engine says, in the terms of the scene.
        what: String,
        /// What the engine says.
        source: Box<carom_engine::Error>,
    },
    /// Whoever watched the progress has had the work end.
    #[error("it was cancelled before the scene was set up")]
    Cancelled,
    /// The world to go on with is not one of this scene.
    #[error("the world is not one of this scene: {why}")]
    OtherWorld {
        /// What does not agree.
        why: String,
    },
}

/// The place of an error, by shared or unique reference.
macro_rules! place_of {
    ($error:expr) => {
        match $error {
            SceneError::Syntax { place, .. }
            | SceneError::Unsupported { place, .. }
            | SceneError::Value { place, .. }
            | SceneError::Missing { place, .. }
            | SceneError::Unexpected { place, .. }
            | SceneError::TooManyDiscs { place, .. }
            | SceneError::NoRoom { place, .. }
            | SceneError::Refused { place, .. } => Some(place),
            _ => None,
        }
    };
}

impl SceneError {
    /// The place, where the error has one.
    #[must_use]
    pub fn place(&self) -> Option<&Place> {
        place_of!(self)
    }

    pub(crate) fn place_mut(&mut self) -> Option<&mut Place> {
        place_of!(self)
    }

    /// A field has a value outside what is allowed.
    pub fn value(field: FieldPath, value: impl ToString, allowed: impl Into<String>) -> Self {
        Self::Value { place: Place::field(field), value: value.to_string(), allowed: allowed.into() }
    }

    /// A field is missing that something else makes necessary.
    pub fn missing(field: FieldPath, why: impl Into<String>) -> Self {
        Self::Missing { place: Place::field(field), why: why.into() }
    }

    /// A field has no meaning where it stands.
    pub fn unexpected(field: FieldPath, why: impl Into<String>) -> Self {
        Self::Unexpected { place: Place::field(field), why: why.into() }
    }

    /// What the engine says of the entry at `path`. A number that it names is a field of the entry.
    pub(crate) fn refused(path: FieldPath, source: carom_engine::Error) -> Self {
        Self::refused_among(path, source, &|disc| format!("disc {disc}"), &|wall| format!("wall {wall}"))
    }

    /// The same, with what discs and walls are called in the scene.
    pub(crate) fn refused_among(
        path: FieldPath,
        source: carom_engine::Error,
        disc: &dyn Fn(DiscId) -> String,
        wall: &dyn Fn(WallId) -> String,
    ) -> Self {
        use carom_engine::Error;
        let what = match source {
            Error::OutOfRange { field, value, allowed } => match field_of(&path, field) {
                // How a file writes it: JSON has no infinity.
                Some(path) => {
                    return Self::value(path, Shown(value), allowed.replace("infinity", "\"inf\""));
                }
                None => source.to_string(),
            },
            Error::OverlapsDisc { other, depth } => {
                format!("overlaps {} by {}; {OVERLAP_ALLOWED}", disc(other), Shown(depth))
            }
            Error::OverlapsWall { wall: other, part, depth } => {
                format!("overlaps part {part} of {} by {}; {OVERLAP_ALLOWED}", wall(other), Shown(depth))
            }
            Error::NoRoom { disc: other, depth } => {
                format!(
                    "no room was found: {} would still overlap something by {}",
                    disc(other),
                    Shown(depth)
                )
            }
            Error::CannotPart { disc: other, speed } => format!(
                "{} and what it overlaps cannot part at {}: it is between things that do not yield",
                disc(other),
                Shown(speed)
            ),
            Error::CannotGrow { wall: other } => {
                format!("discs cannot grow beside {}: it is a round room, or has arcs", wall(other))
            }
            _ => source.to_string(),
        };
        Self::Refused { place: Place::field(path), what, source: Box::new(source) }
    }

    pub(crate) fn no_room(field: FieldPath, why: impl Into<String>) -> Self {
        Self::NoRoom { place: Place::field(field), why: why.into() }
    }
}

impl From<carom_engine::Error> for SceneError {
    /// The engine refuses something of the scene as a whole.
    fn from(source: carom_engine::Error) -> Self {
        Self::refused(FieldPath::root(), source)
    }
}

/// What a scene can do about an overlap.
const OVERLAP_ALLOWED: &str =
    "allowed is touching, or `allow_overlap` in the entry, or `overlaps` in the scene";

/// The field of an entry that the engine calls by this name: `velocity.y` is the second number of `velocity`.
/// `None` for what follows from several fields.
fn field_of(path: &FieldPath, name: &str) -> Option<FieldPath> {
    let (field, axis) = name.split_once('.').map_or((name, None), |(field, axis)| (field, Some(axis)));
    let path = path.clone().field(field);
    match axis {
        _ if name.contains(' ') => None,
        Some("x") if field != "points" => Some(path.item(0)),
        Some("y") if field != "points" => Some(path.item(1)),
        _ => Some(path),
    }
}

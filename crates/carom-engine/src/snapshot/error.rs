use super::VERSION;
use crate::Error;
use core::fmt::Display;

/// Why a snapshot was refused. Callers see its text, in the error of their format.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum SnapshotError {
    /// It is of another version.
    #[error("version is {found}, allowed is {VERSION}: the snapshot is of another version of the engine")]
    Version {
        /// The version it is of.
        found: u32,
    },
    /// A value that no world holds.
    #[error("{field} is {value}, allowed is {allowed}")]
    Refused {
        /// Which one, such as `discs[3].serial`.
        field: String,
        /// What was found.
        value: String,
        /// What would have been accepted.
        allowed: String,
    },
    /// A value that would have been refused by an ordinary call.
    #[error("{place}.{error}")]
    Checked {
        /// Where, such as `walls[0].wall`.
        place: String,
        /// What the call would have said.
        error: Error,
    },
}

impl SnapshotError {
    pub(super) fn refused(field: &str, value: impl Display, allowed: impl Display) -> Self {
        let [value, allowed] = [value.to_string(), allowed.to_string()];
        SnapshotError::Refused { field: field.to_owned(), value, allowed }
    }

    /// For `map_err`: an error of an ordinary check, at this place.
    pub(super) fn within(place: &str) -> impl FnOnce(Error) -> Self {
        let place = place.to_owned();
        |error| SnapshotError::Checked { place, error }
    }

    /// With `field` or `place` being within this one.
    pub(super) fn inside(mut self, outer: &str) -> Self {
        match &mut self {
            SnapshotError::Version { .. } => {}
            SnapshotError::Refused { field: inner, .. } | SnapshotError::Checked { place: inner, .. } => {
                *inner = if inner.is_empty() { outer.to_owned() } else { format!("{outer}.{inner}") };
            }
        }
        self
    }
}

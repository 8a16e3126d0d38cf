use crate::Error;
use crate::walk::StoredValue;
use carom_math::Time;
use core::fmt::Display;

/// Why a snapshot was refused. Callers see its text, in the error of their format.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{field}{reason}")]
pub(crate) struct SnapshotError {
    /// Such as `discs[3].detail.serial`.
    field: String,
    /// Its value and what is allowed; or what an ordinary call says of a field within.
    reason: String,
}

impl SnapshotError {
    /// A value that no world holds.
    pub(super) fn refused(field: impl Display, value: impl Display, allowed: impl Display) -> Self {
        SnapshotError { field: field.to_string(), reason: format!(" is {value}, allowed is {allowed}") }
    }

    /// For `map_err`: an error of an ordinary check, at this place.
    pub(super) fn within(place: &str) -> impl FnOnce(Error) -> Self {
        let field = place.to_owned();
        move |error| SnapshotError { field, reason: format!(".{error}") }
    }

    /// With the field being within this one.
    fn inside(self, outer: &str) -> Self {
        let dot = if self.field.is_empty() { "" } else { "." };
        SnapshotError { field: format!("{outer}{dot}{}", self.field), ..self }
    }
}

/// Refuses a value unless `is_fine`.
pub(super) fn allow(
    is_fine: bool,
    field: impl Display,
    value: impl Display,
    allowed: impl Display,
) -> Result<(), SnapshotError> {
    if is_fine { Ok(()) } else { Err(SnapshotError::refused(field, value, allowed)) }
}

/// Checks each of these.
pub(super) fn each<T>(
    list: &str,
    items: impl IntoIterator<Item = T>,
    mut check: impl FnMut(T) -> Result<(), SnapshotError>,
) -> Result<(), SnapshotError> {
    let inside = |k: usize| move |error: SnapshotError| error.inside(&format!("{list}[{k}]"));
    items.into_iter().enumerate().try_for_each(|(k, item)| check(item).map_err(inside(k)))
}

/// Checks that no two of a list have the same value in this field.
pub(super) fn differ<T: Ord + Display>(
    list: &str,
    field: &str,
    all: impl Iterator<Item = T>,
) -> Result<(), SnapshotError> {
    let mut all: Vec<(T, usize)> = all.zip(0..).collect();
    all.sort_unstable();
    match all.windows(2).find(|two| two[0].0 == two[1].0) {
        Some([(_, first), (value, k)]) => Err(SnapshotError::refused(
            format_args!("{list}[{k}].{field}"),
            value,
            format_args!("one of its own, not that of {list}[{first}]"),
        )),
        _ => Ok(()),
    }
}

/// A time to the last digit.
pub(super) fn shown(time: Time) -> StoredValue {
    StoredValue::Time(time)
}

use crate::Rules;
use crate::walk::fields;
use glam::DVec2;

/// A disc off the plane: it stands still, and meets nothing.
///
/// Its rules in force are those of what collides with nothing; its own ones are kept here.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct Off {
    pub(crate) rules: Rules,
    /// With which it goes on.
    pub(crate) velocity: DVec2,
    /// Whether it is put back with its place: see [`Verdict::Capture`](crate::Verdict::Capture).
    pub(crate) is_captured: bool,
}

fields!(Off: rules, velocity as Speed, is_captured);

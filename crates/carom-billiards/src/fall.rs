//! A ball over the hole of a pocket.

use carom_engine::DVec2;
use carom_engine::fields;

/// A ball over the hole of a pocket.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Fall {
    /// The middle of the hole, in metres, in the frame of the world: the table is in the direction of the
    /// origin.
    pub center: DVec2,
    /// Radius of the hole in metres, larger than that of the ball.
    pub radius: f64,
    /// Seconds since the ball's centre passed the edge.
    pub lasts: f64,
}

fields!(Fall: center, radius, lasts);

//! Discs that grow before the start.

use crate::values;
use serde::{Deserialize, Serialize};

/// `[growth]`: before the start all radii grow at a constant rate while the discs fly and collide
/// (Lubachevsky and Stillinger, J. Stat. Phys. 60 (1990) 561).
///
/// Growing discs heat each other. The kinetic energy is kept within some per cents of what it was, and is
/// that at the start of the scene. The slower, the better the order: fast ones jam where they are. The time
/// that it takes is not that of the scene.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Growth {
    /// By what part of their first radii the radii grow in a second.
    #[serde(with = "values::real")]
    pub rate: f64,
    /// The part of the area that the discs cover in the end. The area is that of a period on both axes, or
    /// else of the first wall that is a container, or one around a gas in a rectangle.
    #[serde(with = "values::real")]
    pub packing: f64,
}

/// Why there is no packing fraction.
pub(crate) const NO_AREA: &str =
    "a packing needs an area: periods on both axes, or a wall that is a container";

//! Periodic boundaries.

use crate::values;
use serde::{Deserialize, Serialize};

/// After what lengths the plane repeats itself: `{ x = 10, y = 5 }`, one of them alone, or `{ gas = 0 }` for
/// what `gases[0]` fills.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Periodic {
    /// The period along x. Left out: there is none, or that of the gas.
    #[serde(default, with = "values::real_option", skip_serializing_if = "Option::is_none")]
    pub x: Option<f64>,
    /// The period along y.
    #[serde(default, with = "values::real_option", skip_serializing_if = "Option::is_none")]
    pub y: Option<f64>,
    /// The gas whose region, a rectangle with a corner at the origin, is one period on both axes; instead of
    /// `x` and `y`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gas: Option<u64>,
}

impl Periodic {
    pub(crate) fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

//! How surfaces rub, as a scene describes it.

use crate::values;
use carom_engine::{Error, Roughness};
use serde::{Deserialize, Serialize};

/// `roughness` of a scene, a disc, a rack, a gas or a wall: see [`Roughness`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as { friction = 0.3 }")]
pub struct SceneRoughness {
    /// The coefficient of friction, at least 0 or infinite.
    #[serde(with = "values::mass")]
    pub friction: f64,
    /// The tangential restitution, −1 to 1. Default 0.
    #[serde(with = "values::real", default, skip_serializing_if = "values::is_default")]
    pub tangential_restitution: f64,
    /// The coefficient of rolling resistance, at least 0. Default 0.
    #[serde(with = "values::real", default, skip_serializing_if = "values::is_default")]
    pub rolling_resistance: f64,
}

impl SceneRoughness {
    /// With a coefficient of friction alone.
    #[must_use]
    pub fn new(friction: f64) -> Self {
        Self { friction, tangential_restitution: 0.0, rolling_resistance: 0.0 }
    }

    /// As the engine takes it.
    pub(crate) fn to_roughness(self) -> Result<Roughness, Error> {
        Roughness::new(self.friction, self.tangential_restitution)?
            .with_rolling_resistance(self.rolling_resistance)
    }
}

impl From<Roughness> for SceneRoughness {
    fn from(roughness: Roughness) -> Self {
        Self {
            friction: roughness.friction(),
            tangential_restitution: roughness.tangential_restitution(),
            rolling_resistance: roughness.rolling_resistance(),
        }
    }
}

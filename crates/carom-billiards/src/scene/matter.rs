//! What a ball is made of, as it stands in a file: what is left out is as in others.

use crate::{Ball, Coefficients, Friction};
use serde::{Deserialize, Serialize};

/// What a ball is made of.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MatterFile {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    radius: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mass: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sliding: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rolling: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    spinning: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    restitution: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cushion_friction: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cushion_restitution: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    friction: Option<Friction>,
}

impl MatterFile {
    pub(super) fn is_empty(&self) -> bool {
        *self == MatterFile::default()
    }

    pub(super) fn of(ball: &Ball, otherwise: &Ball) -> Self {
        let (own, others) = (&ball.coefficients, &otherwise.coefficients);
        MatterFile {
            radius: unless(ball.radius, otherwise.radius),
            mass: unless(ball.mass, otherwise.mass),
            sliding: unless(own.sliding, others.sliding),
            rolling: unless(own.rolling, others.rolling),
            spinning: unless(own.spinning, others.spinning),
            restitution: unless(own.restitution, others.restitution),
            cushion_friction: unless(own.cushion_friction, others.cushion_friction),
            cushion_restitution: unless(own.cushion_restitution, others.cushion_restitution),
            friction: (own.friction != others.friction).then_some(own.friction),
        }
    }

    pub(super) fn ball(&self, otherwise: &Ball) -> Ball {
        let others = &otherwise.coefficients;
        let coefficients = Coefficients {
            sliding: self.sliding.unwrap_or(others.sliding),
            rolling: self.rolling.unwrap_or(others.rolling),
            spinning: self.spinning.unwrap_or(others.spinning),
            friction: self.friction.unwrap_or(others.friction),
            restitution: self.restitution.unwrap_or(others.restitution),
            cushion_friction: self.cushion_friction.unwrap_or(others.cushion_friction),
            cushion_restitution: self.cushion_restitution.unwrap_or(others.cushion_restitution),
        };
        let (radius, mass) = (self.radius.unwrap_or(otherwise.radius), self.mass.unwrap_or(otherwise.mass));
        Ball { radius, mass, coefficients }
    }
}

/// A number, unless it is the one that is taken otherwise.
pub(super) fn unless(value: f64, otherwise: f64) -> Option<f64> {
    (value.to_bits() != otherwise.to_bits()).then_some(value)
}

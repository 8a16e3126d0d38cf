//! A disc as a scene describes it.

use super::SceneRoughness;
use crate::values;
use carom_colour::{Look, Rgb};
use carom_engine::{Disc, DiscForces, Rules, Spin};
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// One entry of `[[discs]]`: a disc at the start of the scene. Lengths, times and masses are in the units of
/// the scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneDisc {
    /// The centre.
    #[serde(with = "values::pair")]
    pub position: DVec2,
    /// The velocity. Default: at rest.
    #[serde(with = "values::pair", default)]
    pub velocity: DVec2,
    /// The radius, at least 0; 0 is a point.
    #[serde(with = "values::real")]
    pub radius: f64,
    /// The mass: finite and positive, 0 (a tracer that others do not feel) or infinite (never deflected by
    /// discs). Default 1.
    #[serde(with = "values::mass", default = "values::one")]
    pub mass: f64,
    /// The restitution, 0 to 1. Default 1.
    #[serde(with = "values::real", default = "values::one")]
    pub restitution: f64,
    /// Which others it collides with. Default: all.
    #[serde(default, with = "values::rules", skip_serializing_if = "values::is_default")]
    pub rules: Rules,
    /// An acceleration of its own, a thruster or wind. Default 0.
    #[serde(with = "values::pair", default, skip_serializing_if = "values::is_default")]
    pub acceleration: DVec2,
    /// How many times the scene's gravity moves it. Default 1; 0 for one that ignores it.
    #[serde(with = "values::real", default = "values::one", skip_serializing_if = "values::is_one")]
    pub gravity_scale: f64,
    /// The coefficient of its sliding friction with the table, at least 0; needs a `weight` of the scene.
    /// Default 0.
    #[serde(with = "values::real", default, skip_serializing_if = "values::is_default")]
    pub friction: f64,
    /// The speed up to which gravity and its acceleration speed it up, from 10⁻¹⁵ to 10¹⁵.
    /// Default: no limit.
    #[serde(default, with = "values::real_option", skip_serializing_if = "Option::is_none")]
    pub speed_limit: Option<f64>,
    /// How its surface rubs, if not as the scene says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roughness: Option<SceneRoughness>,
    /// The moment of inertia as a multiple of `m R²`, or infinite. Default ½, a uniform disc; ⅖ is a ball, 1
    /// a ring.
    #[serde(with = "values::mass", default = "values::half", skip_serializing_if = "values::is_half")]
    pub inertia: f64,
    /// The angle at the start in radians, counterclockwise. Default 0.
    #[serde(with = "values::real", default, skip_serializing_if = "values::is_default")]
    pub angle: f64,
    /// The angular velocity at the start in radians a second, counterclockwise. Default 0.
    #[serde(with = "values::real", default, skip_serializing_if = "values::is_default")]
    pub angular_velocity: f64,
    /// Whether it goes where commands send it, through walls, with an infinite mass: a mallet, a platform.
    #[serde(default, skip_serializing_if = "values::is_false")]
    pub kinematic: bool,
    /// The largest speed at which commands send it, if it is kinematic.
    #[serde(default, with = "values::real_option", skip_serializing_if = "Option::is_none")]
    pub max_speed: Option<f64>,
    /// Whether it collides with nothing, and reports what overlaps it.
    #[serde(default, skip_serializing_if = "values::is_false")]
    pub sensor: bool,
    /// Whether the disc may overlap others at the start. Default: no, and an overlap is an error.
    #[serde(default, skip_serializing_if = "values::is_false")]
    pub allow_overlap: bool,
    /// A short text to draw on the disc.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The colour to draw it in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<Rgb>,
    /// Whether the colour is drawn as a stripe.
    #[serde(default, skip_serializing_if = "values::is_false")]
    pub stripe: bool,
}

impl SceneDisc {
    /// A disc of mass 1 and restitution 1, at rest, without a look.
    #[must_use]
    pub fn new(position: DVec2, radius: f64) -> Self {
        Self {
            position,
            velocity: DVec2::ZERO,
            radius,
            mass: 1.0,
            restitution: 1.0,
            rules: Rules::new(),
            acceleration: DVec2::ZERO,
            gravity_scale: 1.0,
            friction: 0.0,
            speed_limit: None,
            roughness: None,
            inertia: 0.5,
            angle: 0.0,
            angular_velocity: 0.0,
            kinematic: false,
            max_speed: None,
            sensor: false,
            allow_overlap: false,
            label: None,
            colour: None,
            stripe: false,
        }
    }

    /// The disc as the engine takes it, with what its physics knows of it.
    pub(crate) fn to_disc<B: Default, X: Default>(&self, (body, extra): (B, X)) -> Disc<B, X> {
        let disc = Disc::new(self.position, self.radius)
            .with_body(body)
            .with_extra(extra)
            .with_velocity(self.velocity)
            .with_mass(self.mass)
            .with_restitution(self.restitution)
            .with_rules(self.rules);
        let disc = if self.kinematic { disc.kinematic() } else { disc };
        let disc = disc.with_max_speed(self.max_speed.unwrap_or(f64::INFINITY));
        let disc = if self.sensor { disc.with_sensor() } else { disc };
        if self.allow_overlap { disc.with_overlap() } else { disc }
    }

    /// What forces do to the disc.
    pub(crate) fn forces(&self) -> DiscForces {
        let &Self { acceleration, gravity_scale, friction, speed_limit, .. } = self;
        let speed_limit = speed_limit.unwrap_or(f64::INFINITY);
        DiscForces { acceleration, gravity_scale, friction, speed_limit }
    }

    /// How it is turned, and turns.
    pub(crate) fn spin(&self) -> Spin {
        Spin::new(self.angular_velocity).with_angle(self.angle)
    }

    /// How the disc looks.
    #[must_use]
    pub fn look(&self) -> Look {
        Look { label: self.label.clone(), colour: self.colour, stripe: self.stripe }
    }
}

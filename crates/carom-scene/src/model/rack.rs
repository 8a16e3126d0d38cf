//! Racks as a scene describes them: balls that touch, or nearly.

use super::SceneRoughness;
use super::generator::Generator;
use crate::values;
use carom_colour::Rgb;
use carom_engine::{DiscForces, Rules};
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// Which balls stand where in a rack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    /// The diamond of nine-ball: rows of 1, 2, 3, 2, 1; the 1 at the apex, the 9 in the middle.
    NineBall,
    /// The triangle of eight-ball: five rows, the 8 in the middle of the third, a solid and a stripe in the
    /// back corners.
    EightBall,
    /// The triangle of snooker: fifteen reds. The colours are discs of the scene, since they stand on the
    /// table's spots.
    SnookerReds,
    /// A triangle of `rows` rows of balls without numbers.
    Triangle,
}

/// One entry of `[[racks]]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rack {
    /// Which balls stand where.
    pub pattern: Pattern,
    /// The number of rows; for `triangle`, and only there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<u32>,
    /// The centre of the ball at the apex.
    #[serde(with = "values::pair")]
    pub apex: DVec2,
    /// The direction from the apex to the last row, of any length but 0. Default: [1, 0].
    #[serde(with = "values::pair", default = "along_x")]
    pub direction: DVec2,
    /// The radius of a ball, positive.
    #[serde(with = "values::real")]
    pub radius: f64,
    /// The mass of a ball. Default 1.
    #[serde(with = "values::mass", default = "values::one")]
    pub mass: f64,
    /// The restitution of a ball, 0 to 1. Default 1.
    #[serde(with = "values::real", default = "values::one")]
    pub restitution: f64,
    /// Which others the balls collide with. Default: all.
    #[serde(default, with = "values::rules", skip_serializing_if = "values::is_default")]
    pub rules: Rules,
    /// An acceleration of their own, a thruster or wind. Default 0.
    #[serde(with = "values::pair", default, skip_serializing_if = "values::is_default")]
    pub acceleration: DVec2,
    /// How many times the scene's gravity moves them. Default 1; 0 for those that ignore it.
    #[serde(with = "values::real", default = "values::one", skip_serializing_if = "values::is_one")]
    pub gravity_scale: f64,
    /// The coefficient of their sliding friction with the table, at least 0; needs a `weight` of the scene.
    /// Default 0.
    #[serde(with = "values::real", default, skip_serializing_if = "values::is_default")]
    pub friction: f64,
    /// The speed up to which gravity and their acceleration speed them up, from 10⁻¹⁵ to 10¹⁵.
    /// Default: no limit.
    #[serde(default, with = "values::real_option", skip_serializing_if = "Option::is_none")]
    pub speed_limit: Option<f64>,
    /// How their surfaces rub, if not as the scene says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roughness: Option<SceneRoughness>,
    /// The moment of inertia as a multiple of `m R²`, or infinite. Default ½, a uniform disc; ⅖ is a ball, 1
    /// a ring.
    #[serde(with = "values::mass", default = "values::half", skip_serializing_if = "values::is_half")]
    pub inertia: f64,
    /// The least distance between the surfaces of neighbours. Default 0: they touch.
    #[serde(with = "values::real", default)]
    pub gap: f64,
    /// How uneven the rack is: the places stand `2·radius + gap + jitter` apart, and each ball is moved from
    /// its place by a random vector no longer than `jitter/2`. So gaps lie between `gap` and
    /// `gap + 2·jitter`. Default 0.
    #[serde(with = "values::real", default)]
    pub jitter: f64,
    /// The seed for the order of the balls and the jitter. Without it the balls stand in a fixed order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The generator behind the seed.
    #[serde(default)]
    pub generator: Generator,
    /// The colour of all balls; for `triangle` and `snooker-reds`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<Rgb>,
}

fn along_x() -> DVec2 {
    DVec2::X
}

impl Rack {
    /// A tight rack of unit mass and restitution 1 whose last row lies towards +x.
    #[must_use]
    pub fn new(pattern: Pattern, apex: DVec2, radius: f64) -> Self {
        Self {
            pattern,
            rows: None,
            apex,
            direction: along_x(),
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
            gap: 0.0,
            jitter: 0.0,
            seed: None,
            generator: Generator::default(),
            colour: None,
        }
    }

    /// What forces do to a ball.
    pub(crate) fn forces(&self) -> DiscForces {
        let &Self { acceleration, gravity_scale, friction, speed_limit, .. } = self;
        let speed_limit = speed_limit.unwrap_or(f64::INFINITY);
        DiscForces { acceleration, gravity_scale, friction, speed_limit }
    }

    /// The number of balls.
    #[must_use]
    pub fn count(&self) -> u64 {
        match self.pattern {
            Pattern::NineBall => 9,
            Pattern::EightBall | Pattern::SnookerReds => 15,
            Pattern::Triangle => {
                let rows = u64::from(self.rows.unwrap_or(0));
                rows * (rows + 1) / 2
            }
        }
    }
}

//! Balls: sizes, masses and coefficients.

use crate::elementary::exp_of_negative;
use crate::error::within;
use carom_engine::Error;
use carom_engine::{fields, variants};

/// A ball: radius, mass and coefficients. A solid sphere, with the moment of inertia `2/5 m R²`.
///
/// ```
/// use carom_billiards::Ball;
///
/// let heavy_cue_ball = Ball { mass: 0.185, ..Ball::POOL };
/// assert_eq!(heavy_cue_ball.radius, 0.028575);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// Radius in metres.
    pub radius: f64,
    /// Mass in kilograms.
    pub mass: f64,
    /// What its surface does on cloth, at balls and at cushions.
    pub coefficients: Coefficients,
}

impl Ball {
    /// Pool, 2¼ inches and 6 ounces. The rules allow 0.005 inches more, and 5.5 to 6 ounces (World
    /// Pool-Billiard Association, Tournament Table & Equipment Specifications).
    pub const POOL: Ball = Ball::new(0.028575, 0.170097, 0.2);
    /// Snooker, 52.5 mm, and 0.05 mm more or less (World Professional Billiards and Snooker Association,
    /// Official Rules, section 1, 2); no rule gives the mass. Sliding friction is larger on napped cloth.
    pub const SNOOKER: Ball = Ball::new(0.02625, 0.140, 0.5);
    /// Carom billiards, 61.5 mm: 61 to 61.5 mm and 205 to 220 g are allowed (Union Mondiale de Billard, World
    /// Rules of Carom Billiard, article 12).
    pub const CAROM: Ball = Ball::new(0.03075, 0.210, 0.2);

    pub(crate) fn check(&self) -> Result<(), crate::Error> {
        self.check_size()?;
        Ok(self.coefficients.check()?)
    }

    pub(crate) fn check_size(&self) -> Result<(), crate::Error> {
        within("ball.radius", self.radius, 1e-3..=1.0, "a number from 0.001 to 1")?;
        within("ball.mass", self.mass, 1e-3..=1e3, "a number from 0.001 to 1000")
    }

    const fn new(radius: f64, mass: f64, sliding: f64) -> Ball {
        let coefficients = Coefficients { sliding, spinning: radius * (4.0 / 9.0), ..Coefficients::POOL };
        Ball { radius, mass, coefficients }
    }
}

/// The coefficients of a ball: those at other balls are averaged with the other's; those at cushions are the
/// ball's alone.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Coefficients {
    /// `μ_s`, sliding friction on the cloth, 0 to 10.
    pub sliding: f64,
    /// `μ_r`, rolling friction, 0 to 10: it slows a rolling ball down by `μ_r g`.
    pub rolling: f64,
    /// `μ_sp`, spinning friction, 0 to 10: `ω_z` falls at `5 μ_sp g/(2R)`.
    pub spinning: f64,
    /// `μ_b`, friction between balls.
    pub friction: Friction,
    /// `e_b`, restitution at another ball, 0 to 1.
    pub restitution: f64,
    /// `f_c`, friction at a cushion, 0 to 10.
    pub cushion_friction: f64,
    /// `e_c`, restitution at a cushion, 0 to 1.
    pub cushion_restitution: f64,
}

fields!(
    Coefficients: sliding, rolling, spinning, friction, restitution, cushion_friction, cushion_restitution
);

impl Coefficients {
    /// Those of a pool ball on a worsted cloth.
    pub const POOL: Coefficients = Coefficients {
        sliding: 0.2,
        rolling: 0.01,
        spinning: 0.028575 * (4.0 / 9.0),
        friction: Friction::ALCIATORE,
        restitution: 0.95,
        cushion_friction: 0.2,
        cushion_restitution: 0.85,
    };

    pub(crate) fn check(&self) -> Result<(), Error> {
        let fields = [
            ("sliding", self.sliding, 10.0),
            ("rolling", self.rolling, 10.0),
            ("spinning", self.spinning, 10.0),
            ("cushion_friction", self.cushion_friction, 10.0),
            ("restitution", self.restitution, 1.0),
            ("cushion_restitution", self.cushion_restitution, 1.0),
        ];
        for (field, value, most) in fields {
            if !(0.0..=most).contains(&value) {
                let allowed = if most == 1.0 { "a number from 0 to 1" } else { "a number from 0 to 10" };
                return Err(Error::OutOfRange { field, value, allowed });
            }
        }
        self.friction.check()
    }
}

impl Default for Coefficients {
    fn default() -> Self {
        Coefficients::POOL
    }
}

/// The coefficient of friction between two balls, `μ_b`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Friction {
    /// The same at all speeds, 0 to 10.
    Constant(f64),
    /// `least + more e^(−fall s)` at a slip of `s` m/s; coefficients from 0 to 10, `fall` in s/m.
    FallsWithSpeed {
        /// At high speed.
        least: f64,
        /// By how much it is more at low speed.
        more: f64,
        /// How fast it falls.
        fall: f64,
    },
}

variants!(Friction: Constant(coefficient), FallsWithSpeed { least, more, fall });

impl Friction {
    /// 0.009951 + 0.108 e^(−1.088 s): Alciatore, TP A-14, fitted to measurements of Marlow (The Physics of
    /// Pocket Billiards, 1995).
    pub const ALCIATORE: Friction = Friction::FallsWithSpeed { least: 0.009951, more: 0.108, fall: 1.088 };

    /// The coefficient at a slip of this many metres a second.
    #[must_use]
    pub fn at(&self, slip: f64) -> f64 {
        match *self {
            Friction::Constant(friction) => friction,
            Friction::FallsWithSpeed { least, more, fall } => least + more * exp_of_negative(fall * slip),
        }
    }

    /// The mean of two at a slip.
    pub(crate) fn between(a: Friction, b: Friction, slip: f64) -> f64 {
        if a == b { a.at(slip) } else { 0.5 * (a.at(slip) + b.at(slip)) }
    }

    fn check(&self) -> Result<(), Error> {
        let fields = match *self {
            Friction::Constant(friction) => [("friction", friction); 3],
            Friction::FallsWithSpeed { least, more, fall } => {
                [("friction.least", least), ("friction.more", more), ("friction.fall", fall)]
            }
        };
        match fields.into_iter().find(|(_, value)| !(0.0..=10.0).contains(value)) {
            Some((field, value)) => Err(Error::OutOfRange { field, value, allowed: "a number from 0 to 10" }),
            None => Ok(()),
        }
    }
}

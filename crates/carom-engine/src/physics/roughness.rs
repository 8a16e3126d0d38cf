use crate::Error;
use crate::error::check;
use crate::walk::fields;
use carom_math::sqrt;
use glam::DVec2;

/// How two surfaces rub: see [`Rough`](super::Rough).
///
/// Of two that have different ones `μ` and `ρ` are the geometric means, 0 if one is 0, and `β₀` the
/// arithmetic mean.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Unchecked"))]
pub struct Roughness {
    #[cfg_attr(feature = "serde", serde(with = "carom_math::number"))]
    pub(super) friction: f64,
    pub(super) tangential_restitution: f64,
    pub(super) rolling_resistance: f64,
}

impl Roughness {
    /// No friction: the default.
    pub const SMOOTH: Roughness =
        Roughness { friction: 0.0, tangential_restitution: 0.0, rolling_resistance: 0.0 };

    /// Perfectly rough: any slip is reversed. A superball (Garwin, Am. J. Phys. 37 (1969) 88).
    pub const PERFECT: Roughness =
        Roughness { friction: f64::INFINITY, tangential_restitution: 1.0, rolling_resistance: 0.0 };

    /// With a coefficient of friction `μ` and a tangential restitution `β₀`. In held contacts more than
    /// 10⁶ is as good as infinite: a slip ends at once.
    ///
    /// # Errors
    /// If `μ` is not infinite or a number from 0 to 10¹⁵, or `β₀` not one from −1 to 1.
    pub fn new(friction: f64, tangential_restitution: f64) -> Result<Self, Error> {
        check::friction(friction)?;
        check::tangential_restitution(tangential_restitution)?;
        Ok(Roughness { friction, tangential_restitution, rolling_resistance: 0.0 })
    }

    /// With a coefficient of rolling resistance `ρ`: what rolls in a held contact is braked by a moment of at
    /// most `ρ R N`, with the radius `R` and the normal force `N`. Of two discs `1/R = 1/R₁ + 1/R₂`. Impacts
    /// know no rolling resistance. More than 10⁶ stops what rolls at once.
    ///
    /// # Errors
    /// If it is not a number from 0 to 10¹⁵.
    pub fn with_rolling_resistance(self, rolling_resistance: f64) -> Result<Self, Error> {
        check::coefficient("rolling_resistance", rolling_resistance)?;
        Ok(Roughness { rolling_resistance, ..self })
    }

    /// The coefficient of rolling resistance `ρ`.
    #[must_use]
    pub fn rolling_resistance(&self) -> f64 {
        self.rolling_resistance
    }

    /// The coefficient of friction `μ`.
    #[must_use]
    pub fn friction(&self) -> f64 {
        self.friction
    }

    /// The tangential restitution `β₀`.
    #[must_use]
    pub fn tangential_restitution(&self) -> f64 {
        self.tangential_restitution
    }

    /// Of two surfaces. Symmetric.
    pub(super) fn combined(self, other: Roughness) -> Roughness {
        if self == other {
            return self;
        }
        let mean = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { sqrt(a * b) };
        Roughness {
            friction: mean(self.friction, other.friction),
            tangential_restitution: 0.5 * (self.tangential_restitution + other.tangential_restitution),
            rolling_resistance: mean(self.rolling_resistance, other.rolling_resistance),
        }
    }
}

impl Default for Roughness {
    fn default() -> Self {
        Roughness::SMOOTH
    }
}

/// A [`Roughness`] as it is stored.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(rename = "Roughness", deny_unknown_fields)]
struct Unchecked {
    #[serde(with = "carom_math::number")]
    friction: f64,
    tangential_restitution: f64,
    #[serde(default)]
    rolling_resistance: f64,
}

#[cfg(feature = "serde")]
impl TryFrom<Unchecked> for Roughness {
    type Error = Error;

    fn try_from(stored: Unchecked) -> Result<Self, Error> {
        Roughness::new(stored.friction, stored.tangential_restitution)?
            .with_rolling_resistance(stored.rolling_resistance)
    }
}

/// What [`Rough`](super::Rough) knows of a wall.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "UncheckedWall"))]
pub struct RoughWall {
    pub(super) roughness: Option<Roughness>,
    pub(super) surface_speed: f64,
}

impl RoughWall {
    /// Of this roughness, if it is not that of [`Rough::roughness`](super::Rough::roughness).
    #[must_use]
    pub fn new(roughness: Option<Roughness>) -> Self {
        RoughWall { roughness, surface_speed: 0.0 }
    }

    /// With a surface that runs along the wall at a constant speed: a conveyor, or a roller. What lies on
    /// it is carried to its right where the speed is positive, seen with the wall below: the surface of a
    /// pillar turns clockwise, and that of a room counterclockwise.
    ///
    /// # Errors
    /// If it is not a number from −10¹⁵ to 10¹⁵.
    pub fn with_surface_speed(self, surface_speed: f64) -> Result<Self, Error> {
        check::vector(["surface_speed"; 2], DVec2::splat(surface_speed))?;
        Ok(RoughWall { surface_speed, ..self })
    }

    /// Its roughness, if it is not that of [`Rough::roughness`](super::Rough::roughness).
    #[must_use]
    pub fn roughness(&self) -> Option<Roughness> {
        self.roughness
    }

    /// The speed of its surface.
    #[must_use]
    pub fn surface_speed(&self) -> f64 {
        self.surface_speed
    }
}

impl From<Roughness> for RoughWall {
    fn from(roughness: Roughness) -> Self {
        RoughWall::new(Some(roughness))
    }
}

/// A [`RoughWall`] as it is stored.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(rename = "RoughWall", deny_unknown_fields)]
struct UncheckedWall {
    roughness: Option<Roughness>,
    surface_speed: f64,
}

#[cfg(feature = "serde")]
impl TryFrom<UncheckedWall> for RoughWall {
    type Error = Error;

    fn try_from(stored: UncheckedWall) -> Result<Self, Error> {
        RoughWall::new(stored.roughness).with_surface_speed(stored.surface_speed)
    }
}

fields!(Roughness: friction, tangential_restitution, rolling_resistance);
fields!(RoughWall: roughness, surface_speed);

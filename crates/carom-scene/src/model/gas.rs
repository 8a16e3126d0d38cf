//! Gases as a scene describes them: many discs in a region.

use super::SceneRoughness;
use super::generator::Generator;
use super::radii::Radii;
use super::region::Region;
use crate::values;
use carom_colour::{Look, Rgb};
use carom_engine::{DiscForces, Rules};
use glam::DVec2;
use serde::de::{Deserialize, Deserializer};
use serde::ser::Serializer;
use serde::{Deserialize as DeriveDeserialize, Serialize as DeriveSerialize};

/// How the discs of a gas are put into its region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, DeriveSerialize, DeriveDeserialize)]
#[serde(rename_all = "snake_case")]
pub enum Placement {
    /// One after another at random points where there is room; up to a packing fraction of 0.45.
    #[default]
    Random,
    /// On a square lattice that fills the region, which must be a rectangle.
    Square,
    /// On a triangular lattice that fills the region, which must be a rectangle; the densest.
    Hexagonal,
}

/// How the discs of a gas are numbered. Where they are and how they move is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, DeriveSerialize, DeriveDeserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// In the order in which they were placed.
    Placed,
    /// Along a Hilbert curve through the region, so that neighbours in the plane are near in memory, too.
    Curve,
}

/// One entry of `[[gases]]`.
#[derive(Clone, Debug, PartialEq, DeriveSerialize, DeriveDeserialize)]
#[serde(deny_unknown_fields)]
pub struct Gas {
    /// The number of discs, at least 1.
    pub count: u64,
    /// The part of the region that the discs cover, in (0, 1), in place of the radius or the region: that
    /// follows.
    #[serde(default, with = "values::real_option", skip_serializing_if = "Option::is_none")]
    pub packing: Option<f64>,
    /// The mass of every disc. Default 1, unless there is a density.
    #[serde(default, with = "optional_mass", skip_serializing_if = "Option::is_none")]
    pub mass: Option<f64>,
    /// The mass per area, instead of a mass: a disc of radius r has the mass π·r²·density.
    #[serde(default, with = "values::real_option", skip_serializing_if = "Option::is_none")]
    pub density: Option<f64>,
    /// The restitution of every disc, 0 to 1. Default 1.
    #[serde(with = "values::real", default = "values::one")]
    pub restitution: f64,
    /// Which others the discs of the gas collide with. Default: all.
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
    /// How the discs are put into the region. Default: at random.
    #[serde(default)]
    pub placement: Placement,
    /// Maxwell velocities: each component is normal with variance temperature/mass.
    #[serde(default, with = "values::real_option", skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// One speed for all, in random directions, instead of a temperature. Without either, the gas is at rest.
    #[serde(default, with = "values::real_option", skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// Whether the velocity of the centre of mass is taken off every disc, so that the total momentum is 0.
    /// Default: no.
    #[serde(default, skip_serializing_if = "values::is_false")]
    pub zero_momentum: bool,
    /// Whether all velocities are then scaled so that the kinetic energy is that of the temperature, to
    /// rounding: the temperature times the number of discs, or that number less one with `zero_momentum`.
    /// Default: no.
    #[serde(default, skip_serializing_if = "values::is_false")]
    pub exact_temperature: bool,
    /// How the discs are numbered. Default: as placed up to 16384, beyond along a curve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Order>,
    /// The seed of places, radii and velocities.
    pub seed: u64,
    /// The generator behind the seed.
    #[serde(default)]
    pub generator: Generator,
    /// The colour to draw the discs in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<Rgb>,
    /// The radius of every disc, or how radii are spread. It is left out where it follows from region and
    /// packing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<Radii>,
    /// The region that the discs are wholly inside of. It is left out where it follows from radius and
    /// packing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<Region>,
}

/// `mass` in a gas: as in a disc, but it may be absent.
mod optional_mass {
    use super::{Deserialize, Deserializer, Serializer, values};
    use serde::ser::Serialize as _;

    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(transparent)]
    struct Mass(#[serde(with = "values::mass")] f64);

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
        Ok(Option::<Mass>::deserialize(deserializer)?.map(|mass| mass.0))
    }

    pub(super) fn serialize<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
        value.map(Mass).serialize(serializer)
    }
}

impl Gas {
    /// Gases larger than this are numbered along a curve unless they say otherwise. (No smaller: scenes from
    /// before there was a choice keep their numbers.)
    pub const MOST_AS_PLACED: u64 = 1 << 14;

    /// A gas of mass 1 and restitution 1, at rest, placed at random.
    #[must_use]
    pub fn new(count: u64, radius: Radii, region: Region, seed: u64) -> Self {
        Self { radius: Some(radius), region: Some(region), ..Self::bare(count, seed) }
    }

    /// The same with a packing fraction in place of the region, which is then a square with its lower left
    /// corner at the origin.
    #[must_use]
    pub fn packed(count: u64, radius: Radii, packing: f64, seed: u64) -> Self {
        Self { radius: Some(radius), packing: Some(packing), ..Self::bare(count, seed) }
    }

    /// The same with a packing fraction in place of the radius.
    #[must_use]
    pub fn filling(count: u64, region: Region, packing: f64, seed: u64) -> Self {
        Self { region: Some(region), packing: Some(packing), ..Self::bare(count, seed) }
    }

    fn bare(count: u64, seed: u64) -> Self {
        Self {
            count,
            packing: None,
            mass: None,
            density: None,
            restitution: 1.0,
            rules: Rules::new(),
            acceleration: DVec2::ZERO,
            gravity_scale: 1.0,
            friction: 0.0,
            speed_limit: None,
            roughness: None,
            inertia: 0.5,
            placement: Placement::default(),
            temperature: None,
            speed: None,
            zero_momentum: false,
            exact_temperature: false,
            order: None,
            seed,
            generator: Generator::default(),
            colour: None,
            radius: None,
            region: None,
        }
    }

    /// The radii as they are said, or the one that follows from count, region and packing; `None` if that
    /// says nothing.
    pub(crate) fn spread(&self) -> Option<Radii> {
        match (&self.radius, &self.region, self.packing) {
            (Some(radii), ..) => Some(radii.clone()),
            (None, Some(region), Some(packing)) => {
                let area = packing * region.area() / (std::f64::consts::PI * self.count as f64);
                Some(Radii::Same(carom_math::sqrt(area)))
            }
            (None, ..) => None,
        }
    }

    /// What forces do to a disc of it.
    pub(crate) fn forces(&self) -> DiscForces {
        let &Self { acceleration, gravity_scale, friction, speed_limit, .. } = self;
        let speed_limit = speed_limit.unwrap_or(f64::INFINITY);
        DiscForces { acceleration, gravity_scale, friction, speed_limit }
    }

    /// How its discs look.
    pub(crate) fn look(&self) -> Look {
        Look { colour: self.colour, ..Look::default() }
    }
}

/// What a gas must say.
pub(crate) const TWO_OF_THREE: &str = "a gas has two of `radius`, `region` and `packing`; the third follows";

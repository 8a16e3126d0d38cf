//! Gases: many discs in a region, with places and velocities from a seed.

use crate::colour::Colour;
use crate::disc::SceneDisc;
use crate::error::SceneError;
use crate::pack;
use crate::place::FieldPath;
use crate::random::{Generator, Random};
use crate::region::Region;
use crate::values::{self, Pair};
use glam::DVec2;
use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde::{Deserialize as DeriveDeserialize, Serialize as DeriveSerialize};
use std::fmt;

/// How the discs of a gas are put into its region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, DeriveSerialize, DeriveDeserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Placement {
    /// One after another at random points where there is room; up to a packing fraction of 0.45.
    #[default]
    Random,
    /// On a square lattice that fills the region, which must be a rectangle.
    Square,
    /// On a triangular lattice that fills the region, which must be a rectangle; the densest.
    Hexagonal,
}

/// The radii of the discs of a gas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Radii {
    /// All the same: `radius = r`.
    Same(f64),
    /// Evenly spread from the first to the second: `radius = [smallest, largest]`.
    Between(f64, f64),
}

impl Radii {
    /// The largest.
    #[must_use]
    pub fn largest(self) -> f64 {
        match self {
            Self::Same(radius) | Self::Between(_, radius) => radius,
        }
    }

    /// The mean of the squares, for packing fractions: for an even spread (s² + sl + l²)/3.
    #[must_use]
    pub fn mean_square(self) -> f64 {
        match self {
            Self::Same(radius) => radius * radius,
            Self::Between(small, large) => (small * small + small * large + large * large) / 3.0,
        }
    }
}

struct RadiiVisitor;

impl<'de> Visitor<'de> for RadiiVisitor {
    type Value = Radii;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or [smallest, largest]")
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Radii, E> {
        Ok(Radii::Same(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Radii, E> {
        Ok(Radii::Same(value as f64))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Radii, E> {
        Ok(Radii::Same(value as f64))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Radii, A::Error> {
        let Pair(pair) = Pair::deserialize(de::value::SeqAccessDeserializer::new(items))?;
        Ok(Radii::Between(pair.x, pair.y))
    }
}

impl<'de> Deserialize<'de> for Radii {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RadiiVisitor)
    }
}

impl Serialize for Radii {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Same(radius) => serializer.serialize_f64(radius),
            Self::Between(small, large) => Pair(DVec2::new(small, large)).serialize(serializer),
        }
    }
}

/// One entry of `[[gases]]`.
#[derive(Clone, Debug, PartialEq, DeriveSerialize, DeriveDeserialize)]
#[serde(deny_unknown_fields)]
pub struct Gas {
    /// The number of discs, at least 1.
    pub count: u64,
    /// The radius of every disc, or the range of radii.
    pub radius: Radii,
    /// The mass of every disc. Default 1, unless there is a density.
    #[serde(default, with = "optional_mass", skip_serializing_if = "Option::is_none")]
    pub mass: Option<f64>,
    /// The mass per area, instead of a mass: a disc of radius r has the mass π·r²·density.
    #[serde(default, with = "values::real_option", skip_serializing_if = "Option::is_none")]
    pub density: Option<f64>,
    /// The restitution of every disc, 0 to 1. Default 1.
    #[serde(with = "values::real", default = "values::one")]
    pub restitution: f64,
    /// How the discs are put into the region. Default: at random.
    #[serde(default)]
    pub placement: Placement,
    /// Maxwell velocities: each component is normal with variance temperature/mass.
    #[serde(default, with = "values::real_option", skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// One speed for all, in random directions, instead of a temperature. Without either, the gas is at rest.
    #[serde(default, with = "values::real_option", skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// Whether the velocity of the centre of mass is taken off every disc, so that the total momentum is 0. Default: no.
    #[serde(default, skip_serializing_if = "values::is_false")]
    pub zero_momentum: bool,
    /// The seed of places, radii and velocities.
    pub seed: u64,
    /// The generator behind the seed.
    #[serde(default)]
    pub generator: Generator,
    /// The colour to draw the discs in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<Colour>,
    /// The region that the discs are wholly inside of.
    pub region: Region,
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
    /// A gas of mass 1 and restitution 1, at rest, placed at random.
    #[must_use]
    pub fn new(count: u64, radius: Radii, region: Region, seed: u64) -> Self {
        Self {
            count,
            radius,
            mass: None,
            density: None,
            restitution: 1.0,
            placement: Placement::default(),
            temperature: None,
            speed: None,
            zero_momentum: false,
            seed,
            generator: Generator::default(),
            colour: None,
            region,
        }
    }

    /// The part of the region that the discs cover, on average over radii.
    #[must_use]
    pub fn packing(&self) -> f64 {
        self.count as f64 * std::f64::consts::PI * self.radius.mean_square() / self.region.area()
    }

    /// The discs, clear of those that stand there already. Random numbers are drawn in this order: all radii (if there
    /// is a range), all places (if at random), all velocities (if any), each in the order of the discs.
    pub(crate) fn discs(&self, others: &[SceneDisc], path: &FieldPath) -> Result<Vec<SceneDisc>, SceneError> {
        let mut random = Random::new(self.generator, self.seed);
        let radii: Vec<f64> = (0..self.count)
            .map(|_| match self.radius {
                Radii::Same(radius) => radius,
                Radii::Between(small, large) => random.between(small, large),
            })
            .collect();
        let centres = match self.placement {
            Placement::Random => pack::at_random(&self.region, &radii, others, &mut random),
            Placement::Square => pack::on_square_lattice(&self.region, &radii),
            Placement::Hexagonal => pack::on_hexagonal_lattice(&self.region, &radii),
        }
        .map_err(|why| SceneError::no_room(path.clone(), why))?;
        let mut discs: Vec<SceneDisc> = centres
            .into_iter()
            .zip(&radii)
            .map(|(position, &radius)| SceneDisc {
                mass: match self.density {
                    Some(density) => std::f64::consts::PI * (radius * radius) * density,
                    None => self.mass.unwrap_or(1.0),
                },
                restitution: self.restitution,
                colour: self.colour,
                ..SceneDisc::new(position, radius)
            })
            .collect();
        for disc in &mut discs {
            if let Some(temperature) = self.temperature {
                disc.velocity = random.normal_pair() * carom_math::sqrt(temperature / disc.mass);
            } else if let Some(speed) = self.speed {
                disc.velocity = random.direction() * speed;
            }
        }
        if self.zero_momentum {
            let mass: f64 = discs.iter().map(|disc| disc.mass).sum();
            let momentum: DVec2 = discs.iter().map(|disc| disc.velocity * disc.mass).sum();
            for disc in &mut discs {
                disc.velocity -= momentum / mass;
            }
        }
        Ok(discs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(side: f64) -> Region {
        Region::Rectangle { min: DVec2::ZERO, max: DVec2::splat(side) }
    }

    fn discs(gas: &Gas) -> Vec<SceneDisc> {
        gas.discs(&[], &FieldPath::root()).unwrap()
    }

    #[test]
    fn a_gas_has_its_temperature_and_no_momentum() {
        let gas = Gas {
            density: Some(2.0),
            temperature: Some(3.0),
            zero_momentum: true,
            ..Gas::new(20_000, Radii::Between(0.3, 1.0), square(500.0), 5)
        };
        let discs = discs(&gas);
        let momentum: DVec2 = discs.iter().map(|disc| disc.velocity * disc.mass).sum();
        let impulse: f64 = discs.iter().map(|disc| disc.velocity.length() * disc.mass).sum();
        // Rounding of 20,000 terms, against the sum of their sizes.
        assert!(momentum.length() < 20_000.0 * f64::EPSILON * impulse);
        let energy: f64 = discs.iter().map(|disc| 0.5 * disc.mass * disc.velocity.length_squared()).sum();
        // N·T in the plane; the energy of one disc has the deviation T, so five errors are 5T/√N.
        let mean = energy / 20_000.0;
        assert!((mean - 3.0).abs() < 5.0 * 3.0 / 20_000.0_f64.sqrt(), "{mean}");
    }

    #[test]
    fn one_speed_is_one_speed() {
        let gas = Gas { speed: Some(2.5), ..Gas::new(500, Radii::Same(0.1), square(20.0), 1) };
        assert!(
            discs(&gas).iter().all(|disc| (disc.velocity.length() - 2.5).abs() < 4.0 * f64::EPSILON * 2.5)
        );
    }

    #[test]
    fn every_placement_keeps_discs_inside_and_apart() {
        for (placement, side) in
            [(Placement::Random, 40.0), (Placement::Square, 30.0), (Placement::Hexagonal, 29.0)]
        {
            let gas = Gas { placement, ..Gas::new(200, Radii::Between(0.5, 1.0), square(side), 9) };
            let discs = discs(&gas);
            assert_eq!(discs.len(), 200);
            for (i, a) in discs.iter().enumerate() {
                assert!(a.position.min_element() >= a.radius && a.position.max_element() <= side - a.radius);
                for b in &discs[i + 1..] {
                    assert!((a.position - b.position).length() >= a.radius + b.radius);
                }
            }
        }
    }

    #[test]
    fn a_gas_keeps_clear_of_what_stands_there() {
        let rock = SceneDisc::new(DVec2::splat(10.0), 6.0);
        let gas = Gas::new(100, Radii::Same(0.5), square(20.0), 2);
        for disc in gas.discs(std::slice::from_ref(&rock), &FieldPath::root()).unwrap() {
            assert!((disc.position - rock.position).length() > 6.5);
        }
    }

    #[test]
    fn what_does_not_fit_is_refused_with_the_numbers() {
        for (gas, says) in [
            (Gas::new(50, Radii::Same(1.0), square(15.0), 1), "packing fraction"),
            (Gas::new(1, Radii::Same(1.0), square(1.9), 1), "wider than the region"),
            (
                Gas { placement: Placement::Square, ..Gas::new(101, Radii::Same(1.0), square(20.0), 1) },
                "lattice",
            ),
            (
                Gas { placement: Placement::Hexagonal, ..Gas::new(140, Radii::Same(1.0), square(20.0), 1) },
                "lattice",
            ),
        ] {
            let error = gas.discs(&[], &FieldPath::of("gases", 0)).unwrap_err().to_string();
            assert!(error.starts_with("scene: gases[0]: ") && error.contains(says), "{error}");
        }
        // The densest square lattice just fits.
        let full = Gas { placement: Placement::Square, ..Gas::new(100, Radii::Same(1.0), square(20.0), 1) };
        assert_eq!(discs(&full).len(), 100);
    }
}

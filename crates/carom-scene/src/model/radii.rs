//! The radii of the discs of a gas: one, or a distribution.

use crate::values::{Pair, Real};
use carom_math::elementary::{exp, ln, ln_1p};
use glam::DVec2;
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde::{Deserialize as DeriveDeserialize, Serialize as DeriveSerialize};
use std::fmt;

/// Normal distributions are cut where a number is this many deviations from the mean: 0.27 % of the
/// numbers are drawn again.
pub(crate) const CUT: f64 = 3.0;

/// The radii of the discs of a gas.
#[derive(Clone, Debug, PartialEq)]
pub enum Radii {
    /// All the same: `radius = r`.
    Same(f64),
    /// Evenly spread from the first to the second: `radius = [smallest, largest]`.
    Between(f64, f64),
    /// This many of each: `radius = { values = [1, 1.4], fractions = [0.5, 0.5] }`. Of N discs a radius
    /// has its fraction of N, rounded down; those that are then missing go one each to the radii that lost
    /// most, the first of equals first. Which disc has which is random.
    Mixture {
        /// The radii.
        values: Vec<f64>,
        /// The part of the discs that each radius has; they add up to 1.
        fractions: Vec<f64>,
    },
    /// Normal, without what is beyond three deviations: `radius = { mean = m, deviation = s }`.
    Normal {
        /// The mean.
        mean: f64,
        /// The standard deviation, before what is far out is left away; less than a third of the mean.
        deviation: f64,
    },
    /// The logarithm is normal, without what is beyond three deviations of it:
    /// `radius = { mean = m, deviation = s, distribution = "log-normal" }`.
    LogNormal {
        /// The mean of the radius.
        mean: f64,
        /// The standard deviation of the radius; both before what is far out is left away.
        deviation: f64,
    },
}

impl Radii {
    /// The largest and the smallest that there can be.
    #[must_use]
    pub fn range(&self) -> (f64, f64) {
        match self {
            Self::Same(radius) => (*radius, *radius),
            Self::Between(small, large) => (*small, *large),
            Self::Mixture { values, .. } => values
                .iter()
                .fold((f64::INFINITY, 0.0), |(small, large), &radius| (small.min(radius), large.max(radius))),
            Self::Normal { mean, deviation } => (mean - CUT * deviation, mean + CUT * deviation),
            Self::LogNormal { mean, deviation } => {
                let (middle, spread) = of_the_logarithm(*mean, *deviation);
                (exp(middle - CUT * spread), exp(middle + CUT * spread))
            }
        }
    }

    /// The mean of the squares, for packing fractions before the radii are drawn: for an even spread (s² + sl
    /// + l²)/3; m² + s² for what is normal, as if nothing were cut.
    pub(crate) fn mean_square(&self) -> f64 {
        match self {
            Self::Same(radius) => radius * radius,
            Self::Between(small, large) => (small * small + small * large + large * large) / 3.0,
            Self::Mixture { values, fractions } => {
                values.iter().zip(fractions).map(|(radius, fraction)| radius * radius * fraction).sum()
            }
            Self::Normal { mean, deviation } | Self::LogNormal { mean, deviation } => {
                mean * mean + deviation * deviation
            }
        }
    }
}

/// Mean and deviation of the logarithm of a log-normal number: σ² = ln(1 + s²/m²), μ = ln m − σ²/2.
pub(crate) fn of_the_logarithm(mean: f64, deviation: f64) -> (f64, f64) {
    let ratio = deviation / mean;
    let variance = ln_1p(ratio * ratio);
    (ln(mean) - 0.5 * variance, carom_math::sqrt(variance))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, DeriveSerialize, DeriveDeserialize)]
#[serde(rename_all = "snake_case")]
enum Distribution {
    #[default]
    Normal,
    LogNormal,
}

/// A distribution as it stands in a file.
#[derive(Default, DeriveSerialize, DeriveDeserialize)]
#[serde(deny_unknown_fields)]
struct RadiiFile {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    values: Option<Vec<Real>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fractions: Option<Vec<Real>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mean: Option<Real>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    deviation: Option<Real>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    distribution: Option<Distribution>,
}

struct RadiiVisitor;

impl<'de> Visitor<'de> for RadiiVisitor {
    type Value = Radii;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a number, [smallest, largest], { values = […], fractions = […] } or { mean = m, deviation = s }",
        )
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

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Radii, A::Error> {
        let numbers = |list: Vec<Real>| list.into_iter().map(|number| number.0).collect();
        match RadiiFile::deserialize(de::value::MapAccessDeserializer::new(fields))? {
            RadiiFile {
                values: Some(values),
                fractions: Some(fractions),
                mean: None,
                deviation: None,
                distribution: None,
            } => Ok(Radii::Mixture { values: numbers(values), fractions: numbers(fractions) }),
            RadiiFile {
                values: None,
                fractions: None,
                mean: Some(Real(mean)),
                deviation: Some(Real(deviation)),
                distribution,
            } => Ok(match distribution.unwrap_or_default() {
                Distribution::Normal => Radii::Normal { mean, deviation },
                Distribution::LogNormal => Radii::LogNormal { mean, deviation },
            }),
            _ => Err(de::Error::custom(
                "radii have either `values` and `fractions` or `mean` and `deviation`, and a `distribution` \
                 with these",
            )),
        }
    }
}

impl<'de> Deserialize<'de> for Radii {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RadiiVisitor)
    }
}

impl Serialize for Radii {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let reals = |numbers: &[f64]| Some(numbers.iter().copied().map(Real).collect());
        let file = match self {
            Self::Same(radius) => return serializer.serialize_f64(*radius),
            Self::Between(small, large) => return Pair(DVec2::new(*small, *large)).serialize(serializer),
            Self::Mixture { values, fractions } => {
                RadiiFile { values: reals(values), fractions: reals(fractions), ..RadiiFile::default() }
            }
            Self::Normal { mean, deviation } | Self::LogNormal { mean, deviation } => RadiiFile {
                mean: Some(Real(*mean)),
                deviation: Some(Real(*deviation)),
                distribution: match self {
                    Self::LogNormal { .. } => Some(Distribution::LogNormal),
                    _ => None,
                },
                ..RadiiFile::default()
            },
        };
        file.serialize(serializer)
    }
}

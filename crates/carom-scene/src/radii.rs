//! The radii of the discs of a gas: one, or a distribution from a seed.

use crate::random::Random;
use crate::values::{Pair, Real};
use carom_math::elementary::{exp, ln, ln_1p};
use glam::DVec2;
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde::{Deserialize as DeriveDeserialize, Serialize as DeriveSerialize};
use std::fmt;

/// Normal distributions are cut where a number is so many deviations from the mean: 0.27 % of the numbers are drawn
/// again.
pub(crate) const CUT: f64 = 3.0;

/// The radii of the discs of a gas.
#[derive(Clone, Debug, PartialEq)]
pub enum Radii {
    /// All the same: `radius = r`.
    Same(f64),
    /// Evenly spread from the first to the second: `radius = [smallest, largest]`.
    Between(f64, f64),
    /// So many of each: `radius = { values = [1, 1.4], fractions = [0.5, 0.5] }`. Of N discs a radius has its fraction
    /// of N, rounded down; those that are then missing go one each to the radii that lost most, the first of equals
    /// first. Which disc has which is random.
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

    /// The mean of the squares, for packing fractions before the radii are drawn: for an even spread (s² + sl + l²)/3;
    /// m² + s² for what is normal, as if nothing were cut.
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

    /// So many radii, as the documentation of the format says.
    pub(crate) fn draw(&self, count: usize, random: &mut Random) -> Vec<f64> {
        match self {
            Self::Same(radius) => vec![*radius; count],
            Self::Between(small, large) => (0..count).map(|_| random.between(*small, *large)).collect(),
            Self::Mixture { values, fractions } => {
                let mut radii = Vec::with_capacity(count);
                for (&radius, many) in values.iter().zip(shares(fractions, count)) {
                    radii.resize(radii.len() + many, radius);
                }
                random.shuffle(&mut radii);
                radii
            }
            Self::Normal { mean, deviation } => normal(count, random, |z| mean + deviation * z),
            Self::LogNormal { mean, deviation } => {
                let (middle, spread) = of_the_logarithm(*mean, *deviation);
                normal(count, random, |z| exp(middle + spread * z))
            }
        }
    }
}

/// Whole numbers in these proportions that add up to `count`: the method of the largest remainder.
fn shares(fractions: &[f64], count: usize) -> Vec<usize> {
    let ideal = |k: usize| fractions[k] * count as f64;
    let mut shares: Vec<usize> = (0..fractions.len()).map(|k| (ideal(k) as usize).min(count)).collect();
    let mut by_loss: Vec<usize> = (0..fractions.len()).collect();
    by_loss.sort_by(|&a, &b| (ideal(b) - shares[b] as f64).total_cmp(&(ideal(a) - shares[a] as f64)));
    let missing = count.saturating_sub(shares.iter().sum());
    for k in by_loss.into_iter().cycle().take(missing) {
        shares[k] += 1;
    }
    // Rounded up, fractions may add up to more than 1.
    let mut extra = shares.iter().sum::<usize>().saturating_sub(count);
    for share in shares.iter_mut().rev() {
        let less = extra.min(*share);
        *share -= less;
        extra -= less;
    }
    shares
}

/// Normal numbers within the cut, put through `radius`.
fn normal(count: usize, random: &mut Random, radius: impl Fn(f64) -> f64) -> Vec<f64> {
    let mut radii = Vec::with_capacity(count);
    while radii.len() < count {
        let pair = random.normal_pair();
        for z in [pair.x, pair.y] {
            if z.abs() <= CUT && radii.len() < count {
                radii.push(radius(z));
            }
        }
    }
    radii
}

/// Mean and deviation of the logarithm of a log-normal number: σ² = ln(1 + s²/m²), μ = ln m − σ²/2.
fn of_the_logarithm(mean: f64, deviation: f64) -> (f64, f64) {
    let ratio = deviation / mean;
    let variance = ln_1p(ratio * ratio);
    (ln(mean) - 0.5 * variance, carom_math::sqrt(variance))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, DeriveSerialize, DeriveDeserialize)]
#[serde(rename_all = "kebab-case")]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Generator;

    fn drawn(radii: &Radii, count: usize) -> Vec<f64> {
        let drawn = radii.draw(count, &mut Random::new(Generator::ChaCha8, 11));
        let (small, large) = radii.range();
        assert_eq!(drawn.len(), count);
        assert!(drawn.iter().all(|radius| (small..=large).contains(radius)));
        drawn
    }

    fn moments(numbers: &[f64]) -> (f64, f64) {
        let n = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / n;
        (mean, numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n)
    }

    #[test]
    fn a_mixture_has_its_fractions_to_the_disc() {
        for (fractions, count, want) in [
            (&[0.5, 0.5][..], 10, &[5, 5][..]),
            (&[0.5, 0.5], 11, &[6, 5]),
            (&[0.2, 0.3, 0.5], 7, &[1, 2, 4]),
            (&[1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0], 100, &[34, 33, 33]),
            (&[1e-9, 1.0], 3, &[0, 3]),
            (&[1.0], 5, &[5]),
            // As far from 1 as the check lets pass, either way.
            (&[0.5, 0.5 - 1e-9], 1 << 20, &[524_288, 524_288]),
            (&[0.5 + 1e-9, 0.5], 1 << 20, &[524_288, 524_288]),
        ] {
            assert_eq!(shares(fractions, count), want, "{fractions:?} of {count}");
        }
        let radii = drawn(&Radii::Mixture { values: vec![1.0, 1.4], fractions: vec![0.35, 0.65] }, 1000);
        let small = |radii: &[f64]| radii.iter().filter(|&&radius| radius == 1.0).count();
        assert_eq!(small(&radii), 350);
        // Well mixed: of 500 about 175, with a deviation of √(500·0.35·0.65/2) = 7.5 without putting back.
        assert!(small(&radii[..500]).abs_diff(175) <= 38);
    }

    #[test]
    fn normal_radii_have_their_moments_and_no_tails() {
        let (n, deviation) = (200_000, 0.1);
        let radii = drawn(&Radii::Normal { mean: 1.0, deviation }, n);
        let (mean, variance) = moments(&radii);
        // What is left of the variance between ±a deviations is 1 − 2aφ(a)/(2Φ(a) − 1), at a = 3: 0.973337.
        let (want, n) = (0.973_337 * deviation * deviation, n as f64);
        // Five errors: s/√n of a mean, and less than √2·s²/√n of a variance.
        assert!((mean - 1.0).abs() < 5.0 * deviation / n.sqrt(), "{mean}");
        assert!(
            (variance - want).abs() < 5.0 * 2.0_f64.sqrt() * deviation * deviation / n.sqrt(),
            "{variance}"
        );
        assert!(radii.iter().any(|radius| *radius < 0.71) && radii.iter().any(|radius| *radius > 1.29));
    }

    #[test]
    fn log_normal_radii_are_normal_in_their_logarithm() {
        let (mean, deviation, n) = (2.0, 0.5, 200_000);
        let radii = drawn(&Radii::LogNormal { mean, deviation }, n);
        let logarithms: Vec<f64> = radii.iter().map(|radius| radius.ln()).collect();
        let (middle, variance) = moments(&logarithms);
        let (n, whole) = (n as f64, 1.0625_f64.ln());
        assert!((middle - (2.0_f64.ln() - 0.5 * whole)).abs() < 5.0 * whole.sqrt() / n.sqrt());
        assert!((variance - 0.973_337 * whole).abs() < 5.0 * 2.0_f64.sqrt() * whole / n.sqrt());
        // What is cut takes a little of the mean away: ⟨r⟩ = m·(Φ(3 − σ) − Φ(−3 − σ))/(2Φ(3) − 1), σ = 0.24622.
        assert!((moments(&radii).0 / mean - 0.999_167).abs() < 5.0 * 0.25 / n.sqrt());
    }
}

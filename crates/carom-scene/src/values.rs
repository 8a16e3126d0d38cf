//! How numbers and points stand in a file: the serde side of single values.

use glam::DVec2;
use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeTuple, Serializer};
use std::fmt;

/// A number; whole numbers are taken too, so that `radius = 1` needs no point. Says "a number" when it is
/// none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Real(pub(crate) f64);

struct RealVisitor;

impl Visitor<'_> for RealVisitor {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<f64, E> {
        Ok(value)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<f64, E> {
        Ok(value as f64)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<f64, E> {
        Ok(value as f64)
    }
}

impl<'de> Deserialize<'de> for Real {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_f64(RealVisitor).map(Real)
    }
}

impl Serialize for Real {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0)
    }
}

/// A point or a vector: exactly two numbers in a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pair(pub(crate) DVec2);

struct PairVisitor;

impl<'de> Visitor<'de> for PairVisitor {
    type Value = DVec2;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("two numbers, [x, y]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<DVec2, A::Error> {
        let x: Option<Real> = items.next_element()?;
        let y: Option<Real> = items.next_element()?;
        let (Some(Real(x)), Some(Real(y))) = (x, y) else {
            return Err(de::Error::custom("fewer than two numbers, expected [x, y]"));
        };
        if items.next_element::<de::IgnoredAny>()?.is_some() {
            return Err(de::Error::custom("more than two numbers, expected [x, y]"));
        }
        Ok(DVec2::new(x, y))
    }
}

impl<'de> Deserialize<'de> for Pair {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(PairVisitor).map(Pair)
    }
}

impl Serialize for Pair {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(2)?;
        tuple.serialize_element(&self.0.x)?;
        tuple.serialize_element(&self.0.y)?;
        tuple.end()
    }
}

/// `#[serde(with = "values::real")]`
pub(crate) mod real {
    use super::{Deserialize, Deserializer, Real, Serializer};

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Real::deserialize(deserializer).map(|number| number.0)
    }

    pub(crate) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(*value)
    }
}

/// `#[serde(with = "values::real_option")]`
pub(crate) mod real_option {
    use super::{Deserialize, Deserializer, Real, Serialize, Serializer};

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
        Ok(Option::<Real>::deserialize(deserializer)?.map(|number| number.0))
    }

    pub(crate) fn serialize<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
        value.serialize(serializer)
    }
}

/// `#[serde(with = "values::pair")]`
pub(crate) mod pair {
    use super::{DVec2, Deserialize, Deserializer, Pair, Serialize, Serializer};

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<DVec2, D::Error> {
        Pair::deserialize(deserializer).map(|point| point.0)
    }

    pub(crate) fn serialize<S: Serializer>(value: &DVec2, serializer: S) -> Result<S::Ok, S::Error> {
        Pair(*value).serialize(serializer)
    }
}

/// `#[serde(with = "values::mass")]`: a number, or `"inf"`. JSON has no infinity, so it is written as text in
/// both formats; TOML's own `inf` is read too.
pub(crate) mod mass {
    use super::{Deserializer, RealVisitor, Serializer, Visitor, de, fmt};

    struct MassVisitor;

    impl Visitor<'_> for MassVisitor {
        type Value = f64;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a number or \"inf\"")
        }

        fn visit_f64<E: de::Error>(self, value: f64) -> Result<f64, E> {
            RealVisitor.visit_f64(value)
        }

        fn visit_i64<E: de::Error>(self, value: i64) -> Result<f64, E> {
            RealVisitor.visit_i64(value)
        }

        fn visit_u64<E: de::Error>(self, value: u64) -> Result<f64, E> {
            RealVisitor.visit_u64(value)
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<f64, E> {
            match text {
                "inf" => Ok(f64::INFINITY),
                other => Err(E::invalid_value(de::Unexpected::Str(other), &self)),
            }
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        deserializer.deserialize_any(MassVisitor)
    }

    pub(crate) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        if *value == f64::INFINITY {
            serializer.serialize_str("inf")
        } else {
            serializer.serialize_f64(*value)
        }
    }
}

/// `#[serde(skip_serializing_if = "values::is_false")]`
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
pub(crate) fn is_false(value: &bool) -> bool {
    !*value
}

/// `#[serde(with = "values::rules")]`: a table of what differs from the default.
pub(crate) mod rules {
    use super::{Deserialize, Deserializer, Serialize, Serializer};
    use carom_engine::Rules;

    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Table {
        membership: u32,
        mask: u32,
        team: u32,
    }

    impl From<Rules> for Table {
        fn from(rules: Rules) -> Self {
            Table { membership: rules.membership, mask: rules.mask, team: rules.team }
        }
    }

    impl Default for Table {
        fn default() -> Self {
            Rules::new().into()
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rules, D::Error> {
        let Table { membership, mask, team } = Table::deserialize(deserializer)?;
        Ok(Rules::new().with_membership(membership).with_mask(mask).with_team(team))
    }

    pub(crate) fn serialize<S: Serializer>(value: &Rules, serializer: S) -> Result<S::Ok, S::Error> {
        Table::from(*value).serialize(serializer)
    }
}

/// `#[serde(skip_serializing_if = "values::is_default")]`
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// `#[serde(skip_serializing_if = "values::is_one")]`
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
pub(crate) fn is_one(value: &f64) -> bool {
    *value == 1.0
}

pub(crate) fn half() -> f64 {
    0.5
}

/// `#[serde(skip_serializing_if = "values::is_half")]`
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
pub(crate) fn is_half(value: &f64) -> bool {
    *value == 0.5
}

pub(crate) fn one() -> f64 {
    1.0
}

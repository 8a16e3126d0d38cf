//! How a number that may be infinite is stored, for `#[serde(with = "carom_math::number")]`.
//!
//! As it is in a binary format. JSON and its like have no infinities: in a format for people they are the
//! texts `"inf"` and `"-inf"`. What is not a number has no text, and is refused both ways there.

use core::fmt;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Error as _, Serializer};

/// Stores a number.
///
/// # Errors
/// Those of the format, and for what is not a number in a format for people.
pub fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if number.is_finite() || !serializer.is_human_readable() {
        serializer.serialize_f64(*number)
    } else if number.is_nan() {
        Err(S::Error::custom("NaN is none of the numbers that can be stored"))
    } else {
        serializer.serialize_str(if *number > 0.0 { "inf" } else { "-inf" })
    }
}

/// Reads a number.
///
/// # Errors
/// Those of the format; anything but a number, `"inf"` or `"-inf"`.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    if deserializer.is_human_readable() {
        deserializer.deserialize_any(Readable)
    } else {
        f64::deserialize(deserializer)
    }
}

struct Readable;

impl Visitor<'_> for Readable {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, \"inf\" or \"-inf\"")
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<f64, E> {
        Ok(number)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<f64, E> {
        Ok(number as f64)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<f64, E> {
        Ok(number as f64)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<f64, E> {
        match text {
            "inf" => Ok(f64::INFINITY),
            "-inf" => Ok(f64::NEG_INFINITY),
            _ => Err(E::invalid_value(serde::de::Unexpected::Str(text), &self)),
        }
    }
}

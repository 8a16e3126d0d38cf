//! The two ways in which a scene is written.

use crate::error::SceneError;
use crate::place::Place;
use serde::Serialize;

/// How a scene is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// TOML, for hands.
    Toml,
    /// JSON, for machines.
    Json,
}

/// A value as a text that [`Source::parse`](crate::Source::parse) reads back: TOML, or indented JSON.
///
/// # Errors
/// The value has no such text.
pub fn to_text<T: Serialize>(value: &T, syntax: Syntax) -> Result<String, SceneError> {
    match syntax {
        Syntax::Toml => to_toml(value),
        Syntax::Json => to_json(value),
    }
}

/// As [`to_text`] in TOML. A program that writes the other syntax alone has no writer of this one.
///
/// # Errors
/// The value has no such text.
pub fn to_toml<T: Serialize>(value: &T) -> Result<String, SceneError> {
    toml::to_string(value).map_err(|error| refused(&error))
}

/// As [`to_text`] in JSON.
///
/// # Errors
/// The value has no such text.
pub fn to_json<T: Serialize>(value: &T) -> Result<String, SceneError> {
    serde_json::to_string_pretty(value).map_err(|error| refused(&error))
}

fn refused(error: &dyn std::fmt::Display) -> SceneError {
    SceneError::Syntax { place: Place::default(), what: error.to_string() }
}

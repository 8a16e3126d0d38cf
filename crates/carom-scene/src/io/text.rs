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
    let text = match syntax {
        Syntax::Toml => toml::to_string(value).map_err(|error| error.to_string()),
        Syntax::Json => serde_json::to_string_pretty(value).map_err(|error| error.to_string()),
    };
    text.map_err(|what| SceneError::Syntax { place: Place::default(), what })
}

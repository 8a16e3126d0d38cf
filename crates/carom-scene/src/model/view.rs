//! What a drawing of the scene may use and the engine ignores.

use crate::values;
use carom_colour::Rgb;
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// The part of the plane that a drawing shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// The corner with the smaller coordinates.
    #[serde(with = "values::pair")]
    pub min: DVec2,
    /// The corner with the larger coordinates.
    #[serde(with = "values::pair")]
    pub max: DVec2,
}

/// A pocket to draw. It is decoration: a disc runs across it as if it were not there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pocket {
    /// The centre.
    #[serde(with = "values::pair")]
    pub center: DVec2,
    /// The radius, positive.
    #[serde(with = "values::real")]
    pub radius: f64,
}

/// The manner in which the scene is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TableStyle {
    /// A flat ground: a diagram.
    #[default]
    Plain,
    /// A cloth: a table.
    Table,
}

/// `[view]`: how to draw the scene. Nothing in it changes what happens.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct View {
    /// Diagram or table. Default: diagram.
    pub style: TableStyle,
    /// The colour of the cloth or the ground.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cloth: Option<Rgb>,
    /// The colour of the walls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cushion: Option<Rgb>,
    /// What part of the plane to show; without it, what the walls and discs take up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Bounds>,
    /// Pockets to draw, as decoration.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pockets: Vec<Pocket>,
}

//! The part of the plane that a gas fills.

use crate::values::{Pair, Real};
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// A rectangle along the axes, or a circle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RegionFile", into = "RegionFile")]
pub enum Region {
    /// `{ min = [x, y], max = [x, y] }`
    Rectangle {
        /// The corner with the smaller coordinates.
        min: DVec2,
        /// The corner with the larger coordinates.
        max: DVec2,
    },
    /// `{ center = [x, y], radius = r }`
    Circle {
        /// The centre.
        center: DVec2,
        /// The radius.
        radius: f64,
    },
}

impl Region {
    /// The area.
    #[must_use]
    pub fn area(&self) -> f64 {
        match self {
            Self::Rectangle { min, max } => (max.x - min.x) * (max.y - min.y),
            Self::Circle { radius, .. } => std::f64::consts::PI * radius * radius,
        }
    }

    /// The corners of the rectangle around it.
    #[must_use]
    pub fn bounds(&self) -> (DVec2, DVec2) {
        match self {
            Self::Rectangle { min, max } => (*min, *max),
            Self::Circle { center, radius } => (*center - *radius, *center + *radius),
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RegionFile {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    min: Option<Pair>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max: Option<Pair>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    center: Option<Pair>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    radius: Option<Real>,
}

impl TryFrom<RegionFile> for Region {
    type Error = &'static str;

    fn try_from(file: RegionFile) -> Result<Self, Self::Error> {
        match file {
            RegionFile { min: Some(min), max: Some(max), center: None, radius: None } => {
                Ok(Self::Rectangle { min: min.0, max: max.0 })
            }
            RegionFile { min: None, max: None, center: Some(center), radius: Some(radius) } => {
                Ok(Self::Circle { center: center.0, radius: radius.0 })
            }
            _ => Err("a region has either `min` and `max` or `center` and `radius`"),
        }
    }
}

impl From<Region> for RegionFile {
    fn from(region: Region) -> Self {
        let empty = Self { min: None, max: None, center: None, radius: None };
        match region {
            Region::Rectangle { min, max } => Self { min: Some(Pair(min)), max: Some(Pair(max)), ..empty },
            Region::Circle { center, radius } => {
                Self { center: Some(Pair(center)), radius: Some(Real(radius)), ..empty }
            }
        }
    }
}

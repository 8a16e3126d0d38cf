//! Walls of a scene.

use super::SceneRoughness;
use carom_engine::{Rules, WallShape};

/// One entry of `[[walls]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneWall {
    /// The shape.
    pub shape: SceneShape,
    /// The restitution, 0 to 1.
    pub restitution: f64,
    /// Which discs it collides with.
    pub rules: Rules,
    /// The largest speed at which commands move it.
    pub max_speed: Option<f64>,
    /// How its surface rubs, if not as the scene says.
    pub roughness: Option<SceneRoughness>,
    /// The speed at which its surface runs along it: a conveyor.
    pub surface_speed: f64,
    /// A name for the wall, for people.
    pub name: Option<String>,
}

impl SceneWall {
    /// A wall of restitution 1 without a name, which collides with all.
    #[must_use]
    pub fn new(shape: impl Into<SceneShape>) -> Self {
        Self {
            shape: shape.into(),
            restitution: 1.0,
            rules: Rules::new(),
            max_speed: None,
            roughness: None,
            surface_speed: 0.0,
            name: None,
        }
    }
}

/// The shape of a wall: one of the engine's, or one that follows from something else in the scene.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SceneShape {
    /// A shape with its place, in the units of the scene.
    Given(WallShape),
    /// `around_gas`: around the region of a gas, and facing inwards: a container, or a circle.
    AroundGas {
        /// Which of `gases`, counted from 0.
        gas: u64,
    },
}

impl From<WallShape> for SceneShape {
    fn from(shape: WallShape) -> Self {
        Self::Given(shape)
    }
}

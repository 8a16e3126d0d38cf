//! A world of either physics.

use crate::laws::Laws;
use crate::rulebook::Ruled;
use carom_engine::{Forecast, Smooth, World};
use carom_scene::{Scene, SceneError};

/// A world, and the memory of its forecasts.
pub(crate) struct Held<P: Laws> {
    pub(crate) world: World<P>,
    pub(crate) forecast: Forecast<P>,
}

impl<P: Laws> Held<P> {
    pub(crate) fn new(world: World<P>) -> Box<Self> {
        Box::new(Held { world, forecast: Forecast::new() })
    }
}

/// A world of either physics.
pub(crate) enum Room {
    Smooth(Box<Held<Smooth>>),
    Forces(Box<Held<Ruled>>),
}

impl Room {
    /// The world of a scene, in the physics that it needs, or in forces if that is asked for.
    pub(crate) fn of_scene(scene: &Scene, forces: bool) -> Result<Room, SceneError> {
        if forces || scene.has_forces() || scene.has_verdicts() {
            Ok(Room::Forces(Held::new(scene.build_as()?.world)))
        } else {
            Ok(Room::Smooth(Held::new(scene.build()?.world)))
        }
    }
}

/// The same expression for either physics.
macro_rules! in_room {
    ($room:expr, $held:ident => $body:expr) => {
        match $room {
            $crate::room::Room::Smooth($held) => $body,
            $crate::room::Room::Forces($held) => $body,
        }
    };
}
pub(crate) use in_room;

//! A world of any of the physics.

use crate::laws::{Laws, RoughRuled, Ruled};
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

/// A world of any of the physics.
pub(crate) enum Room {
    Smooth(Box<Held<Smooth>>),
    Forces(Box<Held<Ruled>>),
    Rough(Box<Held<RoughRuled>>),
}

impl Room {
    /// The world of a scene, in the physics that it needs, or in forces if that is asked for.
    pub(crate) fn of_scene(scene: &Scene, forces: bool) -> Result<Room, SceneError> {
        if scene.is_rough() {
            Ok(Room::Rough(Held::new(scene.build_as()?.world)))
        } else if forces || scene.has_forces() || scene.has_verdicts() {
            Ok(Room::Forces(Held::new(scene.build_as()?.world)))
        } else {
            Ok(Room::Smooth(Held::new(scene.build()?.world)))
        }
    }
}

impl Clone for Room {
    fn clone(&self) -> Self {
        match self {
            Room::Smooth(held) => Room::Smooth(Held::new(held.world.clone())),
            Room::Forces(held) => Room::Forces(Held::new(held.world.clone())),
            Room::Rough(held) => Room::Rough(Held::new(held.world.clone())),
        }
    }
}

/// The same expression for each physics.
macro_rules! in_room {
    ($room:expr, $held:ident => $body:expr) => {
        match $room {
            $crate::room::Room::Smooth($held) => $body,
            $crate::room::Room::Forces($held) => $body,
            $crate::room::Room::Rough($held) => $body,
        }
    };
}
pub(crate) use in_room;

//! A world of any of the physics.

use crate::laws::{Laws, RoughRuled, Ruled};
use carom_engine::{Event, Forecast, Smooth, World};

/// A world, the events of its last call, and the memory of its forecasts.
pub(crate) struct Held<P: Laws> {
    pub(crate) world: World<P>,
    pub(crate) events: Vec<Event<P::Change>>,
    pub(crate) forecast: Forecast<P>,
}

impl<P: Laws> Held<P> {
    pub(crate) fn new(world: World<P>) -> Box<Self> {
        Box::new(Held { world, events: Vec::new(), forecast: Forecast::new() })
    }
}

/// A world of any of the physics.
pub(crate) enum Room {
    Smooth(Box<Held<Smooth>>),
    Forces(Box<Held<Ruled>>),
    Rough(Box<Held<RoughRuled>>),
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

impl Clone for Room {
    fn clone(&self) -> Self {
        match self {
            Room::Smooth(held) => Room::Smooth(Held::new(held.world.clone())),
            Room::Forces(held) => Room::Forces(Held::new(held.world.clone())),
            Room::Rough(held) => Room::Rough(Held::new(held.world.clone())),
        }
    }
}

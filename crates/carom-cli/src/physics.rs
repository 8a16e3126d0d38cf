//! What the command needs of a physics beyond what scenes do.

use crate::jsonl::Other;
use carom_engine::{Forces, Never, Smooth, Standstill};
use carom_scene::ScenePhysics;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A physics whose worlds can be run, saved and gone on with.
pub(crate) trait RunPhysics:
    ScenePhysics<Body: Serialize + DeserializeOwned> + Serialize + DeserializeOwned
{
    /// The line of the events file on a change of the motion of a disc.
    fn change_line(change: Self::Change, body: u64) -> Other;
}

impl RunPhysics for Smooth {
    fn change_line(change: Never, _: u64) -> Other {
        match change {}
    }
}

impl RunPhysics for Forces {
    fn change_line(change: Standstill, body: u64) -> Other {
        match change {
            Standstill::Stops => Other::Stopped { body },
        }
    }
}

/// An expression with the physics of a scene.
macro_rules! in_physics {
    ($scene:expr, $physics:ident => $run:expr) => {
        if $scene.has_forces() {
            type $physics = carom_engine::Forces;
            $run
        } else {
            type $physics = carom_engine::Smooth;
            $run
        }
    };
}
pub(crate) use in_physics;

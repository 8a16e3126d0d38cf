//! What the command needs of a physics beyond what scenes do.

use crate::jsonl::Other;
use carom_engine::{Forces, Never, Physics, Rough, Smooth, Standstill};
use carom_scene::ScenePhysics;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A physics whose worlds can be run, saved and gone on with.
pub(crate) trait RunPhysics:
    ScenePhysics<
        Body: Serialize + DeserializeOwned,
        Extra: Serialize + DeserializeOwned,
        Surface: Serialize + DeserializeOwned,
    > + Serialize
    + DeserializeOwned
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

impl<P: RunPhysics + Physics<Extra = (), Surface = ()>> RunPhysics for Rough<P> {
    fn change_line(change: P::Change, body: u64) -> Other {
        P::change_line(change, body)
    }
}

/// An expression with the physics of a scene.
macro_rules! in_physics {
    ($scene:expr, $physics:ident => $run:expr) => {
        match ($scene.has_forces(), $scene.is_rough()) {
            (false, false) => {
                type $physics = carom_engine::Smooth;
                $run
            }
            (true, false) => {
                type $physics = carom_engine::Forces;
                $run
            }
            (false, true) => {
                type $physics = carom_engine::Rough;
                $run
            }
            (true, true) => {
                type $physics = carom_engine::Rough<carom_engine::Forces>;
                $run
            }
        }
    };
}
pub(crate) use in_physics;

//! What the command needs of a physics beyond what scenes do.

use crate::jsonl::Other;
use carom_engine::{Forces, Judge, Judged, Never, Physics, Rough, Smooth, Standstill};
use carom_scene::ScenePhysics;
use carom_scene::verdicts::Rulebook;
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
            Standstill::ReachesLimit => Other::ReachedLimit { body },
            Standstill::Resumes => Other::Resumed { body },
        }
    }
}

impl<P: RunPhysics + Physics<Extra = (), Surface = ()>> RunPhysics for Rough<P> {
    fn change_line(change: P::Change, body: u64) -> Other {
        P::change_line(change, body)
    }
}

impl<P: RunPhysics> RunPhysics for Judged<P, Rulebook>
where
    Rulebook: Judge<P::Body, P::Extra, P::Surface>,
{
    fn change_line(change: P::Change, body: u64) -> Other {
        P::change_line(change, body)
    }
}

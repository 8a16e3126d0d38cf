//! The two physics that worlds in JavaScript have.

use crate::rulebook::Ruled;
use carom_engine::{DiscForces, Error, Physics, Smooth, Standstill};
use carom_scene::ScenePhysics;

/// A physics with what is said of its discs.
pub(crate) trait Laws: ScenePhysics + Physics<Extra = (), Surface = ()> {
    /// What this physics knows of a disc on which these forces act.
    fn body(forces: DiscForces) -> Result<Self::Body, Error>;
    /// The forces that act on a disc.
    fn forces(body: Self::Body) -> DiscForces;
    /// A change of motion as a number.
    fn number_of(change: Self::Change) -> f64;
}

impl Laws for Smooth {
    fn body(forces: DiscForces) -> Result<(), Error> {
        let usual = DiscForces::default();
        let reason =
            "the world was made without forces; allowed is the default, or a world with `forces: true`";
        let fields = [
            ("acceleration.x", forces.acceleration.x, 0.0),
            ("acceleration.y", forces.acceleration.y, 0.0),
            ("gravityScale", forces.gravity_scale, usual.gravity_scale),
            ("friction", forces.friction, usual.friction),
            ("speedLimit", forces.speed_limit, usual.speed_limit),
        ];
        match fields.into_iter().find(|(_, value, usual)| value != usual) {
            Some((field, value, _)) => Err(Error::Inconsistent { field, value, reason }),
            None => Ok(()),
        }
    }

    fn forces((): ()) -> DiscForces {
        DiscForces::default()
    }

    fn number_of(change: carom_engine::Never) -> f64 {
        match change {}
    }
}

impl Laws for Ruled {
    fn body(forces: DiscForces) -> Result<DiscForces, Error> {
        Ok(forces)
    }

    fn forces(body: DiscForces) -> DiscForces {
        body
    }

    fn number_of(change: Standstill) -> f64 {
        match change {
            Standstill::Stops => 1.0,
            Standstill::ReachesLimit => 2.0,
            Standstill::Resumes => 3.0,
        }
    }
}

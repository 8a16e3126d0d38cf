//! The physics that scenes have.

use crate::error::SceneError;
use crate::model::{Scene, SceneDisc};
use crate::place::FieldPath;
use carom_engine::{Forces, Judge, Judged, Physics, Smooth};

/// A physics in which worlds of scenes can be built: [`Smooth`] or [`Forces`], or one of them [`Judged`] by a
/// judge that has a default.
///
/// A scene that [has forces](Scene::has_forces) is built in [`Forces`]; all others can be built in either,
/// and are faster in [`Smooth`], where paths are straight.
pub trait ScenePhysics: Physics<Extra = (), Surface = ()> + sealed::Sealed {}

impl ScenePhysics for Smooth {}
impl ScenePhysics for Forces {}
impl<P: ScenePhysics, J: Judge<P::Body> + Default> ScenePhysics for Judged<P, J> {}

/// What a scene says of a physics.
pub(crate) mod sealed {
    use super::{Physics, Scene, SceneDisc, SceneError};

    pub trait Sealed: Physics + Sized {
        /// That of the world.
        #[doc(hidden)]
        fn of_scene(scene: &Scene) -> Result<Self, SceneError>;

        /// That of a disc.
        #[doc(hidden)]
        fn body_of(disc: &SceneDisc) -> Self::Body;
    }
}

impl sealed::Sealed for Smooth {
    fn of_scene(scene: &Scene) -> Result<Self, SceneError> {
        match scene.first_force() {
            None => Ok(Smooth),
            Some(field) => {
                let why = "the scene is built in `Smooth`, where nothing accelerates discs; \
                           `Scene::build_as` builds it in `Forces`";
                Err(SceneError::unexpected(field, why))
            }
        }
    }

    fn body_of(_: &SceneDisc) {}
}

impl sealed::Sealed for Forces {
    fn of_scene(scene: &Scene) -> Result<Self, SceneError> {
        let refused = |error| SceneError::refused(FieldPath::root(), error);
        let forces = Forces::new().with_gravity(scene.gravity).map_err(refused)?;
        forces.with_weight(scene.weight).map_err(refused)
    }

    fn body_of(disc: &SceneDisc) -> Self::Body {
        disc.forces()
    }
}

impl<P: ScenePhysics, J: Judge<P::Body> + Default> sealed::Sealed for Judged<P, J> {
    fn of_scene(scene: &Scene) -> Result<Self, SceneError> {
        Ok(Judged::new(P::of_scene(scene)?, J::default()))
    }

    fn body_of(disc: &SceneDisc) -> P::Body {
        P::body_of(disc)
    }
}

//! The physics that scenes have.

use crate::error::SceneError;
use crate::model::{Scene, SceneDisc, SceneRoughness, SceneWall};
use crate::place::FieldPath;
use carom_engine::{
    Fields, Forces, Judge, Judged, Physics, Rough, RoughDisc, RoughWall, Roughness, Smooth, Spin,
};

/// A physics in which worlds of scenes can be built: [`Smooth`] or [`Forces`], one of them in [`Rough`], or
/// any of these [`Judged`] by a judge that has a default.
///
/// A scene that [has forces](Scene::has_forces) is built in [`Forces`], one that [is rough](Scene::is_rough)
/// in [`Rough`]; all others can be built in any, and are fastest in [`Smooth`], where paths are straight.
pub trait ScenePhysics: Physics + Fields + sealed::Sealed {}

impl ScenePhysics for Smooth {}
impl ScenePhysics for Forces {}
impl<P: ScenePhysics + Physics<Extra = (), Surface = ()>> ScenePhysics for Rough<P> {}
impl<P: ScenePhysics, J: Judge<P::Body, P::Extra, P::Surface> + Default> ScenePhysics for Judged<P, J> {}

/// What a scene says of a physics.
pub(crate) mod sealed {
    use super::{Physics, Scene, SceneDisc, SceneError, SceneWall};

    pub trait Sealed: Physics + Sized {
        /// Whether surfaces rub in it.
        #[doc(hidden)]
        const ROUGH: bool = false;

        /// That of the world, of a scene that is rough only if this physics is.
        #[doc(hidden)]
        fn of_scene(scene: &Scene) -> Result<Self, SceneError>;

        /// That of a disc.
        #[doc(hidden)]
        fn disc_of(disc: &SceneDisc) -> (Self::Body, Self::Extra);

        /// That of a wall.
        #[doc(hidden)]
        fn surface_of(wall: &SceneWall) -> Self::Surface;
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

    fn disc_of(_: &SceneDisc) -> ((), ()) {
        ((), ())
    }

    fn surface_of(_: &SceneWall) {}
}

impl sealed::Sealed for Forces {
    fn of_scene(scene: &Scene) -> Result<Self, SceneError> {
        let refused = |error| SceneError::refused(FieldPath::root(), error);
        let forces = Forces::new().with_gravity(scene.gravity).map_err(refused)?;
        forces.with_weight(scene.weight).map_err(refused)
    }

    fn disc_of(disc: &SceneDisc) -> (Self::Body, ()) {
        (disc.forces(), ())
    }

    fn surface_of(_: &SceneWall) {}
}

impl<P: ScenePhysics + Physics<Extra = (), Surface = ()>> sealed::Sealed for Rough<P> {
    const ROUGH: bool = true;

    fn of_scene(scene: &Scene) -> Result<Self, SceneError> {
        let roughness = checked(scene.roughness).unwrap_or(Roughness::SMOOTH);
        Ok(Rough::new(P::of_scene(scene)?, roughness))
    }

    fn disc_of(disc: &SceneDisc) -> (Self::Body, Spin) {
        let roughness = checked(disc.roughness);
        let (own, ()) = P::disc_of(disc);
        (RoughDisc { inertia: disc.inertia, roughness, own }, disc.spin())
    }

    fn surface_of(wall: &SceneWall) -> RoughWall {
        let plain = RoughWall::new(checked(wall.roughness));
        plain.with_surface_speed(wall.surface_speed).unwrap_or(plain)
    }
}

/// That of a scene that has been checked.
fn checked(own: Option<SceneRoughness>) -> Option<Roughness> {
    own.and_then(|own| own.to_roughness().ok())
}

impl<P: ScenePhysics, J: Judge<P::Body, P::Extra, P::Surface> + Default> sealed::Sealed for Judged<P, J> {
    const ROUGH: bool = P::ROUGH;

    fn of_scene(scene: &Scene) -> Result<Self, SceneError> {
        Ok(Judged::new(P::of_scene(scene)?, J::default()))
    }

    fn disc_of(disc: &SceneDisc) -> (P::Body, P::Extra) {
        P::disc_of(disc)
    }

    fn surface_of(wall: &SceneWall) -> P::Surface {
        P::surface_of(wall)
    }
}

/// The physics `P` of a scene.
pub(crate) fn of_scene<P: ScenePhysics>(scene: &Scene) -> Result<P, SceneError> {
    match scene.first_roughness().filter(|_| !P::ROUGH) {
        None => P::of_scene(scene),
        Some(field) => {
            let why = "the scene is built in a physics in which nothing rubs; `Scene::build_as` builds it in \
                       `Rough<Forces>` or `Rough<Smooth>`";
            Err(SceneError::unexpected(field, why))
        }
    }
}

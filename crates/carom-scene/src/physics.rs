//! The physics that scenes have.

use crate::error::SceneError;
use crate::model::{Scene, SceneDisc, SceneRoughness, SceneWall};
use crate::place::FieldPath;
use crate::verdicts::{Rule, Rulebook};
use carom_engine::{
    Fields, Forces, Judge, Judged, Physics, Rough, RoughDisc, RoughWall, Roughness, Smooth, Spin,
};

/// A physics in which worlds of scenes can be built: [`Smooth`] or [`Forces`], one of them in [`Rough`], or
/// any of these [`Judged`] by a judge of scenes.
///
/// A scene that [has verdicts](Scene::has_verdicts) is built in a physics that is `Judged`; one that [has
/// forces](Scene::has_forces) is built in [`Forces`], one that [is rough](Scene::is_rough) in [`Rough`]; all
/// others can be built in any, and are fastest in [`Smooth`], where paths are straight.
pub trait ScenePhysics: Physics + Fields + sealed::Sealed {}

impl ScenePhysics for Smooth {}
impl ScenePhysics for Forces {}
impl<P: ScenePhysics + Physics<Extra = (), Surface = ()>> ScenePhysics for Rough<P> {}
impl<P: ScenePhysics, J: SceneJudge + Judge<P::Body, P::Extra, P::Surface>> ScenePhysics for Judged<P, J> {}

/// A judge that can be made of the rules of a scene: a [`Rulebook`], or one of one's own that asks one.
pub trait SceneJudge {
    /// The judge of a scene with these rules, which are none if the scene has no `[[verdicts]]`.
    fn of_rules(rules: Vec<Rule>) -> Self;
}

impl SceneJudge for Rulebook {
    fn of_rules(rules: Vec<Rule>) -> Self {
        Rulebook { rules }
    }
}

/// An expression for the physics that a scene needs, which has a name in it: straight flight or [`Forces`],
/// smooth or [`Rough`], with the scene's rules or without. Who writes it depends on `carom_engine`.
///
/// ```
/// use carom_scene::{Scene, in_physics};
///
/// let scene = Scene::named("air-table")?;
/// let energy = in_physics!(scene, P => {
///     let mut world = scene.build_as::<P>()?.world;
///     world.advance_to(scene.until)?;
///     world.kinetic_energy()
/// });
/// assert_eq!(energy, 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[macro_export]
macro_rules! in_physics {
    ($scene:expr, $physics:ident => $run:expr) => {
        match ($scene.has_verdicts(), $scene.has_forces(), $scene.is_rough()) {
            (false, false, false) => {
                type $physics = carom_engine::Smooth;
                $run
            }
            (false, true, false) => {
                type $physics = carom_engine::Forces;
                $run
            }
            (false, false, true) => {
                type $physics = carom_engine::Rough;
                $run
            }
            (false, true, true) => {
                type $physics = carom_engine::Rough<carom_engine::Forces>;
                $run
            }
            (true, _, false) => {
                type $physics = carom_engine::Judged<carom_engine::Forces, $crate::verdicts::Rulebook>;
                $run
            }
            (true, _, true) => {
                type Inner = carom_engine::Rough<carom_engine::Forces>;
                type $physics = carom_engine::Judged<Inner, $crate::verdicts::Rulebook>;
                $run
            }
        }
    };
}

/// What a scene says of a physics.
pub(crate) mod sealed {
    use super::{Physics, Rule, Scene, SceneDisc, SceneError, SceneWall};

    pub trait Sealed: Physics + Sized {
        /// Whether surfaces rub in it.
        #[doc(hidden)]
        const ROUGH: bool = false;

        /// Whether rules say in it what becomes of bodies that meet.
        #[doc(hidden)]
        const JUDGED: bool = false;

        /// The same physics with these rules, if it may have any.
        #[doc(hidden)]
        fn with_rules(&self, _: Vec<Rule>) -> Option<Self> {
            None
        }

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

impl<P: ScenePhysics, J: SceneJudge + Judge<P::Body, P::Extra, P::Surface>> sealed::Sealed for Judged<P, J> {
    const ROUGH: bool = P::ROUGH;
    const JUDGED: bool = true;

    fn of_scene(scene: &Scene) -> Result<Self, SceneError> {
        Ok(Judged::new(P::of_scene(scene)?, J::of_rules(Vec::new())))
    }

    fn with_rules(&self, rules: Vec<Rule>) -> Option<Self> {
        Some(Judged::new(self.physics.clone(), J::of_rules(rules)))
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
    if scene.has_verdicts() && !P::JUDGED {
        let why = "the scene is built in a physics without a judge; `Scene::build_as` builds it in \
                   `Judged<Forces, Rulebook>` or `Judged<Rough<Forces>, Rulebook>`";
        return Err(SceneError::unexpected(FieldPath::root().field("verdicts"), why));
    }
    match scene.first_roughness().filter(|_| !P::ROUGH) {
        None => P::of_scene(scene),
        Some(field) => {
            let why = "the scene is built in a physics in which nothing rubs; `Scene::build_as` builds it in \
                       `Rough<Forces>` or `Rough<Smooth>`";
            Err(SceneError::unexpected(field, why))
        }
    }
}

//! The three physics that worlds in JavaScript have: straight flight; forces with rules; rough discs besides.

use carom_engine::{
    Disc, DiscForces, Error, Forces, Judged, Never, Rough, RoughDisc, RoughWall, Roughness, Smooth, Spin,
    Standstill,
};
use carom_scene::ScenePhysics;
use carom_scene::verdicts::{Rulebook, Whole, recast};

/// Forces, with a table of rules: that without rules is the physics of forces alone, to the last bit.
pub(crate) type Ruled = Judged<Forces, Rulebook>;
/// The same with discs that turn and rub.
pub(crate) type RoughRuled = Judged<Rough<Forces>, Rulebook>;

/// A physics with what it takes of a disc and of a wall.
pub(crate) trait Laws: ScenePhysics {
    /// What this physics knows of a disc. Refuses what it does not know, unless that is the default.
    fn body(whole: &Whole) -> Result<(Self::Body, Self::Extra), Error>;
    /// All that is known of a disc beside its motion, with defaults for what this physics does not know.
    fn whole(body: Self::Body, extra: Self::Extra) -> (RoughDisc<DiscForces>, Spin);
    /// What this physics knows of the surface of a wall. Refuses as `body` does.
    fn surface(wall: RoughWall) -> Result<Self::Surface, Error>;
    fn rough_wall(surface: &Self::Surface) -> RoughWall;
    /// Its forces and its rules, if it may have any.
    fn ruled(&self) -> Option<(Forces, &Rulebook)>;
    /// The same physics with other forces and rules.
    fn with_ruled(&self, forces: Forces, judge: Rulebook) -> Option<Self>;
    /// The roughness of what has none of its own, if discs rub.
    fn roughness(&self) -> Option<Roughness>;
    /// A change of motion as a number.
    fn number_of(change: Self::Change) -> f64;
}

/// The disc as a physics takes it.
pub(crate) fn disc_of<P: Laws>(whole: Whole) -> Result<Disc<P::Body, P::Extra>, Error> {
    let (body, extra) = P::body(&whole)?;
    Ok(recast(whole, body, extra))
}

/// Refuses the first of some values that is not the default.
fn refuse(fields: &[(&'static str, f64, f64)], reason: &'static str) -> Result<(), Error> {
    match fields.iter().find(|(_, value, usual)| value != usual) {
        Some(&(field, value, _)) => Err(Error::Inconsistent { field, value, reason }),
        None => Ok(()),
    }
}

fn no_forces(whole: &Whole) -> Result<(), Error> {
    let (forces, usual) = (whole.body.own, DiscForces::default());
    let reason = "the world was made without forces; allowed is the default, or a world with `forces: true`";
    let fields = [
        ("acceleration.x", forces.acceleration.x, 0.0),
        ("acceleration.y", forces.acceleration.y, 0.0),
        ("gravityScale", forces.gravity_scale, usual.gravity_scale),
        ("friction", forces.friction, usual.friction),
        ("speedLimit", forces.speed_limit, usual.speed_limit),
    ];
    refuse(&fields, reason)
}

const NOT_ROUGH: &str =
    "the world was made without rough discs; allowed is the default, or a world with `rough`";

/// The fields of a roughness, which is to be that of smooth surfaces.
fn no_roughness(own: Option<Roughness>) -> [(&'static str, f64, f64); 2] {
    let own = own.unwrap_or_default();
    [
        ("roughness.friction", own.friction(), 0.0),
        ("roughness.rollingResistance", own.rolling_resistance(), 0.0),
    ]
}

fn not_rough(whole: &Whole) -> Result<(), Error> {
    let (body, spin) = (whole.body, whole.extra);
    refuse(&no_roughness(body.roughness), NOT_ROUGH)?;
    let fields = [
        ("inertia", body.inertia, RoughDisc::<()>::default().inertia),
        ("angle", spin.angle, 0.0),
        ("angularVelocity", spin.angular_velocity, 0.0),
    ];
    refuse(&fields, NOT_ROUGH)
}

fn smooth_wall(wall: RoughWall) -> Result<(), Error> {
    refuse(&no_roughness(wall.roughness()), NOT_ROUGH)?;
    refuse(&[("surfaceSpeed", wall.surface_speed(), 0.0)], NOT_ROUGH)
}

impl Laws for Smooth {
    fn body(whole: &Whole) -> Result<((), ()), Error> {
        no_forces(whole)?;
        not_rough(whole)?;
        Ok(((), ()))
    }

    fn whole((): (), (): ()) -> (RoughDisc<DiscForces>, Spin) {
        Default::default()
    }

    fn surface(wall: RoughWall) -> Result<(), Error> {
        smooth_wall(wall)
    }

    fn rough_wall((): &()) -> RoughWall {
        RoughWall::default()
    }

    fn ruled(&self) -> Option<(Forces, &Rulebook)> {
        None
    }

    fn with_ruled(&self, _: Forces, _: Rulebook) -> Option<Self> {
        None
    }

    fn roughness(&self) -> Option<Roughness> {
        None
    }

    fn number_of(change: Never) -> f64 {
        match change {}
    }
}

/// A change of the motion of what forces accelerate, as a number: as in `package/events.js`.
fn standstill(change: Standstill) -> f64 {
    match change {
        Standstill::Stops => 1.0,
        Standstill::ReachesLimit => 2.0,
        Standstill::Resumes => 3.0,
    }
}

impl Laws for Ruled {
    fn body(whole: &Whole) -> Result<(DiscForces, ()), Error> {
        not_rough(whole)?;
        Ok((whole.body.own, ()))
    }

    fn whole(own: DiscForces, (): ()) -> (RoughDisc<DiscForces>, Spin) {
        (RoughDisc { own, ..RoughDisc::default() }, Spin::default())
    }

    fn surface(wall: RoughWall) -> Result<(), Error> {
        smooth_wall(wall)
    }

    fn rough_wall((): &()) -> RoughWall {
        RoughWall::default()
    }

    fn ruled(&self) -> Option<(Forces, &Rulebook)> {
        Some((self.physics, &self.judge))
    }

    fn with_ruled(&self, forces: Forces, judge: Rulebook) -> Option<Self> {
        Some(Judged::new(forces, judge))
    }

    fn roughness(&self) -> Option<Roughness> {
        None
    }

    fn number_of(change: Standstill) -> f64 {
        standstill(change)
    }
}

impl Laws for RoughRuled {
    fn body(whole: &Whole) -> Result<(RoughDisc<DiscForces>, Spin), Error> {
        Ok((whole.body, whole.extra))
    }

    fn whole(body: RoughDisc<DiscForces>, spin: Spin) -> (RoughDisc<DiscForces>, Spin) {
        (body, spin)
    }

    fn surface(wall: RoughWall) -> Result<RoughWall, Error> {
        Ok(wall)
    }

    fn rough_wall(surface: &RoughWall) -> RoughWall {
        *surface
    }

    fn ruled(&self) -> Option<(Forces, &Rulebook)> {
        Some((self.physics.physics, &self.judge))
    }

    fn with_ruled(&self, forces: Forces, judge: Rulebook) -> Option<Self> {
        Some(Judged::new(Rough::new(forces, self.physics.roughness), judge))
    }

    fn roughness(&self) -> Option<Roughness> {
        Some(self.physics.roughness)
    }

    fn number_of(change: Standstill) -> f64 {
        standstill(change)
    }
}

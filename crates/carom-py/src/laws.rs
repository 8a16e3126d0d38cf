//! The three physics that worlds in Python have: straight flight; forces with rules; rough discs besides.

use crate::body::rolling_resistance;
use crate::judge::GameRules;
use carom_engine::{
    Disc, DiscForces, Error, Fields, Forces, Judged, Never, Physics, Rough, RoughDisc, RoughWall, Smooth,
    Spin, Standstill,
};
use carom_scene::verdicts::{Whole, recast};
use serde::{Serialize, de::DeserializeOwned};

/// Forces, with the rules of a game. Without rules it is the physics of forces alone, to the last bit.
pub(crate) type Ruled = Judged<Forces, GameRules>;
/// The same with discs that turn and rub.
pub(crate) type RoughRuled = Judged<Rough<Forces>, GameRules>;

/// A physics with what it takes of a disc and of a wall.
pub(crate) trait Laws:
    Physics<
        Body: Serialize + DeserializeOwned,
        Extra: Serialize + DeserializeOwned,
        Surface: Serialize + DeserializeOwned,
    > + Fields
    + Serialize
    + DeserializeOwned
{
    /// What this physics knows of a disc. Refuses what it does not know, unless that is the default.
    fn body(whole: &Whole) -> Result<(Self::Body, Self::Extra), Error>;
    /// All of a disc, with defaults for what this physics does not know.
    fn whole(body: Self::Body, extra: Self::Extra) -> (RoughDisc<DiscForces>, Spin);
    /// What this physics knows of the surface of a wall.
    fn surface(rough: RoughWall) -> Result<Self::Surface, Error>;
    fn rough_wall(surface: &Self::Surface) -> RoughWall;
    /// Its rules, if it may have any.
    fn with_rules(&self, rules: GameRules) -> Option<Self>;
    fn rules(&self) -> Option<&GameRules>;
    /// Its forces, if there are any.
    fn forces(&self) -> Option<Forces>;
    fn with_forces(&self, forces: Forces) -> Option<Self>;
}

/// The disc as a physics takes it.
pub(crate) fn disc_of<P: Laws>(whole: &Whole) -> Result<Disc<P::Body, P::Extra>, Error> {
    let (body, extra) = P::body(whole)?;
    Ok(recast(*whole, body, extra))
}

/// The first of some values that is not the default.
fn refuse(fields: &[(&'static str, f64, f64)], reason: &'static str) -> Result<(), Error> {
    match fields.iter().find(|(_, value, usual)| value != usual) {
        Some(&(field, value, _)) => Err(Error::Inconsistent { field, value, reason }),
        None => Ok(()),
    }
}

fn no_forces(whole: &Whole) -> Result<(), Error> {
    let (given, usual) = (whole.body.own, DiscForces::default());
    let fields = [
        ("acceleration.x", given.acceleration.x, 0.0),
        ("acceleration.y", given.acceleration.y, 0.0),
        ("gravity_scale", given.gravity_scale, usual.gravity_scale),
        ("friction", given.friction, usual.friction),
        ("speed_limit", given.speed_limit, usual.speed_limit),
    ];
    refuse(
        &fields,
        "the world was made without forces; allowed is the default, or a world with `forces=True`",
    )
}

const NOT_ROUGH: &str =
    "the world was made without rough discs; allowed is the default, or a world with `rough`";

fn not_rough(whole: &Whole) -> Result<(), Error> {
    let (body, spin) = (whole.body, whole.extra);
    let roughness = body.roughness.map_or(0.0, |own| own.friction());
    let fields = [
        ("angle", spin.angle, 0.0),
        ("angular_velocity", spin.angular_velocity, 0.0),
        ("inertia", body.inertia, 0.5),
        ("roughness", roughness, 0.0),
        ("rolling_resistance", rolling_resistance(body.roughness), 0.0),
    ];
    refuse(&fields, NOT_ROUGH)
}

fn smooth_wall(rough: RoughWall) -> Result<(), Error> {
    let roughness = rough.roughness();
    let fields = [
        ("roughness", roughness.map_or(0.0, |own| own.friction()), 0.0),
        ("rolling_resistance", rolling_resistance(roughness), 0.0),
        ("surface_speed", rough.surface_speed(), 0.0),
    ];
    refuse(&fields, NOT_ROUGH)
}

fn rough_body(own: DiscForces) -> RoughDisc<DiscForces> {
    RoughDisc { own, ..RoughDisc::default() }
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

    fn surface(rough: RoughWall) -> Result<(), Error> {
        smooth_wall(rough)
    }

    fn rough_wall((): &()) -> RoughWall {
        RoughWall::default()
    }

    fn with_rules(&self, _: GameRules) -> Option<Self> {
        None
    }

    fn rules(&self) -> Option<&GameRules> {
        None
    }

    fn forces(&self) -> Option<Forces> {
        None
    }

    fn with_forces(&self, _: Forces) -> Option<Self> {
        None
    }
}

impl Laws for Ruled {
    fn body(whole: &Whole) -> Result<(DiscForces, ()), Error> {
        not_rough(whole)?;
        Ok((whole.body.own, ()))
    }

    fn whole(body: DiscForces, (): ()) -> (RoughDisc<DiscForces>, Spin) {
        (rough_body(body), Spin::default())
    }

    fn surface(rough: RoughWall) -> Result<(), Error> {
        smooth_wall(rough)
    }

    fn rough_wall((): &()) -> RoughWall {
        RoughWall::default()
    }

    fn with_rules(&self, rules: GameRules) -> Option<Self> {
        Some(Judged::new(self.physics, rules))
    }

    fn rules(&self) -> Option<&GameRules> {
        Some(&self.judge)
    }

    fn forces(&self) -> Option<Forces> {
        Some(self.physics)
    }

    fn with_forces(&self, forces: Forces) -> Option<Self> {
        Some(Judged::new(forces, self.judge.clone()))
    }
}

impl Laws for RoughRuled {
    fn body(whole: &Whole) -> Result<(RoughDisc<DiscForces>, Spin), Error> {
        Ok((whole.body, whole.extra))
    }

    fn whole(body: RoughDisc<DiscForces>, extra: Spin) -> (RoughDisc<DiscForces>, Spin) {
        (body, extra)
    }

    fn surface(rough: RoughWall) -> Result<RoughWall, Error> {
        Ok(rough)
    }

    fn rough_wall(surface: &RoughWall) -> RoughWall {
        *surface
    }

    fn with_rules(&self, rules: GameRules) -> Option<Self> {
        Some(Judged::new(self.physics, rules))
    }

    fn rules(&self) -> Option<&GameRules> {
        Some(&self.judge)
    }

    fn forces(&self) -> Option<Forces> {
        Some(self.physics.physics)
    }

    fn with_forces(&self, forces: Forces) -> Option<Self> {
        Some(Judged::new(Rough::new(forces, self.physics.roughness), self.judge.clone()))
    }
}

/// A change of motion, as a number.
pub(crate) trait Told {
    fn number(self) -> u64;
}

impl Told for Never {
    fn number(self) -> u64 {
        match self {}
    }
}

impl Told for Standstill {
    fn number(self) -> u64 {
        match self {
            Standstill::Stops => 1,
            Standstill::ReachesLimit => 2,
            Standstill::Resumes => 3,
        }
    }
}

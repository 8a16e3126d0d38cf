//! What discs in a heap are: smooth ones, or ones that rub.

use carom_engine::{
    DVec2, Disc, DiscForces, Forces, Physics, Rough, RoughDisc, RoughWall, Roughness, Spin, World,
};

/// Metres per second squared.
pub(crate) const GRAVITY: f64 = 10.0;

/// Coefficients of friction and rolling resistance.
pub type Rubbing = [f64; 2];

/// What discs in a heap are.
pub trait Piled: Physics<Body: Default, Surface: Default> + Clone {
    /// Whether friction and rolling resistance mean something.
    const RUBS: bool;
    /// With a gravity along y, and these coefficients of all that has none of its own.
    fn new(gravity: f64, rubbing: Rubbing) -> Self;
    /// A spin.
    fn spin(rate: f64) -> Self::Extra;
    /// The square of the radius of gyration by that of the disc, and the spin.
    fn turns(disc: &Disc<Self::Body, Self::Extra>) -> [f64; 2];
    /// A disc of its own coefficients, and with an acceleration beside gravity.
    fn body(own: Option<Rubbing>, acceleration: DVec2) -> Self::Body;
    /// A wall of its own coefficients.
    fn surface(own: Option<Rubbing>) -> Self::Surface;
    /// A wall whose surface runs at this speed.
    fn run(surface: &Self::Surface, speed: f64) -> Self::Surface;
    /// The speed of a surface.
    fn speed(surface: &Self::Surface) -> f64;
}

fn forces(gravity: f64) -> Forces {
    Forces::new().with_gravity([0.0, gravity]).expect("a gravity in range")
}

fn roughness([friction, rolling]: Rubbing) -> Roughness {
    let roughness = Roughness::new(friction, 0.0).and_then(|rough| rough.with_rolling_resistance(rolling));
    roughness.expect("coefficients in range")
}

impl Piled for Forces {
    const RUBS: bool = false;

    fn new(gravity: f64, _: Rubbing) -> Self {
        forces(gravity)
    }

    fn spin(_: f64) -> Self::Extra {}

    fn turns(_: &Disc<DiscForces>) -> [f64; 2] {
        [0.0, 0.0]
    }

    fn body(_: Option<Rubbing>, acceleration: DVec2) -> DiscForces {
        DiscForces { acceleration, ..DiscForces::default() }
    }

    fn surface(_: Option<Rubbing>) -> Self::Surface {}

    fn run(_: &Self::Surface, _: f64) -> Self::Surface {}

    fn speed(_: &Self::Surface) -> f64 {
        0.0
    }
}

impl Piled for Rough<Forces> {
    const RUBS: bool = true;

    fn new(gravity: f64, rubbing: Rubbing) -> Self {
        Rough::new(forces(gravity), roughness(rubbing))
    }

    fn spin(rate: f64) -> Spin {
        Spin::new(rate)
    }

    fn turns(disc: &Disc<RoughDisc<DiscForces>, Spin>) -> [f64; 2] {
        [disc.body.inertia, disc.extra.angular_velocity]
    }

    fn body(own: Option<Rubbing>, acceleration: DVec2) -> RoughDisc<DiscForces> {
        let own_forces = DiscForces { acceleration, ..DiscForces::default() };
        RoughDisc { roughness: own.map(roughness), own: own_forces, ..RoughDisc::default() }
    }

    fn surface(own: Option<Rubbing>) -> RoughWall {
        RoughWall::new(own.map(roughness))
    }

    fn run(surface: &RoughWall, speed: f64) -> RoughWall {
        surface.with_surface_speed(speed).expect("a speed in range")
    }

    fn speed(surface: &RoughWall) -> f64 {
        surface.surface_speed()
    }
}

/// Whether something that nothing stops moves: a wall, a surface, or a disc of infinite mass.
pub(super) fn pushes<P: Piled>(world: &World<P>) -> bool {
    let moves = |wall| {
        world.wall_motion(wall).is_some_and(|motion| motion.velocity != DVec2::ZERO)
            || world.arm(wall).is_some_and(|arm| arm.rate != 0.0)
    };
    world.walls().any(|(id, wall)| P::speed(&wall.surface) != 0.0 || moves(id))
        || world.discs().any(|(_, disc)| disc.mass == f64::INFINITY && !is_still::<P>(&disc))
}

/// Whether a disc neither moves nor turns.
pub(super) fn is_still<P: Piled>(disc: &Disc<P::Body, P::Extra>) -> bool {
    disc.velocity == DVec2::ZERO && P::turns(disc)[1] == 0.0
}

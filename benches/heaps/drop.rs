//! Discs that are dropped into a box, three a second, and left to come to rest.

use carom::{
    DVec2, Disc, DiscForces, Forces, Physics, Rest, Rough, RoughDisc, Roughness, Settings, Spin, Wall, World,
};

/// Frames a second, and between two discs that are dropped.
pub(crate) const FRAMES_PER_SECOND: u32 = 60;
const FRAMES_APART: u32 = 20;
/// Restitution of all.
pub(crate) const RESTITUTION: f64 = 0.2;
/// Width of the box, the usual height from which discs fall, the height of the box above that, and their
/// acceleration. A heap of more than some 150 discs reaches the usual height, and no disc has room there.
pub(crate) const WIDTH: f64 = 8.0;
pub(crate) const START: f64 = 13.0;
pub(crate) const ABOVE: f64 = 1.0;
pub(crate) const GRAVITY: f64 = -10.0;
/// Seconds that the heap has after the last disc.
pub(crate) const SECONDS_AFTER: u32 = 5;

/// A disc to be dropped: where, of what radius.
pub(crate) type Dropped = (DVec2, f64);

/// The discs of a run.
pub(crate) struct Drops {
    state: u64,
    start: f64,
}

impl Drops {
    /// From this height.
    pub(crate) fn new(seed: u64, start: f64) -> Self {
        Drops { state: seed, start }
    }

    /// The disc that is dropped in a frame, if one is. Where it has no room, another comes a third of a
    /// second later.
    pub(crate) fn of_frame(&mut self, frame: u32) -> Option<Dropped> {
        if !frame.is_multiple_of(FRAMES_APART) {
            return None;
        }
        let radius = 0.2 + 0.4 * self.uniform();
        let x = -0.5 * WIDTH + radius + (WIDTH - 2.0 * radius) * self.uniform();
        Some((DVec2::new(x, self.start), radius))
    }

    /// Uniform in [0, 1), from the linear congruential generator of Knuth's MMIX.
    fn uniform(&mut self) -> f64 {
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// What discs in the box are.
pub(crate) trait Dropping: Physics<Body: Default, Surface: Default> {
    /// With this coefficient of friction, if it knows any.
    fn with_friction(friction: f64) -> Self;

    /// The speed of the rim of a disc.
    fn rim_speed(disc: &Disc<Self::Body, Self::Extra>) -> f64;
}

fn gravity() -> Forces {
    Forces::new().with_gravity(DVec2::new(0.0, GRAVITY)).expect("a gravity in range")
}

impl Dropping for Forces {
    fn with_friction(_: f64) -> Self {
        gravity()
    }

    fn rim_speed(_: &Disc<DiscForces>) -> f64 {
        0.0
    }
}

impl Dropping for Rough<Forces> {
    fn with_friction(friction: f64) -> Self {
        Rough::new(gravity(), Roughness::new(friction, 0.0).expect("a coefficient in range"))
    }

    fn rim_speed(disc: &Disc<RoughDisc<DiscForces>, Spin>) -> f64 {
        disc.radius * disc.extra.angular_velocity
    }
}

/// The box in Carom, for discs that fall from this height.
pub(crate) fn empty_box<P: Dropping>(rest: Rest, friction: f64, start: f64) -> World<P> {
    let settings = Settings::default().with_rest(Some(rest));
    let mut world = World::with_physics(P::with_friction(friction), settings).expect("settings in range");
    let corners = [DVec2::new(-0.5 * WIDTH, 0.0), DVec2::new(0.5 * WIDTH, start + ABOVE)];
    let walls = Wall::container(corners[0], corners[1]).with_restitution(RESTITUTION);
    world.add_wall(walls.with_surface(P::Surface::default())).expect("a box");
    world
}

/// Discs in Carom above a V of two half-planes at 45 degrees, in rows and columns, with velocities of up to 1
/// along each axis, under a gravity of 1.
pub(crate) fn above_a_vee(rest: Rest, seed: u64, discs: usize, restitution: f64) -> World<Forces> {
    let mut drops = Drops::new(seed, 0.0);
    let mut vector = |half: f64| DVec2::new(drops.uniform() - 0.5, drops.uniform() - 0.5) * (2.0 * half);
    let forces = Forces::new().with_gravity([0.0, -1.0]).expect("a gravity in range");
    let settings = Settings::default().with_rest(Some(rest));
    let mut world = World::with_physics(forces, settings).expect("settings in range");
    for x in [-1.0, 1.0] {
        let wall = Wall::half_plane([0.0, 0.0], [x, 1.0]).with_restitution(restitution);
        world.add_wall(wall).expect("a line");
    }
    let columns = (discs as f64).sqrt().ceil() as usize;
    for k in 0..discs {
        let column = (k % columns) as f64 - 0.5 * (columns as f64 - 1.0);
        let row = (k / columns) as f64;
        let place = DVec2::new(2.5 * column, 2.5 * row + 1.5 * columns as f64 + 4.0) + vector(0.15);
        let radius = if k % 3 == 0 { 0.6 } else { 1.0 };
        let disc = Disc::new(place, radius).with_mass(radius * radius).with_velocity(vector(1.0));
        world.insert(disc.with_restitution(restitution)).expect("room above the V");
    }
    world
}

/// The disc in Carom.
pub(crate) fn disc<P: Dropping>((place, radius): Dropped) -> Disc<P::Body, P::Extra> {
    Disc::new(place, radius)
        .with_body(P::Body::default())
        .with_extra(P::Extra::default())
        .with_mass(radius * radius)
        .with_restitution(RESTITUTION)
}

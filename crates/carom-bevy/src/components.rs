use bevy_ecs::prelude::*;
use bevy_math::DVec2;
use bevy_transform::components::Transform;
use carom::{Overlap, RegionShape, Sensor, WallShape};

/// A disc of the world, where its [`Position`] says, or else its [`Transform`].
///
/// A disc for which there is no room is [`Refused`](crate::Refused), and not in the world. When one of its
/// components is written it is tried again.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(summary_tick)]
#[require(Transform, Velocity, Mass, Restitution, Rules)]
pub struct Disc {
    /// Radius in length units: 0 or 10⁻¹⁵ … 10¹⁵. The scale of the [`Transform`] is to be 1.
    pub radius: f64,
    /// Whether it may be put where it overlaps something.
    pub overlap: Overlap,
    /// Whether it touches nothing and reports which discs overlap it. Read when it comes into the world.
    pub sensor: Sensor,
}

impl Disc {
    /// Of this radius, that refuses to overlap anything and is no sensor.
    #[must_use]
    pub fn new(radius: f64) -> Self {
        Disc { radius, overlap: Overlap::Refuse, sensor: Sensor::No }
    }

    /// Allowed to be put where it overlaps something.
    #[must_use]
    pub fn with_overlap(self) -> Self {
        Disc { overlap: Overlap::Allow, ..self }
    }

    /// As a sensor.
    #[must_use]
    pub fn with_sensor(self) -> Self {
        Disc { sensor: Sensor::Yes, ..self }
    }
}

/// The exact centre of a disc, for those that need more than the 24 bits of a [`Transform`]: discs that are
/// to touch, and rules that compare places. Where both are written, it is this that counts.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(summary_tick)]
pub struct Position(pub DVec2);

/// The velocity of a disc, in length units a second.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(summary_tick)]
pub struct Velocity(pub DVec2);

/// The mass of a disc: 1 by default; infinite, or 0 for a tracer.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(summary_tick)]
pub struct Mass(pub f64);

impl Default for Mass {
    fn default() -> Self {
        Mass(1.0)
    }
}

/// The coefficient of restitution of a disc or a wall, from 0 to 1: 1 by default.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(summary_tick)]
pub struct Restitution(pub f64);

impl Default for Restitution {
    fn default() -> Self {
        Restitution(1.0)
    }
}

/// What a disc or a wall collides with: groups, masks and teams.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(summary_tick)]
pub struct Rules(pub carom::Rules);

/// A number of the game's own for a disc or a wall, which a judge sees.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(summary_tick)]
pub struct UserData(pub u64);

/// A disc that goes where its [`Velocity`] or [`MoveTo`] says and that nothing deflects. Its mass is
/// infinite. Read when the disc comes into the world.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct Kinematic {
    /// The largest speed at which [`MoveTo`] sends it.
    pub max_speed: f64,
}

impl Default for Kinematic {
    fn default() -> Self {
        Kinematic { max_speed: f64::INFINITY }
    }
}

/// Sends a kinematic disc to a place, or a wall to a distance from where it was put up, each time that it is
/// written. It arrives to the bit.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(summary_tick)]
pub struct MoveTo {
    /// The place, or the distance.
    pub target: DVec2,
    /// In how many seconds.
    pub seconds: f64,
}

/// A wall, in coordinates of the world: `Wall::from(carom::Wall::segment([0.0, 0.0], [4.0, 0.0]))`.
///
/// It is replaced by another one that is inserted in its stead. If its entity has a [`Transform`], that is
/// how far it has [moved](MoveTo).
#[derive(Component, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(immutable)]
#[require(Restitution, Rules)]
pub struct Wall(pub WallShape);

impl From<carom::Wall> for Wall {
    /// Its shape: restitution, rules and user data are components of their own.
    fn from(wall: carom::Wall) -> Self {
        Wall(wall.shape)
    }
}

/// A region that reports which discs enter it and leave it. On the entity of a disc it is carried by that.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct Region(pub carom::Region);

impl From<RegionShape> for Region {
    fn from(shape: RegionShape) -> Self {
        Region(carom::Region::new(shape))
    }
}

impl From<carom::Region> for Region {
    fn from(region: carom::Region) -> Self {
        Region(region)
    }
}

/// What the physics knows of a disc beside its mass: [`DiscForces`](carom::DiscForces), say.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(summary_tick)]
pub struct Body<T: Send + Sync + 'static>(pub T);

/// What the physics stores with a disc's place and velocity: a [`Spin`](carom::Spin), say.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(summary_tick)]
pub struct Extra<T: Send + Sync + 'static>(pub T);

/// What the physics knows of a wall.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct Surface<T: Send + Sync + 'static>(pub T);

pub(crate) type BodyOf<P> = Body<<P as carom::Physics>::Body>;
pub(crate) type ExtraOf<P> = Extra<<P as carom::Physics>::Extra>;
pub(crate) type SurfaceOf<P> = Surface<<P as carom::Physics>::Surface>;

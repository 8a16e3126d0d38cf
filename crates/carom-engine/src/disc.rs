use crate::error::check;
use crate::walk::{fields, variants};
use crate::{Error, Rules};
use glam::DVec2;

/// A disc as one gives it to a world and gets it back.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Disc<B = (), X = ()> {
    /// Centre, in length units of the scene; each coordinate in ±10¹⁵.
    pub position: DVec2,
    /// Velocity, in length units per second; each component in ±10¹⁵.
    pub velocity: DVec2,
    /// Radius: 0 (a point; points never meet each other) or 10⁻¹⁵ … 10¹⁵.
    pub radius: f64,
    /// Mass: 10⁻⁵⁰ … 10⁵⁰; infinite (walls deflect it, discs never do; two infinite ones pass through each
    /// other); or 0 (a tracer: others do not feel it, it sees every other as infinite; two tracers pass
    /// through each other). A tracer of some size that is pinched between a disc and a wall bounces without
    /// end, until the budget ends the call.
    #[cfg_attr(feature = "serde", serde(with = "carom_math::number"))]
    pub mass: f64,
    /// Coefficient of restitution, in [0, 1].
    pub restitution: f64,
    /// Anything; the engine does not look at it.
    pub user_data: u64,
    /// Whether it may be put where it overlaps another disc or a wall.
    pub overlap: Overlap,
    /// Which others it collides with; of a sensor which it sees.
    pub rules: Rules,
    /// Whether it is a sensor.
    #[cfg_attr(feature = "serde", serde(default))]
    pub sensor: Sensor,
    /// Whether it goes where the caller sends it, and through walls: see [`Disc::kinematic`].
    #[cfg_attr(feature = "serde", serde(default))]
    pub kinematic: bool,
    /// The largest speed at which [`World::move_to`](crate::World::move_to) sends it: positive, or infinite.
    /// Infinite unless it is kinematic, as no other disc is sent anywhere.
    #[cfg_attr(feature = "serde", serde(default = "no_limit", with = "carom_math::number"))]
    pub max_speed: f64,
    /// What the physics knows of it, beside the above.
    pub body: B,
    /// What the physics stores with its position and velocity.
    pub extra: X,
}

fields!(
    Disc<B, X>: position, velocity, radius, mass, restitution, user_data, overlap, rules, sensor, kinematic,
    max_speed, body, extra
);

/// Whether a disc may be put where it overlaps something by more than rounding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Overlap {
    /// No: an error says with what, and how deep.
    #[default]
    Refuse,
    /// Yes. The pair does not collide while it separates and collides at once when it approaches.
    Allow,
}

variants!(Overlap: Refuse, Allow);

/// Whether a disc is a sensor: one that moves as others do, collides with nothing, and reports which discs
/// overlap it.
///
/// It carries a [`Region`](crate::Region) of its own size, that sees the edges of discs by the sensor's rules
/// and user data: [`World::sensor_region`](crate::World::sensor_region). No region sees it, unless it asks
/// for that. Decided when the disc is inserted.
///
/// ```
/// # use carom_engine as carom;
/// use carom::{Disc, Event, World};
///
/// let mut world = World::new();
/// let ghost = world.insert(Disc::new([0.0, 0.0], 1.0).with_velocity([1.0, 0.0]).with_sensor())?;
/// let ball = world.insert(Disc::new([5.0, 0.0], 1.0))?;
/// world.advance(10.0)?;
/// let times: Vec<_> = world.events().iter().map(|event| event.time().as_secs()).collect();
/// assert_eq!(times, [3.0, 7.0]);
/// assert_eq!(world.events()[0].crossing().map(|crossing| crossing.disc), Some(ball));
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Sensor {
    /// No.
    #[default]
    No,
    /// Yes.
    Yes,
    /// Yes, and it sees sensors that are so, too, and is seen by them and by regions
    /// [`with_sensors`](crate::Region::with_sensors).
    AmongSensors,
}

variants!(Sensor: No, Yes, AmongSensors);

impl<B: Default, X: Default> Disc<B, X> {
    /// A disc at rest, of mass 1 and restitution 1.
    #[must_use]
    pub fn new(position: impl Into<DVec2>, radius: f64) -> Self {
        Disc {
            position: position.into(),
            velocity: DVec2::ZERO,
            radius,
            mass: 1.0,
            restitution: 1.0,
            user_data: 0,
            overlap: Overlap::Refuse,
            rules: Rules::new(),
            sensor: Sensor::No,
            kinematic: false,
            max_speed: f64::INFINITY,
            body: B::default(),
            extra: X::default(),
        }
    }

    setters! {
        /// At this place.
        with_position(position: impl Into<DVec2>) => position = position.into();

        /// With this velocity.
        with_velocity(velocity: impl Into<DVec2>) => velocity = velocity.into();

        /// As a sensor, that collides with nothing: see [`Sensor`].
        with_sensor() => sensor = Sensor::Yes;

        /// As a sensor that sees sensors of this kind, too.
        with_sensor_among_sensors() => sensor = Sensor::AmongSensors;

        /// Allowed to be put where it overlaps something.
        with_overlap() => overlap = Overlap::Allow;
    }

    setters! {
        /// With this radius.
        with_radius(radius: f64);

        /// With this mass.
        with_mass(mass: f64);

        /// With this coefficient of restitution.
        with_restitution(restitution: f64);

        /// With this user data.
        with_user_data(user_data: u64);

        /// With these properties for the physics.
        with_body(body: B);

        /// With this extra state.
        with_extra(extra: X);

        /// With these rules of what it collides with.
        with_rules(rules: Rules);

        /// With this largest speed at which [`World::move_to`](crate::World::move_to) sends it, which must be
        /// kinematic: a mouse that jumps fires no puck.
        with_max_speed(max_speed: f64);
    }

    /// A member of the groups of `membership` that accepts those of `mask`: see [`Rules`].
    #[must_use]
    pub fn with_groups(mut self, membership: u32, mask: u32) -> Self {
        self.rules = self.rules.with_membership(membership).with_mask(mask);
        self
    }

    /// Of this team, whose members do not collide with each other; 0 is none.
    #[must_use]
    pub fn with_team(mut self, team: u32) -> Self {
        self.rules = self.rules.with_team(team);
        self
    }

    /// As a body that goes where the caller sends it: with its velocity, or by
    /// [`World::move_to`](crate::World::move_to); nothing deflects it, and no force acts on it. Its mass is
    /// infinite; it passes through walls and other infinite masses, pushes discs of finite mass with the
    /// velocity that it has, and carries what rests on it. Mallets, paddles, platforms. Decided when the disc
    /// is inserted.
    ///
    /// Against a wall it crushes what is between by the rule of the world: see
    /// [`CrushRule`](crate::CrushRule).
    #[doc(alias = "mover")]
    #[doc(alias = "paddle")]
    #[must_use]
    pub fn kinematic(mut self) -> Self {
        self.mass = f64::INFINITY;
        self.kinematic = true;
        self
    }

    /// Checks every number, as inserting the disc does.
    ///
    /// # Errors
    /// The first number that is not in its range.
    pub fn check(&self) -> Result<(), Error> {
        check::point(["position.x", "position.y"], self.position)?;
        check::velocity(self.velocity)?;
        check::radius(self.radius)?;
        check::mass(self.mass)?;
        check::max_speed(self.max_speed)?;
        if self.kinematic && self.mass != f64::INFINITY {
            let reason = "a kinematic disc has an infinite mass";
            return Err(Error::Inconsistent { field: "mass", value: self.mass, reason });
        }
        if !self.kinematic && self.max_speed != f64::INFINITY {
            let reason = "it limits the speed at which a kinematic disc is sent, and this one is not \
                          kinematic; what forces accelerate has a DiscForces::speed_limit";
            return Err(Error::Inconsistent { field: "max_speed", value: self.max_speed, reason });
        }
        check::restitution(self.restitution)
    }

    /// The rules of what it collides with.
    pub(crate) fn collision_rules(&self) -> Rules {
        if self.sensor == Sensor::No { self.rules } else { Rules::NONE }
    }
}

#[cfg(feature = "serde")]
fn no_limit() -> f64 {
    f64::INFINITY
}

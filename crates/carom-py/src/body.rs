//! A disc as Python describes and sees it.

use crate::vector::{Pair, Vector, pair};
use crate::words::{of_word, word_of};
use carom_engine::{DVec2, DiscForces, Error, Overlap, RoughDisc, Roughness, Sensor, Spin};
use carom_scene::verdicts::Whole;
use pyo3::prelude::*;

/// Which discs are regions.
const SENSORS: &[(&str, Sensor)] =
    &[("no", Sensor::No), ("yes", Sensor::Yes), ("among_sensors", Sensor::AmongSensors)];

/// `True`, `False`, or a word.
#[derive(FromPyObject)]
pub(crate) enum SensorGiven {
    Flag(bool),
    Word(String),
}

/// Friction and tangential restitution of a surface.
pub(crate) type RoughGiven = (f64, f64);

/// The roughness of a surface, which rolling resistance is a part of.
pub(crate) fn roughness(
    given: Option<RoughGiven>,
    rolling_resistance: f64,
) -> Result<Option<Roughness>, Error> {
    const ALONE: &str = "it is a part of a roughness; allowed is 0, or one beside it (of a world `rough`)";
    match given {
        Some((friction, tangential)) => {
            Roughness::new(friction, tangential)?.with_rolling_resistance(rolling_resistance).map(Some)
        }
        None if rolling_resistance == 0.0 => Ok(None),
        None => {
            let (field, value) = ("rolling_resistance", rolling_resistance);
            Err(Error::Inconsistent { field, value, reason: ALONE })
        }
    }
}

pub(crate) fn rolling_resistance(roughness: Option<Roughness>) -> f64 {
    roughness.map_or(0.0, |own| own.rolling_resistance())
}

pub(crate) fn rough_pair(roughness: Roughness) -> RoughGiven {
    (roughness.friction(), roughness.tangential_restitution())
}

/// What is known of a disc that is in a world.
#[derive(Clone, Copy)]
pub(crate) struct Seen {
    pub(crate) unwrapped: DVec2,
    pub(crate) acceleration: DVec2,
    pub(crate) target: Option<DVec2>,
    pub(crate) is_enabled: bool,
}

/// A disc: to be inserted, or as it is in a world.
#[pyclass(frozen, module = "carom")]
pub(crate) struct Disc {
    pub(crate) whole: Whole,
    pub(crate) seen: Option<Seen>,
}

#[pymethods]
impl Disc {
    #[new]
    #[pyo3(signature = (position, radius, *, velocity = Vector(DVec2::ZERO), mass = None, restitution = 1.0,
        user_data = 0, overlap = false, sensor = SensorGiven::Flag(false), kinematic = false,
        max_speed = f64::INFINITY, membership = u32::MAX, mask = u32::MAX, team = 0,
        acceleration = Vector(DVec2::ZERO), gravity_scale = 1.0, friction = 0.0,
        speed_limit = f64::INFINITY, angle = 0.0, angular_velocity = 0.0, inertia = 0.5, roughness = None,
        rolling_resistance = 0.0))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn new(
        position: Vector,
        radius: f64,
        velocity: Vector,
        mass: Option<f64>,
        restitution: f64,
        user_data: u64,
        overlap: bool,
        sensor: SensorGiven,
        kinematic: bool,
        max_speed: f64,
        membership: u32,
        mask: u32,
        team: u32,
        acceleration: Vector,
        gravity_scale: f64,
        friction: f64,
        speed_limit: f64,
        angle: f64,
        angular_velocity: f64,
        inertia: f64,
        roughness: Option<RoughGiven>,
        rolling_resistance: f64,
    ) -> PyResult<Disc> {
        let forces = DiscForces { acceleration: acceleration.into(), gravity_scale, friction, speed_limit };
        let rough = self::roughness(roughness, rolling_resistance).map_err(crate::errors::refused)?;
        let body = RoughDisc { inertia, roughness: rough, own: forces };
        let mut whole = Whole::new(position, radius).with_velocity(velocity).with_body(body);
        whole.mass = mass.unwrap_or(if kinematic { f64::INFINITY } else { 1.0 });
        whole.kinematic = kinematic;
        whole.overlap = if overlap { Overlap::Allow } else { Overlap::Refuse };
        whole.sensor = match sensor {
            SensorGiven::Flag(is_sensor) => {
                if is_sensor {
                    Sensor::Yes
                } else {
                    Sensor::No
                }
            }
            SensorGiven::Word(word) => of_word("sensor", &word, SENSORS)?,
        };
        whole = whole.with_restitution(restitution).with_user_data(user_data).with_max_speed(max_speed);
        whole = whole.with_groups(membership, mask).with_team(team);
        Ok(Disc { whole: whole.with_extra(Spin::new(angular_velocity).with_angle(angle)), seen: None })
    }

    #[getter]
    fn position(&self) -> Pair {
        pair(self.whole.position)
    }

    /// In a periodic world the position without wrapping; else the same.
    #[getter]
    fn unwrapped_position(&self) -> Pair {
        pair(self.seen.map_or(self.whole.position, |seen| seen.unwrapped))
    }

    #[getter]
    fn velocity(&self) -> Pair {
        pair(self.whole.velocity)
    }

    /// That of its path at the present, by all forces.
    #[getter]
    fn total_acceleration(&self) -> Pair {
        pair(self.seen.map_or(DVec2::ZERO, |seen| seen.acceleration))
    }

    /// Where `move_to` has sent it.
    #[getter]
    fn target(&self) -> Option<Pair> {
        self.seen.and_then(|seen| seen.target).map(pair)
    }

    #[getter]
    fn enabled(&self) -> bool {
        self.seen.is_none_or(|seen| seen.is_enabled)
    }

    #[getter]
    fn radius(&self) -> f64 {
        self.whole.radius
    }

    #[getter]
    fn mass(&self) -> f64 {
        self.whole.mass
    }

    #[getter]
    fn restitution(&self) -> f64 {
        self.whole.restitution
    }

    #[getter]
    fn user_data(&self) -> u64 {
        self.whole.user_data
    }

    #[getter]
    fn overlap(&self) -> bool {
        self.whole.overlap == Overlap::Allow
    }

    #[getter]
    fn sensor(&self) -> &'static str {
        word_of(&self.whole.sensor, SENSORS)
    }

    #[getter]
    fn kinematic(&self) -> bool {
        self.whole.kinematic
    }

    #[getter]
    fn max_speed(&self) -> f64 {
        self.whole.max_speed
    }

    #[getter]
    fn membership(&self) -> u32 {
        self.whole.rules.membership
    }

    #[getter]
    fn mask(&self) -> u32 {
        self.whole.rules.mask
    }

    #[getter]
    fn team(&self) -> u32 {
        self.whole.rules.team
    }

    #[getter]
    fn acceleration(&self) -> Pair {
        pair(self.whole.body.own.acceleration)
    }

    #[getter]
    fn gravity_scale(&self) -> f64 {
        self.whole.body.own.gravity_scale
    }

    #[getter]
    fn friction(&self) -> f64 {
        self.whole.body.own.friction
    }

    #[getter]
    fn speed_limit(&self) -> f64 {
        self.whole.body.own.speed_limit
    }

    #[getter]
    fn angle(&self) -> f64 {
        self.whole.extra.angle
    }

    #[getter]
    fn angular_velocity(&self) -> f64 {
        self.whole.extra.angular_velocity
    }

    #[getter]
    fn inertia(&self) -> f64 {
        self.whole.body.inertia
    }

    #[getter]
    fn roughness(&self) -> Option<RoughGiven> {
        self.whole.body.roughness.map(rough_pair)
    }

    #[getter]
    fn rolling_resistance(&self) -> f64 {
        rolling_resistance(self.whole.body.roughness)
    }

    fn __repr__(&self) -> String {
        let (p, v) = (self.whole.position, self.whole.velocity);
        let radius = self.whole.radius;
        format!("Disc(({:?}, {:?}), {radius:?}, velocity=({:?}, {:?}))", p.x, p.y, v.x, v.y)
    }
}

//! Walls: described, put up, moved, taken down.

use crate::body::{RoughGiven, rolling_resistance, rough_pair, roughness};
use crate::errors::{Given, OrRaise};
use crate::handle::Numbered;
use crate::laws::Laws;
use crate::room::in_room;
use crate::time::{Time, When};
use crate::vector::{Pair, Vector, pair};
use crate::words::{Keywords, rules};
use crate::world::World;
use carom_engine::{DVec2, Error, RoughWall, WallId, WallShape};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::borrow::Cow;

/// A wall: to be put up, or as it is in a world.
#[pyclass(frozen, module = "carom")]
pub(crate) struct Wall {
    wall: carom_engine::Wall<RoughWall>,
}

const COMMON: [&str; 9] = [
    "restitution", "user_data", "membership", "mask", "team", "max_speed", "roughness", "rolling_resistance",
    "surface_speed",
];

fn wall(shape: WallShape, options: Option<&Bound<'_, PyDict>>) -> PyResult<Wall> {
    let given = Keywords::of(options, &COMMON)?;
    let (resistance, speed) = (given.or("rolling_resistance", 0.0)?, given.or("surface_speed", 0.0)?);
    let rough = surface(given.get("roughness")?, resistance, speed)?;
    let wall = carom_engine::Wall::new(shape)
        .with_restitution(given.or("restitution", 1.0)?)
        .with_user_data(given.or("user_data", 0)?)
        .with_rules(given.rules()?)
        .with_max_speed(given.or("max_speed", f64::INFINITY)?)
        .with_surface(rough);
    wall.check().or_raise()?;
    Ok(Wall { wall })
}

fn surface(rough: Option<RoughGiven>, rolling_resistance: f64, speed: f64) -> PyResult<RoughWall> {
    let rough = roughness(rough, rolling_resistance).or_raise()?;
    RoughWall::new(rough).with_surface_speed(speed).or_raise()
}

fn corners(points: Vec<Vector>) -> Vec<DVec2> {
    points.into_iter().map(DVec2::from).collect()
}

#[pymethods]
impl Wall {
    /// Solid behind a line; the normal points to the free side.
    #[staticmethod]
    #[pyo3(signature = (point, normal, **options))]
    fn half_plane(point: Vector, normal: Vector, options: Option<&Bound<'_, PyDict>>) -> PyResult<Wall> {
        wall(WallShape::HalfPlane { point: point.into(), normal: normal.into() }, options)
    }

    #[staticmethod]
    #[pyo3(signature = (a, b, **options))]
    fn segment(a: Vector, b: Vector, options: Option<&Bound<'_, PyDict>>) -> PyResult<Wall> {
        wall(WallShape::Segment { a: a.into(), b: b.into() }, options)
    }

    /// Stops what comes from its left, looking from `a` to `b`.
    #[staticmethod]
    #[pyo3(signature = (a, b, **options))]
    fn one_sided_segment(a: Vector, b: Vector, options: Option<&Bound<'_, PyDict>>) -> PyResult<Wall> {
        wall(WallShape::OneSidedSegment { a: a.into(), b: b.into() }, options)
    }

    /// A fixed disc, hit from outside.
    #[staticmethod]
    #[pyo3(signature = (center, radius, **options))]
    fn disc(center: Vector, radius: f64, options: Option<&Bound<'_, PyDict>>) -> PyResult<Wall> {
        wall(WallShape::Disc { center: center.into(), radius }, options)
    }

    /// A round room, hit from inside.
    #[staticmethod]
    #[pyo3(signature = (center, radius, **options))]
    fn circle(center: Vector, radius: f64, options: Option<&Bound<'_, PyDict>>) -> PyResult<Wall> {
        wall(WallShape::Circle { center: center.into(), radius }, options)
    }

    #[staticmethod]
    #[pyo3(signature = (center, radius, start, sweep, **options))]
    fn arc(
        center: Vector,
        radius: f64,
        start: f64,
        sweep: f64,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Wall> {
        wall(WallShape::Arc { center: center.into(), radius, start, sweep }, options)
    }

    #[staticmethod]
    #[pyo3(signature = (points, **options))]
    fn polyline(points: Vec<Vector>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Wall> {
        wall(WallShape::Polyline { points: corners(points), closed: false }, options)
    }

    #[staticmethod]
    #[pyo3(signature = (points, **options))]
    fn polygon(points: Vec<Vector>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Wall> {
        wall(WallShape::Polyline { points: corners(points), closed: true }, options)
    }

    /// An obstacle along the axes, hit from outside.
    #[staticmethod]
    #[pyo3(signature = (min, max, **options))]
    fn rectangle(min: Vector, max: Vector, options: Option<&Bound<'_, PyDict>>) -> PyResult<Wall> {
        wall(carom_engine::Wall::<()>::rectangle(min, max).shape, options)
    }

    /// A rectangular room.
    #[staticmethod]
    #[pyo3(signature = (min, max, **options))]
    fn container(min: Vector, max: Vector, options: Option<&Bound<'_, PyDict>>) -> PyResult<Wall> {
        wall(WallShape::Container { min: min.into(), max: max.into() }, options)
    }

    /// A flipper, which turns about its pivot.
    #[staticmethod]
    #[pyo3(signature = (pivot, length, radius, angle, **options))]
    fn arm(
        pivot: Vector,
        length: f64,
        radius: f64,
        angle: f64,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Wall> {
        wall(WallShape::Arm { pivot: pivot.into(), length, radius, angle }, options)
    }

    /// A straight bar with round ends, hit from outside: a paddle.
    #[staticmethod]
    #[pyo3(signature = (a, b, radius, **options))]
    fn capsule(a: Vector, b: Vector, radius: f64, options: Option<&Bound<'_, PyDict>>) -> PyResult<Wall> {
        wall(WallShape::Capsule { a: a.into(), b: b.into(), radius }, options)
    }

    /// A room of two half-circles and the lines between them.
    #[staticmethod]
    #[pyo3(signature = (center, half_length, radius, **options))]
    fn stadium(
        center: Vector,
        half_length: f64,
        radius: f64,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Wall> {
        wall(WallShape::Stadium { center: center.into(), half_length, radius }, options)
    }

    /// Its form: the name, and the numbers by their names.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<(&'static str, Bound<'py, PyDict>)> {
        let dict = PyDict::new(py);
        let name = write_shape(&self.wall.shape, &dict)?;
        Ok((name, dict))
    }

    #[getter]
    fn restitution(&self) -> f64 {
        self.wall.restitution
    }

    #[getter]
    fn user_data(&self) -> u64 {
        self.wall.user_data
    }

    #[getter]
    fn membership(&self) -> u32 {
        self.wall.rules.membership
    }

    #[getter]
    fn mask(&self) -> u32 {
        self.wall.rules.mask
    }

    #[getter]
    fn team(&self) -> u32 {
        self.wall.rules.team
    }

    #[getter]
    fn max_speed(&self) -> f64 {
        self.wall.max_speed
    }

    #[getter]
    fn roughness(&self) -> Option<RoughGiven> {
        self.wall.surface.roughness().map(rough_pair)
    }

    #[getter]
    fn rolling_resistance(&self) -> f64 {
        rolling_resistance(self.wall.surface.roughness())
    }

    #[getter]
    fn surface_speed(&self) -> f64 {
        self.wall.surface.surface_speed()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (name, numbers) = self.shape(py)?;
        Ok(format!("<Wall {name} {}>", numbers.repr()?))
    }
}

/// Writes the numbers of a form, and gives its name.
fn write_shape(shape: &WallShape, to: &Bound<'_, PyDict>) -> PyResult<&'static str> {
    let points =
        |names: &[(&str, DVec2)]| names.iter().try_for_each(|(name, at)| to.set_item(name, pair(*at)));
    let numbers = |names: &[(&str, f64)]| names.iter().try_for_each(|(name, at)| to.set_item(name, at));
    match *shape {
        WallShape::HalfPlane { point, normal } => {
            points(&[("point", point), ("normal", normal)]).map(|()| "half_plane")
        }
        WallShape::Segment { a, b } => points(&[("a", a), ("b", b)]).map(|()| "segment"),
        WallShape::OneSidedSegment { a, b } => points(&[("a", a), ("b", b)]).map(|()| "one_sided_segment"),
        WallShape::Disc { center, radius } => {
            points(&[("center", center)])?;
            numbers(&[("radius", radius)]).map(|()| "disc")
        }
        WallShape::Circle { center, radius } => {
            points(&[("center", center)])?;
            numbers(&[("radius", radius)]).map(|()| "circle")
        }
        WallShape::Arc { center, radius, start, sweep } => {
            points(&[("center", center)])?;
            numbers(&[("radius", radius), ("start", start), ("sweep", sweep)]).map(|()| "arc")
        }
        WallShape::Polyline { points: ref all, closed } => {
            to.set_item("points", all.iter().map(|&point| pair(point)).collect::<Vec<_>>())?;
            Ok(if closed { "polygon" } else { "polyline" })
        }
        WallShape::Container { min, max } => points(&[("min", min), ("max", max)]).map(|()| "container"),
        WallShape::Arm { pivot, length, radius, angle } => {
            points(&[("pivot", pivot)])?;
            numbers(&[("length", length), ("radius", radius), ("angle", angle)]).map(|()| "arm")
        }
        WallShape::Stadium { center, half_length, radius } => {
            points(&[("center", center)])?;
            numbers(&[("half_length", half_length), ("radius", radius)]).map(|()| "stadium")
        }
        WallShape::Capsule { a, b, radius } => {
            points(&[("a", a), ("b", b)])?;
            numbers(&[("radius", radius)]).map(|()| "capsule")
        }
        _ => Ok("other"),
    }
}

/// A wall with the surface of another physics.
fn recast<S: Default, T: Default>(
    wall: &carom_engine::Wall<S>,
    shape: WallShape,
    surface: T,
) -> carom_engine::Wall<T> {
    let cast =
        carom_engine::Wall::new(shape).with_restitution(wall.restitution).with_user_data(wall.user_data);
    cast.with_rules(wall.rules).with_max_speed(wall.max_speed).with_surface(surface)
}

/// All walls of a world, as they are now.
fn listed<P: Laws>(world: &carom_engine::World<P>) -> Vec<(u64, Wall)> {
    let listed = |(id, wall): (WallId, &carom_engine::Wall<P::Surface>)| {
        let shape = world.wall_shape(id).map_or_else(|| wall.shape.clone(), Cow::into_owned);
        (id.number(), Wall { wall: recast(wall, shape, P::rough_wall(&wall.surface)) })
    };
    world.walls().map(listed).collect()
}

fn add<P: Laws>(world: &mut carom_engine::World<P>, wall: &Wall) -> Result<WallId, carom_engine::Error> {
    let surface = P::surface(wall.wall.surface)?;
    world.add_wall(recast(&wall.wall, wall.wall.shape.clone(), surface))
}

#[pymethods]
impl World {
    /// Puts up a wall, and gives its handle.
    pub fn add_wall(&mut self, wall: PyRef<'_, Wall>) -> PyResult<u64> {
        in_room!(self.edit(), held => add(&mut held.world, &wall)).map(Numbered::number).or_raise()
    }

    /// Takes down a wall.
    pub fn remove_wall(&mut self, wall: u64) -> PyResult<()> {
        let id = WallId::given(wall)?;
        in_room!(self.edit(), held => held.world.remove_wall(id).map(drop)).or_raise()
    }

    /// All walls as they are now, by handle, in the order in which they were put up.
    #[getter]
    pub fn walls<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let walls = PyDict::new(py);
        for (number, wall) in in_room!(self.room(), held => listed(&held.world)) {
            walls.set_item(number, wall)?;
        }
        Ok(walls)
    }

    pub fn set_wall_restitution(&mut self, wall: u64, restitution: f64) -> PyResult<()> {
        let id = WallId::given(wall)?;
        in_room!(self.edit(), held => held.world.set_wall_restitution(id, restitution)).or_raise()
    }

    pub fn set_wall_user_data(&mut self, wall: u64, user_data: u64) -> PyResult<()> {
        let id = WallId::given(wall)?;
        in_room!(self.edit(), held => held.world.set_wall_user_data(id, user_data)).or_raise()
    }

    #[pyo3(signature = (wall, *, membership = u32::MAX, mask = u32::MAX, team = 0))]
    pub fn set_wall_rules(&mut self, wall: u64, membership: u32, mask: u32, team: u32) -> PyResult<()> {
        let id = WallId::given(wall)?;
        in_room!(self.edit(), held => held.world.set_wall_rules(id, rules(membership, mask, team))).or_raise()
    }

    /// Gives a wall another surface.
    #[pyo3(signature = (wall, *, roughness = None, rolling_resistance = 0.0, surface_speed = 0.0))]
    pub fn set_wall_surface(
        &mut self,
        wall: u64,
        roughness: Option<RoughGiven>,
        rolling_resistance: f64,
        surface_speed: f64,
    ) -> PyResult<()> {
        let id = WallId::given(wall)?;
        let rough = surface(roughness, rolling_resistance, surface_speed)?;
        in_room!(self.edit(), held => set_surface(&mut held.world, id, rough)).or_raise()
    }

    /// Moves a wall to where it is `offset` from where it was put up, within `seconds`; gives the
    /// time of arrival.
    pub fn move_wall(&mut self, wall: u64, offset: Vector, seconds: f64) -> PyResult<Time> {
        let id = WallId::given(wall)?;
        in_room!(self.edit(), held => held.world.move_wall(id, offset, seconds)).map(Time::of).or_raise()
    }

    /// As `move_wall`, with the time of arrival.
    pub fn move_wall_until(&mut self, wall: u64, offset: Vector, time: When) -> PyResult<Time> {
        let id = WallId::given(wall)?;
        in_room!(self.edit(), held => {
            let until = time.moment(&held.world)?;
            held.world.move_wall_until(id, offset, until).map(Time::of).or_raise()
        })
    }

    /// How far a wall is from where it was put up, its velocity, and where it is sent.
    pub fn wall_motion(&self, wall: u64) -> PyResult<Option<(Pair, Pair, Pair)>> {
        let id = WallId::given(wall)?;
        let motion = in_room!(self.room(), held => held.world.wall_motion(id));
        Ok(motion.map(|motion| (pair(motion.offset), pair(motion.velocity), pair(motion.target))))
    }

    /// Turns an arm to an angle, at this many radians a second; gives the time at which it will be there.
    pub fn turn_arm(&mut self, wall: u64, angle: f64, rate: f64) -> PyResult<Time> {
        let id = WallId::given(wall)?;
        in_room!(self.edit(), held => held.world.turn_arm(id, angle, rate)).map(Time::of).or_raise()
    }

    /// The angle of an arm, the rate at which it turns, and the angle to which it is sent.
    pub fn arm(&self, wall: u64) -> PyResult<Option<(f64, f64, f64)>> {
        let id = WallId::given(wall)?;
        let arm = in_room!(self.room(), held => held.world.arm(id));
        Ok(arm.map(|arm| (arm.angle, arm.rate, arm.target)))
    }
}

fn set_surface<P: Laws>(
    world: &mut carom_engine::World<P>,
    wall: WallId,
    rough: RoughWall,
) -> Result<(), Error> {
    world.set_wall_surface(wall, P::surface(rough)?)
}

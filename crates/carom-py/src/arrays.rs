//! Many discs at once, as arrays.

use crate::body::Disc;
use crate::discs::insert;
use crate::errors::{Given, OrRaise, Value, at_row, refused, value};
use crate::handle::Numbered;
use crate::laws::Laws;
use crate::room::in_room;
use crate::world::World;
use carom_engine::{DVec2, DiscId, DiscRef, Error};
use carom_scene::verdicts::{Whole, recast};
use numpy::{AllowTypeChange, PyArray1, PyArrayLike1, PyArrayLike2, PyArrayMethods};
use pyo3::prelude::*;

type Points<'py> = PyArrayLike2<'py, f64, AllowTypeChange>;
type Numbers<'py> = PyArrayLike1<'py, f64, AllowTypeChange>;
type Handles<'py> = PyArrayLike1<'py, u64, AllowTypeChange>;

/// A number for all, or one for each.
#[derive(FromPyObject)]
pub(crate) enum Column<'py> {
    One(f64),
    Each(Numbers<'py>),
}

impl Column<'_> {
    fn check(&self, field: &str, len: usize) -> PyResult<()> {
        match self {
            Column::One(_) => Ok(()),
            Column::Each(numbers) => same_length(field, numbers.as_array().len(), len),
        }
    }

    fn at(&self, row: usize) -> f64 {
        match self {
            Column::One(number) => *number,
            Column::Each(numbers) => numbers.as_array()[row],
        }
    }
}

pub(crate) fn same_length(field: &str, given: usize, wanted: usize) -> PyResult<()> {
    if given == wanted {
        return Ok(());
    }
    let field = format!("length of {field}");
    Err(value(&field, Value::Whole(given as u64), &format!("{wanted}, one for each disc")))
}

/// The rows of an array of shape (n, 2).
pub(crate) fn points(field: &str, given: &Points<'_>) -> PyResult<Vec<DVec2>> {
    let array = given.as_array();
    let [_, width] = *array.shape() else { return Ok(Vec::new()) };
    if width != 2 {
        return Err(value(&format!("columns of {field}"), Value::Whole(width as u64), "2"));
    }
    Ok(array.rows().into_iter().map(|row| DVec2::new(row[0], row[1])).collect())
}

fn pairs<'py>(py: Python<'py>, rows: &[DVec2]) -> PyResult<Bound<'py, PyAny>> {
    let flat: Vec<f64> = rows.iter().flat_map(|row| row.to_array()).collect();
    Ok(PyArray1::from_vec(py, flat).reshape([rows.len(), 2])?.into_any())
}

/// The discs that a bulk call is for: those given, or all.
fn wanted<P: Laws>(world: &carom_engine::World<P>, ids: Option<&Handles<'_>>) -> PyResult<Vec<DiscId>> {
    match ids {
        None => Ok(world.ids().collect()),
        Some(ids) => ids.as_array().iter().map(|&number| DiscId::given(number)).collect(),
    }
}

/// Changes a copy of the world, which takes its place if nothing is refused.
fn all_or_nothing<P: Laws, R>(
    world: &mut carom_engine::World<P>,
    change: impl FnOnce(&mut carom_engine::World<P>) -> PyResult<R>,
) -> PyResult<R> {
    let mut changed = world.clone();
    let made = change(&mut changed)?;
    *world = changed;
    Ok(made)
}

impl World {
    fn of_each<'py, T: numpy::Element>(
        &mut self,
        py: Python<'py>,
        name: &'static str,
        read: impl Fn(&Whole) -> T,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.column(py, name, |room| {
            let all = in_room!(room, held => of_each(&held.world, read));
            Ok(PyArray1::from_vec(py, all).into_any())
        })
    }

    /// Positions or velocities.
    fn vectors(&mut self, name: &'static str, given: &Points<'_>, ids: Option<&Handles<'_>>) -> PyResult<()> {
        let rows = points(name, given)?;
        in_room!(self.edit(), held => {
            let ids = wanted(&held.world, ids)?;
            same_length(name, rows.len(), ids.len())?;
            let all: Vec<_> = ids.into_iter().zip(rows).collect();
            match name {
                "positions" => held.world.set_positions(&all),
                _ => held.world.set_velocities(&all),
            }
            .or_raise()
        })
    }
}

/// A number of each disc.
fn of_each<P: Laws, T>(world: &carom_engine::World<P>, read: impl Fn(&Whole) -> T) -> Vec<T> {
    let whole = |disc: carom_engine::Disc<P::Body, P::Extra>| {
        let (body, extra) = P::whole(disc.body, disc.extra);
        recast(disc, body, extra)
    };
    world.discs().map(|(_, disc)| read(&whole(disc))).collect()
}

#[pymethods]
impl World {
    /// Inserts many discs: all of them or none. Gives their handles.
    #[pyo3(signature = (positions, radii, *, velocities = None, masses = None, user_data = None,
        like = None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    pub fn insert_many<'py>(
        &mut self,
        py: Python<'py>,
        positions: Points<'py>,
        radii: Column<'py>,
        velocities: Option<Points<'py>>,
        masses: Option<Column<'py>>,
        user_data: Option<Handles<'py>>,
        like: Option<PyRef<'py, Disc>>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let places = points("positions", &positions)?;
        let len = places.len();
        radii.check("radii", len)?;
        let velocities = velocities.map(|given| points("velocities", &given)).transpose()?;
        velocities.as_ref().map_or(Ok(()), |given| same_length("velocities", given.len(), len))?;
        masses.as_ref().map_or(Ok(()), |given| given.check("masses", len))?;
        user_data.as_ref().map_or(Ok(()), |given| same_length("user_data", given.as_array().len(), len))?;
        let usual = like.map_or_else(|| Whole::new(DVec2::ZERO, 1.0), |like| like.whole);
        let disc = |row: usize| {
            let mut disc = usual.with_position(places[row]).with_radius(radii.at(row));
            disc.velocity = velocities.as_ref().map_or(disc.velocity, |given| given[row]);
            disc.mass = masses.as_ref().map_or(disc.mass, |given| given.at(row));
            disc.user_data = user_data.as_ref().map_or(disc.user_data, |given| given.as_array()[row]);
            disc
        };
        let ids = in_room!(self.edit(), held => all_or_nothing(&mut held.world, |world| {
            world.reserve(len);
            insert_all(len, |row| Ok(insert(world, &disc(row))?.number()))
        }))?;
        Ok(PyArray1::from_vec(py, ids))
    }

    /// Handles, in the order of all arrays.
    #[getter]
    pub fn ids<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.column(py, "ids", |room| {
            let ids: Vec<u64> = in_room!(room, held => held.world.ids().map(Numbered::number).collect());
            Ok(PyArray1::from_vec(py, ids).into_any())
        })
    }

    pub fn __iter__<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.ids(py)?.call_method0("tolist")?.call_method0("__iter__")
    }

    #[getter]
    pub fn positions<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.column(py, "positions", |room| {
            let mut places = vec![DVec2::ZERO; in_room!(room, held => held.world.len())];
            in_room!(room, held => held.world.read_positions(&mut places)).or_raise()?;
            pairs(py, &places)
        })
    }

    /// Positions without wrapping.
    #[getter]
    pub fn unwrapped_positions<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.column(py, "unwrapped_positions", |room| {
            let mut places = vec![DVec2::ZERO; in_room!(room, held => held.world.len())];
            in_room!(room, held => held.world.read_unwrapped_positions(&mut places)).or_raise()?;
            pairs(py, &places)
        })
    }

    #[getter]
    pub fn velocities<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.column(py, "velocities", |room| {
            let all: Vec<DVec2> = in_room!(room, held => {
                let world = &held.world;
                world.ids().filter_map(|id| world.get(id)).map(|disc| DiscRef::velocity(&disc)).collect()
            });
            pairs(py, &all)
        })
    }

    #[getter]
    pub fn radii<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.of_each(py, "radii", |disc| disc.radius)
    }

    #[getter]
    pub fn masses<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.of_each(py, "masses", |disc| disc.mass)
    }

    #[getter]
    pub fn restitutions<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.of_each(py, "restitutions", |disc| disc.restitution)
    }

    #[getter]
    pub fn user_data<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.of_each(py, "user_data", |disc| disc.user_data)
    }

    #[getter]
    pub fn angles<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.of_each(py, "angles", |disc| disc.extra.angle)
    }

    #[getter]
    pub fn angular_velocities<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.of_each(py, "angular_velocities", |disc| disc.extra.angular_velocity)
    }

    /// Puts discs elsewhere at once, all or none: they may take each other's places.
    #[pyo3(signature = (positions, ids = None))]
    pub fn set_positions(&mut self, positions: Points<'_>, ids: Option<Handles<'_>>) -> PyResult<()> {
        self.vectors("positions", &positions, ids.as_ref())
    }

    /// Gives discs velocities, all or none.
    #[pyo3(signature = (velocities, ids = None))]
    pub fn set_velocities(&mut self, velocities: Points<'_>, ids: Option<Handles<'_>>) -> PyResult<()> {
        self.vectors("velocities", &velocities, ids.as_ref())
    }

    /// Gives discs radii, all or none.
    #[pyo3(signature = (radii, ids = None))]
    pub fn set_radii(&mut self, radii: Column<'_>, ids: Option<Handles<'_>>) -> PyResult<()> {
        in_room!(self.edit(), held => {
            let ids = wanted(&held.world, ids.as_ref())?;
            radii.check("radii", ids.len())?;
            all_or_nothing(&mut held.world, |world| {
                each(ids, |row, id| world.set_radius(id, radii.at(row)))
            })
        })
    }

    /// Gives discs masses, all or none.
    #[pyo3(signature = (masses, ids = None))]
    pub fn set_masses(&mut self, masses: Column<'_>, ids: Option<Handles<'_>>) -> PyResult<()> {
        in_room!(self.edit(), held => {
            let ids = wanted(&held.world, ids.as_ref())?;
            masses.check("masses", ids.len())?;
            all_or_nothing(&mut held.world, |world| {
                each(ids, |row, id| world.set_mass(id, masses.at(row)))
            })
        })
    }
}

fn insert_all(len: usize, mut insert: impl FnMut(usize) -> Result<u64, Error>) -> PyResult<Vec<u64>> {
    (0..len).map(|row| insert(row).map_err(|error| at_row(row, refused(error)))).collect()
}

fn each(ids: Vec<DiscId>, mut change: impl FnMut(usize, DiscId) -> Result<(), Error>) -> PyResult<()> {
    ids.into_iter()
        .enumerate()
        .try_for_each(|(row, id)| change(row, id).map_err(|error| at_row(row, refused(error))))
}

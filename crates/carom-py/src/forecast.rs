//! What will happen.

use crate::arrays::points;
use crate::errors::{Given, OrRaise, refused};
use crate::handle::{Body, body};
use crate::laws::Laws;
use crate::room::{Held, in_room};
use crate::vector::{Pair, Vector, pair};
use crate::world::World;
use carom_engine::{DVec2, DiscId, Error, ForecastOptions, PathEnd};
use numpy::{AllowTypeChange, PyArrayLike2};
use pyo3::prelude::*;

/// A piece of a path: `position + velocity s + acceleration s² / 2`, s seconds after `time`.
#[pyclass(frozen, module = "carom")]
#[derive(Clone)]
pub(crate) struct PathPiece(carom_engine::PathPiece);

#[pymethods]
impl PathPiece {
    #[getter]
    fn start(&self) -> f64 {
        self.0.start.as_secs()
    }

    #[getter]
    fn end(&self) -> f64 {
        self.0.end.as_secs()
    }

    #[getter]
    fn exact_end(&self) -> crate::time::Time {
        crate::time::Time::of(self.0.end)
    }

    #[getter]
    fn time(&self) -> f64 {
        self.0.time.as_secs()
    }

    #[getter]
    fn position(&self) -> Pair {
        pair(self.0.position)
    }

    #[getter]
    fn velocity(&self) -> Pair {
        pair(self.0.velocity)
    }

    #[getter]
    fn acceleration(&self) -> Pair {
        pair(self.0.acceleration)
    }

    /// Where it ends; `None` if it never does.
    #[getter]
    fn end_position(&self) -> Option<Pair> {
        (!self.0.end.is_never()).then(|| pair(self.0.position_at(self.0.end)))
    }

    /// What the disc meets at the end, and where.
    #[getter]
    fn met(&self) -> Option<(Body, Pair)> {
        let met = self.0.met?;
        Some((body(met.body)?, pair(met.point)))
    }
}

/// The path of a disc.
#[pyclass(frozen, get_all, module = "carom")]
pub(crate) struct Forecast {
    pieces: Vec<PathPiece>,
    end: &'static str,
}

/// A disc, how far, and what is changed before.
struct Asked {
    disc: DiscId,
    options: ForecastOptions,
    position: Option<DVec2>,
    velocity: Option<DVec2>,
}

fn path<P: Laws>(held: &mut Held<P>, asked: &Asked) -> Result<Forecast, Error> {
    let Held { world, forecast, .. } = held;
    forecast.path_after(world, asked.disc, &asked.options, |copy| {
        asked.position.map_or(Ok(()), |position| copy.set_position(asked.disc, position))?;
        asked.velocity.map_or(Ok(()), |velocity| copy.set_velocity(asked.disc, velocity))
    })?;
    let end = match forecast.end() {
        PathEnd::Time => "time",
        PathEnd::Impacts => "impacts",
        PathEnd::Removed => "removed",
        _ => "stopped",
    };
    Ok(Forecast { pieces: forecast.pieces().iter().copied().map(PathPiece).collect(), end })
}

fn options(max_time: f64, max_impacts: Option<usize>, frozen: bool) -> ForecastOptions {
    let options = ForecastOptions::new(max_time).with_frozen(frozen);
    max_impacts.map_or(options, |most| options.with_max_impacts(most))
}

#[pymethods]
impl World {
    /// The path of a disc from the present on, with all impacts of all discs on the way.
    #[pyo3(signature = (disc, max_time, *, max_impacts = None, frozen = false, position = None,
        velocity = None))]
    pub fn forecast(
        &mut self,
        disc: u64,
        max_time: f64,
        max_impacts: Option<usize>,
        frozen: bool,
        position: Option<Vector>,
        velocity: Option<Vector>,
    ) -> PyResult<Forecast> {
        let options = options(max_time, max_impacts, frozen);
        let (position, velocity) = (position.map(DVec2::from), velocity.map(DVec2::from));
        let asked = Asked { disc: DiscId::given(disc)?, options, position, velocity };
        in_room!(self.ask(), held => {
            let path = path(held, &asked);
            held.raised().map_or(path.or_raise(), Err)
        })
    }

    /// The same for each of many velocities that the disc might have. Releases the GIL.
    #[pyo3(signature = (disc, velocities, max_time, *, max_impacts = None, frozen = false))]
    pub fn forecasts(
        &mut self,
        py: Python<'_>,
        disc: u64,
        velocities: PyArrayLike2<'_, f64, AllowTypeChange>,
        max_time: f64,
        max_impacts: Option<usize>,
        frozen: bool,
    ) -> PyResult<Vec<Forecast>> {
        let (disc, options) = (DiscId::given(disc)?, options(max_time, max_impacts, frozen));
        let velocities = points("velocities", &velocities)?;
        let asked = |&velocity: &DVec2| Asked { disc, options, position: None, velocity: Some(velocity) };
        let room = self.ask();
        let one = |velocity| in_room!(&mut *room, held => path(held, &asked(velocity)));
        let paths = py.detach(|| velocities.iter().map(one).collect::<Result<Vec<_>, _>>());
        in_room!(room, held => held.raised()).map_or(paths.map_err(refused), Err)
    }
}

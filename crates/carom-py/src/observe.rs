//! What is measured in gases, as `carom-observe` measures it.

use crate::arrays::points;
use crate::errors::{self, OrRaise as _};
use crate::laws::Laws;
use crate::room::in_room;
use crate::vector::Vector;
use crate::world::World;
use carom_engine::DVec2;
use carom_engine::math::Periods;
use carom_observe::{
    BondOrder, Ensemble, ObserveError, PressureMeter, Radial, TallySink, Weights, XyzFrame, XyzWriter,
};
use numpy::{AllowTypeChange, PyArray1, PyArray2, PyArrayLike2, PyArrayLike3, PyArrayMethods};
use pyo3::prelude::*;

/// The lengths after which the plane repeats itself.
type Period = (Option<f64>, Option<f64>);

trait OrRaise<T> {
    fn or_raise(self) -> PyResult<T>;
}

impl<T> OrRaise<T> for Result<T, ObserveError> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| match &error {
            ObserveError::OutOfRange { field, value, allowed } => {
                errors::value(field, errors::Value::Number(*value), allowed)
            }
            ObserveError::BadDisc { field, value, allowed, .. } => {
                errors::value(field, errors::Value::Number(*value), allowed)
            }
            error => errors::plain(error),
        })
    }
}

fn periods(given: Period) -> PyResult<Periods> {
    let refused = || errors::text("period", &format!("{given:?}"), "positive numbers, or None");
    Periods::new(given.0, given.1).ok_or_else(refused)
}

/// Edges of bins, and a number of each.
type Histogram<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

/// The radial distribution of samples of shape (times, discs, 2): the edges of the bins, and g.
#[pyfunction]
#[pyo3(signature = (samples, longest, bins, *, sides, period = (None, None)))]
pub(crate) fn radial<'py>(
    py: Python<'py>,
    samples: PyArrayLike3<'py, f64, AllowTypeChange>,
    longest: f64,
    bins: usize,
    sides: Vector,
    period: Period,
) -> PyResult<Histogram<'py>> {
    let mut radial = Radial::new(periods(period)?, sides.into(), longest, bins).or_raise()?;
    for sample in samples.as_array().outer_iter() {
        let places: Vec<DVec2> = sample.rows().into_iter().map(|row| DVec2::new(row[0], row[1])).collect();
        py.detach(|| radial.add(&places)).or_raise()?;
    }
    let edges = std::iter::once(0.0).chain(radial.bins().map(|bin| bin.outer));
    let g = PyArray1::from_iter(py, radial.bins().map(|bin| bin.g));
    Ok((PyArray1::from_vec(py, edges.collect()), g))
}

/// The order of the bonds of each disc with its neighbours: its two parts.
#[pyfunction]
#[pyo3(signature = (positions, fold = 6, *, period = (None, None)))]
pub(crate) fn bond_order<'py>(
    py: Python<'py>,
    positions: PyArrayLike2<'py, f64, AllowTypeChange>,
    fold: u32,
    period: Period,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (places, periods) = (points("positions", &positions)?, periods(period)?);
    let order = py.detach(|| BondOrder::new(&places, periods, fold, Weights::Equal)).or_raise()?;
    let parts: Vec<f64> = order.local().iter().flat_map(|psi| psi.to_array()).collect();
    PyArray1::from_vec(py, parts).reshape([places.len(), 2])
}

/// A mean and its error, as the blocks of a series tell.
type Estimated = (f64, f64);

fn measured<P: Laws>(
    py: Python<'_>,
    world: &mut carom_engine::World<P>,
    windows: usize,
    seconds: f64,
) -> PyResult<Estimated> {
    let mut meter = PressureMeter::new(Ensemble::of_period(world).or_raise()?, seconds).or_raise()?;
    let mut sink = TallySink::by_radii(world);
    for _ in 0..windows {
        py.detach(|| world.advance_with(seconds, &mut sink)).or_raise()?;
        py.check_signals()?;
        meter.add(&sink.take());
    }
    let discs = world.len() as f64;
    let wanted = "two windows or more";
    let found = meter.virial().estimate().or_else(|| meter.virial().independent());
    let refused = || errors::value("windows", errors::Value::Whole(windows as u64), wanted);
    let z = found.ok_or_else(refused)?.times(1.0 / discs);
    Ok((z.value, z.error))
}

/// The compressibility βPA/N of a periodic gas by the virial, over windows of `seconds` seconds.
#[pyfunction]
#[pyo3(signature = (world, windows, seconds))]
pub(crate) fn pressure(
    py: Python<'_>,
    mut world: PyRefMut<'_, World>,
    windows: usize,
    seconds: f64,
) -> PyResult<Estimated> {
    in_room!(world.edit(), held => {
        held.events.clear();
        measured(py, &mut held.world, windows, seconds)
    })
}

/// A frame in the extended XYZ format, which OVITO and ASE read.
#[pyfunction]
#[pyo3(signature = (world, bounds))]
pub(crate) fn xyz(world: PyRef<'_, World>, bounds: (Vector, Vector)) -> PyResult<String> {
    let (min, max) = (DVec2::from(bounds.0), DVec2::from(bounds.1));
    in_room!(world.room(), held => {
        let world = &held.world;
        let discs: Vec<_> = world.discs().map(|(_, disc)| disc).collect();
        let mut places = vec![DVec2::ZERO; world.len()];
        world.read_positions(&mut places).or_raise()?;
        let velocities: Vec<DVec2> = discs.iter().map(|disc| disc.velocity).collect();
        let radii: Vec<f64> = discs.iter().map(|disc| disc.radius).collect();
        let masses: Vec<f64> = discs.iter().map(|disc| disc.mass).collect();
        let frame = XyzFrame {
            origin: min,
            time: world.now().as_secs(),
            velocities: Some(&velocities),
            radii: Some(&radii),
            masses: masses.iter().all(|mass| mass.is_finite()).then_some(&masses[..]),
            ..XyzFrame::new(&places, max - min, *world.periods())
        };
        let mut writer = XyzWriter::new(Vec::new());
        writer.write(&frame).or_raise()?;
        String::from_utf8(writer.into_inner()).map_err(errors::plain)
    })
}

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
    BondOrder, Displacement, Ensemble, Freedom, ObserveError, PressureMeter, Radial, StructureBin,
    StructureFactor, TallySink, Weights, XyzFrame, XyzReader, XyzWriter,
};
use numpy::ndarray::ArrayView2;
use numpy::{AllowTypeChange, PyArray1, PyArray2, PyArrayLike1, PyArrayLike2, PyArrayLike3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

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

/// The points of a sample of shape (discs, 2).
fn places_of(sample: ArrayView2<'_, f64>) -> PyResult<Vec<DVec2>> {
    if sample.ncols() != 2 {
        return Err(errors::value("columns of samples", errors::Value::Whole(sample.ncols() as u64), "2"));
    }
    Ok(sample.rows().into_iter().map(|row| DVec2::new(row[0], row[1])).collect())
}

/// Gives each of the samples of shape (times, discs, 2) to a measure, without the GIL.
fn add_samples(
    py: Python<'_>,
    samples: &PyArrayLike3<'_, f64, AllowTypeChange>,
    mut add: impl FnMut(&[DVec2]) -> Result<(), ObserveError> + Send,
) -> PyResult<()> {
    for sample in samples.as_array().outer_iter() {
        let places = places_of(sample)?;
        py.detach(|| add(&places)).or_raise()?;
        py.check_signals()?;
    }
    Ok(())
}

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
    add_samples(py, &samples, |places| radial.add(places))?;
    let edges = std::iter::once(0.0).chain(radial.bins().map(|bin| bin.outer));
    let g = PyArray1::from_iter(py, radial.bins().map(|bin| bin.g));
    Ok((PyArray1::from_vec(py, edges.collect()), g))
}

/// The structure factor of samples of shape (times, discs, 2): the mean lengths of the wave vectors of each
/// bin, S, and how many wave vectors there are.
#[pyfunction]
#[pyo3(signature = (samples, longest, *, period))]
pub(crate) fn structure_factor<'py>(
    py: Python<'py>,
    samples: PyArrayLike3<'py, f64, AllowTypeChange>,
    longest: f64,
    period: Period,
) -> PyResult<(Histogram<'py>, Bound<'py, PyArray1<u64>>)> {
    let mut structure = StructureFactor::new(periods(period)?, longest).or_raise()?;
    add_samples(py, &samples, |places| structure.add(places))?;
    let of =
        |number: fn(&StructureBin) -> f64| PyArray1::from_iter(py, structure.bins().map(|bin| number(&bin)));
    Ok(((of(|bin| bin.k), of(|bin| bin.s)), PyArray1::from_iter(py, structure.bins().map(|bin| bin.waves))))
}

/// The mean squared displacement by lag, of samples of unwrapped places of shape (times, discs, 2).
#[pyfunction]
#[pyo3(signature = (samples, longest, spacing = 1))]
pub(crate) fn displacement<'py>(
    py: Python<'py>,
    samples: PyArrayLike3<'py, f64, AllowTypeChange>,
    longest: usize,
    spacing: usize,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let mut displacement = Displacement::new(samples.as_array().shape()[1], longest, spacing).or_raise()?;
    add_samples(py, &samples, |places| displacement.add(places))?;
    let of_lag = |lag| displacement.mean_square(lag).unwrap_or(f64::NAN);
    Ok(PyArray1::from_iter(py, (0..=longest).map(of_lag)))
}

/// The temperature as an energy.
#[pyfunction]
pub(crate) fn temperature(
    masses: PyArrayLike1<'_, f64, AllowTypeChange>,
    velocities: PyArrayLike2<'_, f64, AllowTypeChange>,
    period: Period,
) -> PyResult<f64> {
    let masses = masses.as_array().to_vec();
    let freedom = Freedom::of_periods(&periods(period)?);
    carom_observe::temperature(&masses, &points("velocities", &velocities)?, freedom).or_raise()
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

/// The frames of a text in the extended XYZ format, as dictionaries.
#[pyfunction]
pub(crate) fn read_xyz<'py>(py: Python<'py>, text: &str) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let mut reader = XyzReader::new(text.as_bytes());
    let mut frames = Vec::new();
    while let Some(record) = reader.next_frame().or_raise()? {
        let frame = PyDict::new(py);
        let flat = |points: &[DVec2]| {
            let numbers: Vec<f64> = points.iter().flat_map(DVec2::to_array).collect();
            PyArray1::from_vec(py, numbers).reshape([points.len(), 2])
        };
        frame.set_item("time", record.time)?;
        frame.set_item("origin", record.origin.to_array())?;
        frame.set_item("sides", record.sides.to_array())?;
        frame.set_item("period", (record.periods.x(), record.periods.y()))?;
        frame.set_item("positions", flat(&record.positions)?)?;
        if !record.velocities.is_empty() {
            frame.set_item("velocities", flat(&record.velocities)?)?;
        }
        for (name, column) in [("radii", &record.radii), ("masses", &record.masses)] {
            if !column.is_empty() {
                frame.set_item(name, PyArray1::from_slice(py, column))?;
            }
        }
        if !record.ids.is_empty() {
            frame.set_item("ids", PyArray1::from_slice(py, &record.ids))?;
        }
        for (name, column) in &record.columns {
            frame.set_item(name, PyArray1::from_slice(py, column))?;
        }
        frames.push(frame);
        py.check_signals()?;
    }
    Ok(frames)
}

//! Many shots at once.

use crate::crew;
use crate::errors;
use crate::pool::{Game, places};
use carom_billiards::{Error, Rack, Shot};
use numpy::{Element, PyArray1, PyArray3, PyArrayDescr, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::num::NonZeroUsize;

/// What came of one of many shots, as numpy sees it. `python/carom/billiards.py` says what the fields are.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Row {
    duration: f64,
    events: u64,
    impacts: u64,
    potted: u64,
    first_hit: i32,
    cushions: u32,
    status: u32,
    potted_count: u32,
}

const FIELDS: &std::ffi::CStr = c"[('duration','f8'),('events','u8'),('impacts','u8'),('potted','u8'),\
    ('first_hit','i4'),('cushions','u4'),('status','u4'),('potted_count','u4')]";

fn dtype(py: Python<'_>) -> PyResult<Py<PyArrayDescr>> {
    let dtype = py.import("numpy")?.getattr("dtype")?.call1((py.eval(FIELDS, None, None)?, true))?;
    Ok(dtype.cast_into::<PyArrayDescr>()?.unbind())
}

// SAFETY: plain numbers, and the descriptor has the offsets of `repr(C)`, as numpy aligns its fields.
#[expect(unsafe_code, reason = "the trait says that memory of the type is what the descriptor describes")]
unsafe impl Element for Row {
    const IS_COPY: bool = true;

    fn get_dtype(py: Python<'_>) -> Bound<'_, PyArrayDescr> {
        static DTYPE: PyOnceLock<Py<PyArrayDescr>> = PyOnceLock::new();
        let descr = DTYPE.get_or_try_init(py, || dtype(py)).expect("numpy takes the fields");
        descr.clone_ref(py).into_bound(py)
    }

    fn clone_ref(&self, _: Python<'_>) -> Self {
        *self
    }
}

/// One of them, with where its result goes.
struct Task<'a> {
    shot: Shot,
    seed: Option<u64>,
    row: &'a mut Row,
    places: &'a mut [f64],
    refused: Option<Error>,
}

/// Plays a shot on a trial, which is made the start first.
fn play(
    trial: &mut carom_billiards::Game,
    start: &carom_billiards::Game,
    rack: Option<Rack>,
    task: &mut Task<'_>,
) -> Result<(), Error> {
    match (rack, task.seed) {
        (Some(rack), Some(seed)) => *trial = start.with_layout(&rack.place(start.table(), seed)?)?,
        _ => trial.clone_from(start),
    }
    let outcome = trial.shoot(&task.shot)?;
    let number = |label: &str| trial.index_of(label).unwrap_or(usize::MAX);
    let bits = outcome.potted.iter().map(|ball| 1_u64.checked_shl(number(&ball.ball) as u32).unwrap_or(0));
    *task.row = Row {
        duration: outcome.duration,
        events: outcome.events,
        impacts: outcome.impacts,
        potted: bits.fold(0, |all, bit| all | bit),
        first_hit: outcome.first_hit.as_deref().map_or(-1, |label| number(label) as i32),
        cushions: outcome.cushions.len() as u32,
        status: 0,
        potted_count: outcome.potted.len() as u32,
    };
    for (pair, place) in task.places.chunks_exact_mut(2).zip(places(trial)) {
        pair.copy_from_slice(&place.to_array());
    }
    Ok(())
}

/// Results, and where the balls are after each shot.
type Played<'py> = (Bound<'py, PyAny>, Bound<'py, PyArray3<f64>>);

/// Plays many shots from one position, or of one rack with a seed for each.
#[pyfunction]
#[pyo3(signature = (game, shots, seeds = None, threads = None))]
pub(crate) fn simulate_many<'py>(
    py: Python<'py>,
    game: PyRef<'py, Game>,
    shots: PyReadonlyArray2<'py, f64>,
    seeds: Option<PyReadonlyArray1<'py, u64>>,
    threads: Option<NonZeroUsize>,
) -> PyResult<Played<'py>> {
    let (start, rack) = (&game.game, game.rack);
    if seeds.is_some() && rack.is_none() {
        return Err(errors::text("seed", "given", "left out, for a table that was not racked"));
    }
    let (shots, balls) = (shots.as_array(), start.discs().len());
    let mut rows = vec![Row::default(); shots.nrows()];
    let mut after = vec![f64::NAN; shots.nrows() * balls * 2];
    let seed = |row: usize| seeds.as_ref().map(|seeds| seeds.as_array()[row]);
    let task = |(index, (row, places))| {
        let [speed, direction, side, height, elevation] = std::array::from_fn(|k| shots[[index, k]]);
        let shot = Shot::new(speed).aimed_at(direction).with_offset(side, height).with_elevation(elevation);
        Task { shot, seed: seed(index), row, places, refused: None }
    };
    let places = after.chunks_exact_mut(balls.max(1) * 2);
    let mut tasks: Vec<Task<'_>> = rows.iter_mut().zip(places).enumerate().map(task).collect();
    crew::each_detached(
        py,
        crew::count(threads),
        &mut tasks,
        || start.clone(),
        |trial, task| {
            task.refused = play(trial, start, rack, task).err();
        },
    )?;
    for (index, task) in tasks.iter_mut().enumerate() {
        match task.refused.take() {
            None => {}
            Some(Error::Miscue { .. }) => task.row.status = 1,
            Some(error) => {
                return Err(errors::at_row(index, errors::billiards(&error)));
            }
        }
    }
    drop(tasks);
    let after = PyArray1::from_vec(py, after).reshape([rows.len(), balls, 2])?;
    Ok((PyArray1::from_vec(py, rows).into_any(), after))
}

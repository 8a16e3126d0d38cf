//! Help with aiming: which shots pot a ball, how likely a player makes them, and what a shot meets first.

use crate::pool::{Game, OrRaise};
use crate::stroke;
use crate::vector::{Pair, pair};
use carom_billiards::Shot;
use carom_billiards::aim::{self, Rail, Route, Search, Stroke, Wish};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::num::NonZeroUsize;
use std::time::Duration;

/// A shot as the keywords of `Game.shoot`: what is not as usual.
fn keywords<'py>(py: Python<'py>, shot: &Shot) -> PyResult<Bound<'py, PyDict>> {
    let given = PyDict::new(py);
    given.set_item("speed", shot.speed)?;
    given.set_item("direction", shot.direction)?;
    for (name, number) in [("side", shot.side), ("height", shot.height), ("elevation", shot.elevation)] {
        given.set_item(name, number)?;
    }
    given.set_item("ball", &shot.ball)?;
    Ok(given)
}

/// How far a player is off what is meant.
#[pyclass(frozen, eq, get_all, module = "carom.billiards")]
#[derive(PartialEq)]
pub(crate) struct Spread {
    direction: f64,
    speed: f64,
    side: f64,
    height: f64,
    elevation: f64,
}

impl Spread {
    fn of(spread: aim::Spread) -> Spread {
        let aim::Spread { direction, speed, side, height, elevation } = spread;
        Spread { direction, speed, side, height, elevation }
    }

    fn told(&self) -> aim::Spread {
        let &Spread { direction, speed, side, height, elevation } = self;
        aim::Spread { direction, speed, side, height, elevation }
    }
}

#[pymethods]
impl Spread {
    #[new]
    #[pyo3(signature = (*, direction = 0.0, speed = 0.0, side = 0.0, height = 0.0, elevation = 0.0))]
    fn new(direction: f64, speed: f64, side: f64, height: f64, elevation: f64) -> Spread {
        Spread { direction, speed, side, height, elevation }
    }

    /// That of the tournaments of computer pool.
    #[staticmethod]
    fn tournament() -> Spread {
        Spread::of(aim::Spread::TOURNAMENT)
    }

    fn scaled(&self, factor: f64) -> Spread {
        Spread::of(self.told().scaled(factor))
    }

    /// What a player makes of a shot: the errors of this number of a seed.
    #[pyo3(signature = (seed, number, speed, **options))]
    fn played<'py>(
        &self,
        py: Python<'py>,
        seed: u64,
        number: u64,
        speed: f64,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let meant = stroke::shot(speed, options)?;
        let played = keywords(py, &self.told().played(&meant, seed, number))?;
        if let Some(cue) = options.map(|options| options.get_item("cue")).transpose()?.flatten() {
            played.set_item("cue", cue)?;
        }
        Ok(played)
    }
}

/// A shot that pots a ball.
#[pyclass(frozen, get_all, module = "carom.billiards")]
pub(crate) struct Pot {
    ball: String,
    pocket: usize,
    route: &'static str,
    rail: Option<&'static str>,
    by: Vec<String>,
    kicks: usize,
    banks: usize,
    shot: Py<PyDict>,
    ghost: Pair,
    cut: f64,
    margin: f64,
    distance: f64,
    scratches: bool,
    /// Of those that a search has found.
    probability: Option<f64>,
    error: Option<f64>,
    simulations: u32,
}

fn word(rail: Rail) -> &'static str {
    match rail {
        Rail::Head => "head",
        Rail::Right => "right",
        Rail::Foot => "foot",
        Rail::Left => "left",
    }
}

/// A route: its word, the rail, the other balls, how many cushions the cue ball meets, and the ball.
type Told = (&'static str, Option<&'static str>, Vec<String>, [usize; 2]);

fn told(route: &Route) -> Told {
    match route {
        Route::Direct => ("direct", None, Vec::new(), [0, 0]),
        Route::AlongRail(rail) => ("along_rail", Some(word(*rail)), Vec::new(), [0, 0]),
        Route::Bank(rail) => ("bank", Some(word(*rail)), Vec::new(), [0, 1]),
        Route::Kick(rail) => ("kick", Some(word(*rail)), Vec::new(), [1, 0]),
        Route::Combination(by) => ("combination", None, vec![by.clone()], [0, 0]),
        Route::Carom(by) => ("carom", None, vec![by.clone()], [0, 0]),
        Route::Several { kicks, banks, balls } => ("several", None, balls.clone(), [*kicks, *banks]),
    }
}

impl Pot {
    fn of(py: Python<'_>, pot: aim::Pot) -> PyResult<Pot> {
        let (route, rail, by, [kicks, banks]) = told(&pot.route);
        Ok(Pot {
            shot: keywords(py, &pot.shot)?.unbind(),
            route,
            rail,
            by,
            kicks,
            banks,
            ball: pot.ball,
            pocket: pot.pocket,
            ghost: pair(pot.ghost),
            cut: pot.cut,
            margin: pot.margin,
            distance: pot.distance,
            scratches: pot.scratches,
            probability: None,
            error: None,
            simulations: 0,
        })
    }

    fn ranked(py: Python<'_>, found: aim::Ranked) -> PyResult<Pot> {
        let (probability, error) = (Some(found.probability), Some(found.error));
        Ok(Pot { probability, error, simulations: found.simulations, ..Pot::of(py, found.pot)? })
    }
}

#[pymethods]
impl Pot {
    fn __repr__(&self) -> String {
        let likely = self.probability.map_or(String::new(), |share| format!(", {:.1} %", 100.0 * share));
        format!("<carom.billiards.Pot: {} into pocket {}, {}{likely}>", self.ball, self.pocket, self.route)
    }
}

/// Balls that may be potted, balls that may be met first, the ball that is struck, kicks and banks.
type Wished = (Vec<String>, Vec<String>, String, Option<usize>, Option<usize>);

fn wish((pot, meet_first, cue_ball, kicks, banks): Wished) -> Wish {
    Wish { cue_ball, pot, meet_first, kicks, banks }
}

/// All pots with a stroke.
#[pyfunction]
pub(crate) fn pots(py: Python<'_>, game: &Game, wished: Wished, stroke: [f64; 4]) -> PyResult<Vec<Pot>> {
    let [speed, side, height, elevation] = stroke;
    let (game, wish) = (&game.game, wish(wished));
    let found = py.detach(|| game.pots(&wish, Stroke { speed, side, height, elevation })).or_raise()?;
    found.into_iter().map(|pot| Pot::of(py, pot)).collect()
}

/// The shots that a player is most likely to make.
#[pyfunction]
#[pyo3(signature = (game, wished, strokes, spread, simulations, seed, threads, seconds))]
#[expect(clippy::too_many_arguments, reason = "they are keywords of `carom.billiards.search`")]
pub(crate) fn search(
    py: Python<'_>,
    game: &Game,
    wished: Wished,
    strokes: Option<PyReadonlyArray2<'_, f64>>,
    spread: &Spread,
    simulations: usize,
    seed: u64,
    threads: Option<NonZeroUsize>,
    seconds: Option<f64>,
) -> PyResult<Vec<Pot>> {
    let usual = Search::default();
    let strokes = strokes.map_or(usual.strokes, |rows| {
        let stroke = |row: usize| {
            let [speed, side, height, elevation] = std::array::from_fn(|k| rows.as_array()[[row, k]]);
            Stroke { speed, side, height, elevation }
        };
        (0..rows.as_array().nrows()).map(stroke).collect()
    });
    let search = Search { simulations, spread: spread.told(), strokes, seed, threads };
    let (game, wish) = (&game.game, wish(wished));
    let time = seconds.map(Duration::try_from_secs_f64).transpose();
    let time = time.map_err(|_| {
        let given = crate::errors::Value::Number(seconds.unwrap_or_default());
        crate::errors::value("seconds", given, "a number from 0 on")
    })?;
    let found = py.detach(|| match time {
        Some(time) => search.run_until(game, &wish, time),
        None => search.run(game, &wish),
    });
    found.or_raise()?.into_iter().map(|found| Pot::ranked(py, found)).collect()
}

/// What a shot meets first.
#[pyclass(frozen, get_all, module = "carom.billiards")]
pub(crate) struct FirstContact {
    ball: String,
    time: f64,
    cut: f64,
    deflection: f64,
    /// Where the struck ball and the other one are.
    positions: [Pair; 2],
    /// Their velocities after it.
    velocities: [Pair; 2],
    /// Those with which they will roll.
    rolling: [Pair; 2],
}

#[pymethods]
impl Game {
    /// What a shot meets first, and what becomes of the two there; the game stays as it is.
    #[pyo3(signature = (speed, **options))]
    fn first_contact(
        &self,
        speed: f64,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Option<FirstContact>> {
        let found = self.game.first_contact(&stroke::shot(speed, options)?).or_raise()?;
        let place = |full: &carom_billiards::Full| pair(self.game.table().from_world(full.position));
        Ok(found.map(|contact| FirstContact {
            deflection: contact.deflection(),
            time: contact.time,
            cut: contact.cut,
            positions: [place(&contact.cue_ball[1]), place(&contact.object_ball[1])],
            velocities: [pair(contact.cue_ball[1].velocity), pair(contact.object_ball[1].velocity)],
            rolling: contact.rolling.map(pair),
            ball: contact.ball,
        }))
    }

    /// The least elevation at which nothing is in the way of the cue.
    #[pyo3(signature = (speed, **options))]
    fn least_elevation(&self, speed: f64, options: Option<&Bound<'_, PyDict>>) -> PyResult<Option<f64>> {
        self.game.least_elevation(&stroke::shot(speed, options)?).or_raise()
    }
}

//! Billiards: a table with balls, what comes of a shot, and a shot written down.

use crate::errors;
use crate::movie::Movie;
use crate::outcome::Outcome;
use crate::picture::Picture;
use crate::stroke::shot;
use crate::vector::{Pair, Vector, pair};
use carom_billiards::{Happening, Layout, Rack, Table};
use carom_engine::DVec2;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Balls on a table.
#[pyclass(module = "carom.billiards")]
pub(crate) struct Game {
    pub(crate) game: carom_billiards::Game,
    pub(crate) rack: Option<Rack>,
}

pub(crate) trait OrRaise<T> {
    fn or_raise(self) -> PyResult<T>;
}

impl<T> OrRaise<T> for Result<T, carom_billiards::Error> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| errors::billiards(&error))
    }
}

fn table_of(name: &str) -> PyResult<Table> {
    Table::named(name).or_raise()
}

#[pymethods]
impl Game {
    /// Balls as they are racked.
    #[new]
    #[pyo3(signature = (rack = "9-ball", *, table = None, seed = 0, gap = None))]
    fn new(rack: &str, table: Option<&str>, seed: u64, gap: Option<f64>) -> PyResult<Game> {
        let rack = Rack::named(rack).or_raise()?;
        let rack = gap.map_or(Ok(rack), |gap| rack.with_gap(gap)).or_raise()?;
        let table = table_of(table.unwrap_or_else(|| rack.usual_table()))?;
        let game = rack.place(&table, seed).and_then(|layout| layout.build(&table)).or_raise()?;
        Ok(Game { game, rack: Some(rack) })
    }

    /// Balls at places of one's own, by label, in metres from the lower left corner.
    #[staticmethod]
    #[pyo3(signature = (balls, table = "pool-9ft"))]
    fn of_balls(balls: &Bound<'_, PyDict>, table: &str) -> PyResult<Game> {
        let table = table_of(table)?;
        let mut layout = Layout::new();
        for (label, at) in balls {
            let at: Vector = at.extract()?;
            layout = layout.with(label.extract::<String>()?, table.ball, at);
        }
        Ok(Game { game: layout.build(&table).or_raise()?, rack: None })
    }

    /// The labels of the balls, in the order of all arrays.
    #[getter]
    fn labels(&self) -> Vec<String> {
        self.game.layout().balls.iter().map(|placed| placed.label.clone()).collect()
    }

    /// Width and length of the table, between the noses of the cushions.
    #[getter]
    fn size(&self) -> Pair {
        (self.game.table().width, self.game.table().length)
    }

    /// Where the balls are; NaN where one is potted.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let flat: Vec<f64> = places(&self.game).flat_map(|place| place.to_array()).collect();
        PyArray1::from_vec(py, flat).reshape([self.game.discs().len(), 2])
    }

    /// Which balls are on the table.
    #[getter]
    fn on_table(&self) -> Vec<bool> {
        places(&self.game).map(|place| !place.is_nan()).collect()
    }

    /// Puts a ball somewhere.
    fn place(&mut self, ball: &str, at: Vector) -> PyResult<()> {
        self.game.place(ball, at).or_raise()
    }

    /// Puts a ball on its spot, or as near as there is room; gives the place.
    fn spot(&mut self, ball: &str) -> PyResult<Pair> {
        self.game.spot(ball).map(pair).or_raise()
    }

    /// Plays a shot to rest.
    #[pyo3(signature = (speed, **options))]
    fn shoot(&mut self, speed: f64, options: Option<&Bound<'_, PyDict>>) -> PyResult<Outcome> {
        let shot = shot(speed, options)?;
        self.game.shoot(&shot).map(Outcome::new).or_raise()
    }

    /// The same on a copy, written down.
    #[pyo3(signature = (speed, **options))]
    fn simulate(&self, speed: f64, options: Option<&Bound<'_, PyDict>>) -> PyResult<Recording> {
        let shot = shot(speed, options)?;
        let mut trial = self.game.clone();
        let recording = trial.record(&shot).or_raise()?;
        Ok(Recording { recording, before: self.game.layout().clone(), after: trial })
    }

    /// In which direction one ball is to go to drive another to a place: radians, or `None` if it cannot.
    fn aim_at(&self, of: &str, ball: &str, target: Vector) -> PyResult<Option<f64>> {
        Ok(self.game.aim_at(of, ball, target).or_raise()?.map(|aim| aim.direction))
    }

    /// The centres of the pockets.
    #[getter]
    fn pockets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let circles = self.game.table().pocket_circles();
        let place = |(centre, _): &(DVec2, f64)| self.game.table().from_world(*centre).to_array();
        let flat: Vec<f64> = circles.iter().flat_map(place).collect();
        PyArray1::from_vec(py, flat).reshape([circles.len(), 2])
    }

    /// Sets up the balls of its rack again, by another seed.
    #[pyo3(signature = (seed = 0))]
    fn set_up(&mut self, seed: u64) -> PyResult<()> {
        let wanted = "a game of a rack, not of places of one's own";
        let rack = self.rack.ok_or_else(|| errors::text("game", "no rack", wanted))?;
        let layout = rack.place(self.game.table(), seed).or_raise()?;
        self.game = self.game.with_layout(&layout).or_raise()?;
        Ok(())
    }

    /// Makes this game the same as another one, in the memory that it has.
    fn copy_from(&mut self, other: PyRef<'_, Game>) {
        self.game.clone_from(&other.game);
        self.rack = other.rack;
    }

    fn copy(&self) -> Game {
        Game { game: self.game.clone(), rack: self.rack }
    }

    fn __copy__(&self) -> Game {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Game {
        self.copy()
    }

    fn checksum(&self) -> u64 {
        self.game.world().checksum()
    }
}

/// Where the balls are, from the corner of the table; NaN where one is potted.
pub(crate) fn places(game: &carom_billiards::Game) -> impl Iterator<Item = DVec2> + '_ {
    let place = |ball: carom_engine::DiscRef<'_, carom_billiards::Billiards>| {
        ball.is_enabled().then(|| game.table().from_world(ball.position()))
    };
    game.discs().iter().map(move |&id| game.world().get(id).and_then(place).unwrap_or(DVec2::NAN))
}

/// A shot written down.
#[pyclass(frozen, module = "carom.billiards")]
pub(crate) struct Recording {
    recording: carom_billiards::Recording,
    before: Layout,
    after: carom_billiards::Game,
}

fn word(what: Happening) -> &'static str {
    match what {
        Happening::Balls => "balls",
        Happening::Cushion(_) => "cushion",
        Happening::Change(change) => match change {
            carom_billiards::MotionChange::Rolls => "rolls",
            carom_billiards::MotionChange::Stops => "stops",
            carom_billiards::MotionChange::Rests => "rests",
            _ => "falls",
        },
        Happening::OverLip => "over_lip",
        Happening::Potted => "potted",
        Happening::Held => "held",
        Happening::LetGo => "let_go",
    }
}

#[pymethods]
impl Recording {
    #[getter]
    fn outcome(&self) -> Outcome {
        Outcome::new(self.recording.outcome.clone())
    }

    /// The table after it.
    #[getter]
    fn after(&self) -> Game {
        Game { game: self.after.clone(), rack: None }
    }

    /// What happened: time, what, and the numbers of the balls.
    #[getter]
    fn events(&self) -> Vec<(f64, &'static str, Vec<usize>)> {
        let told = |moment: &carom_billiards::Moment| {
            let balls = moment.balls.iter().map(|(ball, _, _)| *ball).collect();
            (moment.time, word(moment.what), balls)
        };
        self.recording.moments.iter().map(told).collect()
    }

    /// Positions, velocities and spins at times: arrays of shape (times, balls, 2), and 3 for spins. NaN
    /// where a ball is not on the table.
    fn states<'py>(
        &self,
        py: Python<'py>,
        times: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (balls, gravity) = (self.recording.paths.len(), self.after.table().physics.gravity);
        let times = times.as_array();
        let [mut positions, mut velocities, mut spins] = [const { Vec::<f64>::new() }; 3];
        for &time in times {
            for (path, placed) in self.recording.paths.iter().zip(&self.before.balls) {
                let known = path.partition_point(|piece| piece.start <= time);
                let piece = known.checked_sub(1).map(|last| &path[last]).filter(|piece| piece.is_on_table);
                let state = piece.map(|piece| piece.state(&placed.ball, gravity, time));
                let nowhere = [f64::NAN; 3];
                positions.extend(state.map_or([f64::NAN; 2], |state| self.place(state.position)));
                velocities.extend(state.map_or([f64::NAN; 2], |state| state.velocity.to_array()));
                spins.extend(state.map_or(nowhere, |state| state.spin.to_array()));
            }
        }
        let states = PyDict::new(py);
        let shaped = |flat, width| PyArray1::from_vec(py, flat).reshape([times.len(), balls, width]);
        states.set_item("positions", shaped(positions, 2)?)?;
        states.set_item("velocities", shaped(velocities, 2)?)?;
        states.set_item("spins", shaped(spins, 3)?)?;
        Ok(states)
    }

    /// A picture of the whole shot.
    #[pyo3(signature = (*, width = 1600, title = None))]
    fn draw(&self, width: u32, title: Option<String>) -> PyResult<Picture> {
        let picture = carom_billiards::Picture::new(self.after.table(), &self.before, &self.recording);
        let picture = title.map_or(picture.clone(), |title| picture.with_title(title)).with_width(width);
        picture.png().map(Picture).map_err(|error| errors::drawn(&error))
    }

    /// A movie of it.
    #[pyo3(signature = (*, width = 800, speed = 1.0, frames_per_second = 25))]
    fn movie(&self, py: Python<'_>, width: u32, speed: f64, frames_per_second: u32) -> PyResult<Movie> {
        let picture = carom_billiards::Picture::new(self.after.table(), &self.before, &self.recording);
        let picture = picture.with_width(width);
        let gif = py.detach(|| picture.gif(speed, frames_per_second));
        gif.map(Movie).map_err(|error| errors::drawn(&error))
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyBytes>> {
        Ok(pyo3::types::PyBytes::new(py, &self.draw(1600, None)?.0))
    }
}

impl Recording {
    fn place(&self, position: DVec2) -> [f64; 2] {
        self.after.table().from_world(position).to_array()
    }
}

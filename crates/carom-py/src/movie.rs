//! Movies of worlds.

use crate::advance::without_callback;
use crate::colours::Colours;
use crate::errors::{self, OrRaise as _, Value};
use crate::laws::Laws;
use crate::room::in_room;
use crate::world::World;
use carom_draw::{Look, MovieOptions, Recorder, Style};
use carom_engine::StopReason;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A movie, which a notebook shows.
#[pyclass(frozen, module = "carom")]
pub(crate) struct Movie(pub(crate) Vec<u8>);

#[pymethods]
impl Movie {
    /// The bytes of a GIF file.
    #[getter]
    fn gif<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0)
    }

    /// As an element of a page: not all notebooks show the bytes of a GIF by themselves.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let text = py.import("base64")?.call_method1("b64encode", (self.gif(py),))?;
        let text: String = text.call_method1("decode", ("ascii",))?.extract()?;
        Ok(format!("<img alt=\"A movie of discs\" src=\"data:image/gif;base64,{text}\">"))
    }

    /// Writes the file.
    fn save(&self, path: std::path::PathBuf) -> PyResult<()> {
        Ok(std::fs::write(path, &self.0)?)
    }
}

/// Parts of a run between which signals are looked for.
const PARTS: u32 = 100;

/// Runs a copy of a world for some seconds, and writes down how.
fn recorded<P: Laws>(
    py: Python<'_>,
    world: &carom_engine::World<P>,
    colours: Option<Colours>,
    style: Style,
    seconds: f64,
) -> PyResult<Recorder> {
    let (mut world, ids) = (world.clone(), world.ids().collect::<Vec<_>>());
    let colours = Colours::of(colours, ids.len())?;
    let looks = colours.into_iter().map(|colour| Look { colour, ..Look::default() }).collect();
    let recorder = Recorder::new(&world, &ids, looks, style);
    let mut recorder = recorder.map_err(|error| errors::drawn(&error))?;
    let start = world.now().as_secs();
    for part in 1..=PARTS {
        let until = (start + seconds * f64::from(part) / f64::from(PARTS)).max(world.now().as_secs());
        let end = py.detach(|| recorder.advance_to(&mut world, until)).or_raise()?;
        py.check_signals()?;
        if end != StopReason::Reached {
            break;
        }
    }
    recorder.finish(&world);
    Ok(recorder)
}

/// The options of a movie of some seconds; refuses one that would be cut off.
pub(crate) fn options(
    seconds: f64,
    width: u32,
    frames_per_second: u32,
    speed: f64,
) -> PyResult<MovieOptions> {
    if !MovieOptions::SPEEDS.contains(&speed) {
        return Err(errors::value("speed", Value::Number(speed), "1e-100 to 1e100"));
    }
    let options = MovieOptions { width, frames_per_second, speed, ..MovieOptions::default() };
    let longest = (options.max_frames - 1) as f64 / f64::from(frames_per_second.max(1)) * speed;
    if !(0.0..=longest).contains(&seconds) {
        let allowed = format!("from 0 to {longest}: {} frames at this speed", options.max_frames);
        return Err(errors::value("seconds", Value::Number(seconds), &allowed));
    }
    Ok(options)
}

/// The next seconds of a world as a movie.
pub(crate) fn movie(
    py: Python<'_>,
    world: &World,
    seconds: f64,
    colours: Option<Colours>,
    style: Style,
    options: &MovieOptions,
) -> PyResult<Movie> {
    in_room!(world.room(), held => {
        without_callback(held)?;
        let recorder = recorded(py, &held.world, colours, style, seconds)?;
        let gif = py.detach(|| recorder.movie_gif(options));
        gif.map(Movie).map_err(|error| errors::drawn(&error))
    })
}

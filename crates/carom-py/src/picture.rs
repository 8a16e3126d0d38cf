//! Pictures of worlds.

use crate::colours::{Colours, USUAL, rgb};
use crate::errors;
use crate::movie::{self, Movie};
use crate::room::in_room;
use crate::vector::{Pair, Vector, pair};
use crate::world::World;
use carom_draw::{Portrait, Rgb, Style, Surface};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A picture, which a notebook shows.
#[pyclass(frozen, module = "carom")]
pub(crate) struct Picture(pub(crate) Vec<u8>);

#[pymethods]
impl Picture {
    /// The bytes of a PNG file.
    #[getter]
    fn png<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0)
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.png(py)
    }

    /// Writes the file.
    fn save(&self, path: std::path::PathBuf) -> PyResult<()> {
        Ok(std::fs::write(path, &self.0)?)
    }
}

/// The corners of what is shown.
pub(crate) type Bounds = (Vector, Vector);

/// How a world looks on a sheet of this width.
pub(crate) fn style(
    width: u32,
    bounds: Option<Bounds>,
    background: &str,
    title: Option<String>,
) -> PyResult<Style> {
    Ok(Style {
        title,
        bounds: bounds.map(|(min, max)| (min.into(), max.into())),
        surface: Surface::Plain(rgb("background", background)?),
        width,
        ..Style::default()
    })
}

impl World {
    fn portrait(&self, colours: Option<Colours>, style: Style) -> PyResult<(Portrait, Vec<Rgb>)> {
        in_room!(self.room(), held => {
            let ids: Vec<_> = held.world.ids().collect();
            let colours = Colours::of(colours, ids.len())?;
            let colours: Vec<Rgb> = colours.into_iter().map(|colour| colour.unwrap_or(USUAL)).collect();
            let portrait = Portrait::new(&held.world, &ids, &colours, style);
            portrait.map(|portrait| (portrait, colours)).map_err(|error| errors::drawn(&error))
        })
    }
}

#[pymethods]
impl World {
    /// A picture of the present.
    #[pyo3(signature = (*, width = 1200, colours = None, bounds = None, background = "white", title = None))]
    pub fn draw(
        &self,
        width: u32,
        colours: Option<Colours>,
        bounds: Option<Bounds>,
        background: &str,
        title: Option<String>,
    ) -> PyResult<Picture> {
        let (portrait, _) = self.portrait(colours, style(width, bounds, background, title)?)?;
        portrait.png().map(Picture).map_err(|error| errors::drawn(&error))
    }

    /// The next seconds as a movie; the world stays as it is.
    #[pyo3(signature = (seconds, *, width = 640, frames_per_second = 25, speed = 1.0, colours = None,
        bounds = None, background = "white", title = None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    pub fn movie(
        &self,
        py: Python<'_>,
        seconds: f64,
        width: u32,
        frames_per_second: u32,
        speed: f64,
        colours: Option<Colours>,
        bounds: Option<Bounds>,
        background: &str,
        title: Option<String>,
    ) -> PyResult<Movie> {
        let options = movie::options(seconds, width, frames_per_second, speed)?;
        let style = style(Style::default().width, bounds, background, title)?;
        movie::movie(py, self, seconds, colours, style, &options)
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(self.draw(1200, None, None, "white", None)?.png(py))
    }
}

/// Corners, the colour of each disc, and that of the background.
type Shown<'py> = ((Pair, Pair), Bound<'py, PyArray2<u8>>, String);

/// What a picture of a world would show: its corners, the colour of each disc, and that of the background.
#[pyfunction]
#[pyo3(signature = (world, colours = None, bounds = None, background = "white"))]
pub(crate) fn shown<'py>(
    py: Python<'py>,
    world: PyRef<'_, World>,
    colours: Option<Colours>,
    bounds: Option<Bounds>,
    background: &str,
) -> PyResult<Shown<'py>> {
    let style = style(Style::default().width, bounds, background, None)?;
    let surface = rgb("background", background)?;
    let (portrait, mut colours) = world.portrait(colours, style)?;
    let (min, max) = portrait.bounds();
    colours.resize(world.__len__(), USUAL);
    let bytes: Vec<u8> = colours.iter().flat_map(|&Rgb(r, g, b)| [r, g, b]).collect();
    let colours = PyArray1::from_vec(py, bytes).reshape([colours.len(), 3])?;
    Ok(((pair(min), pair(max)), colours, surface.to_string()))
}

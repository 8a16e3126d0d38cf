//! Pictures of worlds.

use crate::errors::{self, plain};
use crate::room::in_room;
use crate::vector::Vector;
use crate::world::World;
use carom_draw::{Portrait, Rgb, Style, Surface};
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

/// One colour for all discs, or one for each.
#[derive(FromPyObject)]
pub(crate) enum Colours {
    One(String),
    Each(Vec<Option<String>>),
}

const USUAL: Rgb = Rgb(0x3b, 0x6e, 0xa8);

fn rgb(name: &str) -> PyResult<Rgb> {
    let refused = |_| errors::text("colours", name, "a name of a colour of CSS, or a number such as #1f7a66");
    name.parse().map_err(refused)
}

impl Colours {
    fn of(given: Option<Self>, len: usize) -> PyResult<Vec<Rgb>> {
        match given {
            None => Ok(vec![USUAL; len]),
            Some(Colours::One(name)) => Ok(vec![rgb(&name)?; len]),
            Some(Colours::Each(names)) => {
                names.iter().map(|name| name.as_deref().map_or(Ok(USUAL), rgb)).collect()
            }
        }
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
        bounds: Option<(Vector, Vector)>,
        background: &str,
        title: Option<String>,
    ) -> PyResult<Picture> {
        let style = Style {
            title,
            bounds: bounds.map(|(min, max)| (min.into(), max.into())),
            surface: Surface::Plain(rgb(background)?),
            width,
            ..Style::default()
        };
        let drawn = in_room!(self.room(), held => {
            let ids: Vec<_> = held.world.ids().collect();
            let colours = Colours::of(colours, ids.len())?;
            Portrait::new(&held.world, &ids, &colours, style).and_then(|portrait| portrait.png())
        });
        drawn.map(Picture).map_err(plain)
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(self.draw(1200, None, None, "white", None)?.png(py))
    }
}

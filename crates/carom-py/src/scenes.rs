//! Worlds as files, and the scenes that come with the engine.

use crate::errors;
use crate::room::{Held, Room};
use crate::vector::{Pair, pair};
use crate::world::World;
use carom_scene::{SceneError, Source, Syntax};
use pyo3::prelude::*;

/// A scene: a file in TOML or JSON, which describes a world.
#[pyclass(frozen, module = "carom")]
pub(crate) struct Scene {
    source: Source,
    scene: carom_scene::Scene,
}

impl Scene {
    fn of(source: Result<Source, SceneError>) -> PyResult<Scene> {
        let source = source.map_err(|error| errors::scene(&error))?;
        let scene = source.scene().map_err(|error| errors::scene(&error))?;
        Ok(Scene { source, scene })
    }

    fn explained(&self, error: SceneError) -> PyErr {
        errors::scene(&self.source.explain(error))
    }
}

#[pymethods]
impl Scene {
    /// One that comes with the engine.
    #[staticmethod]
    fn named(name: &str) -> PyResult<Scene> {
        Scene::of(Source::named(name))
    }

    /// That of a file.
    #[staticmethod]
    fn read(path: std::path::PathBuf) -> PyResult<Scene> {
        Scene::of(Source::read(path))
    }

    /// That of a text in TOML or JSON.
    #[staticmethod]
    #[pyo3(signature = (text, name = "scene"))]
    fn parse(text: &str, name: &str) -> PyResult<Scene> {
        let is_json = text.trim_start().starts_with('{');
        Scene::of(Ok(Source::new(name, text, if is_json { Syntax::Json } else { Syntax::Toml })))
    }

    #[getter]
    fn name(&self) -> &str {
        &self.scene.name
    }

    #[getter]
    fn title(&self) -> &str {
        &self.scene.title
    }

    #[getter]
    fn description(&self) -> &str {
        &self.scene.description
    }

    /// The text of the file.
    #[getter]
    fn text(&self) -> &str {
        self.source.text()
    }

    /// The time at which a run ends.
    #[getter]
    fn until(&self) -> f64 {
        self.scene.until
    }

    /// The part of the plane to show.
    #[getter]
    fn bounds(&self) -> Option<(Pair, Pair)> {
        self.scene.view.bounds.as_ref().map(|bounds| (pair(bounds.min), pair(bounds.max)))
    }

    /// The colours of the discs, in the order of the file, which is that of a new world's `ids`.
    #[getter]
    fn colours(&self) -> PyResult<Vec<Option<String>>> {
        let expanded = self.scene.expand().map_err(|error| self.explained(error))?;
        Ok(expanded.discs.iter().map(|disc| disc.look().colour.map(|colour| colour.to_string())).collect())
    }

    /// The world at its start.
    #[pyo3(signature = (*, forces = false))]
    fn build(&self, py: Python<'_>, forces: bool) -> PyResult<World> {
        let scene = &self.scene;
        let room = py.detach(|| {
            if scene.is_rough() {
                scene.build_as().map(|built| Room::Rough(Held::new(built.world)))
            } else if forces || scene.has_forces() || scene.has_verdicts() {
                scene.build_as().map(|built| Room::Forces(Held::new(built.world)))
            } else {
                scene.build().map(|built| Room::Smooth(Held::new(built.world)))
            }
        });
        room.map(World::of).map_err(|error| self.explained(error))
    }

    fn __repr__(&self) -> String {
        format!("<carom.Scene {:?}, until {:?} s>", self.scene.name, self.scene.until)
    }
}

/// The names of the scenes that come with the engine.
#[pyfunction]
pub(crate) fn scene_names() -> Vec<&'static str> {
    carom_scene::Scene::names().collect()
}

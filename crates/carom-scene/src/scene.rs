//! A scene: a file as data.

use crate::disc::SceneDisc;
use crate::error::SceneError;
use crate::file::SceneFile;
use crate::gas::Gas;
use crate::growth::Growth;
use crate::overlaps::Overlaps;
use crate::periodic::Periodic;
use crate::rack::Rack;
use crate::settings::SceneSettings;
use crate::source::{Source, Syntax};
use crate::view::View;
use crate::wall::SceneWall;
use crate::{check, named};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The version of the format that this library reads and writes: `format = 1`.
pub const FORMAT: u64 = 1;

/// The physics of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Model {
    /// Smooth, frictionless discs.
    #[default]
    Discs,
}

/// A world as a file: what stands in it, in the order in which it stands there.
///
/// Read with [`Scene::load`], [`Scene::from_toml`], [`Scene::from_json`] or [`Scene::named`], or made in memory from
/// [`Scene::new`]; run with [`Scene::build`]. The fields are those of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SceneFile", into = "SceneFile")]
#[non_exhaustive]
pub struct Scene {
    /// The physics.
    pub model: Model,
    /// A short name; a file that does not say has the name of the file.
    pub name: String,
    /// A title, one line.
    pub title: String,
    /// What the scene is about.
    pub description: String,
    /// The time of the world, in seconds, at which a run ends when nobody says otherwise; after `settings.start`.
    pub until: f64,
    /// What to do about discs that overlap at the start.
    pub overlaps: Overlaps,
    /// Periodic boundaries.
    pub periodic: Periodic,
    /// How the discs grow before the start, if they do.
    pub growth: Option<Growth>,
    /// The settings of the world.
    pub settings: SceneSettings,
    /// Discs, one by one.
    pub discs: Vec<SceneDisc>,
    /// Racks of balls.
    pub racks: Vec<Rack>,
    /// Gases of many discs.
    pub gases: Vec<Gas>,
    /// Walls.
    pub walls: Vec<SceneWall>,
    /// How to draw it.
    pub view: View,
}

impl Scene {
    /// An empty scene of this name that ends after one second.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            model: Model::default(),
            name: name.to_owned(),
            title: String::new(),
            description: String::new(),
            until: 1.0,
            overlaps: Overlaps::default(),
            periodic: Periodic::default(),
            growth: None,
            settings: SceneSettings::default(),
            discs: Vec::new(),
            racks: Vec::new(),
            gases: Vec::new(),
            walls: Vec::new(),
            view: View::default(),
        }
    }

    /// Reads and checks a file: JSON if its name ends in `.json` or its text begins with `{`, otherwise TOML.
    ///
    /// # Errors
    /// The file cannot be read, is too large, or is no scene; the error says where and what.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, SceneError> {
        Source::read(path)?.scene()
    }

    /// Reads and checks a TOML text; `name` stands for the file in errors.
    ///
    /// # Errors
    /// The text is no scene.
    pub fn from_toml(text: &str, name: &str) -> Result<Self, SceneError> {
        Source::new(name, text, Syntax::Toml).scene()
    }

    /// Reads and checks a JSON text; `name` stands for the file in errors.
    ///
    /// # Errors
    /// The text is no scene.
    pub fn from_json(text: &str, name: &str) -> Result<Self, SceneError> {
        Source::new(name, text, Syntax::Json).scene()
    }

    /// One of the scenes that come with the library.
    ///
    /// # Errors
    /// There is none of this name; the error says which name is nearest.
    pub fn named(name: &str) -> Result<Self, SceneError> {
        Source::named(name)?.scene()
    }

    /// The names of the scenes that come with the library, in a good order for showing them.
    pub fn names() -> impl Iterator<Item = &'static str> {
        named::names()
    }

    /// Checks every value: numbers finite and in range, fields that belong together, the number of discs.
    ///
    /// Reading does this already; it is for scenes made or changed in memory. Whether discs overlap is found when the
    /// scene is built. `O(file)`: racks and gases are not expanded.
    ///
    /// # Errors
    /// The first value that is not allowed.
    pub fn check(&self) -> Result<(), SceneError> {
        check::scene(self)
    }

    /// The scene as TOML. Numbers read back to the same bits.
    ///
    /// # Errors
    /// The scene does not pass [`Scene::check`], so that what is written can be read. (Thousands of discs one by one are
    /// for JSON: a TOML text is read up to [`MAX_TOML_BYTES`](crate::MAX_TOML_BYTES).)
    pub fn to_toml(&self) -> Result<String, SceneError> {
        self.check()?;
        toml::to_string(&SceneFile::from(self.clone())).map_err(|error| unwritable(&error.to_string()))
    }

    /// The scene as JSON, indented. Numbers read back to the same bits; an infinite mass is the text `"inf"`.
    ///
    /// # Errors
    /// The scene does not pass [`Scene::check`].
    pub fn to_json(&self) -> Result<String, SceneError> {
        self.check()?;
        serde_json::to_string_pretty(&SceneFile::from(self.clone()))
            .map_err(|error| unwritable(&error.to_string()))
    }
}

fn unwritable(what: &str) -> SceneError {
    SceneError::Syntax { place: crate::Place::default(), what: what.to_owned() }
}

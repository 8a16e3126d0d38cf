//! The top of a scene as it stands in a file.

use crate::disc::SceneDisc;
use crate::error::SceneError;
use crate::gas::Gas;
use crate::growth::Growth;
use crate::overlaps::Overlaps;
use crate::periodic::Periodic;
use crate::place::FieldPath;
use crate::rack::Rack;
use crate::scene::{FORMAT, Model, Scene};
use crate::settings::SceneSettings;
use crate::values;
use crate::view::View;
use crate::wall::WallFile;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A scene with its walls still flat. Simple values come before tables, as TOML needs it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SceneFile {
    format: u64,
    model: Model,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    title: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    description: String,
    #[serde(with = "values::real")]
    until: f64,
    #[serde(default, skip_serializing_if = "Overlaps::is_default")]
    overlaps: Overlaps,
    #[serde(default, skip_serializing_if = "Periodic::is_none")]
    periodic: Periodic,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    growth: Option<Growth>,
    #[serde(default, skip_serializing_if = "SceneSettings::is_default")]
    settings: SceneSettings,
    #[serde(default, skip_serializing_if = "is_default_view")]
    view: View,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    walls: Vec<WallFile>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    discs: Vec<SceneDisc>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    racks: Vec<Rack>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    gases: Vec<Gas>,
}

fn is_default_view(view: &View) -> bool {
    *view == View::default()
}

/// What is read of a JSON text before anything else.
#[derive(Deserialize)]
pub(crate) struct Header<'text> {
    #[serde(borrow)]
    pub(crate) format: Option<&'text RawValue>,
    #[serde(borrow)]
    pub(crate) model: Option<&'text RawValue>,
}

impl TryFrom<SceneFile> for Scene {
    type Error = SceneError;

    /// Puts the walls together and checks everything.
    fn try_from(file: SceneFile) -> Result<Self, SceneError> {
        if file.format != FORMAT {
            return Err(SceneError::value(
                FieldPath::root().field("format"),
                file.format,
                FORMAT.to_string(),
            ));
        }
        let walls = file
            .walls
            .into_iter()
            .enumerate()
            .map(|(index, wall)| wall.into_wall(&FieldPath::of("walls", index)))
            .collect::<Result<_, _>>()?;
        let mut scene = Scene::new(&file.name);
        scene.model = file.model;
        scene.title = file.title;
        scene.description = file.description;
        scene.until = file.until;
        scene.overlaps = file.overlaps;
        scene.periodic = file.periodic;
        scene.growth = file.growth;
        scene.settings = file.settings;
        scene.discs = file.discs;
        scene.racks = file.racks;
        scene.gases = file.gases;
        scene.walls = walls;
        scene.view = file.view;
        scene.check()?;
        Ok(scene)
    }
}

impl From<Scene> for SceneFile {
    fn from(scene: Scene) -> Self {
        Self {
            format: FORMAT,
            model: scene.model,
            name: scene.name,
            title: scene.title,
            description: scene.description,
            until: scene.until,
            overlaps: scene.overlaps,
            periodic: scene.periodic,
            growth: scene.growth,
            settings: scene.settings,
            view: scene.view,
            walls: scene.walls.into_iter().map(WallFile::from).collect(),
            discs: scene.discs,
            racks: scene.racks,
            gases: scene.gases,
        }
    }
}

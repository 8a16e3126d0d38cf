//! The top of a scene as it stands in a file.

use super::text;
use super::wall::WallFile;
use crate::error::SceneError;
use crate::model::{
    CommandFile, FORMAT, Gas, Growth, Model, Overlaps, Periodic, Rack, RegionFile, Scene, SceneDisc,
    SceneRoughness, SceneSettings, VerdictFile, View,
};
use crate::place::FieldPath;
use crate::values;
use glam::DVec2;
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
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
    #[serde(with = "values::pair", default, skip_serializing_if = "values::is_default")]
    gravity: DVec2,
    #[serde(with = "values::real", default, skip_serializing_if = "values::is_default")]
    weight: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    roughness: Option<SceneRoughness>,
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
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    regions: Vec<RegionFile>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    commands: Vec<CommandFile>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    verdicts: Vec<VerdictFile>,
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
        let region =
            |(index, region): (usize, RegionFile)| region.into_region(&FieldPath::of("regions", index));
        let regions = file.regions.into_iter().enumerate().map(region).collect::<Result<_, _>>()?;
        let command =
            |(index, command): (usize, CommandFile)| command.into_command(&FieldPath::of("commands", index));
        let commands = file.commands.into_iter().enumerate().map(command).collect::<Result<_, _>>()?;
        let verdict = |(index, rule): (usize, VerdictFile)| rule.into_rule(&FieldPath::of("verdicts", index));
        let verdicts = file.verdicts.into_iter().enumerate().map(verdict).collect::<Result<_, _>>()?;
        let mut scene = Scene::new(&file.name);
        scene.model = file.model;
        scene.title = file.title;
        scene.description = file.description;
        scene.until = file.until;
        scene.overlaps = file.overlaps;
        scene.gravity = file.gravity;
        scene.weight = file.weight;
        scene.roughness = file.roughness;
        scene.periodic = file.periodic;
        scene.growth = file.growth;
        scene.settings = file.settings;
        scene.discs = file.discs;
        scene.racks = file.racks;
        scene.gases = file.gases;
        scene.walls = walls;
        scene.regions = regions;
        scene.commands = commands;
        scene.verdicts = verdicts;
        scene.view = file.view;
        scene.check()?;
        Ok(scene)
    }
}

impl SceneFile {
    /// The file of a scene that passes its check, so that what is written can be read.
    fn of(scene: &Scene) -> Result<Self, SceneError> {
        scene.check()?;
        let wall = |(index, wall)| {
            WallFile::of(wall).ok_or_else(|| {
                let path = FieldPath::of("walls", index).field("shape");
                SceneError::value(path, "a shape of the engine", "one that the format has a name for")
            })
        };
        let walls = scene.walls.iter().enumerate().map(wall).collect::<Result<_, _>>()?;
        let region = |(index, region)| {
            RegionFile::of(region).ok_or_else(|| {
                let path = FieldPath::of("regions", index).field("shape");
                SceneError::value(path, "a shape of the engine", "one that the format has a name for")
            })
        };
        let regions = scene.regions.iter().enumerate().map(region).collect::<Result<_, _>>()?;
        let commands = scene.commands.iter().map(CommandFile::of).collect();
        // The check has refused what the format has no name for.
        let verdicts = scene.verdicts.iter().filter_map(VerdictFile::of).collect();
        let scene = scene.clone();
        Ok(Self {
            format: FORMAT,
            model: scene.model,
            name: scene.name,
            title: scene.title,
            description: scene.description,
            until: scene.until,
            overlaps: scene.overlaps,
            gravity: scene.gravity,
            weight: scene.weight,
            roughness: scene.roughness,
            periodic: scene.periodic,
            growth: scene.growth,
            settings: scene.settings,
            view: scene.view,
            walls,
            discs: scene.discs,
            racks: scene.racks,
            gases: scene.gases,
            regions,
            commands,
            verdicts,
        })
    }
}

impl Serialize for Scene {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SceneFile::of(self).map_err(S::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Scene {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(SceneFile::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl Scene {
    /// The scene as TOML. Numbers read back to the same bits.
    ///
    /// # Errors
    /// The scene does not pass [`Scene::check`], so that what is written can be read. (Thousands of discs one
    /// by one are for JSON: a TOML text is read up to [`MAX_TOML_BYTES`](crate::MAX_TOML_BYTES).)
    pub fn to_toml(&self) -> Result<String, SceneError> {
        text::to_toml(&SceneFile::of(self)?)
    }

    /// The scene as JSON, indented. Numbers read back to the same bits; an infinite mass is the text `"inf"`.
    ///
    /// # Errors
    /// The scene does not pass [`Scene::check`].
    pub fn to_json(&self) -> Result<String, SceneError> {
        text::to_json(&SceneFile::of(self)?)
    }
}

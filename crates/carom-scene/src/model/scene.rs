//! A scene: a file as data.

use super::{
    Gas, Growth, Overlaps, Periodic, Rack, SceneCommand, SceneDisc, SceneRegion, SceneRoughness,
    SceneSettings, SceneWall, View,
};
use crate::error::SceneError;
use crate::place::{FieldPath, Place};
use crate::verdicts::Rule;
use carom_engine::DiscForces;
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// The version of the format that this library reads and writes: `format = 1`.
pub const FORMAT: u64 = 1;

/// The most discs that a scene may have, those of racks and gases included: 2²⁰.
pub const MAX_DISCS: u64 = 1 << 20;

/// The most walls and points of polylines that a scene has, together. Each takes up to a kilobyte of memory.
pub const MAX_WALLS: usize = 1 << 18;

/// The physics of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Model {
    /// Discs: smooth ones, or rough ones that turn and rub; forces may accelerate them.
    #[default]
    Discs,
}

/// A world as a file: what stands in it, in the order in which it stands there.
///
/// Read with [`Scene::load`], [`Scene::from_toml`], [`Scene::from_json`] or [`Scene::named`], or made in
/// memory from [`Scene::new`]; run with [`Scene::build`]. The fields are those of the file.
#[derive(Clone, Debug, PartialEq)]
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
    /// The time of the world, in seconds, at which a run ends by default; after `settings.start`.
    pub until: f64,
    /// What to do about discs that overlap at the start.
    pub overlaps: Overlaps,
    /// The acceleration of all discs, in length units per second². Default 0.
    pub gravity: DVec2,
    /// The acceleration that presses discs onto the table on which they slide with friction. Default 0.
    pub weight: f64,
    /// How surfaces rub that do not say it of themselves.
    pub roughness: Option<SceneRoughness>,
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
    /// Regions, which report who enters and leaves them.
    pub regions: Vec<SceneRegion>,
    /// What is done at its time: moves, input, timers.
    pub commands: Vec<SceneCommand>,
    /// What becomes of bodies that meet: the first rule that fits says it. Discs and walls are named by their
    /// number in file order, which is their user data.
    pub verdicts: Vec<Rule<u64>>,
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
            gravity: DVec2::ZERO,
            weight: 0.0,
            roughness: None,
            periodic: Periodic::default(),
            growth: None,
            settings: SceneSettings::default(),
            discs: Vec::new(),
            racks: Vec::new(),
            gases: Vec::new(),
            walls: Vec::new(),
            regions: Vec::new(),
            commands: Vec::new(),
            verdicts: Vec::new(),
            view: View::default(),
        }
    }

    /// Whether anything accelerates discs: gravity, or an acceleration or friction of a disc, rack or gas.
    /// Such a scene is built by [`Scene::build_as`] as a world of [`Forces`](carom_engine::Forces).
    #[must_use]
    pub fn has_forces(&self) -> bool {
        self.first_force().is_some()
    }

    /// Whether rules say what becomes of bodies that meet. Such a scene is built by [`Scene::build_as`] as a
    /// world of [`Forces`](carom_engine::Forces) that is [`Judged`](carom_engine::Judged) by a
    /// [`Rulebook`](crate::verdicts::Rulebook).
    #[must_use]
    pub fn has_verdicts(&self) -> bool {
        !self.verdicts.is_empty()
    }

    /// The first field that says that something accelerates discs.
    pub(crate) fn first_force(&self) -> Option<FieldPath> {
        if self.gravity != DVec2::ZERO {
            return Some(FieldPath::root().field("gravity"));
        }
        let discs = self.discs.iter().map(SceneDisc::forces).enumerate();
        let racks = self.racks.iter().map(Rack::forces).enumerate();
        let gases = self.gases.iter().map(Gas::forces).enumerate();
        let entries = discs
            .map(|entry| ("discs", entry))
            .chain(racks.map(|entry| ("racks", entry)))
            .chain(gases.map(|entry| ("gases", entry)));
        let forced = |(list, (index, forces)): (&str, (usize, DiscForces))| {
            let field = if forces.acceleration != DVec2::ZERO {
                "acceleration"
            } else if forces.friction != 0.0 {
                "friction"
            } else {
                return None;
            };
            Some(FieldPath::of(list, index).field(field))
        };
        entries.filter_map(forced).next()
    }

    /// Whether surfaces rub, so that discs turn: the scene, or a disc, rack, gas or wall of it, has a
    /// roughness. Such a scene is built by [`Scene::build_as`] as a world of
    /// [`Rough`](carom_engine::Rough).
    #[must_use]
    pub fn is_rough(&self) -> bool {
        self.first_roughness().is_some()
    }

    /// The first roughness.
    pub(crate) fn first_roughness(&self) -> Option<FieldPath> {
        let top = || FieldPath::root().field("roughness");
        self.roughness.map(|_| top()).or_else(|| {
            let mut own = self.roughnesses().filter(|(_, own)| own.is_some());
            own.next().map(|(path, _)| path.field("roughness"))
        })
    }

    /// The roughness of each entry that may have one.
    pub(crate) fn roughnesses(&self) -> impl Iterator<Item = (FieldPath, Option<SceneRoughness>)> {
        let discs = self.discs.iter().map(|disc| disc.roughness).enumerate();
        let racks = self.racks.iter().map(|rack| rack.roughness).enumerate();
        let gases = self.gases.iter().map(|gas| gas.roughness).enumerate();
        let walls = self.walls.iter().map(|wall| wall.roughness).enumerate();
        let entries = discs
            .map(|entry| ("discs", entry))
            .chain(racks.map(|entry| ("racks", entry)))
            .chain(gases.map(|entry| ("gases", entry)))
            .chain(walls.map(|entry| ("walls", entry)));
        entries.map(|(list, (index, own))| (FieldPath::of(list, index), own))
    }

    /// The number of discs, without making them.
    ///
    /// # Errors
    /// If they are more than [`MAX_DISCS`](crate::MAX_DISCS).
    pub fn count_discs(&self) -> Result<u64, SceneError> {
        let mut count = 0_u64;
        let mut add = |more: u64, field: FieldPath| {
            count = count.saturating_add(more);
            if count > MAX_DISCS {
                return Err(SceneError::TooManyDiscs { place: Place::field(field), count, limit: MAX_DISCS });
            }
            Ok(())
        };
        add(self.discs.len() as u64, FieldPath::root().field("discs"))?;
        for (index, rack) in self.racks.iter().enumerate() {
            add(rack.count(), FieldPath::of("racks", index))?;
        }
        for (index, gas) in self.gases.iter().enumerate() {
            add(gas.count, FieldPath::of("gases", index))?;
        }
        Ok(count)
    }
}

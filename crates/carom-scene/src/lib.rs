//! Worlds as files: the scene format, racks and gases from a seed, and the named scenes.
//!
//! A [`Scene`] is a file as data: what stands in it, in the order in which it stands there. TOML is for
//! hands, JSON for machines; both have the same fields, which `docs/scene-format.md` lists. [`Scene::expand`]
//! turns racks and gases into a flat list of discs, the same on every machine, and [`Scene::build`] into a
//! world that runs.
//!
//! ```
//! use carom_scene::Scene;
//!
//! let scene = Scene::named("newtons-cradle")?;
//! let mut built = scene.build()?;
//! built.world.advance_to(scene.until)?;
//! assert!(built.world.counters().disc_impacts >= 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing in a file is believed: sizes are bounded before memory is taken, every number is checked, unknown
//! fields are refused, and an error is one line that says where ([`Place`]), what was found and what is
//! allowed.

mod build;
mod check;
mod error;
mod expand;
mod generate;
mod growth;
mod io;
mod model;
mod origins;
mod physics;
mod place;
mod program;
mod resume;
mod run_hash;
mod values;
pub mod verdicts;

pub use build::Built;
pub use error::SceneError;
pub use expand::Expanded;
pub use generate::{Progress, Random};
pub use growth::Grown;
pub use io::{MAX_FILE_BYTES, MAX_TOML_BYTES, Source, Syntax, closest, to_json, to_text, to_toml};
pub use model::{
    Bounds, FORMAT, Gas, Generator, Growth, Look, MAX_DISCS, MAX_SEED, MAX_WALLS, Model, Order, Overlaps,
    ParseRgbError, Pattern, Periodic, Placement, Pocket, Rack, Radii, Region, Rgb, Scene, SceneAction,
    SceneCommand, SceneDisc, SceneRegion, SceneRoughness, SceneSettings, SceneShape, SceneWall, TableStyle,
    View,
};
pub use origins::Origins;
pub use physics::{SceneJudge, ScenePhysics};
pub use place::{FieldPath, Place, Position, Step, escaped};
pub use run_hash::RunHash;

/// The JSON schema of scenes of discs, of 2020-12, for editors that complete and check: every field with
/// its type, default and meaning. What depends on several fields is left to the reader.
pub const SCHEMA: &str = include_str!("../scene.schema.json");

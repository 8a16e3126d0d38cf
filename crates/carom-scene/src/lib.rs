//! Worlds as files: the scene format, racks and gases from a seed, and the named scenes.
//!
//! A [`Scene`] is a file as data: what stands in it, in the order in which it stands there. TOML is for hands, JSON
//! for machines; both have the same fields, which `docs/scene-format.md` lists. [`Scene::expand`] turns racks and
//! gases into a flat list of discs, the same on every machine, and [`Scene::build`] into a world that runs.
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
//! Nothing in a file is believed: sizes are bounded before memory is taken, every number is checked, unknown fields
//! are refused, and an error is one line that says where ([`Place`]), what was found and what is allowed.

mod build;
mod check;
mod colour;
mod curve;
mod disc;
mod error;
mod expand;
mod file;
mod gas;
mod grid;
mod growth;
mod locate;
mod named;
mod origins;
mod overlaps;
mod pack;
mod periodic;
mod place;
mod rack;
mod radii;
mod random;
mod region;
mod resume;
mod scene;
mod settings;
mod source;
mod steps;
mod values;
mod view;
mod wall;

pub use build::Built;
pub use colour::{Colour, Look};
pub use disc::SceneDisc;
pub use error::SceneError;
pub use expand::{Expanded, MAX_DISCS};
pub use gas::{Gas, Order, Placement};
pub use growth::{Grown, Growth};
pub use origins::Origins;
pub use overlaps::Overlaps;
pub use periodic::Periodic;
pub use place::{FieldPath, Place, Position, Step, escaped};
pub use rack::{Pattern, Rack};
pub use radii::Radii;
pub use random::{Generator, MAX_SEED, Random};
pub use region::Region;
pub use scene::{FORMAT, Model, Scene};
pub use settings::{RestitutionRule, SceneSettings, SchedulerChoice, SimultaneousRule};
pub use source::{MAX_FILE_BYTES, MAX_TOML_BYTES, Source, Syntax};
pub use view::{Bounds, Pocket, TableStyle, View};
pub use wall::{SceneWall, Shape};

//! A scene as data: what stands in a file, without what is made of it.

mod disc;
mod gas;
mod generator;
mod growth;
mod overlaps;
mod periodic;
mod program;
mod rack;
mod radii;
mod region;
mod roughness;
mod scene;
mod settings;
mod view;
mod wall;

pub use carom_colour::{Look, ParseRgbError, Rgb};
pub use disc::SceneDisc;
pub(crate) use gas::TWO_OF_THREE;
pub use gas::{Gas, Order, Placement};
pub use generator::{Generator, MAX_SEED};
pub use growth::Growth;
pub(crate) use growth::NO_AREA;
pub use overlaps::Overlaps;
pub use periodic::Periodic;
pub(crate) use program::{CommandFile, RegionFile};
pub use program::{SceneAction, SceneCommand, SceneRegion};
pub use rack::{Pattern, Rack};
pub use radii::Radii;
pub(crate) use radii::{CUT, of_the_logarithm};
pub use region::Region;
pub use roughness::SceneRoughness;
pub use scene::{FORMAT, MAX_DISCS, MAX_WALLS, Model, Scene};
pub use settings::SceneSettings;
pub use view::{Bounds, Pocket, TableStyle, View};
pub use wall::{SceneShape, SceneWall};

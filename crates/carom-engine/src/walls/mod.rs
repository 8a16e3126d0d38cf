//! Walls: what users put up, the facets that walls consist of, and which of them are where.

pub(crate) mod arm;
mod boxes;
mod covered;
pub(crate) mod extent;
pub(crate) mod facet;
pub(crate) mod motion;
pub(crate) mod parting;
pub(crate) mod planes;
mod store;
pub(crate) mod wall;
mod wall_index;

pub(crate) use store::{Walls, planned};
pub use wall::{Wall, WallShape};

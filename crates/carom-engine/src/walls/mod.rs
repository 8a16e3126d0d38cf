//! Walls: what users put up, the facets that walls consist of, and which of them are where.

mod boxes;
pub(crate) mod drift;
pub(crate) mod extent;
pub(crate) mod facet;
pub(crate) mod moved;
pub(crate) mod parting;
pub(crate) mod planes;
mod posed;
mod store;
pub(crate) mod turn;
pub(crate) mod wall;
mod wall_index;

pub(crate) use store::{Layout, Walls};
pub use wall::{Wall, WallShape};

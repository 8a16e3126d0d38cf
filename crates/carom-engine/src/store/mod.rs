//! Where the discs and walls are kept.

pub(crate) mod block;
pub(crate) mod bodies;
pub(crate) mod facet;
pub(crate) mod planes;
pub(crate) mod walls;

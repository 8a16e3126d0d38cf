//! Where the discs and walls are kept.

pub(crate) mod block;
pub(crate) mod bodies;
pub(crate) mod column;
pub(crate) mod facet;
pub(crate) mod growth;
pub(crate) mod planes;
pub(crate) mod record;
pub(crate) mod stamp;
pub(crate) mod wall_index;
pub(crate) mod walls;

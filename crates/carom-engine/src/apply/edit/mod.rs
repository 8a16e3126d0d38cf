//! What callers change: discs and walls by the rows of `edit/`, all discs at once, regions, journeys.

pub(crate) mod all;
pub(crate) mod disc;
pub(crate) mod mover;
pub(crate) mod passing;
pub(crate) mod region;
mod rewrite;
pub(crate) mod wall;

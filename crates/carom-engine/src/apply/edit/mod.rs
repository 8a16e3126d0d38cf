//! What callers change: discs and walls, their rules, pairs, all at once.

pub(crate) mod all;
pub(crate) mod disc;
pub(crate) mod mover;
pub(crate) mod pair;
pub(crate) mod region;
mod rewrite;
pub(crate) mod rules;
pub(crate) mod wall;

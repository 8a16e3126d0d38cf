//! What breaks engines: degenerate, hostile and extreme worlds.

#[path = "../common/mod.rs"]
mod common;

mod apart;
mod collapse;
mod crush;
mod edits;
mod finite;
mod gaps;
mod glancing;
mod mass_ratio;
mod met;
mod overlap;
mod ranges;
#[cfg(feature = "serde")]
mod snapshots;

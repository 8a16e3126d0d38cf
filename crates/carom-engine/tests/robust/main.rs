//! What breaks engines: degenerate, hostile and extreme worlds.

use carom_testkit as common;

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

//! What the tests of Carom's crates share: random numbers, the rescan oracle, random games,
//! records of runs, formats of snapshots, tables of what is refused, and numbers of many digits.

#![allow(missing_docs, reason = "what has no comment is said by its name")]

#[cfg(feature = "big")]
pub mod big;
#[cfg(feature = "engine")]
pub mod by;
#[cfg(all(feature = "engine", debug_assertions))]
pub mod engines;
#[cfg(feature = "engine")]
pub mod grammar;
pub mod odd;
#[cfg(feature = "proptest")]
pub mod property;
#[cfg(feature = "engine")]
pub mod record;
pub mod refused;
#[cfg(feature = "engine")]
pub mod regions;
#[cfg(feature = "engine")]
pub mod rescan;
pub mod rng;
#[cfg(feature = "engine")]
pub mod rules;
#[cfg(feature = "engine")]
pub mod stored;
#[cfg(feature = "engine")]
pub mod toys;
#[cfg(feature = "engine")]
pub mod umpire;

pub use glam::dvec2 as at;

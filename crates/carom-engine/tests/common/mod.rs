//! What the tests of the laws share: random numbers, a scheduler that knows nothing, random worlds, records.
#![allow(dead_code, reason = "each test file uses its part of this")]

pub(crate) mod oracle;
pub(crate) mod program;
pub(crate) mod record;
pub(crate) mod rng;
#[cfg(feature = "serde")]
pub(crate) mod stored;

//! Regions: who enters and leaves, when, and that nothing else depends on it.

use carom_testkit as common;

mod calls;
#[cfg(feature = "serde")]
mod programs;

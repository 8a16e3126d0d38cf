//! Regions: who enters and leaves, when, and that nothing else depends on it.

mod calls;
#[cfg(feature = "serde")]
mod programs;

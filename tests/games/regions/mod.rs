//! Regions: who enters and leaves, when, and that nothing else depends on it.

mod calls;
mod programs;

//! Event-driven physics for discs in the plane.
pub use carom_engine::*;

//! What the fuzz targets do with their bytes. Each function takes any bytes and returns, or panics with what
//! was wrong.
//!
//! The targets themselves are in `fuzz/`, which needs a nightly toolchain; this does not, so that an ordinary
//! test replays the corpus.

mod bent_times;
mod bounces;
mod bytes;
pub mod campaign;
mod first_contact;
pub mod hashes;
pub mod heaps;
mod impact_times;
pub mod presses;
mod scene;
mod snapshot;
pub mod systems;
mod worlds;

pub use bounces::bounces;
pub use impact_times::impact_times;
pub use scene::scene;
pub use snapshot::snapshot;
pub use worlds::{Play, calls, forces, games, play_all, play_forces, play_judged, play_smooth, sent};

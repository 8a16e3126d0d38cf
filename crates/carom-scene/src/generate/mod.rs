//! From descriptions to discs: racks set up, gases placed, the same on every machine.

mod curve;
mod gas;
mod grid;
mod pack;
mod rack;
mod radii;
mod random;
mod room;
mod steps;

pub use random::Random;
pub use steps::Progress;
pub(crate) use steps::Steps;

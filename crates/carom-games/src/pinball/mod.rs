//! Pinball: gravity, a round top, bumpers and slingshots that kick, drop targets that a hit removes, one-way
//! gates, flippers.
//!
//! What kicks and what drops is said by a judge. Flippers are arms, which are turned to and fro between two
//! angles. The run stops when the ball is lost and at timers.

mod draw;
mod game;
mod input;
mod pilot;
mod table;

pub use draw::{GROUND, bounds, draw, film, picture, sheet};
pub use game::{Game, Options, Physics};
pub use input::{Action, Side};
pub use pilot::Pilot;

//! Air hockey for two: a puck, two mallets, two goals.
//!
//! Mallets are kinematic discs that [`World::move_to`](carom::World::move_to) sends to where the mouse is;
//! nothing deflects them, they hit the puck with the speed at which they come, and they are there to the last
//! bit in time. Goals are regions. When a puck enters one the run stops at that instant, the puck is taken
//! off the plane, and a timer puts it back. Another timer counts the seven seconds that a player has to play
//! the puck over the middle.

mod draw;
mod game;
mod input;
mod pilot;

pub use draw::{GROUND, bounds, draw, film, picture, sheet};
pub use game::{Game, Options};
pub use input::Mouse;
pub use pilot::Pilot;

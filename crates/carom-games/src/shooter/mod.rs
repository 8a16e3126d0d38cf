//! Two teams of ships in a closed field with rocks. A shot costs a life, a ship without lives waits for its
//! next turn.
//!
//! Ships of a team and their bullets fly through each other (a team), and so do all bullets (groups). What
//! hits something is removed at that instant, by a verdict. The rules need to know of hits and of timers at
//! their exact times, so the run stops at these: see [`Game::advance_to`].

mod draw;
mod game;
mod input;
mod pilot;

pub use draw::{GROUND, bounds, draw, film, picture, sheet};
pub use game::{Game, Options, Physics, Ship};
pub use input::Action;
pub use pilot::Pilot;

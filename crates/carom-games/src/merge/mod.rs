//! A merge game: discs of eleven sizes fall into a box, and two of one size that touch become one of the
//! next.
//!
//! A judge lets two of one size pass, which moves neither of them and is an event that names both. The run
//! stops at that instant, the game takes the two away and puts the next size at their centre of mass, with
//! their momentum. The new disc begins with the largest radius for which there is room, at most its own, and
//! grows in steps. Each step pushes aside the discs that would overlap, none of them further than the
//! diameter grows. So discs never overlap, and none is thrown. A disc that stays above a line ends the game:
//! a region reports it, and a timer counts the time.
//!
//! Of three of one size that touch at one instant the two that were there first merge: what happens at one
//! instant happens in that order, and who has gone merges no more. What grows merges, too, with one of its
//! size that its next step would touch.

mod draw;
mod game;
mod input;
mod pilot;

pub use draw::{GROUND, bounds, colour_of, draw, film, picture, sheet};
pub use game::{Game, Options, Physics};
pub use input::Action;
pub use pilot::Pilot;

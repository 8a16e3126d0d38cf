//! A merge game: discs of eleven sizes fall into a box, and two of one size that touch become one of the
//! next.
//!
//! A judge lets two of one size pass, which moves neither of them and is an event that names both. The run
//! stops at that instant, the game takes the two away and puts the next size at their centre of mass, with
//! their momentum. It begins as large as there is room, and grows from there in steps, each of which pushes
//! aside what would overlap, and nothing further than a diameter grows: so nothing ever overlaps, and nothing
//! is thrown. What stays above a line, a region, ends the game at the time of a timer.
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

//! The plainest game of discs: a ship that thrusts and turns, rocks that split, bullets that time out, on a
//! plane that wraps around on both axes.
//!
//! Thrust is an acceleration of the ship's own ([`DiscForces`](carom::DiscForces)), so that its path is a
//! parabola, and the rock that it comes to is the one that it comes to, over the border as well. A bullet is
//! taken away by a timer, at its exact time. What becomes of a rock that is hit says a verdict
//! ([`FallingRules::Asteroids`](crate::FallingRules)): bullet and rock go, and two halves come in the place
//! of the rock, with the momentum of both.

mod draw;
mod game;
mod input;
mod pilot;

pub use draw::{GROUND, bounds, draw, film, picture, sheet};
pub use game::{Game, Options, Physics, Ship};
pub use input::Action;
pub use pilot::Pilot;

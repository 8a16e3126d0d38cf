use carom::DVec2;
use serde::{Deserialize, Serialize};

/// One of the two flippers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Side {
    /// The left one.
    Left,
    /// The right one.
    Right,
}

/// What the player does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Action {
    /// Presses the button of a flipper.
    Press(Side),
    /// Lets it go.
    Release(Side),
    /// Fires the ball up the lane, if it lies there, with a speed of at most
    /// [`Game::LAUNCH`](super::Game::LAUNCH).
    Launch(f64),
    /// Pushes the table: the ball gains a velocity of at most [`Game::NUDGE`](super::Game::NUDGE).
    Nudge(DVec2),
}

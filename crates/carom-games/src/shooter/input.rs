use carom::DVec2;
use serde::{Deserialize, Serialize};

/// What the player of a ship does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Action {
    /// Flies on with this velocity, no faster than [`Game::SPEED`](super::Game::SPEED).
    Steer(DVec2),
    /// Fires in this direction, of any length, if the gun is loaded.
    Fire(DVec2),
}

use serde::{Deserialize, Serialize};

/// What the player does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Action {
    /// Moves the dropper above this place, or the nearest at which the disc that it holds is in the box.
    Aim(f64),
    /// Drops the disc, if the dropper holds one, the game is not over, and nothing is in the way.
    Drop,
}

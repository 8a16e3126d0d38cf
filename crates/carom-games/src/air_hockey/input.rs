use carom::DVec2;
use serde::{Deserialize, Serialize};

/// Where the mouse of a player is, on the table. The mallet is there
/// [`Game::REACH`](super::Game::REACH) seconds later, or as soon as it can be, if that is in the player's half.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mouse(pub DVec2);

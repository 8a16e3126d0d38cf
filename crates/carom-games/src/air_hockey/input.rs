use carom::DVec2;
use serde::{Deserialize, Serialize};

/// Where the mouse of a player is, on the table. The mallet is there a
/// [`Game::REACH`](super::Game::REACH) later, or as soon as it can be, if that is in the player's half.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mouse(pub DVec2);

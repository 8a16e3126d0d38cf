use serde::{Deserialize, Serialize};

/// What the player of a ship does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action {
    /// Turns by so many steps of 5° to the left; to the right if it is negative.
    Turn(i8),
    /// Switches the engine on or off.
    Thrust(bool),
    /// Fires ahead, if the gun is loaded.
    Fire,
}

use serde::{Deserialize, Serialize};

/// What the player of a ship does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action {
    /// Turns the ship by this number of steps of 5°, counter-clockwise; clockwise if the number is negative.
    Turn(i8),
    /// Switches the engine on or off.
    Thrust(bool),
    /// Fires ahead, if the gun is loaded.
    Fire,
}

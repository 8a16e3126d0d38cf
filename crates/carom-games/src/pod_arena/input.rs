use carom::DVec2;
use serde::{Deserialize, Serialize};

/// What a pod is to do from the next turn on, until it has another order.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Order {
    /// Where it turns to.
    pub target: DVec2,
    /// How it flies.
    pub power: Power,
}

/// How a pod flies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Power {
    /// With this thrust, at most 200.
    Thrust(u32),
    /// With a thrust of 650, once in a race; after that with 200.
    Boost,
    /// Ten times as heavy for this turn, and without thrust for it and three more.
    Shield,
}

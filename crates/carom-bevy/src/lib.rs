#![doc = include_str!("../README.md")]

mod advance;
mod aim;
mod components;
#[cfg(feature = "diagnostics")]
mod diagnostics;
mod give;
#[cfg(feature = "gizmos")]
mod gizmos;
mod hooks;
mod link;
mod messages;
mod physics;
#[cfg(feature = "picking")]
mod picking;
mod plugin;
mod refused;
mod rollback;
mod seen;
mod spawn;
mod take;
mod tell;

pub use aim::Aim;
pub use carom;
pub use components::{
    Body, Disc, Extra, Kinematic, Mass, MoveTo, Position, Region, Restitution, Rules, Surface, UserData,
    Velocity, Wall,
};
#[cfg(feature = "diagnostics")]
pub use diagnostics::CaromDiagnosticsPlugin;
#[cfg(feature = "gizmos")]
pub use gizmos::{CaromGizmos, CaromGizmosPlugin, GizmoView, Pen};
pub use messages::{
    Captured, Entered, Happened, Held, Impacted, Inserted, Left, LetGo, Overran, Removed, TimerEnded,
};
pub use physics::Physics;
#[cfg(feature = "picking")]
pub use picking::CaromPickingPlugin;
pub use plugin::{CaromPlugin, PhysicsStep, When};
pub use refused::{Reason, Refused};
pub use rollback::{Saved, load};

use bevy_math::DVec2;

/// What a program that uses the plugin names.
pub mod prelude {
    pub use crate::{
        Aim, CaromPlugin, Disc, Impacted, Kinematic, Mass, MoveTo, Physics, Position, Region, Restitution,
        Rules, Velocity, Wall,
    };
}

/// To the engine's vectors, which are of another version of glam.
pub(crate) fn to(vector: DVec2) -> carom::DVec2 {
    carom::DVec2::from_array(vector.to_array())
}

/// From the engine's vectors.
pub(crate) fn from(vector: carom::DVec2) -> DVec2 {
    DVec2::from_array(vector.to_array())
}

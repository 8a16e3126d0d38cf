//! Carom live: a window, and a canvas of a web page, in which discs and the tips of their velocities are
//! dragged while the coming events are drawn.
//!
//! [`Viewer`] is the program: it shows one [`Room`] at a time, with egui. The room of discs, [`DiscRoom`],
//! draws a [`Session`], which is all of it without a window: a world with its past and future, what is
//! selected, how fast time runs, and what can be done.

mod app;
mod base64;
mod billiard_room;
mod billiards;
mod camera;
mod discs;
mod file;
#[cfg(feature = "rapier")]
mod fixed_step;
#[cfg(feature = "games")]
mod games;
mod gas;
mod given;
mod link;
#[cfg(not(target_arch = "wasm32"))]
mod measure;
mod plot;
mod polyline;
mod room;
mod session;
mod style;
mod walls;
#[cfg(target_arch = "wasm32")]
pub mod web;

pub use app::{Viewer, scenes};
pub use billiard_room::BilliardRoom;
pub use billiards::{Aim, BilliardSession, Contact, Forecast, Phase, SPEEDS, STEEPEST, SeenBall};
pub use discs::DiscRoom;
#[cfg(feature = "rapier")]
pub use fixed_step::{Beside, Compared, FixedStep};
#[cfg(feature = "games")]
pub use games::{Controls, GAMES, GameRoom, Play, game};
pub use gas::{Colouring, Gas, GasOptions, GasRoom, GasSample};
pub use link::Promise;
#[cfg(not(target_arch = "wasm32"))]
pub use measure::Measured;
pub use room::{Entry, Opened, Room, Shell};
pub use session::{
    AnyTimeline, Coming, ComingKind, Contacts, Logged, Outlook, Pair, Sample, SeenDisc, SeenEvent, Session,
    Track, WholeDisc, WholeWall, WorldRef, names,
};

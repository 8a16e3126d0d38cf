//! Carom live: a window, and a canvas of a web page, in which discs and the tips of their velocities are
//! dragged while the coming events are drawn.
//!
//! [`Session`] is all of it without a window: a world with its past and future, what is selected, how
//! fast time runs, and what can be done. [`Viewer`] draws one with egui and takes the mouse, fingers and
//! keys.

mod session;
mod viewer;
#[cfg(target_arch = "wasm32")]
pub mod web;

pub use session::{Coming, ComingKind, Contacts, Logged, Outlook, Pair, Sample, Session, Track, names};
pub use viewer::Viewer;

//! The engine for JavaScript: what `package/carom.js` calls, through WebAssembly.
//!
//! People use the package, which is written in JavaScript with types (`package/carom.d.ts`): it checks what
//! it is given, makes typed errors, and shows memory of the module as typed arrays. This crate is the layer
//! below it: an [`Engine`] whose functions take numbers and texts, and write numbers to buffers that
//! JavaScript views.
//!
//! Nothing that comes through the door can make it panic: a panic would end the module with all its worlds.

mod advance;
mod body;
mod construct;
mod edit;
mod engine;
mod error;
mod forecast;
mod growth;
mod handle;
mod keep;
mod laws;
mod query;
mod read;
mod record;
mod refused;
mod regions;
mod room;
mod rulebook;
mod save;
mod timeline;
mod timers;
mod walls;

pub use construct::{golden_run, scene_names, scene_text};
pub use engine::Engine;
pub use refused::Refused;
pub use timeline::Past;

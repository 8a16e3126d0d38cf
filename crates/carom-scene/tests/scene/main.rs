//! Scenes: files, what they expand to, and the worlds that they make.
//!
//! One program, as the engine is compiled anew for each.

mod expand;
mod files;
mod golden;
mod growth;
mod hostile;
mod named;
mod reversal;
mod schema;
mod worlds;

//! The calls that users make, and how they end.

#[path = "../common/mod.rs"]
mod common;

mod bulk;
mod stops;

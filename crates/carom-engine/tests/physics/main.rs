//! Numbers of physics: closed forms, published values, conservation.

#[path = "../common/mod.rs"]
mod common;

mod energy;
mod groups;
mod growth;
mod published;
mod walls;

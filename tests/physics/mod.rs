//! Numbers of physics: closed forms, published values, conservation.

mod compression;
mod drag;
mod energy;
mod frozen;
mod groups;
mod growth;
mod held_friction;
mod held_heat;
mod held_limits;
mod held_turns;
mod held_unlike;
mod lone_rubbing;
mod published;
mod rough;
mod rough_worlds;
mod rubbing;
mod walls;

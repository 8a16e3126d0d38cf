//! Impacts and changes of motion: what the velocities after them are, and how these are stored.

mod collapse;
pub(crate) mod complementarity;
pub(crate) mod group;
mod motion_change;
pub(crate) mod resolve;
mod simultaneous;
mod two_body;

pub(crate) use two_body::{Bounce, approach, bounce_pair, bounce_wall};

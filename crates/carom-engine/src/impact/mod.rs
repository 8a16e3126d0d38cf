//! Impacts and changes of motion: what the velocities after them are, and how these are stored.

mod collapse;
pub(crate) mod complementarity;
mod contact;
pub(crate) mod group;
mod motion_change;
pub(crate) mod resolve;
mod scan;
mod simultaneous;
mod two_body;

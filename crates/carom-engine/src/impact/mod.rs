//! Impacts and changes of motion: what the velocities after them are, and how these are stored.

mod along_facet;
pub(crate) mod collapse;
pub(crate) mod contact;
pub(crate) mod crush;
pub(crate) mod energy;
pub(crate) mod fade;
mod friction;
pub(crate) mod group_physics;
pub(crate) mod hold_events;
pub(crate) mod judge;
pub(crate) mod motion_change;
pub(crate) mod plain;
pub(crate) mod release;
pub(crate) mod resolve;
pub(crate) mod responder;
pub(crate) mod rest;
pub(crate) mod scan;
pub(crate) mod simultaneous;
pub(crate) mod slide;
mod touching;
mod two_body;
pub(crate) mod write;

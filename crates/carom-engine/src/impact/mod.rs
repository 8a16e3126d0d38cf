//! Impacts and changes of motion: what the velocities after them are, and how these are stored.

mod along_facet;
mod arm;
mod collapse;
mod contact;
mod crush;
mod energy;
mod fade;
mod friction;
mod group_physics;
mod hold_events;
mod judge;
mod motion_change;
mod plain;
mod release;
pub(crate) mod resolve;
mod rest;
mod scan;
mod simultaneous;
mod slide;
mod two_body;

//! Impacts and changes of motion: what the velocities after them are, and how these are stored.

mod active_set;
mod block_ldl;
mod collapse;
mod common_velocity;
pub(crate) mod complementarity;
mod contact;
mod contact_problem;
mod crush;
mod give_way;
pub(crate) mod group;
mod look_again;
mod motion_change;
mod passes;
mod release;
pub(crate) mod resolve;
mod scan;
mod simultaneous;
mod slide;
#[cfg(test)]
mod tests;
mod two_body;
mod yielding;

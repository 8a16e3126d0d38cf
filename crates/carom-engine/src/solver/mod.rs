//! The velocities after an impact of many bodies at once: contacts, the complementarity problems that they
//! make, and the passes that solve these. Knows bodies and contacts; no world, no schedule.

mod active_set;
mod approach;
mod block_ldl;
mod carried;
mod common_velocity;
pub(crate) mod complementarity;
mod contact_problem;
mod energy;
pub(crate) mod entries;
mod give_way;
mod grip;
pub(crate) mod ground;
pub(crate) mod group;
mod interior;
mod jam;
mod look_again;
mod newton;
mod passes;
mod piece;
pub(crate) mod pressing;
mod proximal;
mod refine;
mod rest;
mod role;
mod rough;
mod row;
mod row_factor;
mod slip;
mod structure;
#[cfg(test)]
mod tests;
mod wedged;
mod yielding;

//! Environments for agents: many in one call.

mod batch;
mod discs;
mod frame;
mod hockey;
mod pods;
mod random;
mod task;

pub(crate) use batch::Batch;

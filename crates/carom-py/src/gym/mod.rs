//! Environments for agents: many in one call.

mod batch;
mod breakout;
mod discs;
mod frame;
mod hockey;
mod nine_ball;
mod pinball;
mod pods;
mod random;
mod task;

pub(crate) use batch::Batch;

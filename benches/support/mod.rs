//! Shared by the benches.
#![allow(dead_code, reason = "each bench uses a part of it")]

pub(crate) mod bare_table;
pub(crate) mod cpu_time;
pub(crate) mod crowd;
pub(crate) mod gas;
pub(crate) mod naive_loop;

//! How accurate trajectories are: against 77 digits, and run backwards.

#[path = "../common/mod.rs"]
mod common;

mod big;
mod digits;
mod oracle;
mod plain;
mod reversal;
mod scene;

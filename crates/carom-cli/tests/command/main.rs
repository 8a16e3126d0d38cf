//! The command as a stranger uses it: the binary itself, its files and its exit codes.

mod common;
mod filters;
mod five_shots;
mod forces;
mod outputs;
mod pictures;
mod runs;
mod saving;
mod shots;

// Modules of the program with unit tests, which run here: as its own test program all of it would be compiled
// again.
#[path = "../../src/numbers.rs"]
mod numbers;
#[path = "../../src/order.rs"]
mod order;

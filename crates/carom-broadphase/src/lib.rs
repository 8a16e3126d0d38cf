//! Which event is next? Schedulers over slots and times.
//!
//! This crate has never heard of position or velocity. It is told which slots changed, asks a [`Predictor`]
//! for the times that concern them, and keeps the earliest event at hand. [`PairTable`] is the exact and simple
//! scheduler, and the oracle for every cleverer one behind the [`Scheduler`] trait.
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod auto;
mod bit_matrix;
mod bits;
mod cell_grid;
mod grid;
mod group;
mod key;
mod pair_table;
mod predictor;
mod prefetch;
mod room;
mod row_queue;
mod rows;
mod scheduler;

pub use auto::Auto;
pub use bits::Bits;
pub use cell_grid::CellGrid;
pub use key::{EventKey, Kind};
pub use pair_table::PairTable;
pub use predictor::{Circle, Meeting, Predictor, Slot, Solo, partners_one_by_one};
pub use prefetch::prefetch;
pub use room::make_room;
pub use row_queue::RowQueue;
pub use scheduler::{Scheduled, Scheduler, SchedulerCounters, SchedulerKind};

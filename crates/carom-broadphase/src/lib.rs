//! Which event is next? Schedulers over slots and times.
//!
//! A scheduler is given the slots that changed, asks a [`Predictor`] for the times that concern them, and
//! keeps the earliest event at hand. [`PairTable`] holds all pair times, for few discs; [`CellGrid`] is a
//! neighbour-list scheduler for many; [`Auto`] is whichever is faster. All give the same events.
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod auto;
mod bits;
mod cell_grid;
mod clone_fields;
mod event_key;
mod grid_scheduler;
mod memory;
mod pair_row;
mod pair_table;
mod predictor;
mod prefetch;
mod scheduled;
mod scheduler;
mod slot;
mod table_scheduler;
mod zone;

pub use auto::Auto;
#[doc(hidden)]
pub use bits::Bits;
pub use cell_grid::CellGrid;
pub use event_key::{EventKey, Kind};
#[doc(hidden)]
pub use memory::reserve_huge_pages;
pub use pair_row::{Least, PairRow, RowLanes};
pub use pair_table::PairTable;
pub use predictor::{Circle, EventTimes, Meeting, NextMeeting, Predictor, Solo};
#[doc(hidden)]
pub use prefetch::prefetch;
pub use scheduled::{Scheduled, SchedulerCounters};
pub use scheduler::{Scheduler, SchedulerKind};
pub use slot::Slot;
pub use zone::Zone;

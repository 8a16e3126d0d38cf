//! Which event is next? Schedulers over slots and times.
//!
//! A [`Scheduler`] is given the slots that changed, asks a [`Predictor`] for the times that concern them, and
//! keeps the earliest event at hand. It is one of two: a [`PairTable`] holds all pair times, for few discs; a
//! [`CellGrid`] keeps neighbour lists, for many. Both give the same events.
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod bits;
mod cell_grid;
mod clone_fields;
mod event_key;
mod memory;
mod pair_row;
mod pair_table;
mod predictor;
mod prefetch;
mod scheduled;
mod scheduler;
mod slot;
mod tolerance;
mod zone;

#[doc(hidden)]
pub use bits::Bits;
pub use carom_math::Circle;
pub use cell_grid::CellGrid;
pub use event_key::{EventKey, Kind};
#[doc(hidden)]
pub use memory::reserve_huge_pages;
pub use pair_row::{PairRow, RowLanes, RowMin};
pub use pair_table::{Horizon, PairTable};
pub use predictor::{EventTimes, Meeting, NextMeeting, Predictor, Solo, Species};
#[doc(hidden)]
pub use prefetch::prefetch;
pub use scheduled::{Scheduled, SchedulerCounters};
pub use scheduler::{Scheduler, SchedulerKind};
pub use slot::Slot;
pub use zone::Zone;

//! The world: owns discs and walls, advances to the next event, resolves it, and recomputes what it changed.
//!
//! One event, from queue to response and back: `World::run` takes the next one from the scheduler;
//! `instant` finds where the discs are; `impact` computes what becomes of those who meet; `Bodies::put`
//! writes their new states; the scheduler asks `outlook` for what these states foretell.

mod advance;
mod collapse;
mod course;
mod diagnostics;
mod disc;
mod edit;
mod error;
mod event;
mod growth;
mod handle;
mod impact;
mod instant;
mod instructions;
pub mod limits;
mod outlook;
mod overlap;
mod physics;
mod quad;
mod resolve;
mod resolve_change;
mod resolve_group;
mod settings;
mod simd;
#[cfg(feature = "serde")]
pub mod snapshot;
mod store;
mod touch;
mod wall;
mod world;

pub use advance::{Advance, StopReason, Upcoming, UpcomingKind};
pub use carom_broadphase as broadphase;
pub use carom_broadphase::SchedulerKind;
pub use carom_math::{self as math, Clock, DVec2, Time};
pub use diagnostics::Counters;
pub use disc::{Disc, Overlap};
pub use error::Error;
pub use event::{Event, Impact, Never, Partner, Sink};
pub use handle::{DiscId, WallId};
pub use instructions::SimdLevel;
pub use overlap::{Moved, Overlapping, Parted};
pub use physics::{Body, Contact, Physics, Smooth, State};
pub use settings::{Collapse, CombineRule, Settings, Simultaneous};
pub use wall::{Wall, WallShape};
pub use world::World;

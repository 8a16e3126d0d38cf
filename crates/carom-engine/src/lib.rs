//! The world: owns discs and walls, advances to the next event, resolves it, and recomputes what it changed.
//!
//! One event, from queue to response and back: `World::run_events` takes the next one from the scheduler;
//! `respond` computes the velocities after it; `apply` stores the new states; the scheduler asks `predict`
//! for the events that follow from these.

#[macro_use]
mod setters;

mod apply;
mod counters;
mod crossing;
mod debug_draw;
mod disc;
mod disc_ref;
mod drag;
mod edit;
mod error;
mod event;
mod forecast;
mod handle;

// Cargo turns the feature on for examples, too. A release build shares nothing of what this compiles.
#[cfg(all(feature = "instances", debug_assertions))]
#[doc(hidden)]
pub mod instances;
mod judge;
mod ledger;
pub mod limits;
mod overlap;
mod partner;
mod path_piece;
mod physics;
mod predict;
mod query;
mod respond;
mod rules;
mod run;
mod sense;
mod settings;
mod simd;
mod sink;
#[cfg(feature = "serde")]
pub mod snapshot;
#[cfg(not(feature = "serde"))]
#[allow(dead_code, unreachable_pub, reason = "it is compared, and neither saved nor loaded")]
mod snapshot;
mod state;
mod stop;
mod store;
mod touch;
mod walk;
mod walls;
mod world;

pub use carom_broadphase as broadphase;
pub use carom_broadphase::SchedulerKind;
pub use carom_math::{self as math, Clock, DVec2, Time};
pub use counters::Counters;
pub use crossing::{Crossing, CrossingCause};
pub use debug_draw::{DebugDraw, DebugView, Mark};
pub use disc::{Disc, Overlap, Sensor};
pub use disc_ref::DiscRef;
pub use error::Error;
pub use event::{Event, Hold, Impact};
pub use forecast::{Forecast, ForecastOptions, PathEnd};
pub use glam;
pub use handle::{DiscId, RegionId, TimerId, WallId};
pub use judge::{
    Command, CommandKind, Commands, Departure, Encounter, Party, Passage, Refusal, Verdict, Which,
};
pub use ledger::Ledger;
pub use overlap::{Moved, Overlapping, Parted};
pub use partner::Partner;
pub use path_piece::{Meeting, PathPiece};
pub use physics::{
    Approach, Body, Contact, ContactFriction, DiscForces, Forces, Grip, Judge, Judged, Met, Never, Physics,
    Rough, RoughDisc, RoughWall, Roughness, Smooth, Spin, Standstill, State, Turning,
};
pub use query::{CastOptions, DiscHit, Nearest, QueryFilter, Ray, RayHit};
pub use rules::Rules;
pub use sense::{Extent, Region, RegionShape};
pub use settings::{Collapse, CombineRule, CrushRule, Rest, Settings, Simultaneous, Sliding};
pub use simd::SimdLevel;
pub use sink::{Sink, SinkFlow, Turn};
pub use snapshot::Difference;
pub use stop::{Advance, StopReason};
pub use store::Moment;
pub use walk::{Fields, Place, StoredValue, Walk};
pub use walls::{Wall, WallShape};
pub use world::{ArmState, Upcoming, UpcomingKind, WallMotion, World};

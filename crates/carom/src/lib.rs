//! Event-driven physics for discs in the plane: exact times of impact, no time step, the same bits
//! everywhere.
//!
//! A [`World`] knows the exact moment of each disc's next event. [`World::advance`] jumps from event to
//! event, resolves each, computes again only what it changed, and stops at the time asked for. Between events
//! a path is a formula, so nothing tunnels, no energy leaks, and the result does not depend on the frame
//! rate.
//!
//! ```
//! use carom::{DVec2, Disc, Event, Wall, World};
//!
//! fn main() -> Result<(), carom::Error> {
//!     let mut world = World::new();
//!     world.add_wall(Wall::container(DVec2::ZERO, DVec2::new(20.0, 10.0)))?;
//!     let cue = world.insert(Disc::new(DVec2::new(4.0, 5.0), 0.5).with_velocity(DVec2::new(30.0, 1.0)))?;
//!     world.insert(Disc::new(DVec2::new(14.0, 5.0), 0.5))?;
//!
//!     for _frame in 0..60 {
//!         world.advance(1.0 / 60.0)?;
//!         for event in world.events() {
//!             let Event::Impact(impact) = event else { continue };
//!             println!("{impact}");
//!         }
//!     }
//!     if let Some(ball) = world.get(cue) {
//!         println!("cue ball at {}", ball.position());
//!     }
//!     Ok(())
//! }
//! ```
//!
//! # Where to look
//!
//! The root has what a first program needs; modules have the rest, by what it is for. Each name of a module
//! can be taken from the root, too: `use carom::{World, Judged, Verdict}`.
//!
//! | for | see |
//! | --- | --- |
//! | discs: radius, mass (infinite, or 0 for a tracer), restitution | [`Disc`] |
//! | walls: half-planes, segments, capsules, arcs, rooms, polylines, arms | [`Wall`], [`WallShape`] |
//! | how a call of `advance` ends, and its budget | [`Advance`], [`StopReason`], [`Settings`] |
//! | what happened | [`World::events`], [`Impact`], [`mod@events`] |
//! | gravity, thrusters, sliding friction | [`Forces`] |
//! | what presses on what, heaps at rest | [`World::held_to`], [`Event::Held`], [`settings::Rest`] |
//! | rules of a game: what becomes of those that meet | [`rules`] |
//! | who enters and leaves what | [`regions`] |
//! | what is where, rays and casts | [`queries`] |
//! | what will happen: paths, aim lines, who hits whom first | [`future`], [`World::state_at`] |
//! | input and events at times of one's own | [`World::command_at`], [`World::set_timer`] |
//! | flippers, lifts, doors, paddles | [`World::turn_arm`], [`World::move_wall`], [`World::move_to`] |
//! | drag, periods, collapse, impacts at one instant | [`settings`] |
//! | dense starts: radii that grow | [`World::set_growth`] |
//! | discs that turn and rub; a physics of one's own | [`physics`] |
//! | back and forth in time: replays, scrubbing, undoing | [`Timeline`] |
//! | games on several machines: where worlds differ | [`World::checksum`], [`World::diff`] |
//! | saving and loading, with the feature `serde` | `carom::snapshot` |
//! | energy: what added it and what took it | [`World::ledger`], [`mod@measures`] |
//! | ranges of numbers | [`limits`] |
//! | times of impact without a world | [`math::toi`] |
//!
//! # Determinism
//!
//! The same calls give the same bits on every machine, in debug and release, with any vector width: positions
//! are made by `+ − × ÷ √` alone, each rounded once. A state is stored when its disc has an event or is
//! edited, never at the end of a frame, so `advance_to(1.0)` and sixty times a sixtieth give the same states
//! at the same times.

#[cfg(feature = "serde")]
#[doc(inline)]
pub use carom_engine::snapshot;
#[doc(hidden)]
pub use carom_engine::*;
#[doc(inline)]
pub use carom_engine::{
    Advance, DVec2, Disc, DiscId, DiscRef, Error, Event, Forces, Impact, Moment, Partner, Settings,
    StopReason, Time, Wall, WallId, WallShape, World, limits,
};
#[doc(inline)]
pub use carom_timeline::Timeline;

/// What happens, beside impacts, and to whom it is told.
pub mod events {
    #[doc(inline)]
    pub use carom_engine::{Hold, Sink, SinkFlow, TimerId, Turn};
}

/// Rules of a game: what collides with what, and what becomes of those that meet.
pub mod rules {
    #[doc(inline)]
    pub use carom_engine::{
        Command, CommandKind, Commands, Departure, Encounter, Judge, Judged, Party, Passage, Refusal, Rules,
        Verdict, Which,
    };
}

/// Regions: who enters and leaves what, at exact times.
pub mod regions {
    #[doc(inline)]
    pub use carom_engine::{Crossing, CrossingCause, Extent, Region, RegionId, RegionShape, Sensor};
}

/// What is where: shapes, rays and casts, the nearest.
pub mod queries {
    #[doc(inline)]
    pub use carom_engine::{CastOptions, DiscHit, Nearest, QueryFilter, Ray, RayHit};
}

/// What will happen: exact paths, and the next event.
pub mod future {
    #[doc(inline)]
    pub use carom_engine::{Forecast, ForecastOptions, Meeting, PathEnd, PathPiece, Upcoming, UpcomingKind};
}

/// What a world is told by [`Settings`].
pub mod settings {
    #[doc(inline)]
    pub use carom_engine::{
        Collapse, CombineRule, CrushRule, Rest, SchedulerKind, SimdLevel, Simultaneous, Sliding,
    };
}

/// Forces, discs that turn and rub, and the door for a physics of one's own.
pub mod physics {
    #[doc(inline)]
    pub use carom_engine::{
        Approach, Body, Contact, ContactFriction, DiscForces, Fields, Grip, Met, Never, Physics, Place,
        Rough, RoughDisc, RoughWall, Roughness, Smooth, Spin, Standstill, State, StoredValue, Turning, Walk,
        fields, variants,
    };
}

/// What is measured of a world, and in what two worlds differ.
pub mod measures {
    #[doc(inline)]
    pub use carom_engine::{ArmState, Counters, Difference, Ledger, WallMotion};
}

/// Discs that overlap: whether they may, and how they are parted.
pub mod overlaps {
    #[doc(inline)]
    pub use carom_engine::{Moved, Overlap, Overlapping, Parted};
}

/// A picture of what a world knows.
pub mod debug {
    #[doc(inline)]
    pub use carom_engine::{DebugDraw, DebugView, Mark};
}

/// Which event is next: what [`World::scheduler`] returns.
///
/// The crate `carom-broadphase` has what such a scheduler takes and asks.
pub mod broadphase {
    pub use carom_engine::broadphase::{
        CellGrid, EventKey, Kind, PairTable, Scheduled, Scheduler, SchedulerCounters, SchedulerKind,
    };
}

/// When do two shapes touch: pure functions, without a world; times and periods.
///
/// The crate `carom-math` has what these are made of.
pub mod math {
    pub use carom_engine::math::{
        Arc, Circle, Clock, DVec2, HalfPlane, Periods, Segment, Shown, Time, elementary, overlap, toi,
        tolerance,
    };
}

#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/embedding.md")]
struct Embedding;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/own-physics.md")]
struct OwnPhysics;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/tutorial.md")]
struct Tutorial;

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
//! | for | see |
//! | --- | --- |
//! | discs: radius, mass (infinite, or 0 for a tracer), restitution | [`Disc`] |
//! | walls: half-planes, segments, arcs, rooms, polylines | [`Wall`], [`WallShape`] |
//! | how a call ends, and its budget | [`Advance`], [`StopReason`], [`Settings`] |
//! | what is where | [`World::overlap_point`], [`World::overlap_disc`], [`World::nearest`] |
//! | rays and casts | [`World::cast_ray`], [`World::ray_hits`], [`World::cast_disc`] |
//! | what will happen: paths, aim lines, who hits whom first | [`Forecast`], [`World::state_at`] |
//! | what happened | [`World::events`], [`Impact`], [`Sink`] |
//! | rules of a game: what becomes of those that meet | [`Judge`], [`Judged`], [`Verdict`], [`Commands`] |
//! | who enters and leaves what | [`Region`], [`Disc::with_sensor`], [`World::inside`] |
//! | input and events at times of one's own | [`World::command_at`], [`World::set_timer`] |
//! | impacts at one instant | [`Simultaneous`] |
//! | gravity, thrusters, sliding friction | [`Forces`], [`World::set_physics`] |
//! | what presses on what, heaps at rest | [`Rest`], [`World::held_to`], [`Event::Held`] |
//! | drag, for all discs alike | [`Settings::drag`] |
//! | dense starts: radii that grow | [`World::set_growth`] |
//! | ranges of numbers | [`limits`] |
//! | a physics of one's own | [`Physics`] |
//! | back and forth in time: replays, scrubbing, undoing | [`Timeline`] |
//! | games on several machines: one number for all that counts | [`World::checksum`] |
//! | tests of rollback: the first bit in which two worlds differ | [`World::diff`], [`Difference`] |
//! | saving and loading, with the feature `serde` | `carom::snapshot` |
//! | times of impact without a world | [`math::toi`] |
//!
//! # Determinism
//!
//! The same calls give the same bits on every machine, in debug and release, with any vector width: positions
//! are made by `+ − × ÷ √` alone, each rounded once. A state is stored when its disc has an event or is
//! edited, never at the end of a frame, so `advance_to(1.0)` and sixty times a sixtieth give the same states
//! at the same times.

pub use carom_engine::*;
pub use carom_timeline::Timeline;

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

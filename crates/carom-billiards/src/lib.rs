//! Billiards on the event-driven engine of Carom: cloth, spin, cushions, pockets, cue.
//!
//! SI units and radians. In the frame of the table x runs from 0 to its width and y from 0 to its length,
//! between the noses of the cushions, and z upwards; `World`s have their origin at the table's centre.
//! [`Billiards`] is the physics, a [`Physics`](engine::Physics) of the engine like any other. What a program
//! names to see the world of a game is here, too: [`World`], [`Event`], `DVec2`. The rest is in [`engine`].
//!
//! ```
//! use carom_billiards::{Rack, Shot, Table};
//!
//! let table = Table::pool_9ft();
//! let mut game = Rack::nine_ball().place(&table, 1)?.build(&table)?;
//! let outcome = game.shoot(&Shot::new(9.0).aimed_at(std::f64::consts::FRAC_PI_2))?;
//! assert_eq!(outcome.first_hit.as_deref(), Some("1"));
//! # Ok::<(), carom_billiards::Error>(())
//! ```

pub mod aim;
mod ball;
mod building;
mod contact;
mod cue;
mod cushion;
mod cushions;
#[cfg(feature = "draw")]
mod draw;
mod elementary;
mod error;
mod fall;
mod frozen;
mod game;
mod gathered;
mod known;
mod layout;
mod ledger;
mod lip;
pub mod look;
mod motion;
mod obstruction;
mod outcome;
mod outline;
mod pair;
mod physics;
mod pocket;
mod rack;
mod random;
mod recording;
pub mod rules;
#[cfg(feature = "scene")]
mod scene;
mod sight;
mod table;
mod threads;
mod turning;

pub use ball::{Ball, Coefficients, Friction};
#[cfg(feature = "draw")]
#[doc(no_inline)]
pub use carom_draw::DrawError;
#[doc(no_inline)]
pub use carom_engine as engine;
#[doc(no_inline)]
pub use carom_engine::glam::{DQuat, DVec3};
#[doc(no_inline)]
pub use carom_engine::{
    Advance, DVec2, Disc, DiscId, DiscRef, Event, Impact, Partner, Settings, StopReason, Time, Wall, WallId,
    World,
};
pub use cue::{Cue, Obstacle, Obstruction, Shot, Strike, Tip};
pub use cushion::CushionModel;
#[cfg(feature = "draw")]
pub use draw::Picture;
pub use error::Error;
pub use fall::Fall;
pub use frozen::Place;
pub use game::Game;
pub use known::Full;
pub use layout::{Layout, Placed};
pub use ledger::EnergyLedger;
pub use lip::PocketModel;
pub use motion::{BallState, Hold, Lift, Motion, MotionChange, energy, slip};
pub use outcome::{BallHit, CushionHit, Outcome, Potted};
pub use outline::{Hole, Nose, Outline, RoundNose};
pub use pair::PairModel;
pub use physics::{Billiards, Surface};
pub use pocket::{Mouth, Pockets};
pub use rack::Rack;
pub use recording::{Happening, Moment, Piece, Recording};
#[cfg(feature = "scene")]
pub use scene::{Scene, SceneBall};
pub use table::Table;
pub use threads::{MOST_THREADS, start_threads};
pub use turning::Turning;

/// The programs of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/billiards.md")]
mod documentation {}

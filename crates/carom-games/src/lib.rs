//! Small games to read. Each has its state and rules, its input, and its drawing in modules of their own, so
//! that a window or a network takes the first two and leaves the third.
//!
//! | game | what it shows |
//! | --- | --- |
//! | [`air_hockey`] | kinematic discs that follow a mouse, goals as regions, paths forecast to defend |
//! | [`asteroids`] | a plane that wraps around, thrust, bullets that time out, rocks that split |
//! | [`merge`] | heaps, two discs that become one by a verdict, growth that pushes others apart |
//! | [`pinball`] | gravity, bumpers that kick, targets that fall, gates, flippers that are arms |
//! | [`pod_arena`] | turns, an impulse of the game's own, impacts one by one, checkpoints as regions |
//! | [`shooter`] | teams and groups, bullets that a verdict removes, a run that stops for its rules |
//!
//! All of them are deterministic: input carries its own time and is applied at it, so the frames into which
//! the time is cut change nothing, and what the rules decide they decide at the exact time of an event. The
//! tests play scripts at 30, 60 and 144 frames a second, in random frames, with each scheduler, from clones
//! and from saved games, and compare every bit.
//!
//! ```
//! use carom_games::shooter::{Action, Game, Options};
//! use carom_games::Input;
//!
//! let mut game = Game::new(&Options::default())?;
//! // At 0.1 s ship 0 fires to the right, whatever frame that falls into.
//! game.input(Input { time: 0.1, player: 0, action: Action::Fire([1.0, 0.0].into()) })?;
//! for frame in 1..=30 {
//!     game.advance_to(f64::from(frame) / 60.0)?;
//! }
//! assert_eq!(game.bullets(), 1);
//! # Ok::<(), carom_games::Error>(())
//! ```

pub mod air_hockey;
pub mod asteroids;
mod board;
mod error;
mod input;
pub mod merge;
pub mod pinball;
pub mod pod_arena;
mod random;
mod rules;
pub mod shooter;

pub use board::Board;
pub use error::Error;
pub use input::{Input, Inputs};
pub use rules::{FallingRules, Rules};

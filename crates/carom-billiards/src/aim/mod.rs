//! Help with aiming: ghost balls, what a shot meets first, which balls can be potted how, and a search for
//! the shot that a player with a spread is most likely to make.
//!
//! Candidates without a cushion come from exact geometry: lines from the pockets back to the cue ball, past
//! everything in the way. The engine then finds the direction that sends the ball where geometry wants it,
//! throw and swerve included, and plays each shot to its end. All others come from a fan of directions that
//! is played: where a ball passes a pocket on its left in one shot and on its right in the next, there is a
//! pot between the two.
//!
//! ```
//! use carom_billiards::aim::{Search, Wish};
//! use carom_billiards::{Layout, Table};
//!
//! let table = Table::pool_9ft();
//! let layout = Layout::new().with("cue", table.ball, [0.6, 0.6]).with("1", table.ball, [0.9, 1.9]);
//! let game = layout.build(&table)?;
//! let found = Search::default().with_simulations(300).run(&game, &Wish::pot(&["1"]))?;
//! assert!(found[0].probability > 0.5 && found[0].pot.ball == "1");
//! # Ok::<(), carom_billiards::Error>(())
//! ```

mod contact;
mod fan;
mod follow;
mod geometry;
mod pot;
mod pots;
mod routes;
mod search;
mod spread;
mod steer;

pub use contact::{Aim, FirstContact};
pub use pot::{Pot, Stroke};
pub use routes::{Rail, Route, Wish};
pub use search::{Ranked, Search};
pub use spread::Spread;

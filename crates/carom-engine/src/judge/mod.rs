//! Verdicts on impacts, and what they have done to the world: see [`Judge`](crate::Judge).

mod commands;
mod encounter;
mod outcome;
mod verdict;

pub use commands::{Command, Commands};
pub(crate) use encounter::Stands;
pub use encounter::{Encounter, Party};
pub use outcome::{CommandKind, Departure, Passage, Refusal};
pub use verdict::{Verdict, Which};

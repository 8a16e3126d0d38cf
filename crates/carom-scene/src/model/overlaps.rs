//! What a scene does about discs that overlap at the start.

use crate::values;
use serde::{Deserialize, Serialize};

/// What to do about discs that overlap each other or walls at the start.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Overlaps {
    /// Nothing: an overlap is an error, except for discs that allow it.
    #[default]
    Refuse,
    /// Let them: a pair is ignored while it separates, and collides at once when it approaches.
    Allow,
    /// Push them apart before the start, moving as little as it can:
    /// [`World::push_apart`](carom_engine::World::push_apart).
    PushApart,
    /// Give them velocities at which they separate, at this speed at least:
    /// [`World::separate_overlaps`](carom_engine::World::separate_overlaps).
    Part(#[serde(with = "values::real")] f64),
}

impl Overlaps {
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

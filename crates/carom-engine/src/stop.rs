use crate::{DiscId, Partner};
use carom_math::Time;

/// How a call of `advance` ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Advance {
    /// Why it stopped.
    pub end: StopReason,
    /// The time reached: the present one.
    pub time: Time,
    /// How many events there were. A group of impacts is one, also one of which no contact pushed, so that
    /// there is no record of it.
    pub events: u64,
}

impl Advance {
    /// The end of a call in which nothing was to be done.
    #[must_use]
    pub const fn nothing(time: Time) -> Self {
        Advance { end: StopReason::Reached, time, events: 0 }
    }
}

/// Why a call of `advance` stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum StopReason {
    /// The time asked for has come; events at it have happened.
    Reached,
    /// The sink asked to stop, or the event that was waited for has happened; the time is that of the event.
    /// Calling again goes on.
    Stopped,
    /// The budget of events is used up; the time is that of the last one. Calling again goes on.
    OutOfBudget,
    /// The next event cannot happen: unstoppable bodies close in on something. Only with
    /// [`CrushRule::Stop`](crate::CrushRule::Stop), and until an edit helps. With a restitution near 1 what
    /// is between them bounces ever faster before it is crushed, and the budget may end the call first.
    Crushed {
        /// The disc that is crushed.
        body: DiscId,
        /// What closes in on it.
        by: DiscId,
        /// What holds it: the first thing in the way of `by`, beyond `body`, that nothing there can move.
        against: Partner,
    },
    /// The next event cannot happen: radii grow, or a wall turns or moves, and discs have no room left.
    /// Only with [`CrushRule::Stop`](crate::CrushRule::Stop), and until an edit helps.
    Jammed,
    /// Radii have grown to where one is larger than 10¹⁵, or two would touch more than 0.49 periods apart.
    /// The time is that at which they have. Only an edit helps: see
    /// [`World::set_growth`](crate::World::set_growth).
    Outgrown,
}

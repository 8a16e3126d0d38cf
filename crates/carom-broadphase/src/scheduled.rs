use crate::{Kind, Slot};
use carom_math::Time;

/// An event that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scheduled {
    /// When.
    pub time: Time,
    /// What.
    pub kind: Kind,
    /// The disc with the smaller slot, or the only one.
    pub a: Slot,
    /// The other disc; equal to `a` for a solo event.
    pub b: Slot,
    /// For a solo event the predictor's note, otherwise 0.
    pub tag: u32,
}

/// What a scheduler has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SchedulerCounters {
    /// Pair times decided: table entries off the diagonal that were computed again, or neighbours looked at.
    pub pair_times: u64,
    /// Of a table the same number: a row takes a root in every lane. Of a grid, plans made again because the
    /// other disc had changed.
    pub roots: u64,
    /// Solo events predicted: table entries on the diagonal, or plans of a grid.
    pub solo_times: u64,
    /// Changes of a key in the queue, or rows of a table that were written.
    pub queue_operations: u64,
    /// Rows searched again, without roots, because their earliest entry was gone; or circles of a grid drawn
    /// anew.
    pub row_searches: u64,
}

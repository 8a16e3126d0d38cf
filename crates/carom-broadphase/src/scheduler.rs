use crate::{Kind, Predictor, Slot};
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
    /// Pair times decided: table entries off the diagonal that were computed again.
    pub pair_times: u64,
    /// Of these, the ones that needed a root: the others recede or miss.
    pub roots: u64,
    /// Solo events predicted: table entries on the diagonal.
    pub solo_times: u64,
    /// Changes of a key in the queue.
    pub queue_operations: u64,
    /// Rows searched again because their earliest entry was gone.
    pub row_searches: u64,
}

/// Keeps the earliest event of a set of discs that changes.
///
/// All implementations give the same events, bit by bit: the times come from the [`Predictor`], the order is
/// that of [`crate::EventKey`].
pub trait Scheduler: Clone + Default {
    /// The most discs that it is made for.
    const CAPACITY: usize = usize::MAX;

    /// Takes in a disc in a slot that is empty. Its times are computed at the next `refresh` that names it.
    fn insert(&mut self, slot: Slot, serial: u64);

    /// Forgets a disc and all that was to happen with it.
    fn remove(&mut self, slot: Slot);

    /// Computes again everything that concerns the `changed` discs, each named once.
    fn refresh<P: Predictor>(&mut self, changed: &[Slot], predictor: &P);

    /// The earliest event, if any.
    fn next(&self) -> Option<Scheduled>;

    /// What has been done so far.
    fn counters(&self) -> SchedulerCounters;

    /// Checks every invariant and every stored time against the predictor.
    ///
    /// # Panics
    /// With a description, if something is wrong. For tests: O(N²).
    fn assert_well_formed<P: Predictor>(&self, predictor: &P);
}

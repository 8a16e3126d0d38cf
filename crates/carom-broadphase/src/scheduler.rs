use crate::{CellGrid, Circle, NextMeeting, PairTable, Predictor, Scheduled, SchedulerCounters, Slot, Zone};
use alloc::vec::Vec;
use carom_math::Time;

/// Which scheduler is wanted, where there is a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum SchedulerKind {
    /// The faster one for so many discs.
    #[default]
    Fastest,
    /// The table of all pairs.
    Table,
    /// The grid of cells.
    Grid,
}

/// Keeps the earliest event of a set of discs that changes.
///
/// All implementations give the same events, bit by bit: the times come from the [`Predictor`], the order is
/// that of [`crate::EventKey`].
pub trait Scheduler: Clone + Default {
    /// The most discs that it is made for.
    const CAPACITY: usize = usize::MAX;

    /// The most discs that it takes if so wanted.
    fn capacity(wanted: SchedulerKind) -> usize {
        let _ = wanted;
        Self::CAPACITY
    }

    /// Whether it asks for whole [rows](crate::EventTimes::fill_row), sweeps over all discs.
    fn sweeps(&self) -> bool {
        true
    }

    /// Called before an insertion with the new disc count, and whether the plane is periodic. Returns true if
    /// every disc must be inserted again.
    fn prepare(&mut self, discs: usize, is_periodic: bool, wanted: SchedulerKind) -> bool {
        let _ = (discs, is_periodic, wanted);
        false
    }

    /// The table of all pairs, if that is what schedules at present: its rows may then be
    /// [filled](PairTable::rows_of) instead of refreshed.
    fn as_table(&mut self) -> Option<&mut PairTable> {
        None
    }

    /// The grid of cells, if that is what schedules at present: discs whose first events are known may then
    /// be [taken in](CellGrid::take_in) instead of refreshed.
    fn as_grid(&mut self) -> Option<&mut CellGrid> {
        None
    }

    /// Makes room for so many discs in all, and no more.
    fn reserve(&mut self, discs: usize) {
        let _ = discs;
    }

    /// Inserts a disc into an empty slot. Its times are computed at the next `refresh` that names it.
    fn insert(&mut self, slot: Slot, serial: u64);

    /// Called after a disc was inserted, moved or resized.
    fn place<P: Predictor>(&mut self, slot: Slot, predictor: &P) {
        let _ = (slot, predictor);
    }

    /// Removes a disc and its events.
    fn remove(&mut self, slot: Slot);

    /// Computes again everything that concerns the `changed` discs, each named once. `known` are the first
    /// meetings of some of them with their [neighbours](Scheduler::neighbours), if these are known; no
    /// scheduler depends on them.
    fn refresh<P: Predictor>(&mut self, changed: &[Slot], known: &[NextMeeting; 2], predictor: &P);

    /// The earliest event, if any; one after `until` need not be returned.
    ///
    /// Does what bookkeeping is due until then. It must have been refreshed with all that changed.
    fn next<P: Predictor>(&mut self, until: Time, predictor: &P) -> Option<Scheduled>;

    /// To be called before something is changed: undoes what was prepared for times after the present.
    fn rewind_to_now<P: Predictor>(&mut self, predictor: &P) {
        let _ = predictor;
    }

    /// The discs that `slot` may touch at the present or meet soon, and perhaps itself; `None` if it may be
    /// any.
    ///
    /// Lists of up to [`CellGrid::CROWD`](crate::CellGrid::CROWD) of discs that change in an impact stay as
    /// they are until [`Scheduler::refresh`], to which the first meetings with them can be given.
    fn neighbours(&self, slot: Slot) -> Option<&[Slot]> {
        let _ = slot;
        None
    }

    /// Adds to `found` the discs that may touch a circle at the present; `false` if it may be any, and none
    /// was added.
    fn around(&self, circle: Circle, found: &mut Vec<Slot>) -> bool {
        let _ = (circle, found);
        false
    }

    /// Calls `see` with the discs that may reach into a zone at the time `now`, the present, some perhaps
    /// more than once and in any order; `false` if it may be any, and none was named.
    ///
    /// Changes nothing, and needs no `refresh` after an edit. `see` returns the length up to which a path is
    /// to be followed from then on; of other zones what it returns means nothing.
    fn search(&self, zone: &Zone, now: Time, see: impl FnMut(Slot) -> f64) -> bool {
        let _ = (zone, now, see);
        false
    }

    /// A length over which few discs lie side by side, to begin a search with; 0 if unknown.
    fn spacing(&self) -> f64 {
        0.0
    }

    /// Bytes of memory that it holds; 0 if unknown.
    fn bytes(&self) -> usize {
        0
    }

    /// What has been done so far.
    fn counters(&self) -> SchedulerCounters;

    /// Checks every invariant and every stored time against the predictor.
    ///
    /// # Panics
    /// With a description, if something is wrong. For tests: O(N²).
    fn assert_well_formed<P: Predictor>(&self, predictor: &P);
}

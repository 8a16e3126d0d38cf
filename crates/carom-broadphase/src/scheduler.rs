use crate::{
    CellGrid, Circle, NextMeeting, PairTable, Predictor, Scheduled, SchedulerCounters, Slot, Species, Zone,
};
use alloc::boxed::Box;
use alloc::vec::Vec;
use carom_math::Time;

/// Which scheduler is wanted, where there is a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum SchedulerKind {
    /// The faster one for the number of discs.
    #[default]
    Fastest,
    /// The table of all pairs.
    Table,
    /// The grid of cells.
    Grid,
}

/// Keeps the earliest event of a set of discs that changes: the table of all pairs for few, the grid for
/// many.
///
/// Both give the same events, bit by bit: the times come from the [`Predictor`], the order is that of
/// [`crate::EventKey`]. Left to itself it changes over when the number of discs has doubled or halved past
/// the point where the two are equally fast, so that a world at that point does not go to and fro.
#[derive(Debug)]
pub enum Scheduler {
    /// For few.
    Table(Box<PairTable>),
    /// For many.
    Grid(Box<CellGrid>),
}

/// Discs up to which the table is kept.
///
/// A write of the table takes time in proportion to the discs, one of the grid does not. They are equally
/// fast at 190 discs in a plain box and at 128 in other worlds: see `docs/benchmarks.md`. Beyond it the table
/// is slower, and takes 8 N² bytes.
const MOST_FOR_TABLE: usize = 128;
/// Discs from which the grid is kept.
///
/// The gap to [`MOST_FOR_TABLE`] keeps a world whose number of discs varies from changing over at each edit,
/// which costs as much as an insertion of all discs.
const LEAST_FOR_GRID: usize = 64;

/// By how much these numbers are smaller in a periodic plane. The table asks there pair by pair, and each for
/// its images, which takes about ten times as long as a lane of a sweep.
const FEWER_IF_PERIODIC: usize = 10;

impl Clone for Scheduler {
    fn clone(&self) -> Self {
        match self {
            Scheduler::Table(table) => Scheduler::Table(table.clone()),
            Scheduler::Grid(grid) => Scheduler::Grid(grid.clone()),
        }
    }

    /// Keeps the memory that it has, unless it changes over.
    fn clone_from(&mut self, source: &Self) {
        match (self, source) {
            (Scheduler::Table(table), Scheduler::Table(source)) => table.clone_from(source),
            (Scheduler::Grid(grid), Scheduler::Grid(source)) => grid.clone_from(source),
            (own, _) => *own = source.clone(),
        }
    }
}

impl Default for Scheduler {
    fn default() -> Self {
        Scheduler::Table(Box::default())
    }
}

/// Calls the one that it is.
macro_rules! either {
    ($self:expr, $scheduler:ident => $call:expr) => {
        match $self {
            Scheduler::Table($scheduler) => $call,
            Scheduler::Grid($scheduler) => $call,
        }
    };
}

impl Scheduler {
    /// Which one it is at present; never [`SchedulerKind::Fastest`].
    #[must_use]
    pub fn present(&self) -> SchedulerKind {
        match self {
            Scheduler::Table(_) => SchedulerKind::Table,
            Scheduler::Grid(_) => SchedulerKind::Grid,
        }
    }

    /// The most discs that it takes if so wanted.
    #[must_use]
    pub fn capacity(wanted: SchedulerKind) -> usize {
        if wanted == SchedulerKind::Table { PairTable::CAPACITY } else { usize::MAX }
    }

    /// Whether it asks for whole [rows](crate::EventTimes::fill_row), sweeps over all discs.
    #[inline(always)]
    #[must_use]
    pub fn sweeps(&self) -> bool {
        matches!(self, Scheduler::Table(_))
    }

    /// To be called before an insertion with the new disc count, and whether the plane is periodic. Returns
    /// true if every disc must be inserted again.
    pub fn prepare(&mut self, discs: usize, is_periodic: bool, wanted: SchedulerKind) -> bool {
        let share = if is_periodic { FEWER_IF_PERIODIC } else { 1 };
        let fitting = match wanted {
            SchedulerKind::Fastest if discs > MOST_FOR_TABLE / share => SchedulerKind::Grid,
            SchedulerKind::Fastest if discs < LEAST_FOR_GRID / share => SchedulerKind::Table,
            SchedulerKind::Fastest => self.present(),
            wanted => wanted,
        };
        if fitting == self.present() {
            return false;
        }
        *self = match fitting {
            SchedulerKind::Grid => Scheduler::Grid(Box::default()),
            _ => Scheduler::Table(Box::default()),
        };
        true
    }

    /// The table of all pairs, if that is what schedules at present: its rows may then be
    /// [filled](PairTable::rows_of) instead of refreshed.
    #[inline(always)]
    pub fn as_table(&mut self) -> Option<&mut PairTable> {
        match self {
            Scheduler::Table(table) => Some(table),
            Scheduler::Grid(_) => None,
        }
    }

    /// Makes room for this many discs in all, and no more.
    pub fn reserve(&mut self, discs: usize) {
        either!(self, scheduler => scheduler.reserve(discs));
    }

    /// Inserts a disc into an empty slot. Its times are computed at the next `refresh` that names it.
    pub fn insert(&mut self, slot: Slot, serial: u64) {
        match self {
            Scheduler::Table(table) => table.insert(slot, serial),
            Scheduler::Grid(grid) => grid.insert(slot),
        }
    }

    /// To be called after a disc was inserted, moved or resized.
    pub fn place<P: Predictor>(&mut self, slot: Slot, predictor: &P) {
        if let Scheduler::Grid(grid) = self {
            grid.place(slot, predictor);
        }
    }

    /// Removes a disc and its events.
    pub fn remove(&mut self, slot: Slot) {
        either!(self, scheduler => scheduler.remove(slot));
    }

    /// Computes again everything that concerns the `changed` discs, each named once. `known` are the first
    /// meetings of some of them with their [neighbours](Scheduler::neighbours), if these are known; neither
    /// scheduler depends on them.
    #[inline]
    pub fn refresh<P: Predictor>(&mut self, changed: &[Slot], known: &[NextMeeting; 2], predictor: &P) {
        match self {
            Scheduler::Table(table) => table.update(changed, predictor),
            Scheduler::Grid(grid) => grid.refresh(changed, known, predictor),
        }
    }

    /// The earliest event, if any; one after `until` need not be returned.
    ///
    /// Does what bookkeeping is due until then. It must have been refreshed with all that changed.
    #[inline(always)]
    pub fn next<P: Predictor>(&mut self, until: Time, predictor: &P) -> Option<Scheduled> {
        match self {
            Scheduler::Table(table) => table.first(predictor),
            Scheduler::Grid(grid) => grid.next(until, predictor),
        }
    }

    /// To be called before something is changed: undoes what was prepared for times after the present.
    pub fn rewind_to_now<P: Predictor>(&mut self, predictor: &P) {
        if let Scheduler::Grid(grid) = self {
            grid.rewind_to_now(predictor);
        }
    }

    /// The discs that `slot` may touch at the present or meet soon, and perhaps itself; `None` if it may be
    /// any.
    ///
    /// Lists of up to [`CellGrid::CROWD`](crate::CellGrid::CROWD) of discs that change in an impact stay as
    /// they are until [`Scheduler::refresh`], to which the first meetings with them can be given.
    #[inline]
    #[must_use]
    pub fn neighbours(&self, slot: Slot) -> Option<&[Slot]> {
        match self {
            Scheduler::Table(_) => None,
            Scheduler::Grid(grid) => grid.neighbours(slot),
        }
    }

    /// Adds to `found` the discs that may touch a circle at the present; `false` if it may be any, and none
    /// was added. Those that meet no other are added wherever they are, if their species is wanted.
    pub fn around(&self, circle: Circle, wanted: impl Fn(Species) -> bool, found: &mut Vec<Slot>) -> bool {
        if let Scheduler::Grid(grid) = self {
            grid.around(circle, wanted, found);
        }
        !self.sweeps()
    }

    /// Calls `see` with the discs that may reach into a zone at the time `now`, the present, some perhaps
    /// more than once and in any order; `false` if it may be any, and none was named. Those that meet no
    /// other are named wherever they are, if their species is wanted.
    ///
    /// Changes nothing, and needs no `refresh` after an edit. `see` returns the length up to which a path is
    /// to be followed from then on; of other zones what it returns means nothing.
    pub fn search(
        &self,
        zone: &Zone,
        now: Time,
        wanted: impl Fn(Species) -> bool,
        see: impl FnMut(Slot) -> f64,
    ) -> bool {
        match self {
            Scheduler::Table(_) => false,
            Scheduler::Grid(grid) => grid.search_zone(zone, now, wanted, see),
        }
    }

    /// A length over which few discs lie side by side, to begin a search with; 0 if unknown.
    #[must_use]
    pub fn spacing(&self) -> f64 {
        match self {
            Scheduler::Table(_) => 0.0,
            Scheduler::Grid(grid) => grid.spacing(),
        }
    }

    /// Bytes of memory that it holds.
    #[must_use]
    pub fn bytes(&self) -> usize {
        either!(self, scheduler => scheduler.bytes())
    }

    /// What has been done so far.
    #[must_use]
    pub fn counters(&self) -> SchedulerCounters {
        either!(self, scheduler => scheduler.counters())
    }

    /// Checks every invariant and every stored time against the predictor.
    ///
    /// # Panics
    /// With a description, if something is wrong. For tests: O(N²).
    pub fn assert_well_formed<P: Predictor>(&self, predictor: &P) {
        either!(self, scheduler => scheduler.check(predictor));
    }
}

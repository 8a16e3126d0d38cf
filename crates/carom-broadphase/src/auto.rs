use crate::{
    CellGrid, Circle, NextMeeting, PairTable, Predictor, Scheduled, Scheduler, SchedulerCounters,
    SchedulerKind, Slot, Zone,
};
use alloc::boxed::Box;
use alloc::vec::Vec;
use carom_math::Time;

/// The faster of the two schedulers for as many discs as there are: the table of all pairs for few, the
/// grid for many.
///
/// It changes over when their number has doubled or halved past the point where the two are equally fast,
/// so that a world at that point does not go to and fro. The events are the same.
#[derive(Debug)]
pub enum Auto {
    /// For few.
    Table(Box<PairTable>),
    /// For many.
    Grid(Box<CellGrid>),
}

/// With more discs than this the grid is taken. Measured: see `docs/benchmarks.md`.
const MOST_FOR_TABLE: usize = 128;
/// With fewer than this the table is taken again.
const LEAST_FOR_GRID: usize = 64;

/// By how much these are smaller in a periodic plane, where the table asks pair by pair and each for images.
const FEWER_IF_PERIODIC: usize = 10;

impl Clone for Auto {
    fn clone(&self) -> Self {
        match self {
            Auto::Table(table) => Auto::Table(table.clone()),
            Auto::Grid(grid) => Auto::Grid(grid.clone()),
        }
    }

    /// Keeps the memory that it has, unless it changes over.
    fn clone_from(&mut self, source: &Self) {
        match (self, source) {
            (Auto::Table(table), Auto::Table(source)) => table.clone_from(source),
            (Auto::Grid(grid), Auto::Grid(source)) => grid.clone_from(source),
            (own, _) => *own = source.clone(),
        }
    }
}

impl Default for Auto {
    fn default() -> Self {
        Auto::Table(Box::default())
    }
}

impl Auto {
    /// Which one it is at present; never [`SchedulerKind::Fastest`].
    #[must_use]
    pub fn present(&self) -> SchedulerKind {
        match self {
            Auto::Table(_) => SchedulerKind::Table,
            Auto::Grid(_) => SchedulerKind::Grid,
        }
    }
}

/// Calls the one that it is.
macro_rules! either {
    ($auto:expr, $scheduler:ident => $call:expr) => {
        match $auto {
            Auto::Table($scheduler) => $call,
            Auto::Grid($scheduler) => $call,
        }
    };
}

impl Scheduler for Auto {
    fn capacity(wanted: SchedulerKind) -> usize {
        if wanted == SchedulerKind::Table { PairTable::CAPACITY } else { CellGrid::CAPACITY }
    }

    fn prepare(&mut self, discs: usize, is_periodic: bool, wanted: SchedulerKind) -> bool {
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
            SchedulerKind::Grid => Auto::Grid(Box::default()),
            _ => Auto::Table(Box::default()),
        };
        true
    }

    #[inline(always)]
    fn as_table(&mut self) -> Option<&mut PairTable> {
        match self {
            Auto::Table(table) => Some(table),
            Auto::Grid(_) => None,
        }
    }

    #[inline(always)]
    fn as_grid(&mut self) -> Option<&mut CellGrid> {
        match self {
            Auto::Table(_) => None,
            Auto::Grid(grid) => Some(grid),
        }
    }

    fn reserve(&mut self, discs: usize) {
        either!(self, scheduler => scheduler.reserve(discs));
    }

    #[inline(always)]
    fn sweeps(&self) -> bool {
        either!(self, scheduler => scheduler.sweeps())
    }

    fn insert(&mut self, slot: Slot, serial: u64) {
        either!(self, scheduler => Scheduler::insert(scheduler.as_mut(), slot, serial));
    }

    fn place<P: Predictor>(&mut self, slot: Slot, predictor: &P) {
        either!(self, scheduler => scheduler.place(slot, predictor));
    }

    fn remove(&mut self, slot: Slot) {
        either!(self, scheduler => scheduler.remove(slot));
    }

    fn rewind_to_now<P: Predictor>(&mut self, predictor: &P) {
        either!(self, scheduler => scheduler.rewind_to_now(predictor));
    }

    #[inline]
    fn refresh<P: Predictor>(&mut self, changed: &[Slot], known: &[NextMeeting; 2], predictor: &P) {
        either!(self, scheduler => scheduler.refresh(changed, known, predictor));
    }

    #[inline(always)]
    fn next<P: Predictor>(&mut self, until: Time, predictor: &P) -> Option<Scheduled> {
        either!(self, scheduler => scheduler.next(until, predictor))
    }

    #[inline]
    fn neighbours(&self, slot: Slot) -> Option<&[Slot]> {
        either!(self, scheduler => scheduler.neighbours(slot))
    }

    fn around(&self, circle: Circle, found: &mut Vec<Slot>) -> bool {
        either!(self, scheduler => Scheduler::around(scheduler.as_ref(), circle, found))
    }

    fn search(&self, zone: &Zone, now: Time, see: impl FnMut(Slot) -> f64) -> bool {
        either!(self, scheduler => scheduler.search(zone, now, see))
    }

    fn spacing(&self) -> f64 {
        either!(self, scheduler => scheduler.spacing())
    }

    fn bytes(&self) -> usize {
        either!(self, scheduler => scheduler.bytes())
    }

    fn counters(&self) -> SchedulerCounters {
        either!(self, scheduler => scheduler.counters())
    }

    fn assert_well_formed<P: Predictor>(&self, predictor: &P) {
        either!(self, scheduler => scheduler.assert_well_formed(predictor));
    }
}

use crate::{CellGrid, Circle, NextMeeting, Predictor, Scheduled, Scheduler, SchedulerCounters, Slot, Zone};
use alloc::vec::Vec;
use carom_math::Time;

impl Scheduler for CellGrid {
    fn sweeps(&self) -> bool {
        false
    }

    #[inline(always)]
    fn as_grid(&mut self) -> Option<&mut CellGrid> {
        Some(self)
    }

    fn reserve(&mut self, discs: usize) {
        CellGrid::reserve(self, discs);
    }

    fn insert(&mut self, slot: Slot, _: u64) {
        CellGrid::insert(self, slot);
    }

    fn place<P: Predictor>(&mut self, slot: Slot, predictor: &P) {
        CellGrid::place(self, slot, predictor);
    }

    fn remove(&mut self, slot: Slot) {
        CellGrid::remove(self, slot);
    }

    fn rewind_to_now<P: Predictor>(&mut self, predictor: &P) {
        CellGrid::rewind_to_now(self, predictor);
    }

    #[inline(always)]
    fn refresh<P: Predictor>(&mut self, changed: &[Slot], known: &[NextMeeting; 2], predictor: &P) {
        CellGrid::refresh(self, changed, known, predictor);
    }

    #[inline(always)]
    fn next<P: Predictor>(&mut self, until: Time, predictor: &P) -> Option<Scheduled> {
        CellGrid::next(self, until, predictor)
    }

    #[inline(always)]
    fn neighbours(&self, slot: Slot) -> Option<&[Slot]> {
        CellGrid::neighbours(self, slot)
    }

    fn around(&self, circle: Circle, found: &mut Vec<Slot>) -> bool {
        CellGrid::around(self, circle, found);
        true
    }

    fn search(&self, zone: &Zone, now: Time, see: impl FnMut(Slot) -> f64) -> bool {
        self.search_zone(zone, now, see)
    }

    fn spacing(&self) -> f64 {
        CellGrid::spacing(self)
    }

    fn bytes(&self) -> usize {
        CellGrid::bytes(self)
    }

    fn counters(&self) -> SchedulerCounters {
        CellGrid::counters(self)
    }

    fn assert_well_formed<P: Predictor>(&self, predictor: &P) {
        self.check(predictor);
    }
}

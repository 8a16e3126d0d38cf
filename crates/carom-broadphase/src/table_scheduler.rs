use crate::{NextMeeting, PairTable, Predictor, Scheduled, Scheduler, SchedulerCounters, Slot};
use carom_math::Time;

impl Scheduler for PairTable {
    /// Two gigabytes of entries.
    const CAPACITY: usize = 1 << 14;

    #[inline(always)]
    fn as_table(&mut self) -> Option<&mut PairTable> {
        Some(self)
    }

    fn reserve(&mut self, discs: usize) {
        PairTable::reserve(self, discs);
    }

    fn insert(&mut self, slot: Slot, serial: u64) {
        PairTable::insert(self, slot, serial);
    }

    fn remove(&mut self, slot: Slot) {
        PairTable::remove(self, slot);
    }

    #[inline(always)]
    fn refresh<P: Predictor>(&mut self, changed: &[Slot], _: &[NextMeeting; 2], predictor: &P) {
        self.update(changed, predictor);
    }

    #[inline(always)]
    fn next<P: Predictor>(&mut self, _: Time, predictor: &P) -> Option<Scheduled> {
        self.first(predictor)
    }

    fn bytes(&self) -> usize {
        PairTable::bytes(self)
    }

    fn counters(&self) -> SchedulerCounters {
        PairTable::counters(self)
    }

    fn assert_well_formed<P: Predictor>(&self, predictor: &P) {
        self.check(predictor);
    }
}

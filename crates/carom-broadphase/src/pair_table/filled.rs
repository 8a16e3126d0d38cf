use super::PairTable;
use crate::{EventTimes, Least, RowLanes, Slot, Solo};
use carom_math::Time;

/// Rows that are filled before their discs are written, by a caller that computes the entries on its way.
impl PairTable {
    /// The rows of discs that are going to be written, to be filled as [`EventTimes::fill_row`] does, and
    /// then [taken in](PairTable::take_in). One that is not taken in must be refreshed.
    ///
    /// Infinite where nothing is written; what stands for those that are going to be written with it must be
    /// infinite. `None` if a slot is named twice.
    #[inline(always)]
    pub fn rows_of<const N: usize>(&mut self, slots: [Slot; N]) -> Option<[&mut [RowLanes]; N]> {
        let (stride, width) = (self.stride, self.written.len());
        let places = slots.map(|slot| slot as usize * stride..slot as usize * stride + width);
        self.seconds.get_disjoint_mut(places).ok()
    }

    /// As [`Scheduler::refresh`](crate::Scheduler::refresh) of discs whose states are all of one time, no
    /// earlier than that of any other; that do not meet each other; and whose rows have been filled. `firsts`
    /// are what they do on their own, and the least of their rows.
    #[inline(always)]
    pub fn take_in<const N: usize, P: EventTimes>(
        &mut self,
        slots: [Slot; N],
        time: Time,
        firsts: &[(Solo, Least); N],
        predictor: &P,
    ) {
        self.count(N as u64);
        self.newest = time;
        for (&slot, (solo, least)) in slots.iter().zip(firsts) {
            self.writes += 1.0;
            *RowLanes::of_mut(&mut self.written, slot) = self.writes;
            let row = &mut self.rows[slot as usize];
            row.since = time;
            (row.solo, row.kind, row.tag) = (solo.time, solo.kind, solo.tag);
            self.settle(slot, least, predictor);
        }
    }
}

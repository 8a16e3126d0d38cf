use super::{Horizon, PairTable};
use crate::{EventTimes, RowLanes, RowMin, Slot, Solo};
use carom_math::Time;

/// Discs that have been written at one time, no earlier than that of any other state.
impl PairTable {
    /// Numbers their writes. Changes nothing and returns false if there are later states.
    #[inline(always)]
    pub fn number_writes(&mut self, slots: &[Slot], time: Time) -> bool {
        if time.is_before(self.newest) {
            return false;
        }
        self.count_changes(slots.len() as u64);
        for &slot in slots {
            self.number_write(slot, time);
        }
        true
    }

    /// In a table of at most eight slots: the numbers of their writes, that of a disc, and its row, to be
    /// filled with what was written before it. `None` if there are more.
    #[inline(always)]
    pub fn row_of_eight(&mut self, slot: Slot) -> Option<(&RowLanes, f64, &mut RowLanes)> {
        match (&self.written[..], self.seconds.get_mut(slot as usize)) {
            ([written], Some(row)) if self.stride == 1 => {
                Some((written, written.0[slot as usize % RowLanes::WIDTH], row))
            }
            _ => None,
        }
    }

    /// The number of discs.
    #[inline(always)]
    #[must_use]
    pub fn discs(&self) -> usize {
        self.live
    }

    /// Notes what a disc does on its own that has met none before it was written: its row is empty.
    #[inline(always)]
    pub fn finish_empty_row<P: EventTimes>(&mut self, slot: Slot, solo: &Solo, predictor: &P) {
        let width = self.width();
        self.seconds[slot as usize * self.stride..][..width].fill(RowLanes::INFINITE);
        self.finish_row(
            slot,
            solo,
            &RowMin { seconds: f64::INFINITY, column: slot, is_tied: false },
            predictor,
        );
    }

    /// Notes what a disc does on its own, and the least of its row, which has been filled.
    #[inline(always)]
    pub fn finish_row<P: EventTimes>(&mut self, slot: Slot, solo: &Solo, least: &RowMin, predictor: &P) {
        self.rows[slot as usize].solo = *solo;
        self.set_first(slot, least, f64::INFINITY, predictor);
    }
}

/// Rows that are filled before their discs are written, by a caller that computes the entries on its way.
impl PairTable {
    /// How far ahead these rows are to be filled.
    #[inline(always)]
    pub fn horizon(&mut self) -> &mut Horizon {
        &mut self.horizon
    }

    /// The rows of discs that are going to be written: to be filled like [`EventTimes::fill_row`] does, and
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

    /// Takes in discs whose rows have been filled, instead of a [refresh](crate::Scheduler::refresh). Their
    /// states are all of one time, no earlier than that of any other, and they do not meet each other.
    ///
    /// `firsts` are what each does on its own and the least of its row. Entries of at most `filled_to` > 0
    /// seconds are there; later ones may be infinite.
    #[inline(always)]
    pub fn take_in<const N: usize, P: EventTimes>(
        &mut self,
        slots: [Slot; N],
        time: Time,
        firsts: &[(Solo, RowMin); N],
        filled_to: f64,
        predictor: &P,
    ) {
        self.count_changes(N as u64);
        for (&slot, (solo, least)) in slots.iter().zip(firsts) {
            self.number_write(slot, time);
            self.rows[slot as usize].solo = *solo;
            self.set_first(slot, least, filled_to, predictor);
        }
    }
}

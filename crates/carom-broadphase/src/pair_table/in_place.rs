use super::{PairTable, Row, UNKNOWN};
use crate::{EventTimes, RowLanes, Slot};
use alloc::vec::Vec;
use carom_math::Time;

/// Entries that change where they stand, as no state is written: of discs whose rules change, or what is in
/// their way; and of worlds that are loaded.
impl PairTable {
    /// A [refresh](crate::Scheduler::refresh) of discs that meet all others when they did before.
    ///
    /// Cost: O(1) for each; O(N) without roots for one that did something on its own next, and no longer does
    /// so.
    pub fn refresh_solos<P: EventTimes>(&mut self, slots: &[Slot], predictor: &P) {
        self.counters.solo_times += slots.len() as u64;
        for &slot in slots {
            self.refresh_solo(slot, predictor);
        }
    }

    fn refresh_solo<P: EventTimes>(&mut self, slot: Slot, predictor: &P) {
        let solo = predictor.solo(slot);
        let row = &mut self.rows[slot as usize];
        let Row { first, column, filled_to, .. } = *row;
        let is_as_before = (row.solo.time, row.solo.kind) == (solo.time, solo.kind);
        row.solo = solo;
        if is_as_before {
            return;
        }
        if solo.time.is_before(first) {
            (row.first, row.column) = (solo.time, slot);
            *RowLanes::of_mut(&mut self.firsts, slot) = solo.time.as_secs();
        } else if column == slot && filled_to > 0.0 {
            self.find_first_again(slot, predictor);
        } else if column == slot {
            // In a clone: the first meeting is not earlier, and is sought when it may be next.
            row.column = UNKNOWN;
        } else if solo.time == first && column != UNKNOWN {
            self.set_tied_first(slot, column);
        }
    }

    /// An [update](PairTable::update) where some states are older than others that have been written.
    ///
    /// A pair stands in the row of the state that was written last, so a write gets a number only while no
    /// later state has one. Where all states keep their times, as when rules change, the entries are computed
    /// again where they stand; else all rows are written anew, in the order of their states.
    #[cold]
    pub(super) fn update_late<P: EventTimes>(&mut self, changed: &[Slot], predictor: &P) {
        let writes = self.writes;
        for &slot in changed {
            let is_of_then = self.rows[slot as usize].since == predictor.state_time(slot);
            if is_of_then && self.write_of(slot) < f64::INFINITY {
                continue;
            }
            if !self.number_if_latest(slot, predictor) {
                return self.write_all(predictor);
            }
            self.refresh_row(slot, predictor);
        }
        for &slot in changed {
            if self.write_of(slot) <= writes {
                self.rewrite_in_place(slot, predictor);
            }
        }
        for slot in 0..self.rows.len() as Slot {
            if self.write_of(slot) < f64::INFINITY {
                self.find_first_again(slot, predictor);
            }
        }
    }

    /// Writes all states, from the oldest on.
    fn write_all<P: EventTimes>(&mut self, predictor: &P) {
        let slots = 0..self.rows.len() as Slot;
        let mut slots: Vec<Slot> = slots.filter(|&slot| self.rows[slot as usize].live).collect();
        slots.sort_by_key(|&slot| (predictor.state_time(slot), self.rows[slot as usize].serial));
        self.newest = Time::ZERO;
        self.written.fill(RowLanes::INFINITE);
        for slot in slots {
            self.number_if_latest(slot, predictor);
            self.refresh_row(slot, predictor);
        }
    }

    /// Computes again what concerns a disc whose state is of the same time as before, each entry where it
    /// stands.
    fn rewrite_in_place<P: EventTimes>(&mut self, slot: Slot, predictor: &P) {
        self.rows[slot as usize].solo = predictor.solo(slot);
        for other in (0..self.rows.len() as Slot).filter(|&other| other != slot) {
            if self.write_of(other) < f64::INFINITY {
                let (own, column) = if self.is_newer(slot, other) { (slot, other) } else { (other, slot) };
                let seconds = predictor.seconds(slot, other);
                *RowLanes::of_mut(&mut self.seconds[own as usize * self.stride..], column) = seconds;
            }
        }
    }
}

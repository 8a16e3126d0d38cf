use super::PairTable;
use crate::{EventTimes, RowLanes, Slot};
use alloc::vec::Vec;
use carom_math::Time;

/// Changes of what happens to discs whose states are older than others: of their rules, of what is in their
/// way; and worlds that are loaded.
impl PairTable {
    /// As `update`.
    #[cold]
    pub(super) fn update_late<P: EventTimes>(&mut self, changed: &[Slot], predictor: &P) {
        let writes = self.writes;
        for &slot in changed {
            let is_of_then = self.rows[slot as usize].since == predictor.state_time(slot);
            if is_of_then && self.write_of(slot) < f64::INFINITY {
                continue;
            }
            if !self.number(slot, predictor) {
                return self.write_all(predictor);
            }
            self.refresh_row(slot, predictor);
        }
        for &slot in changed {
            if self.write_of(slot) <= writes {
                self.change_in_place(slot, predictor);
            }
        }
        for slot in 0..self.rows.len() as Slot {
            if self.write_of(slot) < f64::INFINITY {
                self.settle_again(slot, predictor);
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
            self.number(slot, predictor);
            self.refresh_row(slot, predictor);
        }
    }

    /// Computes again what concerns a disc whose state is of the same time as before, each entry where it
    /// stands.
    fn change_in_place<P: EventTimes>(&mut self, slot: Slot, predictor: &P) {
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

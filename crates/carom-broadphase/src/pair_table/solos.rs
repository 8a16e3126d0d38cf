use super::{PairTable, Row, UNKNOWN};
use crate::{EventTimes, RowLanes, Slot};

/// Discs that do something else on their own, as there are other walls.
impl PairTable {
    /// As [`Scheduler::refresh`](crate::Scheduler::refresh) of discs of which no time of a pair has changed.
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
        let Row { first, column, known, .. } = *row;
        let is_as_before = (row.solo.time, row.solo.kind) == (solo.time, solo.kind);
        row.solo = solo;
        if is_as_before {
            return;
        }
        if solo.time.is_before(first) {
            (row.first, row.column) = (solo.time, slot);
            *RowLanes::of_mut(&mut self.firsts, slot) = solo.time.as_secs();
        } else if column == slot && known > 0.0 {
            self.settle_again(slot, predictor);
        } else if column == slot {
            // In a clone: the first meeting is not earlier, and is sought when it may be next.
            row.column = UNKNOWN;
        } else if solo.time == first && column != UNKNOWN {
            self.settle_tie(slot, column);
        }
    }
}

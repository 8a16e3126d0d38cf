use super::{PairTable, Row};
use crate::{EventKey, EventTimes, Kind, RowLanes, RowMin, Slot};
use carom_math::Time;

/// What happens at one time: the order of events decides.
impl PairTable {
    /// Among the entries of a row that are `least`, or hardly larger, the first in the order of events at the
    /// time `met`, which is that of the least.
    #[cold]
    pub(super) fn first_of_tied<P: EventTimes>(
        &self,
        slot: Slot,
        met: Time,
        least: &RowMin,
        predictor: &P,
    ) -> Slot {
        let limit = least.seconds + predictor.resolution();
        let numbers = (0..).zip(self.row(slot).iter().flat_map(|lanes| lanes.0));
        let tied = numbers.filter(|&(_, seconds)| seconds <= limit && predictor.after(slot, seconds) == met);
        let key = |other: Slot| self.key(slot, other, met);
        tied.map(|(other, _)| other).min_by_key(|&other| key(other)).unwrap_or(least.column)
    }

    /// The first entry of a row is on the diagonal, or that of a column at the same time.
    #[cold]
    pub(super) fn set_tied_first(&mut self, slot: Slot, column: Slot) {
        let time = self.rows[slot as usize].solo.time;
        let first = if self.key(slot, column, time) < self.key(slot, slot, time) { column } else { slot };
        self.rows[slot as usize].column = first;
    }

    /// Among the rows that are first at the same seconds the one that is first in the order of events; `None`
    /// if one of them had to be searched again, so that it may be none of these any more.
    #[cold]
    pub(super) fn first_of_tied_rows<P: EventTimes>(&mut self, seconds: f64, predictor: &P) -> Option<Slot> {
        let mut first: Option<(EventKey, Slot)> = None;
        for slot in 0..self.rows.len() as Slot {
            if RowLanes::of(&self.firsts, slot) != seconds {
                continue;
            }
            if self.is_stale(slot) {
                self.search_row(slot, predictor);
                return None;
            }
            let key = self.key_of(slot);
            if first.is_none_or(|(than, _)| key < than) {
                first = Some((key, slot));
            }
        }
        first.map(|(_, slot)| slot)
    }

    /// Key of the earliest entry of a row.
    pub(super) fn key_of(&self, slot: Slot) -> EventKey {
        let Row { first, column, .. } = self.rows[slot as usize];
        self.key(slot, column, first)
    }

    /// Key of an entry of a row.
    fn key(&self, slot: Slot, column: Slot, time: Time) -> EventKey {
        let [row, other] = [slot, column].map(|slot| &self.rows[slot as usize]);
        let kind = if slot == column { row.solo.kind } else { Kind::Impact };
        EventKey::new(time, kind, row.serial, other.serial)
    }
}

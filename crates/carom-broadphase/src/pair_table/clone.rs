use super::PairTable;
use crate::RowLanes;

/// Slots up to which a clone gets all entries: two kilobytes.
///
/// More are slower to copy than the few rows that are searched before their discs are written again are to
/// fill; with fewer, small worlds that are cloned at each frame fill them in vain.
const MOST_COPIED: usize = 16;

/// A clone of many discs has only the earliest entry of each row. The other entries are a pure function of
/// the states: a row is filled when it is searched, and few are before their discs are written again. So the
/// cost is O(N), where the memory is there.
impl Clone for PairTable {
    fn clone(&self) -> Self {
        let mut clone = PairTable::default();
        clone.clone_from(self);
        clone
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { rows, seconds, stride, written, firsts, writes, newest, live, words, horizon, counters } =
            source;
        let is_alike = self.rows.len() == rows.len() && self.stride == *stride;
        self.rows.clone_from(rows);
        self.written.clone_from(written);
        self.firsts.clone_from(firsts);
        (self.stride, self.writes, self.newest) = (*stride, *writes, *newest);
        (self.live, self.horizon, self.counters) = (*live, *horizon, *counters);
        self.words.resize(words.len(), 0);
        if rows.len() <= MOST_COPIED {
            self.seconds.clone_from(seconds);
        } else {
            self.seconds.resize(seconds.len(), RowLanes::INFINITE);
            self.rows.iter_mut().for_each(|row| row.filled_to = 0.0);
            // Rows are written up to the last slot, and searched up to the end of its eight.
            if !is_alike {
                let last = self.width() - 1;
                self.seconds.chunks_mut(self.stride).for_each(|row| row[last..].fill(RowLanes::INFINITE));
            }
        }
    }
}

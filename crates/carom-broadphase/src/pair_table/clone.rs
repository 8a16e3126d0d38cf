use super::PairTable;
use crate::RowLanes;

/// The entries of so many slots, two kilobytes, are copied into clones.
const MOST_COPIED: usize = 16;

/// A clone of many discs has the earliest entry of each row, and not the others: an entry is a pure function
/// of the states, and few rows are searched before their discs are written again. Those are filled when they
/// are. So the cost is O(N), where the memory is there.
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
            self.rows.iter_mut().for_each(|row| row.known = 0.0);
            // Rows are written up to the last slot, and searched up to the end of its eight.
            if !is_alike {
                let last = self.width() - 1;
                self.seconds.chunks_mut(self.stride).for_each(|row| row[last..].fill(RowLanes::INFINITE));
            }
        }
    }
}

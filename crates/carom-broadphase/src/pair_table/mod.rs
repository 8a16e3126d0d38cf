mod bit_matrix;
mod min16;
mod row_minima;
mod tournament;

use crate::{
    Bits, EventTimes, Kind, NextMeeting, Predictor, Scheduled, Scheduler, SchedulerCounters, Slot, Solo,
};
use alloc::vec::Vec;
use bit_matrix::BitMatrix;
use carom_math::Time;
use row_minima::{Entry, Row, RowMinima};

/// All N(N+1)/2 times of N discs: a triangle of pairs, and on its diagonal each disc's own next event.
///
/// Row i holds the pairs (i, k) with k < i and, last, the diagonal (i, i). Each row knows its earliest entry,
/// and a `Tournament` over the rows the earliest of all. When a disc changes, the N entries of its row and
/// column are computed again: 2N − 1 for two discs that met, since they share one.
///
/// Most pairs never meet on their present paths. A symmetric matrix of bits remembers which do, so the
/// entries that say "never" are neither written nor read: a disc touches as many entries as it has partners
/// to meet, plus N/64 words.
///
/// Cost of a refresh: O(N) for the sweep, O(log N) for each row whose earliest entry changes (a few).
/// Memory: 16 bytes an entry, 2 bits a pair.
#[derive(Debug, Default)]
pub struct PairTable {
    /// Entry (i, k) at i(i+1)/2 + k, for k ≤ i. Valid off the diagonal where `meets` has its bit.
    entries: Vec<Time>,
    /// Whether a pair has a time.
    meets: BitMatrix,
    rows: RowMinima,
    live: usize,
    /// A bit for each slot whose entries are up to date already, during a refresh.
    done: Vec<u64>,
    /// Scratch, a bit for each slot: the partners of a slot, and what a predictor needs.
    met: Vec<u64>,
    words: Vec<u64>,
}

crate::clone_fields!(PairTable: entries, meets, rows, live, done, met, words);

/// Where entry (i, k) with k ≤ i is stored.
#[inline(always)]
fn index(i: usize, k: usize) -> usize {
    i * (i + 1) / 2 + k
}

impl PairTable {
    /// Number of entries: N(N+1)/2 for N slots in use or free.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Entry (a, b) in either order: when the two meet, or on the diagonal what the disc does on its own.
    ///
    /// `NEVER` for free slots and slots out of range. As of the last `refresh`.
    #[must_use]
    pub fn entry(&self, a: Slot, b: Slot) -> Time {
        let (i, k) = (a.max(b) as usize, a.min(b) as usize);
        if i >= self.rows.rows.len() || (i != k && !self.meets.get(i, k)) {
            return Time::NEVER;
        }
        self.entries[index(i, k)]
    }

    /// Finds the earliest entry of every stale row anew.
    fn search_stale_rows(&mut self) {
        while let Some(i) = self.rows.stale.pop() {
            // Rows that were computed again since they were marked are in order.
            let row = &self.rows.rows[i as usize];
            if row.stale && row.live {
                let first = self.search_row(i);
                self.rows.set_first(i, first);
                self.rows.counters.row_searches += 1;
            }
        }
    }

    fn search_row(&self, i: Slot) -> Entry {
        let entries = &self.entries[index(i as usize, 0)..=index(i as usize, i as usize)];
        let mut first = Entry { time: entries[i as usize], column: i };
        let words = &self.meets.row(i as usize)[..(i as usize).div_ceil(64)];
        for (w, &word) in words.iter().enumerate() {
            // Columns beyond the diagonal belong to other rows.
            let below = i as usize - 64 * w;
            let word = if below < 64 { word & ((1 << below) - 1) } else { word };
            for bit in Bits(word) {
                let k = 64 * w + bit;
                let entry = Entry { time: entries[k], column: k as Slot };
                if self.rows.is_before(i, entry, first) {
                    first = entry;
                }
            }
        }
        first
    }

    /// Computes the entries of slot `i` again, but for its pairs with slots that are `done`.
    #[inline]
    fn refresh_slot<P: EventTimes>(&mut self, i: Slot, predictor: &P) {
        let PairTable { entries, meets, rows, done, met, words, .. } = self;
        let solo = predictor.solo(i);
        rows.set_solo(i, &solo);
        entries[index(i as usize, i as usize)] = solo.time;
        // The earliest entry of its row is found on the way.
        let mut first = Entry { time: solo.time, column: i };
        for word in met.iter_mut() {
            *word = 0;
        }
        let meet = |k: Slot, time| {
            met[k as usize / 64] |= 1 << (k % 64);
            meets.set(k as usize, i as usize, true);
            if k < i {
                entries[index(i as usize, k as usize)] = time;
                let entry = Entry { time, column: k };
                if rows.is_before(i, entry, first) {
                    first = entry;
                }
            } else {
                entries[index(k as usize, i as usize)] = time;
                rows.entry_changed(k, i, time);
            }
        };
        rows.counters.roots += predictor.partners(i, done, words, meet);
        for w in 0..met.len() {
            let before = meets.row(i as usize)[w];
            meets.row_mut(i as usize)[w] = (before & done[w]) | met[w];
            for bit in Bits(before & !met[w] & !done[w]) {
                let k = 64 * w + bit;
                meets.set(k, i as usize, false);
                if k > i as usize {
                    rows.entry_changed(k as Slot, i, Time::NEVER);
                }
            }
            // What was done before stands.
            for bit in Bits(before & done[w]) {
                let k = 64 * w + bit;
                if k < i as usize {
                    let entry = Entry { time: entries[index(i as usize, k)], column: k as Slot };
                    if rows.is_before(i, entry, first) {
                        first = entry;
                    }
                }
            }
        }
        rows.set_first(i, first);
    }

    /// Entry (i, k) says "never" from now on.
    fn forget_pair(&mut self, i: Slot, k: Slot) {
        self.meets.set(i as usize, k as usize, false);
        self.meets.set(k as usize, i as usize, false);
        if k > i {
            self.rows.entry_changed(k, i, Time::NEVER);
        }
    }

    /// As [`Scheduler::refresh`], of event times alone.
    pub fn update<P: EventTimes>(&mut self, changed: &[Slot], predictor: &P) {
        for (already, &i) in changed.iter().enumerate() {
            self.refresh_slot(i, predictor);
            self.done[i as usize / 64] |= 1 << (i % 64);
            self.rows.counters.pair_times += (self.live - 1 - already) as u64;
            self.rows.counters.solo_times += 1;
        }
        for &i in changed {
            self.done[i as usize / 64] = 0;
        }
        self.search_stale_rows();
    }

    /// The earliest event, if any. Must have been refreshed with all that changed.
    // Inlined to avoid a store-forwarding stall on the returned struct.
    #[inline(always)]
    #[must_use]
    pub fn first(&self) -> Option<Scheduled> {
        let b = self.rows.queue.first()?;
        let Row { first: Entry { time, column: a }, kind, tag, .. } = self.rows.rows[b as usize];
        if time.is_never() {
            return None;
        }
        let (kind, tag) = if a == b { (kind, tag) } else { (Kind::Impact, 0) };
        Some(Scheduled { time, kind, a, b, tag })
    }

    /// As [`Scheduler::assert_well_formed`], of event times alone.
    ///
    /// # Panics
    /// With a description, if something is wrong. For tests: O(N²).
    pub fn check<P: EventTimes>(&self, predictor: &P) {
        let rows = &self.rows.rows;
        let n = rows.len();
        assert_eq!(self.entries.len(), n * (n + 1) / 2);
        assert_eq!(rows.iter().filter(|row| row.live).count(), self.live);
        assert!(self.rows.stale.is_empty() && self.done.iter().all(|&word| word == 0));
        self.rows.queue.assert_well_formed();
        assert_eq!(self.rows.queue.len(), n);
        for (i, row) in (0..).zip(rows) {
            for k in 0..i {
                let both = row.live && rows[k as usize].live;
                let expected = if both { predictor.pair(i, k) } else { Time::NEVER };
                assert_eq!(self.entry(i, k), expected, "pair ({i}, {k})");
                let bits = [(i, k), (k, i)].map(|(i, k)| self.meets.get(i as usize, k as usize));
                assert_eq!(bits[0], bits[1], "pair ({i}, {k})");
            }
            let solo = if row.live { predictor.solo(i) } else { Solo::NEVER };
            assert_eq!(self.entry(i, i), solo.time, "solo {i}");
            if !solo.time.is_never() {
                assert_eq!((row.kind, row.tag), (solo.kind, solo.tag), "solo {i}");
            }
            let earliest = (0..=i).map(|k| self.entry(i, k)).min().unwrap_or(Time::NEVER);
            assert_eq!(row.first.time, earliest, "earliest of row {i}");
            assert_eq!(self.entry(i, row.first.column), row.first.time, "column of row {i}");
            assert_eq!(*self.rows.queue.key(i), self.rows.key_of(row), "queue key of row {i}");
        }
    }
}

impl Scheduler for PairTable {
    /// Two gigabytes of entries.
    const CAPACITY: usize = 1 << 14;

    fn insert(&mut self, slot: Slot, serial: u64) {
        while self.rows.rows.len() <= slot as usize {
            self.rows.push();
            self.entries.resize(index(self.rows.rows.len(), 0), Time::NEVER);
            self.meets.grow();
            for words in [&mut self.done, &mut self.met, &mut self.words] {
                words.resize(self.meets.stride(), 0);
            }
        }
        let row = &mut self.rows.rows[slot as usize];
        debug_assert!(!row.live, "slot {slot} is taken");
        (row.serial, row.live) = (serial, true);
        self.live += 1;
    }

    fn remove(&mut self, slot: Slot) {
        debug_assert!(self.rows.rows[slot as usize].live, "slot {slot} is empty");
        for w in 0..self.meets.stride() {
            for bit in Bits(self.meets.row(slot as usize)[w]) {
                self.forget_pair(slot, (64 * w + bit) as Slot);
            }
        }
        self.entries[index(slot as usize, slot as usize)] = Time::NEVER;
        self.rows.set_solo(slot, &Solo::NEVER);
        let row = &mut self.rows.rows[slot as usize];
        (row.serial, row.live) = (u64::MAX, false);
        self.rows.set_first(slot, Entry { time: Time::NEVER, column: slot });
        self.live -= 1;
        self.search_stale_rows();
    }

    #[inline(always)]
    fn refresh<P: Predictor>(&mut self, changed: &[Slot], _: &[NextMeeting; 2], predictor: &P) {
        self.update(changed, predictor);
    }

    #[inline(always)]
    fn next<P: Predictor>(&mut self, _: Time, _: &P) -> Option<Scheduled> {
        self.first()
    }

    fn bytes(&self) -> usize {
        let words = self.done.capacity() + self.met.capacity() + self.words.capacity();
        size_of::<Time>() * self.entries.capacity() + self.meets.bytes() + 8 * words + self.rows.bytes()
    }

    fn counters(&self) -> SchedulerCounters {
        self.rows.counters
    }

    fn assert_well_formed<P: Predictor>(&self, predictor: &P) {
        self.check(predictor);
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use carom_math::Clock;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::string::String;

    /// Slots 0 and 1 meet after 3 s, 0 and 2 after 2 s, the others never; 1 does something on its own after
    /// 5 s.
    struct Three;

    fn secs(secs: f64) -> Time {
        Clock::new(1.0).unwrap().at(secs)
    }

    impl EventTimes for Three {
        fn pair(&self, a: Slot, b: Slot) -> Time {
            match (a.min(b), a.max(b)) {
                (0, 1) => secs(3.0),
                (0, 2) => secs(2.0),
                _ => Time::NEVER,
            }
        }

        fn solo(&self, slot: Slot) -> Solo {
            if slot == 1 { Solo { time: secs(5.0), kind: Kind::Impact, tag: 7 } } else { Solo::NEVER }
        }

        fn candidates(&self, slot: Slot, words: &mut [u64]) {
            words[0] = 0b111 & !(1 << slot);
        }
    }

    type Damage = fn(&mut PairTable);

    /// What the check says of a table that was sound before `damage`; nothing if it does not mind.
    fn complaint(damage: impl FnOnce(&mut PairTable)) -> Option<String> {
        let mut table = PairTable::default();
        for slot in 0..4 {
            table.insert(slot, u64::from(slot));
        }
        table.update(&[0, 1, 2], &Three);
        table.remove(3);
        damage(&mut table);
        let panic = catch_unwind(AssertUnwindSafe(|| table.check(&Three))).err()?;
        Some(match panic.downcast::<String>() {
            Ok(text) => *text,
            Err(other) => other.downcast_ref::<&str>().map_or_else(String::new, |&text| text.into()),
        })
    }

    /// Every invariant, broken by itself, is named by the check that all other tests rely on.
    #[test]
    fn the_check_finds_every_kind_of_damage() {
        assert_eq!(complaint(|_| ()), None);
        let damages: [(&str, Damage); 15] = [
            ("left == right", |t| t.entries.push(Time::NEVER)),
            ("left == right", |t| t.live += 1),
            ("left == right", |t| t.rows.rows[3].live = true),
            ("stale.is_empty()", |t| t.rows.stale.push(1)),
            ("stale.is_empty()", |t| t.done[0] = 1 << 2),
            ("left == right", |t| t.rows.queue.push(crate::EventKey::never(9))),
            ("pair (1, 0)", |t| t.entries[index(1, 0)] = secs(3.5)),
            ("pair (2, 0)", |t| t.meets.set(2, 0, false)),
            ("pair (2, 0)", |t| t.meets.set(0, 2, false)),
            ("solo 1", |t| t.entries[index(1, 1)] = secs(4.0)),
            ("solo 1", |t| t.rows.rows[1].tag = 8),
            ("solo 1", |t| t.rows.rows[1].kind = Kind::MotionChange),
            ("earliest of row 1", |t| t.rows.rows[1].first.time = secs(5.0)),
            ("column of row 2", |t| t.rows.rows[2].first.column = 1),
            ("queue key of row 2", |t| t.rows.queue.update(2, crate::EventKey::never(2))),
        ];
        for (named, damage) in damages {
            let said = complaint(damage).unwrap_or_default();
            assert!(said.contains(named), "instead of {named:?}: {said:?}");
        }
    }
}

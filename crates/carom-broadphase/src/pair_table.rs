use crate::bit_matrix::{BitMatrix, Bits};
use crate::{EventKey, Kind, Predictor, RowQueue, Scheduled, Scheduler, SchedulerCounters, Slot, Solo};
use alloc::vec::Vec;
use carom_math::Time;

/// All N(N+1)/2 times of N discs: a triangle of pairs, and on its diagonal each disc's own next event.
///
/// Row i holds the pairs (i, k) with k < i and, last, the diagonal (i, i). Each row knows its earliest entry,
/// and a [`RowQueue`] over the rows the earliest of all. When a disc changes, the N entries of its row and
/// column are computed again: 2N − 1 for two discs that met, since they share one.
///
/// Most pairs never meet on their present paths. A symmetric matrix of bits remembers which do, so the
/// entries that say "never" are neither written nor read: a disc touches as many entries as it has partners
/// to meet, plus N/64 words.
///
/// Cost of a refresh: O(N) for the sweep, O(log N) for each row whose earliest entry changes (a few).
/// Memory: 16 bytes an entry, 2 bits a pair.
#[derive(Clone, Debug, Default)]
pub struct PairTable {
    /// Entry (i, k) at i(i+1)/2 + k, for k ≤ i. Valid off the diagonal where `meets` has its bit.
    entries: Vec<Time>,
    /// Whether a pair has a time.
    meets: BitMatrix,
    rows: Vec<Row>,
    queue: RowQueue,
    live: usize,
    /// Rows to be searched again; each is marked in its `Row`.
    stale: Vec<Slot>,
    scratch: Vec<u64>,
    done: Vec<u64>,
    counters: SchedulerCounters,
}

/// What a row knows beside its entries.
#[derive(Clone, Copy, Debug)]
struct Row {
    serial: u64,
    /// The earliest entry's time.
    time: Time,
    /// Its column; the row's own number for the diagonal.
    partner: Slot,
    /// What the diagonal entry is.
    kind: Kind,
    tag: u32,
    live: bool,
    stale: bool,
}

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
        if i >= self.rows.len() || (i != k && !self.meets.get(i, k)) {
            return Time::NEVER;
        }
        self.entries[index(i, k)]
    }

    fn key_of(&self, row: &Row) -> EventKey {
        if row.time.is_never() {
            return EventKey::never(row.serial);
        }
        self.key(row, row.partner, row.time)
    }

    /// Key of the entry in column `partner` of `row`.
    #[inline]
    fn key(&self, row: &Row, partner: Slot, time: Time) -> EventKey {
        let other = &self.rows[partner as usize];
        let kind = if other.serial == row.serial { row.kind } else { Kind::Impact };
        EventKey::new(time, kind, row.serial, other.serial)
    }

    fn mark_stale(&mut self, row: Slot) {
        let entry = &mut self.rows[row as usize];
        if !entry.stale {
            entry.stale = true;
            self.stale.push(row);
        }
    }

    /// Entry (row, column) with column < row is now `time`: keeps the row's earliest entry right.
    #[inline]
    fn entry_changed(&mut self, row: Slot, column: Slot, time: Time) {
        let entry = &self.rows[row as usize];
        if entry.stale {
            return;
        }
        if time.is_before(entry.time) || (time == entry.time && !time.is_never()) {
            if time == entry.time && column != entry.partner {
                let (new, old) = (self.key(entry, column, time), self.key_of(entry));
                if !new.is_before(&old) {
                    return;
                }
            }
            let entry = &mut self.rows[row as usize];
            (entry.time, entry.partner) = (time, column);
            self.requeue(row);
        } else if entry.partner == column {
            self.mark_stale(row);
        }
    }

    fn requeue(&mut self, row: Slot) {
        let key = self.key_of(&self.rows[row as usize]);
        self.counters.queue_operations += 1;
        self.queue.update(row, key);
    }

    /// Finds the earliest entry of every stale row anew.
    fn search_stale_rows(&mut self) {
        while let Some(i) = self.stale.pop() {
            self.rows[i as usize].stale = false;
            if self.rows[i as usize].live {
                let (time, partner) = self.search_row(i);
                let row = &mut self.rows[i as usize];
                (row.time, row.partner) = (time, partner);
                self.counters.row_searches += 1;
            }
            self.requeue(i);
        }
    }

    fn search_row(&self, i: Slot) -> (Time, Slot) {
        let row = &self.rows[i as usize];
        let entries = &self.entries[index(i as usize, 0)..=index(i as usize, i as usize)];
        let (mut time, mut partner) = (entries[i as usize], i);
        let words = &self.meets.row(i as usize)[..(i as usize).div_ceil(64)];
        for (w, &word) in words.iter().enumerate() {
            // Columns beyond the diagonal belong to other rows.
            let below = i as usize - 64 * w;
            let word = if below < 64 { word & ((1 << below) - 1) } else { word };
            for bit in Bits(word) {
                let k = 64 * w + bit;
                let t = entries[k];
                let earlier = t.is_before(time)
                    || (t == time && self.key(row, k as Slot, t).is_before(&self.key(row, partner, time)));
                if earlier {
                    (time, partner) = (t, k as Slot);
                }
            }
        }
        (time, partner)
    }

    /// Computes the pairs of slot `i` again, but for those with slots that are `done`.
    #[inline]
    fn refresh_pairs<P: Predictor>(&mut self, i: Slot, predictor: &P) {
        predictor.candidates(i, &mut self.scratch);
        for w in 0..self.scratch.len() {
            let not_done = !self.done[w];
            let candidates = self.scratch[w] & not_done;
            let before = self.meets.row(i as usize)[w] & not_done;
            for bit in Bits(candidates | before) {
                let k = (64 * w + bit) as Slot;
                if candidates >> bit & 1 == 1 {
                    self.counters.roots += 1;
                    self.set_pair(i, k, predictor.pair(i, k));
                } else {
                    self.set_pair(i, k, Time::NEVER);
                }
            }
        }
    }

    #[inline(always)]
    fn set_pair(&mut self, i: Slot, k: Slot, time: Time) {
        let meets = !time.is_never();
        self.meets.set(i as usize, k as usize, meets);
        self.meets.set(k as usize, i as usize, meets);
        if meets {
            self.entries[index(i.max(k) as usize, i.min(k) as usize)] = time;
        }
        if k > i {
            self.entry_changed(k, i, time);
        }
    }

    fn set_solo(&mut self, i: Slot, solo: Solo) {
        self.entries[index(i as usize, i as usize)] = solo.time;
        let row = &mut self.rows[i as usize];
        (row.kind, row.tag) = (solo.kind, solo.tag);
    }
}

impl Scheduler for PairTable {
    fn insert(&mut self, slot: Slot, serial: u64) {
        while self.rows.len() <= slot as usize {
            let i = self.rows.len();
            self.entries.resize(index(i + 1, 0), Time::NEVER);
            self.meets.grow();
            let partner = i as Slot;
            self.rows.push(Row {
                serial: u64::MAX,
                time: Time::NEVER,
                partner,
                kind: Kind::Timer,
                tag: 0,
                live: false,
                stale: false,
            });
            self.queue.push(EventKey::never(u64::MAX));
            let words = self.meets.stride();
            self.scratch.resize(words, 0);
            self.done.resize(words, 0);
        }
        let row = &mut self.rows[slot as usize];
        debug_assert!(!row.live, "slot {slot} is taken");
        (row.serial, row.live) = (serial, true);
        self.live += 1;
    }

    fn remove(&mut self, slot: Slot) {
        debug_assert!(self.rows[slot as usize].live, "slot {slot} is empty");
        for w in 0..self.meets.stride() {
            for bit in Bits(self.meets.row(slot as usize)[w]) {
                self.set_pair(slot, (64 * w + bit) as Slot, Time::NEVER);
            }
        }
        self.set_solo(slot, Solo::NEVER);
        let row = &mut self.rows[slot as usize];
        (row.serial, row.live, row.time, row.partner) = (u64::MAX, false, Time::NEVER, slot);
        self.live -= 1;
        self.requeue(slot);
        self.search_stale_rows();
    }

    fn refresh<P: Predictor>(&mut self, changed: &[Slot], predictor: &P) {
        for (already, &i) in changed.iter().enumerate() {
            self.mark_stale(i);
            self.refresh_pairs(i, predictor);
            self.set_solo(i, predictor.solo(i));
            self.done[i as usize / 64] |= 1 << (i % 64);
            self.counters.pair_times += (self.live - 1 - already) as u64;
            self.counters.solo_times += 1;
        }
        for &i in changed {
            self.done[i as usize / 64] = 0;
        }
        self.search_stale_rows();
    }

    #[inline]
    fn next(&self) -> Option<Scheduled> {
        let a = self.queue.first()?;
        let row = &self.rows[a as usize];
        if row.time.is_never() {
            return None;
        }
        let solo = row.partner == a;
        Some(Scheduled {
            time: row.time,
            kind: if solo { row.kind } else { Kind::Impact },
            a: row.partner,
            b: a,
            tag: if solo { row.tag } else { 0 },
        })
    }

    fn counters(&self) -> SchedulerCounters {
        self.counters
    }

    fn assert_well_formed<P: Predictor>(&self, predictor: &P) {
        let n = self.rows.len();
        assert_eq!(self.entries.len(), n * (n + 1) / 2);
        assert_eq!(self.rows.iter().filter(|row| row.live).count(), self.live);
        assert!(self.stale.is_empty() && self.done.iter().all(|&word| word == 0));
        self.queue.assert_well_formed();
        assert_eq!(self.queue.len(), n);
        let live = |i: usize| self.rows[i].live;
        for i in 0..n {
            let row = &self.rows[i];
            for k in 0..i {
                let expected =
                    if live(i) && live(k) { predictor.pair(i as Slot, k as Slot) } else { Time::NEVER };
                assert_eq!(self.entry(i as Slot, k as Slot), expected, "pair ({i}, {k})");
                assert_eq!(self.meets.get(i, k), self.meets.get(k, i), "pair ({i}, {k})");
            }
            let solo = if live(i) { predictor.solo(i as Slot) } else { Solo::NEVER };
            assert_eq!(self.entry(i as Slot, i as Slot), solo.time, "solo {i}");
            if live(i) && !solo.time.is_never() {
                assert_eq!((row.kind, row.tag), (solo.kind, solo.tag), "solo {i}");
            }
            let earliest = (0..=i).map(|k| self.entry(i as Slot, k as Slot)).min().unwrap_or(Time::NEVER);
            assert_eq!(row.time, earliest, "earliest of row {i}");
            assert_eq!(self.entry(i as Slot, row.partner), row.time, "partner of row {i}");
            assert_eq!(*self.queue.key(i as Slot), self.key_of(row), "queue key of row {i}");
        }
    }
}

mod check;
mod clone;
mod filled;
mod horizon;
mod in_place;
mod ties;

use crate::{EventTimes, Kind, PairRow, RowLanes, RowMin, Scheduled, SchedulerCounters, Slot, Solo};
use alloc::vec::Vec;
use carom_math::Time;
pub use horizon::Horizon;

/// All N(N+1)/2 times of N discs: N(N−1)/2 pairs, and on the diagonal each disc's own next event.
///
/// A pair stands in the row of that of its discs which was *written* last, since that one's state is the
/// reference of the pair's time: a row is an array of seconds since the disc's own stored state, made in one
/// pass of vectors over all discs. Writes are numbered; (i, k) stands in row i as long as k was written
/// before i. What a disc that is written anew leaves in the rows of others is not touched: it is stale, and
/// so may be the earliest entry of such a row, which then is too early. That is found when it is the next of
/// all rows, and the row is searched again, without new roots.
///
/// The discs of an impact may look no further than a [horizon](PairTable::horizon). A row that has nothing
/// earlier left is next then, as if by a stale entry, and is filled to its end.
///
/// Two parts of exact time are made of the earliest entry of each row alone. Several entries may round to
/// one time, and then the order of events decides: those that are so near are compared by their exact
/// times.
///
/// Cost of a refresh: O(N). Memory: 8 bytes for each of N² places.
#[derive(Debug, Default)]
pub struct PairTable {
    rows: Vec<Row>,
    /// Row i from i times `stride` on.
    seconds: Vec<RowLanes>,
    /// Eights of slots for which a row has places.
    stride: usize,
    /// The number of the write of each slot; infinite for free slots and those that have not been refreshed.
    written: Vec<RowLanes>,
    /// When the earliest entry of each row is due, in seconds rounded to nearest.
    firsts: Vec<RowLanes>,
    writes: f64,
    /// The latest time of a state that was written.
    newest: Time,
    live: usize,
    /// Scratch, a bit for each slot.
    words: Vec<u64>,
    horizon: Horizon,
    counters: SchedulerCounters,
}

/// Stands for the column of the earliest entry where that may be one which has been left out.
const UNKNOWN: Slot = Slot::MAX;

/// Rows whose places are made at once, if that many slots are reserved.
///
/// Up to here a reserved table takes 32 kilobytes and never moves a row; more would be memory that a world
/// which takes the grid instead never uses.
const MOST_ROWS_RESERVED: usize = 64;

/// What a row knows beside its entries.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// The earliest entry: when, and in which column; the row's own number for the diagonal, and [`UNKNOWN`]
    /// if it may be any that is not there.
    first: Time,
    column: Slot,
    live: bool,
    /// Entries of at most this many seconds are there. Later ones may be left out: they are infinite or, if
    /// this is 0, like in a clone, mean nothing.
    filled_to: f64,
    /// The diagonal entry.
    solo: Solo,
    /// The time of its disc's state, from which its entries are counted.
    since: Time,
    serial: u64,
}

impl Row {
    const FREE: Row = Row {
        first: Time::NEVER,
        column: 0,
        live: false,
        filled_to: f64::INFINITY,
        solo: Solo::NEVER,
        since: Time::ZERO,
        serial: u64::MAX,
    };
}

impl PairTable {
    /// The most discs that it takes: two gigabytes of entries.
    pub const CAPACITY: usize = 1 << 14;

    /// Entry (a, b) in either order: when the two meet, or on the diagonal what the disc does on its own.
    ///
    /// `NEVER` for free slots and slots out of range. As of the last `refresh`.
    #[must_use]
    pub fn entry<P: EventTimes>(&self, a: Slot, b: Slot, predictor: &P) -> Time {
        if a.max(b) as usize >= self.rows.len() {
            return Time::NEVER;
        }
        if a == b {
            return self.rows[a as usize].solo.time;
        }
        let (own, other) = if self.is_newer(a, b) { (a, b) } else { (b, a) };
        // Of free slots the newer one is infinitely new.
        if self.write_of(own) == f64::INFINITY {
            return Time::NEVER;
        }
        let (filled_to, seconds) = (self.rows[own as usize].filled_to, RowLanes::of(self.row(own), other));
        let is_there = filled_to == f64::INFINITY || seconds <= filled_to && filled_to > 0.0;
        predictor.after(own, if is_there { seconds } else { predictor.seconds(own, other) })
    }

    #[inline(always)]
    fn write_of(&self, slot: Slot) -> f64 {
        RowLanes::of(&self.written, slot)
    }

    /// Whether a slot was written after another.
    #[inline(always)]
    fn is_newer(&self, slot: Slot, than: Slot) -> bool {
        self.write_of(than) < self.write_of(slot)
    }

    /// Eights of slots.
    #[inline(always)]
    fn width(&self) -> usize {
        self.written.len()
    }

    #[inline(always)]
    fn row(&self, slot: Slot) -> &[RowLanes] {
        &self.seconds[slot as usize * self.stride..][..self.width()]
    }

    #[inline(always)]
    fn pair_row(&mut self, slot: Slot) -> PairRow<'_> {
        let (own, width) = (self.write_of(slot), self.width());
        // The discs of an impact of two do not meet, whichever is written last.
        PairRow {
            written: &self.written,
            own,
            is_last: own + 1.0 >= self.writes,
            seconds: &mut self.seconds[slot as usize * self.stride..][..width],
            words: &mut self.words,
        }
    }

    /// [`Scheduler::refresh`](crate::Scheduler::refresh), which needs no more than event times here.
    #[inline(always)]
    pub fn update<P: EventTimes>(&mut self, changed: &[Slot], predictor: &P) {
        if changed.is_empty() {
            return;
        }
        self.count_changes(changed.len() as u64);
        if !changed.iter().all(|&i| self.number_if_latest(i, predictor)) {
            return self.update_late(changed, predictor);
        }
        for &i in changed {
            self.refresh_row(i, predictor);
        }
    }

    /// Counts the times that are computed when this many discs change.
    #[inline(always)]
    fn count_changes(&mut self, changes: u64) {
        // What two of them share is counted once.
        let pairs = changes * (self.live as u64 - 1) - changes * (changes - 1) / 2;
        self.counters.pair_times += pairs;
        self.counters.solo_times += changes;
    }

    /// Numbers the write of a state, unless it is older than others.
    #[inline(always)]
    fn number_if_latest<P: EventTimes>(&mut self, slot: Slot, predictor: &P) -> bool {
        let time = predictor.state_time(slot);
        if time.is_before(self.newest) {
            return false;
        }
        self.number_write(slot, time);
        true
    }

    /// Numbers the write of a state that is older than none.
    #[inline(always)]
    fn number_write(&mut self, slot: Slot, time: Time) {
        self.newest = time;
        self.rows[slot as usize].since = time;
        self.writes += 1.0;
        *RowLanes::of_mut(&mut self.written, slot) = self.writes;
    }

    /// Computes the row of a disc whose write has a number.
    #[inline(always)]
    pub fn refresh_row<P: EventTimes>(&mut self, slot: Slot, predictor: &P) {
        let solo = predictor.solo(slot);
        let least = predictor.fill_row(slot, self.pair_row(slot));
        self.finish_row(slot, &solo, &least, predictor);
    }

    /// Searches a row again in which entries are stale.
    fn search_row<P: EventTimes>(&mut self, slot: Slot, predictor: &P) {
        self.counters.row_searches += 1;
        self.find_first_again(slot, predictor);
    }

    /// Finds the earliest entry of a row in which entries may be stale or left out.
    fn find_first_again<P: EventTimes>(&mut self, slot: Slot, predictor: &P) {
        let Row { filled_to, column, .. } = self.rows[slot as usize];
        if filled_to > 0.0 && column != UNKNOWN {
            let least = predictor.search_row(self.pair_row(slot));
            self.set_first(slot, &least, filled_to, predictor);
        } else {
            let least = predictor.refill_row(slot, self.pair_row(slot));
            self.set_first(slot, &least, f64::INFINITY, predictor);
        }
    }

    /// Sets the earliest entry of a row from the least of its pair times and its solo event, if all entries
    /// of at most `filled_to` seconds are there.
    #[inline(always)]
    fn set_first<P: EventTimes>(&mut self, slot: Slot, least: &RowMin, filled_to: f64, predictor: &P) {
        self.rows[slot as usize].filled_to = filled_to;
        // An entry that was left out may come first if its time cannot be told from the least.
        if filled_to < least.seconds + predictor.resolution() {
            return self.set_first_as_unknown(slot, filled_to.min(least.seconds), predictor);
        }
        let met = predictor.after(slot, least.seconds);
        let mut column = least.column;
        if least.is_tied && !met.is_never() {
            column = self.first_of_tied(slot, met, least, predictor);
        }
        let row = &mut self.rows[slot as usize];
        let is_met = met.is_before(row.solo.time);
        (row.first, row.column) = if is_met { (met, column) } else { (row.solo.time, slot) };
        *RowLanes::of_mut(&mut self.firsts, slot) = row.first.as_secs();
        if met == row.solo.time && !met.is_never() {
            self.set_tied_first(slot, column);
        }
    }

    /// Sets the earliest entry of a row whose first pair time may have been left out: it is not before
    /// `seconds`.
    #[inline(always)]
    fn set_first_as_unknown<P: EventTimes>(&mut self, slot: Slot, seconds: f64, predictor: &P) {
        let row = &mut self.rows[slot as usize];
        let until = predictor.after(slot, seconds);
        (row.first, row.column) =
            if row.solo.time.is_before(until) { (row.solo.time, slot) } else { (until, UNKNOWN) };
        *RowLanes::of_mut(&mut self.firsts, slot) = row.first.as_secs();
    }

    /// Whether the earliest entry of a row is no longer there, or not yet.
    #[inline(always)]
    fn is_stale(&self, slot: Slot) -> bool {
        let column = self.rows[slot as usize].column;
        column != slot && (column == UNKNOWN || !self.is_newer(slot, column))
    }

    /// The earliest event, if any. Must have been refreshed with all that changed.
    ///
    /// Rows that are next by an entry which is gone are searched again: O(N) each, a tenth of one an event.
    // Inlined to avoid a store-forwarding stall on the returned struct.
    #[inline(always)]
    #[must_use]
    pub fn first<P: EventTimes>(&mut self, predictor: &P) -> Option<Scheduled> {
        loop {
            let RowMin { seconds, mut column, is_tied } = predictor.least(&self.firsts);
            if seconds == f64::INFINITY {
                return None;
            }
            if is_tied {
                let Some(first) = self.first_of_tied_rows(seconds, predictor) else { continue };
                column = first;
            } else if self.is_stale(column) {
                self.search_row(column, predictor);
                continue;
            }
            let Row { first: time, column: other, solo, .. } = self.rows[column as usize];
            let (kind, tag) = if other == column { (solo.kind, solo.tag) } else { (Kind::Impact, 0) };
            return Some(Scheduled { time, kind, a: column.min(other), b: column.max(other), tag });
        }
    }

    /// Gives each row places for `width` eights of slots.
    #[cold]
    fn widen(&mut self, width: usize) {
        if width > self.stride {
            // Exactly as wide for few, as clones copy all; so that rows are moved seldom for many.
            let stride = if width <= 16 { width } else { width.max(self.stride + self.stride / 2) };
            let rows = self.rows.capacity().min(MOST_ROWS_RESERVED).max(self.rows.len());
            let mut seconds = Vec::with_capacity(stride * rows);
            seconds.resize(stride * self.rows.len(), RowLanes::INFINITE);
            if self.stride > 0 {
                for (to, from) in seconds.chunks_mut(stride).zip(self.seconds.chunks(self.stride)) {
                    to[..self.stride].copy_from_slice(from);
                }
            }
            (self.seconds, self.stride) = (seconds, stride);
        }
        self.written.resize(width, RowLanes::INFINITE);
        self.firsts.resize(width, RowLanes::INFINITE);
        self.words.resize((width * RowLanes::WIDTH).div_ceil(64), 0);
    }
}

/// What a scheduler has beside [`PairTable::update`] and [`PairTable::first`].
impl PairTable {
    /// [`Scheduler::reserve`](crate::Scheduler::reserve), if there are few discs.
    pub fn reserve(&mut self, discs: usize) {
        if discs <= MOST_ROWS_RESERVED {
            self.rows.reserve(discs.saturating_sub(self.rows.len()));
        }
    }

    /// [`Scheduler::insert`](crate::Scheduler::insert).
    pub fn insert(&mut self, slot: Slot, serial: u64) {
        let slots = self.rows.len().max(slot as usize + 1);
        if slots > self.width() * RowLanes::WIDTH {
            self.widen(slots.div_ceil(RowLanes::WIDTH));
        }
        self.rows.resize(slots, Row::FREE);
        self.seconds.resize(slots * self.stride, RowLanes::INFINITE);
        let row = &mut self.rows[slot as usize];
        debug_assert!(!row.live, "slot {slot} is taken");
        (row.serial, row.live, row.column) = (serial, true, slot);
        self.live += 1;
    }

    /// [`Scheduler::remove`](crate::Scheduler::remove).
    pub fn remove(&mut self, slot: Slot) {
        debug_assert!(self.rows[slot as usize].live, "slot {slot} is empty");
        self.rows[slot as usize] = Row { column: slot, ..Row::FREE };
        *RowLanes::of_mut(&mut self.written, slot) = f64::INFINITY;
        *RowLanes::of_mut(&mut self.firsts, slot) = f64::INFINITY;
        self.live -= 1;
    }

    /// [`Scheduler::bytes`](crate::Scheduler::bytes).
    #[must_use]
    pub fn bytes(&self) -> usize {
        let lanes = self.seconds.capacity() + self.written.capacity() + self.firsts.capacity();
        size_of::<RowLanes>() * lanes + size_of::<Row>() * self.rows.capacity() + 8 * self.words.capacity()
    }

    /// [`Scheduler::counters`](crate::Scheduler::counters).
    #[must_use]
    pub fn counters(&self) -> SchedulerCounters {
        // Each pair time is a root, and what a disc does on its own is its place among the rows.
        let SchedulerCounters { pair_times: roots, solo_times: queue_operations, .. } = self.counters;
        SchedulerCounters { roots, queue_operations, ..self.counters }
    }
}

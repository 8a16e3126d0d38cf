use super::tournament::Tournament;
use crate::{EventKey, Kind, SchedulerCounters, Slot, Solo};
use alloc::vec::Vec;
use carom_math::Time;

/// What the rows of a pair table know beside their entries, and the queue over them.
#[derive(Debug, Default)]
pub(crate) struct RowMinima {
    pub(crate) rows: Vec<Row>,
    pub(crate) queue: Tournament,
    /// Rows to be searched again; each is marked in its `Row`, unless it was computed again since.
    pub(crate) stale: Vec<Slot>,
    pub(crate) counters: SchedulerCounters,
}

crate::clone_fields!(RowMinima: rows, queue, stale, counters);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) serial: u64,
    /// The earliest entry.
    pub(crate) first: Entry,
    /// What the diagonal entry is.
    pub(crate) kind: Kind,
    pub(crate) tag: u32,
    pub(crate) live: bool,
    pub(crate) stale: bool,
}

/// An entry of a row: when, and in which column; the row's own number for the diagonal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) time: Time,
    pub(crate) column: Slot,
}

impl RowMinima {
    /// Adds an empty row.
    pub(crate) fn push(&mut self) {
        let first = Entry { time: Time::NEVER, column: self.rows.len() as Slot };
        let row = Row { serial: u64::MAX, first, kind: Kind::Impact, tag: 0, live: false, stale: false };
        self.rows.push(row);
        self.queue.push(EventKey::never(u64::MAX));
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<Row>() * self.rows.capacity()
            + self.queue.bytes()
            + size_of::<Slot>() * self.stale.capacity()
    }

    /// Key of a row's earliest entry.
    #[inline]
    pub(crate) fn key_of(&self, row: &Row) -> EventKey {
        if row.first.time.is_never() { EventKey::never(row.serial) } else { self.key(row, row.first) }
    }

    /// Key of an entry of a row.
    #[inline]
    fn key(&self, row: &Row, entry: Entry) -> EventKey {
        let other = &self.rows[entry.column as usize];
        let kind = if other.serial == row.serial { row.kind } else { Kind::Impact };
        EventKey::new(entry.time, kind, row.serial, other.serial)
    }

    /// Whether `entry` of a row comes before its entry `than`.
    #[inline(always)]
    pub(crate) fn is_before(&self, row: Slot, entry: Entry, than: Entry) -> bool {
        entry.time.is_before(than.time) || (entry.time == than.time && self.wins_tie(row, entry, than))
    }

    #[cold]
    fn wins_tie(&self, row: Slot, entry: Entry, than: Entry) -> bool {
        let row = &self.rows[row as usize];
        self.key(row, entry).is_before(&self.key(row, than))
    }

    pub(crate) fn set_solo(&mut self, row: Slot, solo: &Solo) {
        let row = &mut self.rows[row as usize];
        (row.kind, row.tag) = (solo.kind, solo.tag);
    }

    /// A row was computed again, and this is its earliest entry.
    #[inline]
    pub(crate) fn set_first(&mut self, row: Slot, first: Entry) {
        let entry = &mut self.rows[row as usize];
        (entry.first, entry.stale) = (first, false);
        self.requeue(row);
    }

    /// Entry (row, column) with column < row is now `time`: keeps the row's earliest entry right.
    #[inline]
    pub(crate) fn entry_changed(&mut self, row: Slot, column: Slot, time: Time) {
        let Row { first, stale, .. } = self.rows[row as usize];
        let entry = Entry { time, column };
        if stale {
        } else if time.is_never() || !self.is_before(row, entry, first) {
            if first.column == column && first.time != time {
                self.rows[row as usize].stale = true;
                self.stale.push(row);
            }
        } else {
            self.rows[row as usize].first = entry;
            self.requeue(row);
        }
    }

    #[inline]
    pub(crate) fn requeue(&mut self, row: Slot) {
        let key = self.key_of(&self.rows[row as usize]);
        self.counters.queue_operations += 1;
        self.queue.update(row, key);
    }
}

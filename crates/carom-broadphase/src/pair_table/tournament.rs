#[cfg(test)]
mod against_scan;

use super::min16::{FAN, Min16};
use crate::{EventKey, Slot};
use alloc::vec::Vec;
use carom_math::Time;

/// An indexed priority queue: a tournament over rows, each with its current key, updated in place.
///
/// Rows are `0..len`, all of them always in the queue. Groups of sixteen rows have a winner, groups of
/// sixteen winners another, and so on to one. Reading the first searches one group; changing a key searches
/// at most one on each level below, and mostly none: a row that neither was nor becomes its group's winner
/// ends the matter. A group is searched by seconds rounded to one `f64`, side by side and without a branch;
/// as rounding keeps the order, whole keys are looked at only where these are equal. Nothing is allocated
/// but when a row is added.
///
/// A binary heap of keys was tried first: its sifting mispredicts about every other step.
#[derive(Debug, Default)]
pub(super) struct Tournament {
    keys: Vec<EventKey>,
    /// The rows, then the winners of groups of sixteen of the level below, up to a level of one group.
    levels: Vec<Round>,
}

crate::clone_fields!(Tournament: keys, levels);

/// Contestants of one level: which row stands at each place, and its time.
#[derive(Debug, Default)]
struct Round {
    groups: Vec<Min16>,
    rows: Vec<Slot>,
}

crate::clone_fields!(Round: groups, rows);

/// A row for places where there is none.
const NO_ROW: Slot = Slot::MAX;

impl Tournament {
    /// Bytes of memory that it holds.
    #[must_use]
    pub(super) fn bytes(&self) -> usize {
        let level = |level: &Round| {
            size_of::<Min16>() * level.groups.capacity() + size_of::<Slot>() * level.rows.capacity()
        };
        size_of::<EventKey>() * self.keys.capacity() + self.levels.iter().map(level).sum::<usize>()
    }

    /// Number of rows.
    #[must_use]
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Adds the row `len()`.
    pub(super) fn push(&mut self, key: EventKey) {
        let row = self.keys.len() as Slot;
        self.keys.push(key);
        if self.levels.is_empty() {
            self.levels.push(Round::default());
        }
        // Room for one more contestant on each level, and another level when the top one splits.
        let mut places = self.keys.len();
        for l in 0.. {
            let level = &mut self.levels[l];
            if level.rows.len() < places {
                level.groups.push(Min16::EMPTY);
                level.rows.extend([NO_ROW; FAN]);
            }
            places = level.groups.len();
            if places == 1 {
                break;
            }
            if l + 1 == self.levels.len() {
                self.levels.push(Round::default());
                for group in 0..places {
                    let winner = self.search(l, group);
                    let level = &mut self.levels[l + 1];
                    if level.rows.len() <= group {
                        level.groups.push(Min16::EMPTY);
                        level.rows.extend([NO_ROW; FAN]);
                    }
                    level.rows[group] = winner;
                }
            }
        }
        for l in 1..self.levels.len() {
            for place in 0..self.levels[l].rows.len() {
                self.copy_time(l, place);
            }
        }
        self.levels[0].rows[row as usize] = row;
        self.update(row, key);
    }

    /// The row with the smallest key.
    #[inline(always)]
    #[must_use]
    pub(super) fn first(&self) -> Option<Slot> {
        let top = self.levels.len().checked_sub(1)?;
        let row = self.search(top, 0);
        (row != NO_ROW).then_some(row)
    }

    /// The current key of a row.
    #[must_use]
    pub(super) fn key(&self, row: Slot) -> &EventKey {
        &self.keys[row as usize]
    }

    /// Gives a row another key.
    #[inline]
    pub(super) fn update(&mut self, row: Slot, key: EventKey) {
        self.keys[row as usize] = key;
        self.levels[0].groups[row as usize / FAN].0[row as usize % FAN] = key.time().as_secs();
        // `was` stood at this place of the level, `is` stands there now.
        let (mut was, mut is, mut place) = (row, row, row as usize);
        for l in 1..self.levels.len() {
            place /= FAN;
            let winner = self.levels[l].rows[place];
            if winner == was {
                is = self.search(l - 1, place);
            } else if winner != NO_ROW && !self.is_before(is, winner) {
                return;
            }
            was = winner;
            self.levels[l].rows[place] = is;
            self.copy_time(l, place);
        }
    }

    #[inline(always)]
    fn is_before(&self, a: Slot, b: Slot) -> bool {
        self.keys[a as usize].is_before(&self.keys[b as usize])
    }

    #[inline(always)]
    fn copy_time(&mut self, level: usize, place: usize) {
        let level = &mut self.levels[level];
        let row = level.rows[place];
        let time = if row == NO_ROW { Time::NEVER } else { self.keys[row as usize].time() };
        level.groups[place / FAN].0[place % FAN] = time.as_secs();
    }

    /// The winner among the sixteen of a group; any of them if nothing ever happens to them.
    #[inline(always)]
    fn search(&self, level: usize, group: usize) -> Slot {
        let level = &self.levels[level];
        let (secs, bits) = level.groups[group].earliest();
        let rows = &level.rows[group * FAN..][..FAN];
        let first = rows[bits.trailing_zeros() as usize];
        if bits & (bits - 1) == 0 || secs == f64::INFINITY {
            return first;
        }
        self.least_of_tied(rows, bits)
    }

    #[cold]
    fn least_of_tied(&self, rows: &[Slot], bits: u16) -> Slot {
        let tied = rows.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, &row)| row);
        tied.min_by_key(|&row| self.keys[row as usize]).unwrap_or(NO_ROW)
    }

    /// Checks that every group has the right winner.
    ///
    /// # Panics
    /// If not.
    pub(super) fn assert_well_formed(&self) {
        for (row, key) in self.keys.iter().enumerate() {
            assert_eq!(self.levels[0].rows[row], row as Slot);
            assert_eq!(self.levels[0].groups[row / FAN].0[row % FAN], key.time().as_secs());
        }
        for l in 1..self.levels.len() {
            assert_eq!(self.levels[l].groups.len(), self.levels[l - 1].groups.len().div_ceil(FAN));
            for group in 0..self.levels[l - 1].groups.len() {
                let rows = &self.levels[l - 1].rows[group * FAN..][..FAN];
                let earliest =
                    rows.iter().filter(|&&row| row != NO_ROW).map(|&row| self.keys[row as usize]).min();
                let winner = self.levels[l].rows[group];
                let key = self.keys[winner as usize];
                let right = earliest.is_some_and(|earliest| {
                    key == earliest || key.time().is_never() && earliest.time().is_never()
                });
                assert!(right, "winner of group {group} on level {l}");
            }
        }
        assert!(self.levels.last().is_none_or(|top| top.groups.len() <= 1));
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::Kind;
    use carom_math::Clock;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// Forty rows, three groups of them; row r is due after 100 − r seconds.
    fn forty() -> Tournament {
        let clock = Clock::new(1.0).unwrap();
        let mut queue = Tournament::default();
        for row in 0..40_u64 {
            queue.push(EventKey::new(clock.at(100.0 - row as f64), Kind::Impact, row, row));
        }
        queue
    }

    fn is_sound(damage: impl FnOnce(&mut Tournament)) -> bool {
        let mut queue = forty();
        damage(&mut queue);
        catch_unwind(AssertUnwindSafe(|| queue.assert_well_formed())).is_ok()
    }

    /// Every invariant, broken by itself, is found by the check that all other tests rely on.
    #[test]
    fn the_check_finds_every_kind_of_damage() {
        assert!(is_sound(|_| ()));
        assert!(!is_sound(|q| q.levels[0].rows[17] = 18), "a row at another's place");
        assert!(!is_sound(|q| q.levels[0].groups[1].0[1] = 7.0), "another time");
        assert!(!is_sound(|q| q.levels[1].rows[1] = 30), "a winner that is not the first");
        assert!(!is_sound(|q| q.levels[1].groups.push(Min16::EMPTY)), "a group too many");
        // The key of never is no winner over one that is due, nor the other way round.
        assert!(!is_sound(|q| q.keys[31] = EventKey::never(31)), "a key behind the queue's back");
        assert!(
            !is_sound(|q| {
                q.update(15, EventKey::never(15));
                q.levels[1].rows[0] = 15;
            }),
            "a winner that never happens"
        );
        assert!(
            !is_sound(|q| {
                q.levels.truncate(1);
            }),
            "a top that is not one group"
        );
    }
}

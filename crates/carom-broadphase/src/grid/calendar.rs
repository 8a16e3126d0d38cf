use super::front::{Due, Front, Place, Rank};
use crate::{Slot, prefetch};
use alloc::vec::Vec;
use carom_math::Time;

/// A note in the calendar: look at this slot then. Whether it still means it, `check` tells.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mark {
    pub(crate) slot: Slot,
    pub(crate) check: u32,
}

const IN_CHUNK: usize = 7;
const NONE: u32 = u32::MAX;

/// Some marks of a bucket: a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Chunk {
    /// The next one of the bucket, or of those that are free.
    next: u32,
    count: u32,
    marks: [Mark; IN_CHUNK],
}

/// A queue of what is due, with buckets of equal lengths of time, in expected O(1) (Paul, J. Comput. Phys. 221 (2007)
/// 615). The bucket that time has come to is the [`Front`], in exact order; the others are in none. What is no longer
/// meant is not taken out but noticed when its bucket is opened.
///
/// Which bucket a time belongs to is a function that does not decrease, so the order of the buckets is that of the
/// times, whatever the rounding.
#[derive(Clone, Debug)]
pub(crate) struct Calendar {
    origin: Time,
    /// Buckets a second.
    rate: f64,
    /// Number of the bucket in front: earlier ones are open, too.
    current: u64,
    /// The first chunk of each bucket from `current + 1` on, in a ring.
    heads: Vec<u32>,
    chunks: Vec<Chunk>,
    free: u32,
    /// Marks in the ring.
    waiting: usize,
    /// Marks beyond the ring, and the number of the first bucket among them.
    later: Vec<Mark>,
    first_later: u64,
    pub(crate) front: Front,
    /// What was found since the last start: buckets opened, and marks in them that were meant.
    opened: u64,
    met: u64,
}

impl Default for Calendar {
    fn default() -> Self {
        let mut calendar = Calendar {
            origin: Time::ZERO,
            rate: 1.0,
            current: 0,
            heads: Vec::new(),
            chunks: Vec::new(),
            free: NONE,
            waiting: 0,
            later: Vec::new(),
            first_later: u64::MAX,
            front: Front::default(),
            opened: 0,
            met: 0,
        };
        calendar.start(Time::ZERO, 1.0, 0);
        calendar
    }
}

/// Marks that a bucket should hold when it is opened.
pub(crate) const PER_BUCKET: f64 = 8.0;

impl Calendar {
    /// Forgets all marks; from `origin` on, with so many buckets a second, for so many slots.
    pub(crate) fn start(&mut self, origin: Time, rate: f64, slots: usize) {
        let buckets = (slots / 2).next_power_of_two().max(64);
        (self.origin, self.rate) = (origin, rate);
        self.current = 0;
        self.heads.clear();
        self.heads.resize(buckets, NONE);
        self.chunks.clear();
        self.free = NONE;
        self.waiting = 0;
        self.later.clear();
        self.first_later = u64::MAX;
        self.front.clear();
        (self.opened, self.met) = (0, 0);
    }

    #[inline(always)]
    fn bucket(&self, time: Time) -> u64 {
        // To whole numbers with saturation, which does not decrease either.
        ((time.since(self.origin) * self.rate) as u64).min(u64::MAX - 1)
    }

    /// Seconds for the order in front.
    #[inline(always)]
    fn seconds(&self, time: Time) -> f64 {
        time.since(self.origin)
    }

    /// Marks a slot.
    #[inline]
    pub(crate) fn insert(&mut self, time: Time, mark: Mark, rank: impl Fn(&Due) -> Rank) {
        let bucket = self.bucket(time);
        if bucket <= self.current {
            self.push_front(time, mark, rank);
        } else if bucket - self.current < self.heads.len() as u64 {
            self.push_ring(bucket, mark);
        } else {
            self.first_later = self.first_later.min(bucket);
            self.later.push(mark);
        }
    }

    #[inline]
    fn push_front(&mut self, time: Time, mark: Mark, rank: impl Fn(&Due) -> Rank) {
        let seconds = self.seconds(time);
        self.front.push(Due { time, slot: mark.slot, check: mark.check }, seconds, rank);
    }

    #[inline]
    fn push_ring(&mut self, bucket: u64, mark: Mark) {
        self.waiting += 1;
        let place = bucket as usize & (self.heads.len() - 1);
        let head = self.heads[place];
        if head != NONE {
            let chunk = &mut self.chunks[head as usize];
            if (chunk.count as usize) < IN_CHUNK {
                chunk.marks[chunk.count as usize] = mark;
                chunk.count += 1;
                return;
            }
        }
        let fresh = if self.free == NONE {
            self.chunks.push(Chunk { next: NONE, count: 0, marks: [Mark::default(); IN_CHUNK] });
            self.chunks.len() as u32 - 1
        } else {
            self.free
        };
        let chunk = &mut self.chunks[fresh as usize];
        if fresh == self.free {
            self.free = chunk.next;
        }
        (chunk.next, chunk.count, chunk.marks[0]) = (head, 1, mark);
        self.heads[place] = fresh;
    }

    /// Opens the next bucket that has marks, if it may hold something that is due until then. `when` tells when a
    /// mark is due, if it is still meant.
    pub(crate) fn open_next(
        &mut self,
        until: Time,
        when: impl Fn(Mark) -> Option<Time>,
        rank: impl Fn(&Due) -> Rank,
        expect: impl Fn(Slot),
    ) -> bool {
        let last = if until.is_never() { u64::MAX } else { self.bucket(until) };
        loop {
            if self.waiting == 0 {
                // Nothing but what is beyond the ring: jump there.
                if self.first_later == u64::MAX || self.first_later > last {
                    return false;
                }
                self.current = self.current.max(self.first_later - 1);
            } else if self.current >= last {
                return false;
            } else {
                self.current += 1;
            }
            // Half a turn ahead, so that it is done seldom.
            if self.first_later <= self.current.saturating_add(self.heads.len() as u64 / 2) {
                self.bring_in(&when, &rank);
            }
            if self.open(&when, &rank) || self.front.len() > 0 {
                self.expect_next(expect);
                return true;
            }
        }
    }

    /// Brings what the next bucket is about into the cache, and the one after that itself.
    #[inline]
    fn expect_next(&self, expect: impl Fn(Slot)) {
        let head = |after: u64| self.heads[(self.current + after) as usize & (self.heads.len() - 1)];
        let mut at = head(1);
        while let Some(chunk) = self.chunks.get(at as usize) {
            for mark in &chunk.marks[..chunk.count as usize] {
                expect(mark.slot);
            }
            at = chunk.next;
        }
        prefetch(self.chunks.get(head(2) as usize));
    }

    /// Takes the marks that the ring has come to from those beyond it.
    fn bring_in(&mut self, when: &impl Fn(Mark) -> Option<Time>, rank: &impl Fn(&Due) -> Rank) {
        let later = core::mem::take(&mut self.later);
        self.first_later = u64::MAX;
        for &mark in &later {
            if let Some(time) = when(mark) {
                self.insert(time, mark, rank);
            }
        }
        // The one with the larger memory is kept.
        if self.later.is_empty() {
            self.later = later;
            self.later.clear();
        }
    }

    /// Puts what the current bucket holds in front; whether there was anything.
    fn open(&mut self, when: &impl Fn(Mark) -> Option<Time>, rank: &impl Fn(&Due) -> Rank) -> bool {
        let place = self.current as usize & (self.heads.len() - 1);
        let mut at = core::mem::replace(&mut self.heads[place], NONE);
        let found = at != NONE;
        self.opened += u64::from(found);
        while at != NONE {
            let chunk = self.chunks[at as usize];
            for &mark in &chunk.marks[..chunk.count as usize] {
                if let Some(time) = when(mark) {
                    self.met += 1;
                    self.push_front(time, mark, rank);
                }
            }
            self.waiting -= chunk.count as usize;
            let next = chunk.next;
            self.chunks[at as usize].next = self.free;
            self.free = at;
            at = next;
        }
        found
    }

    /// The factor by which the buckets should be longer, if it is far from 1 and enough have been seen to tell.
    pub(crate) fn stretch(&self) -> Option<f64> {
        if self.opened < self.heads.len() as u64 / 4 + 64 {
            return None;
        }
        let factor = PER_BUCKET * self.opened as f64 / self.met.max(1) as f64;
        (!(0.5..=2.0).contains(&factor)).then_some(factor.clamp(1.0 / 64.0, 64.0))
    }

    /// Buckets a second.
    pub(crate) fn rate(&self) -> f64 {
        self.rate
    }

    pub(crate) fn remove_first(&mut self, place: Place) {
        self.front.remove(place);
    }

    pub(crate) fn bytes(&self) -> usize {
        4 * self.heads.capacity()
            + size_of::<Chunk>() * self.chunks.capacity()
            + size_of::<Mark>() * self.later.capacity()
            + self.front.bytes()
    }
}

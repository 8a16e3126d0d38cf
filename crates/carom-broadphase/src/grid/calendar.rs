use super::front::{Due, Front, Place, Rank};
use super::pending::{LAST, Pending, UNMARKED};
use crate::{Slot, prefetch};
use alloc::vec::Vec;
use carom_math::Time;

const IN_CHUNK: usize = 14;
const NONE: u32 = u32::MAX;

/// Some marks of a bucket, slots to be looked at then: a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Chunk {
    /// The next one of the bucket, or of those that are free.
    next: u32,
    count: u32,
    marks: [Slot; IN_CHUNK],
}

/// A queue of what is due, with buckets of equal lengths of time, in expected O(1) (Paul, J. Comput. Phys. 221 (2007)
/// 615). The bucket that time has come to is the [`Front`], in exact order; the others are in none.
///
/// A slot has one mark that is meant, in the bucket of its time or in an earlier one: as its time becomes later the mark
/// stays, and is moved when its bucket is opened. As it becomes earlier there is a new mark, and the old one is noticed for
/// what it is then. What is in the front has a ticket by which it is known.
///
/// Which bucket a time belongs to is a function that does not decrease, so the order of the buckets is that of the
/// times, whatever the rounding.
#[derive(Clone, Debug)]
pub(crate) struct Calendar {
    origin: Time,
    /// Buckets a second.
    rate: f64,
    /// Number of the bucket in front: earlier ones are open, too.
    current: u32,
    /// The first chunk of each bucket from `current + 1` on, in a ring.
    heads: Vec<u32>,
    chunks: Vec<Chunk>,
    free: u32,
    /// Marks in the ring.
    waiting: usize,
    /// Marks beyond the ring, each with its bucket, and the first bucket among them.
    later: Vec<(Slot, u32)>,
    first_later: u32,
    pub(crate) front: Front,
    /// Of what went to the front last.
    ticket: u32,
    /// What was found since the last start: buckets opened, and what went to the front of them.
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
            first_later: NONE,
            front: Front::default(),
            ticket: LAST,
            opened: 0,
            met: 0,
        };
        calendar.start(Time::ZERO, 1.0, 0);
        calendar
    }
}

/// Slots that a bucket should bring to the front.
pub(crate) const PER_BUCKET: f64 = 8.0;

/// How the calendar learns of what it holds.
pub(crate) trait Agenda {
    /// When a slot's pending event is due; never, if there is none.
    fn due_time(&self, slot: Slot, pending: &Pending) -> Time;
    /// The place of something among others of the same time.
    fn rank(&self, pendings: &[Pending], due: &Due) -> Rank;
    /// A slot is going to be looked at.
    fn expect(&self, slot: Slot);
}

impl Calendar {
    /// Forgets all marks; from `origin` on, with so many buckets a second, for so many slots.
    pub(crate) fn start(&mut self, origin: Time, rate: f64, slots: usize) {
        let buckets = (slots / 4).next_power_of_two().max(64);
        (self.origin, self.rate) = (origin, rate);
        self.current = 0;
        self.heads.clear();
        self.heads.resize(buckets, NONE);
        self.chunks.clear();
        self.free = NONE;
        self.waiting = 0;
        self.later.clear();
        self.first_later = NONE;
        self.front.clear();
        (self.opened, self.met) = (0, 0);
    }

    #[inline(always)]
    fn bucket(&self, time: Time) -> u32 {
        // To whole numbers with saturation, which does not decrease either.
        ((time.since(self.origin) * self.rate) as u32).min(LAST)
    }

    /// Seconds for the order in front.
    #[inline(always)]
    fn seconds(&self, time: Time) -> f64 {
        time.since(self.origin)
    }

    /// A slot's pending event is another one, at this time.
    #[inline]
    pub(crate) fn insert(&mut self, slot: Slot, time: Time, pendings: &mut [Pending], agenda: &impl Agenda) {
        let bucket = self.bucket(time);
        let marked = &mut pendings[slot as usize].bucket;
        if bucket <= self.current {
            self.ticket = if self.ticket == UNMARKED - 1 { LAST + 1 } else { self.ticket + 1 };
            *marked = self.ticket;
            let due = Due { time, slot, ticket: self.ticket };
            self.front.push(due, self.seconds(time), |due| agenda.rank(pendings, due));
        } else if *marked > bucket {
            // Also if there is none, or it is in the front.
            *marked = bucket;
            self.mark(slot, bucket);
        }
    }

    #[inline]
    fn mark(&mut self, slot: Slot, bucket: u32) {
        if ((bucket - self.current) as usize) < self.heads.len() {
            self.push_ring(slot, bucket);
        } else {
            self.first_later = self.first_later.min(bucket);
            self.later.push((slot, bucket));
        }
    }

    #[inline]
    fn push_ring(&mut self, slot: Slot, bucket: u32) {
        self.waiting += 1;
        let place = bucket as usize & (self.heads.len() - 1);
        let head = self.heads[place];
        if head != NONE {
            let chunk = &mut self.chunks[head as usize];
            if (chunk.count as usize) < IN_CHUNK {
                chunk.marks[chunk.count as usize] = slot;
                chunk.count += 1;
                return;
            }
        }
        let fresh = if self.free == NONE {
            if self.chunks.len() == self.chunks.capacity() {
                // There are as many as buckets before long, and few more: no doubling.
                self.chunks.reserve_exact(self.chunks.len() / 8 + 64);
            }
            self.chunks.push(Chunk { next: NONE, count: 0, marks: [0; IN_CHUNK] });
            self.chunks.len() as u32 - 1
        } else {
            self.free
        };
        let chunk = &mut self.chunks[fresh as usize];
        if fresh == self.free {
            self.free = chunk.next;
        }
        (chunk.next, chunk.count, chunk.marks[0]) = (head, 1, slot);
        self.heads[place] = fresh;
    }

    /// Opens the next bucket that has marks, if it may hold something that is due until then.
    pub(crate) fn open_next(&mut self, until: Time, pendings: &mut [Pending], agenda: &impl Agenda) -> bool {
        let last = if until.is_never() { LAST } else { self.bucket(until) };
        loop {
            if self.waiting == 0 {
                // Nothing but what is beyond the ring: jump there.
                if self.first_later == NONE || self.first_later > last {
                    return false;
                }
                self.current = self.current.max(self.first_later - 1);
            } else if self.current >= last {
                return false;
            } else {
                self.current += 1;
            }
            // Half a turn ahead, so that it is done seldom.
            if self.first_later <= self.current.saturating_add(self.heads.len() as u32 / 2) {
                self.bring_in(pendings);
            }
            if self.open(pendings, agenda) || self.front.len() > 0 {
                self.expect_next(pendings, agenda);
                return true;
            }
        }
    }

    /// Brings what the next bucket is about into the cache, and the one after that itself.
    #[inline]
    fn expect_next(&self, pendings: &[Pending], agenda: &impl Agenda) {
        let head = |after: usize| self.heads[(self.current as usize + after) & (self.heads.len() - 1)];
        let mut at = head(1);
        while let Some(chunk) = self.chunks.get(at as usize) {
            for &slot in &chunk.marks[..chunk.count as usize] {
                prefetch(pendings.get(slot as usize));
                agenda.expect(slot);
            }
            at = chunk.next;
        }
        prefetch(self.chunks.get(head(2) as usize));
    }

    /// Takes the marks that the ring has come to from those beyond it.
    fn bring_in(&mut self, pendings: &[Pending]) {
        let later = core::mem::take(&mut self.later);
        self.first_later = NONE;
        for &(slot, bucket) in &later {
            if pendings[slot as usize].bucket == bucket {
                self.mark(slot, bucket);
            }
        }
        // The one with the larger memory is kept.
        if self.later.is_empty() {
            self.later = later;
            self.later.clear();
        }
    }

    /// Puts what the current bucket holds in front, or into the buckets where it belongs by now; whether there was anything.
    fn open(&mut self, pendings: &mut [Pending], agenda: &impl Agenda) -> bool {
        let place = self.current as usize & (self.heads.len() - 1);
        let mut at = core::mem::replace(&mut self.heads[place], NONE);
        let found = at != NONE;
        self.opened += u64::from(found);
        while at != NONE {
            let chunk = self.chunks[at as usize];
            self.chunks[at as usize].next = self.free;
            self.free = at;
            self.waiting -= chunk.count as usize;
            for &slot in &chunk.marks[..chunk.count as usize] {
                let pending = &mut pendings[slot as usize];
                if pending.bucket != self.current {
                    continue;
                }
                pending.bucket = UNMARKED;
                let time = agenda.due_time(slot, pending);
                if !time.is_never() {
                    self.met += u64::from(self.bucket(time) <= self.current);
                    self.insert(slot, time, pendings, agenda);
                }
            }
            at = chunk.next;
        }
        found
    }

    /// The factor by which the buckets should be longer, if it is far from 1 and enough have been seen to tell; 1 if their
    /// numbers run out.
    pub(crate) fn stretch(&self) -> Option<f64> {
        if self.current > LAST / 2 {
            return Some(1.0);
        }
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
            + size_of::<(Slot, u32)>() * self.later.capacity()
            + self.front.bytes()
    }
}

use super::calendar_keys::CalendarKeys;
use super::imminent_events::{DueEvent, ImminentEvents};
use super::planned_event::{LAST_BUCKET, PlannedEvent, UNMARKED};
use crate::memory::filled;
use crate::{Predictor, Slot, prefetch};
use alloc::vec::Vec;
use carom_math::Time;

/// Marks in a chunk: with the number of the next one they fill a cache line.
const CHUNK_MARKS: usize = 15;
/// Stands for no further chunk, and for no bucket.
const NO_CHUNK: u32 = u32::MAX;

/// Marks of a bucket, slots to be looked at then: a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Chunk {
    marks: [Slot; CHUNK_MARKS],
    /// More of the same bucket, among the spare ones; or the next of those that are free.
    next: u32,
}

impl Chunk {
    const EMPTY: Chunk = Chunk { marks: [0; CHUNK_MARKS], next: NO_CHUNK };
}

/// A queue of planned events, with buckets of equal lengths of time, in expected O(1) (Paul, J. Comput.
/// Phys. 221 (2007) 615). Events of opened buckets are the [`ImminentEvents`], in exact order; the other
/// buckets are unordered.
///
/// A slot has one valid mark, in the bucket of its time or in an earlier one: when its time becomes later
/// the mark stays, and is moved as its bucket is opened. When it becomes earlier there is a new mark, and
/// the old one is found void as its bucket is opened. An imminent event is known by its ticket.
///
/// Which bucket a time belongs to is a function that does not decrease, so the order of the buckets is that
/// of the times, whatever the rounding.
#[derive(Debug)]
pub(crate) struct CalendarQueue {
    /// Where time is counted from.
    pub(super) origin: Time,
    /// Buckets a second.
    pub(super) rate: f64,
    /// Number of the bucket in front: earlier ones are open, too.
    current: u32,
    /// The buckets from `current + 1` on, in a ring.
    ring: Vec<Chunk>,
    /// Marks in each. Stored apart, so that adding a mark never waits for a load of the bucket's cache line.
    counts: Vec<u8>,
    /// Full chunks of buckets with more marks than one chunk takes.
    spare: Vec<Chunk>,
    /// One of these that is free.
    free: u32,
    /// Marks in the ring.
    waiting: usize,
    /// Marks beyond the ring, each with its bucket, and the first bucket among them.
    later: Vec<(Slot, u32)>,
    first_later: u32,
    pub(crate) front: ImminentEvents,
    /// Of what went to the front last.
    ticket: u32,
    /// What was found since the last start: buckets opened, and what went to the front of them.
    opened: u64,
    met: u64,
}

crate::clone_fields!(
    CalendarQueue:
    origin, rate, current, ring, counts, spare, free, waiting, later, first_later, front, ticket,
    opened, met
);

impl Default for CalendarQueue {
    fn default() -> Self {
        let mut calendar = CalendarQueue {
            origin: Time::ZERO,
            rate: 1.0,
            current: 0,
            ring: Vec::new(),
            counts: Vec::new(),
            spare: Vec::new(),
            free: NO_CHUNK,
            waiting: 0,
            later: Vec::new(),
            first_later: NO_CHUNK,
            front: ImminentEvents::default(),
            ticket: LAST_BUCKET,
            opened: 0,
            met: 0,
        };
        calendar.start(Time::ZERO, 1.0, 0);
        calendar
    }
}

/// Events that an opened bucket should bring to the front.
///
/// With more, the front is longer than what is kept sorted; with fewer, most time goes into buckets that hold
/// only marks which have become void. No event depends on it.
pub(crate) const EVENTS_PER_BUCKET: f64 = 8.0;

impl CalendarQueue {
    /// Forgets all marks, and begins at `origin`: with `rate` buckets a second, for a number of slots.
    pub(crate) fn start(&mut self, origin: Time, rate: f64, slots: usize) {
        // Few for many, which wait beyond the ring rather than take more memory.
        let share = if slots < 1 << 12 { 4 } else { 8 };
        let buckets = (slots / share).next_power_of_two().max(64);
        (self.origin, self.rate) = (origin, rate);
        self.current = 0;
        if self.ring.len() != buckets {
            (self.ring, self.counts) = (filled(Chunk::EMPTY, buckets), filled(0, buckets));
        }
        self.ring.fill(Chunk::EMPTY);
        self.counts.fill(0);
        self.spare.clear();
        self.free = NO_CHUNK;
        self.waiting = 0;
        self.later.clear();
        self.first_later = NO_CHUNK;
        self.front.clear();
        (self.opened, self.met) = (0, 0);
    }

    /// The bucket of what is due `seconds` after the origin.
    #[inline(always)]
    fn bucket(&self, seconds: f64) -> u32 {
        // To whole numbers with saturation, which does not decrease either.
        ((seconds * self.rate) as u32).min(LAST_BUCKET)
    }

    /// A slot's planned event has changed: it is due `soonest` seconds after the origin, or a little later.
    #[inline(always)]
    pub(crate) fn insert(
        &mut self,
        slot: Slot,
        soonest: f64,
        plans: &mut [PlannedEvent],
        keys: &CalendarKeys<impl Predictor>,
    ) {
        let bucket = self.bucket(soonest);
        if bucket <= self.current {
            self.sort_in(slot, plans, keys);
            return;
        }
        self.mark_by(slot, bucket, &mut plans[slot as usize].bucket);
    }

    /// Sees to it that a slot's mark is in a bucket or an earlier one.
    #[inline(always)]
    fn mark_by(&mut self, slot: Slot, bucket: u32, marked: &mut u32) {
        // Also where there is no mark, or it is in the front: these are the largest numbers.
        let is_later = *marked > bucket;
        let place = bucket as usize & (self.ring.len() - 1);
        let count = usize::from(self.counts[place]);
        if ((bucket - self.current) as usize) < self.ring.len() && count < CHUNK_MARKS {
            // Without a branch, which would be mispredicted: what is beyond the count is not a mark.
            self.ring[place].marks[count] = slot;
            self.counts[place] += u8::from(is_later);
            self.waiting += usize::from(is_later);
            *marked = if is_later { bucket } else { *marked };
        } else if is_later {
            *marked = bucket;
            self.mark(slot, bucket);
        }
    }

    /// Inserts a slot's planned event by its exact time: into the front, if its bucket is open. Returns
    /// whether it was.
    #[inline]
    fn sort_in(
        &mut self,
        slot: Slot,
        plans: &mut [PlannedEvent],
        keys: &CalendarKeys<impl Predictor>,
    ) -> bool {
        let plan = &mut plans[slot as usize];
        let time = keys.due_time(slot, plan);
        if time.is_never() {
            plan.bucket = UNMARKED;
            return false;
        }
        let seconds = time.since(self.origin);
        let bucket = self.bucket(seconds);
        if bucket > self.current {
            self.mark_by(slot, bucket, &mut plan.bucket);
            return false;
        }
        self.ticket = if self.ticket == UNMARKED - 1 { LAST_BUCKET + 1 } else { self.ticket + 1 };
        plan.bucket = self.ticket;
        let due = DueEvent { time, slot, ticket: self.ticket };
        self.front.push(due, seconds, |due| keys.rank(plans, due));
        true
    }

    #[inline]
    fn mark(&mut self, slot: Slot, bucket: u32) {
        if ((bucket - self.current) as usize) < self.ring.len() {
            self.push_ring(slot, bucket);
        } else {
            self.first_later = self.first_later.min(bucket);
            // Before long there is one for each disc, and hardly more: doubling would waste memory.
            if self.later.len() == self.later.capacity() {
                self.later.reserve_exact(self.later.len() / 8 + 64);
            }
            self.later.push((slot, bucket));
        }
    }

    #[inline]
    fn push_ring(&mut self, slot: Slot, bucket: u32) {
        self.waiting += 1;
        let place = bucket as usize & (self.ring.len() - 1);
        let count = usize::from(self.counts[place]);
        if count < CHUNK_MARKS {
            self.ring[place].marks[count] = slot;
            self.counts[place] += 1;
        } else {
            self.spill(place);
            self.ring[place].marks[0] = slot;
            self.counts[place] = 1;
        }
    }

    /// Moves the marks of a full bucket to a spare chunk.
    #[cold]
    fn spill(&mut self, place: usize) {
        let full = core::mem::replace(&mut self.ring[place], Chunk::EMPTY);
        let spare = self.free;
        if spare == NO_CHUNK {
            self.ring[place].next = self.spare.len() as u32;
            self.spare.push(full);
        } else {
            self.ring[place].next = spare;
            let next = core::mem::replace(&mut self.spare[spare as usize], full).next;
            self.free = next;
        }
    }

    /// Opens the next bucket that has marks, if it may hold an event that is due until then.
    pub(crate) fn open_next(
        &mut self,
        until: Time,
        plans: &mut [PlannedEvent],
        keys: &CalendarKeys<impl Predictor>,
    ) -> bool {
        let last = if until.is_never() { LAST_BUCKET } else { self.bucket(until.since(self.origin)) };
        loop {
            if self.waiting == 0 {
                // Nothing but what is beyond the ring: jump there.
                if self.first_later == NO_CHUNK || self.first_later > last {
                    return false;
                }
                self.current = self.current.max(self.first_later - 1);
            } else if self.current >= last {
                return false;
            } else {
                self.current += 1;
            }
            // Half a turn ahead, so that it is done seldom.
            if self.first_later <= self.current.saturating_add(self.ring.len() as u32 / 2) {
                self.bring_in(plans);
            }
            if self.open(plans, keys) {
                self.prefetch_next(plans, keys);
                return true;
            }
        }
    }

    /// Brings the discs of the next bucket into the cache, and the bucket after that.
    #[inline]
    fn prefetch_next(&self, plans: &[PlannedEvent], keys: &CalendarKeys<impl Predictor>) {
        let place = |after: usize| (self.current as usize + after) & (self.ring.len() - 1);
        // Of those that are full only what is in the last one: that they are is rare.
        let next = place(1);
        for &slot in self.ring[next].marks.iter().take(self.counts[next].into()) {
            prefetch(plans, slot as usize);
            keys.prefetch(slot);
        }
        prefetch(&self.ring, place(2));
    }

    /// Takes the marks that the ring has come to from those beyond it.
    fn bring_in(&mut self, plans: &[PlannedEvent]) {
        let later = core::mem::take(&mut self.later);
        self.first_later = NO_CHUNK;
        for &(slot, bucket) in &later {
            if plans[slot as usize].bucket == bucket {
                self.mark(slot, bucket);
            }
        }
        // The one with the larger memory is kept.
        if self.later.is_empty() {
            self.later = later;
            self.later.clear();
        }
    }

    /// Puts what the current bucket holds in front, or into the buckets where it belongs by now; whether
    /// there was anything.
    ///
    /// A mark counts only if its slot still names this bucket: of a slot that has become earlier an old mark
    /// is left in a later one. The last chunk of a bucket stands in the ring, the full ones before it among
    /// the spare ones, which become free one by one.
    fn open(&mut self, plans: &mut [PlannedEvent], keys: &CalendarKeys<impl Predictor>) -> bool {
        let place = self.current as usize & (self.ring.len() - 1);
        if self.counts[place] == 0 {
            return false;
        }
        self.opened += 1;
        let mut count = usize::from(core::mem::take(&mut self.counts[place]));
        let mut chunk = core::mem::replace(&mut self.ring[place], Chunk::EMPTY);
        loop {
            self.waiting -= count;
            for &slot in chunk.marks.iter().take(count) {
                let plan = &mut plans[slot as usize];
                if plan.bucket != self.current {
                    continue;
                }
                plan.bucket = UNMARKED;
                self.met += u64::from(self.sort_in(slot, plans, keys));
            }
            let Some(more) = self.spare.get_mut(chunk.next as usize) else { return true };
            let spare = core::mem::replace(&mut self.free, chunk.next);
            chunk = core::mem::replace(more, Chunk { next: spare, ..Chunk::EMPTY });
            count = CHUNK_MARKS;
        }
    }

    /// The factor by which the buckets should be longer, if it is far from 1 and enough of them have been
    /// opened; 1 if their numbers run out.
    pub(crate) fn stretch(&self) -> Option<f64> {
        if self.current > LAST_BUCKET / 2 {
            return Some(1.0);
        }
        if self.opened < self.ring.len() as u64 / 4 + 64 {
            return None;
        }
        let factor = EVENTS_PER_BUCKET * self.opened as f64 / self.met.max(1) as f64;
        (!(0.5..=2.0).contains(&factor)).then_some(factor.clamp(1.0 / 64.0, 64.0))
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<Chunk>() * (self.ring.capacity() + self.spare.capacity())
            + self.counts.capacity()
            + size_of::<(Slot, u32)>() * self.later.capacity()
            + self.front.bytes()
    }
}

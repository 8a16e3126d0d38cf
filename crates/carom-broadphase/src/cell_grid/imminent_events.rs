use crate::{EventKey, Slot};
use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use carom_math::Time;
use core::cmp::Reverse;
use ordered_float::OrderedFloat;

/// Something that is due soon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DueEvent {
    pub(crate) time: Time,
    pub(crate) slot: Slot,
    /// Its number: void once the slot has another one.
    pub(crate) ticket: u32,
}

/// The place of something among others of the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank {
    pub(crate) time: Time,
    /// Bookkeeping (`false`) comes before what really happens: it may bring up something earlier in the
    /// order.
    pub(crate) real: bool,
    pub(crate) key: EventKey,
}

/// What is due soon, in exact order: a handful, sorted by rounded times, and a heap for the rest.
#[derive(Debug, Default)]
pub(crate) struct ImminentEvents {
    /// The earliest last.
    sorted: Vec<SortedEvent>,
    heap: BinaryHeap<Reverse<HeapEvent>>,
}

crate::clone_fields!(ImminentEvents: sorted, heap);

/// Events that are kept sorted; more go to the heap.
///
/// An insertion moves those that are earlier, which is faster than a heap while they are few. A bucket brings
/// about eight.
const MOST_SORTED: usize = 48;

#[derive(Clone, Copy, Debug)]
struct SortedEvent {
    /// Its time rounded, from wherever.
    seconds: f64,
    due: DueEvent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct HeapEvent {
    rank: Rank,
    seconds: OrderedFloat<f64>,
    due: DueEvent,
}

/// Where something is in the front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrontPlace {
    Sorted(usize),
    Heap,
}

impl ImminentEvents {
    pub(crate) fn len(&self) -> usize {
        self.sorted.len() + self.heap.len()
    }

    pub(crate) fn clear(&mut self) {
        self.sorted.clear();
        self.heap.clear();
        // At the start all are in the heap, and never again.
        self.heap.shrink_to(MOST_SORTED);
    }

    /// Adds something; `seconds` is its time rounded, from wherever, and must not decrease with the time.
    #[inline]
    pub(crate) fn push(&mut self, due: DueEvent, seconds: f64, rank: impl Fn(&DueEvent) -> Rank) {
        if self.sorted.len() == MOST_SORTED {
            self.heap.push(Reverse(HeapEvent { rank: rank(&due), seconds: seconds.into(), due }));
            return;
        }
        let soon = SortedEvent { seconds, due };
        self.sorted.push(soon);
        let mut place = self.sorted.len() - 1;
        while place > 0 && self.sorted[place - 1].seconds < seconds {
            self.sorted[place] = self.sorted[place - 1];
            place -= 1;
        }
        self.sorted[place] = soon;
    }

    /// The slot of the event `after` places after the first, if that is among the sorted ones.
    #[inline(always)]
    pub(crate) fn upcoming(&self, after: usize) -> Option<Slot> {
        let place = self.sorted.len().checked_sub(1 + after)?;
        Some(self.sorted[place].due.slot)
    }

    /// The first of all.
    #[inline]
    pub(crate) fn first(&self, rank: impl Fn(&DueEvent) -> Rank) -> Option<(FrontPlace, DueEvent)> {
        let [.., soon] = &self.sorted[..] else {
            return self.heap.peek().map(|Reverse(first)| (FrontPlace::Heap, first.due));
        };
        let place = self.sorted.len() - 1;
        let is_tied = place > 0 && self.sorted[place - 1].seconds == soon.seconds;
        if is_tied || self.heap.peek().is_some_and(|Reverse(first)| first.seconds.0 <= soon.seconds) {
            return self.first_of_tied(soon.seconds, rank);
        }
        Some((FrontPlace::Sorted(place), soon.due))
    }

    #[cold]
    fn first_of_tied(&self, least: f64, rank: impl Fn(&DueEvent) -> Rank) -> Option<(FrontPlace, DueEvent)> {
        let tied = self.sorted.iter().enumerate().rev().take_while(|(_, soon)| soon.seconds == least);
        let few = tied.map(|(place, soon)| (rank(&soon.due), FrontPlace::Sorted(place), soon.due));
        let many = self.heap.peek().map(|Reverse(first)| (first.rank, FrontPlace::Heap, first.due));
        few.chain(many).min_by(|a, b| a.0.cmp(&b.0)).map(|(_, place, due)| (place, due))
    }

    /// Takes something out.
    #[inline]
    pub(crate) fn remove(&mut self, place: FrontPlace) {
        match place {
            FrontPlace::Sorted(place) if place + 1 == self.sorted.len() => {
                self.sorted.pop();
            }
            FrontPlace::Sorted(place) => {
                self.sorted.remove(place);
            }
            FrontPlace::Heap => {
                self.heap.pop();
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<SortedEvent>() * self.sorted.capacity() + size_of::<HeapEvent>() * self.heap.capacity()
    }
}

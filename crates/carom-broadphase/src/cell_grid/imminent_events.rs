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

/// What is due soon, in exact order: a handful, sorted by rounded times, and a heap for what is more than
/// that.
#[derive(Debug, Default)]
pub(crate) struct ImminentEvents {
    /// The earliest last.
    few: Vec<Soon>,
    many: BinaryHeap<Reverse<Ranked>>,
}

crate::clone_fields!(ImminentEvents: few, many);

/// Most that are kept sorted.
const FEW: usize = 48;

#[derive(Clone, Copy, Debug)]
struct Soon {
    /// Its time rounded, from wherever.
    seconds: f64,
    due: DueEvent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Ranked {
    rank: Rank,
    seconds: OrderedFloat<f64>,
    due: DueEvent,
}

/// Where something is in the front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Few(usize),
    Many,
}

impl ImminentEvents {
    pub(crate) fn len(&self) -> usize {
        self.few.len() + self.many.len()
    }

    pub(crate) fn clear(&mut self) {
        self.few.clear();
        self.many.clear();
        // At the start all are in here, and never again.
        self.many.shrink_to(FEW);
    }

    /// Adds something; `seconds` is its time rounded, from wherever, and must not decrease with the time.
    #[inline]
    pub(crate) fn push(&mut self, due: DueEvent, seconds: f64, rank: impl Fn(&DueEvent) -> Rank) {
        if self.few.len() == FEW {
            self.many.push(Reverse(Ranked { rank: rank(&due), seconds: seconds.into(), due }));
            return;
        }
        let soon = Soon { seconds, due };
        self.few.push(soon);
        let mut place = self.few.len() - 1;
        while place > 0 && self.few[place - 1].seconds < seconds {
            self.few[place] = self.few[place - 1];
            place -= 1;
        }
        self.few[place] = soon;
    }

    /// The slot of what comes so many places after the first, as far as is known at a glance.
    #[inline(always)]
    pub(crate) fn upcoming(&self, after: usize) -> Option<Slot> {
        let place = self.few.len().checked_sub(1 + after)?;
        Some(self.few[place].due.slot)
    }

    /// The first of all.
    #[inline]
    pub(crate) fn first(&self, rank: impl Fn(&DueEvent) -> Rank) -> Option<(Place, DueEvent)> {
        let [.., soon] = &self.few[..] else {
            return self.many.peek().map(|Reverse(first)| (Place::Many, first.due));
        };
        let place = self.few.len() - 1;
        let is_tied = place > 0 && self.few[place - 1].seconds == soon.seconds;
        if is_tied || self.many.peek().is_some_and(|Reverse(first)| first.seconds.0 <= soon.seconds) {
            return self.first_of_tied(soon.seconds, rank);
        }
        Some((Place::Few(place), soon.due))
    }

    #[cold]
    fn first_of_tied(&self, least: f64, rank: impl Fn(&DueEvent) -> Rank) -> Option<(Place, DueEvent)> {
        let tied = self.few.iter().enumerate().rev().take_while(|(_, soon)| soon.seconds == least);
        let few = tied.map(|(place, soon)| (rank(&soon.due), Place::Few(place), soon.due));
        let many = self.many.peek().map(|Reverse(first)| (first.rank, Place::Many, first.due));
        few.chain(many).min_by(|a, b| a.0.cmp(&b.0)).map(|(_, place, due)| (place, due))
    }

    /// Takes something out.
    #[inline]
    pub(crate) fn remove(&mut self, place: Place) {
        match place {
            Place::Few(place) if place + 1 == self.few.len() => {
                self.few.pop();
            }
            Place::Few(place) => {
                self.few.remove(place);
            }
            Place::Many => {
                self.many.pop();
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<Soon>() * self.few.capacity() + size_of::<Ranked>() * self.many.capacity()
    }
}

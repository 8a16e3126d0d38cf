use crate::group::{FAN, Group};
use crate::{EventKey, Slot};
use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use carom_math::Time;
use core::cmp::{Ordering, Reverse};

/// Something that is due soon.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Due {
    pub(crate) time: Time,
    pub(crate) slot: Slot,
    /// Tells whether the slot still means it.
    pub(crate) check: u32,
}

/// The place of something among others of the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rank {
    /// Bookkeeping (`false`) comes before what really happens: it may bring up something earlier in the order.
    pub(crate) real: bool,
    pub(crate) key: EventKey,
}

impl Ord for Rank {
    fn cmp(&self, other: &Self) -> Ordering {
        let times = self.key.time().cmp(&other.key.time());
        times.then(self.real.cmp(&other.real)).then_with(|| self.key.cmp(&other.key))
    }
}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// What is due soon, in exact order: a handful, searched side by side by rounded times, and a heap for what is more
/// than that.
#[derive(Clone, Debug, Default)]
pub(crate) struct Front {
    groups: Vec<Group>,
    few: Vec<Due>,
    many: BinaryHeap<Reverse<Ranked>>,
}

/// Most that are searched side by side.
const FEW: usize = 3 * FAN;

#[derive(Clone, Copy, Debug)]
struct Ranked {
    rank: Rank,
    seconds: f64,
    due: Due,
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank.cmp(&other.rank)
    }
}

/// Where something is in the front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Few(usize),
    Many,
}

impl Front {
    pub(crate) fn len(&self) -> usize {
        self.few.len() + self.many.len()
    }

    pub(crate) fn clear(&mut self) {
        self.groups.fill(Group::EMPTY);
        self.few.clear();
        self.many.clear();
    }

    /// Adds something; `seconds` is its time rounded, from wherever, and must not decrease with the time.
    #[inline]
    pub(crate) fn push(&mut self, due: Due, seconds: f64, rank: impl Fn(&Due) -> Rank) {
        let place = self.few.len();
        if place == FEW {
            self.many.push(Reverse(Ranked { rank: rank(&due), seconds, due }));
            return;
        }
        if place == FAN * self.groups.len() {
            self.groups.push(Group::EMPTY);
        }
        self.groups[place / FAN].0[place % FAN] = seconds;
        self.few.push(due);
    }

    /// The first of all.
    #[inline]
    pub(crate) fn first(&self, rank: impl Fn(&Due) -> Rank) -> Option<(Place, Due)> {
        let mut least = f64::INFINITY;
        let mut place = usize::MAX;
        let mut tied = false;
        for (g, group) in self.groups[..self.few.len().div_ceil(FAN)].iter().enumerate() {
            let (earliest, bits) = group.earliest();
            if earliest < least {
                (least, place) = (earliest, FAN * g + bits.trailing_zeros() as usize);
                tied = bits & (bits - 1) != 0;
            } else {
                tied |= earliest == least;
            }
        }
        if tied || self.many.peek().is_some_and(|Reverse(first)| first.seconds <= least) {
            return self.first_of_tied(least, rank);
        }
        self.few.get(place).map(|due| (Place::Few(place), *due))
    }

    #[cold]
    fn first_of_tied(&self, least: f64, rank: impl Fn(&Due) -> Rank) -> Option<(Place, Due)> {
        let seconds = |place: usize| self.groups[place / FAN].0[place % FAN];
        let tied = (0..self.few.len()).filter(|&place| seconds(place) == least);
        let few = tied.map(|place| (rank(&self.few[place]), Place::Few(place), self.few[place]));
        let many = self.many.peek().map(|Reverse(first)| (first.rank, Place::Many, first.due));
        few.chain(many).min_by(|a, b| a.0.cmp(&b.0)).map(|(_, place, due)| (place, due))
    }

    /// Takes something out.
    #[inline]
    pub(crate) fn remove(&mut self, place: Place) {
        match place {
            Place::Few(place) => {
                self.few.swap_remove(place);
                let last = self.few.len();
                let seconds = self.groups[last / FAN].0[last % FAN];
                self.groups[place / FAN].0[place % FAN] = seconds;
                self.groups[last / FAN].0[last % FAN] = f64::INFINITY;
            }
            Place::Many => {
                self.many.pop();
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<Group>() * self.groups.capacity()
            + size_of::<Due>() * self.few.capacity()
            + size_of::<Ranked>() * self.many.capacity()
    }
}

mod circles;
mod tuning;

use crate::grid::calendar::{Agenda, Calendar};
use crate::grid::cells::Cells;
use crate::grid::front::{Due, Rank};
use crate::grid::pending::{EXIT, NOTHING, Pending, SOLO, UNMARKED, What};
use crate::grid::site::Sites;
use crate::{
    Circle, EventKey, Kind, Meeting, Predictor, Scheduled, Scheduler, SchedulerCounters, Slot, Solo,
    make_room, prefetch,
};
use alloc::vec::Vec;
use carom_math::Time;
use tuning::AHEAD;

/// Cells, lists of neighbours and a calendar: expected O(1) work for an event, however many discs there are.
///
/// Each disc has a circle of its own that it stays inside for a while, and a list of the discs whose circles overlap
/// that (after Donev, Torquato and Stillinger, J. Comput. Phys. 202 (2005) 737): it can meet nobody else before it, or the
/// other one, leaves its circle. Then the circle is drawn anew around it, and its cell tells which others overlap
/// it. That is bookkeeping: no state of a disc is touched.
///
/// A pair belongs to the disc whose state is newer (to both, if they are equally old). Each disc has one event
/// pending: the earliest of its own pairs, what it does by itself, or that it leaves its circle. So a disc that changes
/// computes the times with its neighbours, and touches none of them. Who had planned to meet it finds out when that
/// time has come, by comparing the times of the two states, and plans again.
///
/// The circles tune themselves: one that has many neighbours shrinks as it is drawn anew, one with few grows. A
/// disc that flies alone doubles it each time, so its bookkeeping is finite even where the plane has no end.
///
/// Memory: about 130 bytes a disc.
#[derive(Clone, Debug, Default)]
pub struct CellGrid {
    sites: Sites,
    cells: Cells,
    pendings: Vec<Pending>,
    calendar: Calendar,
    live: usize,
    /// Width of the rim between a disc and its circle that was right of late: for those that come in.
    rim: f64,
    /// How many circles were drawn since the cells got their size.
    drawn: usize,
    /// Slots whose circles were drawn for a time that has not come yet, and the latest of these times.
    ahead: Vec<Slot>,
    ahead_until: Time,
    /// Those whose partner was taken out: they are to plan again.
    orphans: Vec<Slot>,
    counters: SchedulerCounters,
    /// Scratch: whom a disc has near it as its circle is drawn anew, and who of them is new.
    found: Vec<Slot>,
    fresh: Vec<Slot>,
}

/// How many circles are drawn in search of an event at any time, on average for each disc, before all pairs are asked.
const PATIENCE: usize = 250;

/// With fewer discs than this all that there is stays in the cache anyway.
const WORTH_PREFETCHING: usize = 2048;

/// What the calendar asks, answered by a predictor.
struct Outlook<'a, P> {
    predictor: &'a P,
    sites: &'a Sites,
}

impl<P: Predictor> Agenda for Outlook<'_, P> {
    #[inline(always)]
    fn due_time(&self, slot: Slot, pending: &Pending) -> Time {
        CellGrid::due_time(pending, slot, self.sites, self.predictor)
    }

    fn rank(&self, pendings: &[Pending], due: &Due) -> Rank {
        CellGrid::rank(pendings, self.sites, self.predictor, due)
    }

    #[inline(always)]
    fn prefetch(&self, slot: Slot) {
        self.sites.prefetch(slot);
        self.predictor.prefetch(slot, true);
    }
}

impl CellGrid {
    /// Lists of more neighbours than this are shortened, if possible, when the disc is planned anew after a change; those of
    /// fewer are not changed before.
    pub const CROWD: usize = 24;

    /// The disc's rank among what is due at the same time.
    fn rank<P: Predictor>(pendings: &[Pending], sites: &Sites, predictor: &P, due: &Due) -> Rank {
        let slot = due.slot;
        match pendings[slot as usize].what {
            NOTHING | EXIT => {
                Rank { real: false, key: EventKey::new(due.time, Kind::MotionChange, 0, u64::from(slot)) }
            }
            SOLO => {
                let serial = predictor.serial(slot);
                Rank {
                    real: true,
                    key: EventKey::new(due.time, Self::solo(slot, sites, predictor).kind, serial, serial),
                }
            }
            other => {
                let [a, b] = [slot, other].map(|slot| predictor.serial(slot));
                Rank { real: true, key: EventKey::new(due.time, Kind::Impact, a, b) }
            }
        }
    }

    /// When a slot's pending event is due.
    #[inline(always)]
    fn due_time<P: Predictor>(pending: &Pending, slot: Slot, sites: &Sites, predictor: &P) -> Time {
        match pending.what {
            NOTHING => Time::NEVER,
            SOLO => Self::solo(slot, sites, predictor).time,
            _ => predictor.after(slot, pending.dt),
        }
    }

    /// What a disc does on its own while it is in its circle.
    // A call: it is asked for in many places, and long.
    #[inline(never)]
    fn solo<P: Predictor>(slot: Slot, sites: &Sites, predictor: &P) -> Solo {
        predictor.solo_within(slot, &sites.get(slot).circle())
    }

    /// Plans what a disc does next, as seen at the time `at`.
    #[inline]
    fn plan<P: Predictor>(&mut self, slot: Slot, at: Time, predictor: &P) {
        let met = match predictor.foretold(slot) {
            Some(met) => met,
            None => self.first_met(slot, at, predictor),
        };
        self.counters.pair_times += self.sites.neighbours(slot).len() as u64;
        self.counters.solo_times += 1;
        let (mut what, mut dt) = (met.other, met.dt);
        if !predictor.is_without_solos() {
            (what, dt) = self.solo_or(met, slot, predictor);
        }
        // The order of seconds from one time is that of the times.
        let exit = predictor.leaves(slot, self.sites.get(slot).circle(), at, dt);
        if exit < dt {
            (what, dt) = (EXIT, exit);
        }
        self.set_pending(slot, what, dt, predictor);
    }

    /// Whom a disc meets first.
    #[inline]
    fn first_met<P: Predictor>(&mut self, slot: Slot, at: Time, predictor: &P) -> Meeting {
        if self.sites.neighbours(slot).len() > Self::CROWD {
            self.thin_out(slot, at, predictor);
        }
        predictor.first_met(slot, self.sites.filled_up(slot), at)
    }

    /// What comes first, and after how many seconds: a meeting, or what the disc does by itself.
    #[inline(never)]
    fn solo_or<P: Predictor>(&self, met: Meeting, slot: Slot, predictor: &P) -> (What, f64) {
        let solo = Self::solo(slot, &self.sites, predictor);
        let time = predictor.after(slot, met.dt);
        if solo.time.is_never() || time < solo.time {
            return (met.other, met.dt);
        }
        let serial = predictor.serial(slot);
        let of_solo = EventKey::new(solo.time, solo.kind, serial, serial);
        if time == solo.time {
            let of_meeting = EventKey::new(time, Kind::Impact, serial, predictor.serial(met.other));
            if of_meeting.is_before(&of_solo) {
                return (met.other, met.dt);
            }
        }
        (SOLO, solo.time.since(predictor.state_time(slot)))
    }

    #[inline]
    fn set_pending<P: Predictor>(&mut self, slot: Slot, what: What, dt: f64, predictor: &P) {
        let pending = &mut self.pendings[slot as usize];
        (pending.what, pending.dt) = (what, dt);
        if dt == f64::INFINITY {
            pending.bucket = UNMARKED;
        } else {
            let soonest = predictor.soonest(slot, dt, self.calendar.origin());
            let agenda = Outlook { predictor, sites: &self.sites };
            self.calendar.insert(slot, soonest, &mut self.pendings, &agenda);
            self.counters.queue_operations += 1;
        }
    }

    /// Undoes what was done for times that have not come, as something is changed before: circles are drawn for
    /// the present.
    fn come_back<P: Predictor>(&mut self, predictor: &P) {
        let now = predictor.now();
        if self.ahead_until > now {
            let mut ahead = core::mem::take(&mut self.ahead);
            ahead.sort_unstable();
            ahead.dedup();
            ahead.retain(|&slot| self.sites.get(slot).is_placed());
            for &slot in &ahead {
                self.redraw(slot, now, predictor);
            }
            for &slot in &ahead {
                self.plan(slot, now, predictor);
            }
            self.ahead = ahead;
        }
        self.forget_ahead();
    }

    /// All that was done is for the present or before.
    fn forget_ahead(&mut self) {
        self.ahead.clear();
        self.ahead_until = Time::ZERO;
    }

    /// The earliest of all events, from asking for every pair: for discs that fly side by side in large company, for
    /// which drawing circles would have no end. O(N²).
    #[cold]
    fn survey<P: Predictor>(&self, predictor: &P) -> Option<Scheduled> {
        let placed = |slot: &Slot| self.sites.get(*slot).is_placed();
        let slots: Vec<Slot> = (0..self.sites.len() as Slot).filter(placed).collect();
        let key = |event: &Scheduled| {
            let [a, b] = [event.a, event.b].map(|slot| predictor.serial(slot));
            EventKey::new(event.time, event.kind, a, b)
        };
        let solos = slots.iter().map(|&slot| {
            let solo = predictor.solo(slot);
            Scheduled { time: solo.time, kind: solo.kind, a: slot, b: slot, tag: solo.tag }
        });
        let pairs = slots.iter().enumerate().flat_map(|(k, &b)| {
            slots[..k].iter().map(move |&a| Scheduled {
                time: predictor.pair(a, b),
                kind: Kind::Impact,
                a,
                b,
                tag: 0,
            })
        });
        solos.chain(pairs).filter(|event| !event.time.is_never()).min_by_key(key)
    }

    /// Brings into the cache what the next events take: of the one so many places after the first whom it meets and the
    /// neighbours of both, or the cells around it, and of the one after that whom it meets.
    #[inline]
    fn prefetch_next<P: Predictor>(&self, after: usize, predictor: &P) {
        if self.live < WORTH_PREFETCHING {
            return;
        }
        if let Some(slot) = self.calendar.front.upcoming(after + 1) {
            let other = self.pendings[slot as usize].what;
            if other < SOLO {
                self.sites.prefetch(other);
                predictor.prefetch(other, true);
                prefetch(&self.pendings, other as usize);
            }
        }
        let Some(slot) = self.calendar.front.upcoming(after) else { return };
        let other = self.pendings[slot as usize].what;
        if other == EXIT {
            self.cells.prefetch(self.sites.get(slot));
        }
        for slot in [slot, other] {
            predictor.prefetch(slot, true);
            // As many for each: how many there are cannot be foretold.
            for &near in self.sites.all_held(slot).into_iter().flatten() {
                predictor.prefetch(near, false);
            }
        }
    }
}

impl Scheduler for CellGrid {
    fn sweeps(&self) -> bool {
        false
    }

    fn reserve(&mut self, discs: usize) {
        self.sites.reserve(discs);
        make_room(&mut self.pendings, discs);
    }

    fn insert(&mut self, slot: Slot, _: u64) {
        self.sites.grow_to(slot as usize + 1);
        if self.pendings.len() <= slot as usize {
            let known = self.pendings.len();
            if self.pendings.capacity() <= slot as usize {
                make_room(&mut self.pendings, (slot as usize + 1).max(2 * known));
            }
            self.pendings.resize(slot as usize + 1, Pending::NOTHING);
        }
        debug_assert!(!self.sites.get(slot).is_placed(), "slot {slot} is taken");
        self.live += 1;
    }

    fn place<P: Predictor>(&mut self, slot: Slot, predictor: &P) {
        self.come_back(predictor);
        while let Some(&other) = self.sites.neighbours(slot).first() {
            self.sites.part(slot, other);
        }
        self.draw_first(slot, predictor);
        self.find_neighbours::<P>(slot, predictor.now(), None);
    }

    fn remove(&mut self, slot: Slot) {
        while let Some(&other) = self.sites.neighbours(slot).first() {
            self.sites.part(slot, other);
            if self.pendings[other as usize].what == slot {
                self.orphans.push(other);
            }
        }
        if self.sites.get(slot).is_placed() {
            self.cells.unlink(slot, &mut self.sites);
        }
        self.pendings[slot as usize] = Pending::NOTHING;
        self.live -= 1;
    }

    fn come_back_to_present<P: Predictor>(&mut self, predictor: &P) {
        self.come_back(predictor);
    }

    fn refresh<P: Predictor>(&mut self, changed: &[Slot], predictor: &P) {
        if self.ahead_until > predictor.now() {
            self.come_back(predictor);
        }
        self.forget_ahead();
        if self.drawn > 4 * self.live + 64 {
            self.resize_cells(predictor.periods());
        }
        let now = predictor.now();
        // Many at once mean a start, or another world.
        let many = changed.len() > self.live / 2 && changed.len() > 64;
        for &slot in changed {
            self.plan(slot, now, predictor);
        }
        if many {
            self.resize_cells(predictor.periods());
            let rate = self.fitting_rate(predictor);
            self.restart_calendar(rate, predictor);
        }
    }

    fn next<P: Predictor>(&mut self, until: Time, predictor: &P) -> Option<Scheduled> {
        let most = if until.is_never() { PATIENCE * (self.live + 1) } else { usize::MAX };
        if self.ahead_until <= predictor.now() {
            self.forget_ahead();
        }
        while let Some(slot) = self.orphans.pop() {
            if self.sites.get(slot).is_placed() {
                self.plan(slot, predictor.now(), predictor);
            }
        }
        loop {
            if self.calendar.front.len() < AHEAD {
                self.open_ahead(until, predictor);
            }
            let CellGrid { calendar, pendings, sites, .. } = self;
            let first = calendar.front.first(|due| Self::rank(pendings, sites, predictor, due));
            let (place, Due { time, slot, ticket }) = first?;
            if until < time {
                return None;
            }
            let pending = self.pendings[slot as usize];
            if pending.bucket != ticket {
                self.calendar.front.remove(place);
                continue;
            }
            debug_assert_eq!(Self::due_time(&pending, slot, &self.sites, predictor), time, "slot {slot}");
            match pending.what {
                EXIT => {
                    if self.ahead.len() > most {
                        return self.survey(predictor);
                    }
                    self.calendar.front.remove(place);
                    self.prefetch_next(0, predictor);
                    self.counters.row_searches += 1;
                    self.redraw(slot, time, predictor);
                    self.plan(slot, time, predictor);
                }
                SOLO => {
                    let solo = Self::solo(slot, &self.sites, predictor);
                    return Some(Scheduled { time, kind: solo.kind, a: slot, b: slot, tag: solo.tag });
                }
                other => {
                    let (own, of_other) = (predictor.state_time(slot), predictor.state_time(other));
                    let is_met = || {
                        let met = predictor.first_met(slot, &[other], time);
                        predictor.after(slot, met.dt) == time
                    };
                    let is_meant = of_other < own || (of_other == own && is_met());
                    if is_meant {
                        self.prefetch_next(1, predictor);
                        let (a, b) = (slot.min(other), slot.max(other));
                        return Some(Scheduled { time, kind: Kind::Impact, a, b, tag: 0 });
                    }
                    self.calendar.front.remove(place);
                    self.prefetch_next(0, predictor);
                    self.counters.roots += 1;
                    self.plan(slot, time, predictor);
                }
            }
        }
    }

    fn neighbours(&self, slot: Slot) -> Option<&[Slot]> {
        Some(self.sites.filled_up(slot))
    }

    fn around(&self, circle: Circle, found: &mut Vec<Slot>) -> bool {
        self.cells.overlapping(&self.sites, circle.center, circle.radius, found);
        true
    }

    fn bytes(&self) -> usize {
        let scratch = self.found.capacity() + self.fresh.capacity() + self.ahead.capacity();
        self.sites.bytes()
            + self.cells.bytes()
            + self.calendar.bytes()
            + size_of::<Pending>() * self.pendings.capacity()
            + size_of::<Slot>() * scratch
    }

    fn counters(&self) -> SchedulerCounters {
        self.counters
    }

    fn assert_well_formed<P: Predictor>(&self, predictor: &P) {
        let placed: Vec<Slot> =
            (0..self.sites.len() as Slot).filter(|&slot| self.sites.get(slot).is_placed()).collect();
        assert_eq!(placed.len(), self.live, "number of discs");
        let due = |slot: Slot| {
            let pending = &self.pendings[slot as usize];
            Self::due_time(pending, slot, &self.sites, predictor)
        };
        for &a in &placed {
            let site = self.sites.get(a);
            let mut found = Vec::new();
            self.cells.overlapping(&self.sites, site.center(), f64::from(site.reach), &mut found);
            found.sort_unstable();
            let mut listed = self.sites.neighbours(a).to_vec();
            listed.sort_unstable();
            assert!(listed.windows(2).all(|pair| pair[0] < pair[1]), "neighbours of slot {a}: {listed:?}");
            for &b in &placed {
                if b == a {
                    continue;
                }
                let overlap = self.cells.overlap(site.center(), f64::from(site.reach), self.sites.get(b));
                let is_listed = listed.binary_search(&b).is_ok();
                assert!(is_listed || !overlap, "circles of slots {a} and {b}");
                assert_eq!(is_listed, self.sites.neighbours(b).contains(&a), "lists of slots {a} and {b}");
                assert!(found.binary_search(&b).is_ok() || !overlap, "cells of slots {a} and {b}");
                let owner = if predictor.state_time(a) >= predictor.state_time(b) { a } else { b };
                let exit = due(a).min(due(b));
                let time = if predictor.periods().is_open() {
                    predictor.pair(a, b)
                } else {
                    predictor.pair_within(a, b, predictor.now(), exit)
                };
                assert!(
                    time.is_never() || due(owner) <= time || exit <= time,
                    "nobody looks at slots {a} and {b} at {time:?}"
                );
            }
            assert!(due(a) <= predictor.solo(a).time, "solo event of slot {a}");
        }
    }
}

mod around;
mod brute_force;
mod calendar_keys;
mod calendar_queue;
mod cell;
mod cell_level;
mod cell_table;
mod check;
mod imminent_events;
mod left_out;
mod neighbour_lists;
mod neighbourhood;
mod planned_event;
mod rebuild;
mod search;
mod species_table;
mod tuning;

use crate::memory::{make_room, reserve_huge_pages};
use crate::{
    Circle, EventKey, Kind, Meeting, NextMeeting, Predictor, Scheduled, SchedulerCounters, Slot, Solo,
    Species, Zone, prefetch,
};
use alloc::vec::Vec;
use brute_force::Lookahead;
use calendar_keys::CalendarKeys;
use calendar_queue::CalendarQueue;
use carom_math::Time;
use cell_table::CellTable;
use imminent_events::DueEvent;
use left_out::LeftOut;
use neighbour_lists::NeighbourLists;
use planned_event::{EventTarget, NEIGHBOURHOOD_EXIT, PlannedEvent, SOLO, UNMARKED};
use species_table::SpeciesTable;
use tuning::READY_EVENTS;

/// Cells, lists of neighbours and a calendar: expected O(1) work for an event, however many discs there are.
///
/// Each disc has a circle of its own that it stays inside for a while, and a list of the discs whose
/// circles overlap that (after Donev, Torquato and Stillinger, J. Comput. Phys. 202 (2005) 737): it can
/// meet no other disc before one of the two leaves its circle. Then the circle is rebuilt around the disc,
/// and the cells give the circles that overlap it. That is bookkeeping: no state of a disc is touched.
///
/// A pair belongs to the disc whose state is newer (to both, if they are equally old). Each disc has one
/// planned event: the earliest of its own pairs, its solo event, or the exit from its circle. So a disc
/// that changes computes the times with its neighbours, and touches none of their plans. A disc that had
/// planned to meet it compares the times of the two states when that event is due, and plans again.
///
/// A disc that meets no other, whatever their paths, has neither a circle nor a list.
///
/// The circles tune themselves: one that has many neighbours shrinks as it is rebuilt, one with few grows.
/// The circle of a disc that flies alone doubles each time, so bookkeeping is finite even where the plane
/// has no end.
///
/// Memory: about 130 bytes a disc.
#[derive(Debug, Default)]
pub struct CellGrid {
    lists: NeighbourLists,
    cells: CellTable,
    plans: Vec<PlannedEvent>,
    calendar: CalendarQueue,
    live: usize,
    /// Running mean of the skins between discs and their circles: for discs that are inserted.
    skin: f64,
    /// Circles set since the cells got their size.
    drawn: usize,
    /// Slots whose circles were rebuilt for a time after the present, and the latest of these times.
    ahead: Vec<Slot>,
    ahead_until: Time,
    /// Slots that are to be planned again, as their partner was removed, or as they may meet another now.
    needs_replan: Vec<Slot>,
    species: SpeciesTable,
    left_out: LeftOut,
    /// Whether lists become those of paths: see [`LeftOut`].
    is_dilute: bool,
    /// Neighbourhoods rebuilt since something changed.
    rebuilt: usize,
    lookahead: Lookahead,
    counters: SchedulerCounters,
    /// Scratch: the neighbours of a rebuilt circle, and the new ones among them.
    found: Vec<Slot>,
    added: Vec<Slot>,
}

crate::clone_fields!(
    CellGrid:
    lists, cells, plans, calendar, live, skin, drawn, ahead, ahead_until, needs_replan, species,
    left_out, is_dilute, rebuilt, lookahead, counters, found, added
);

/// Discs from which on memory is asked for ahead of its use. With fewer, all stays in the cache of one core.
const PREFETCH_FROM: usize = 2048;

impl CellGrid {
    /// Lists of more neighbours than this are shortened, if possible, when the disc is planned anew after a
    /// change; those of fewer are not changed before.
    pub const CROWD: usize = 24;

    /// A [refresh](crate::Scheduler::refresh) of the discs of an impact. It is known what each does first on
    /// its own, and mostly its first meeting with one of its [neighbours](crate::Scheduler::neighbours).
    #[inline(always)]
    pub fn take_in<const N: usize, P: Predictor>(
        &mut self,
        slots: [Slot; N],
        firsts: &[(Solo, NextMeeting); N],
        predictor: &P,
    ) {
        debug_assert_eq!(self.lookahead, Lookahead::Maintained);
        self.begin_refresh(predictor);
        for (slot, (solo, known)) in slots.into_iter().zip(firsts) {
            if self.left_out.is_path_list(slot) {
                self.rebuild(slot, predictor.now(), predictor);
            } else if known.slot == slot {
                let met = Meeting { other: known.other, dt: known.dt };
                let first = first_of(slot, met, solo, predictor);
                self.plan_first(slot, first, predictor.now(), predictor);
                continue;
            }
            self.plan(slot, predictor.now(), predictor);
        }
    }

    /// Maintains neighbourhoods of the present, in cells that fit.
    #[inline(always)]
    fn begin_refresh<P: Predictor>(&mut self, predictor: &P) {
        if self.ahead_until > predictor.now() || self.lookahead != Lookahead::Maintained {
            self.rewind_to_now(predictor);
        }
        self.forget_ahead();
        self.rebuilt = 0;
        if self.drawn > 4 * self.live + 64 {
            self.resize_cells(predictor);
        }
    }

    fn keys<'a, P>(&'a self, predictor: &'a P) -> CalendarKeys<'a, P> {
        CalendarKeys { predictor, lists: &self.lists }
    }

    /// Plans what a disc does next, as seen at the time `at`.
    #[inline]
    fn plan<P: Predictor>(&mut self, slot: Slot, at: Time, predictor: &P) {
        let met = self.first_met(slot, at, predictor);
        self.plan_beside(slot, met, at, predictor);
    }

    /// Plans the next event of a disc whose first meeting with a neighbour is known.
    #[inline(always)]
    fn plan_beside<P: Predictor>(&mut self, slot: Slot, met: Meeting, at: Time, predictor: &P) {
        let first = if predictor.is_without_solos() {
            (met.other, met.dt)
        } else {
            let solo = calendar_keys::solo(slot, &self.lists, predictor);
            first_of(slot, met, &solo, predictor)
        };
        self.plan_first(slot, first, at, predictor);
    }

    /// Plans what a disc does first, and the seconds until then, unless it leaves its circle before.
    #[inline(always)]
    fn plan_first<P: Predictor>(
        &mut self,
        slot: Slot,
        (mut target, mut dt): (EventTarget, f64),
        at: Time,
        predictor: &P,
    ) {
        self.counters.pair_times += self.lists.neighbours(slot).len() as u64;
        self.counters.solo_times += 1;
        // The order of seconds from one time is that of the times.
        let exit = predictor.exit_time(slot, self.lists.get(slot).circle(), at, dt);
        if exit < dt {
            (target, dt) = (NEIGHBOURHOOD_EXIT, exit);
        }
        self.set_plan(slot, target, dt, predictor);
    }

    /// The first meeting of a disc with a neighbour.
    #[inline]
    fn first_met<P: Predictor>(&mut self, slot: Slot, at: Time, predictor: &P) -> Meeting {
        if self.lists.neighbours(slot).len() > Self::CROWD {
            self.shrink_if_crowded(slot, at, predictor);
        }
        predictor.first_met(slot, self.lists.filled_up(slot), at)
    }

    #[inline]
    fn set_plan<P: Predictor>(&mut self, slot: Slot, target: EventTarget, dt: f64, predictor: &P) {
        let plan = &mut self.plans[slot as usize];
        (plan.target, plan.dt) = (target, dt);
        if dt == f64::INFINITY {
            plan.bucket = UNMARKED;
        } else {
            let soonest = predictor.soonest(slot, dt, self.calendar.origin);
            let keys = CalendarKeys { predictor, lists: &self.lists };
            self.calendar.insert(slot, soonest, &mut self.plans, &keys);
            self.counters.queue_operations += 1;
        }
    }

    /// Rebuilds for the present what was built for later times, as something changes before these.
    pub(crate) fn rewind_to_now<P: Predictor>(&mut self, predictor: &P) {
        let now = predictor.now();
        if self.lookahead != Lookahead::Maintained {
            self.rebuild_all(now, predictor);
        }
        if self.ahead_until > now {
            let mut ahead = core::mem::take(&mut self.ahead);
            ahead.sort_unstable();
            ahead.dedup();
            ahead.retain(|&slot| self.lists.get(slot).is_placed());
            for &slot in &ahead {
                self.rebuild(slot, now, predictor);
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

    /// Plans again for the discs that have another partner now, or none.
    fn replan<P: Predictor>(&mut self, predictor: &P) {
        while let Some(slot) = self.needs_replan.pop() {
            if self.lists.get(slot).is_placed() {
                self.plan(slot, predictor.now(), predictor);
            }
        }
    }

    /// Brings into the cache what the next events take: of the event `after` places after the first its
    /// partner and the neighbours of both, or the cells around it; of the next one its partner.
    #[inline]
    fn prefetch_next<P: Predictor>(&self, after: usize, predictor: &P) {
        if self.live < PREFETCH_FROM {
            return;
        }
        if let Some(slot) = self.calendar.front.upcoming(after + 1) {
            let other = self.plans[slot as usize].target;
            if other < SOLO {
                self.lists.prefetch(other);
                predictor.prefetch(other, true);
                prefetch(&self.plans, other as usize);
            }
        }
        let Some(slot) = self.calendar.front.upcoming(after) else { return };
        let other = self.plans[slot as usize].target;
        if other == NEIGHBOURHOOD_EXIT {
            self.cells.prefetch(self.lists.get(slot));
        }
        for slot in [slot, other] {
            predictor.prefetch(slot, true);
            // The same number for each: a branch on that of the neighbours would be mispredicted.
            for &near in self.lists.all_held(slot).into_iter().flatten() {
                predictor.prefetch(near, false);
            }
        }
    }
}

/// The earlier one of a disc's meeting and its solo event, and the seconds until it.
#[inline(always)]
fn first_of<P: Predictor>(slot: Slot, met: Meeting, solo: &Solo, predictor: &P) -> (EventTarget, f64) {
    if solo.time.is_never() {
        return (met.other, met.dt);
    }
    let time = predictor.after(slot, met.dt);
    if time < solo.time {
        return (met.other, met.dt);
    }
    if time == solo.time {
        let serial = predictor.serial(slot);
        let of_solo = EventKey::new(solo.time, solo.kind, serial, serial);
        let of_meeting = EventKey::new(time, Kind::Impact, serial, predictor.serial(met.other));
        if of_meeting.is_before(&of_solo) {
            return (met.other, met.dt);
        }
    }
    (SOLO, solo.time.since(predictor.state_time(slot)))
}

/// What [`Scheduler`](crate::Scheduler) asks of it.
impl CellGrid {
    pub(crate) fn reserve(&mut self, discs: usize) {
        self.lists.reserve(discs);
        reserve_huge_pages(&mut self.plans, discs);
    }

    pub(crate) fn insert(&mut self, slot: Slot) {
        self.lists.grow_to(slot as usize + 1);
        self.species.grow_to(slot as usize + 1);
        if self.plans.len() <= slot as usize {
            make_room(&mut self.plans, slot as usize + 1);
            self.plans.resize(slot as usize + 1, PlannedEvent::NOTHING);
        }
        debug_assert!(!self.lists.get(slot).is_placed(), "slot {slot} is taken");
        self.live += 1;
    }

    pub(crate) fn place<P: Predictor>(&mut self, slot: Slot, predictor: &P) {
        self.rewind_to_now(predictor);
        while let Some(&other) = self.lists.neighbours(slot).first() {
            self.lists.unpair(slot, other);
        }
        self.note_species(slot, predictor);
        self.build(slot, predictor.now(), predictor);
        self.find_neighbours(slot, predictor.now(), predictor, false);
    }

    pub(crate) fn remove(&mut self, slot: Slot) {
        while let Some(&other) = self.lists.neighbours(slot).first() {
            self.lists.unpair(slot, other);
            if self.plans[other as usize].target == slot {
                self.needs_replan.push(other);
            }
        }
        if self.lists.get(slot).is_placed() {
            self.unlink(slot);
            self.species.leave(slot);
        }
        self.plans[slot as usize] = PlannedEvent::NOTHING;
        self.live -= 1;
        if self.lookahead.concerns(slot) {
            self.lookahead = Lookahead::Outdated;
        }
    }

    pub(crate) fn refresh<P: Predictor>(
        &mut self,
        changed: &[Slot],
        known: &[NextMeeting; 2],
        predictor: &P,
    ) {
        if self.search_again(changed, predictor) {
            return;
        }
        self.begin_refresh(predictor);
        let now = predictor.now();
        // Many at once mean a start, or another world.
        let many = changed.len() > self.live / 2 && changed.len() > 64;
        for &slot in changed {
            if self.left_out.is_path_list(slot) {
                self.rebuild(slot, now, predictor);
            } else if let Some(met) = NextMeeting::of(known, slot) {
                self.plan_beside(slot, met, now, predictor);
                continue;
            }
            self.plan(slot, now, predictor);
        }
        self.replan(predictor);
        if many {
            self.resize_cells(predictor);
            let rate = self.bucket_rate(now, predictor);
            self.restart_calendar(now, rate, predictor);
        }
    }

    /// See [`Scheduler::next`](crate::Scheduler::next).
    ///
    /// Takes plans from the front of the calendar in the order of events until one is a real event. An exit
    /// from a circle is carried out: the circle is rebuilt and the disc planned again. A meeting may be out
    /// of date, as a disc that changes touches no plan of others; the times of the states show it.
    pub fn next<P: Predictor>(&mut self, until: Time, predictor: &P) -> Option<Scheduled> {
        if !self.is_due_by_brute_force(until, predictor) {
            return None;
        }
        if self.ahead_until <= predictor.now() {
            self.forget_ahead();
        }
        self.replan(predictor);
        loop {
            if self.calendar.front.len() < READY_EVENTS {
                self.open_ahead(until, predictor);
            }
            let CellGrid { calendar, plans, lists, .. } = self;
            let first = calendar.front.first(|due| CalendarKeys { predictor, lists }.rank(plans, due));
            let (place, DueEvent { time, slot, ticket }) = first?;
            if until < time {
                return None;
            }
            // The slot was planned anew since.
            let plan = self.plans[slot as usize];
            if plan.bucket != ticket {
                self.calendar.front.remove(place);
                continue;
            }
            debug_assert_eq!(self.keys(predictor).due_time(slot, &plan), time, "slot {slot}");
            match plan.target {
                NEIGHBOURHOOD_EXIT => {
                    if let Some(end) = self.leave(slot, time, place, until, predictor) {
                        return end;
                    }
                }
                SOLO => {
                    let solo = calendar_keys::solo(slot, &self.lists, predictor);
                    return Some(Scheduled { time, kind: solo.kind, a: slot, b: slot, tag: solo.tag });
                }
                other => {
                    // Planned when this state was the newer one. If the other disc has a newer state by now,
                    // the pair is its own. If both are equally old, it may have been changed in place since:
                    // then the meeting is computed again.
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

    /// See [`Scheduler::neighbours`](crate::Scheduler::neighbours).
    #[inline(always)]
    #[must_use]
    pub fn neighbours(&self, slot: Slot) -> Option<&[Slot]> {
        // After a search among all pairs discs may have left their circles: see `Lookahead`.
        (self.lookahead == Lookahead::Maintained).then(|| self.lists.filled_up(slot))
    }

    pub(crate) fn around(&self, circle: Circle, wanted: impl Fn(Species) -> bool, found: &mut Vec<Slot>) {
        self.cells.overlapping(&self.lists, circle, found);
        found.extend(self.species.each_alone(wanted));
    }

    pub(crate) fn search_zone(
        &self,
        zone: &Zone,
        now: Time,
        wanted: impl Fn(Species) -> bool,
        mut see: impl FnMut(Slot) -> f64,
    ) -> bool {
        if self.lookahead != Lookahead::Maintained {
            return false;
        }
        // What was drawn for a later time says nothing of the present.
        let ahead: &[Slot] = if self.ahead_until > now { &self.ahead } else { &[] };
        let mut limit = f64::INFINITY;
        for &slot in ahead.iter().filter(|&&slot| self.lists.get(slot).has_circle()) {
            limit = limit.min(see(slot));
        }
        if self.species.number_alone() > 0 {
            self.species.each_alone(wanted).for_each(|slot| limit = limit.min(see(slot)));
        }
        self.cells.search(&self.lists, zone, limit, &mut see);
        true
    }

    pub(crate) fn spacing(&self) -> f64 {
        self.cells.base
    }

    pub(crate) fn bytes(&self) -> usize {
        let scratch = self.found.capacity() + self.added.capacity() + self.ahead.capacity();
        self.lists.bytes()
            + self.cells.bytes()
            + self.calendar.bytes()
            + self.left_out.bytes()
            + self.species.bytes()
            + size_of::<PlannedEvent>() * self.plans.capacity()
            + size_of::<Slot>() * scratch
    }

    pub(crate) fn counters(&self) -> SchedulerCounters {
        self.counters
    }
}

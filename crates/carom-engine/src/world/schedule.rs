use crate::apply;
use crate::predict::StatePredictor;
use crate::run::plain;
use crate::run::responder::Responder;
use crate::state::positions_now::PositionsNow;
use crate::world::stops::Stops;
use crate::{Physics, World};
use carom_broadphase::{Circle, EventTimes, NextMeeting, Scheduled, Scheduler, Slot, Solo};
use carom_math::Time;

// The schedule of events: what it is derived from, which discs it lags behind, and what is next.
impl<P: Physics> World<P> {
    /// Responds to events.
    #[inline(always)]
    pub(crate) fn responder(&mut self) -> Responder<'_, P> {
        let World { store, scheduler, positions_now, scratch, .. } = self;
        Responder { store, scheduler, positions_now, scratch }
    }

    /// The scheduler, the discs to be scheduled again, and the predictor: borrowed side by side.
    #[inline(always)]
    fn scheduling(&mut self) -> (&mut Scheduler, &[Slot], StatePredictor<'_, P>) {
        let World { store, scheduler, positions_now, .. } = self;
        (scheduler, &store.dirty, StatePredictor::new(store, positions_now))
    }

    /// Chooses the scheduler that is wanted, or fits the number of discs. Returns whether it is another one
    /// than before; all discs have been inserted then.
    pub(crate) fn choose_scheduler(&mut self) -> bool {
        let is_periodic = !self.store.bodies.periods.is_open();
        if !self.scheduler.prepare(self.store.bodies.len(), is_periodic, self.store.settings.scheduler) {
            return false;
        }
        self.scheduler.reserve(self.store.bodies.capacity());
        apply::marks::set_sweeping(self.store.common(), self.scheduler.sweeps());
        self.positions_now = PositionsNow::default();
        self.insert_all();
        true
    }

    /// Begins with a new scheduler, of all discs.
    pub(crate) fn begin_schedule(&mut self) {
        self.scheduler = Scheduler::default();
        self.scheduler.prepare(
            self.store.bodies.len(),
            !self.store.bodies.periods.is_open(),
            self.store.settings.scheduler,
        );
        apply::marks::set_sweeping(self.store.common(), self.scheduler.sweeps());
        self.insert_all();
    }

    /// Inserts all discs into a scheduler that has none, and marks them.
    fn insert_all(&mut self) {
        apply::marks::forget_solo_marks(self.store.common());
        // It has seen all slots, too: sweeps over rows of the table take them all, also those that are free.
        let last_free = self.store.bodies.free.iter().copied().max();
        if let Some(last) = last_free.filter(|last| *last as usize + 1 == self.store.bodies.slots()) {
            self.scheduler.insert(last, self.store.bodies.next_serial);
            self.scheduler.remove(last);
        }
        for slot in 0..self.store.bodies.slots() as Slot {
            if self.store.bodies.is_live(slot) {
                self.scheduler.insert(slot, self.store.bodies.detail(slot).serial);
                self.placed(slot);
                apply::marks::mark(self.store.common(), [slot]);
            }
        }
    }

    /// Brings the schedule up to date.
    pub(crate) fn reschedule(&mut self) {
        self.reschedule_with(&[NextMeeting::UNKNOWN; 2]);
    }

    /// As `reschedule`, where the first meetings of some discs are known.
    #[inline]
    pub(crate) fn reschedule_with(&mut self, known: &[NextMeeting; 2]) {
        // Also of a world without discs: its clones have the index.
        apply::marks::tidy_walls(self.store.common());
        if self.store.dirty.is_empty() {
            return;
        }
        if self.store.has_edited_rules() {
            self.enforce_rules();
        }
        if P::ACCELERATED && !self.store.unsettled.is_empty() {
            // What is settled asks the scheduler for neighbours.
            self.refresh_schedule(known);
            self.responder().settle_edited();
            self.refresh_schedule(&[NextMeeting::UNKNOWN; 2]);
        } else {
            self.refresh_schedule(known);
        }
    }

    /// Schedules the marked discs again.
    #[inline(always)]
    fn refresh_schedule(&mut self, known: &[NextMeeting; 2]) {
        if !self.store.bodies.contacts.is_without_releases() {
            apply::contacts::refresh_contacts(&mut self.store);
        }
        if !self.store.solo_marks.is_empty() {
            self.refresh_solos(known);
            if self.store.dirty.is_empty() {
                return;
            }
        }
        // Those of an impact of two are two, in any order.
        let is_tidy = match self.store.dirty[..] {
            [_] => true,
            [a, b] => a != b,
            _ => self.store.dirty.is_sorted_by(|a, b| a < b),
        };
        if !is_tidy {
            apply::marks::tidy_marks(self.store.common());
        }
        if !plain::run::refresh(&self.store, &mut self.scheduler, &self.positions_now) {
            if !self.positions_now.is_at(self.store.now) {
                self.responder().note_positions();
            }
            let (scheduler, dirty, predictor) = self.scheduling();
            scheduler.refresh(dirty, known, &predictor);
            apply::marks::plan_crossings(self.store.common());
        }
        apply::marks::clear_marks(self.store.common());
    }

    /// Schedules discs again of which some are marked for what they do on their own alone: all marked discs
    /// by the table, and none by a grid, which plans both at once.
    #[cold]
    fn refresh_solos(&mut self, known: &[NextMeeting; 2]) {
        // Contacts that end, and paths that bend, may concern others.
        if P::ACCELERATED
            || !self.store.bodies.contacts.is_without_ends()
            || self.scheduler.as_table().is_none()
        {
            return apply::marks::forget_solo_marks(self.store.common());
        }
        let alone = apply::marks::take_solo_marks(self.store.common());
        if !self.store.dirty.is_empty() {
            self.refresh_schedule(known);
        }
        apply::marks::set_marks(self.store.common(), alone);
        let (scheduler, dirty, predictor) = self.scheduling();
        if let Some(table) = scheduler.as_table() {
            table.refresh_solos(dirty, &predictor);
        }
        apply::marks::plan_crossings(self.store.common());
        apply::marks::clear_marks(self.store.common());
    }

    /// The next event of an up-to-date schedule; one after `until` may be left out.
    #[inline(always)]
    pub(crate) fn due(&mut self, until: Time) -> Option<Scheduled> {
        let (scheduler, _, predictor) = self.scheduling();
        scheduler.next(until, &predictor)
    }

    /// When the next event of an up-to-date schedule is, in its own time; one after the true time `until` may
    /// be left out.
    pub(crate) fn next_in_sight_of(&mut self, until: Time) -> Option<Time> {
        let sight = match self.store.drag() {
            Some(drag) if !until.is_never() => drag.pacing.slow_time_after(until),
            _ => until,
        };
        let limit = self.store.last_time();
        self.next_time_before(sight.min(limit))
    }

    /// Calls the scheduler for a change that goes beyond times.
    pub(crate) fn tell_scheduler(&mut self, edit: impl FnOnce(&mut Scheduler, &StatePredictor<'_, P>)) {
        let (scheduler, _, predictor) = self.scheduling();
        edit(scheduler, &predictor);
    }

    /// Answers a question about what comes. Edits that rewrite states as they are resolved, with others
    /// that may follow, are resolved by the next call of `advance` and not before, and what has arrived stops
    /// there: a question before that is put to a copy.
    #[doc(hidden)]
    pub fn look<R>(&mut self, ask: impl FnOnce(&mut Self) -> R) -> R {
        if self.store.has_unresolved_edits() || self.store.timers.first_stop(self.now()).is_some() {
            let mut copy = self.clone();
            Stops(&mut copy).next();
            ask(&mut copy)
        } else {
            self.reschedule();
            ask(self)
        }
    }

    /// The next event of the schedule, and the time after which none is looked for: when growth must end, or
    /// the slow clock does. The oracle of the tests scans all pure times anew.
    #[doc(hidden)]
    pub fn scheduled(&mut self) -> (Option<Scheduled>, Time) {
        self.reschedule();
        let limit = self.store.last_time();
        (self.due(limit).filter(|next| next.time <= limit), limit)
    }

    /// For the oracle of the tests: when two discs meet, by the pure function of their states.
    #[doc(hidden)]
    #[must_use]
    pub fn pair_time(&self, a: Slot, b: Slot) -> Time {
        StatePredictor::of(&self.store).pair(a, b)
    }

    /// For the oracle of the tests: what a disc does on its own, and its serial number.
    #[doc(hidden)]
    #[must_use]
    pub fn solo_event(&self, slot: Slot) -> (Solo, u64) {
        (StatePredictor::of(&self.store).solo(slot), self.store.bodies.detail(slot).serial)
    }

    /// For the oracle of the tests: when a disc hits its first wall, found among those ahead of it, among
    /// those within a distance of its stored position, and by a look at each.
    #[doc(hidden)]
    #[must_use]
    pub fn first_wall_times(&self, slot: Slot, radius: f64) -> [Time; 3] {
        let (predictor, since) = (StatePredictor::of(&self.store), self.store.bodies.time(slot));
        let circle = Circle { center: self.store.bodies.record(slot).position(), radius };
        let first = |circle| predictor.next_wall(slot, since, circle).time;
        let facets = 0..self.store.walls.facets.len() as u32;
        let of_each = facets.map(|f| predictor.common().hit_time(slot, f)).min().unwrap_or(Time::NEVER);
        [first(None), first(Some(&circle)), of_each]
    }

    /// Checks every invariant, and every scheduled time against a prediction from the stored states.
    ///
    /// # Panics
    /// With a description, if something is wrong. For tests: O(N²).
    pub fn assert_well_formed(&mut self) {
        self.look(World::check);
    }

    fn check(&mut self) {
        self.scheduler.assert_well_formed(&StatePredictor::of(&self.store));
        for slot in self.store.bodies.live() {
            let state = self.store.state(slot);
            assert!(state.position.is_finite() && state.velocity.is_finite(), "state of slot {slot}");
            assert!(
                self.store.bodies.time(slot) <= self.store.now,
                "slot {slot} holds a state from the future"
            );
        }
        apply::marks::assert_crossings(self.store.common());
        let (next, _) = self.scheduled();
        assert!(next.is_none_or(|next| next.time >= self.store.now), "{next:?} was missed");
    }
}

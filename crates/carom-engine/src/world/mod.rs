mod advance;
mod diagnostics;
pub(crate) mod edit;
mod growth;

pub use advance::{Advance, StopReason, Upcoming, UpcomingKind};
pub use diagnostics::Counters;

use crate::impact::group::Group;
use crate::predict::StatePredictor;
use crate::simd::Simd;
use crate::state::bodies::Bodies;
use crate::state::positions_now::PositionsNow;
use crate::walls::Walls;
use crate::{
    Collapse, Disc, DiscId, Error, Event, Physics, Settings, SimdLevel, Smooth, State, Wall, WallId, limits,
};
use carom_broadphase::{Auto, NextMeeting, Scheduled, Scheduler, SchedulerKind, Slot};
use carom_math::{Clock, Periods, Time, sqrt};
use glam::DVec2;
use smallvec::SmallVec;

/// Discs and walls, and the time that has come.
///
/// `advance` jumps from event to event and returns at the time asked for; everything can be read and edited
/// then. Between events nothing is stored or rounded, so the result does not depend on how the time was cut
/// into calls.
///
/// `P` is the physics (smooth discs by default), `S` the scheduler; `World::new()` has both defaults.
///
/// ```
/// use carom_engine::{DVec2, Disc, Wall, World};
///
/// let mut world = World::new();
/// world.add_wall(Wall::container(DVec2::ZERO, DVec2::splat(10.0)))?;
/// let ball = world.insert(Disc::new(DVec2::new(2.0, 5.0), 1.0).with_velocity(DVec2::new(3.0, 0.0)))?;
/// world.advance(3.0)?;
/// // From 2 to the wall at 10 − 1 in 7/3 s, and back for the rest.
/// assert!((world.position(ball)?.x - 7.0).abs() < 1e-14);
/// assert_eq!(world.velocity(ball)?.x, -3.0);
/// # Ok::<(), carom_engine::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct World<P: Physics = Smooth, S: Scheduler = Auto> {
    pub(crate) physics: P,
    pub(crate) settings: Settings,
    pub(crate) clock: Clock,
    pub(crate) now: Time,
    pub(crate) bodies: Bodies<P::Body, P::Extra>,
    pub(crate) walls: Walls<P::Surface>,
    pub(crate) scheduler: S,
    /// Slots to be scheduled again before the next event is looked up, some perhaps more than once.
    pub(crate) dirty: Vec<Slot>,
    /// Number of the latest impact.
    pub(crate) impacts: u64,
    pub(crate) counters: Counters,
    pub(crate) events: Vec<Event<P::Change>>,
    pub(crate) positions_now: PositionsNow,
    pub(crate) group: Group,
    /// Scratch: the states of a group before and after its impact, on the heap only for large ones.
    pub(crate) before: SmallVec<[State<P::Extra>; 16]>,
    pub(crate) after: SmallVec<[State<P::Extra>; 16]>,
    pub(crate) simd: Simd,
}

impl World {
    /// An empty world of smooth discs with default settings.
    #[must_use]
    pub fn new() -> Self {
        let settings = Settings::default();
        match Self::with_settings(settings) {
            Ok(world) => world,
            Err(_) => unreachable!("the default settings are in range"),
        }
    }

    /// An empty world of smooth discs.
    ///
    /// # Errors
    /// If `epoch` or `start` is out of range.
    pub fn with_settings(settings: Settings) -> Result<Self, Error> {
        World::with_physics(Smooth, settings)
    }
}

impl Default for World {
    fn default() -> Self {
        World::new()
    }
}

/// Room for so many marks is kept: seldom are there more, but at the start.
const MOST_DIRTY: usize = 1024;

impl<P: Physics, S: Scheduler> World<P, S> {
    /// How many periods (the shorter one) the fastest disc flies, at most, until what [`World::next_event`] and
    /// [`World::step_event`] find in a periodic world.
    pub const LOOKAHEAD_PERIODS: f64 = 1024.0;

    /// An empty world with a physics and a scheduler of one's own.
    ///
    /// # Errors
    /// If a setting is out of range.
    pub fn with_physics(physics: P, settings: Settings) -> Result<Self, Error> {
        let (clock, periods) = (settings.clock()?, settings.periods()?);
        let mut scheduler = S::default();
        scheduler.prepare(0, !periods.is_open(), settings.scheduler);
        Ok(World {
            physics,
            now: clock.at(settings.start),
            simd: Simd::chosen(settings.instructions),
            settings,
            clock,
            bodies: Bodies::new(periods, scheduler.sweeps()),
            walls: Walls::new(),
            scheduler,
            dirty: Vec::new(),
            impacts: 0,
            counters: Counters::default(),
            events: Vec::new(),
            positions_now: PositionsNow::default(),
            group: Group::default(),
            before: SmallVec::new(),
            after: SmallVec::new(),
        })
    }

    /// The time that has come.
    #[must_use]
    pub fn now(&self) -> Time {
        self.now
    }

    /// The clock that makes this world's times.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The settings it was made with.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes [`Settings::budget`]: the most events that one call of `advance` resolves.
    pub fn set_budget(&mut self, budget: u64) {
        self.settings.budget = budget;
    }

    /// Changes [`Settings::collapse`], the rule against inelastic collapse, from the next impact on.
    ///
    /// # Errors
    /// If one of its numbers is out of range.
    pub fn set_collapse(&mut self, collapse: Option<Collapse>) -> Result<(), Error> {
        if let Some(collapse) = &collapse {
            collapse.check()?;
        }
        self.settings.collapse = collapse;
        Ok(())
    }

    /// Changes [`Settings::record_events`]: whether `advance` keeps the events of the call.
    pub fn set_record_events(&mut self, record: bool) {
        self.settings.record_events = record;
    }

    /// Changes [`Settings::instructions`], the widest vector instructions to use.
    pub fn set_instructions(&mut self, instructions: SimdLevel) {
        self.settings.instructions = instructions;
        self.simd = Simd::chosen(instructions);
    }

    /// Changes [`Settings::scheduler`]. Cheap if that is the one in use, else O(N) with the grid and O(N²) with the table.
    ///
    /// # Errors
    /// If there are more discs than it takes.
    pub fn set_scheduler(&mut self, wanted: SchedulerKind) -> Result<(), Error> {
        let most = limits::MAX_DISCS.min(S::capacity(wanted));
        if self.len() > most {
            return Err(Error::Full(most));
        }
        self.settings.scheduler = wanted;
        self.choose_scheduler();
        Ok(())
    }

    /// The vector instructions in use: those of [`Settings::instructions`] if this machine has them, else the widest
    /// below. Never [`SimdLevel::Best`].
    #[must_use]
    pub fn instructions(&self) -> SimdLevel {
        self.simd.level()
    }

    /// The physics.
    #[must_use]
    pub fn physics(&self) -> &P {
        &self.physics
    }

    /// Number of discs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether there are no discs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bodies.len() == 0
    }

    /// Whether the handle's disc is there.
    #[must_use]
    pub fn contains(&self, id: DiscId) -> bool {
        self.bodies.slot(id).is_ok()
    }

    /// The periods after which the world repeats itself: [`Settings::period`].
    #[must_use]
    pub fn periods(&self) -> &Periods {
        &self.bodies.periods
    }

    /// Where the disc's centre is now; in a periodic world from 0 up to the period. O(1).
    ///
    /// # Errors
    /// If the disc is gone.
    pub fn position(&self, id: DiscId) -> Result<DVec2, Error> {
        let slot = self.bodies.slot(id)?;
        Ok(self.bodies.wrapped_motion_at(slot, self.now).position)
    }

    /// Where the disc's centre would be now, had it not been wrapped since it was put where it was: for displacements over
    /// more than a period. Right up to 2³¹ periods. The same as [`World::position`] where nothing is periodic. O(1).
    ///
    /// # Errors
    /// If the disc is gone.
    pub fn unwrapped_position(&self, id: DiscId) -> Result<DVec2, Error> {
        let slot = self.bodies.slot(id)?;
        Ok(self.bodies.unwrapped_at(slot, self.now))
    }

    /// The velocity of the disc's centre now. O(1).
    ///
    /// # Errors
    /// If the disc is gone.
    pub fn velocity(&self, id: DiscId) -> Result<DVec2, Error> {
        let slot = self.bodies.slot(id)?;
        Ok(self.bodies.motion_at(slot, self.now).velocity)
    }

    /// The disc as it is now. O(1).
    ///
    /// # Errors
    /// If the disc is gone.
    pub fn disc(&self, id: DiscId) -> Result<Disc<P::Body, P::Extra>, Error> {
        Ok(self.disc_in(self.bodies.slot(id)?))
    }

    pub(crate) fn disc_in(&self, slot: Slot) -> Disc<P::Body, P::Extra> {
        let State { position, velocity, extra } = self.state_now(slot);
        let detail = self.bodies.detail(slot);
        Disc {
            position: self.bodies.periods.wrap(position).0,
            velocity,
            radius: self.bodies.radius_at(slot, self.now),
            mass: detail.mass,
            restitution: detail.restitution,
            user_data: self.bodies.user_data.get(slot),
            overlap: self.bodies.overlap.get(slot),
            body: detail.own,
            extra,
        }
    }

    /// The state of a disc now, extra state included.
    #[inline(always)]
    pub(crate) fn state_now(&self, slot: Slot) -> State<P::Extra> {
        let motion = self.bodies.motion_at(slot, self.now);
        let age = self.now.since(self.bodies.time(slot));
        let extra = self.physics.evolve(&self.bodies.body(slot), &self.bodies.state(slot), age);
        State { position: motion.position, velocity: motion.velocity, extra }
    }

    /// When the disc's stored state was written: its last impact, change of motion or edit. O(1).
    ///
    /// # Errors
    /// If the disc is gone.
    pub fn state_time(&self, id: DiscId) -> Result<Time, Error> {
        Ok(self.bodies.time(self.bodies.slot(id)?))
    }

    /// All discs as they are now, by slot.
    pub fn discs(&self) -> impl Iterator<Item = (DiscId, Disc<P::Body, P::Extra>)> + '_ {
        self.bodies.live().map(|slot| (self.bodies.id(slot), self.disc_in(slot)))
    }

    /// The handles of all discs, by slot.
    pub fn ids(&self) -> impl Iterator<Item = DiscId> + '_ {
        self.bodies.live().map(|slot| self.bodies.id(slot))
    }

    /// Writes the centres of all discs now, by slot, as [`World::ids`]. O(N), without allocation.
    ///
    /// # Errors
    /// If `places` is not as long as there are discs; then nothing is written.
    pub fn read_positions(&self, places: &mut [DVec2]) -> Result<(), Error> {
        if places.len() != self.len() {
            return Err(Error::WrongLength { given: places.len(), discs: self.len() });
        }
        for (place, slot) in places.iter_mut().zip(self.bodies.live()) {
            *place = self.bodies.wrapped_motion_at(slot, self.now).position;
        }
        Ok(())
    }

    /// As [`World::read_positions`], with [`World::unwrapped_position`].
    ///
    /// # Errors
    /// As [`World::read_positions`].
    pub fn read_unwrapped_positions(&self, places: &mut [DVec2]) -> Result<(), Error> {
        if places.len() != self.len() {
            return Err(Error::WrongLength { given: places.len(), discs: self.len() });
        }
        for (place, slot) in places.iter_mut().zip(self.bodies.live()) {
            *place = self.bodies.unwrapped_at(slot, self.now);
        }
        Ok(())
    }

    /// The handle's wall.
    ///
    /// # Errors
    /// If the wall is gone.
    pub fn wall(&self, id: WallId) -> Result<&Wall<P::Surface>, Error> {
        Ok(self.walls.get(self.walls.slot(id)?))
    }

    /// All walls, by slot.
    pub fn walls(&self) -> impl Iterator<Item = (WallId, &Wall<P::Surface>)> + '_ {
        self.walls.iter()
    }

    /// The events of the last call of `advance`, `advance_to` or `step_event`, in order.
    ///
    /// Empty if [`Settings::record_events`] is off, or if that call was given a sink.
    #[must_use]
    pub fn events(&self) -> &[Event<P::Change>] {
        &self.events
    }

    /// The scheduler: for what it knows beyond events, such as the entries of the pair table.
    ///
    /// As of the last reschedule; call [`World::next_event`] first to have all edits in.
    #[must_use]
    pub fn scheduler(&self) -> &S {
        &self.scheduler
    }

    pub(crate) fn predictor(&self) -> StatePredictor<'_, P> {
        StatePredictor {
            physics: &self.physics,
            bodies: &self.bodies,
            walls: &self.walls,
            clock: &self.clock,
            now: self.now,
            positions_now: &self.positions_now,
            simd: self.simd,
        }
    }

    /// The scheduler, the discs to be scheduled again, and what it is to ask: borrowed side by side.
    #[inline(always)]
    fn scheduling(&mut self) -> (&mut S, &[Slot], StatePredictor<'_, P>) {
        let predictor = StatePredictor {
            physics: &self.physics,
            bodies: &self.bodies,
            walls: &self.walls,
            clock: &self.clock,
            now: self.now,
            positions_now: &self.positions_now,
            simd: self.simd,
        };
        (&mut self.scheduler, &self.dirty, predictor)
    }

    /// Marks a disc to be scheduled again. Any number of edits cost one rescheduling.
    #[inline]
    pub(crate) fn mark(&mut self, slot: Slot) {
        if self.dirty.len() > 2 * self.bodies.slots() {
            self.tidy_dirty();
        }
        self.dirty.push(slot);
    }

    /// Leaves each slot once.
    #[cold]
    fn tidy_dirty(&mut self) {
        self.dirty.sort_unstable();
        self.dirty.dedup();
    }

    /// Chooses the scheduler that is wanted, or fits the number of discs. Whether it is another one, which has been told
    /// everything.
    pub(crate) fn choose_scheduler(&mut self) -> bool {
        let is_periodic = !self.bodies.periods.is_open();
        if !self.scheduler.prepare(self.bodies.len(), is_periodic, self.settings.scheduler) {
            return false;
        }
        self.scheduler.reserve(self.bodies.records.capacity());
        self.bodies.set_sweeping(self.scheduler.sweeps());
        self.positions_now = PositionsNow::default();
        for slot in 0..self.bodies.slots() as Slot {
            if self.bodies.is_live(slot) {
                self.scheduler.insert(slot, self.bodies.detail(slot).serial);
                self.placed(slot);
                self.mark(slot);
            }
        }
        true
    }

    /// Brings the schedule up to date.
    pub(crate) fn reschedule(&mut self) {
        self.reschedule_with(&[NextMeeting::UNKNOWN; 2]);
    }

    /// Brings the schedule up to date after an event that told the first meetings of some discs.
    #[inline]
    pub(crate) fn reschedule_with(&mut self, known: &[NextMeeting; 2]) {
        if self.dirty.is_empty() {
            return;
        }
        // Those of an impact of two are two.
        if self.dirty.len() > 2 || self.dirty.first() == self.dirty.get(1) {
            self.tidy_dirty();
        }
        if !self.positions_now.is_at(self.now) {
            self.note_positions();
        }
        let (scheduler, dirty, predictor) = self.scheduling();
        scheduler.refresh(dirty, known, &predictor);
        self.dirty.clear();
        self.dirty.shrink_to(MOST_DIRTY);
    }

    /// The next event, of an up-to-date schedule; one after `until` need not be told.
    #[inline(always)]
    pub(crate) fn due(&mut self, until: Time) -> Option<Scheduled> {
        let (scheduler, _, predictor) = self.scheduling();
        scheduler.next(until, &predictor)
    }

    /// How far the question for the next event looks. In a periodic world two discs may fly for ever, and whether they
    /// meet is told by looking: as far as the fastest one comes in [`World::LOOKAHEAD_PERIODS`] periods. O(N) there.
    fn sight(&mut self) -> Time {
        let limit = self.growth_limit();
        let periods = &self.bodies.periods;
        if periods.is_open() {
            return limit;
        }
        let speed2 = |slot: Slot| self.bodies.record(slot).velocity().length_squared();
        let fastest = sqrt(self.bodies.live().map(speed2).fold(0.0, f64::max));
        // As horizons are told, whose number is bounded by this.
        let fastest = fastest + self.bodies.growth.rate * self.bodies.largest;
        self.clock.after(self.now, Self::LOOKAHEAD_PERIODS * periods.shortest() / fastest).min(limit)
    }

    /// The next event, of an up-to-date schedule, within [`World::LOOKAHEAD_PERIODS`].
    pub(crate) fn next_in_sight(&mut self) -> Option<Scheduled> {
        let sight = self.sight();
        self.due(sight).filter(|next| next.time <= sight)
    }

    /// Tells the scheduler of a change that goes beyond times: `edit` is what to call it for.
    pub(crate) fn tell_scheduler(&mut self, edit: impl FnOnce(&mut S, &StatePredictor<'_, P>)) {
        let (scheduler, _, predictor) = self.scheduling();
        edit(scheduler, &predictor);
    }

    /// Checks every invariant, and every scheduled time against a prediction from the stored states.
    ///
    /// # Panics
    /// With a description, if something is wrong. For tests: O(N²).
    pub fn assert_well_formed(&mut self) {
        self.reschedule();
        self.scheduler.assert_well_formed(&self.predictor());
        for slot in self.bodies.live() {
            let state = self.bodies.state(slot);
            assert!(state.position.is_finite() && state.velocity.is_finite(), "state of slot {slot}");
            assert!(self.bodies.time(slot) <= self.now, "slot {slot} holds a state from the future");
        }
        let next = self.next_in_sight();
        assert!(next.is_none_or(|next| next.time >= self.now), "{next:?} was missed");
    }
}

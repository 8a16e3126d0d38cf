use crate::apply;
use crate::drag::{Paced, PacedTime};
use crate::handle::is_stop;
use crate::sense::Planned;
use crate::sink::{AnySink, Listener, Nothing, Sink};
use crate::state::contacts::RELEASE;
use crate::state::timers::Timer;
use crate::world::stops::Stops;
use crate::{Advance, DiscId, Error, Event, Moment, Physics, RegionId, StopReason, TimerId, WallId, World};
use carom_broadphase::Kind;
use carom_math::Time;
use core::cell::Cell;
use core::ops::ControlFlow;

/// What will happen next, if nothing is edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Upcoming {
    /// When.
    pub time: Time,
    /// What, and which discs and walls.
    pub kind: UpcomingKind,
}

/// What will happen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UpcomingKind {
    /// Two discs meet.
    Discs(DiscId, DiscId),
    /// A disc meets part of a wall.
    Wall(DiscId, WallId, u32),
    /// The motion of a disc changes its law by itself.
    Change(DiscId),
    /// A body that has given way goes on, or a disc has parted from what it passes through.
    Release(DiscId),
    /// A disc enters a region.
    Enter(DiscId, RegionId),
    /// A disc leaves a region.
    Leave(DiscId, RegionId),
    /// A timer is over.
    Timer(TimerId),
    /// A kinematic disc is to be where [`World::move_to`](crate::World::move_to) has sent it.
    Arrive(DiscId),
    /// An arm is at the angle to which [`World::turn_arm`](crate::World::turn_arm) has sent it.
    Turned(WallId),
    /// A wall is where [`World::move_wall`](crate::World::move_wall) has sent it.
    WallMoved(WallId),
}

/// # Letting time pass
/// Each call clears the list of events, and says how it ended.
impl<P: Physics> World<P> {
    /// Advances by `dt` seconds, times the [scale of time](World::set_time_scale), events at the very end
    /// included. Always comes back: see [`StopReason`](crate::StopReason).
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, StopReason, Wall, World};
    ///
    /// let mut world = World::new();
    /// world.add_wall(Wall::container([0.0, 0.0], [4.0, 2.0]))?;
    /// let ball = world.insert(Disc::new([1.0, 1.0], 0.5).with_velocity([2.0, 0.0]))?;
    /// for _frame in 0..64 {
    ///     let advance = world.advance(1.0 / 64.0)?;
    ///     assert_eq!(advance.end, StopReason::Reached);
    /// }
    /// // Two and a half units to the wall at 4 − 0.5, in 1.25 s: not there yet.
    /// assert_eq!(world.get(ball).map(|ball| ball.position().x), Some(3.0));
    /// assert_eq!(world.advance(0.5)?.events, 1);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If `dt` is negative or not finite, or the time would be beyond the clock's horizon.
    pub fn advance(&mut self, dt: f64) -> Result<Advance, Error> {
        let until = self.store.after_scaled(dt)?;
        Ok(self.run(until, self.store.settings.budget, Listener::List))
    }

    /// As [`World::advance`], with the events going into `sink` as they happen.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, Event, Wall, World};
    ///
    /// let mut world = World::new();
    /// world.add_wall(Wall::container([0.0, 0.0], [4.0, 2.0]))?;
    /// world.insert(Disc::new([1.0, 1.0], 0.5).with_velocity([2.0, 0.0]))?;
    /// let mut impulses = 0.0;
    /// world.advance_with(3.0, &mut |event: &Event| {
    ///     impulses += event.impact().map_or(0.0, |impact| impact.impulse);
    /// })?;
    /// // At 1.25 and at 2.75 s, 2 m v each.
    /// assert_eq!(impulses, 8.0);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`World::advance`].
    pub fn advance_with(&mut self, dt: f64, sink: &mut impl Sink<P>) -> Result<Advance, Error> {
        let until = self.store.after_scaled(dt)?;
        self.events.clear();
        Ok(self.run(until, self.store.settings.budget, Listener::of(sink)))
    }

    /// As [`World::advance`], up to the first event that `is_wanted`. If it comes, the end is
    /// [`Stopped`](crate::StopReason::Stopped), the time is that of the event, and it is among the last of
    /// [`World::events`]. Calling again goes on.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, Event, StopReason, World};
    ///
    /// let mut world = World::new();
    /// let cue = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([4.0, 0.0]))?;
    /// world.insert(Disc::new([5.0, 0.0], 0.5))?;
    /// let ended = world.advance_until_event(60.0, |event| {
    ///     event.impact().is_some_and(|impact| impact.involves(cue))
    /// })?;
    /// assert_eq!((ended.end, ended.time.as_secs()), (StopReason::Stopped, 1.0));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`World::advance`].
    pub fn advance_until_event(
        &mut self,
        dt: f64,
        mut is_wanted: impl FnMut(&Event<P::Change>) -> bool,
    ) -> Result<Advance, Error> {
        let until = self.store.after_scaled(dt)?;
        Ok(self.run_to_event(until, &mut is_wanted))
    }

    /// As [`World::advance_until_event`], up to a time: `advance_to` with a condition.
    ///
    /// # Errors
    /// As [`World::advance_to`].
    pub fn advance_to_event(
        &mut self,
        time: impl Into<Moment>,
        mut is_wanted: impl FnMut(&Event<P::Change>) -> bool,
    ) -> Result<Advance, Error> {
        let until = self.store.at(time.into())?;
        Ok(self.run_to_event(until, &mut is_wanted))
    }

    /// Advances to a time, events at it included: in seconds from the origin, or an exact [`Time`] of this
    /// world's clock.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, Wall, World};
    ///
    /// let mut world = World::new();
    /// world.add_wall(Wall::half_plane([0.0, 0.0], [1.0, 0.0]))?;
    /// let ball = world.insert(Disc::new([2.0, 0.0], 0.5).with_velocity([-1.0, 0.0]))?;
    /// let impact = world.next_event().expect("it flies at the wall").time;
    /// world.advance_to(impact)?;
    /// assert_eq!(world.get(ball).map(|ball| ball.velocity().x), Some(1.0));
    /// world.advance_to(2.5)?;
    /// assert_eq!(world.now().as_secs(), 2.5);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the time is in the past, not finite, never, beyond the clock's horizon, or of a clock with another
    /// epoch.
    pub fn advance_to(&mut self, time: impl Into<Moment>) -> Result<Advance, Error> {
        let until = self.store.at(time.into())?;
        Ok(self.run(until, self.store.settings.budget, Listener::List))
    }

    /// As [`World::advance_to`], with the events going into `sink` as they happen.
    ///
    /// # Errors
    /// As [`World::advance_to`].
    pub fn advance_to_with(
        &mut self,
        time: impl Into<Moment>,
        sink: &mut impl Sink<P>,
    ) -> Result<Advance, Error> {
        let until = self.store.at(time.into())?;
        self.events.clear();
        Ok(self.run(until, self.store.settings.budget, Listener::of(sink)))
    }

    /// Advances to the next event, resolves it, and goes no further. If there is none, nothing happens, and
    /// the result says `Reached` with 0 events; it says `OutOfBudget` with 1 if there is another event at the
    /// same time.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, Wall, World};
    ///
    /// let mut world = World::new();
    /// world.add_wall(Wall::container([0.0, 0.0], [4.0, 2.0]))?;
    /// world.insert(Disc::new([1.0, 1.0], 0.5).with_velocity([2.0, 0.0]))?;
    /// let times: Vec<f64> = (0..3).map(|_| world.step_event().time.as_secs()).collect();
    /// assert_eq!(times, [1.25, 2.75, 4.25]);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn step_event(&mut self) -> Advance {
        // What has arrived stops before edits are resolved.
        if self.store.timers.first_stop(self.now()).is_none() {
            self.reschedule();
        }
        match self.next_event() {
            Some(next) => Stops(self).step_to(next.time, Listener::List),
            None => self.run(self.now(), 1, Listener::List),
        }
    }
}

/// # What has happened, and what is next
impl<P: Physics> World<P> {
    /// The events of the last call of `advance`, `advance_to` or `step_event`, in order.
    ///
    /// Empty if [`Settings::record_events`](crate::Settings::record_events) is off, or if that call was
    /// given a sink.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, Event, Wall, World};
    ///
    /// let mut world = World::new();
    /// let floor = world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0]))?;
    /// let ball = world.insert(Disc::new([0.0, 2.0], 0.5).with_velocity([0.0, -1.0]).with_user_data(7))?;
    /// world.advance(2.0)?;
    /// for impact in world.events().iter().filter_map(Event::impact) {
    ///     assert_eq!((impact.a, impact.b.wall()), (ball, Some(floor)));
    ///     assert_eq!((impact.time.as_secs(), impact.user_data[0]), (1.5, 7));
    /// }
    /// assert_eq!(world.events().len(), 1);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn events(&self) -> &[Event<P::Change>] {
        &self.events
    }

    /// Exchanges the list of [`World::events`] for another one, to keep it without a copy.
    pub fn swap_events(&mut self, events: &mut Vec<Event<P::Change>>) {
        core::mem::swap(&mut self.events, events);
    }

    /// The next event, without moving. Changes nothing of what follows. O(1) after `advance`, and O(N²) pair
    /// times at most where nothing is near. "None" is remembered until an edit. Where edits wait to be
    /// [resolved](World#edits), a copy is asked, which costs O(N) more.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, UpcomingKind, World};
    ///
    /// let mut world = World::new();
    /// let cue = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([4.0, 0.0]))?;
    /// let object = world.insert(Disc::new([3.0, 0.0], 0.5))?;
    /// let next = world.next_event().expect("it flies at the other");
    /// assert_eq!((next.time.as_secs(), next.kind), (0.5, UpcomingKind::Discs(cue, object)));
    /// assert_eq!(world.now().as_secs(), 0.0);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn next_event(&mut self) -> Option<Upcoming> {
        self.look(World::upcoming)
    }
}

// The parts of the loop.
impl<P: Physics> World<P> {
    fn run_to_event(&mut self, until: Time, is_wanted: &mut dyn FnMut(&Event<P::Change>) -> bool) -> Advance {
        let mut events = core::mem::take(&mut self.events);
        events.clear();
        let is_recorded = self.store.settings.record_events;
        let mut sink = |event: &Event<P::Change>| {
            if is_recorded {
                events.push(*event);
            }
            if is_wanted(event) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let done = self.run(until, self.store.settings.budget, Listener::of(&mut sink));
        self.events = events;
        done
    }

    /// The next event of an up-to-date schedule.
    fn upcoming(&mut self) -> Option<Upcoming> {
        let (next, limit) = self.scheduled();
        let crossing = apply::time::next_crossing(self.store.common(), next, limit);
        let next_time = crossing.as_ref().map(|crossing| crossing.time).or(next.map(|next| next.time));
        let next_time = next_time.map(|time| self.store.time_of_next(time));
        if let Some((time, number, timer)) = self.store.timers.iter().next()
            && next_time.is_none_or(|next| time < next)
        {
            let kind = match *timer {
                Timer::Arrival(disc) | Timer::Stop(disc) => UpcomingKind::Arrive(disc),
                Timer::WallArrival(wall) | Timer::WallStop(wall) => {
                    match self.store.walls.course(wall.slot()) {
                        Some(course) if course.way.is_rotation() => UpcomingKind::Turned(wall),
                        _ => UpcomingKind::WallMoved(wall),
                    }
                }
                Timer::Note(_) | Timer::Command(_) => UpcomingKind::Timer(TimerId(number)),
            };
            return Some(Upcoming { time, kind });
        }
        let time = next_time?;
        if let (Some(Planned { enters, disc, region, .. }), Some(sensing)) = (crossing, &self.store.sensing) {
            let (disc, region) = (self.store.bodies.id(disc), sensing.id(region));
            let kind =
                if enters { UpcomingKind::Enter(disc, region) } else { UpcomingKind::Leave(disc, region) };
            return Some(Upcoming { time, kind });
        }
        let next = next?;
        let a = self.store.bodies.id(next.a);
        let kind = match next.kind {
            Kind::Impact if next.a != next.b => UpcomingKind::Discs(a, self.store.bodies.id(next.b)),
            Kind::MotionChange if next.tag == RELEASE => UpcomingKind::Release(a),
            Kind::Impact => {
                let facet = &self.store.walls.facets[next.tag as usize];
                UpcomingKind::Wall(a, self.store.walls.id(facet.wall), facet.part)
            }
            // Whatever else a disc does by itself: it names no wall.
            _ => UpcomingKind::Change(a),
        };
        Some(Upcoming { time, kind })
    }

    /// Advances to a time. Picks what the [event loop](World::run_events) is compiled for.
    pub(crate) fn run(&mut self, wanted: Time, budget: u64, listener: Listener<'_, P>) -> Advance {
        if !self.store.timers.is_empty() && wanted > self.now() {
            Stops(self).first();
        }
        let mut events = core::mem::take(&mut self.events);
        if matches!(listener, Listener::List) {
            events.clear();
        }
        let sink = listener.sink(self.store.settings.record_events.then_some(&mut events));
        let at = Cell::new(PacedTime { time: wanted, pace: 1.0 });
        let done = match sink {
            Some(sink) if self.store.drag().is_some() => {
                let mut paced = Paced { sink, at: &at };
                self.run_events(wanted, budget, &mut AnySink::new(&mut paced), &at)
            }
            Some(mut sink) => self.run_events(wanted, budget, &mut sink, &at),
            // WebAssembly is to be small, and compiled for one kind of sink alone.
            None if cfg!(target_arch = "wasm32") => {
                self.run_events(wanted, budget, &mut AnySink::new(&mut Nothing), &at)
            }
            None => self.run_events(wanted, budget, &mut Nothing, &at),
        };
        self.events = events;
        if done.end == StopReason::Reached && self.store.timers.first().is_some_and(is_stop) {
            apply::time::note_quiet(&mut self.store);
        }
        done
    }
}

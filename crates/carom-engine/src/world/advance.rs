use crate::error::check;
use crate::event::{Nothing, Sink};
use crate::impact::resolve::Crushed;
use crate::{DiscId, Error, Event, Physics, WallId, World};
use carom_broadphase::{Kind, NextMeeting, Scheduler};
use carom_math::Time;

/// How a call of `advance` ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Advance {
    /// Why it stopped.
    pub end: StopReason,
    /// The time reached: the present one.
    pub time: Time,
    /// How many events there were. A group of impacts is one, also one of which no contact pushed, so that there is
    /// no record of it.
    pub events: u64,
}

/// Why a call of `advance` stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum StopReason {
    /// The time asked for has come; events at it have happened.
    Reached,
    /// The budget of events is used up; the time is that of the last one. Calling again goes on.
    OutOfBudget,
    /// The next event cannot happen: infinite masses close in on something. Only an edit helps. With a restitution
    /// near 1 what is between them bounces ever faster before it is crushed, and the budget may end the call first.
    /// So it is for discs that grow where there is no room left.
    Crushed,
    /// Radii have grown to where one is larger than 10¹⁵, or two would touch more than 0.49 periods apart. The time is that at
    /// which they have. Only an edit helps: see [`World::set_growth`].
    Outgrown,
}

/// What will happen next, if nothing is edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Upcoming {
    /// When.
    pub time: Time,
    /// What, and who.
    pub kind: UpcomingKind,
}

/// What will happen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpcomingKind {
    /// Two discs meet.
    Discs(DiscId, DiscId),
    /// A disc meets part of a wall.
    Wall(DiscId, WallId, u32),
    /// The motion of a disc changes its law by itself.
    Change(DiscId),
}

impl<P: Physics, S: Scheduler> World<P, S> {
    /// Advances by `dt` seconds, events at the very end included. Always comes back: see [`End`].
    ///
    /// # Errors
    /// If `dt` is negative or not finite, or the time would be beyond the clock's horizon.
    pub fn advance(&mut self, dt: f64) -> Result<Advance, Error> {
        let until = self.after(dt)?;
        Ok(self.advance_until(until))
    }

    /// As [`World::advance`], with the events going into `sink` as they happen.
    ///
    /// # Errors
    /// As [`World::advance`].
    pub fn advance_with(&mut self, dt: f64, sink: &mut impl Sink<P>) -> Result<Advance, Error> {
        let until = self.after(dt)?;
        self.events.clear();
        Ok(self.run(until, self.settings.budget, sink))
    }

    /// Advances to the time `secs` seconds after the origin, events at it included.
    ///
    /// # Errors
    /// If `secs` is in the past, not finite, or beyond the clock's horizon.
    pub fn advance_to(&mut self, secs: f64) -> Result<Advance, Error> {
        let until = self.at(secs)?;
        Ok(self.advance_until(until))
    }

    /// As [`World::advance_to`], with the events going into `sink` as they happen.
    ///
    /// # Errors
    /// As [`World::advance_to`].
    pub fn advance_to_with(&mut self, secs: f64, sink: &mut impl Sink<P>) -> Result<Advance, Error> {
        let until = self.at(secs)?;
        self.events.clear();
        Ok(self.run(until, self.settings.budget, sink))
    }

    /// Advances to an exact time, of this world's clock, events at it included.
    ///
    /// # Errors
    /// If `time` is in the past, never, or of a clock with another epoch.
    pub fn advance_to_time(&mut self, time: Time) -> Result<Advance, Error> {
        let value = time.as_secs();
        let Some(time) = self.clock.from_parts(time.epoch_start(), time.offset()) else {
            return Err(Error::Inconsistent {
                field: "time",
                value,
                reason: "it is none of this world's clock",
            });
        };
        if time < self.now {
            return Err(Error::Inconsistent { field: "time", value, reason: "it is in the past" });
        }
        Ok(self.advance_until(time))
    }

    /// Advances to the next event, resolves it, and goes no further. If there is none, nothing happens, and the
    /// result says `Reached` with 0 events; it says `OutOfBudget` with 1 if there is another event at the same time.
    pub fn step_event(&mut self) -> Advance {
        self.reschedule();
        let until = self.next_in_sight().map_or(self.now, |next| next.time);
        self.recorded(|world, sink| match sink {
            Some(events) => world.run(until, 1, events),
            None => world.run(until, 1, &mut Nothing),
        })
    }

    /// The next event, without moving. Brings the schedule up to date, nothing else: O(1) after `advance`, and
    /// O(N²) pair times at most where nothing is near. "None" is remembered until an edit.
    pub fn next_event(&mut self) -> Option<Upcoming> {
        self.reschedule();
        let next = self.next_in_sight()?;
        let a = self.bodies.id(next.a);
        let kind = match next.kind {
            _ if next.a != next.b => UpcomingKind::Discs(a, self.bodies.id(next.b)),
            Kind::MotionChange => UpcomingKind::Change(a),
            _ => {
                let facet = &self.walls.facets[next.tag as usize];
                UpcomingKind::Wall(a, self.walls.id(facet.wall), facet.part)
            }
        };
        Some(Upcoming { time: next.time, kind })
    }

    fn after(&self, dt: f64) -> Result<Time, Error> {
        check::not_negative("dt", dt)?;
        self.within_horizon("dt", dt, self.clock.after(self.now, dt))
    }

    fn at(&self, secs: f64) -> Result<Time, Error> {
        check::not_negative("time", secs)?;
        let until = self.within_horizon("time", secs, self.clock.at(secs))?;
        // The present in seconds is rounded, and may be a little less than the present.
        if secs == self.now.as_secs() {
            return Ok(self.now);
        }
        if until < self.now {
            return Err(Error::Inconsistent { field: "time", value: secs, reason: "it is in the past" });
        }
        Ok(until)
    }

    fn within_horizon(&self, field: &'static str, value: f64, time: Time) -> Result<Time, Error> {
        if time.is_never() {
            let reason = "the time would be beyond the clock's horizon of 2^51 epochs";
            return Err(Error::Inconsistent { field, value, reason });
        }
        Ok(time)
    }

    fn advance_until(&mut self, until: Time) -> Advance {
        let budget = self.settings.budget;
        self.recorded(|world, sink| match sink {
            Some(events) => world.run(until, budget, events),
            None => world.run(until, budget, &mut Nothing),
        })
    }

    /// Runs something with the list of events, cleared, if events are recorded.
    fn recorded(
        &mut self,
        run: impl FnOnce(&mut Self, Option<&mut Vec<Event<P::Change>>>) -> Advance,
    ) -> Advance {
        let mut events = core::mem::take(&mut self.events);
        events.clear();
        let result = run(self, self.settings.record_events.then_some(&mut events));
        self.events = events;
        result
    }

    /// The event loop.
    fn run<K: Sink<P>>(&mut self, until: Time, budget: u64, sink: &mut K) -> Advance {
        let limit = self.growth_limit();
        let (until, reached) = if limit < until {
            (limit.latest(self.now), StopReason::Outgrown)
        } else {
            (until, StopReason::Reached)
        };
        let (mut events, mut known) = (0, [NextMeeting::UNKNOWN; 2]);
        let end = loop {
            self.reschedule_with(&known);
            match self.due(until) {
                Some(due) if due.time <= until => {
                    if events == budget {
                        break StopReason::OutOfBudget;
                    }
                    debug_assert!(due.time >= self.now, "{due:?} lies in the past of {:?}", self.now);
                    self.now = due.time;
                    match self.resolve(&due, &mut known, sink) {
                        Ok(()) => events += 1,
                        Err(Crushed) => break StopReason::Crushed,
                    }
                }
                _ => {
                    self.now = until;
                    break reached;
                }
            }
        };
        self.counters.events += events;
        Advance { end, time: self.now, events }
    }
}

use crate::marks::{Mark, Marks};
use carom_engine::{Advance, Error, Event, Moment, Physics, Sink, Smooth, StopReason, Time, Upcoming, World};

/// The most bytes that the copies of the world take, unless it is said.
const DEFAULT_LIMIT: usize = 64 << 20;
/// Events between two copies at first.
const FIRST_INTERVAL: u64 = 64;

/// A world with its past: it goes to any time that it has been at, or on to a later one, and the state
/// there has the same bits whichever way it came.
///
/// Copies of the world are kept, one in so many events; to go somewhere, the latest one before that is
/// taken and runs on. What the copies take is bounded: where they would take more, every second one is
/// dropped, and the interval is doubled, so that going back costs more events and not more memory.
///
/// Edits cut the future off, and are part of the past: the world after an edit is kept for as long as
/// there is room, and going back to before it and forth again goes through it. Where the edits alone do
/// not fit, the oldest part of the past is forgotten, and [`Timeline::start`] is later.
///
/// ```
/// use carom_engine::{Disc, Error, Wall, World};
/// use carom_timeline::Timeline;
///
/// let mut world = World::new();
/// world.add_wall(Wall::container([0.0, 0.0], [16.0, 9.0]))?;
/// let ball = world.insert(Disc::new([8.0, 4.5], 0.5).with_velocity([5.0, 3.0]))?;
/// let mut timeline = Timeline::new(world);
/// timeline.go_to(20.0)?;
/// let there = timeline.world().clone();
/// timeline.go_to(3.0)?;
/// timeline.go_to(20.0)?;
/// assert!(timeline.world().diff(&there).is_none());
///
/// timeline.go_to(3.0)?;
/// timeline.edit(|world| world.set_velocity(ball, [0.0, 0.0]))?;
/// assert_eq!(timeline.end().as_secs(), 3.0);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Timeline<P: Physics = Smooth> {
    world: World<P>,
    marks: Marks<P>,
    /// How far it has been since the last edit.
    end: Reached,
}

/// A place in a timeline: both numbers only grow.
#[derive(Clone, Copy, Debug)]
struct Reached {
    events: u64,
    time: Time,
}

impl<P: Physics> Timeline<P> {
    /// From the present of a world on, with copies of up to 64 MiB.
    #[must_use]
    pub fn new(world: World<P>) -> Self {
        Self::with_limit(world, DEFAULT_LIMIT)
    }

    /// From the present of a world on, with copies of up to this many bytes, by [`World::bytes`]. One copy is
    /// kept in any case.
    #[must_use]
    pub fn with_limit(world: World<P>, bytes: usize) -> Self {
        let end = reached(&world);
        let mut marks = Marks::new(bytes, FIRST_INTERVAL);
        marks.keep(&world, true);
        Timeline { world, marks, end }
    }

    /// The world at the present time.
    #[must_use]
    pub fn world(&self) -> &World<P> {
        &self.world
    }

    /// The world, without its past.
    #[must_use]
    pub fn into_world(self) -> World<P> {
        self.world
    }

    /// The earliest time to which it can go back.
    #[must_use]
    pub fn start(&self) -> Time {
        self.marks.list.first().map_or(self.world.now(), |mark| mark.world.now())
    }

    /// The latest time at which it has been since the last edit.
    #[must_use]
    pub fn end(&self) -> Time {
        self.end.time
    }

    /// How many events there have been up to the present: the number of the last one, counted from 1 as
    /// [`Counters::events`](carom_engine::Counters::events) does.
    #[must_use]
    pub fn event(&self) -> u64 {
        self.world.counters().events
    }

    /// The number of the event after which [`Timeline::start`] is.
    #[must_use]
    pub fn first_event(&self) -> u64 {
        self.marks.list.first().map_or(self.event(), Mark::events)
    }

    /// The number of the last event up to [`Timeline::end`].
    #[must_use]
    pub fn last_event(&self) -> u64 {
        self.end.events
    }

    /// How many bytes the copies take, by [`World::bytes`].
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.marks.bytes
    }

    /// How many copies there are.
    #[must_use]
    pub fn copies(&self) -> usize {
        self.marks.list.len()
    }

    /// How many events there are between two copies; it doubles as memory is used up.
    #[must_use]
    pub fn interval(&self) -> u64 {
        self.marks.interval
    }

    /// Goes to a time, events at it included: back, or on through the edits that it has had, or beyond its
    /// end as [`World::advance_to`] does. [`World::events`] has the events of the way that was run,
    /// which begins at a copy of the world, and not those of the way back.
    ///
    /// It ends before that time where `advance_to` would: the budget is that of one call.
    ///
    /// # Errors
    /// If the time is before [`Timeline::start`], or none of the world's clock. The timeline is as it was.
    pub fn go_to(&mut self, time: impl Into<Moment>) -> Result<Advance, Error> {
        let until = self.turn_back(time.into())?;
        if !self.world.settings().record_events {
            return self.run_to(until, &mut |_: &Event<P::Change>| {});
        }
        // The parts of the way record into one list.
        let mut events = Vec::new();
        self.world.swap_events(&mut events);
        events.clear();
        let advance = self.run_to(until, &mut events);
        self.world.swap_events(&mut events);
        advance
    }

    /// As [`Timeline::go_to`], with the events of the way that is run going into `sink` as they happen, and
    /// none into [`World::events`]. If the sink stops the run, it ends there, and calling again goes on.
    ///
    /// # Errors
    /// As [`Timeline::go_to`].
    pub fn go_to_with(&mut self, time: impl Into<Moment>, sink: &mut impl Sink<P>) -> Result<Advance, Error> {
        let until = self.turn_back(time.into())?;
        self.run_to(until, sink)
    }

    /// Goes to the latest copy before a time, if that is nearer than the present.
    fn turn_back(&mut self, moment: Moment) -> Result<Time, Error> {
        let until = self.world.time_at(moment)?;
        if until < self.start() {
            let reason = "it is before the start of the timeline";
            return Err(Error::Inconsistent { field: "time", value: until.as_secs(), reason });
        }
        if let Some(mark) = self.marks.latest(|mark| mark.world.now() <= until) {
            let is_ahead = mark.is_after(&self.world);
            if until < self.world.now() || is_ahead {
                self.world.clone_from(&mark.world);
            }
        }
        Ok(until)
    }

    /// Goes on by `dt` seconds from the present, as [`Timeline::go_to`].
    ///
    /// # Errors
    /// If `dt` is negative or not finite, or the time would be beyond the clock's horizon.
    pub fn advance(&mut self, dt: f64) -> Result<Advance, Error> {
        let until = self.world.after(dt)?;
        self.go_to(until)
    }

    /// As [`Timeline::advance`], with the events going into `sink`: see [`Timeline::go_to_with`].
    ///
    /// # Errors
    /// As [`Timeline::advance`].
    pub fn advance_with(&mut self, dt: f64, sink: &mut impl Sink<P>) -> Result<Advance, Error> {
        let until = self.world.after(dt)?;
        self.go_to_with(until, sink)
    }

    /// Goes to just after an event, by its number: [`World::events`] has what is known of it, and events
    /// of the same instant that come after it have not happened. Where there are fewer events, it ends
    /// after the last one. Beyond [`Timeline::last_event`] it runs on, by the budget of one call.
    ///
    /// # Errors
    /// If that event is before [`Timeline::start`].
    pub fn go_to_event(&mut self, number: u64) -> Result<Advance, Error> {
        if number < self.first_event() {
            let reason = "that event is before the start of the timeline";
            return Err(Error::Inconsistent { field: "number", value: number as f64, reason });
        }
        Ok(self.go_to_number(number))
    }

    /// Goes to just after an event; to the start, if it is before that.
    fn go_to_number(&mut self, number: u64) -> Advance {
        // The event itself is run, so that it is among the events of the world.
        let before = number.saturating_sub(1).max(self.first_event());
        if let Some(mark) = self.marks.latest(|mark| mark.events() <= before) {
            let is_ahead = mark.is_after(&self.world);
            if number <= self.event() || is_ahead {
                self.world.clone_from(&mark.world);
            }
        }
        let mut done = Advance::nothing(self.world.now());
        while self.event() < number {
            if done.events >= self.world.settings().budget {
                done.end = StopReason::OutOfBudget;
                break;
            }
            let step = self.world.step_event();
            (done.end, done.time) = (step.end, step.time);
            if step.events == 0 {
                break;
            }
            done.events += step.events;
            self.note();
        }
        done
    }

    /// The next event of the world as it is now, as [`World::next_event`]; of an edit that may be before
    /// it in a future that has been visited it does not know.
    pub fn next_event(&mut self) -> Option<Upcoming> {
        self.world.next_event()
    }

    /// Goes on to the next event, as [`World::step_event`], through the edits that there have been.
    pub fn step(&mut self) -> Advance {
        self.go_to_number(self.event() + 1)
    }

    /// Goes back to just after the event before the last one; to the start, if there is none before
    /// that. If time has passed since the last event, back to that.
    pub fn step_back(&mut self) -> Advance {
        let (now, number) = (self.world.now(), self.event());
        let there = self.go_to_number(number);
        if self.world.now() < now || number <= self.first_event() {
            return there;
        }
        self.go_to_number(number - 1)
    }

    /// Edits the world at the present, and forgets the future. If the edit fails, nothing has been
    /// edited, also where it is one of several in `edit`.
    ///
    /// An edit that overwrites the world with a copy of an earlier one (`World::clone_from`) undoes what
    /// has happened since then.
    ///
    /// Costs a copy of the world, and another one where the timeline keeps it.
    ///
    /// # Errors
    /// Those of `edit`.
    pub fn edit<R, E>(&mut self, edit: impl FnOnce(&mut World<P>) -> Result<R, E>) -> Result<R, E> {
        let before = self.marks.spare(&self.world);
        let done = edit(&mut self.world);
        if done.is_err() {
            self.world.clone_from(&before);
        } else {
            self.marks.cut(&self.world);
            self.marks.keep(&self.world, true);
            self.end = reached(&self.world);
        }
        self.marks.put_back(before);
        done
    }

    fn run_to(&mut self, until: Time, sink: &mut impl Sink<P>) -> Result<Advance, Error> {
        let budget = self.world.settings().budget;
        let (mut left, mut events) = (budget, 0);
        loop {
            self.world.set_budget(self.marks.to_next(self.event()).min(left));
            let done = self.world.advance_to_with(until, sink);
            self.world.set_budget(budget);
            let mut done = done?;
            events += done.events;
            left = left.saturating_sub(done.events.max(1));
            self.note();
            if done.end != StopReason::OutOfBudget || left == 0 {
                done.events = events;
                return Ok(done);
            }
        }
    }

    /// Keeps a copy if one is due, and says how far it has been.
    fn note(&mut self) {
        let here = reached(&self.world);
        if here.events >= self.end.events && self.marks.is_due(here.events) {
            self.marks.keep(&self.world, false);
        }
        self.end.events = self.end.events.max(here.events);
        self.end.time = self.end.time.latest(here.time);
    }
}

fn reached<P: Physics>(world: &World<P>) -> Reached {
    Reached { events: world.counters().events, time: world.now() }
}

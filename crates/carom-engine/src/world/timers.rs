use crate::error::check;
use crate::judge::Command;
use crate::sink::{Sink, Watched};
use crate::state::timers::Timer;
use crate::{Advance, Error, Event, Moment, Physics, StopReason, TimerId, World};
use carom_math::Time;

/// Events and commands at times that the caller sets.
///
/// At one time they come after all impacts, in the order in which they were set. Each counts as one event in
/// the budget of `advance`. They are part of a snapshot.
impl<P: Physics> World<P> {
    /// Sets a timer, so many seconds from the present on: an [`Event::Timer`] with a note. O(log n).
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Event, World};
    ///
    /// let mut world = World::new();
    /// world.set_timer(0.25, 7)?;
    /// let bell = world.set_timer(0.75, 8)?;
    /// assert!(world.cancel_timer(bell));
    /// world.advance(1.0)?;
    /// let [Event::Timer { time, note, .. }] = world.events() else { panic!("there is one") };
    /// assert_eq!((time.as_secs(), *note), (0.25, 7));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the time is negative, not finite, or beyond the clock's horizon.
    pub fn set_timer(&mut self, seconds: f64, note: u64) -> Result<TimerId, Error> {
        let time = self.after(seconds)?;
        Ok(self.store.add_timer(time, Timer::Note(note)))
    }

    /// As [`World::set_timer`], at a time.
    ///
    /// # Errors
    /// As [`World::advance_to`].
    pub fn set_timer_at(&mut self, time: impl Into<Moment>, note: u64) -> Result<TimerId, Error> {
        let time = self.store.at(time.into())?;
        Ok(self.store.add_timer(time, Timer::Note(note)))
    }

    /// Has a command carried out at a time: input that carries its own time, a fuse, a wave of opponents. It
    /// is checked then; one that is refused is an [`Event::Refused`].
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Command, DVec2, Disc, World};
    ///
    /// let mut world = World::new();
    /// let puck = world.insert(Disc::new([0.0, 0.0], 0.5))?;
    /// world.command_at(0.3, Command::SetVelocity(puck, DVec2::X))?;
    /// for _frame in 0..64 {
    ///     world.advance(1.0 / 64.0)?;
    /// }
    /// // It has moved from 0.3 s on, wherever frames end.
    /// assert!((world.get(puck).map_or(0.0, |puck| puck.position().x) - 0.7).abs() < 1e-15);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`World::advance_to`].
    pub fn command_at(
        &mut self,
        time: impl Into<Moment>,
        command: Command<P::Body, P::Extra>,
    ) -> Result<TimerId, Error> {
        let time = self.store.at(time.into())?;
        Ok(self.store.add_timer(time, Timer::Command(command)))
    }

    /// Cancels a timer. False if it is over, or has been cancelled. O(n) in the number of timers.
    pub fn cancel_timer(&mut self, timer: TimerId) -> bool {
        self.store.edited();
        self.store.timers.remove_number(timer.0)
    }

    /// The timers that are set, with their times, in the order in which they come.
    pub fn timers(&self) -> impl Iterator<Item = (TimerId, Time)> + '_ {
        let own = self.store.timers.iter().filter(|(.., timer)| timer.is_of_caller());
        own.map(|(time, number, _)| (TimerId(number), time))
    }

    /// Advances to a time, from timer to timer.
    pub(super) fn run_with_timers<K: Sink<P>>(
        &mut self,
        wanted: Time,
        budget: &mut u64,
        sink: &mut K,
    ) -> Advance {
        let mut events = 0;
        loop {
            let next = self.store.timers.first().filter(|&(time, _)| time <= wanted);
            let until = next.map_or(wanted, |(time, _)| time);
            let done = self.run_between_timers(until, budget, sink);
            events += done.events;
            let mut end = done.end;
            let is_due = self.store.timers.first().is_some_and(|(time, _)| time <= self.now());
            if end == StopReason::Reached && is_due {
                if *budget == 0 {
                    return Advance { end: StopReason::OutOfBudget, time: self.now(), events };
                }
                events += 1;
                *budget -= 1;
                if self.fire_timer(&mut Watched::new(sink)) {
                    continue;
                }
                end = StopReason::Stopped;
            }
            if end != StopReason::Reached || done.time >= wanted {
                return Advance { end, time: self.now(), events };
            }
        }
    }

    /// Does what the first timer is for. Returns whether the call goes on.
    fn fire_timer<K: Sink<P>>(&mut self, sink: &mut Watched<'_, K>) -> bool {
        let Some((_, number, timer)) = self.store.timers.take_first() else { return true };
        self.store.counters.events += 1;
        self.store.edited();
        match timer {
            Timer::Note(note) if K::ACTIVE => {
                let event = Event::Timer { time: self.now(), timer: TimerId(number), note };
                _ = Sink::<P>::event(sink, &event);
            }
            Timer::Note(_) => {}
            Timer::Arrival(disc) => self.arrive(disc, sink),
            Timer::Turned(wall) | Timer::Moved(wall) => self.wall_arrives(wall, sink),
            Timer::Command(command) => self.carry_out_command(&command, sink),
        }
        !sink.is_stopped
    }
}

/// Slow motion, fast motion and pause.
impl<P: Physics> World<P> {
    /// Changes [`Settings::time_scale`](crate::Settings::time_scale): how many seconds of the world pass in
    /// a second of [`World::advance`], [`World::advance_with`] and [`World::advance_until_event`]. 0 is a
    /// pause: these do what is still due at the present. The product with `dt` is rounded once.
    ///
    /// All other times are those of the world: [`World::now`], timers, commands, moves, events, forecasts,
    /// and [`World::advance_to`], which goes there whatever the scale. No velocity is changed, and no bit of
    /// what happens at a time of the world depends on the scale.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, World};
    ///
    /// let mut world = World::new();
    /// let ball = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([4.0, 0.0]))?;
    /// world.set_timer(1.0, 7)?;
    /// world.set_time_scale(0.25)?;
    /// world.advance(2.0)?;
    /// assert_eq!(world.get(ball).map(|ball| ball.position().x), Some(2.0));
    /// assert_eq!((world.now().as_secs(), world.events().len()), (0.5, 0));
    /// world.set_time_scale(0.0)?;
    /// assert_eq!(world.advance(60.0)?.time.as_secs(), 0.5);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If it is not a number from 0 to 10¹⁵.
    pub fn set_time_scale(&mut self, time_scale: f64) -> Result<(), Error> {
        check::coefficient("time_scale", time_scale)?;
        self.store.settings.time_scale = time_scale;
        Ok(())
    }
}

/// Times of a world's clock.
impl<P: Physics> World<P> {
    /// The time `dt` seconds from now, whatever the [scale of time](World::set_time_scale) is.
    ///
    /// # Errors
    /// If `dt` is negative or not finite, or the time would be beyond the clock's horizon.
    pub fn after(&self, dt: f64) -> Result<Time, Error> {
        self.store.after(dt)
    }

    /// A time of this world's clock, past or not: so many seconds after the origin, or an exact one.
    ///
    /// # Errors
    /// If it is not finite, never, beyond the clock's horizon, or of a clock with another epoch.
    pub fn time_at(&self, time: impl Into<Moment>) -> Result<Time, Error> {
        self.store.time_at(time)
    }
}

use crate::apply;
use crate::edit::Change;
use crate::error::check;
use crate::judge::Command;
use crate::physics::check_command;
use crate::sink::{Sink, Watched};
use crate::state::movers::Journey;
use crate::state::timers::Timer;
use crate::store::Onward;
use crate::{DiscId, DiscRef, Error, Event, Moment, Physics, TimerId, World};
use carom_math::{Time, sqrt};
use glam::DVec2;

/// # Timers and commands
/// At one time they come after all impacts, in the order in which they were set. Each counts as one event in
/// the budget of `advance`. They are part of a snapshot.
impl<P: Physics> World<P> {
    /// Sets a timer that ends `seconds` from now: an [`Event::Timer`] with a note. O(log n).
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
        Ok(apply::time::add_timer(&mut self.store, time, Timer::Note(note)))
    }

    /// As [`World::set_timer`], at a time.
    ///
    /// # Errors
    /// As [`World::advance_to`].
    pub fn set_timer_at(&mut self, time: impl Into<Moment>, note: u64) -> Result<TimerId, Error> {
        let time = self.store.at(time.into())?;
        Ok(apply::time::add_timer(&mut self.store, time, Timer::Note(note)))
    }

    /// Has a command carried out at a time: input that carries its own time, a fuse, a wave of opponents. Its
    /// numbers are checked at once, and all else then; one that is refused then is an [`Event::Refused`].
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
    /// As [`World::advance_to`], and for a number that is out of range whatever the world is like then.
    pub fn command_at(
        &mut self,
        time: impl Into<Moment>,
        command: Command<P::Body, P::Extra>,
    ) -> Result<TimerId, Error> {
        let time = self.store.at(time.into())?;
        check_command(&self.store.physics, &command)?;
        Ok(apply::time::add_timer(&mut self.store, time, Timer::Command(command)))
    }

    /// Cancels a timer. False if it is over, or has been cancelled. O(n) in the number of timers.
    pub fn cancel_timer(&mut self, timer: TimerId) -> bool {
        apply::time::cancel_timer(&mut self.store, timer)
    }

    /// The timers that are set, with their times, in the order in which they come.
    pub fn timers(&self) -> impl Iterator<Item = (TimerId, Time)> + '_ {
        let own = self.store.timers.iter().filter(|(.., timer)| timer.is_of_caller());
        own.map(|(time, number, _)| (TimerId(number), time))
    }
}

/// # Slow motion, fast motion and pause
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
        apply::all::change_settings(self.store.common(), |settings| settings.time_scale = time_scale);
        Ok(())
    }
}

/// # Times of the world's clock
impl<P: Physics> World<P> {
    /// The time `dt` seconds from now, whatever the [scale of time](World::set_time_scale) is.
    ///
    /// # Errors
    /// If `dt` is negative or not finite, or the time would be beyond the clock's horizon.
    pub fn after(&self, dt: f64) -> Result<Time, Error> {
        self.store.after(dt)
    }

    /// A time of this world's clock, past or not: in seconds from the origin, or an exact one.
    ///
    /// # Errors
    /// If it is not finite, never, beyond the clock's horizon, or of a clock with another epoch.
    pub fn time_at(&self, time: impl Into<Moment>) -> Result<Time, Error> {
        self.store.time_at(time)
    }
}

/// # Sending kinematic discs somewhere
/// Mallets, platforms and other bodies go where the caller sends them.
impl<P: Physics> World<P> {
    /// Sends a [kinematic](crate::Disc::kinematic) disc to a place, where it arrives after `seconds`.
    /// [`World::move_to_until`] takes the time of arrival instead. The seconds are those of the world,
    /// whatever the [scale of time](World::set_time_scale) is.
    ///
    /// It goes in a straight line at a constant speed, arrives at `target` to the last bit, and stands still
    /// from then on. Returns the time of arrival, which is later if the disc has a [largest
    /// speed](crate::Disc::with_max_speed). In a periodic world it takes the shortest way, and is at the
    /// image of `target` in the rectangle. O(log n) in the number of timers and kinematic discs, and one
    /// event of the budget on arrival, of which nothing is reported.
    ///
    /// A new call, or an edit of its place or velocity, ends the journey; a call that
    /// [continues](World#frames) it changes its end alone. Where bodies that it cannot push away stop it, and
    /// the [rule](crate::CrushRule) lets it give way, it goes on once they are gone; at the time of arrival
    /// it goes the rest of the way at the same speed, and arrives later. If it stands at that time then it
    /// stays, with [`Event::MoveBlocked`].
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{DVec2, Disc, World};
    ///
    /// let mut world = World::new();
    /// let mallet = world.insert(Disc::new([0.0, 0.0], 0.5).kinematic())?;
    /// let puck = world.insert(Disc::new([2.0, 0.0], 0.5))?;
    /// world.move_to(mallet, [1.3, 0.0], 0.1)?;
    /// world.advance(0.2)?;
    /// // It hits at 13 m/s, 1/13 s from now; the puck leaves at twice that.
    /// assert_eq!(world.get(mallet).map(|disc| disc.position()), Some(DVec2::new(1.3, 0.0)));
    /// assert_eq!(world.get(puck).map(|disc| disc.velocity()), Some(DVec2::new(26.0, 0.0)));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the disc is gone, is not kinematic, or is off the plane; if a coordinate of the target is out of
    /// range; if the seconds are not positive, not finite, or beyond the clock's horizon, or so few that the
    /// speed would be out of range.
    pub fn move_to(&mut self, id: DiscId, target: impl Into<DVec2>, seconds: f64) -> Result<Time, Error> {
        let until = self.after(seconds)?;
        self.move_to_until(id, target, until)
    }

    /// As [`World::move_to`], with the time of arrival: in seconds from the origin, or an exact [`Time`] of
    /// this world's clock.
    ///
    /// # Errors
    /// As [`World::move_to`]; if `until` is not after the present.
    pub fn move_to_until(
        &mut self,
        id: DiscId,
        target: impl Into<DVec2>,
        until: impl Into<Moment>,
    ) -> Result<Time, Error> {
        let (slot, target) = (self.store.bodies.slot(id)?, target.into());
        let Some(mover) = self.store.bodies.movers.get(slot) else {
            return Err(Error::CannotMove { disc: id, reason: "it is not kinematic" });
        };
        let max_speed = mover.max_speed;
        if self.store.bodies.off.contains(slot) {
            return Err(Error::CannotMove { disc: id, reason: "it is off the plane" });
        }
        check::point(["target.x", "target.y"], target)?;
        let time = self.store.time_to_move(until.into())?;
        let way = self.store.way_to(slot, target);
        let (velocity, arrival) = self.store.course(way, time, max_speed)?;
        match self.store.journey_on(slot, target, arrival) {
            Some(Onward::AsItGoes) => apply::mover::go_on(&mut self.store, id, target, arrival, None),
            Some(Onward::Aimed(velocity)) => {
                apply::mover::go_on(&mut self.store, id, target, arrival, Some(velocity));
                self.placed(slot);
            }
            None => self.set_off(id, target, velocity, arrival)?,
        }
        Ok(arrival)
    }

    /// Gives a disc the velocity for a journey, and notes that.
    fn set_off(&mut self, id: DiscId, target: DVec2, velocity: DVec2, arrival: Time) -> Result<(), Error> {
        self.set_velocity(id, velocity)?;
        apply::mover::set_off(&mut self.store, id, target, velocity, arrival);
        Ok(())
    }

    /// The time of arrival of a disc has come. It is at its target, and stops as time goes on; or it is late,
    /// and goes the rest of its way as fast as before, or stays if it stands.
    pub(super) fn arrive<K: Sink<P>>(&mut self, id: DiscId, timer: (Time, u64), sink: &mut Watched<'_, K>) {
        let Ok(slot) = self.store.bodies.slot(id) else { return };
        let journey = self.store.bodies.movers.get(slot).and_then(|mover| mover.journey);
        let Some(Journey { target, velocity, is_late, .. }) = journey else { return };
        let way = self.store.way_to(slot, target);
        if !is_late || way == DVec2::ZERO {
            return apply::mover::arrive(&mut self.store, id, timer);
        }
        apply::mover::take_journey(self.store.common(), slot);
        let bodies = &self.store.bodies;
        if !bodies.contacts.is_blocked(slot) && bodies.record(slot).velocity() != DVec2::ZERO {
            let seconds = sqrt(way.length_squared() / velocity.length_squared());
            let arrival = self.store.clock.after(self.store.now, seconds);
            if !arrival.is_never() && self.set_off(id, target, way / seconds, arrival).is_ok() {
                return;
            }
        }
        self.change(slot, Change::Deflected(DVec2::ZERO));
        if K::ACTIVE {
            let position = DiscRef { store: &self.store, slot }.position();
            _ = sink.event(&Event::MoveBlocked { time: self.now(), disc: id, position, target });
        }
    }
}

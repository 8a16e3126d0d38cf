use crate::{DiscId, Error, Moment, Physics, State, World};

impl<P: Physics> World<P> {
    /// The state of a disc at a time from its last event up to the world's next one: without moving, with
    /// the bits that it would have if the world were advanced to there. At the time of the next event, that
    /// before it.
    ///
    /// Brings the schedule up to date, as [`World::next_event`]; O(1) after that. What lies beyond the next
    /// event a [`Forecast`](crate::Forecast) knows.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{DVec2, Disc, Wall, World};
    ///
    /// let mut world = World::new();
    /// world.add_wall(Wall::half_plane([0.0, 0.0], [1.0, 0.0]))?;
    /// let ball = world.insert(Disc::new([2.0, 0.0], 0.5).with_velocity([-1.0, 0.0]))?;
    /// world.advance(0.5)?;
    /// assert_eq!(world.state_at(ball, 0.25)?.position, DVec2::new(1.75, 0.0));
    /// assert_eq!(world.state_at(ball, 1.25)?.position, DVec2::new(0.75, 0.0));
    /// // It hits the wall before.
    /// assert!(world.state_at(ball, 2.0).is_err());
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the disc is gone; if the time is not finite, of a clock with another epoch, before the disc's last
    /// event or edit, or after the next event of any disc.
    pub fn state_at(&mut self, id: DiscId, time: impl Into<Moment>) -> Result<State<P::Extra>, Error> {
        let time = self.time_at(time)?;
        self.reschedule();
        let slot = self.store.bodies.slot(id)?;
        let refused = |reason| Error::Inconsistent { field: "time", value: time.as_secs(), reason };
        if time < self.disc_ref(slot).state_time() {
            return Err(refused("it is before the disc's last event or edit"));
        }
        let mut then = self.store.now;
        if time != self.now() {
            then = self.drag().map_or(time, |drag| drag.pacing.slow_time(time));
        }
        if time > self.now() {
            if let Some(next) = self.next_in_sight_of(time) {
                if self.time_of_next(next) < time {
                    return Err(refused("it is after the next event"));
                }
                then = then.min(next);
            }
            if time > self.growth_limit() {
                return Err(refused("it is after the end of growth"));
            }
            then = then.latest(self.store.now);
        }
        let then = then.latest(self.store.bodies.time(slot));
        let motion = self.store.bodies.wrapped_motion_at(slot, then);
        let age = then.since(self.store.bodies.time(slot));
        let extra =
            self.store.physics.evolve(&self.store.bodies.body(slot), &self.store.bodies.state(slot), age);
        let pace = self.drag().map_or(1.0, |drag| drag.pacing.pace(then, time));
        Ok(State { position: motion.position, velocity: pace * motion.velocity, extra })
    }
}

use crate::error::check;
use crate::{Error, Physics, World};

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

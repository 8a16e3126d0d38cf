use crate::{Physics, World};

impl<P: Physics> World<P> {
    /// A number that becomes a larger one with every edit, with every event, and where `clone_from`
    /// overwrites the world; by how much does not mean anything. Time that passes without an event leaves it
    /// as it is.
    ///
    /// For what is derived from the world and kept, such as a drawing: see also
    /// [`Forecast::is_current`](crate::Forecast::is_current). It begins anew in a world that is loaded.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, World};
    ///
    /// let mut world = World::new();
    /// let ball = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0]))?;
    /// let before = world.edits();
    /// world.advance(1.0)?;
    /// assert_eq!(world.edits(), before);
    /// world.set_velocity(ball, [0.0, 1.0])?;
    /// assert!(world.edits() > before);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn edits(&self) -> u64 {
        self.store.edition.edits()
    }
}

use crate::{Physics, World};

carom_broadphase::clone_fields!(
    /// A clone goes on with the same bits. Cost: that of copying the discs and the schedule; walls are shared
    /// until either world edits them. `clone_from` keeps the memory of the world that it overwrites, and
    /// allocates nothing where that has as much of it as is needed: for worlds that are tried out and thrown
    /// away.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, World};
    ///
    /// let mut world = World::new();
    /// let cue = world.insert(Disc::new([0.0, 0.0], 0.5))?;
    /// world.insert(Disc::new([5.0, 1.0], 0.5))?;
    /// let mut trial = world.clone();
    /// let mut hits = 0;
    /// for turn in 1..=16 {
    ///     trial.clone_from(&world);
    ///     trial.set_velocity(cue, [4.0, 0.1 * f64::from(turn)])?;
    ///     hits += trial.advance(2.0)?.events;
    /// }
    /// assert_eq!(hits, 16);
    /// # Ok::<(), carom::Error>(())
    /// ```
    World<P: Physics>:
    physics, settings, clock, now, bodies, walls, scheduler, dirty, solo_marks, unsettled, hold_notes,
    impacts, counters, book, chains, events, positions_now, simd, drag, timers, sensing, edition;
    scratch group, before, after, judging
);

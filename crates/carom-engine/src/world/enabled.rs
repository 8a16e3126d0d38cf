use crate::edit::{rewrite, rewrite_here};
use crate::impact::release::forget_contacts;
use crate::state::off_plane::Off;
use crate::{DiscId, Error, Physics, Rules, State, World};
use glam::DVec2;

/// Discs that are off the plane for a while.
impl<P: Physics> World<P> {
    /// Takes a disc off the plane, or puts it back. O(N) where it is put back.
    ///
    /// Off the plane it keeps its place and handle, stands still, and nothing meets it; queries and regions
    /// leave it out. When it is put back it goes on with the velocity that it had, or was given since. What
    /// it overlaps then it passes through until they have parted, without an impulse.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, World};
    ///
    /// let mut world = World::new();
    /// let ghost = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0]))?;
    /// world.insert(Disc::new([3.0, 0.0], 0.5).with_velocity([-1.0, 0.0]))?;
    /// world.set_enabled(ghost, false)?;
    /// assert_eq!(world.advance(3.0)?.events, 0);
    /// // The other one is over it now.
    /// world.set_enabled(ghost, true)?;
    /// world.advance(3.0)?;
    /// assert_eq!(world.counters().disc_impacts, 0);
    /// assert_eq!(world.get(ghost).map(|ghost| ghost.position().x), Some(3.0));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the disc is gone.
    pub fn set_enabled(&mut self, id: DiscId, is_enabled: bool) -> Result<(), Error> {
        if is_enabled { self.put_back(id) } else { self.take_off(id, false) }
    }

    /// Whether a disc is there and on the plane: see [`World::set_enabled`].
    #[must_use]
    pub fn is_enabled(&self, id: DiscId) -> bool {
        self.store.bodies.slot(id).is_ok_and(|slot| !self.store.bodies.off.contains(slot))
    }

    /// Takes a disc off the plane; of one that is off the plane already it says how it is put back.
    pub(crate) fn take_off(&mut self, id: DiscId, is_captured: bool) -> Result<(), Error> {
        let slot = self.store.bodies.slot(id)?;
        if let Some(off) = self.store.bodies.off.get_mut(slot) {
            off.is_captured = is_captured;
            self.store.edited();
            return Ok(());
        }
        let state = self.store.state_now(slot);
        let velocity =
            if self.store.end_journey(slot) { DVec2::ZERO } else { self.store.pace() * state.velocity };
        // Of a sensor those in force: its own ones are kept elsewhere.
        let off = Off { rules: self.store.bodies.rules.latest(slot), velocity, is_captured };
        self.store.bodies.off.set(slot, off);
        self.store.sense(|sensing, flights| sensing.see_enabled(flights, slot));
        forget_contacts(&mut self.store, slot);
        rewrite_here(&mut self.store, slot, &State { velocity: DVec2::ZERO, ..state });
        self.enforce_disc_rules(slot, Rules::new().with_membership(0).with_mask(0));
        Ok(())
    }

    /// Puts a disc back on the plane, where it is.
    pub(crate) fn put_back(&mut self, id: DiscId) -> Result<(), Error> {
        let slot = self.store.bodies.slot(id)?;
        let Some(off) = self.store.bodies.off.remove(slot) else { return Ok(()) };
        let velocity = self.slowed(off.velocity);
        let state = State { velocity, ..self.store.state_now(slot) };
        rewrite(&mut self.store, slot, &state);
        self.enforce_disc_rules(slot, off.rules);
        self.store.sense(|sensing, flights| sensing.see_enabled(flights, slot));
        Ok(())
    }
}

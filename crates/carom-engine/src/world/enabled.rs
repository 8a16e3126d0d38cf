use crate::predict::with_margin;
use crate::state::contacts::{Passing, PassingWall};
use crate::state::off_plane::Off;
use crate::{DiscId, Error, Physics, Rules, State, World};
use carom_broadphase::{Circle, Slot};
use carom_math::Time;
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
        self.forget_contacts(slot);
        self.rewrite_here(slot, &State { velocity: DVec2::ZERO, ..state });
        self.enforce_disc_rules(slot, Rules::new().with_membership(0).with_mask(0));
        Ok(())
    }

    /// Puts a disc back on the plane, where it is.
    pub(crate) fn put_back(&mut self, id: DiscId) -> Result<(), Error> {
        let slot = self.store.bodies.slot(id)?;
        let Some(off) = self.store.bodies.off.remove(slot) else { return Ok(()) };
        let velocity = self.slowed(off.velocity);
        let state = State { velocity, ..self.store.state_now(slot) };
        self.rewrite(slot, &state);
        self.enforce_disc_rules(slot, off.rules);
        self.store.sense(|sensing, flights| sensing.see_enabled(flights, slot));
        Ok(())
    }

    /// Lets a disc pass through what it overlaps until they have parted: all that it did not collide with
    /// by its former rules, and does now.
    pub(super) fn pass_what_overlaps(&mut self, slot: Slot, before: &Rules) {
        let (since, end) = (self.store.now, Time::NEVER);
        let motion = self.store.bodies.wrapped_motion_at(slot, self.store.now);
        let center = motion.position;
        let circle = Circle { center, radius: with_margin(center, motion.radius) };
        let mut near = core::mem::take(&mut self.store.bodies.contacts.scratch.near);
        self.find_discs_around(circle, &mut near);
        for &through in near.iter().filter(|&&through| through != slot) {
            let is_new = !before.collides_with(&self.store.bodies.rules.get(through))
                && !self.store.bodies.contacts.is_passing(slot, through);
            if is_new && !self.store.bodies.ignore(slot, through) && self.is_overlap(slot, through) {
                let record = Passing { disc: slot, through, since, end, is_judged: true };
                self.store.bodies.contacts.passing.push(record);
                self.store.mark(through);
            }
        }
        self.store.bodies.contacts.scratch.near = near;
        for f in self.store.walls.planes.near(self.store.simd, &circle) {
            let (facet, wall) =
                (&self.store.walls.facets[f as usize], self.store.walls.facets[f as usize].wall);
            let is_new =
                self.store.bodies.meets_wall(slot, &facet.rules) && !facet.rules.collides_with(before);
            let is_known = self.store.bodies.contacts.passes_wall(slot, wall);
            if is_new && !is_known && facet.overlap(&motion, self.store.now).is_some() {
                self.store.bodies.contacts.passing_walls.push(PassingWall { disc: slot, wall, since, end });
            }
        }
        self.store.mark(slot);
    }
}

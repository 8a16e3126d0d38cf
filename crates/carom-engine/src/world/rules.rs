use crate::apply;
use crate::edit::Placing;
use crate::{DiscId, Error, Physics, Rules, Sensor, WallId, World};
use carom_broadphase::Slot;
use smallvec::SmallVec;

/// Changes of what collides with what. A refused one leaves the world as it was.
///
/// New rules come into force where the next call of [`World::advance`] begins, at the same time of the world.
/// So rules that are set and set back before then change nothing. Whoever asks for what comes is told of them
/// as if they were in force.
impl<P: Physics> World<P> {
    /// Sets which others a disc collides with, from the present on. What it overlaps, and begins to collide
    /// with, it passes through until they have parted. O(N), and O(neighbours) with a grid.
    ///
    /// Rules that only leave out more leave the disc's path and its bits alone. If they may add something
    /// its state is rewritten at the present time, as by [`World::set_velocity`] with its own velocity. A
    /// slide along a wall that it no longer collides with ends.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, Rules, World};
    ///
    /// let mut world = World::new();
    /// let ghost = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0]).with_groups(1, 0))?;
    /// world.insert(Disc::new([2.0, 0.0], 0.5))?;
    /// assert_eq!(world.advance(1.5)?.events, 0);
    /// // Inside the other one: it goes on to pass through it, and has parted from it at 3 s.
    /// world.set_rules(ghost, Rules::new())?;
    /// world.advance(2.0)?;
    /// assert_eq!(world.counters().disc_impacts, 0);
    /// world.set_velocity(ghost, [-1.0, 0.0])?;
    /// world.advance(2.0)?;
    /// assert_eq!(world.counters().disc_impacts, 1);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the disc is gone.
    pub fn set_rules(&mut self, id: DiscId, rules: Rules) -> Result<(), Error> {
        let slot = self.store.bodies.slot(id)?;
        if self.store.bodies.sensors.get(slot).sensor != Sensor::No {
            apply::rules::set_sensor_rules(&mut self.store, slot, rules);
        } else if !apply::disc::change_off(&mut self.store, slot, |off| off.rules = rules) {
            apply::rules::edit_disc_rules(&mut self.store, slot, rules);
        }
        Ok(())
    }

    /// Sets which discs a wall collides with, from the present on: a door that opens and closes. Discs that
    /// it overlaps, and begins to collide with, pass until they have parted. Cost as of [`World::add_wall`].
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, Rules, Wall, World};
    ///
    /// let mut world = World::new();
    /// let door = world.add_wall(Wall::segment([2.0, -1.0], [2.0, 1.0]))?;
    /// let disc = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0]))?;
    /// world.set_wall_rules(door, Rules::new().with_mask(0))?;
    /// assert_eq!(world.advance(2.0)?.events, 0);
    /// // The disc is in the door, and gets out of it; the next time it is a wall.
    /// world.set_wall_rules(door, Rules::new())?;
    /// world.advance(2.0)?;
    /// assert_eq!(world.get(disc).map(|disc| disc.position().x), Some(4.0));
    /// world.set_velocity(disc, [-1.0, 0.0])?;
    /// world.advance(2.0)?;
    /// assert_eq!(world.get(disc).map(|disc| disc.velocity().x), Some(1.0));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the wall has been removed.
    pub fn set_wall_rules(&mut self, id: WallId, rules: Rules) -> Result<(), Error> {
        let slot = self.store.walls.slot(id)?;
        let facets = self.store.walls.facets_of(slot).to_vec();
        let mut near = self.discs_near(&facets);
        // Where none is near, any one, so that the schedule is brought up to date.
        let any = if near.is_empty() { self.store.bodies.live().next() } else { None };
        near.extend(any);
        apply::rules::edit_wall_rules(&mut self.store, slot, rules, &near);
        Ok(())
    }

    /// Puts the rules into force that have been set.
    #[cold]
    pub(super) fn enforce_rules(&mut self) {
        apply::rules::put_wall_rules_in_force(&mut self.store);
        while let Some((slot, rules)) = apply::rules::take_edited_disc(&mut self.store) {
            self.enforce_disc_rules(slot, rules);
        }
    }

    pub(super) fn enforce_disc_rules(&mut self, slot: Slot, rules: Rules) {
        let before = self.store.bodies.rules.get(slot);
        apply::rules::put_disc_rules_in_force(&mut self.store, slot, rules);
        if rules.may_add_to(&before) {
            let position = self.store.bodies.wrapped_motion_at(slot, self.store.now).position;
            let circle = Placing::of(&self.store, slot).circle(&self.store, position);
            let near = self.take_discs_around(circle);
            apply::rules::pass_what_overlaps(&mut self.store, slot, &before, &circle, &near);
            self.scratch.near = near;
        }
        // Those whose plans may name it, and those who come to know it.
        let mut neighbours: SmallVec<[Slot; 32]> = SmallVec::new();
        neighbours.extend_from_slice(self.scheduler.neighbours(slot).unwrap_or_default());
        self.placed(slot);
        neighbours.extend_from_slice(self.scheduler.neighbours(slot).unwrap_or_default());
        neighbours.push(slot);
        apply::rules::sense_rules(&mut self.store, slot, &before, &neighbours);
    }
}

/// Pairs of discs that do not collide, whatever their [`Rules`](crate::Rules).
impl<P: Physics> World<P> {
    /// Lets two discs pass through each other from the present on, as if the other were not there. False if
    /// they do already. O(log n) in the number of such pairs.
    ///
    /// For pairs, where a rule would be of all discs of a group: a chain's neighbours, what has been
    /// launched and its launcher. While there are any, plans look at pairs one by one.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, World};
    ///
    /// let mut world = World::new();
    /// let a = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0]))?;
    /// let b = world.insert(Disc::new([3.0, 0.0], 0.5))?;
    /// world.exclude(a, b)?;
    /// world.advance(2.5)?;
    /// // One is within the other: they go on to pass through each other, until they have parted.
    /// world.include(a, b)?;
    /// assert_eq!(world.advance(100.0)?.events, 1);
    /// assert_eq!(world.counters().disc_impacts, 0);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If one of the discs is gone.
    pub fn exclude(&mut self, a: DiscId, b: DiscId) -> Result<bool, Error> {
        let (a, b) = (self.store.bodies.slot(a)?, self.store.bodies.slot(b)?);
        Ok(apply::pair::exclude(&mut self.store, a, b))
    }

    /// Ends what [`World::exclude`] has begun. False if it has not. If the two overlap, they pass through
    /// each other until they have parted, which is an event.
    ///
    /// The state of the first is rewritten at the present time, as by [`World::set_velocity`] with its own
    /// velocity: what the two have passed by is past.
    ///
    /// # Errors
    /// If one of the discs is gone.
    pub fn include(&mut self, a: DiscId, b: DiscId) -> Result<bool, Error> {
        let (a, b) = (self.store.bodies.slot(a)?, self.store.bodies.slot(b)?);
        Ok(apply::pair::include(&mut self.store, a, b))
    }

    /// Whether [`World::exclude`] lets two discs pass through each other. False for discs that are gone.
    #[must_use]
    pub fn is_excluded(&self, a: DiscId, b: DiscId) -> bool {
        match (self.store.bodies.slot(a), self.store.bodies.slot(b)) {
            (Ok(a), Ok(b)) => self.store.bodies.contacts.excluded.contains(a, b),
            _ => false,
        }
    }
}

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
        if apply::disc::change_off(&mut self.store, slot, |off| off.is_captured = is_captured) {
            return Ok(());
        }
        apply::disc::take_off(&mut self.store, slot, is_captured);
        self.enforce_disc_rules(slot, Rules::new().with_membership(0).with_mask(0));
        Ok(())
    }

    /// Puts a disc back on the plane, where it is.
    pub(crate) fn put_back(&mut self, id: DiscId) -> Result<(), Error> {
        let slot = self.store.bodies.slot(id)?;
        let Some(off) = self.store.bodies.off.get(slot).copied() else { return Ok(()) };
        let velocity = self.slowed(off.velocity);
        apply::disc::put_back(&mut self.store, slot, velocity);
        self.enforce_disc_rules(slot, off.rules);
        apply::disc::sense_put_back(&mut self.store, slot);
        Ok(())
    }
}

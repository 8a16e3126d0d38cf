use crate::apply;
use crate::edit::{Change, WallChange};
use crate::state::off_plane::Off;
use crate::{DiscId, DiscRef, Error, Physics, Rules, Sensor, WallId, World};
use glam::DVec2;

/// # What collides with what
/// A refused change leaves the world as it was.
///
/// New rules come into force where the next call of [`World::advance`] begins, at the same time of the world.
/// If the old rules are set again before that, nothing changes. A question about future events is answered by
/// the new rules.
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
            self.change(slot, Change::SensorRules(rules));
        } else if !apply::disc::change_off(self.store.common(), slot, |off| off.rules = rules) {
            self.change(slot, Change::Rules(rules));
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
        self.change_wall(slot, WallChange::Rules(rules));
        if self.store.dirty.is_empty() {
            // Any disc, so that the schedule is brought up to date.
            let any = self.store.bodies.live().next();
            apply::marks::mark(self.store.common(), any);
        }
        Ok(())
    }

    /// Puts the rules into force that have been set.
    #[cold]
    pub(super) fn enforce_rules(&mut self) {
        while let Some((wall, rules)) = apply::wall::take_edited(self.store.common()) {
            let before = self.store.walls.rules_in_force(wall);
            if rules != before {
                self.change_wall(wall, WallChange::InForce { rules, before });
            }
        }
        while let Some((slot, rules)) = apply::disc::take_edited(self.store.common()) {
            self.change(slot, Change::in_force(&self.store.bodies, slot, rules));
        }
    }
}

/// # Pairs that do not collide
/// They do not, whatever their [`Rules`](crate::Rules).
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
        let is_new = a != b && !self.store.bodies.contacts.excluded.contains(a, b);
        if is_new {
            self.change(a, Change::Excluded(b));
        }
        Ok(is_new)
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
        let is_excluded = self.store.bodies.contacts.excluded.contains(a, b);
        if is_excluded {
            self.change(a, Change::Included(b));
        }
        Ok(is_excluded)
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

/// # Discs off the plane
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
        if apply::disc::change_off(self.store.common(), slot, |off| off.is_captured = is_captured) {
            return Ok(());
        }
        let bodies = &self.store.bodies;
        let is_on_way = bodies.movers.get(slot).is_some_and(|mover| mover.journey.is_some());
        let velocity = if is_on_way { DVec2::ZERO } else { DiscRef { store: &self.store, slot }.velocity() };
        // Of a sensor those in force: its own ones are kept elsewhere.
        let off = Off { rules: bodies.rules.latest(slot), velocity, is_captured };
        self.change(slot, Change::TakenOff(off));
        self.change(slot, Change::in_force(&self.store.bodies, slot, Rules::NONE));
        Ok(())
    }

    /// Puts a disc back on the plane, where it is.
    pub(crate) fn put_back(&mut self, id: DiscId) -> Result<(), Error> {
        let slot = self.store.bodies.slot(id)?;
        let Some(off) = self.store.bodies.off.get(slot).copied() else { return Ok(()) };
        let velocity = self.slowed(off.velocity);
        self.change(slot, Change::PutBack(velocity));
        self.change(slot, Change::in_force(&self.store.bodies, slot, off.rules));
        apply::disc::sense_put_back(self.store.common(), slot);
        Ok(())
    }
}

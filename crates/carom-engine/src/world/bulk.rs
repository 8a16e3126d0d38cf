use crate::edit::{Placing, check_among, note_removal};
use crate::error::check;
use crate::impact::plain::edit::{has_plain_states, set_plain_velocity};
use crate::impact::release::forget_contacts;
use crate::{DiscId, DiscRef, Error, Overlap, Physics, World};
use carom_broadphase::Slot;
use glam::DVec2;

/// Edits of many discs at once, and impulses. A refused one leaves the world as it was.
impl<P: Physics> World<P> {
    /// Changes a disc's momentum: its velocity by `impulse / mass`, which is nothing for an infinite mass.
    /// O(1).
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{DVec2, Disc, World};
    ///
    /// let mut world = World::new();
    /// let id = world.insert(Disc::new([0.0, 0.0], 0.5).with_mass(2.0).with_velocity([1.0, 0.0]))?;
    /// world.apply_impulse(id, [0.0, 3.0])?;
    /// assert_eq!(world.get(id).map(|disc| disc.velocity()), Some(DVec2::new(1.0, 1.5)));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the disc is gone or a tracer, which has no mass, or a component of the new velocity is out of
    /// range.
    pub fn apply_impulse(&mut self, id: DiscId, impulse: impl Into<DVec2>) -> Result<(), Error> {
        let slot = self.store.bodies.slot(id)?;
        let mass = self.store.bodies.detail(slot).mass;
        if mass == 0.0 {
            let reason = "a tracer has no mass that an impulse could move";
            return Err(Error::Inconsistent { field: "mass", value: mass, reason });
        }
        self.set_velocity(id, DiscRef { store: &self.store, slot }.velocity() + impulse.into() / mass)
    }

    /// Sets the velocities of several discs: all or, if one is refused, none. Of two for one disc the later
    /// one holds.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{DVec2, Disc, World};
    ///
    /// let mut world = World::new();
    /// let a = world.insert(Disc::new([0.0, 0.0], 0.5))?;
    /// let b = world.insert(Disc::new([3.0, 0.0], 0.5))?;
    /// world.set_velocities(&[(a, DVec2::X), (b, DVec2::NEG_X)])?;
    /// assert_eq!(world.advance(2.0)?.events, 1);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`World::set_velocity`].
    pub fn set_velocities(&mut self, velocities: &[(DiscId, DVec2)]) -> Result<(), Error> {
        for &(id, velocity) in velocities {
            self.store.bodies.slot(id)?;
            check::velocity(velocity)?;
        }
        let is_plain = has_plain_states(&self.store);
        for &(id, velocity) in velocities {
            if is_plain {
                set_plain_velocity(&mut self.store, id.slot(), velocity);
            } else {
                self.set_velocity_of(id.slot(), velocity);
            }
        }
        Ok(())
    }

    /// Moves several discs at once: all or, if one is refused, none. Only the final places count, so that two
    /// discs may take each other's. Of two positions for one disc the later one holds. O(k log k) for k discs
    /// side by side, and the cost of [`World::set_position`] for each.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{DVec2, Disc, World};
    ///
    /// let mut world = World::new();
    /// let a = world.insert(Disc::new([0.0, 0.0], 0.5))?;
    /// let b = world.insert(Disc::new([3.0, 0.0], 0.5))?;
    /// world.set_positions(&[(a, DVec2::new(3.0, 0.0)), (b, DVec2::ZERO)])?;
    /// assert_eq!(world.get(b).map(|disc| disc.position()), Some(DVec2::ZERO));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`World::set_position`].
    pub fn set_positions(&mut self, positions: &[(DiscId, DVec2)]) -> Result<(), Error> {
        let mut moved = Vec::with_capacity(positions.len());
        for &(id, position) in positions.iter().rev() {
            let slot = self.store.bodies.slot(id)?;
            check::point(["position.x", "position.y"], position)?;
            moved.push((slot, position));
        }
        // The order of slots shows nowhere but in which of several refusals is reported.
        moved.sort_by_key(|&(slot, _)| slot);
        moved.dedup_by_key(|&mut (slot, _)| slot);
        let slots: Vec<Slot> = moved.iter().map(|&(slot, _)| slot).collect();
        for &(slot, position) in &moved {
            if self.store.bodies.overlap.get(slot) == Overlap::Refuse {
                self.check_room(&Placing::of(&self.store, slot), position, &slots)?;
            }
        }
        check_among(&self.store, &moved)?;
        self.put_at(&moved);
        Ok(())
    }

    /// Removes all discs, walls and regions. Time, settings, counters and memory stay; handles are dead from
    /// then on.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, Wall, World};
    ///
    /// let mut world = World::new();
    /// world.add_wall(Wall::container([0.0, 0.0], [9.0, 9.0]))?;
    /// let id = world.insert(Disc::new([4.0, 4.0], 0.5))?;
    /// world.clear();
    /// assert!(world.is_empty() && world.walls().next().is_none() && world.get(id).is_none());
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn clear(&mut self) {
        self.retain(|_| false);
        let walls: Vec<_> = self.store.walls.iter().map(|(id, _)| id).collect();
        for id in walls {
            // It is there: it has just been listed.
            _ = self.remove_wall(id);
        }
        let regions: Vec<_> = self.regions().map(|(id, _)| id).collect();
        for id in regions {
            _ = self.remove_region(id);
        }
    }

    /// Removes the discs for which `keep` is false, asked by slot.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, World};
    ///
    /// let mut world = World::new();
    /// for x in [0.0, 2.0, 4.0] {
    ///     world.insert(Disc::new([x, 0.0], 0.5))?;
    /// }
    /// world.retain(|disc| disc.position().x < 3.0);
    /// assert_eq!(world.len(), 2);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn retain(&mut self, mut keep: impl FnMut(DiscRef<'_, P>) -> bool) {
        let gone: Vec<Slot> =
            self.store.bodies.live().filter(|&slot| !keep(DiscRef { store: &self.store, slot })).collect();
        if gone.is_empty() {
            return;
        }
        for &slot in &gone {
            note_removal(&mut self.store, slot);
            self.store.chains.dissolve(slot);
            forget_contacts(&mut self.store, slot);
        }
        self.store.unmark(|slot| gone.binary_search(&slot).is_ok());
        for &slot in &gone {
            self.scheduler.remove(slot);
            self.store.bodies.remove(slot);
        }
        self.positions_now.invalidate();
        self.choose_scheduler();
        self.store.edited();
    }
}

use crate::edit::{
    Placing, end_slides_past_walls, pass_overlapped_by_wall, pass_what_overlaps, release_from_walls,
    rewrite_here,
};
use crate::impact::hold_events::note_dropped_from_wall;
use crate::impact::release::{end_contacts_by_rules, free_blocked};
use crate::impact::write::unsettle;
use crate::state::rules::SensorRules;
use crate::{DiscId, Error, Physics, Rules, Sensor, WallId, World};
use carom_broadphase::Slot;
use smallvec::SmallVec;

/// Changes of what collides with what. A refused one leaves the world as it was.
///
/// New rules come into force when the schedule is next brought up to date, at the same time of the world: in
/// [`World::advance`] or [`World::next_event`], say. So rules that are set and set back before then change
/// nothing.
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
            self.store.bodies.sensors.set(slot, SensorRules { rules, ..self.store.bodies.sensors.get(slot) });
            self.store.sense(|sensing, flights| sensing.see_sensor_rules(flights, slot));
            self.store.mark(slot);
            return Ok(());
        }
        if let Some(off) = self.store.bodies.off.get_mut(slot) {
            off.rules = rules;
            self.store.edited();
            return Ok(());
        }
        self.store.bodies.rules.edit(slot, rules);
        self.store.mark(slot);
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
        let near = self.discs_near(&facets);
        // Where none is near, any one, so that the schedule is brought up to date.
        let any = if near.is_empty() { self.store.bodies.live().next() } else { None };
        near.into_iter().chain(any).for_each(|disc| self.store.mark_solo(disc));
        self.store.walls.edit_rules(slot, rules);
        self.store.edited();
        Ok(())
    }

    /// Puts the rules into force that have been set.
    #[cold]
    pub(super) fn enforce_rules(&mut self) {
        while let Some((wall, before)) = self.store.walls.next_edited() {
            self.enforce_wall_rules(wall, before);
        }
        while let Some((slot, rules)) = self.store.bodies.rules.take_edited() {
            self.enforce_disc_rules(slot, rules);
        }
    }

    pub(super) fn enforce_disc_rules(&mut self, slot: Slot, rules: Rules) {
        let before = self.store.bodies.rules.get(slot);
        if self.store.is_held(slot) {
            unsettle(&mut self.store, slot);
        }
        self.store.bodies.rules.set(slot, rules);
        // What it passed through it may be past of, so its path begins anew; and it is on no known side of a
        // wall that it may have passed through.
        if rules.may_add_to(&before) {
            let state = self.store.state_now(slot);
            let facets = &self.store.walls.facets;
            let met = |f: u32| facets[f as usize].rules.collides_with(&before).then_some(f);
            self.store.bodies.walls.set(slot, self.store.bodies.walls.get(slot).renumbered(met));
            rewrite_here(&mut self.store, slot, &state);
        }
        end_slides_past_walls(&mut self.store);
        end_contacts_by_rules(&mut self.store, slot, rules.may_add_to(&before));
        if rules.may_add_to(&before) {
            let position = self.store.bodies.wrapped_motion_at(slot, self.store.now).position;
            let circle = Placing::of(&self.store, slot).circle(&self.store, position);
            let near = self.take_discs_around(circle);
            pass_what_overlaps(&mut self.store, slot, &before, &circle, &near);
            self.store.bodies.contacts.scratch.near = near;
        }
        self.mark_neighbours(slot);
        self.placed(slot);
        self.mark_neighbours(slot);
        self.store.mark(slot);
        self.store.sense(|sensing, flights| sensing.see_rules(flights, slot, &before));
    }

    fn enforce_wall_rules(&mut self, wall: u32, before: Rules) {
        let rules = self.store.walls.get(wall).rules;
        if rules == before {
            return;
        }
        let adds = rules.may_add_to(&before);
        self.store.walls.put_in_force(wall, rules, adds.then_some((self.store.now, self.store.impacts)));
        if adds {
            pass_overlapped_by_wall(&mut self.store, wall, &before);
            let facets = &self.store.walls.facets;
            for known in self.store.bodies.walls.stored_mut() {
                *known = known.renumbered(|f| (facets[f as usize].wall != wall).then_some(f));
            }
        }
        end_slides_past_walls(&mut self.store);
        note_dropped_from_wall(&mut self.store, wall);
        release_from_walls(&mut self.store, |facet| facet.wall == wall);
        free_blocked(&mut self.store);
    }

    /// Marks the discs whose plans may name a disc.
    fn mark_neighbours(&mut self, slot: Slot) {
        let neighbours: SmallVec<[Slot; 16]> =
            self.scheduler.neighbours(slot).map(SmallVec::from_slice).unwrap_or_default();
        neighbours.into_iter().for_each(|other| self.store.mark(other));
    }
}

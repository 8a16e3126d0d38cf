use crate::apply;
use crate::edit::WallChange;
use crate::error::check;
use crate::walls::extent::cover;
use crate::walls::facet::Facet;
use crate::{Error, Overlap, Physics, Wall, WallId, World};
use carom_broadphase::{Circle, Slot};

/// # Walls
/// What is refused leaves the world as it was.
impl<P: Physics> World<P> {
    /// Inserts a wall, which takes effect from the present on.
    ///
    /// Cost: with the grid in proportion to the discs near the wall, which are checked for overlap and
    /// scheduled again; a wall without end, and a round room, is near all discs. With the pair table O(N):
    /// what each disc does on its own is computed again, and no pair unless paths bend.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, Wall, World};
    ///
    /// let mut world = World::new();
    /// world.add_wall(Wall::container([0.0, 0.0], [4.0, 2.0]).with_restitution(0.8))?;
    /// world.add_wall(Wall::polyline(&[[1.0, 0.0], [1.0, 0.5], [2.0, 0.0]]))?;
    /// let (cut, free) = (Disc::new([0.5, 1.0], 0.6), Disc::new([0.5, 1.0], 0.4));
    /// assert!(world.insert(cut).is_err() && world.insert(free).is_ok());
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a number is out of range, or a disc that does not allow it would overlap the wall; if the wall does
    /// not repeat itself with the world: along an axis with a period only half-planes parallel to it do; or
    /// if walls would have more than [`MAX_WALL_PARTS`](crate::limits::MAX_WALL_PARTS) parts.
    pub fn add_wall(&mut self, wall: Wall<P::Surface>) -> Result<WallId, Error> {
        let (now, impacts) = (self.store.now, self.store.impacts);
        let parts = wall.parts()?;
        self.store.walls.check_room(parts.len())?;
        let facets = self.store.walls.plan(parts, wall.rules, now, impacts);
        for facet in &facets {
            facet.check_periods(&self.store.bodies.periods)?;
        }
        if self.store.bodies.growth.is_on() && !facets.iter().all(Facet::takes_growth) {
            let reason = "round rooms and arcs do not take discs that grow";
            return Err(Error::Inconsistent { field: "growth", value: self.growth(), reason });
        }
        let near = self.discs_near(&facets);
        for &slot in &near {
            let is_met = self.store.bodies.meets_wall(slot, &wall.rules);
            if !is_met || self.store.bodies.overlap.get(slot) == Overlap::Allow {
                continue;
            }
            let motion = self.store.motion_at(slot, self.store.now);
            if let Some(depth) = facets.iter().find_map(|facet| facet.overlap(&motion, self.store.now)) {
                return Err(Error::WallOverlapsDisc { disc: self.store.bodies.id(slot), depth });
            }
        }
        Ok(apply::wall::put_up(&mut self.store, wall, facets, &near))
    }

    /// Removes a wall and returns it. Its handle is invalid from then on. Cost as of [`World::add_wall`].
    ///
    /// # Errors
    /// If the wall has been removed.
    pub fn remove_wall(&mut self, id: WallId) -> Result<Wall<P::Surface>, Error> {
        let slot = self.store.walls.slot(id)?;
        self.change_wall(slot, WallChange::Gone).ok_or(Error::NoSuchWall(id))
    }

    /// Sets a wall's coefficient of restitution. O(1).
    ///
    /// # Errors
    /// If the wall has been removed or the coefficient is out of range.
    pub fn set_wall_restitution(&mut self, id: WallId, restitution: f64) -> Result<(), Error> {
        let slot = self.store.walls.slot(id)?;
        check::restitution(restitution)?;
        self.change_wall(slot, WallChange::Restitution(restitution));
        Ok(())
    }

    /// Sets a wall's user data. O(1).
    ///
    /// # Errors
    /// If the wall has been removed.
    pub fn set_wall_user_data(&mut self, id: WallId, user_data: u64) -> Result<(), Error> {
        let slot = self.store.walls.slot(id)?;
        self.change_wall(slot, WallChange::UserData(user_data));
        Ok(())
    }

    /// Sets what the physics adds to a wall. What is held to it is settled again: a disc that rode on a belt
    /// slips once the belt stops. O(1), and O(N) where discs are held.
    ///
    /// # Errors
    /// If the wall has been removed.
    pub fn set_wall_surface(&mut self, id: WallId, surface: P::Surface) -> Result<(), Error> {
        let slot = self.store.walls.slot(id)?;
        self.change_wall(slot, WallChange::Surface(surface));
        Ok(())
    }

    /// Changes a wall in a way that has been checked. Returns what it was if it is gone.
    pub(super) fn change_wall(
        &mut self,
        slot: u32,
        change: WallChange<P::Surface>,
    ) -> Option<Wall<P::Surface>> {
        let mut near = Vec::new();
        if change.row().near {
            let mut places = self.store.walls.facets_of(slot).to_vec();
            places.extend_from_slice(change.parts());
            near = self.discs_near(&places);
        }
        apply::wall::change_wall(&mut self.store, slot, change, &near)
    }

    /// The discs whose next events may concern these facets, and maybe more, by slot.
    ///
    /// A disc's wall is sought within its neighbourhood: what lies outside it changes no prediction.
    pub(super) fn discs_near(&mut self, facets: &[Facet]) -> Vec<Slot> {
        self.tell_scheduler(|scheduler, predictor| scheduler.rewind_to_now(predictor));
        let mut near = Vec::new();
        let diameter = 2.0 * self.store.bodies.growth.grown(self.store.bodies.largest, self.store.now);
        let size = if diameter > 0.0 { diameter } else { f64::INFINITY };
        let scheduler = &self.scheduler;
        let mut see = |center, radius| scheduler.around(Circle { center, radius }, |_| true, &mut near);
        let is_bounded = !self.is_empty() && facets.iter().all(|facet| cover(facet, size, &mut see));
        if !is_bounded {
            return self.store.bodies.live().collect();
        }
        near.sort_unstable();
        near.dedup();
        near
    }
}

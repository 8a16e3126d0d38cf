use crate::apply;
use crate::sense::check_region;
use crate::world::stops::Stops;
use crate::{DiscId, Error, Physics, Region, RegionId, Rules, Wall, WallId, World};
use glam::DVec2;

/// # Regions
/// They change no disc's path and none of its bits.
///
/// While there are regions, each change of a disc's motion costs a look at all of them, and one of a disc
/// that carries a region a look at all discs for that region: some 50 to 200 ns each.
impl<P: Physics> World<P> {
    /// Puts up a region. The discs that are inside of it enter at the present time. O(N).
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, Event, Region, World};
    ///
    /// let mut world = World::new();
    /// let ship = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0]))?;
    /// let mine = world.insert(Disc::new([4.0, 1.5], 0.1))?;
    /// let radar = world.add_region(Region::disc([0.0, 0.0], 2.5).carried_by(ship))?;
    /// world.advance(10.0)?;
    /// let crossings: Vec<_> = world.events().iter().filter_map(Event::crossing).collect();
    /// assert!(crossings.iter().all(|crossing| (crossing.disc, crossing.region) == (mine, radar)));
    /// // In reach while no more than 2 before or behind it.
    /// let times: Vec<_> = crossings.iter().map(|crossing| crossing.time.as_secs()).collect();
    /// assert_eq!(times, [2.0, 6.0]);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a number is out of range, or the disc that carries it is gone; in a periodic world if it is no
    /// disc, larger than 0.49 periods, or by edge; by edge while radii grow.
    pub fn add_region(&mut self, region: Region) -> Result<RegionId, Error> {
        check_region(&self.store.flights(), &region)?;
        Stops(self).all();
        Ok(apply::region::edit(self.store.common(), |sensing, flights| {
            sensing.put_up(flights, region, false)
        }))
    }

    /// Puts up a wall as a sensor, which collides with nothing and reports which discs overlap it: as a
    /// region with its rules and user data. Cost as of [`World::add_wall`].
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, Event, Wall, World};
    ///
    /// let mut world = World::new();
    /// let (_, finish) = world.add_sensor_wall(Wall::segment([2.0, -1.0], [2.0, 1.0]))?;
    /// let car = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0]))?;
    /// world.advance(10.0)?;
    /// let times: Vec<_> = world.events().iter().map(|event| event.time().as_secs()).collect();
    /// assert_eq!(times, [1.5, 2.5]);
    /// assert!(!world.is_inside(finish, car));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`World::add_wall`]; in a periodic world, and while radii grow.
    pub fn add_sensor_wall(&mut self, wall: Wall<P::Surface>) -> Result<(WallId, RegionId), Error> {
        let (rules, user_data) = (wall.rules, wall.user_data);
        // What is refused of a wall is refused of any region by edge.
        check_region(&self.store.flights(), &Region::disc(DVec2::ZERO, 1.0).by_edge())?;
        let wall = self.add_wall(wall.with_rules(Rules::NONE))?;
        Ok((wall, self.add_region(Region::wall(wall).with_rules(rules).with_user_data(user_data))?))
    }

    /// The region that a disc is as a [`Sensor`](crate::Sensor); `None` if it is none. O(regions). It follows
    /// the disc's radius, rules and user data, until [`World::set_region`] makes another one of it.
    #[must_use]
    pub fn sensor_region(&self, disc: DiscId) -> Option<RegionId> {
        let (sensing, slot) = (self.store.sensing.as_ref()?, self.store.bodies.slot(disc).ok()?);
        sensing.own_of(slot).map(|r| sensing.id(r))
    }

    /// Puts another region in the place of one, with the same name: moves it, or gives it other rules. What
    /// is inside of both, and seen by both, has not left. O(N).
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, Event, Region, World};
    ///
    /// let mut world = World::new();
    /// let disc = world.insert(Disc::new([1.0, 0.0], 0.5))?;
    /// let id = world.add_region(Region::disc([0.0, 0.0], 2.0))?;
    /// world.advance(1.0)?;
    /// world.set_region(id, Region::disc([2.0, 0.0], 2.0))?;
    /// world.advance(1.0)?;
    /// assert!(world.events().is_empty() && world.is_inside(id, disc));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such region, and as [`World::add_region`].
    pub fn set_region(&mut self, id: RegionId, region: Region) -> Result<(), Error> {
        let r = self.store.sensing.as_ref().ok_or(Error::NoSuchRegion(id))?.slot(id)?;
        check_region(&self.store.flights(), &region)?;
        Stops(self).all();
        apply::region::edit(self.store.common(), |sensing, flights| {
            sensing.change(flights, r, region, false);
        });
        Ok(())
    }

    /// Removes a region and returns it. What is inside leaves at the present time, which the next call of
    /// `advance` reports. O(discs inside).
    ///
    /// # Errors
    /// If there is no such region.
    pub fn remove_region(&mut self, id: RegionId) -> Result<Region, Error> {
        let r = self.store.sensing.as_ref().ok_or(Error::NoSuchRegion(id))?.slot(id)?;
        let taken =
            apply::region::edit(self.store.common(), |sensing, flights| sensing.take_down(flights, r));
        taken.ok_or(Error::NoSuchRegion(id))
    }

    /// A region; `None` if it has been removed.
    #[must_use]
    pub fn region(&self, id: RegionId) -> Option<&Region> {
        let sensing = self.store.sensing.as_ref()?;
        let placed = sensing.slots[sensing.slot(id).ok()? as usize].placed.as_ref();
        placed.map(|placed| &placed.region)
    }

    /// All regions, by slot.
    pub fn regions(&self) -> impl Iterator<Item = (RegionId, &Region)> + '_ {
        let sensing = self.store.sensing.iter();
        sensing.flat_map(|sensing| sensing.placed().map(|(r, placed)| (sensing.id(r), &placed.region)))
    }

    /// The discs that are inside of a region now, the one inserted first at first. O(their number).
    ///
    /// What was edited counts at once, except for [`World::set_rules`], which counts as soon as it is in
    /// force.
    ///
    /// # Errors
    /// If there is no such region.
    pub fn inside(&self, id: RegionId) -> Result<impl Iterator<Item = DiscId> + '_, Error> {
        let sensing = self.store.sensing.as_ref().ok_or(Error::NoSuchRegion(id))?;
        let inside = &sensing.slots[sensing.slot(id)? as usize].inside;
        Ok(inside.iter().map(|&(_, slot)| self.store.bodies.id(slot)))
    }

    /// Whether a disc is inside of a region now; false if one of them is gone. O(log n) in the number of
    /// discs that are inside.
    #[must_use]
    pub fn is_inside(&self, region: RegionId, disc: DiscId) -> bool {
        let (Some(sensing), Ok(slot)) = (&self.store.sensing, self.store.bodies.slot(disc)) else {
            return false;
        };
        sensing.slot(region).is_ok_and(|r| sensing.is_inside(r, self.store.bodies.detail(slot).serial))
    }
}

use crate::sense::Placed;
use crate::{
    CrossingCause, DiscId, Error, Extent, Physics, Region, RegionId, RegionShape, Rules, Wall, WallId, World,
};
use glam::DVec2;

/// Regions. They change no disc's path and none of its bits.
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
        self.check_region(&region)?;
        Ok(self.put_up_region(region, false))
    }

    pub(super) fn put_up_region(&mut self, region: Region, is_own: bool) -> RegionId {
        let sensing = self.store.sensing.get_or_insert_default();
        let r = sensing.insert(region, is_own);
        let id = sensing.id(r);
        self.sense_all(r, CrossingCause::Placed);
        id
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
        self.check_region(&Region::disc(DVec2::ZERO, 1.0).by_edge())?;
        let wall = self.add_wall(wall.with_rules(Rules::NONE))?;
        let region = Region::wall(wall).with_rules(rules).with_user_data(user_data);
        Ok((wall, self.put_up_region(region, false)))
    }

    /// The region that a disc is as a [`Sensor`](crate::Sensor); `None` if it is none. O(regions). It follows
    /// the disc's radius, rules and user data, until [`World::set_region`] makes another one of it.
    #[must_use]
    pub fn sensor_region(&self, disc: DiscId) -> Option<RegionId> {
        let sensing = self.store.sensing.as_ref()?;
        let is_it = |placed: &Placed| placed.is_own && placed.region.carrier == Some(disc);
        sensing.placed().find(|(_, placed)| is_it(placed)).map(|(r, _)| sensing.id(r))
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
        let r = self.region_slot(id)?;
        self.check_region(&region)?;
        self.change_region(r, region, false);
        Ok(())
    }

    pub(super) fn change_region(&mut self, r: u32, region: Region, is_own: bool) {
        let sensing = self.store.sensing.get_or_insert_default();
        if let Some(placed) = &mut sensing.slots[r as usize].placed {
            let is_same_place = (placed.region.shape, placed.region.carrier, placed.region.extent)
                == (region.shape, region.carrier, region.extent);
            *placed = Placed::new(region, placed.number, is_own);
            let cause = if is_same_place { CrossingCause::Rules } else { CrossingCause::Placed };
            self.sense_all(r, cause);
        }
    }

    /// Removes a region and returns it. What is inside leaves at the present time, which the next call of
    /// `advance` reports. O(discs inside).
    ///
    /// # Errors
    /// If there is no such region.
    pub fn remove_region(&mut self, id: RegionId) -> Result<Region, Error> {
        let r = self.region_slot(id)?;
        self.drop_region(r).ok_or(Error::NoSuchRegion(id))
    }

    /// A region; `None` if it has been removed.
    #[must_use]
    pub fn region(&self, id: RegionId) -> Option<&Region> {
        let (sensing, r) = (self.store.sensing.as_ref()?, self.region_slot(id).ok()?);
        sensing.slots[r as usize].placed.as_ref().map(|placed| &placed.region)
    }

    /// All regions, by slot.
    pub fn regions(&self) -> impl Iterator<Item = (RegionId, &Region)> + '_ {
        let sensing = self.store.sensing.iter();
        sensing.flat_map(|sensing| sensing.placed().map(|(r, placed)| (sensing.id(r), &placed.region)))
    }

    /// The discs that are inside of a region now, the one inserted first at first. O(their number).
    ///
    /// What was edited counts at once, but for [`World::set_rules`], which counts as soon as it is in force.
    ///
    /// # Errors
    /// If there is no such region.
    pub fn inside(&self, id: RegionId) -> Result<impl Iterator<Item = DiscId> + '_, Error> {
        let r = self.region_slot(id)?;
        let inside = self.store.sensing.iter().flat_map(move |sensing| &sensing.slots[r as usize].inside);
        Ok(inside.map(|&(_, slot)| self.store.bodies.id(slot)))
    }

    /// Whether a disc is inside of a region now; false if one of them is gone. O(log n) in the number of
    /// discs that are inside.
    #[must_use]
    pub fn is_inside(&self, region: RegionId, disc: DiscId) -> bool {
        match (&self.store.sensing, self.region_slot(region), self.store.bodies.slot(disc)) {
            (Some(sensing), Ok(r), Ok(slot)) => sensing.is_inside(r, self.store.bodies.detail(slot).serial),
            _ => false,
        }
    }

    fn region_slot(&self, id: RegionId) -> Result<u32, Error> {
        self.store.sensing.as_ref().ok_or(Error::NoSuchRegion(id))?.slot(id)
    }

    /// Refuses a region that is none, or that is not for this world.
    pub(crate) fn check_region(&self, region: &Region) -> Result<(), Error> {
        region.check()?;
        if let Some(carrier) = region.carrier {
            self.store.bodies.slot(carrier)?;
        }
        if let RegionShape::Wall { wall } = region.shape {
            let slot = self.store.walls.slot(wall)?;
            if self.store.walls.turn_of(slot).is_some() {
                return Err(Error::CannotTurn { wall, reason: "it turns, and regions do not" });
            }
            if self.store.walls.travel_of(slot).is_some() {
                return Err(Error::CannotMoveWall { wall, reason: "it moves, and regions do not" });
            }
        }
        let is_by_edge = region.extent == Extent::Edge;
        let value = f64::from(u8::from(is_by_edge));
        if is_by_edge && self.store.bodies.growth.is_on() {
            let reason = "the edges of discs that grow cross borders at times without a closed form";
            return Err(Error::Inconsistent { field: "extent", value, reason });
        }
        if self.store.bodies.periods.is_open() {
            return Ok(());
        }
        let most = 0.49 * self.store.bodies.periods.shortest();
        match region.shape {
            _ if is_by_edge => {
                let reason = "in a periodic world a region sees centres, not edges";
                Err(Error::Inconsistent { field: "extent", value, reason })
            }
            RegionShape::Disc { radius, .. } if radius <= most => Ok(()),
            RegionShape::Disc { radius, .. } => {
                let reason = "in a periodic world no region is larger than 0.49 periods";
                Err(Error::Inconsistent { field: "radius", value: radius, reason })
            }
            _ => {
                let reason = "in a periodic world a region is a disc";
                Err(Error::Inconsistent { field: "shape", value: most, reason })
            }
        }
    }

    /// Refuses growth while there are regions that see the edges of discs.
    pub(super) fn check_regions_for_growth(&self, rate: f64) -> Result<(), Error> {
        let mut regions = self.regions();
        if regions.any(|(_, region)| region.extent == Extent::Edge) {
            let reason = "a region sees the edges of discs: when they cross its border is not known";
            return Err(Error::Inconsistent { field: "rate", value: rate, reason });
        }
        Ok(())
    }

    pub(super) fn drop_region(&mut self, r: u32) -> Option<Region> {
        let inside = core::mem::take(&mut self.store.sensing.as_mut()?.slots[r as usize].inside);
        self.edited();
        for &(_, slot) in &inside {
            self.note_crossing(r, slot, false, CrossingCause::RegionRemoved);
        }
        self.store.sensing.as_mut()?.remove(r)
    }
}

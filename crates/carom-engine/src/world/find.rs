use crate::error::check;
use crate::query::{Area, Guest, Search};
use crate::{CastOptions, Disc, DiscHit, Error, Nearest, Partner, Physics, QueryFilter, Ray, RayHit, World};
use core::ops::ControlFlow;
use glam::DVec2;
use smallvec::SmallVec;

/// What overlaps a point, a disc or a box at the present.
///
/// # What overlaps a shape
/// Shapes are closed: what touches overlaps. Half-planes, discs and what is outside a round room are solid;
/// segments, arcs and outlines are curves. The results are the discs, by serial number (the order in which
/// they were inserted), and then the walls, in the order in which they were put up, each once, with the first
/// of its parts that overlaps. O(result) expected where the grid schedules, else O(N) discs; of walls
/// those near by are looked at. Here and below each disc is looked at that meets no other by its rules, mass
/// or size, if the filter may let it pass: it has no place in the grid.
impl<P: Physics> World<P> {
    /// Overwrites `found` with the discs and walls that a point is in. Allocates only if `found` must grow.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, Partner, QueryFilter, World};
    ///
    /// let mut world = World::new();
    /// let puck = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0]))?;
    /// world.advance(3.0)?;
    /// // What is under the mouse?
    /// let mut found = Vec::new();
    /// world.overlap_point([3.2, 0.1], &QueryFilter::new(), &mut found)?;
    /// assert_eq!(found, [Partner::Disc(puck)]);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a coordinate is out of range; then `found` is as it was.
    #[doc(alias = "intersect_point")]
    #[doc(alias = "point_intersections")]
    pub fn overlap_point(
        &self,
        point: impl Into<DVec2>,
        filter: &QueryFilter<'_>,
        found: &mut Vec<Partner>,
    ) -> Result<(), Error> {
        let area = Area::point(point.into())?;
        self.search(filter).overwrite(&area, found);
        Ok(())
    }

    /// As [`World::overlap_point`]: calls `see` with each, in order, until it breaks. Allocates only if there
    /// are more than 32.
    ///
    /// # Errors
    /// If a coordinate is out of range.
    pub fn overlap_point_with(
        &self,
        point: impl Into<DVec2>,
        filter: &QueryFilter<'_>,
        see: impl FnMut(Partner) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let area = Area::point(point.into())?;
        self.search(filter).visit(&area, see);
        Ok(())
    }

    /// Overwrites `found` with the discs and walls that overlap a disc or touch it. Allocates only if `found`
    /// must grow.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, QueryFilter, World};
    ///
    /// let mut world = World::new();
    /// for x in [0.0, 2.0, 4.0, 6.0] {
    ///     world.insert(Disc::new([x, 0.0], 1.0))?;
    /// }
    /// // What does an explosion reach? It touches the third disc.
    /// let mut reached = Vec::new();
    /// world.overlap_disc([0.0, 0.0], 3.0, &QueryFilter::new(), &mut reached)?;
    /// assert_eq!(reached.len(), 3);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a number is out of range; then `found` is as it was.
    #[doc(alias = "intersect_shape")]
    #[doc(alias = "overlap_circle")]
    pub fn overlap_disc(
        &self,
        center: impl Into<DVec2>,
        radius: f64,
        filter: &QueryFilter<'_>,
        found: &mut Vec<Partner>,
    ) -> Result<(), Error> {
        let area = Area::disc(center.into(), radius)?;
        self.search(filter).overwrite(&area, found);
        Ok(())
    }

    /// As [`World::overlap_disc`]: calls `see` with each, in order, until it breaks. Allocates only if there
    /// are more than 32.
    ///
    /// # Errors
    /// If a number is out of range.
    pub fn overlap_disc_with(
        &self,
        center: impl Into<DVec2>,
        radius: f64,
        filter: &QueryFilter<'_>,
        see: impl FnMut(Partner) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let area = Area::disc(center.into(), radius)?;
        self.search(filter).visit(&area, see);
        Ok(())
    }

    /// Overwrites `found` with the discs and walls that overlap a rectangle along the axes or touch it: their
    /// exact shapes, not the boxes around them. Allocates only if `found` must grow.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, Partner, QueryFilter, World};
    ///
    /// let mut world = World::new();
    /// let near = world.insert(Disc::new([0.0, 0.0], 1.0))?;
    /// // Its box overlaps the rectangle, the disc itself does not.
    /// world.insert(Disc::new([-2.8, -2.8], 1.0))?;
    /// let mut selected = Vec::new();
    /// world.overlap_box([-2.0, -2.0], [0.0, 2.0], &QueryFilter::new(), &mut selected)?;
    /// assert_eq!(selected, [Partner::Disc(near)]);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a coordinate is out of range, or `min` is above `max`; then `found` is as it was.
    #[doc(alias = "overlap_aabb")]
    #[doc(alias = "intersect_aabb")]
    pub fn overlap_box(
        &self,
        min: impl Into<DVec2>,
        max: impl Into<DVec2>,
        filter: &QueryFilter<'_>,
        found: &mut Vec<Partner>,
    ) -> Result<(), Error> {
        let area = Area::of_box(min.into(), max.into())?;
        self.search(filter).overwrite(&area, found);
        Ok(())
    }

    /// As [`World::overlap_box`]: calls `see` with each, in order, until it breaks. Allocates only if there
    /// are more than 32.
    ///
    /// # Errors
    /// If a coordinate is out of range, or `min` is above `max`.
    pub fn overlap_box_with(
        &self,
        min: impl Into<DVec2>,
        max: impl Into<DVec2>,
        filter: &QueryFilter<'_>,
        see: impl FnMut(Partner) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let area = Area::of_box(min.into(), max.into())?;
        self.search(filter).visit(&area, see);
        Ok(())
    }
}

/// # Rays
/// They see the present.
impl<P: Physics> World<P> {
    /// The first thing that a ray meets; at one distance the disc that was inserted first, and discs before
    /// walls.
    ///
    /// Shapes are as for [`World::overlap_disc`], closed: what a ray touches it meets, to the rounding of
    /// its direction. From inside of something, it meets that at distance 0. A
    /// [`WallShape::OneSidedSegment`](crate::WallShape::OneSidedSegment) is passed from behind, as by discs.
    /// In a periodic world a ray goes on round the world; points (discs of radius 0) are not met there.
    ///
    /// O(the discs and parts of walls along the way) expected where the grid schedules, else O(N) discs.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{DVec2, Disc, Partner, QueryFilter, Ray, Wall, World};
    ///
    /// let mut world = World::new();
    /// world.add_wall(Wall::container([0.0, 0.0], [10.0, 10.0]))?;
    /// let robot = world.insert(Disc::new([2.0, 5.0], 0.5))?;
    /// let crate_ = world.insert(Disc::new([6.0, 5.0], 1.0))?;
    /// let ray = Ray::new([2.0, 5.0], [1.0, 0.0]);
    /// let hit = world.cast_ray(&ray, &QueryFilter::new().excluding(robot))?.expect("the crate is ahead");
    /// assert_eq!((hit.body, hit.distance), (Partner::Disc(crate_), 3.0));
    /// assert_eq!((hit.point, hit.normal), (DVec2::new(5.0, 5.0), Some(DVec2::NEG_X)));
    /// // It starts inside of the robot.
    /// let hit = world.cast_ray(&ray, &QueryFilter::new())?.expect("it starts there");
    /// assert!(hit.is_inside() && hit.distance == 0.0);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a number is out of range, or the direction has no length.
    #[doc(alias = "raycast")]
    #[doc(alias = "cast_ray_and_get_normal")]
    #[doc(alias = "cast_ray_closest")]
    pub fn cast_ray(&self, ray: &Ray, filter: &QueryFilter<'_>) -> Result<Option<RayHit>, Error> {
        Ok(self.search(filter).first_hit(&ray.checked()?))
    }

    /// Overwrites `hits` with all that a ray passes through, by distance: each disc and each part of a wall
    /// once, where the ray meets it first. At one distance discs come before walls, by serial number, and
    /// parts of walls in the order in which they were put up. Allocates only if `hits` must grow.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, QueryFilter, Ray, World};
    ///
    /// let mut world = World::new();
    /// for x in [9.0, 3.0, 6.0] {
    ///     world.insert(Disc::new([x, 0.0], 1.0))?;
    /// }
    /// // A laser that goes through everything up to 7.
    /// let laser = Ray::new([0.0, 0.0], [1.0, 0.0]).with_max_distance(7.0);
    /// let mut hits = Vec::new();
    /// world.ray_hits(&laser, &QueryFilter::new(), &mut hits)?;
    /// assert_eq!(hits.iter().map(|hit| hit.distance).collect::<Vec<_>>(), [2.0, 5.0]);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`World::cast_ray`]; then `hits` is as it was.
    #[doc(alias = "cast_ray_all")]
    #[doc(alias = "intersect_ray")]
    pub fn ray_hits(&self, ray: &Ray, filter: &QueryFilter<'_>, hits: &mut Vec<RayHit>) -> Result<(), Error> {
        let (ray, search) = (ray.checked()?, self.search(filter));
        hits.clear();
        search.add_hits(&ray, |hit| hits.push(hit));
        search.sort_hits(hits);
        hits.dedup_by_key(|hit| hit.body);
        Ok(())
    }

    /// As [`World::ray_hits`]: calls `see` with each, in order, until it breaks. Allocates only if there are
    /// more than 16.
    ///
    /// # Errors
    /// As [`World::cast_ray`].
    #[doc(alias = "ray_hits_callback")]
    pub fn ray_hits_with(
        &self,
        ray: &Ray,
        filter: &QueryFilter<'_>,
        mut see: impl FnMut(&RayHit) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let (ray, search) = (ray.checked()?, self.search(filter));
        let mut hits: SmallVec<[RayHit; 16]> = SmallVec::new();
        search.add_hits(&ray, |hit| hits.push(hit));
        search.sort_hits(&mut hits);
        hits.dedup_by_key(|hit| hit.body);
        _ = hits.iter().try_for_each(&mut see);
        Ok(())
    }
}

/// # What is near, and what a disc would meet
impl<P: Physics> World<P> {
    /// Overwrites `found` with the `most` discs and walls that are nearest to a point at the present, or
    /// with all if there are fewer: by distance, at one distance discs before walls, discs by serial number
    /// and walls in the order in which they were put up. A wall is there once, with its nearest part.
    ///
    /// Distances are those of the surfaces: a large disc may be nearer than a small one whose centre is.
    /// Shapes are as for [`World::overlap_disc`]. O(`most`²) expected where the grid schedules and
    /// discs are spread evenly, else O(N `most`); and O(parts of walls). Allocates only if `found` must
    /// grow.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, Partner, QueryFilter, World};
    ///
    /// let mut world = World::new();
    /// let large = world.insert(Disc::new([10.0, 0.0], 8.0))?;
    /// let small = world.insert(Disc::new([-3.0, 0.0], 0.5))?;
    /// world.insert(Disc::new([0.0, 20.0], 0.5))?;
    /// let mut targets = Vec::new();
    /// world.nearest([0.0, 0.0], 2, &QueryFilter::new().only_discs(), &mut targets)?;
    /// let order: Vec<_> = targets.iter().map(|near| (near.body, near.distance)).collect();
    /// assert_eq!(order, [(Partner::Disc(large), 2.0), (Partner::Disc(small), 2.5)]);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a coordinate is out of range; then `found` is as it was.
    #[doc(alias = "project_point")]
    #[doc(alias = "nearest_k")]
    pub fn nearest(
        &self,
        point: impl Into<DVec2>,
        most: usize,
        filter: &QueryFilter<'_>,
        found: &mut Vec<Nearest>,
    ) -> Result<(), Error> {
        let point = point.into();
        check::point(["point.x", "point.y"], point)?;
        found.clear();
        self.search(filter).add_nearest(point, most, found);
        Ok(())
    }

    /// What a disc would meet first if it were inserted now: when, where and with which normal. It may
    /// overlap what is there.
    ///
    /// The disc's position, velocity, radius and rules count, its class of mass (tracers meet no tracers),
    /// and what the physics knows of it. Times are those of impacts, to the last bit: the first contact is
    /// where the gap closes while the two approach, at 0 seconds if they overlap; a graze is no contact, nor
    /// are overlaps that part. At the same time discs come first, by serial number, and then parts of walls.
    ///
    /// The others go on as they move now, or stand still: impacts between them, and changes of their motion,
    /// are not followed. (A clone of the world that advances follows all.) Where discs accelerate, nothing is
    /// met after the end of either's present motion, a stop by friction, say; in a periodic world that of a
    /// disc of the world ends where it has gone a period. Walls that move or turn are met
    /// on their way, and not where they will stand at its end.
    ///
    /// O(the discs near its way) expected where the grid schedules and others stand still. Where they move it
    /// takes one pass over all speeds, and then, if paths are straight, the discs that one as fast as the
    /// fastest could bring near; else O(N) discs. Walls as for rays.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{CastOptions, DVec2, Disc, Partner, QueryFilter, World};
    ///
    /// let mut world = World::new();
    /// let target = world.insert(Disc::new([10.0, 0.0], 1.0).with_velocity([-1.0, 0.0]))?;
    /// let shell = Disc::new([0.0, 0.0], 1.0).with_velocity([3.0, 0.0]);
    /// let hit = world.cast_disc(&shell, &CastOptions::new(), &QueryFilter::new())?.expect("it is ahead");
    /// assert_eq!((hit.body, hit.seconds), (Partner::Disc(target), 2.0));
    /// assert_eq!((hit.position, hit.point), (DVec2::new(6.0, 0.0), DVec2::new(7.0, 0.0)));
    /// // Among discs that stand still, as far as 2 s take it.
    /// let still = CastOptions::new().with_frozen(true).with_max_time(2.0);
    /// assert_eq!(world.cast_disc(&shell, &still, &QueryFilter::new())?, None);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// What a disc of the world will meet, as things move now:
    ///
    /// ```
    /// # use carom_engine as carom;
    /// # use carom::{CastOptions, Disc, QueryFilter, Wall, World};
    /// # let mut world = World::new();
    /// # let wall = world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0]))?;
    /// # let id = world.insert(Disc::new([0.0, 3.0], 1.0).with_velocity([0.0, -1.0]))?;
    /// let disc = world.get(id).expect("it is there").to_disc();
    /// let hit = world.cast_disc(&disc, &CastOptions::new(), &QueryFilter::new().excluding(id))?;
    /// # assert_eq!(hit.and_then(|hit| hit.body.wall()), Some(wall));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a number is out of range, or the disc is too large for a period.
    #[doc(alias = "cast_shape")]
    #[doc(alias = "cast_circle")]
    #[doc(alias = "sweep")]
    pub fn cast_disc(
        &self,
        disc: &Disc<P::Body, P::Extra>,
        options: &CastOptions,
        filter: &QueryFilter<'_>,
    ) -> Result<Option<DiscHit>, Error> {
        disc.check()?;
        self.store.physics.check(&disc.body)?;
        self.store.physics.check_extra(&disc.extra)?;
        self.store.check_periods(disc.radius, None)?;
        check::extent("max_time", options.max_time)?;
        let guest = Guest::new(&self.store, disc, options.frozen);
        Ok(self.search(filter).first_contact(&guest, options.max_time))
    }

    fn search<'w>(&'w self, filter: &'w QueryFilter<'_>) -> Search<'w> {
        Search { store: &self.store.common, scheduler: &self.scheduler, filter }
    }
}

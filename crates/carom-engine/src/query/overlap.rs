use super::QueryFilter;
use super::area::Area;
use crate::error::check;
use crate::{Error, Partner, Physics, World};
use carom_broadphase::Circle;
use core::ops::ControlFlow;
use glam::DVec2;
use smallvec::SmallVec;

/// A list that results are added to.
trait Results {
    fn add(&mut self, body: Partner);
}

impl Results for Vec<Partner> {
    fn add(&mut self, body: Partner) {
        self.push(body);
    }
}

impl Results for SmallVec<[Partner; 32]> {
    fn add(&mut self, body: Partner) {
        self.push(body);
    }
}

/// What overlaps a point, a disc or a box at the present.
///
/// Shapes are closed: what touches overlaps. Half-planes, discs and what is outside a round room are solid;
/// segments, arcs and outlines are curves. The results are the discs, by serial number (the order in which
/// they were inserted), and then the walls, in the order in which they were put up, each once, with the first
/// of its parts that overlaps. O(result) expected where the grid schedules, else O(N) discs; of walls
/// those near by are looked at.
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
        let area = self.point_area(point.into())?;
        self.overwrite(&area, filter, found);
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
        let area = self.point_area(point.into())?;
        self.visit(&area, filter, see);
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
        let area = self.disc_area(center.into(), radius)?;
        self.overwrite(&area, filter, found);
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
        let area = self.disc_area(center.into(), radius)?;
        self.visit(&area, filter, see);
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
        let area = self.box_area(min.into(), max.into())?;
        self.overwrite(&area, filter, found);
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
        let area = self.box_area(min.into(), max.into())?;
        self.visit(&area, filter, see);
        Ok(())
    }

    fn point_area(&self, point: DVec2) -> Result<Area, Error> {
        check::point(["point.x", "point.y"], point)?;
        Ok(Area::Disc(Circle { center: point, radius: 0.0 }))
    }

    fn disc_area(&self, center: DVec2, radius: f64) -> Result<Area, Error> {
        check::point(["center.x", "center.y"], center)?;
        check::radius(radius)?;
        Ok(Area::Disc(Circle { center, radius }))
    }

    fn box_area(&self, min: DVec2, max: DVec2) -> Result<Area, Error> {
        check::point(["min.x", "min.y"], min)?;
        check::point(["max.x", "max.y"], max)?;
        let size = max - min;
        check::not_negative("max.x - min.x", size.x)?;
        check::not_negative("max.y - min.y", size.y)?;
        Ok(Area::Box { min, max })
    }

    fn overwrite(&self, area: &Area, filter: &QueryFilter<'_>, found: &mut Vec<Partner>) {
        found.clear();
        self.add_overlapping(area, filter, found);
        found.sort_unstable_by_key(|&body| self.rank(body));
        found.dedup_by(|later, earlier| is_same(*later, *earlier));
    }

    fn visit(&self, area: &Area, filter: &QueryFilter<'_>, mut see: impl FnMut(Partner) -> ControlFlow<()>) {
        let mut found = SmallVec::new();
        self.add_overlapping(area, filter, &mut found);
        found.sort_unstable_by_key(|&body| self.rank(body));
        found.dedup_by(|later, earlier| is_same(*later, *earlier));
        _ = found.into_iter().try_for_each(&mut see);
    }

    /// Adds all that overlaps, in no order and some more than once.
    #[inline(always)]
    fn add_overlapping(&self, area: &Area, filter: &QueryFilter<'_>, found: &mut impl Results) {
        self.each_disc(filter, &area.zone(), |slot, disc| {
            if area.overlaps_disc(disc, &self.bodies.periods) && self.passes_disc(filter, slot) {
                found.add(Partner::Disc(self.bodies.id(slot)));
            }
            f64::INFINITY
        });
        self.each_facet(filter, Some(&area.circle()), |f| {
            if area.overlaps_wall(&self.walls.facets[f as usize].shape_at(self.now))
                && self.passes_facet(filter, f)
            {
                found.add(self.part(f));
            }
        });
    }
}

/// Whether two are one disc, or parts of one wall.
fn is_same(one: Partner, other: Partner) -> bool {
    match (one, other) {
        (Partner::Disc(one), Partner::Disc(other)) => one == other,
        (Partner::Wall { wall: one, .. }, Partner::Wall { wall: other, .. }) => one == other,
        _ => false,
    }
}

use super::QueryFilter;
use super::area::Area;
use crate::{DiscId, Error, Partner, Physics, WallId, World};
use core::ops::ControlFlow;
use glam::DVec2;
use smallvec::SmallVec;

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
        let area = Area::point(point.into())?;
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
        let area = Area::point(point.into())?;
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
        let area = Area::disc(center.into(), radius)?;
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
        let area = Area::disc(center.into(), radius)?;
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
        let area = Area::of_box(min.into(), max.into())?;
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
        let area = Area::of_box(min.into(), max.into())?;
        self.visit(&area, filter, see);
        Ok(())
    }

    fn overwrite(&self, area: &Area, filter: &QueryFilter<'_>, found: &mut Vec<Partner>) {
        found.clear();
        self.each_overlapping(area, filter, |body| found.push(body));
        found.sort_unstable_by_key(|&body| self.rank(body));
        found.dedup_by_key(disc_or_wall);
    }

    fn visit(&self, area: &Area, filter: &QueryFilter<'_>, mut see: impl FnMut(Partner) -> ControlFlow<()>) {
        let mut found: SmallVec<[Partner; 32]> = SmallVec::new();
        self.each_overlapping(area, filter, |body| found.push(body));
        found.sort_unstable_by_key(|&body| self.rank(body));
        found.dedup_by_key(disc_or_wall);
        _ = found.into_iter().try_for_each(&mut see);
    }

    /// Shows all that overlaps, in no order and some more than once.
    #[inline(always)]
    fn each_overlapping(&self, area: &Area, filter: &QueryFilter<'_>, mut see: impl FnMut(Partner)) {
        self.each_disc(filter, &area.zone(), |slot, disc| {
            if area.overlaps_disc(disc, &self.bodies.periods) && self.passes_disc(filter, slot) {
                see(Partner::Disc(self.bodies.id(slot)));
            }
            f64::INFINITY
        });
        self.each_facet(filter, Some(&area.circle()), |f| {
            if area.overlaps_wall(&self.walls.facets[f as usize].shape_at(self.now))
                && self.passes_facet(filter, f)
            {
                see(self.walls.partner(f));
            }
        });
    }
}

/// Which of the two it is, whatever its part.
fn disc_or_wall(body: &mut Partner) -> (Option<DiscId>, Option<WallId>) {
    (body.disc(), body.wall())
}

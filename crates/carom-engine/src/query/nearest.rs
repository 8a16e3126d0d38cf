use super::area::nearest_image;
use super::search::Rank;
use super::{QueryFilter, shapes};
use crate::error::check;
use crate::{Error, Partner, Physics, World};
use carom_broadphase::{Circle, Zone};
use glam::DVec2;

/// A disc or wall near a point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Nearest {
    /// The disc, or the nearest part of the wall.
    pub body: Partner,
    /// The distance from the point to its surface, in length units; 0 if the point is in it.
    pub distance: f64,
    /// The nearest place of it: the point itself, if that is in it. In a periodic world that of the nearest
    /// image, not wrapped.
    pub point: DVec2,
}

/// The nearest so far.
struct Best<'a> {
    most: usize,
    found: &'a mut Vec<Nearest>,
}

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
        if most == 0 {
            return Ok(());
        }
        let mut best = Best { most, found };
        self.each_facet(filter, None, |f| {
            let near = shapes::nearest(&self.walls.facets[f as usize].shape_at(self.now), point);
            if let Some((distance, place)) = near
                && best.takes(distance)
                && self.passes_facet(filter, f)
            {
                self.add_near(&mut best, Nearest { body: self.walls.partner(f), distance, point: place });
            }
        });
        // Rings of twice the radius each, until they hold enough, or more cells than discs.
        let mut radius = self.scheduler.spacing();
        let most_cells = self.bodies.len() as f64;
        while radius > 0.0 {
            let cells = radius / self.scheduler.spacing();
            if cells * cells > most_cells {
                break;
            }
            self.add_discs_near(&mut best, &Zone::Circle(Circle { center: point, radius }), point, filter);
            if best.found.len() >= most && best.found.last().is_some_and(|last| last.distance <= radius) {
                return Ok(());
            }
            radius *= 2.0;
        }
        let everywhere = Zone::Circle(Circle { center: point, radius: f64::INFINITY });
        self.add_discs_near(&mut best, &everywhere, point, filter);
        Ok(())
    }

    fn add_discs_near(&self, best: &mut Best<'_>, zone: &Zone, point: DVec2, filter: &QueryFilter<'_>) {
        self.each_disc(filter, zone, |slot, disc| {
            let center = nearest_image(disc.position, point, &self.bodies.periods);
            let (distance, place) = shapes::nearest_of_disc(center, disc.radius, point);
            if best.takes(distance) && self.passes_disc(filter, slot) {
                let body = Partner::Disc(self.bodies.id(slot));
                self.add_near(best, Nearest { body, distance, point: place });
            }
            f64::INFINITY
        });
    }

    /// Adds one to the nearest, if it is among these and not there yet.
    fn add_near(&self, best: &mut Best<'_>, near: Nearest) {
        let key = |near: &Nearest| (near.distance, self.rank(near.body));
        let own: (f64, Rank) = key(&near);
        let found = &mut *best.found;
        if let Partner::Wall { wall, .. } = near.body
            && let Some(at) = found.iter().position(|other| other.body.wall() == Some(wall))
        {
            if key(&found[at]) <= own {
                return;
            }
            found.remove(at);
        }
        let place = found.partition_point(|other| key(other) < own);
        let is_there = found.get(place).is_some_and(|other| other.body == near.body);
        if is_there || place >= best.most {
            return;
        }
        if found.len() == best.most {
            found.pop();
        }
        found.insert(place, near);
    }
}

impl Best<'_> {
    /// Whether something at this distance may be among them.
    fn takes(&self, distance: f64) -> bool {
        self.found.len() < self.most || self.found.last().is_some_and(|last| distance <= last.distance)
    }
}

use super::search::{Rank, Search};
use super::shapes;
use crate::error::check;
use crate::{Error, Partner};
use carom_broadphase::{Circle, Slot, Zone};
use carom_math::sqrt;
use carom_math::toi::{self, Motion, squared_gap};
use glam::DVec2;

/// A half-line, or a stretch of it.
///
/// ```
/// # use carom_engine as carom;
/// use carom::Ray;
///
/// let shot = Ray::new([0.0, 0.0], [1.0, 1.0]).with_max_distance(10.0);
/// let line_of_sight = Ray::between([0.0, 0.0], [3.0, 4.0]);
/// assert_eq!(line_of_sight.max_distance, 5.0);
/// # let _ = shot;
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Ray {
    /// Where it starts; each coordinate in ±10¹⁵.
    pub origin: DVec2,
    /// Where it goes: any length from 10⁻¹⁵ to 10¹⁵, which means nothing.
    pub direction: DVec2,
    /// How far it goes, in length units; may be infinite.
    pub max_distance: f64,
}

impl Ray {
    /// A ray without an end.
    #[must_use]
    pub fn new(origin: impl Into<DVec2>, direction: impl Into<DVec2>) -> Self {
        Ray { origin: origin.into(), direction: direction.into(), max_distance: f64::INFINITY }
    }

    /// From one point to another, which must not be the same.
    #[doc(alias = "line_of_sight")]
    #[must_use]
    pub fn between(from: impl Into<DVec2>, to: impl Into<DVec2>) -> Self {
        let (from, to) = (from.into(), to.into());
        let way = to - from;
        Ray { origin: from, direction: way, max_distance: sqrt(way.length_squared()) }
    }

    setters! {
        /// That ends after this many length units.
        with_max_distance(max_distance: f64);
    }

    /// The point at a distance from the origin.
    #[must_use]
    pub fn at(&self, distance: f64) -> DVec2 {
        self.origin + self.direction * (distance / sqrt(self.direction.length_squared()))
    }

    /// The ray with a unit vector as its direction, if its numbers are in range.
    pub(crate) fn checked(&self) -> Result<Ray, Error> {
        check::point(["origin.x", "origin.y"], self.origin)?;
        check::point(["direction.x", "direction.y"], self.direction)?;
        let length = sqrt(self.direction.length_squared());
        check::length("length of the direction", length)?;
        check::extent("max_distance", self.max_distance)?;
        Ok(Ray { direction: DVec2::new(self.direction.x / length, self.direction.y / length), ..*self })
    }
}

/// Where a ray meets a disc or a part of a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RayHit {
    /// What it meets.
    pub body: Partner,
    /// The distance from the origin, in length units; 0 from inside.
    pub distance: f64,
    /// Where: the origin, from inside. In a periodic world along the ray, not wrapped.
    pub point: DVec2,
    /// The unit normal of the surface there, towards the side from which the ray comes; `None` if it starts
    /// inside, which includes the border.
    pub normal: Option<DVec2>,
}

impl RayHit {
    /// Whether the ray starts inside of what it meets.
    #[must_use]
    pub fn is_inside(&self) -> bool {
        self.normal.is_none()
    }
}

/// Rays at the present, with directions of length 1.
impl Search<'_> {
    /// The first thing that a ray meets.
    pub(crate) fn first_hit(&self, ray: &Ray) -> Option<RayHit> {
        let mut first: Option<(RayHit, Rank)> = None;
        let mut consider = |hit: RayHit, rank: Rank| {
            let is_first = first.is_none_or(|(best, of_best)| {
                (hit.distance, rank).partial_cmp(&(best.distance, of_best)).is_some_and(|order| order.is_lt())
            });
            if is_first {
                first = Some((hit, rank));
            }
        };
        // Walls first, as they end the way of the ray through the cells.
        let mut limit = ray.max_distance;
        self.each_facet_met(ray, |hit| {
            limit = limit.min(hit.distance);
            consider(hit, self.rank(hit.body));
            limit
        });
        self.each_disc_met(ray, limit, |hit, slot| {
            limit = limit.min(hit.distance);
            consider(hit, self.rank_of_disc(slot));
            limit
        });
        first.map(|(hit, _)| hit)
    }

    /// Calls `add` with all that a ray meets, some perhaps more than once.
    pub(crate) fn add_hits(&self, ray: &Ray, mut add: impl FnMut(RayHit)) {
        self.each_facet_met(ray, |hit| {
            add(hit);
            ray.max_distance
        });
        self.each_disc_met(ray, ray.max_distance, |hit, _| {
            add(hit);
            ray.max_distance
        });
    }

    /// Brings hits into their order: by distance, then by rank.
    pub(crate) fn sort_hits(&self, hits: &mut [RayHit]) {
        hits.sort_unstable_by(|a, b| {
            a.distance.total_cmp(&b.distance).then_with(|| self.rank(a.body).cmp(&self.rank(b.body)))
        });
    }

    /// Calls `see` with the parts of walls that a ray meets, some perhaps more than once; it returns up to
    /// which distance others still matter.
    fn each_facet_met(&self, ray: &Ray, mut see: impl FnMut(RayHit) -> f64) {
        if !self.filter.walls {
            return;
        }
        let mut limit = ray.max_distance;
        let point = Circle { center: ray.origin, radius: 0.0 };
        let (walls, now) = (&self.store.walls, self.store.now);
        walls.planes.each_along(&point, ray.direction, limit, |f| {
            let shape = walls.facets[f as usize].shape_at(now);
            if !self.is_end(f)
                && let Some((distance, normal)) = shapes::ray(&shape, ray.origin, ray.direction)
                && distance <= limit
                && self.passes_facet(f)
            {
                limit = see(hit_at(ray, walls.partner(f), distance, normal));
            }
            limit
        });
    }

    /// Calls `see` with the discs that a ray meets up to a distance, some perhaps more than once; it returns
    /// up to which distance others still matter.
    #[inline(always)]
    fn each_disc_met(&self, ray: &Ray, limit: f64, mut see: impl FnMut(RayHit, Slot) -> f64) {
        let circle = Circle { center: ray.origin, radius: 0.0 };
        let zone = Zone::Path { circle, direction: ray.direction, length: limit };
        let mut limit = limit;
        self.each_disc(&zone, |slot, disc| {
            if let Some((distance, normal)) = self.ray_meets(ray, disc, limit)
                && distance <= limit
                && self.passes_disc(slot)
            {
                limit = see(hit_at(ray, Partner::Disc(self.store.bodies.id(slot)), distance, normal), slot);
            }
            limit
        });
    }

    /// Where a ray meets a disc, in a periodic world the first of its images.
    #[inline(always)]
    fn ray_meets(&self, ray: &Ray, disc: &Motion, limit: f64) -> Option<shapes::Met> {
        let d = disc.position - ray.origin;
        if self.store.bodies.periods.is_open() {
            return shapes::ray_disc(d, disc.radius, ray.direction);
        }
        self.ray_meets_image(ray, d, disc.radius, limit)
    }

    /// As a point that moves at speed 1 meets the first image of a disc.
    fn ray_meets_image(&self, ray: &Ray, d: DVec2, radius: f64, limit: f64) -> Option<shapes::Met> {
        const FAR: f64 = 1e100;
        let periods = &self.store.bodies.periods;
        let nearest = periods.nearest(d);
        if squared_gap(nearest, radius) <= 0.0 {
            return Some((0.0, None));
        }
        let window = [0.0, limit.min(FAR)];
        let way = toi::disc_disc_images(d, -ray.direction, radius, periods, window, |_| false)?;
        let from_center = -periods.nearest(d - ray.direction * way);
        let normal = shapes::normal_of_disc(-from_center, ray.direction, 0.0);
        Some((way, Some(normal)))
    }
}

fn hit_at(ray: &Ray, body: Partner, distance: f64, normal: Option<DVec2>) -> RayHit {
    RayHit { body, distance, point: ray.origin + ray.direction * distance, normal }
}

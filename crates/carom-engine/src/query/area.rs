use super::shapes;
use crate::Error;
use crate::error::check;
use crate::walls::facet::Shape;
use carom_broadphase::{Circle, Zone};
use carom_math::toi::{Motion, squared_gap};
use carom_math::{Periods, sqrt};
use glam::DVec2;

/// A closed part of the plane.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Area {
    Disc(Circle),
    Box { min: DVec2, max: DVec2 },
}

impl Area {
    pub(crate) fn point(center: DVec2) -> Result<Self, Error> {
        check::point(["point.x", "point.y"], center)?;
        Ok(Area::Disc(Circle { center, radius: 0.0 }))
    }

    pub(crate) fn disc(center: DVec2, radius: f64) -> Result<Self, Error> {
        check::point(["center.x", "center.y"], center)?;
        check::radius(radius)?;
        Ok(Area::Disc(Circle { center, radius }))
    }

    pub(crate) fn of_box(min: DVec2, max: DVec2) -> Result<Self, Error> {
        check::point(["min.x", "min.y"], min)?;
        check::point(["max.x", "max.y"], max)?;
        check::not_negative("max.x - min.x", max.x - min.x)?;
        check::not_negative("max.y - min.y", max.y - min.y)?;
        Ok(Area::Box { min, max })
    }

    pub(super) fn zone(&self) -> Zone {
        match *self {
            Area::Disc(circle) => Zone::Circle(circle),
            Area::Box { min, max } => Zone::Box { min, max },
        }
    }

    /// A circle around it.
    pub(super) fn circle(&self) -> Circle {
        match *self {
            Area::Disc(circle) => circle,
            Area::Box { min, max } => {
                // With room for the rounding of the middle.
                let (size, scale) = (max - min, min.abs().max(max.abs()).max_element());
                let radius = 0.5 * sqrt(size.length_squared()) * (1.0 + 1e-12) + scale * 1e-15;
                Circle { center: (min + max) * 0.5, radius }
            }
        }
    }

    /// Whether a disc has a point in common with it.
    #[inline(always)]
    pub(super) fn overlaps_disc(&self, disc: &Motion, periods: &Periods) -> bool {
        match *self {
            Area::Disc(Circle { center, radius }) => {
                squared_gap(periods.nearest(disc.position - center), disc.radius + radius) <= 0.0
            }
            Area::Box { min, max } => {
                let at = nearest_image(disc.position, (min + max) * 0.5, periods);
                squared_gap((min - at).max(at - max).max(DVec2::ZERO), disc.radius) <= 0.0
            }
        }
    }

    /// Whether a part of a wall has a point in common with it.
    pub(super) fn overlaps_wall(&self, shape: &Shape) -> bool {
        match *self {
            Area::Disc(Circle { center, radius }) => shapes::overlaps_disc(shape, center, radius),
            Area::Box { min, max } => shapes::overlaps_box(shape, min, max),
        }
    }
}

/// The image of a place that is nearest to another one; the place itself where nothing is periodic.
pub(super) fn nearest_image(place: DVec2, to: DVec2, periods: &Periods) -> DVec2 {
    if periods.is_open() { place } else { to + periods.nearest(place - to) }
}

//! Where facets are: boxes and circles that contain them, with all that they sweep while they move.

use super::facet::{Facet, Shape};
use carom_math::{Arc, DVec2, sqrt};

/// The box that a facet can be hit in, and somewhat more; `None` if it has none: what is outside a round room
/// hits its wall wherever it is.
pub(crate) fn bounds(facet: &Facet) -> Option<[DVec2; 2]> {
    let [low, high] = match &facet.shape {
        Shape::HalfPlane(_) | Shape::Inside(_) => return None,
        Shape::Segment(segment) | Shape::OneSided(segment) => {
            let end = segment.start + segment.direction * segment.length;
            [segment.start.min(end), segment.start.max(end)]
        }
        Shape::OneSidedEnd { point, .. } | Shape::Point(point) => [*point, *point],
        Shape::Outside(circle) => around(circle.center, circle.radius),
        Shape::Arc(arc) => around(arc.circle.center, arc.circle.radius),
        Shape::Arm(arm) => around(arm.pivot, arm.reach()),
    };
    let (margin, way) = (DVec2::splat(facet.margin()), facet.way());
    Some([low.min(low + way) - margin, high.max(high + way) + margin])
}

fn around(center: DVec2, radius: f64) -> [DVec2; 2] {
    [center - DVec2::splat(radius), center + DVec2::splat(radius)]
}

/// Calls `see` with centres and radii of circles that cover the places where a facet is, and somewhat more,
/// of a length of `size` or less as far as that takes not too many. Stops, and returns `false`, if a call
/// does, or if the facet has no bounds: what is outside a round room hits its wall wherever it is.
pub(crate) fn cover(facet: &Facet, size: f64, mut see: impl FnMut(DVec2, f64) -> bool) -> bool {
    const MOST: f64 = 1024.0;
    let margin = facet.margin();
    if facet.way() != DVec2::ZERO {
        // All that it sweeps.
        return bounds(facet).is_some_and(|[low, high]| {
            see((low + high) * 0.5, sqrt((high - low).length_squared()) * (0.5 + 1e-9))
        });
    }
    let mut around = |center: DVec2, radius: f64| see(center, radius + margin);
    match &facet.shape {
        Shape::HalfPlane(_) | Shape::Inside(_) => false,
        Shape::OneSidedEnd { point, .. } | Shape::Point(point) => around(*point, 0.0),
        Shape::Outside(circle) => around(circle.center, circle.radius),
        // The circle over the chord holds the smaller of its two arcs.
        Shape::Arc(Arc { circle, first, last, major: false, full: false }) => {
            let half = (*last - *first) * (0.5 * circle.radius);
            let middle = circle.center + (*first + *last) * (0.5 * circle.radius);
            around(middle, sqrt(half.length_squared()))
        }
        Shape::Arc(Arc { circle, .. }) => around(circle.center, circle.radius),
        Shape::Arm(arm) => around(arm.pivot, arm.reach()),
        Shape::Segment(segment) | Shape::OneSided(segment) => {
            let parts = (segment.length / size).ceil().clamp(1.0, MOST);
            let half = 0.5 * segment.length / parts;
            (0..parts as u32)
                .all(|k| around(segment.start + segment.direction * (f64::from(2 * k + 1) * half), half))
        }
    }
}

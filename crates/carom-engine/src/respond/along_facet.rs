//! How a disc moves along a facet that it is held to.

use crate::walls::facet::{Facet, Shape};
use carom_math::toi::{Motion, Side};
use carom_math::tolerance::touch_slack;
use carom_math::{Arc, DVec2};
use carom_solver::Round;

/// The lines over which a disc leaves a facet at its ends, a little beyond these: there it is past the end
/// for sure.
pub(crate) fn exits_of(facet: &Facet, disc: &Motion) -> [Option<(f64, DVec2)>; 2] {
    // More than what counts as between the ends: see `gap_disc_segment_body` and `gap_disc_arc`.
    let norm1 = |p: DVec2| p.x.abs() + p.y.abs();
    let beyond = |anchor: DVec2, size: f64| 2.0 * touch_slack(norm1(disc.position) + norm1(anchor) + size);
    match &facet.shape {
        Shape::Segment(segment) | Shape::OneSided(segment) => {
            let beyond = beyond(segment.start, segment.length);
            let along = (disc.position - segment.start).dot(segment.direction);
            [
                Some((along + beyond, -segment.direction)),
                Some((segment.length - along + beyond, segment.direction)),
            ]
        }
        Shape::Arc(arc) if !arc.full => {
            let beyond = beyond(arc.circle.center, arc.circle.radius);
            let d = disc.position - arc.circle.center;
            let exit = |end: DVec2, outwards: DVec2| {
                // Of an arc longer than a half the line through an end is crossed elsewhere, too.
                (d.dot(end) > 0.0).then(|| (beyond - d.dot(outwards), outwards))
            };
            [exit(arc.first, -arc.first.perp()), exit(arc.last, arc.last.perp())]
        }
        _ => [None; 2],
    }
}

/// The circle along which a disc moves that keeps in contact with a facet; none if that is straight.
pub(crate) fn round_at(shape: &Shape, side: Side, disc: &Motion) -> Option<Round> {
    let outside =
        |center: DVec2, radius: f64| Round::new(center - disc.position, radius + disc.radius, false);
    match (shape, side) {
        (Shape::Point(point) | Shape::OneSidedEnd { point, .. }, _) => Some(outside(*point, 0.0)),
        (Shape::Outside(circle) | Shape::Arc(Arc { circle, .. }), Side::Front) => {
            Some(outside(circle.center, circle.radius))
        }
        (Shape::Inside(circle) | Shape::Arc(Arc { circle, .. }), _) => {
            Some(Round::new(circle.center - disc.position, circle.radius - disc.radius, true))
        }
        _ => None,
    }
}

use super::{DebugDraw, Mark};
use crate::{RegionShape, WallShape};
use carom_math::elementary::unit_vector;
use core::f64::consts::{FRAC_PI_2, PI, TAU};
use glam::DVec2;

/// The outline of a wall; lines without an end reach so far from the point that defines them.
pub(super) fn wall(shape: &WallShape, reach: f64, mark: Mark, to: &mut dyn DebugDraw) {
    match shape {
        WallShape::HalfPlane { point, normal } => endless(*point, *normal, reach, mark, to),
        WallShape::Segment { a, b } | WallShape::OneSidedSegment { a, b } => to.line(*a, *b, mark),
        WallShape::Disc { center, radius } => to.circle(*center, *radius, mark),
        WallShape::Circle { center, radius } => to.arc(*center, *radius, 0.0, TAU, mark),
        WallShape::Arc { center, radius, start, sweep } => to.arc(*center, *radius, *start, *sweep, mark),
        WallShape::Polyline { points, closed } => {
            for pair in points.windows(2) {
                to.line(pair[0], pair[1], mark);
            }
            if let (true, Some(first), Some(last)) = (closed, points.first(), points.last()) {
                to.line(*last, *first, mark);
            }
        }
        WallShape::Arm { pivot, length, radius, angle } => {
            let along = unit_vector(*angle);
            bar([*pivot, *pivot + along * *length], (along, *angle), *radius, mark, to);
        }
        WallShape::Capsule { a, b, radius } => {
            let along = (*b - *a).normalize_or_zero();
            bar([*a, *b], (along, along.to_angle()), *radius, mark, to);
        }
        WallShape::Container { min, max } => rectangle(*min, *max, mark, to),
        WallShape::Stadium { center, half_length, radius } => {
            let (along, up) = (DVec2::new(*half_length, 0.0), DVec2::new(0.0, *radius));
            to.line(*center - along - up, *center + along - up, mark);
            to.arc(*center + along, *radius, -FRAC_PI_2, PI, mark);
            to.line(*center + along + up, *center - along + up, mark);
            to.arc(*center - along, *radius, FRAC_PI_2, PI, mark);
        }
    }
}

/// A bar with round ends, in a direction that is also given as an angle.
fn bar([a, b]: [DVec2; 2], (along, angle): (DVec2, f64), radius: f64, mark: Mark, to: &mut dyn DebugDraw) {
    let across = along.perp() * radius;
    to.line(a + across, b + across, mark);
    to.line(a - across, b - across, mark);
    to.arc(a, radius, angle + FRAC_PI_2, PI, mark);
    to.arc(b, radius, angle - FRAC_PI_2, PI, mark);
}

/// The border of a region at `origin`; nothing of one that is a wall.
pub(super) fn region(shape: &RegionShape, origin: DVec2, reach: f64, mark: Mark, to: &mut dyn DebugDraw) {
    match *shape {
        RegionShape::Disc { center, radius } => to.circle(origin + center, radius, mark),
        RegionShape::Rectangle { min, max } => rectangle(origin + min, origin + max, mark, to),
        RegionShape::HalfPlane { point, normal } => endless(origin + point, normal, reach, mark, to),
        RegionShape::Segment { a, b } => to.line(origin + a, origin + b, mark),
        RegionShape::Wall { .. } => {}
    }
}

fn rectangle(min: DVec2, max: DVec2, mark: Mark, to: &mut dyn DebugDraw) {
    let corners = [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)];
    for (k, corner) in corners.into_iter().enumerate() {
        to.line(corner, corners[(k + 1) % 4], mark);
    }
}

fn endless(point: DVec2, normal: DVec2, reach: f64, mark: Mark, to: &mut dyn DebugDraw) {
    let along = normal.normalize_or_zero().perp() * reach;
    to.line(point - along, point + along, mark);
}

use super::facet::{Facet, Shape};
use carom_math::toi::{Memory, bent};
use carom_math::{Arc, Circle, DVec2, sqrt};
use smallvec::SmallVec;

/// When a disc on a parabola has parted from all of a wall, before `until`; infinite if it has not by then.
///
/// Of each part it is known where the path crosses the border of the places at which the disc overlaps it:
/// lines and circles. Between two crossings nothing changes, so the middle of the time between them tells
/// whether the disc overlaps something then.
pub(crate) fn parts(facets: &[Facet], path: &bent::Motion, until: f64) -> f64 {
    let mut times: SmallVec<[f64; 16]> = SmallVec::new();
    times.push(0.0);
    facets.iter().for_each(|facet| crossings(&facet.shape, path, until, &mut times));
    times.sort_unstable_by(f64::total_cmp);
    let overlaps = |k: usize| {
        let (from, to) = (times[k], times.get(k + 1).copied().unwrap_or(until));
        let middle = if to < f64::INFINITY { 0.5 * (from + to) } else { 2.0 * from + 1.0 };
        let at = path.after(middle).position;
        facets.iter().any(|facet| overlaps_at(&facet.shape, at, path.radius))
    };
    (0..times.len()).find(|&k| !overlaps(k)).map_or(f64::INFINITY, |k| times[k])
}

/// Adds the times before `until` at which the path crosses the border of the places where it overlaps a part.
fn crossings(shape: &Shape, path: &bent::Motion, until: f64, times: &mut SmallVec<[f64; 16]>) {
    match shape {
        Shape::HalfPlane(plane) => cross_line(path, plane.point, plane.normal, path.radius, until, times),
        Shape::Segment(segment) | Shape::OneSided(segment) => {
            let normal = segment.normal();
            for height in [-path.radius, path.radius] {
                cross_line(path, segment.start, normal, height, until, times);
            }
            // Beyond its ends there are the points.
            cross_line(path, segment.start, segment.direction, 0.0, until, times);
            cross_line(path, segment.start, segment.direction, segment.length, until, times);
        }
        Shape::Point(point) | Shape::OneSidedEnd { point, .. } => {
            cross_circle(path, *point, path.radius, until, times);
        }
        Shape::Outside(circle) => {
            cross_circle(path, circle.center, circle.radius + path.radius, until, times);
        }
        Shape::Inside(circle) => cross_circle(path, circle.center, circle.radius - path.radius, until, times),
        Shape::Arc(Arc { circle, first, last, full, .. }) => {
            for radius in [circle.radius - path.radius, circle.radius + path.radius] {
                cross_circle(path, circle.center, radius, until, times);
            }
            if !full {
                cross_line(path, circle.center, first.perp(), 0.0, until, times);
                cross_line(path, circle.center, last.perp(), 0.0, until, times);
            }
        }
        // All that it may sweep.
        Shape::Arm(arm) => cross_circle(path, arm.pivot, arm.reach() + path.radius, until, times),
    }
}

/// Adds the times at which a path is at a height over a line.
fn cross_line(
    path: &bent::Motion,
    point: DVec2,
    normal: DVec2,
    height: f64,
    until: f64,
    times: &mut SmallVec<[f64; 16]>,
) {
    let c = (path.position - point).dot(normal) - height;
    let (b, a) = (path.velocity.dot(normal), 0.5 * path.acceleration.dot(normal));
    let disc = b * b - 4.0 * a * c;
    if disc < 0.0 {
        return;
    }
    // Of the two roots the one without a difference, and by it the other.
    let q = -0.5 * (b + if b < 0.0 { -sqrt(disc) } else { sqrt(disc) });
    times.extend([c / q, q / a].into_iter().filter(|t| *t > 0.0 && *t < until));
}

/// Adds the times at which a path crosses a circle.
fn cross_circle(
    path: &bent::Motion,
    center: DVec2,
    radius: f64,
    until: f64,
    times: &mut SmallVec<[f64; 16]>,
) {
    if !(radius > 0.0) {
        return;
    }
    let circle = Circle { center, radius };
    let mut is_inside = (path.position - center).length_squared() < radius * radius;
    let mut at = 0.0;
    // A parabola crosses a circle four times at most.
    for _ in 0..5 {
        let ahead = bent::Motion { radius: 0.0, ..path.after(at) };
        let crossing = if is_inside { bent::disc_circle_inside } else { bent::disc_circle_outside };
        let Some(dt) = crossing(&ahead, &circle, Memory::None, until - at) else { return };
        at += dt;
        times.push(at);
        is_inside = !is_inside;
    }
}

/// Whether a disc with its centre at a place overlaps a part.
fn overlaps_at(shape: &Shape, at: DVec2, radius: f64) -> bool {
    let from = |center: DVec2| sqrt((at - center).length_squared());
    match shape {
        Shape::HalfPlane(plane) => (at - plane.point).dot(plane.normal) < radius,
        Shape::Segment(segment) | Shape::OneSided(segment) => {
            let d = at - segment.start;
            let along = d.dot(segment.direction);
            (0.0..=segment.length).contains(&along) && d.dot(segment.normal()).abs() < radius
        }
        Shape::Point(point) | Shape::OneSidedEnd { point, .. } => from(*point) < radius,
        Shape::Outside(circle) => from(circle.center) < circle.radius + radius,
        Shape::Inside(circle) => from(circle.center) > circle.radius - radius,
        Shape::Arc(arc) => {
            let d = at - arc.circle.center;
            arc.spans_within(d, 0.0) && (sqrt(d.length_squared()) - arc.circle.radius).abs() < radius
        }
        Shape::Arm(arm) => from(arm.pivot) < arm.reach() + radius,
    }
}

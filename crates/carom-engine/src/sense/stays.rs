use super::region::Form;
use crate::walls::facet::{Facet, Shape};
use carom_math::toi::bent::{self, stays_below, stays_within};
use carom_math::{Arc, DVec2, Segment};
use smallvec::SmallVec;

/// Times at which a disc is inside of a region, in seconds: stays that do not overlap, in order.
pub(super) type StayList = SmallVec<[[f64; 2]; 4]>;

/// Stays that are put together: of a parabola and a rectangle that sees edges up to sixteen.
type Parts = SmallVec<[[f64; 2]; 16]>;

/// When the disc on this path overlaps the region; one of radius 0 is its centre. `facets_of` gives the parts
/// of walls.
pub(super) fn stays_in<'f>(
    form: &Form,
    path: &bent::Motion,
    facets_of: impl FnOnce(u32) -> &'f [Facet],
) -> StayList {
    match *form {
        Form::Disc { center, radius } => {
            let path = bent::Motion { position: path.position - center, ..*path };
            stays_within(&path, radius + path.radius).as_slice().into()
        }
        Form::HalfPlane(plane) => below(path, plane.point, plane.normal, path.radius),
        Form::Rectangle { min, max } if path.radius == 0.0 => within_box(path, min, max, DVec2::ZERO),
        Form::Rectangle { min, max } => within_rounded_box(path, min, max),
        Form::Segment(ref segment) => within_capsule(path, segment),
        Form::Wall(wall) => {
            let parts = facets_of(wall).iter().map(|facet| stays_at(&facet.shape, path));
            union(parts.flatten().collect())
        }
    }
}

/// When the centre is below the line through `point`, or less than `offset` above it.
fn below(path: &bent::Motion, point: DVec2, normal: DVec2, offset: f64) -> StayList {
    let gap = (path.position - point).dot(normal) - offset;
    stays_below(gap, path.velocity.dot(normal), 0.5 * path.acceleration.dot(normal)).as_slice().into()
}

/// When the centre is in a rectangle that is wider by `wider` on both sides.
fn within_box(path: &bent::Motion, min: DVec2, max: DVec2, wider: DVec2) -> StayList {
    within_sides(
        path,
        [
            (max, DVec2::X, wider.x),
            (min, DVec2::NEG_X, wider.x),
            (max, DVec2::Y, wider.y),
            (min, DVec2::NEG_Y, wider.y),
        ],
    )
}

/// When the centre is below four lines: of each a point, its normal, and how much above counts as below.
fn within_sides(path: &bent::Motion, sides: [(DVec2, DVec2, f64); 4]) -> StayList {
    if path.acceleration == DVec2::ZERO {
        return within_sides_on_line(path, sides).into_iter().collect();
    }
    let mut inside: StayList = SmallVec::from_slice(&[[f64::NEG_INFINITY, f64::INFINITY]]);
    for (point, normal, offset) in sides {
        inside = common(&inside, &below(path, point, normal, offset));
        if inside.is_empty() {
            break;
        }
    }
    inside
}

/// As `within_sides`, on a straight path: the same bits.
fn within_sides_on_line(path: &bent::Motion, sides: [(DVec2, DVec2, f64); 4]) -> Option<[f64; 2]> {
    let (mut from, mut to) = (f64::NEG_INFINITY, f64::INFINITY);
    for (point, normal, offset) in sides {
        let gap = (path.position - point).dot(normal) - offset;
        let rate = path.velocity.dot(normal);
        if rate < 0.0 {
            from = from.max(gap / -rate);
        } else if rate > 0.0 {
            to = to.min(-gap / rate);
        } else if !(gap <= 0.0) {
            return None;
        }
    }
    (from < to).then_some([from, to])
}

/// Whether the path does not come within `radius` of a place.
fn passes_by(path: &bent::Motion, place: DVec2, radius: f64) -> bool {
    let path = bent::Motion { position: path.position - place, ..*path };
    stays_within(&path, radius * (1.0 + 1e-9)).as_slice().is_empty()
}

/// When a disc overlaps a part of a wall, without the ends that are parts of their own.
fn stays_at(shape: &Shape, path: &bent::Motion) -> StayList {
    let (r, all) = (path.radius, StayList::from_slice(&[[f64::NEG_INFINITY, f64::INFINITY]]));
    let within = |center: DVec2, radius: f64| -> StayList {
        let path = bent::Motion { position: path.position - center, ..*path };
        stays_within(&path, radius.max(0.0)).as_slice().into()
    };
    match *shape {
        Shape::HalfPlane(plane) => below(path, plane.point, plane.normal, r),
        Shape::Segment(ref segment) | Shape::OneSided(ref segment) => beside(path, segment),
        Shape::Point(point) | Shape::OneSidedEnd { point, .. } => within(point, r),
        Shape::Outside(circle) => within(circle.center, circle.radius + r),
        // Walls that are sensors do not turn.
        Shape::Arm(arm) => within(arm.pivot, arm.reach() + r),
        Shape::Inside(circle) => without(&within(circle.center, circle.radius - r)),
        Shape::Arc(ref arc) => {
            let center = arc.circle.center;
            let outer = within(center, arc.circle.radius + r);
            let band = common(&outer, &without(&within(center, arc.circle.radius - r)));
            // Left of the first end, and right of the last, as seen from the centre.
            let after = below(path, center, DVec2::new(arc.first.y, -arc.first.x), 0.0);
            let before = below(path, center, DVec2::new(-arc.last.y, arc.last.x), 0.0);
            let sector = match arc {
                Arc { full: true, .. } => all,
                Arc { major: true, .. } => union(after.into_iter().chain(before).collect()),
                _ => common(&after, &before),
            };
            common(&band, &sector)
        }
    }
}

/// When the centre is beside a segment by no more than the radius.
fn beside(path: &bent::Motion, segment: &Segment) -> StayList {
    let (r, start, along, across) = (path.radius, segment.start, segment.direction, segment.normal());
    let end = start + along * segment.length;
    within_sides(path, [(start, across, r), (start, -across, r), (start, -along, 0.0), (end, along, 0.0)])
}

/// When a disc overlaps a segment: while its centre is beside it by no more than its radius, or as near to an
/// end.
fn within_capsule(path: &bent::Motion, segment: &Segment) -> StayList {
    let middle = segment.start + segment.direction * (0.5 * segment.length);
    if passes_by(path, middle, 0.5 * segment.length + path.radius) {
        return StayList::new();
    }
    let mut inside = Parts::from_slice(&beside(path, segment));
    for end in [segment.start, segment.start + segment.direction * segment.length] {
        let path = bent::Motion { position: path.position - end, ..*path };
        inside.extend_from_slice(stays_within(&path, path.radius).as_slice());
    }
    union(inside)
}

/// When a disc overlaps a rectangle: while its centre is in one that is wider by its radius, in one that is
/// higher by it, or within the radius of a corner.
fn within_rounded_box(path: &bent::Motion, min: DVec2, max: DVec2) -> StayList {
    let r = path.radius;
    if passes_by(path, 0.5 * (min + max), 0.5 * min.distance(max) + r) {
        return StayList::new();
    }
    let mut inside = Parts::from_slice(&within_box(path, min, max, DVec2::new(r, 0.0)));
    inside.extend(within_box(path, min, max, DVec2::new(0.0, r)));
    for corner in [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)] {
        let path = bent::Motion { position: path.position - corner, ..*path };
        inside.extend_from_slice(stays_within(&path, r).as_slice());
    }
    union(inside)
}

/// The stays in both.
fn common(a: &StayList, b: &StayList) -> StayList {
    let mut both = StayList::new();
    for a in a {
        for b in b {
            let (from, to) = (a[0].max(b[0]), a[1].min(b[1]));
            if from < to {
                both.push([from, to]);
            }
        }
    }
    both
}

/// What is between the stays.
fn without(stays: &StayList) -> StayList {
    let mut rest = StayList::new();
    let mut since = f64::NEG_INFINITY;
    for &[from, to] in stays {
        if since < from {
            rest.push([since, from]);
        }
        since = to;
    }
    if since < f64::INFINITY {
        rest.push([since, f64::INFINITY]);
    }
    rest
}

/// The stays in any.
fn union(mut all: Parts) -> StayList {
    all.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]));
    let mut merged = StayList::new();
    for stay in all {
        match merged.last_mut() {
            Some(last) if stay[0] <= last[1] => last[1] = last[1].max(stay[1]),
            _ => merged.push(stay),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_testkit::rng::Rng;

    /// Against the distance from the rectangle at many times, but where that is rounding.
    #[test]
    fn stays_in_a_rectangle_are_those_of_the_distance() {
        let mut rng = Rng::new(5);
        let (min, max) = (DVec2::new(-1.0, -0.5), DVec2::new(1.0, 0.5));
        let mut point = |scale: f64| DVec2::new(rng.range(-scale, scale), rng.range(-scale, scale));
        let mut most = 0;
        for k in 0..4000 {
            let acceleration = if k % 3 == 0 { DVec2::ZERO } else { point(2.0) };
            let radius = if k % 2 == 0 { 0.0 } else { point(0.6).x.abs() };
            let path = bent::Motion { position: point(3.0), velocity: point(3.0), acceleration, radius };
            let stays = stays_in(&Form::Rectangle { min, max }, &path, |_| &[]);
            most = most.max(stays.len());
            assert!(stays.windows(2).all(|pair| pair[0][1] < pair[1][0]), "{stays:?}");
            for _ in 0..40 {
                let t = point(4.0).x;
                let at = path.after(t).position;
                let gap = (at - at.clamp(min, max)).length() - radius;
                let depth = (at - min).min_element().min((max - at).min_element());
                let is_near = gap.abs() < 1e-9 || (radius == 0.0 && depth.abs() < 1e-9);
                let is_inside = stays.iter().any(|[from, to]| *from <= t && t <= *to);
                assert!(is_near || is_inside == (gap <= 0.0), "{k}: {path:?} {stays:?} {t} {gap}");
            }
        }
        assert!(most >= 2, "some paths come twice");
    }
}

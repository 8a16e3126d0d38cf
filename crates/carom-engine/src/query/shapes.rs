use crate::walls::facet::Shape;
use carom_math::toi::{Arm, squared_gap};
use carom_math::tolerance::touch_slack;
use carom_math::{Arc, Circle, DVec2, HalfPlane, Segment, sqrt};

/// Whether a part of a wall overlaps a disc or touches it. Ends are parts of what they end.
pub(super) fn overlaps_disc(shape: &Shape, center: DVec2, radius: f64) -> bool {
    match shape {
        Shape::Outside(circle) => squared_gap(center - circle.center, circle.radius + radius) <= 0.0,
        Shape::Inside(circle) => {
            let room = circle.radius - radius;
            room <= 0.0 || squared_gap(center - circle.center, room) >= 0.0
        }
        _ => nearest(shape, center).is_some_and(|(distance, _)| distance <= radius),
    }
}

/// The distance of a point from a part of a wall, and the nearest place of that; `None` of ends.
pub(super) fn nearest(shape: &Shape, at: DVec2) -> Option<(f64, DVec2)> {
    let found = match shape {
        Shape::HalfPlane(HalfPlane { point, normal }) => {
            let height = (at - *point).dot(*normal);
            if height <= 0.0 { (0.0, at) } else { (height, at - *normal * height) }
        }
        Shape::Segment(segment) | Shape::OneSided(segment) => {
            let along = (at - segment.start).dot(segment.direction);
            let height = (at - segment.start).dot(segment.normal());
            let foot = segment.start + segment.direction * along.clamp(0.0, segment.length);
            let is_over = (0.0..=segment.length).contains(&along);
            (if is_over { height.abs() } else { length(at - foot) }, foot)
        }
        Shape::Outside(circle) => nearest_of_disc(circle.center, circle.radius, at),
        Shape::Inside(Circle { center, radius }) => {
            let distance = radius - length(at - *center);
            if distance <= 0.0 { (0.0, at) } else { (distance, *center + towards(at - *center) * *radius) }
        }
        Shape::Arc(arc) => nearest_of_arc(arc, at),
        Shape::Arm(arm) => nearest_of_arm(arm, at),
        Shape::OneSidedEnd { .. } | Shape::Point(_) => return None,
    };
    Some(found)
}

/// As [`nearest`], of a disc.
pub(super) fn nearest_of_disc(center: DVec2, radius: f64, at: DVec2) -> (f64, DVec2) {
    let d = at - center;
    if squared_gap(d, radius) <= 0.0 {
        return (0.0, at);
    }
    // What is nearly touching has the digits of its squares.
    let away = length(d);
    (squared_gap(d, radius) / (away + radius), center + towards(d) * radius)
}

fn nearest_of_arm(arm: &Arm, at: DVec2) -> (f64, DVec2) {
    let axis = arm.axis();
    let along = (at - axis.start).dot(axis.direction).clamp(0.0, axis.length);
    nearest_of_disc(axis.start + axis.direction * along, arm.radius, at)
}

fn nearest_of_arc(arc: &Arc, at: DVec2) -> (f64, DVec2) {
    let Circle { center, radius } = arc.circle;
    let d = at - center;
    if arc.spans_within(d, 0.0) && d != DVec2::ZERO {
        return ((length(d) - radius).abs(), center + towards(d) * radius);
    }
    let ends = [arc.first, arc.last].map(|end| center + end * radius);
    let [one, other] = ends.map(|end| length(at - end));
    if one <= other { (one, ends[0]) } else { (other, ends[1]) }
}

/// Whether a part of a wall overlaps a rectangle along the axes or touches it.
pub(super) fn overlaps_box(shape: &Shape, min: DVec2, max: DVec2) -> bool {
    let within = |at: DVec2| (at.cmpge(min) & at.cmple(max)).all();
    match shape {
        Shape::HalfPlane(HalfPlane { point, normal }) => {
            let lowest = DVec2::new(
                if normal.x > 0.0 { min.x } else { max.x },
                if normal.y > 0.0 { min.y } else { max.y },
            );
            (lowest - *point).dot(*normal) <= 0.0
        }
        Shape::Segment(segment) | Shape::OneSided(segment) => segment_meets_box(segment, min, max),
        Shape::Outside(Circle { center, radius }) => {
            squared_gap((min - *center).max(*center - max).max(DVec2::ZERO), *radius) <= 0.0
        }
        Shape::Inside(Circle { center, radius }) => {
            squared_gap((*center - min).max(max - *center), *radius) >= 0.0
        }
        Shape::Arc(arc) => {
            let Circle { center, radius } = arc.circle;
            let crosses = |axis: usize, at: f64| {
                let d = at - center[axis];
                let square = (radius - d) * (radius + d);
                let half = sqrt(square.max(0.0));
                square >= 0.0
                    && [half, -half].into_iter().any(|other| {
                        let from_center = if axis == 0 { DVec2::new(d, other) } else { DVec2::new(other, d) };
                        let across = 1 - axis;
                        let at = center[across] + other;
                        (min[across]..=max[across]).contains(&at) && arc.spans_within(from_center, 0.0)
                    })
            };
            [arc.first, arc.last].into_iter().any(|end| within(center + end * radius))
                || (0..2).any(|axis| crosses(axis, min[axis]) || crosses(axis, max[axis]))
        }
        Shape::Arm(arm) => arm_meets_box(arm, min, max),
        Shape::OneSidedEnd { .. } | Shape::Point(_) => false,
    }
}

/// The nearest places of a segment and a rectangle that do not overlap are an end of the one, or a corner of
/// the other.
fn arm_meets_box(arm: &Arm, min: DVec2, max: DVec2) -> bool {
    let axis = arm.axis();
    let ends = [axis.start, axis.start + axis.direction * axis.length];
    let is_near = |end: DVec2| (end - end.clamp(min, max)).length_squared() <= arm.radius * arm.radius;
    let corners = [min, max, DVec2::new(min.x, max.y), DVec2::new(max.x, min.y)];
    segment_meets_box(&axis, min, max)
        || ends.into_iter().any(is_near)
        || corners.into_iter().any(|corner| nearest_of_arm(arm, corner).0 <= 0.0)
}

/// By the separating axes: those of the box, and the segment's normal.
fn segment_meets_box(segment: &Segment, min: DVec2, max: DVec2) -> bool {
    let (start, end) = (segment.start, segment.start + segment.direction * segment.length);
    if (start.max(end).cmplt(min) | start.min(end).cmpgt(max)).any() {
        return false;
    }
    let normal = segment.normal();
    let corners = [min, max, DVec2::new(min.x, max.y), DVec2::new(max.x, min.y)];
    let heights = corners.map(|corner| (corner - start).dot(normal));
    heights.iter().any(|&height| height >= 0.0) && heights.iter().any(|&height| height <= 0.0)
}

/// Where a ray meets something: the distance, and the normal there, towards the side from which it comes;
/// `None` for one that starts inside.
pub(super) type Met = (f64, Option<DVec2>);

/// Where a ray from `origin` along a unit vector first meets a part of a wall.
pub(super) fn ray(shape: &Shape, origin: DVec2, direction: DVec2) -> Option<Met> {
    match shape {
        Shape::HalfPlane(HalfPlane { point, normal }) => {
            let (height, rate) = ((origin - *point).dot(*normal), direction.dot(*normal));
            if height <= 0.0 {
                return Some((0.0, None));
            }
            (rate < 0.0).then(|| (height / -rate, Some(*normal)))
        }
        Shape::Segment(segment) => ray_segment(segment, origin, direction),
        Shape::OneSided(segment) => {
            let height = (origin - segment.start).dot(segment.normal());
            if height >= 0.0 { ray_segment(segment, origin, direction) } else { None }
        }
        Shape::Outside(Circle { center, radius }) => ray_disc(*center - origin, *radius, direction),
        Shape::Inside(Circle { center, radius }) => {
            let d = origin - *center;
            if squared_gap(d, *radius) >= 0.0 {
                return Some((0.0, None));
            }
            let [_, exit] = crossings(d, *radius, direction)?;
            Some((exit, Some(-towards(d + direction * exit))))
        }
        Shape::Arc(arc) => ray_arc(arc, origin, direction),
        Shape::Arm(arm) => ray_arm(arm, origin, direction),
        Shape::OneSidedEnd { .. } | Shape::Point(_) => None,
    }
}

/// The first of its sides and its ends, which are discs.
fn ray_arm(arm: &Arm, origin: DVec2, direction: DVec2) -> Option<Met> {
    if nearest_of_arm(arm, origin).0 <= 0.0 {
        return Some((0.0, None));
    }
    let axis = arm.axis();
    let tip = axis.start + axis.direction * axis.length;
    let side = |sign: f64| Segment { start: axis.start + axis.normal() * (sign * arm.radius), ..axis };
    let sides = [1.0, -1.0].map(|sign| ray_segment(&side(sign), origin, direction));
    let ends = [axis.start, tip].map(|end| ray_disc(end - origin, arm.radius, direction));
    sides.into_iter().chain(ends).flatten().min_by(|a, b| a.0.total_cmp(&b.0))
}

/// The two distances at which a line crosses a circle, seen from `d` from its middle.
fn crossings(d: DVec2, radius: f64, direction: DVec2) -> Option<[f64; 2]> {
    let (along, cross) = (d.dot(direction), d.perp_dot(direction));
    let square = (radius - cross.abs()) * (radius + cross.abs());
    if !(square >= 0.0) {
        return None;
    }
    let (root, gap) = (sqrt(square), squared_gap(d, radius));
    // The root of larger magnitude adds two numbers of one sign; their product is the gap.
    let [near, far] = if along <= 0.0 {
        let far = root - along;
        [if far > 0.0 { gap / far } else { 0.0 }, far]
    } else {
        let near = -(along + root);
        [near, gap / near]
    };
    Some([near, far])
}

/// Where a ray meets a disc whose centre is at `d` from its origin.
#[inline(always)]
pub(super) fn ray_disc(d: DVec2, radius: f64, direction: DVec2) -> Option<Met> {
    // Most are missed by far.
    if d.perp_dot(direction).abs() > radius * (1.0 + 1e-12) {
        return None;
    }
    if squared_gap(d, radius) <= 0.0 {
        return Some((0.0, None));
    }
    if d.dot(direction) <= 0.0 {
        return None;
    }
    let [near, _] = crossings(-d, radius, direction)?;
    Some((near, Some(normal_of_disc(d, direction, near))))
}

/// The normal of a disc where a ray meets it: for one without a size, back along the ray.
pub(super) fn normal_of_disc(d: DVec2, direction: DVec2, distance: f64) -> DVec2 {
    let from_center = direction * distance - d;
    if from_center == DVec2::ZERO { -direction } else { towards(from_center) }
}

fn ray_segment(segment: &Segment, origin: DVec2, direction: DVec2) -> Option<Met> {
    let (from_start, normal) = (origin - segment.start, segment.normal());
    let (height, along) = (from_start.dot(normal), from_start.dot(segment.direction));
    let rate = direction.dot(normal);
    // Generous by the rounding of places, or a ray would slip between two that share an end.
    let slack = touch_slack(magnitude(origin) + magnitude(segment.start) + segment.length);
    let is_on = |along: f64| (-slack..=segment.length + slack).contains(&along);
    if height == 0.0 {
        if (0.0..=segment.length).contains(&along) {
            return Some((0.0, None));
        }
        let glide = direction.dot(segment.direction);
        let ahead = if along < 0.0 { -along } else { segment.length - along };
        return (rate == 0.0 && ahead * glide > 0.0).then(|| (ahead.abs(), Some(-direction)));
    }
    if !(height * rate < 0.0) {
        return None;
    }
    let distance = height / -rate;
    let met = (origin + direction * distance - segment.start).dot(segment.direction);
    is_on(met).then(|| (distance, Some(if height > 0.0 { normal } else { -normal })))
}

fn ray_arc(arc: &Arc, origin: DVec2, direction: DVec2) -> Option<Met> {
    let Circle { center, radius } = arc.circle;
    let d = origin - center;
    let slack = touch_slack(magnitude(origin) + magnitude(center) + radius);
    let gap = squared_gap(d, radius);
    if gap == 0.0 && arc.spans_within(d, 0.0) {
        return Some((0.0, None));
    }
    let [near, far] = crossings(d, radius, direction)?;
    let met = |distance: f64, sign: f64| {
        let at = d + direction * distance;
        arc.spans_within(at, slack).then(|| (distance, Some(towards(at) * sign)))
    };
    let from_outside = if near > 0.0 { met(near, 1.0) } else { None };
    from_outside.or_else(|| if far > 0.0 { met(far, -1.0) } else { None })
}

fn length(d: DVec2) -> f64 {
    sqrt(d.length_squared())
}

fn magnitude(p: DVec2) -> f64 {
    p.abs().max_element()
}

/// The unit vector along `d`; (1, 0) for none.
fn towards(d: DVec2) -> DVec2 {
    let length = length(d);
    if length > 0.0 { DVec2::new(d.x / length, d.y / length) } else { DVec2::X }
}

use super::disc_circle::{fits, fitting_slack, is_in_the_middle, leaves, polar};
use super::{Gap, Memory, Motion, Side, disc_disc};
use crate::shape::{norm, norm1};
use crate::tolerance::{ARC_END_TOUCHES, STEEP, touch_slack};
use crate::{Arc, DVec2, sqrt};

/// Time until a disc touches an arc, from outside or from inside, without its round ends.
///
/// From outside the first contact is where the centre enters the circle of radius `R + r`; if the arc is open
/// there, the disc flies in and meets the arc from inside, where the centre leaves the circle of radius
/// `R − r`. The side is the one that the disc remembers, else that of its centre.
#[inline]
#[must_use]
pub fn disc_arc(disc: &Motion, arc: &Arc, memory: Memory) -> Option<f64> {
    disc_arc_side(disc, arc, memory).map(|(t, _)| t)
}

/// Time until a disc touches an arc like in [`disc_arc`], and the side on which it does.
///
/// The side is taken from the path: at the place of contact a point may be rounded to the other one.
#[inline]
#[must_use]
pub fn disc_arc_side(disc: &Motion, arc: &Arc, memory: Memory) -> Option<(f64, Side)> {
    let (d, v) = (disc.position - arc.circle.center, disc.velocity);
    let fits_at = if fits(&arc.circle, disc.radius) { fits_at(arc, d, v) } else { None };
    let meets = |t: &f64| meets(arc, d, v, *t);
    let meets_in_front = |t: &f64| meets_in_front(arc, disc, *t);
    let from_inside = |t| (t, Side::Back);
    match side_of(d, arc, memory) {
        // On a straight path away from a circle there is no way back to it.
        Side::Front if memory.just_met() => None,
        // On the outer circle, if the arc is there; else it flies in through the opening and meets the arc
        // from inside, where it leaves the inner circle. A disc that fits meets all of the arc at once, in
        // its middle.
        Side::Front => {
            let outside = disc_disc(d, v, arc.circle.radius + disc.radius).filter(meets_in_front);
            outside.map(|t| (t, Side::Front)).or_else(|| {
                if let Some(t) = fits_at {
                    return stops(arc, v, memory).then(|| from_inside(t));
                }
                let room = arc.circle.radius - disc.radius;
                // A point on the outside of a wall that leads to the arc passes it.
                let passes = |_: &f64| memory.side().is_some() && grazes_end(arc, disc).is_some();
                let crossing = crossing_to_inside(d, v, room).filter(meets);
                crossing.filter(|t| !passes(t)).map(from_inside)
            })
        }
        Side::Back if fits_at.is_some() => fits_at.filter(|_| stops(arc, v, memory)).map(from_inside),
        // What the arc has just hit may slide over its end, and leaves its angles for good there.
        Side::Back if memory.just_met() => leaves(d, v, arc.circle.radius - disc.radius, true)
            .filter(|t| arc.spans_within(d + v * *t, 0.0) || (is_steep(d + v * *t, v) && meets(t)))
            .map(from_inside),
        Side::Back => leaves(d, v, arc.circle.radius - disc.radius, false).filter(meets).map(from_inside),
    }
}

/// When the centre of a disc that [`fits`] comes to the middle of the arc, or 0 if it is there; `None` if it
/// does not.
#[cold]
pub(super) fn fits_at(arc: &Arc, d: DVec2, v: DVec2) -> Option<f64> {
    let t = (-d.dot(v) / v.length_squared()).max(0.0);
    (v != DVec2::ZERO && norm1(d + v * t) <= 2.0 * fitting_slack(&arc.circle)).then_some(t)
}

/// Whether an arc stops what has its radius and is in its middle: all of it is touched, and the place ahead
/// is hit. What moves back from there, between the ends of a larger arc, has been.
pub(super) fn stops(arc: &Arc, v: DVec2, memory: Memory) -> bool {
    arc.spans_within(v, 0.0) && !(arc.major && memory.just_met())
}

/// Whether a disc meets the arc from outside at time `t`.
///
/// One that is no point and comes to the circle past the end meets the end point there, or comes into the
/// arc's angles later: what slides along a straight wall to a tangent arc would otherwise be deflected by it.
#[inline]
fn meets_in_front(arc: &Arc, disc: &Motion, t: f64) -> bool {
    let (d, v) = (disc.position - arc.circle.center, disc.velocity);
    let at = d + v * t;
    if is_point(arc, disc) {
        meets(arc, d, v, t) && grazes_end(arc, disc).is_none()
    } else {
        arc.spans_within(at, 0.0)
    }
}

/// Whether a path outwards at a place from the middle is no slide, nor a chord of one.
fn is_steep(at: DVec2, v: DVec2) -> bool {
    let outwards = at.dot(v);
    outwards > 0.0 && outwards * outwards > at.length_squared() * v.length_squared() * STEEP
}

/// When a point comes to the arc's end on a tangent that leads there, within rounding, like along a straight
/// wall that joins the arc. It meets the arc from inside there, if at all.
#[cold]
pub(super) fn grazes_end(arc: &Arc, disc: &Motion) -> Option<f64> {
    if arc.full || !is_point(arc, disc) {
        return None;
    }
    let (d, v, radius) = (disc.position - arc.circle.center, disc.velocity, arc.circle.radius);
    let slack = ARC_END_TOUCHES * touch_slack(norm1(arc.circle.center) + radius + norm1(d));
    let (entry, distance) = over_end(arc, d, v)?;
    let steepness = (d + v * entry).dot(v).abs();
    let grazes = steepness * steepness <= slack * radius * v.length_squared();
    (grazes && (distance - radius).abs() <= slack).then_some(entry)
}

/// When a centre comes over the arc's end, and its distance from the middle then.
pub(super) fn over_end(arc: &Arc, d: DVec2, v: DVec2) -> Option<(f64, f64)> {
    let end = if d.perp_dot(v) > 0.0 { arc.first } else { arc.last };
    let t = -end.perp_dot(d) / end.perp_dot(v);
    let distance = end.dot(d + v * t);
    // Now is 0, not −0, whichever way the arc is turned.
    ((0.0..f64::INFINITY).contains(&t) && distance > 0.0).then_some((t.abs(), distance))
}

/// Whether a disc is no larger than the rounding of its place.
fn is_point(arc: &Arc, disc: &Motion) -> bool {
    disc.radius <= touch_slack(norm1(arc.circle.center) + arc.circle.radius + norm1(disc.position))
}

/// Whether the contact at time `t` lies on the arc, generously by the error of the contact point.
///
/// The centre is placed to a few ulps of its path, and along the circle to a few ulps over `s`, the cosine
/// between path and normal, which is itself uncertain where the path grazes. Like at a segment, a point could
/// otherwise slip through where the arc joins a wall.
#[inline]
pub(super) fn meets(arc: &Arc, d: DVec2, v: DVec2, t: f64) -> bool {
    spans_where_met(arc, d + v * t, v, norm1(d))
}

/// Whether the contact is on the arc of a centre at `at` that moves with `v`, where `size` is the magnitude
/// of what the place is computed from.
#[inline]
pub(super) fn spans_where_met(arc: &Arc, at: DVec2, v: DVec2, size: f64) -> bool {
    let placing = touch_slack(norm1(arc.circle.center) + size + norm1(at));
    let steepness = at.dot(v).abs() / (norm1(at) * norm1(v));
    let least = sqrt(placing / norm1(at));
    arc.spans_within(at, placing / steepness.max(least))
}

/// For a centre outside the circle of radius `room`: when it leaves it again, if it enters at all.
fn crossing_to_inside(d: DVec2, v: DVec2, room: f64) -> Option<f64> {
    (room > 0.0 && disc_disc(d, v, room).is_some()).then(|| leaves(d, v, room, false)).flatten()
}

#[inline]
pub(super) fn side_of(d: DVec2, arc: &Arc, memory: Memory) -> Side {
    let radius = arc.circle.radius;
    memory.side().unwrap_or(if d.length_squared() >= radius * radius { Side::Front } else { Side::Back })
}

/// Distance of a disc from an arc; `None` where the nearest point is an end.
#[inline]
#[must_use]
pub fn gap_disc_arc(disc: &Motion, arc: &Arc, memory: Memory) -> Option<Gap> {
    let d = disc.position - arc.circle.center;
    if is_in_the_middle(disc, &arc.circle) {
        return Some(gap_in_the_middle(arc, disc));
    }
    if !arc.spans_within(d, touch_slack(norm1(arc.circle.center) + norm1(d))) {
        return None;
    }
    let (distance, away) = polar(d);
    Some(match side_of(d, arc, memory) {
        side @ Side::Front => {
            Gap { distance: distance - (arc.circle.radius + disc.radius), normal: -away, side }
        }
        side @ Side::Back => {
            Gap { distance: (arc.circle.radius - disc.radius) - distance, normal: away, side }
        }
    })
}

/// The gap of a disc that fits: to the place of the arc ahead of it, or to the end nearest to that.
#[cold]
fn gap_in_the_middle(arc: &Arc, disc: &Motion) -> Gap {
    let distance = (arc.circle.radius - disc.radius) - norm(disc.position - arc.circle.center);
    let (_, ahead) = polar(disc.velocity);
    let is_nearer_to_last = arc.last.dot(ahead) > arc.first.dot(ahead);
    let normal = match arc.spans_within(ahead, 0.0) {
        true => ahead,
        false if is_nearer_to_last => arc.last,
        false => arc.first,
    };
    Gap { distance, normal, side: Side::Back }
}

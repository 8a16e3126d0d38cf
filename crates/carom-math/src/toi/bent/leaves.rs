use crate::toi::squared_gap;
use crate::tolerance::BOUND_MARGIN;
use crate::{DVec2, sqrt};

/// A time before which a centre on the parabola `d + v t + ½ a t²` does not leave the circle of radius
/// `room` around the origin, in which it starts; infinite if that is not before `until`. What starts
/// outside and moves inwards does not come farther out than its start before that time; outside and moving
/// outwards it is 0.
///
/// Never late, and earlier than the time itself by a small factor: with `T` the time in which a path could
/// cross the circle, the quartic `|x|²` is at most `d·d + 2 (d·v) t + (v·v + d·a + max(v·a, 0) T + ¼ a·a T²)
/// t²` up to `T`. Two such steps, some 40 ns.
#[must_use]
pub fn leaves_circle(d: DVec2, v: DVec2, a: DVec2, room: f64, until: f64) -> f64 {
    let first = step(d, v, a, room);
    if !(first * (1.0 - BOUND_MARGIN) < until) {
        return f64::INFINITY;
    }
    let path = super::path::Path { d, v, a };
    let bound = (first + step(path.at(first), path.velocity(first), a, room)) * (1.0 - BOUND_MARGIN);
    if bound < until { bound } else { f64::INFINITY }
}

#[inline]
fn step(d: DVec2, v: DVec2, a: DVec2, room: f64) -> f64 {
    let (v2, a2) = (v.length_squared(), a.length_squared());
    let (speed, acceleration) = (sqrt(v2), sqrt(a2));
    // Straight on, or falling from rest, this is how long a diameter takes.
    let most = 4.0 * room / (speed + sqrt(v2 + 4.0 * acceleration * room));
    let distances = sqrt(d.length_squared()) * acceleration;
    let square =
        v2 + d.dot(a) + v.dot(a).max(0.0) * most + 0.25 * a2 * most * most + BOUND_MARGIN * (v2 + distances);
    let rate = d.dot(v);
    let gap = squared_gap(d, room * (1.0 - BOUND_MARGIN));
    most.min(first_above(square, rate, gap))
}

/// The first time at which `square t² + 2 rate t + gap` is positive and grows; 0 if it begins so.
#[inline]
fn first_above(square: f64, rate: f64, gap: f64) -> f64 {
    let disc = rate * rate - square * gap;
    if gap > 0.0 && (rate >= 0.0 || !(disc > 0.0)) {
        return 0.0;
    }
    if rate > 0.0 {
        return if disc > 0.0 { -gap / (rate + sqrt(disc)) } else { f64::INFINITY };
    }
    if square > 0.0 { (sqrt(disc.max(0.0)) - rate) / square } else { f64::INFINITY }
}

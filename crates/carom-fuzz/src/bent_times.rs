use crate::bytes::Bytes;
use crate::first_contact::{ERROR, is_first_contact, norm1};
use carom_engine::DVec2;
use carom_engine::math::toi::bent::{self, Motion};
use carom_engine::math::toi::{Memory, Side};
use carom_engine::math::{Arc, Circle, HalfPlane, Segment};

/// Any numbers for the times of impact on parabolas.
///
/// For every input: no panic, an end of all searches, and the same bits turned by half. Within the ranges
/// of the engine also: a time is none, or from 0 to the end of the motion; the shapes touch then, and did
/// not before.
pub(crate) fn bent_times(bytes: &mut Bytes, shape: u8) {
    let [position, velocity, acceleration] = [bytes.vector(), bytes.vector(), bytes.vector()];
    let disc = Motion { position, velocity, acceleration, radius: bytes.number() };
    let until = if bytes.below(2) == 0 { f64::INFINITY } else { bytes.number() };
    match shape {
        0 => discs(bytes, &disc, until),
        1 => half_plane(bytes, &disc, until),
        2 => circles(bytes, &disc, until),
        _ => parts(bytes, &disc, until),
    }
}

fn bits(t: Option<f64>) -> Option<u64> {
    t.map(f64::to_bits)
}

fn turned(disc: &Motion) -> Motion {
    let Motion { position, velocity, acceleration, radius } = *disc;
    Motion { position: -position, velocity: -velocity, acceleration: -acceleration, radius }
}

fn is_a_time(time: Option<f64>, until: f64) {
    assert!(time.is_none_or(|t| t >= 0.0 && t < until), "{time:?} before {until:?}");
}

/// Checks a contact against a gap that depends on time, for what is not in contact at the start.
///
/// `lengths` is the sum of those that the gap is made of, except for the path.
fn flight(disc: &Motion, time: Option<f64>, until: f64, lengths: f64, gap: impl Fn(DVec2) -> f64) {
    let (speed, acceleration) = (norm1(disc.velocity), norm1(disc.acceleration));
    // Without a contact, as long as the path bends and then some.
    let horizon = ((lengths / acceleration).sqrt() + speed / acceleration).min(until);
    let end = time.unwrap_or(horizon);
    let path = |t: f64| (speed + 0.5 * acceleration * t) * t;
    if !(end > 0.0 && end.is_finite() && path(end) <= 1e30) {
        return;
    }
    let gap = |t: f64| gap(disc.after(t).position);
    is_first_contact(time, end, |t| ERROR * (lengths + path(t)), gap);
}

fn discs(bytes: &mut Bytes, disc: &Motion, until: f64) {
    let Motion { position: d, velocity: v, acceleration: a, radius: reach } = *disc;
    let usual = bytes.are_in_range(&[reach]);
    for contact in [bent::disc_disc, bent::disc_disc_again] {
        let time = contact(d, v, a, reach, until);
        assert_eq!(bits(time), bits(contact(-d, -v, -a, reach, until)), "swapped");
        let mirrored = |v: DVec2| DVec2::new(-v.x, v.y);
        let there = contact(mirrored(d), mirrored(v), mirrored(a), reach, until);
        assert_eq!(bits(time), bits(there), "mirrored");
        let across = |v: DVec2| DVec2::new(v.y, v.x);
        assert_eq!(bits(time), bits(contact(across(d), across(v), across(a), reach, until)), "across");
        if usual {
            is_a_time(time, until);
        }
    }
    if usual {
        let time = bent::disc_disc(d, v, a, reach, until);
        flight(disc, time, until, norm1(d) + reach, |x| x.length() - reach);
        if d.length() < reach {
            let bound = bent::leaves_circle(d, v, a, reach, until);
            let inside = Motion { radius: 0.0, ..*disc };
            let circle = Circle { center: DVec2::ZERO, radius: reach };
            let leaves = bent::disc_circle_inside(&inside, &circle, Memory::None, until);
            assert!(leaves.is_none_or(|t| bound <= t * (1.0 + 1e-9)), "{leaves:?} {bound:e}");
        }
    }
}

fn memory(bytes: &mut Bytes) -> Memory {
    use Side::{Back, Front};
    let near = [Memory::Near(Front), Memory::Near(Back), Memory::Met(Front), Memory::Met(Back)];
    near.get(bytes.below(8)).copied().unwrap_or(Memory::None)
}

fn half_plane(bytes: &mut Bytes, disc: &Motion, until: f64) {
    let (point, normal) = (bytes.vector(), bytes.vector());
    let Some(plane) = HalfPlane::new(point, normal) else { return };
    let remembered = bent::disc_half_plane(disc, &plane, memory(bytes), until);
    if bytes.are_in_range(&[disc.radius]) {
        is_a_time(remembered, until);
        let time = bent::disc_half_plane(disc, &plane, Memory::None, until);
        let lengths = norm1(disc.position) + norm1(point) + disc.radius;
        flight(disc, time, until, lengths, |x| (x - point).dot(plane.normal) - disc.radius);
    }
}

fn circles(bytes: &mut Bytes, disc: &Motion, until: f64) {
    let circle = Circle { center: bytes.vector(), radius: bytes.number() };
    let memory = memory(bytes);
    let there = Circle { center: -circle.center, ..circle };
    for contact in [bent::disc_circle_outside, bent::disc_circle_inside] {
        let time = contact(disc, &circle, memory, until);
        assert_eq!(bits(time), bits(contact(&turned(disc), &there, memory, until)), "turned by half");
        if bytes.are_in_range(&[disc.radius, circle.radius]) {
            is_a_time(time, until);
        }
    }
    if !bytes.are_in_range(&[disc.radius, circle.radius]) {
        return;
    }
    let lengths = norm1(disc.position) + norm1(circle.center) + circle.radius + disc.radius;
    let distance = |x: DVec2| (x - circle.center).length();
    let outside = bent::disc_circle_outside(disc, &circle, Memory::None, until);
    flight(disc, outside, until, lengths, |x| distance(x) - (circle.radius + disc.radius));
    if circle.radius > disc.radius {
        let inside = bent::disc_circle_inside(disc, &circle, Memory::None, until);
        flight(disc, inside, until, lengths, |x| (circle.radius - disc.radius) - distance(x));
    }
}

/// Segments, their ends, and arcs.
fn parts(bytes: &mut Bytes, disc: &Motion, until: f64) {
    let (a, b, center) = (bytes.vector(), bytes.vector(), bytes.vector());
    let (Some(segment), Some(first), Some(last)) =
        (Segment::new(a, b), HalfPlane::new(a, a), HalfPlane::new(b, b))
    else {
        return;
    };
    let memory = memory(bytes);
    let arc = Arc {
        circle: Circle { center, radius: bytes.number() },
        first: first.normal,
        last: last.normal,
        major: first.normal.perp_dot(last.normal) < 0.0,
        full: bytes.below(4) == 0,
    };
    let there = Segment { start: -segment.start, direction: -segment.direction, ..segment };
    let circle = Circle { center: -center, ..arc.circle };
    let arc_there = Arc { circle, first: -arc.first, last: -arc.last, ..arc };
    let on_segment = bent::disc_segment_side(disc, &segment, memory, until);
    let on_arc = bent::disc_arc_side(disc, &arc, memory, until);
    let one_sided = bent::disc_one_sided_segment(disc, &segment, memory, until);
    let end = bent::disc_one_sided_end(disc, a, segment.normal(), memory, until);
    let same = |one: Option<(f64, Side)>, other: Option<(f64, Side)>| {
        assert_eq!(one.map(|(t, side)| (t.to_bits(), side)), other.map(|(t, side)| (t.to_bits(), side)));
    };
    same(on_segment, bent::disc_segment_side(&turned(disc), &there, memory, until));
    same(on_arc, bent::disc_arc_side(&turned(disc), &arc_there, memory, until));
    if bytes.are_in_range(&[disc.radius, arc.circle.radius]) {
        let times = [on_segment.map(|(t, _)| t), on_arc.map(|(t, _)| t), one_sided, end];
        times.into_iter().for_each(|time| is_a_time(time, until));
    }
}

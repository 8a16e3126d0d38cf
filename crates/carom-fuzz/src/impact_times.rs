use crate::bent_times::bent_times;
use crate::bytes::Bytes;
use crate::first_contact::{ERROR, is_first_contact, norm1};
use carom_engine::DVec2;
use carom_engine::math::toi::{self, Encounter, Memory, Motion};
use carom_engine::math::{Arc, Circle, HalfPlane, Segment};

/// First bytes below this are for straight paths.
const STRAIGHT: u8 = 252;

/// Any numbers for the time-of-impact functions.
///
/// For every input: no panic, and the same bits for the pair swapped, mirrored or turned. Within the ranges
/// of the engine also: a time is none or ≥ 0, the shapes touch then, and did not before.
pub fn impact_times(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    // Six straight shapes 42 times over, and four on parabolas.
    let shape = bytes.byte();
    if shape >= STRAIGHT {
        return bent_times(&mut bytes, shape - STRAIGHT);
    }
    let disc = Motion::new(bytes.vector(), bytes.vector(), bytes.number());
    match shape % 6 {
        0 => discs(&mut bytes, &disc),
        1 => half_plane(&mut bytes, &disc),
        2 => segment(&mut bytes, &disc),
        3 => circle(&mut bytes, &disc),
        4 => arc(&mut bytes, &disc),
        _ => one_sided(&mut bytes, &disc),
    }
}

fn at(disc: &Motion, t: f64) -> Motion {
    Motion { position: disc.position + disc.velocity * t, ..*disc }
}

fn is_a_time(time: Option<f64>) {
    assert!(time.is_none_or(|t| t >= 0.0), "{time:?}");
}

/// Checks a contact against a gap that depends on time, for who is not in contact at the start.
///
/// `lengths` is the sum of those that the gap is made of, except for the path. Without a contact the
/// flight is looked at up to `horizon`.
fn flight(time: Option<f64>, horizon: f64, speed: f64, lengths: f64, gap: impl Fn(f64) -> f64) {
    let end = time.unwrap_or(horizon);
    if !end.is_finite() || !(speed * end <= 1e30) {
        return;
    }
    is_first_contact(time, end, |t| ERROR * (lengths + speed * t), gap);
}

fn discs(bytes: &mut Bytes, disc: &Motion) {
    let other = Motion::new(bytes.vector(), bytes.vector(), bytes.number());
    let (d, v) = (other.position - disc.position, other.velocity - disc.velocity);
    let reach = disc.radius + other.radius;
    let time = toi::disc_disc(d, v, reach);
    let bits = |time: Option<f64>| time.map(f64::to_bits);
    assert_eq!(bits(time), bits(toi::disc_disc(-d, -v, reach)), "swapped");
    let mirrored = |v: DVec2| DVec2::new(-v.x, v.y);
    assert_eq!(bits(time), bits(toi::disc_disc(mirrored(d), mirrored(v), reach)), "mirrored");
    let turned = |v: DVec2| DVec2::new(-v.y, v.x);
    assert_eq!(bits(time), bits(toi::disc_disc(turned(d), turned(v), reach)), "turned by a quarter");
    let encounter = toi::disc_disc_encounter(d, v, reach);
    let usual = bytes.are_in_range(&[disc.radius, other.radius]);
    let share = toi::disc_disc_within(d, v, reach, bytes.number());
    if !usual || norm1(v) == 0.0 {
        return;
    }
    is_a_time(time);
    assert!(share.is_none_or(|share| (0.0..=1.0).contains(&share)), "{share:?}");
    if let Encounter::Through { enter, exit } = encounter {
        assert!(enter <= exit, "{encounter:?}");
    }
    // The same story, told twice.
    if let (Some(t), Encounter::Through { enter, .. }) = (time, encounter) {
        assert_eq!(t, enter.max(0.0), "{encounter:?}");
    }
    let closest = (-d.dot(v) / v.length_squared()).max(0.0);
    flight(time, closest, norm1(v), norm1(d) + reach, |t| (d + v * t).length() - reach);
}

fn memory(bytes: &mut Bytes) -> Memory {
    use toi::Side::{Back, Front};
    [
        Memory::None,
        Memory::None,
        Memory::Near(Front),
        Memory::Near(Back),
        Memory::Met(Front),
        Memory::Met(Back),
    ][bytes.below(6)]
}

fn half_plane(bytes: &mut Bytes, disc: &Motion) {
    let (point, normal) = (bytes.vector(), bytes.vector());
    let Some(plane) = HalfPlane::new(point, normal) else { return };
    let remembered = toi::disc_half_plane(disc, &plane, memory(bytes));
    if bytes.are_in_range(&[disc.radius]) {
        is_a_time(remembered);
        let time = toi::disc_half_plane(disc, &plane, Memory::None);
        let speed = norm1(disc.velocity);
        let lengths = norm1(disc.position) + norm1(point) + disc.radius;
        // Who flies along it is never caught; who comes is, if ever so late.
        let horizon = lengths.max(1.0) / speed;
        flight(time, horizon, speed, lengths, |t| toi::gap_disc_half_plane(&at(disc, t), &plane).distance);
    }
}

/// Distance of a point from the straight between the ends, and from the ends.
fn distance(segment: &Segment, p: DVec2) -> f64 {
    let from = p - segment.start;
    let along = from.dot(segment.direction).clamp(0.0, segment.length);
    (from - segment.direction * along).length()
}

fn segment(bytes: &mut Bytes, disc: &Motion) {
    let (a, b) = (bytes.vector(), bytes.vector());
    let Some(segment) = Segment::new(a, b) else { return };
    let memory = memory(bytes);
    let remembered =
        [toi::disc_segment(disc, &segment, memory), toi::disc_segment_body(disc, &segment, memory)];
    if !bytes.are_in_range(&[disc.radius]) || segment.length < 1e-15 {
        return;
    }
    remembered.into_iter().for_each(is_a_time);
    // A point that starts within rounding of the straight is on a side that only the engine knows.
    if disc.radius > 0.0 {
        let time = toi::disc_segment(disc, &segment, Memory::None);
        let speed = norm1(disc.velocity);
        let lengths = norm1(disc.position) + norm1(a) + segment.length + disc.radius;
        let horizon = lengths / speed;
        let gap = |t: f64| distance(&segment, at(disc, t).position) - disc.radius;
        let slack = |t: f64| ERROR * (lengths + speed * t);
        // Who comes at a glancing angle may meet the line beyond an end that it has passed within the slack.
        let passes = |end: DVec2, t: f64| {
            let miss = (end - disc.position).perp_dot(disc.velocity).abs() / disc.velocity.length();
            (miss - disc.radius).abs() <= slack(t)
        };
        let line = |t: f64| (at(disc, t).position - a).dot(segment.normal()).abs() - disc.radius;
        match time {
            Some(t) if gap(t) > slack(t) && line(t).abs() <= slack(t) && (passes(a, t) || passes(b, t)) => {}
            _ => flight(time, horizon, speed, lengths, gap),
        }
    }
}

fn one_sided(bytes: &mut Bytes, disc: &Motion) {
    let (a, b) = (bytes.vector(), bytes.vector());
    let Some(segment) = Segment::new(a, b) else { return };
    let memory = memory(bytes);
    let (body, end) = (
        toi::disc_one_sided_segment(disc, &segment, memory),
        toi::disc_one_sided_end(disc, a, segment.normal(), memory),
    );
    if bytes.are_in_range(&[disc.radius]) && segment.length >= 1e-15 {
        is_a_time(body);
        is_a_time(end);
    }
    let _ = (
        toi::gap_disc_segment_body(disc, &segment, memory),
        toi::gap_disc_one_sided_end(disc, a, segment.normal(), memory),
    );
}

fn circle(bytes: &mut Bytes, disc: &Motion) {
    let circle = Circle { center: bytes.vector(), radius: bytes.number() };
    let memory = memory(bytes);
    let remembered =
        [toi::disc_circle_outside(disc, &circle, memory), toi::disc_circle_inside(disc, &circle, memory)];
    if !bytes.are_in_range(&[disc.radius, circle.radius]) {
        return;
    }
    remembered.into_iter().for_each(is_a_time);
    let speed = norm1(disc.velocity);
    let lengths = norm1(disc.position) + norm1(circle.center) + circle.radius + disc.radius;
    let horizon = lengths / speed;
    let outside = toi::disc_circle_outside(disc, &circle, Memory::None);
    flight(outside, horizon, speed, lengths, |t| {
        toi::gap_disc_circle_outside(&at(disc, t), &circle).distance
    });
    if circle.radius > disc.radius {
        let inside = toi::disc_circle_inside(disc, &circle, Memory::None);
        flight(inside, horizon, speed, lengths, |t| {
            toi::gap_disc_circle_inside(&at(disc, t), &circle).distance
        });
    }
}

fn arc(bytes: &mut Bytes, disc: &Motion) {
    let (first, last) = (bytes.vector(), bytes.vector());
    let (Some(first), Some(last)) = (HalfPlane::new(DVec2::ZERO, first), HalfPlane::new(DVec2::ZERO, last))
    else {
        return;
    };
    let arc = Arc {
        circle: Circle { center: bytes.vector(), radius: bytes.number() },
        first: first.normal,
        last: last.normal,
        major: first.normal.perp_dot(last.normal) < 0.0,
        full: bytes.below(4) == 0,
    };
    let memory = memory(bytes);
    let time = toi::disc_arc_side(disc, &arc, memory);
    if !bytes.are_in_range(&[disc.radius, arc.circle.radius]) {
        return;
    }
    is_a_time(time.map(|(t, _)| t));
    // Where the contact is said to be, the disc is at the circle, from the side said; unless it was too far
    // over it at the start, or does not fit inside: then it turns back somewhere. One that has the radius of
    // the arc within the rounding of where that lies meets all of it at once, in its middle.
    let Some((t, side)) = time else { return };
    let speed = norm1(disc.velocity);
    let lengths = norm1(disc.position) + norm1(arc.circle.center) + arc.circle.radius + disc.radius;
    let distance = |t: f64| (at(disc, t).position - arc.circle.center).length() - arc.circle.radius;
    let slack = ERROR * (lengths + speed * t);
    if memory == Memory::None
        && distance(0.0).abs() - disc.radius >= slack
        && arc.circle.radius - disc.radius >= slack
        && !toi::fits(&arc.circle, disc.radius)
        && speed * t <= 1e30
    {
        let gap = side.sign() * distance(t) - disc.radius;
        assert!(gap.abs() <= slack, "at {t:e}, {side:?}, the gap is {gap:e}, allowed {slack:e}");
    }
}

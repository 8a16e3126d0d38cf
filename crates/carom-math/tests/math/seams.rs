//! Where two walls join, nothing slips between them: neither a point, nor from afar, nor at a glancing angle.

use std::f64::consts::{PI, TAU};

use carom_math::toi::{self, Memory, Motion};
use carom_math::{Arc, Circle, DVec2, Segment};
use proptest::prelude::*;

use crate::cases::{decades, few_ulps, scale, ulps, unit};
use crate::run::law;

/// A point that flies at `target` from `distance` away, from the direction `from`, aimed off by k ulps.
fn shot(target: DVec2, from: DVec2, distance: f64, (speed, k): (f64, (i64, i64))) -> Motion {
    let position = target + from * distance;
    Motion::new(DVec2::new(nudge(position.x, k.0), nudge(position.y, k.1)), -from * speed, 0.0)
}

fn nudge(x: f64, k: i64) -> f64 {
    if x < 0.0 { -ulps(-x, k) } else { ulps(x, k) }
}

/// An angle in (0, `whole`), often glancing at one of its legs.
fn fraction() -> impl Strategy<Value = f64> {
    one_of![1 => 0.01..0.99, 2 => decades(-6.0, -1.0), 2 => decades(-6.0, -1.0).prop_map(|x| 1.0 - x)]
}

/// The angle of a flight as a fraction, its distance as a power of ten up to this one, its speed, and by how
/// many ulps it is off.
fn flights(farthest: f64) -> impl Strategy<Value = (f64, f64, (f64, (i64, i64)))> {
    let small = (few_ulps().prop_map(|k| k % 4), few_ulps().prop_map(|k| k % 4));
    (fraction(), decades(-3.0, farthest), (scale(), small))
}

/// A place near the origin, or far from it.
fn places() -> impl Strategy<Value = DVec2> {
    let far = one_of![Just(0.0), decades(0.0, 6.0)];
    (-1.0..1.0, -1.0..1.0, far).prop_map(|(x, y, far)| DVec2::new(x, y) * far)
}

fn arc(circle: Circle, first: DVec2, last: DVec2) -> Arc {
    Arc { circle, first, last, major: false, full: false }
}

/// Found by this test: the stretches took a fixed few ulps of slack at their ends, but the foot of a glancing
/// or distant path is uncertain by more, and points slipped through shared vertices.
#[test]
fn nothing_slips_through_a_shared_vertex() {
    // The opening angle seen by the point; π for a straight wall of two segments.
    let opening = one_of![0.1..PI, Just(PI), Just(PI / 2.0)];
    let lengths = (decades(-1.0, 1.0), decades(-1.0, 1.0));
    let cases = (0.0..TAU, opening, lengths, places(), flights(6.0), scale());
    law("shared vertices", 60_000, 0.0, cases, |(turn, opening, lengths, origin, flight, length)| {
        let vertex = origin * length;
        let (alpha, distance, how) = flight;
        let before = Segment::new(vertex + unit(turn + opening) * (lengths.0 * length), vertex).unwrap();
        let after = Segment::new(vertex, vertex + unit(turn) * (lengths.1 * length)).unwrap();
        let disc = shot(vertex, unit(turn + alpha * opening), distance * length, how);
        let times = [&before, &after].map(|s| toi::disc_segment_body(&disc, s, Memory::None));
        match times {
            [None, None] => Err(format!("slipped through: {disc:?} {before:?} {after:?}")),
            _ => Ok(0.0),
        }
    });
}

fn arcs(circle: Circle, seam: f64, sweeps: (f64, f64)) -> [Arc; 2] {
    // Sweeps are below π. One direction for the seam, whose angle is rounded otherwise.
    let [first, seam, last] = [seam - sweeps.0, seam, seam + sweeps.1].map(unit);
    [arc(circle, first, seam), arc(circle, seam, last)]
}

/// Two arcs of one circle: where they join, one of them is met exactly when the whole circle is.
#[test]
fn nothing_slips_between_two_arcs() {
    let cases = (0.0..TAU, (0.1..3.1, 0.1..3.1), any::<bool>(), places(), flights(6.0), scale());
    law("arcs end to end", 60_000, 0.0, cases, |(seam, sweeps, inside, origin, flight, length)| {
        let circle = Circle { center: origin * length, radius: length };
        let (alpha, distance, how) = flight;
        let arcs = arcs(circle, seam, sweeps);
        let slant = (alpha - 0.5) * PI;
        let from = unit(if inside { seam + PI + slant } else { seam + slant });
        let distance = if inside { 2.0 * slant.cos() * distance.min(0.9) } else { distance };
        let disc = shot(circle.center + arcs[1].first * length, from, distance * length, how);
        let whole = toi::disc_arc(&disc, &Arc { full: true, ..arcs[0] }, Memory::None);
        let Some(time) = whole else { return Ok(0.0) };
        let at = disc.position + disc.velocity * time - circle.center;
        let from_seam = at.angle_to(arcs[1].first).abs();
        let times = arcs.map(|arc| toi::disc_arc(&disc, &arc, Memory::None));
        match from_seam < 0.09 && !times.contains(&whole) {
            true => Err(format!("slipped through at {time:e}: {times:?} {disc:?} {arcs:?}")),
            false => Ok(0.0),
        }
    });
}

#[test]
fn nothing_slips_between_a_straight_and_its_arc() {
    // A stadium's upper right seam: the straight ends where the half circle begins, with one tangent.
    law("stadium seams", 60_000, 0.0, (flights(0.0), 0.1..10.0, scale()), |(flight, half, length)| {
        let (alpha, distance, how) = flight;
        let half = half * length;
        let corner = DVec2::new(half, length);
        // Looking left, the room is to the left of it: the front.
        let straight = Segment::new(corner, DVec2::new(-half, length)).unwrap();
        let circle = Circle { center: DVec2::new(half, 0.0), radius: length };
        let arc = arc(circle, -DVec2::Y, DVec2::Y);
        let from = unit(PI + alpha * PI);
        // From below the straight anywhere in the room, from below the arc within the chord.
        let chord = if alpha < 0.5 { 1.0 } else { 1.9 * (alpha * PI).sin() };
        let disc = shot(corner, from, distance * chord * length, how);
        let inside = (disc.position - arc.circle.center).length() < length;
        if disc.position.y >= length || disc.position.x > half && !inside {
            return Ok(0.0);
        }
        let body = toi::disc_segment_body(&disc, &straight, Memory::None);
        // From the left half of the room a disc is outside the arc's circle, and enters it where it is open.
        let round = toi::disc_arc(&disc, &arc, Memory::None);
        match (body, round) {
            (None, None) => Err(format!("slipped through: {disc:?}")),
            _ => Ok(0.0),
        }
    });
}

/// Two circles of different size with one tangent at the top, the left half of one and the right half of the
/// other.
#[test]
fn nothing_slips_between_arcs_of_two_circles() {
    let cases = (flights(0.0), decades(-1.0, 1.0), places(), scale());
    law("arcs of two circles", 60_000, 0.0, cases, |(flight, ratio, origin, length)| {
        let (alpha, distance, how) = flight;
        let (top, radii) = (origin * length, [length, length * ratio]);
        let [left, right] = radii.map(|radius| Circle { center: top - DVec2::Y * radius, radius });
        let arcs = [arc(left, DVec2::Y, -DVec2::Y), arc(right, -DVec2::Y, DVec2::Y)];
        // From below the top at any angle, from within the half on that side.
        let radius = radii[usize::from(alpha > 0.5)];
        let chord = 1.9 * (alpha * PI).sin() * radius;
        let disc = shot(top, unit(PI + alpha * PI), distance * chord, how);
        let side = &arcs[usize::from(disc.position.x > top.x)].circle;
        if (disc.position - side.center).length() >= side.radius {
            return Ok(0.0);
        }
        match arcs.iter().any(|arc| toi::disc_arc(&disc, arc, Memory::None).is_some()) {
            true => Ok(0.0),
            false => Err(format!("slipped through: {disc:?} {arcs:?}")),
        }
    });
}

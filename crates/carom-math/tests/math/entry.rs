//! Contacts through the ends of surfaces, of discs that slide along a neighbour.

use carom_math::toi::{self, Memory, Motion, Side};
use carom_math::{Arc, Circle, DVec2, Segment};
use carom_testkit::rng::Rng;

use crate::cases::unit;

/// Along y = 0 to a quarter circle that starts at x = 1 and bends upwards: the centre reaches it at x = 1,
/// whether it is on the line of touching, an ulp below it, or a thousandth; it meets the arc's inside there
/// or never.
#[test]
fn a_tangent_enters_an_arc_at_its_end() {
    let circle = Circle { center: DVec2::new(1.0, 0.7), radius: 0.7 };
    let arc = Arc { circle, first: DVec2::NEG_Y, last: DVec2::X, major: false, full: false };
    for radius in [0.125, 0.3, 0.01] {
        for below in [0.0, f64::EPSILON, 1e-3 * radius] {
            let position = DVec2::new(-2.0, radius - below);
            let disc = Motion::new(position, DVec2::new(2.0, 0.0), radius);
            assert_eq!(
                toi::disc_arc_entry(&disc, &arc, Memory::None).map(|(t, side)| (t as f32, side)),
                Some((1.5, Side::Back))
            );
            // The other way it slides off.
            let back = Motion { velocity: -disc.velocity, ..disc };
            assert_eq!(toi::disc_arc_entry(&back, &arc, Memory::None), None);
        }
    }
}

/// The same over a kink of two segments: what is past the second line by up to its radius meets it at the
/// joint if it sinks, and only then.
#[test]
fn a_slide_enters_a_segment_at_its_end() {
    let mut rng = Rng::new(1);
    let mut number = || rng.unit();
    for _ in 0..20_000 {
        let (angle, bend) = (6.3 * number(), 1e-3 * (2.0 * number() - 1.0));
        let start = DVec2::new(number() - 0.5, number() - 0.5);
        let direction = unit(angle);
        let segment = Segment::new(start, start + direction).unwrap();
        let radius = 0.1 + number();
        let below = radius * if number() < 0.5 { 1e-12 * number() } else { 0.9 * number() };
        let before = 3.0 * number();
        let velocity = unit(-bend).rotate(direction) * (0.1 + number());
        let side = if number() < 0.5 { Side::Front } else { Side::Back };
        let above = radius - below + bend.tan() * before * side.sign();
        let position = start - direction * before + segment.normal() * (side.sign() * above);
        let disc = Motion::new(position, velocity, radius);
        let sinks = bend * side.sign() > 0.0;
        let got = toi::disc_segment_entry(&disc, &segment, Memory::None);
        let expected = before / velocity.dot(direction);
        match got {
            // Above the line at the joint by no more than rounding: the long side is met.
            None => assert!(!sinks || below < 1e-11, "{disc:?} {segment:?}"),
            Some((t, on)) => assert!(
                sinks && on == side && (t - expected).abs() < 1e-12 * (1.0 + expected),
                "{t} {expected}"
            ),
        }
    }
}

/// Where a random path enters the sector of an arc through an end, against the path itself: before, it is not
/// in the arc's angles, or it moves the other way; at it, it is past the surface and moves into it.
#[test]
fn entries_into_random_sectors() {
    let mut rng = Rng::new(2);
    let mut number = || rng.unit();
    let mut found = 0;
    for _ in 0..200_000 {
        let (from, sweep) = (6.3 * number(), 0.1 + 6.0 * number());
        let [first, last] = [from, from + sweep].map(unit);
        let circle = Circle { center: DVec2::new(number(), number()), radius: 1.0 };
        let arc = Arc { circle, first, last, major: sweep > core::f64::consts::PI, full: false };
        let radius = 0.4 * number();
        let position = circle.center + unit(6.3 * number()) * (3.0 * number());
        let disc = Motion::new(position, unit(6.3 * number()), radius);
        let entry = toi::disc_arc_entry(&disc, &arc, Memory::None);
        if toi::disc_arc(&disc, &arc, Memory::None).is_some() {
            continue;
        }
        let Some((t, side)) = entry else { continue };
        found += 1;
        let at = |t: f64| position + disc.velocity * t - circle.center;
        let outwards = at(t).dot(disc.velocity);
        let turns = outwards.abs() < 1e-9;
        assert!((turns || !arc.spans(at(t - 1e-7))) && arc.spans(at(t + 1e-7)), "{disc:?} {arc:?} {t}");
        let depth = at(t).length() - 1.0;
        let is_past = match side {
            Side::Back => outwards > -1e-9 && depth > -radius - 1e-12 && depth < 0.0,
            Side::Front => outwards < 0.0 && depth > 0.0 && depth < radius + 1e-12,
        };
        assert!(is_past, "{disc:?} {arc:?} {t} {side:?}");
    }
    assert!(found > 1000, "{found}");
}

//! Discs on parabolas against segments and arcs: which part is met, and from which side, is looked for in
//! small steps of time; the time of a contact with a surface is judged in many digits.

use carom_math::toi::{self, Memory, Side, bent};
use carom_math::{Arc, Circle, DVec2, Segment};
use carom_testkit::rng::{Rng, cases};

use super::families::Case;
use super::oracle::{Path, Vector};
use super::polynomial::Number;
use crate::oracle::U;

/// How long a path is followed, and in how many steps.
const HORIZON: f64 = 4.0;
const STEPS: u32 = 1500;

/// A place is clearly in a part or out of it by this. Contacts that are within it of being others are left
/// alone.
const CLEAR: f64 = 1e-7;

/// A wall, as far as this test sees it.
trait Wall: std::fmt::Debug {
    fn contact(&self, disc: &bent::Motion, memory: Memory) -> Option<(f64, Side)>;

    /// How far, by `disc`, the places from which it is touched on a side reach beyond its centre, towards
    /// the wall, and the rate at which it sinks into them. `None` where it is not over the wall by
    /// `margin`, or is on the other side.
    fn depth(&self, disc: &bent::Motion, side: Side, margin: f64) -> Option<(f64, f64)>;

    /// Whether it stops what sinks into it now, a step after it was so, if it is known how that was.
    fn stops(&self, _before: Option<&bent::Motion>) -> bool {
        true
    }

    /// How deep in it a disc may be at its contact with it.
    fn deepest(&self) -> f64 {
        f64::INFINITY
    }

    /// The exact distance of a disc from the surface over the speed of closing, and that speed.
    fn error(&self, disc: &bent::Motion, t: f64, side: Side) -> (f64, f64);
}

#[derive(Debug)]
struct Straight {
    segment: Segment,
    is_one_sided: bool,
}

impl Wall for Straight {
    fn contact(&self, disc: &bent::Motion, memory: Memory) -> Option<(f64, Side)> {
        if self.is_one_sided {
            let time = bent::disc_one_sided_segment(disc, &self.segment, memory, HORIZON);
            return time.map(|t| (t, Side::Front));
        }
        bent::disc_segment_side(disc, &self.segment, memory, HORIZON)
    }

    fn depth(&self, disc: &bent::Motion, side: Side, margin: f64) -> Option<(f64, f64)> {
        let from = disc.position - self.segment.start;
        let along = from.dot(self.segment.direction);
        let normal = self.segment.normal() * side.sign();
        let height = from.dot(normal);
        let is_over = (margin..=self.segment.length - margin).contains(&along) && height >= margin;
        let counts = side == Side::Front || !self.is_one_sided;
        (is_over && counts).then(|| (disc.radius - height, -disc.velocity.dot(normal)))
    }

    /// What is on its way through a one-sided one passes on, whatever it does there.
    fn stops(&self, before: Option<&bent::Motion>) -> bool {
        let depth = before.and_then(|before| self.depth(before, Side::Front, CLEAR));
        !self.is_one_sided || depth.is_some_and(|(depth, _)| depth < 0.0)
    }

    fn deepest(&self) -> f64 {
        if self.is_one_sided { CLEAR } else { f64::INFINITY }
    }

    fn error(&self, disc: &bent::Motion, t: f64, side: Side) -> (f64, f64) {
        let (time, half) = (Number::new(t), Number::new(0.5));
        let normal = Vector::from(self.segment.normal() * side.sign());
        let from = Vector::from(disc.position).minus(&self.segment.start.into());
        let a = Vector::from(disc.acceleration);
        let x = from.ahead(&disc.velocity.into(), &time).ahead(&a.times(&half), &time.squared());
        let closing = -Vector::from(disc.velocity).ahead(&a, &time).dot(&normal).f64();
        ((x.dot(&normal) - Number::new(disc.radius)).f64() / closing, closing)
    }
}

impl Wall for Arc {
    fn contact(&self, disc: &bent::Motion, memory: Memory) -> Option<(f64, Side)> {
        bent::disc_arc_side(disc, self, memory, HORIZON)
    }

    fn depth(&self, disc: &bent::Motion, side: Side, margin: f64) -> Option<(f64, f64)> {
        let from = disc.position - self.circle.center;
        let (distance, sign) = (from.length(), side.sign());
        let is_over = sign * (distance - self.circle.radius) >= margin
            && self.spans_within(from, -margin)
            && distance > margin;
        let surface = self.circle.radius + sign * disc.radius;
        is_over.then(|| (sign * (surface - distance), -sign * disc.velocity.dot(from / distance)))
    }

    fn error(&self, disc: &bent::Motion, t: f64, side: Side) -> (f64, f64) {
        let time = Number::new(t);
        let reach = self.circle.radius + side.sign() * disc.radius;
        let (d, v, a) = (disc.position - self.circle.center, disc.velocity, disc.acceleration);
        let path = Path::new(&Case { d, v, a, reach });
        let x = path.d.ahead(&path.v, &time).ahead(&path.half, &time.squared());
        let w = path.v.ahead(&path.half, &(&time + &time));
        let closing = -side.sign() * x.dot(&w).f64() / x.length();
        let gap = x.dot(&x) - Number::new(reach).squared();
        (side.sign() * gap.f64() / (x.length() + reach) / closing, closing)
    }
}

/// Everything that the rounding of a contact's place is in proportion to.
fn size(disc: &bent::Motion, t: f64) -> f64 {
    let lengths = disc.position.length() + disc.radius + 5.0;
    lengths + disc.velocity.length() * t + 0.5 * disc.acceleration.length() * t * t
}

/// Whether the disc sinks into the wall at a time, on a side, by a margin that may be negative.
fn sinks(wall: &dyn Wall, disc: &bent::Motion, t: f64, side: Side, margin: f64) -> bool {
    let depth = wall.depth(&disc.after(t), side, margin);
    depth.is_some_and(|(depth, rate)| depth >= margin && rate >= margin)
}

/// What has been seen of contacts: on either side, and with a surface.
#[derive(Debug, Default)]
struct Seen {
    front: u32,
    back: u32,
    surface: u32,
    largest: f64,
}

/// Compares a contact with what small steps of time see from `start` on.
fn check(wall: &dyn Wall, disc: &bent::Motion, memory: Memory, start: f64, seen: &mut Seen) {
    let got = wall.contact(disc, memory);
    let shown = || format!("{wall:?} {disc:?} {memory:?}: {got:?}");
    let end = got.map_or(HORIZON, |(t, _)| t);
    for k in 0..STEPS {
        let time = |k: u32| HORIZON * (f64::from(k) + 0.5) / f64::from(STEPS);
        let (t, before) = (time(k), k.checked_sub(1).map(|k| disc.after(time(k))));
        if t < start || t >= end - CLEAR || !wall.stops(before.as_ref()) {
            continue;
        }
        for side in [Side::Front, Side::Back] {
            assert!(!sinks(wall, disc, t, side, CLEAR), "{} in contact at {t}, {side:?}", shown());
        }
    }
    let Some((t, side)) = got else { return };
    *(if side == Side::Front { &mut seen.front } else { &mut seen.back }) += 1;
    assert!(sinks(wall, disc, t, side, -CLEAR), "{} no contact", shown());
    let depth = wall.depth(&disc.after(t), side, -CLEAR);
    assert!(depth.is_some_and(|(depth, _)| depth <= wall.deepest()), "{} on its way through", shown());
    let (error, closing) = wall.error(disc, t, side);
    let place = U * size(disc, t);
    // Where it comes over an end, or turns back, it is not at the surface.
    if (error * closing).abs() <= CLEAR && t > 0.0 && closing > 1e-3 && memory == Memory::None {
        let brackets = error.abs() / (place / closing + U * t);
        assert!(brackets <= 4.0, "{}: {brackets} brackets", shown());
        seen.surface += 1;
        seen.largest = seen.largest.max(brackets);
    }
}

fn disc(rng: &mut Rng, radii: &[f64]) -> bent::Motion {
    let [position, velocity, acceleration] = [2.0, 2.0, 3.0].map(|size| rng.vector(size));
    bent::Motion { position, velocity, acceleration, radius: rng.pick(radii) }
}

fn segment(rng: &mut Rng) -> Segment {
    let (a, b) = (rng.vector(1.5), rng.vector(1.5));
    Segment::new(a, b).unwrap()
}

fn arc(rng: &mut Rng) -> Arc {
    use std::f64::consts::{PI, TAU};
    let (from, sweep) = (rng.range(0.0, TAU), rng.range(0.1, TAU));
    let circle = Circle { center: rng.vector(0.5), radius: rng.range(0.3, 1.5) };
    let ends = [from, from + sweep].map(DVec2::from_angle);
    Arc { circle, first: ends[0], last: ends[1], major: sweep > PI, full: rng.chance(10) }
}

/// At its wall, as an impact left it, or pressed onto it.
fn at_wall(rng: &mut Rng, wall: &Arc, disc: &bent::Motion) -> (bent::Motion, Side) {
    let side = rng.pick(&[Side::Front, Side::Back]);
    let out = DVec2::from_angle(rng.range(0.0, std::f64::consts::TAU));
    let position = wall.circle.center + out * (wall.circle.radius + side.sign() * disc.radius);
    let away = disc.velocity.dot(out) * side.sign();
    let velocity = if away < 0.0 { disc.velocity - out * (2.0 * away * side.sign()) } else { disc.velocity };
    (bent::Motion { position, velocity, ..*disc }, side)
}

#[test]
fn segments() {
    let rng = &mut Rng::new(50);
    let mut seen = Seen::default();
    for _ in 0..cases(5000) {
        let disc = disc(rng, &[0.05, 0.3, 1.0]);
        let segment = segment(rng);
        let [both, front] = [false, true].map(|is_one_sided| Straight { segment, is_one_sided });
        check(&both, &disc, Memory::None, 0.0, &mut seen);
        check(&front, &disc, Memory::None, 0.0, &mut seen);
        // As an impact leaves it.
        let side = rng.pick(&[Side::Front, Side::Back]);
        let normal = segment.normal() * side.sign();
        let away = disc.velocity.dot(normal);
        let along = rng.range(0.0, segment.length);
        let met = bent::Motion {
            position: segment.start + segment.direction * along + normal * disc.radius,
            velocity: if away < 0.0 { disc.velocity - normal * (2.0 * away) } else { disc.velocity },
            ..disc
        };
        check(&both, &met, Memory::Met(side), 1e-3, &mut seen);
    }
    println!("segments and parabolas: {seen:?}");
    assert!(seen.front > 1000 && seen.back > 800 && seen.surface > 700);
}

#[test]
fn arcs() {
    let rng = &mut Rng::new(51);
    let mut seen = Seen::default();
    for _ in 0..cases(5000) {
        let disc = disc(rng, &[0.05, 0.2, 0.5]);
        let arc = arc(rng);
        // A disc that is larger than the circle covers its middle, where no side is.
        if disc.radius < arc.circle.radius {
            check(&arc, &disc, Memory::None, 0.0, &mut seen);
            let (met, side) = at_wall(rng, &arc, &disc);
            check(&arc, &met, Memory::Met(side), 1e-3, &mut seen);
        }
    }
    println!("arcs and parabolas: {seen:?}");
    assert!(seen.front > 800 && seen.back > 1500 && seen.surface > 800);
}

/// A point crosses no wall: between two small steps it is not on either side, unless there is a contact.
#[test]
fn points() {
    let rng = &mut Rng::new(52);
    let mut hits = [0; 2];
    for _ in 0..cases(5000) {
        let disc = disc(rng, &[0.0]);
        let (segment, arc) = (segment(rng), arc(rng));
        let straight = Straight { segment, is_one_sided: false };
        let contacts = [straight.contact(&disc, Memory::None), arc.contact(&disc, Memory::None)];
        let over = |k: usize, t: f64| {
            let at = disc.after(t).position;
            if k == 0 {
                let from = at - segment.start;
                let along = from.dot(segment.direction);
                ((CLEAR..segment.length - CLEAR).contains(&along), from.dot(segment.normal()))
            } else {
                let from = at - arc.circle.center;
                (arc.spans_within(from, -CLEAR), from.length() - arc.circle.radius)
            }
        };
        for (k, got) in contacts.into_iter().enumerate() {
            hits[k] += u32::from(got.is_some());
            let end = got.map_or(HORIZON, |(t, _)| t);
            let step = HORIZON / f64::from(STEPS);
            let crossing = (1..STEPS).map(|k| f64::from(k) * step).take_while(|t| *t < end).find(|t| {
                let (before, after) = (over(k, t - step), over(k, *t));
                before.0 && after.0 && before.1 * after.1 < 0.0
            });
            assert_eq!(crossing, None, "{segment:?} {arc:?} {disc:?}: {got:?}");
            if let Some((t, side)) = got {
                let (before, after) = (over(k, t - 1e-6), over(k, t + 1e-6));
                let sign = side.sign();
                assert!(
                    sign * before.1 > -1e-9 && sign * after.1 < 1e-9,
                    "{segment:?} {arc:?} {disc:?}: {got:?}"
                );
            }
        }
    }
    println!("points on parabolas: {hits:?} contacts with segments and arcs");
    assert!(hits[0] > 600 && hits[1] > 1000);
}

/// Without acceleration, the bits of the straight functions.
#[test]
fn straight_walls() {
    let rng = &mut Rng::new(53);
    for _ in 0..cases(5000) {
        let disc = bent::Motion { acceleration: DVec2::ZERO, ..disc(rng, &[0.0, 0.05, 0.3]) };
        let (segment, arc, straight) = (segment(rng), arc(rng), disc.straight());
        let memory = rng.pick(&[Memory::None, Memory::Near(Side::Front), Memory::Met(Side::Back)]);
        let entry = || toi::disc_segment_entry(&straight, &segment, memory);
        let expected = toi::disc_segment_side(&straight, &segment, memory).or_else(entry);
        assert_eq!(bent::disc_segment_side(&disc, &segment, memory, f64::INFINITY), expected);
        let entry = || toi::disc_arc_entry(&straight, &arc, memory);
        let expected = toi::disc_arc_side(&straight, &arc, memory).or_else(entry);
        assert_eq!(bent::disc_arc_side(&disc, &arc, memory, f64::INFINITY), expected);
        let (point, normal) = (segment.start, segment.normal());
        let end = bent::disc_one_sided_end(&disc, point, normal, memory, f64::INFINITY);
        assert_eq!(end, toi::disc_one_sided_end(&straight, point, normal, memory));
    }
}

/// A point that comes to the vertex that two segments share from one side of the two, and would leave it on
/// the other, meets one of them: from near and far, at any angle to them down to 10⁻⁶ rad.
#[test]
fn no_point_slips_through_a_vertex() {
    use std::f64::consts::TAU;
    let rng = &mut Rng::new(54);
    let mut aimed = 0;
    for _ in 0..cases(20_000) {
        let vertex = rng.vector(3.0);
        let [first, second, heading] = [0; 3].map(|_| rng.range(0.0, TAU));
        // Nearly straight on at the vertex, both walls are met at as flat an angle.
        let second = if rng.chance(50) { first + 0.5 * TAU + rng.pick(&[0.0, 1e-9, -1e-4]) } else { second };
        let glancing = 10f64.powf(rng.range(-6.0, 0.0));
        let heading = if rng.chance(50) { rng.pick(&[first, second]) + glancing } else { heading };
        let between = |angle: f64| (angle - first).rem_euclid(TAU) < (second - first).rem_euclid(TAU);
        if between(heading) == between(heading + 0.5 * TAU) {
            continue;
        }
        let [a, b] = [first, second].map(|angle| vertex + DVec2::from_angle(angle) * rng.range(0.5, 2.0));
        let at_vertex = bent::Motion {
            position: vertex,
            velocity: DVec2::from_angle(heading),
            acceleration: rng.vector(2.0),
            radius: 0.0,
        };
        let farthest = rng.pick(&[-1.0, -1.0, -1.0, 3.0]);
        let t = 10f64.powf(rng.range(-6.0, farthest));
        let disc = at_vertex.after(-t);
        // A path that turns back within rounding of the vertex is a graze.
        let closing = [first, second].map(|angle| (heading - angle).sin()).map(f64::abs);
        let depth = closing[0].min(closing[1]).powi(2) / (2.0 * disc.acceleration.length());
        if depth < 100.0 * U * size(&disc, t) {
            continue;
        }
        aimed += 1;
        let segments = [Segment::new(a, vertex).unwrap(), Segment::new(vertex, b).unwrap()];
        let contacts = segments.map(|s| bent::disc_segment_side(&disc, &s, Memory::None, f64::INFINITY));
        let first = contacts.into_iter().flatten().map(|(t, _)| t).fold(f64::INFINITY, f64::min);
        // By the place, which is known to some ulps, at the least angle between path and walls.
        let late = 1e8 * U * size(&disc, t);
        assert!(first <= t + late, "{segments:?} {disc:?}: {contacts:?}, aimed at {t}");
    }
    assert!(aimed > 5000, "{aimed}");
}

/// Nor where two arcs of a circle join, from inside or outside, down to 10⁻³ rad from the tangent.
#[test]
fn no_point_slips_between_arcs() {
    let rng = &mut Rng::new(57);
    let mut aimed = 0;
    for _ in 0..cases(20_000) {
        let circle = Circle { center: rng.vector(2.0), radius: rng.range(0.3, 1.5) };
        let joint = rng.range(0.0, 6.0);
        let [first, joint, last] =
            [joint - rng.range(0.1, 2.0), joint, joint + rng.range(0.1, 2.0)].map(DVec2::from_angle);
        let arc = |first, last| Arc { circle, first, last, major: false, full: false };
        let steepness = 10f64.powf(rng.range(-3.0, 0.0)) * rng.pick(&[1.0, -1.0]);
        let along = (1.0 - steepness * steepness).sqrt() * rng.pick(&[1.0, -1.0]);
        let at_joint = bent::Motion {
            position: circle.center + joint * circle.radius,
            velocity: joint * steepness + joint.perp() * along,
            acceleration: rng.vector(2.0),
            radius: 0.0,
        };
        let farthest = rng.pick(&[-1.0, -1.0, -1.0, 3.0]);
        let t = 10f64.powf(rng.range(-6.0, farthest));
        let disc = at_joint.after(-t);
        let place = U * size(&disc, t);
        let bend = 1.0 / circle.radius + disc.acceleration.length();
        if steepness * steepness / (2.0 * bend) < 100.0 * place {
            continue;
        }
        aimed += 1;
        let arcs = [arc(first, joint), arc(joint, last)];
        let contacts = arcs.map(|arc| bent::disc_arc_side(&disc, &arc, Memory::None, f64::INFINITY));
        let earliest = contacts.into_iter().flatten().map(|(t, _)| t).fold(f64::INFINITY, f64::min);
        assert!(earliest <= t + 1e5 * place, "{arcs:?} {disc:?}: {contacts:?}, aimed at {t}");
    }
    assert!(aimed > 10_000, "{aimed}");
}

/// What is turned by half meets turned walls at the same bits of time; and what is clearly on a side need not
/// remember it.
#[test]
fn walls_turned_by_half_and_sides_that_are_clear() {
    let rng = &mut Rng::new(55);
    for _ in 0..cases(5000) {
        let disc = disc(rng, &[0.0, 0.05, 0.3]);
        let (segment, arc) = (segment(rng), arc(rng));
        let on_segment = |memory| bent::disc_segment_side(&disc, &segment, memory, HORIZON);
        let on_arc = |memory| bent::disc_arc_side(&disc, &arc, memory, HORIZON);
        let turned = bent::Motion {
            position: -disc.position,
            velocity: -disc.velocity,
            acceleration: -disc.acceleration,
            ..disc
        };
        let memory = rng.pick(&[Memory::None, Memory::Near(Side::Front), Memory::Met(Side::Back)]);
        let there = Segment { start: -segment.start, direction: -segment.direction, ..segment };
        assert_eq!(on_segment(memory), bent::disc_segment_side(&turned, &there, memory, HORIZON));
        let circle = Circle { center: -arc.circle.center, ..arc.circle };
        let there = Arc { circle, first: -arc.first, last: -arc.last, ..arc };
        assert_eq!(on_arc(memory), bent::disc_arc_side(&turned, &there, memory, HORIZON));
        let height = (disc.position - segment.start).dot(segment.normal());
        let outside = (disc.position - arc.circle.center).length() - arc.circle.radius;
        let near = |height: f64| Memory::Near(if height > 0.0 { Side::Front } else { Side::Back });
        if height.abs() > CLEAR {
            assert_eq!(on_segment(near(height)), on_segment(Memory::None), "{disc:?} {segment:?}");
        }
        if outside.abs() > CLEAR && disc.radius < arc.circle.radius {
            assert_eq!(on_arc(near(outside)), on_arc(Memory::None), "{disc:?} {arc:?}");
        }
    }
}

/// Ends of one-sided segments: the first contact with the point, from the front and against the normal.
#[test]
fn one_sided_ends() {
    let rng = &mut Rng::new(56);
    let mut hits = 0;
    for _ in 0..cases(7000) {
        let disc = disc(rng, &[0.05, 0.3, 1.0]);
        let (point, normal) = (rng.vector(1.0), DVec2::from_angle(rng.range(0.0, 6.0)));
        let got = bent::disc_one_sided_end(&disc, point, normal, Memory::None, HORIZON);
        let state = |t: f64| {
            let disc = disc.after(t);
            let from = disc.position - point;
            let counts = from.dot(normal) > CLEAR && disc.velocity.dot(normal) < -CLEAR;
            (disc.radius - from.length(), -from.dot(disc.velocity), counts)
        };
        let step = HORIZON / f64::from(STEPS);
        for k in 1..STEPS {
            let (before, t) = (state(f64::from(k - 1) * step), f64::from(k) * step);
            let after = state(t);
            let crosses = before.0 < 0.0 && after.0 > 0.0 && before.2 && after.2;
            assert!(!crosses || got.is_some_and(|got| got <= t), "{disc:?} {point:?} {normal:?}: {got:?}");
        }
        if let Some(t) = got {
            hits += 1;
            let disc = disc.after(t);
            let (depth, _, _) = state(t);
            assert!(
                depth.abs() <= CLEAR && disc.velocity.dot(normal) < 0.0,
                "{disc:?} {point:?} {normal:?}: {t}"
            );
            assert!((disc.position - point).dot(normal) > 0.0, "{disc:?} {point:?} {normal:?}: {t}");
        }
    }
    assert!(hits > 200, "{hits}");
}

/// A point on the circle of an arc is outside: it does not meet it on its way outwards, nor one inwards
/// from the other side.
#[test]
fn on_the_circle_is_outside() {
    let (first, last) = (DVec2::new(0.0, -1.0), DVec2::new(0.0, 1.0));
    let circle = Circle { center: DVec2::ZERO, radius: 1.0 };
    let arc = Arc { circle, first, last, major: false, full: false };
    let at = |speed: f64| bent::Motion {
        position: DVec2::X,
        velocity: DVec2::new(speed, 0.0),
        acceleration: DVec2::new(0.25, 0.0),
        radius: 0.0,
    };
    let contact = |speed: f64| bent::disc_arc_side(&at(speed), &arc, Memory::None, f64::INFINITY);
    assert_eq!(contact(1.0), None);
    assert_eq!(contact(-1.0), Some((0.0, Side::Front)));
    // It flies out again: at rest after 1 s, half a unit inside, back after 2 s.
    let from_inside = bent::Motion { position: DVec2::new(0.5, 0.0), ..at(0.0) };
    let expected = bent::disc_arc_side(&from_inside, &arc, Memory::None, f64::INFINITY);
    assert_eq!(expected, Some((2.0, Side::Back)));
}

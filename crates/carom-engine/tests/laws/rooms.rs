//! Closed rooms are closed: discs that touch, slide or land on walls pass every joint of them.

use crate::common::rng::cases;
use carom_engine::{DVec2, Disc, Event, Sink, Smooth, StopReason, Turn, Wall, World};
use carom_math::elementary::sin_cos;
use carom_testkit::at as v;
use core::ops::ControlFlow;

fn unit(angle: f64) -> DVec2 {
    let (sine, cosine) = sin_cos(angle);
    v(cosine, sine)
}

/// How far a centre is outside the places that a stadium about the origin leaves it, given the radius of its
/// ends.
fn outside_stadium(at: DVec2, half_length: f64, room: f64) -> f64 {
    DVec2::new((at.x.abs() - half_length).max(0.0), at.y).length() - room
}

/// A disc that slides exactly along the straight of a stadium goes round its end.
#[test]
fn a_slide_along_a_straight_goes_on_round_the_bend() {
    let mut w = World::new();
    w.add_wall(Wall::stadium(v(0., 0.), 0.5, 0.5)).unwrap();
    let id = w.insert(Disc::new(v(0., 0.375), 0.125).with_velocity(v(1., 0.))).unwrap();
    for _ in 0..300 {
        let end = w.advance(0.1).unwrap();
        assert_eq!(end.end, StopReason::Reached);
        let at = w.get(id).unwrap().position();
        let outside = outside_stadium(at, 0.5, 0.375);
        assert!(outside < 1e-15 && outside > -1e-6, "{at} {outside:e}");
        assert!((w.get(id).unwrap().velocity().length() - 1.0).abs() < 1e-15);
    }
    let counters = w.counters();
    // 30 s at this speed are 6.8 rounds, each with two half circles.
    assert!(counters.slides <= 7 * 2300 && counters.wall_impacts <= 14, "{counters:?}");
}

/// The plastic disc that lands on the straight, and the table corner of a segment, a quarter arc and a
/// segment.
#[test]
fn a_plastic_disc_that_lands_and_a_corner_of_a_table() {
    let mut w = World::new();
    w.add_wall(Wall::stadium(v(0., 0.), 1.0, 0.7)).unwrap();
    let id = w.insert(Disc::new(v(0., 0.), 0.125).with_velocity(v(1., 1.)).with_restitution(0.)).unwrap();
    w.advance(30.0).unwrap();
    let outside = outside_stadium(w.get(id).unwrap().position(), 1.0, 0.575);
    assert!(outside < 1e-15 && outside > -1e-6, "{outside:e}");

    let mut w = World::new();
    w.add_wall(Wall::segment(v(0., 1.), v(2., 1.))).unwrap();
    w.add_wall(Wall::arc(v(2., 0.), 1.0, 0.0, core::f64::consts::FRAC_PI_2)).unwrap();
    w.add_wall(Wall::segment(v(3., 0.), v(3., -9.))).unwrap();
    let id = w.insert(Disc::new(v(0., 0.875), 0.125).with_velocity(v(1., 0.))).unwrap();
    w.advance(4.0).unwrap();
    let at = w.get(id).unwrap().position();
    assert!((at.x - 2.875).abs() < 1e-6 && at.y < 0.0, "{at}");
}

/// What does not bounce slides round a round room: 10⁷ impacts in 5 s without that, here one and at most 2300
/// chords a turn.
#[test]
fn a_plastic_disc_slides_round_a_round_room() {
    let mut w = World::new();
    w.add_wall(Wall::circle(v(0., 0.), 10.0)).unwrap();
    let id = w.insert(Disc::new(v(3., 0.), 0.5).with_velocity(v(0.6, 0.588)).with_restitution(0.)).unwrap();
    w.advance(5000.0).unwrap();
    let turns = 5000.0 * 0.84 / (core::f64::consts::TAU * 9.5);
    let counters = w.counters();
    assert_eq!(counters.wall_impacts, 1);
    assert!(counters.slides > 0 && (counters.slides as f64) < 2300.0 * turns, "{counters:?}");
    let outside = w.get(id).unwrap().position().length() - 9.5;
    assert!(outside < 1e-14 && outside > -9.5e-6, "{outside:e}");
}

/// Numbers from a fixed seed.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() * n as f64) as usize
    }

    /// One of some values; in place of one that is no number any from 0 to 1.
    fn of<const N: usize>(&mut self, values: [f64; N]) -> f64 {
        let value = values[self.below(N)];
        if value.is_nan() { self.next() } else { value }
    }
}

/// A part of the outline of a room, which goes round it counter-clockwise.
#[derive(Clone, Copy, Debug)]
enum Part {
    Line(DVec2, DVec2),
    /// Centre, radius, first angle and sweep; bent to the left as seen from inside: hollow.
    Bend(DVec2, f64, f64, f64),
}

/// A convex room of straights and tangent arcs: a polygon with its corners rounded, or not, by a disc of
/// radius `round`.
fn random_room(number: &mut Numbers) -> (Vec<Part>, f64) {
    let corners = 3 + number.below(5);
    let (mut angles, quantised) = (Vec::new(), number.below(3) == 0);
    for k in 0..corners {
        let step = core::f64::consts::TAU / corners as f64;
        angles.push(step * (k as f64 + if quantised { 0.0 } else { 0.6 * number.next() }));
    }
    // A circle around the room on which the corners of the inner polygon lie.
    let size = number.of([1.0, 2.0, 0.3, 100.0]);
    let corner = |angle: f64| unit(angle) * size;
    let points: Vec<DVec2> = angles.iter().map(|&angle| corner(angle)).collect();
    let round = if number.below(4) == 0 { 0.0 } else { size * number.of([0.25, 0.5, 1.0, f64::NAN]) };
    let mut parts = Vec::new();
    let normal = |k: usize| {
        let along = points[(k + 1) % corners] - points[k];
        v(along.y, -along.x) / along.length()
    };
    for k in 0..corners {
        let (n, next) = (normal(k), normal((k + 1) % corners));
        let (a, b) = (points[k], points[(k + 1) % corners]);
        parts.push(Part::Line(a + n * round, b + n * round));
        if round > 0.0 {
            let (first, last) = (n.y.atan2(n.x), next.y.atan2(next.x));
            parts.push(Part::Bend(b, round, first, (last - first).rem_euclid(core::f64::consts::TAU)));
        }
    }
    (parts, round)
}

/// How far a place is outside the inner polygon grown by `by`, of the parts' room: by geometry of its own.
fn outside(parts: &[Part], at: DVec2) -> f64 {
    // The room is the intersection of the half-planes, with the bends cutting its corners.
    let mut most = f64::NEG_INFINITY;
    for part in parts {
        match *part {
            Part::Line(a, b) => {
                let along = (b - a) / (b - a).length();
                most = most.max((at - a).dot(v(along.y, -along.x)));
            }
            Part::Bend(center, radius, first, sweep) => {
                let d = at - center;
                let turned = (d.y.atan2(d.x) - first).rem_euclid(core::f64::consts::TAU);
                if turned < sweep {
                    most = most.max(d.length() - radius);
                }
            }
        }
    }
    most
}

/// Where a disc of radius `r` starts on a part, at the share `s` of it, and the tangent there.
fn start(part: Part, r: f64, s: f64) -> (DVec2, DVec2) {
    match part {
        Part::Line(a, b) => {
            let along = (b - a) / (b - a).length();
            (a + (b - a) * s + v(-along.y, along.x) * r, along)
        }
        Part::Bend(center, radius, first, sweep) => {
            let out = unit(first + s * sweep);
            (center + out * (radius - r), v(-out.y, out.x))
        }
    }
}

/// One room with a disc in it; what it looks like if the disc gets out.
fn try_room(seed: u64) -> Result<u64, String> {
    let number = &mut Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    for _ in 0..4 {
        number.next();
    }
    let (parts, round) = random_room(number);
    let mut w = World::new();
    let e = number.of([0.0, 0.0, 0.5, 0.9, 1.0, 1.0]);
    let order = number.below(parts.len());
    for k in 0..parts.len() {
        let wall = match parts[(k + order) % parts.len()] {
            Part::Line(a, b) => {
                if number.below(2) == 0 {
                    Wall::segment(a, b)
                } else {
                    Wall::segment(b, a)
                }
            }
            Part::Bend(center, radius, first, sweep) => Wall::arc(center, radius, first, sweep),
        };
        w.add_wall(wall).map_err(|error| error.to_string())?;
    }
    let size = parts
        .iter()
        .map(|part| match part {
            Part::Line(a, b) => a.abs().max(b.abs()).max_element(),
            Part::Bend(..) => 0.0,
        })
        .fold(0.0, f64::max);
    // Small enough for the corners: the inner polygon has a fifth of its size for it.
    let r = (if round > 0.0 { round } else { size }) * number.of([0.125, 0.01, 0.05, 0.2]);
    let part = parts[number.below(parts.len())];
    let (at, tangent) = start(part, r, 0.05 + 0.9 * number.next());
    let inwards = v(-tangent.y, tangent.x);
    let tangent = if number.below(2) == 0 { tangent } else { -tangent };
    let nudge = number.of([0.0, 0.0, f64::EPSILON, -f64::EPSILON]) * size;
    let tilt = number.of([0.0, 0.0, 1e-16, -1e-16, 1e-12, -1e-9, 1e-6, 1e-3, -1e-3, f64::NAN]);
    let mass = number.of([1.0, 1.0, f64::INFINITY, 0.0]);
    let velocity = (tangent - inwards * tilt) * number.of([1.0, 0.84, 3.0]) * size;
    let bound = if round > 0.0 { 1e-6 * round } else { 0.0 } + 1e-9 * r + 64.0 * f64::EPSILON * size;
    if outside(&parts, at + inwards * nudge) + r > bound {
        // In a corner that is not rounded.
        return Ok(0);
    }
    let disc = Disc::new(at + inwards * nudge, r).with_velocity(velocity).with_restitution(e).with_mass(mass);
    let id = w.insert(disc.with_overlap()).map_err(|error| error.to_string())?;
    w.set_budget(20_000);
    for _ in 0..8 {
        let end = w.advance(1.0 + number.next()).map_err(|error| error.to_string())?;
        let at = w.get(id).ok_or("the disc is gone")?.position();
        let out = outside(&parts, at) + r;
        if !(out <= bound) {
            return Err(format!("seed {seed}: {out:e} outside, r {r}, {end:?}\n{disc:?}\n{parts:?}"));
        }
        // Elastic discs that bounce more flatly than they slide take what budget they are given.
        if end.end != StopReason::Reached && e < 1.0 {
            return Err(format!("seed {seed}: {end:?} {:?}\n{disc:?}\n{parts:?}", w.counters()));
        }
    }
    Ok(w.counters().slides)
}

/// Discs on the walls of random rooms of straights and arcs, that slide, land and bounce at any angle and any
/// restitution, are inside at the end.
#[test]
fn random_rooms_hold_their_discs() {
    let cases = cases(500);
    let mut slides = 0;
    let mut bad = 0;
    for seed in 0..cases {
        match try_room(seed) {
            Ok(more) => slides += more,
            Err(text) => {
                bad += 1;
                if bad < 12 {
                    println!("{text}");
                }
            }
        }
    }
    assert_eq!(bad, 0, "of {cases}");
    assert!(slides > cases);
}

/// A sink is given each chord of a slide with the state that is stored then: the disc is on it until the
/// next.
#[test]
fn sinks_are_given_the_chords_of_slides() {
    #[derive(Default)]
    struct Turns(Vec<Turn>);
    impl Sink<Smooth> for Turns {
        fn event(&mut self, _: &Event) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
        fn turn(&mut self, turn: &Turn) {
            self.0.push(*turn);
        }
    }
    let mut w = World::new();
    w.add_wall(Wall::stadium(v(0., 0.), 0.5, 0.5)).unwrap();
    let id = w.insert(Disc::new(v(0., 0.375), 0.125).with_velocity(v(1., 0.))).unwrap();
    let mut turns = Turns::default();
    for _ in 0..200 {
        w.advance_with(0.0171, &mut turns).unwrap();
        let (Some(last), disc) = (turns.0.last(), w.get(id).unwrap()) else { continue };
        assert_eq!((last.disc, last.velocity), (id, disc.velocity()));
        let expected = last.position + last.velocity * w.now().since(last.time);
        assert!((disc.position() - expected).length() < 1e-15, "{expected} {}", disc.position());
    }
    assert_eq!(turns.0.len() as u64, w.counters().slides);
    assert!(turns.0.len() > 1000);
}

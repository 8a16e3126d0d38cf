//! Outlines of closed rooms: reflex corners, niches, bumps, arcs bent either way, tangent joints and
//! kinks.
//!
//! An outline is a chain of parts that goes round counter-clockwise, with the room on its left. What is
//! inside is found by geometry of its own: by distances from the parts and by the parity of crossings.

use crate::common::at as v;
use crate::common::rng::Rng;
use carom_engine::DVec2;
use core::f64::consts::{PI, TAU};

/// One of some values, or at times another one between two bounds.
pub(crate) fn one_of(rng: &mut Rng, values: &[f64], low: f64, high: f64) -> f64 {
    let other = rng.range(low, high);
    values.get(rng.below(values.len() + 1)).copied().unwrap_or(other)
}

/// A part of an outline, along which the room is on the left.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    Line(DVec2, DVec2),
    Bend(Bend),
}

/// An arc of an outline from `a` to `b`. Hollow: the room is inside its circle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bend {
    a: DVec2,
    b: DVec2,
    pub(crate) center: DVec2,
    pub(crate) radius: f64,
    /// Angle of the end from which it goes counter-clockwise.
    pub(crate) start: f64,
    pub(crate) sweep: f64,
    pub(crate) hollow: bool,
}

impl Bend {
    /// From `a` to `b` with its middle to the left (hollow) or right of the way; `major` if it is more than
    /// half a circle.
    fn new(a: DVec2, b: DVec2, center: DVec2, hollow: bool, major: bool) -> Bend {
        let (from, to) = if hollow { (a - center, b - center) } else { (b - center, a - center) };
        let (start, end) = (from.y.atan2(from.x), to.y.atan2(to.x));
        let sweep = (end - start).rem_euclid(TAU);
        assert!((sweep > PI) == major || (sweep - PI).abs() < 1e-9, "{a} {b} {center}");
        Bend { a, b, center, radius: from.length(), start, sweep, hollow }
    }

    fn spans(&self, at: DVec2) -> bool {
        let d = at - self.center;
        (d.y.atan2(d.x) - self.start).rem_euclid(TAU) <= self.sweep
    }

    /// A place at the share `s` of the way, and the direction there.
    fn place(&self, s: f64) -> (DVec2, DVec2) {
        let turned = if self.hollow { s } else { 1.0 - s } * self.sweep;
        let out = DVec2::from_angle(self.start + turned);
        (self.center + out * self.radius, if self.hollow { out.perp() } else { -out.perp() })
    }
}

impl Part {
    pub(crate) fn ends(&self) -> [DVec2; 2] {
        match *self {
            Part::Line(a, b) => [a, b],
            Part::Bend(Bend { a, b, .. }) => [a, b],
        }
    }

    pub(crate) fn place(&self, s: f64) -> (DVec2, DVec2) {
        match self {
            Part::Line(a, b) => (*a + (*b - *a) * s, (*b - *a).normalize()),
            Part::Bend(bend) => bend.place(s),
        }
    }

    pub(crate) fn distance(&self, at: DVec2) -> f64 {
        match self {
            Part::Line(a, b) => {
                let along = *b - *a;
                let s = ((at - *a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
                // Next to the line by its normal, which does not cancel.
                let to_foot = (at - (*a + along * s)).length();
                if s > 0.0 && s < 1.0 { (along.perp_dot(at - *a) / along.length()).abs() } else { to_foot }
            }
            Part::Bend(bend) if bend.spans(at) => ((at - bend.center).length() - bend.radius).abs(),
            Part::Bend(bend) => at.distance(bend.a).min(at.distance(bend.b)),
        }
    }

    fn turned(&self, turn: DVec2, scale: f64, by: DVec2) -> Part {
        let to = |p: DVec2| turn.rotate(p) * scale + by;
        match *self {
            Part::Line(a, b) => Part::Line(to(a), to(b)),
            Part::Bend(Bend { a, b, center, hollow, sweep, .. }) => {
                Part::Bend(Bend::new(to(a), to(b), to(center), hollow, sweep > PI))
            }
        }
    }
}

/// A closed chain of parts.
#[derive(Clone, Debug)]
pub(crate) struct Room {
    pub(crate) parts: Vec<Part>,
    /// The largest coordinate.
    pub(crate) scale: f64,
    pub(crate) size: f64,
}

impl Room {
    pub(crate) fn distance(&self, at: DVec2) -> f64 {
        self.parts.iter().map(|part| part.distance(at)).fold(f64::INFINITY, f64::min)
    }

    /// Whether a place is inside: of the polygon of the ends, or between it and an arc that is bent outwards,
    /// and so on. Each arc turns the answer round in the segment of its circle beyond its chord.
    fn holds_exactly(&self, at: DVec2) -> bool {
        let mut inside = false;
        for part in &self.parts {
            let [a, b] = part.ends();
            if (a.y > at.y) != (b.y > at.y) && at.x < (b.x - a.x) * (at.y - a.y) / (b.y - a.y) + a.x {
                inside = !inside;
            }
            if let Part::Bend(bend) = part {
                let chord = b - a;
                let is_beyond = (chord.perp_dot(at - a) < 0.0) == bend.hollow;
                if is_beyond && at.distance(bend.center) < bend.radius {
                    inside = !inside;
                }
            }
        }
        inside
    }

    /// As `holds_exactly` of a place that is farther from the outline than `margin`, which may lie exactly
    /// on a chord: what most of three places next to it say.
    fn holds(&self, at: DVec2, margin: f64) -> bool {
        let next = [v(0.31, 0.17), v(-0.23, 0.29), v(0.07, -0.37)];
        next.into_iter().filter(|&d| self.holds_exactly(at + d * margin)).count() > 1
    }

    /// How far a disc is outside.
    pub(crate) fn outside(&self, at: DVec2, r: f64) -> f64 {
        let distance = self.distance(at);
        let margin = 1e-13 * self.scale;
        if distance > margin && !self.holds(at, margin) { r + distance } else { r - distance }
    }

    /// Whether some of its arcs are hollow.
    pub(crate) fn has_hollows(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Bend(bend) if bend.hollow))
    }

    /// Whether some of its arcs have a radius much larger than the room.
    pub(crate) fn has_flat_arcs(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Bend(bend) if bend.radius > 8.0 * self.size))
    }

    /// The sine of the angle by which the outline turns to the left after each part, with this and the next.
    fn turns(&self) -> impl Iterator<Item = (f64, [&Part; 2])> {
        (0..self.parts.len()).map(|k| {
            let pair = [&self.parts[k], &self.parts[(k + 1) % self.parts.len()]];
            (pair[0].place(1.0).1.perp_dot(pair[1].place(0.0).1), pair)
        })
    }

    /// Whether the outline turns to the left everywhere, or goes straight on.
    pub(crate) fn is_convex(&self) -> bool {
        let is_hollow = |part: &Part| !matches!(part, Part::Bend(bend) if !bend.hollow);
        self.turns().all(|(turn, _)| turn > -1e-9) && self.parts.iter().all(is_hollow)
    }

    /// Whether an arc goes on tangent from its neighbour, or the other way round.
    pub(crate) fn has_tangent_arcs(&self) -> bool {
        let is_bend = |part: &Part| matches!(part, Part::Bend(_));
        self.turns().any(|(turn, pair)| turn.abs() <= 1e-9 && pair.into_iter().any(is_bend))
    }

    /// Whether parts that are no neighbours keep apart.
    fn is_simple(&self) -> bool {
        let n = self.parts.len();
        let is_inside = |part: &Part, s: f64| {
            let (at, tangent) = part.place(s);
            self.holds(at + tangent.perp() * (1e-6 * self.size), 1e-9 * self.size)
        };
        // Neighbours may cross next to their joint.
        let mut next_to_joints = self.parts.iter().flat_map(|part| [(part, 0.004), (part, 0.996)]);
        next_to_joints.all(|(part, s)| is_inside(part, s))
            && (0..n).all(|i| {
                (0..=16).all(|k| {
                    let (at, tangent) = self.parts[i].place(f64::from(k) / 16.0);
                    let within = self.holds(at + tangent.perp() * (0.01 * self.size), 1e-9 * self.size);
                    let apart = (0..n).filter(|&j| j != i && (j + 1) % n != i && (i + 1) % n != j);
                    let is_end = k == 0 || k == 16;
                    apart.map(|j| self.parts[j].distance(at)).all(|d| d > 0.05 * self.size)
                        && (within || is_end)
                })
            })
    }
}

/// Corners of a polygon of a size of about 1, counter-clockwise.
fn corners(rng: &mut Rng) -> Vec<DVec2> {
    let quantised = rng.chance(50);
    let share = |rng: &mut Rng, low: f64, high: f64| {
        let s = rng.range(low, high);
        if quantised { (s * 16.0).round() / 16.0 } else { s }
    };
    let around = |n: usize, rng: &mut Rng, radius: &mut dyn FnMut(&mut Rng, usize) -> f64| -> Vec<DVec2> {
        let jitter = if quantised { 0.0 } else { 0.5 };
        (0..n)
            .map(|k| {
                let angle = TAU * (k as f64 + jitter * rng.unit()) / n as f64;
                DVec2::from_angle(angle) * radius(rng, k)
            })
            .collect()
    };
    match rng.below(7) {
        0 => {
            let n = 3 + rng.below(6);
            around(n, rng, &mut |_, _| 1.0)
        }
        1 => {
            // An L.
            let (x, y) = (share(rng, 0.3, 0.7), share(rng, 0.3, 0.7));
            vec![v(0., 0.), v(1., 0.), v(1., y), v(x, y), v(x, 1.), v(0., 1.)]
        }
        2 => {
            let (n, deep) = (3 + rng.below(4), share(rng, 0.4, 0.8));
            around(2 * n, rng, &mut |_, k| if k % 2 == 0 { 1.0 } else { deep })
        }
        3 => {
            // A niche or a bump in one side.
            let (a, b) = (share(rng, 0.2, 0.4), share(rng, 0.55, 0.8));
            let deep = if rng.chance(50) { -1.0 } else { 1.0 } * share(rng, 0.2, 0.5);
            vec![v(0., 0.), v(a, 0.), v(a, deep), v(b, deep), v(b, 0.), v(1., 0.), v(1., 1.), v(0., 1.)]
        }
        4 => {
            let n = 5 + rng.below(5);
            around(n, rng, &mut |rng, _| rng.range(0.5, 1.0))
        }
        5 => vec![v(-1.0, 0.0), v(1.0, 0.0)],
        _ => {
            let (x, y) = (share(rng, 0.3, 1.0), share(rng, 0.3, 1.0));
            vec![v(0., 0.), v(x, 0.), v(x, y), v(0., y)]
        }
    }
}

/// With some points more on its edges.
fn with_collinear(rng: &mut Rng, corners: &[DVec2]) -> Vec<DVec2> {
    let n = corners.len();
    let mut points = Vec::new();
    for k in 0..n {
        points.push(corners[k]);
        if rng.chance(30) {
            let s = if rng.chance(50) { 0.5 } else { rng.range(0.3, 0.7) };
            points.push(corners[k] + (corners[(k + 1) % n] - corners[k]) * s);
        }
    }
    points
}

/// An arc from `a` to `b` whose half has the angle `half`.
fn bulge(a: DVec2, b: DVec2, half: f64, hollow: bool) -> Part {
    let (middle, along) = ((a + b) * 0.5, b - a);
    let left = along.perp() * (0.5 / half.tan());
    Part::Bend(Bend::new(a, b, if hollow { middle + left } else { middle - left }, hollow, half > PI / 2.0))
}

/// The outline of a polygon with some corners rounded and some edges bent.
fn outline(rng: &mut Rng, points: &[DVec2]) -> Vec<Part> {
    let n = points.len();
    let [round, bent] = match rng.below(5) {
        0 => [0, 0],
        1 => [100, 0],
        2 => [60, 0],
        3 => [0, 60],
        _ => [50, 30],
    };
    let all = one_of(rng, &[0.5, 0.25, 0.3], 0.05, 0.5);
    let is_bent: Vec<bool> = (0..n).map(|_| n == 2 || rng.chance(bent)).collect();
    // How far from the corner its rounding begins.
    let mut cut = vec![0.0; n];
    for k in 0..n {
        let (before, after) = ((k + n - 1) % n, (k + 1) % n);
        let is_straight = !is_bent[before] && !is_bent[k];
        let (one, other) = (points[k] - points[before], points[after] - points[k]);
        let turn = one.perp_dot(other) / (one.length() * other.length());
        if is_straight && rng.chance(round) && turn.abs() > 1e-9 {
            cut[k] = one.length().min(other.length()) * all;
        }
    }
    let mut parts = Vec::new();
    for k in 0..n {
        let next = (k + 1) % n;
        let (p, q) = (points[k], points[next]);
        let along = (q - p).normalize();
        if cut[k] > 0.0 {
            let back = (p - points[(k + n - 1) % n]).normalize();
            let (a, b) = (p - back * cut[k], p + along * cut[k]);
            let hollow = back.perp_dot(along) > 0.0;
            // The tangents from the corner have that length at the radius `cut / tan(turn / 2)`.
            let radius = cut[k] * (1.0 + back.dot(along)) / back.perp_dot(along).abs();
            let center = a + if hollow { back.perp() } else { -back.perp() } * radius;
            parts.push(Part::Bend(Bend::new(a, b, center, hollow, false)));
        }
        let (a, b) = (p + along * cut[k], q - along * cut[next]);
        if is_bent[k] {
            let half = one_of(rng, &[PI / 2.0, PI / 4.0], 0.05, 2.0);
            parts.push(bulge(a, b, half, n == 2 || rng.chance(60)));
        } else if a.distance(b) > 1e-9 {
            parts.push(Part::Line(a, b));
        }
    }
    parts
}

/// A room, if the outline that comes out is one.
pub(crate) fn random_room(rng: &mut Rng) -> Option<Room> {
    let mut points = corners(rng);
    if points.len() > 2 && rng.chance(25) {
        points = with_collinear(rng, &points);
    }
    let parts = outline(rng, &points);
    let turn = match rng.below(4) {
        0 => DVec2::X,
        1 => DVec2::Y,
        _ => DVec2::from_angle(rng.range(0.0, TAU)),
    };
    let size = rng.pick(&[1.0, 1.0, 2.0, 0.3, 100.0]);
    let far = rng.vector(5.0);
    let by = rng.pick(&[DVec2::ZERO, DVec2::ZERO, v(3.0, -7.0), v(1000.25, 33.5), far]);
    let parts: Vec<Part> = parts.iter().map(|part| part.turned(turn, size, by)).collect();
    let reach = |part: &Part| match part {
        Part::Line(a, b) => a.abs().max(b.abs()).max_element(),
        Part::Bend(bend) => bend.center.abs().max_element().max(bend.radius),
    };
    let scale = parts.iter().map(reach).fold(0.0, f64::max);
    let room = Room { parts, scale, size };
    room.is_simple().then_some(room)
}

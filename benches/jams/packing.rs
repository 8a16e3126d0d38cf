//! Packings of equal discs in rooms.

use carom::{DVec2, Wall, World};
use carom_testkit::rng::Rng;
use std::fmt;
use std::path::Path;

/// What the discs are in, about the origin.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Room {
    /// Of radius 1.
    Circle,
    /// Of side 1.
    Square,
}

impl fmt::Display for Room {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        to.write_str(match self {
            Room::Circle => "circle",
            Room::Square => "square",
        })
    }
}

impl Room {
    /// How far the room reaches from a place, and the way in from there, for each of its sides near it.
    fn sides(self, place: DVec2) -> [(f64, DVec2); 2] {
        match self {
            Room::Circle => {
                let length = place.length();
                [(1.0 - length, -place / length.max(f64::MIN_POSITIVE)), (f64::INFINITY, DVec2::ZERO)]
            }
            Room::Square => [
                (0.5 - place.x.abs(), DVec2::new(-place.x.signum(), 0.0)),
                (0.5 - place.y.abs(), DVec2::new(0.0, -place.y.signum())),
            ],
        }
    }

    fn area(self) -> f64 {
        match self {
            Room::Circle => std::f64::consts::PI,
            Room::Square => 1.0,
        }
    }
}

/// Equal discs in a room.
pub(crate) struct Packing {
    pub(crate) room: Room,
    pub(crate) radius: f64,
    pub(crate) places: Vec<DVec2>,
}

/// How often the radius is made larger, by a half of the step before where there was no room.
const GROWTHS: usize = 80;

/// Sweeps in which discs of one radius are pushed apart, and how deep they may be in each other at last, of
/// the radius.
const SWEEPS: usize = 2000;
const DEEPEST: f64 = 1e-7;

/// After how many sweeps neighbours are found again, and how far away they are, in radii.
const AGAIN: usize = 40;
const NEIGHBOURS: f64 = 3.0;

/// What is no further apart than this, of the radius, is to touch; and the steps of Newton that let it.
const TOUCHES: f64 = 1e-5;
const STEPS: usize = 6;

impl Packing {
    /// The centres of a file, with the largest radius that they leave room for.
    pub(crate) fn of_file(path: &Path) -> Packing {
        let text = std::fs::read_to_string(path).expect("a file of a packing");
        let place = |line: &str| {
            let mut numbers = line.split_whitespace().map(|number| number.parse().expect("a coordinate"));
            DVec2::new(numbers.next().expect("an x"), numbers.next().expect("a y"))
        };
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let room = if name.starts_with("cci") { Room::Circle } else { Room::Square };
        Packing::around(room, text.lines().map(place).collect())
    }

    /// Discs that have grown until they jam: at each radius they are pushed apart, until there is no room.
    pub(crate) fn jammed(room: Room, discs: usize) -> Packing {
        let mut rng = Rng::new(1000 + discs as u64);
        let mut places: Vec<DVec2> = (0..discs).map(|_| rng.vector(0.5)).collect();
        let most = (room.area() / (std::f64::consts::PI * discs as f64)).sqrt();
        let (mut radius, mut step) = (0.6 * most, 0.1 * most);
        for _ in 0..GROWTHS {
            let mut grown = places.clone();
            if push_apart(room, &mut grown, radius + step) {
                (places, radius) = (grown, radius + step);
            } else {
                step *= 0.5;
            }
        }
        let_touch(room, &mut places, radius);
        Packing::around(room, places)
    }

    /// These centres with the largest radius that they leave room for.
    fn around(room: Room, places: Vec<DVec2>) -> Packing {
        let to_sides = places.iter().flat_map(|&place| room.sides(place)).map(|(reach, _)| reach);
        let mut radius = to_sides.fold(f64::INFINITY, f64::min);
        for (k, a) in places.iter().enumerate() {
            radius = places[..k].iter().fold(radius, |radius, b| radius.min(0.5 * a.distance(*b)));
        }
        // Distances are rounded, and the engine compares exactly.
        Packing { room, radius: radius * (1.0 - 4.0 * f64::EPSILON), places }
    }

    /// The room.
    pub(crate) fn world(&self) -> World {
        let mut world = World::new();
        let wall = match self.room {
            Room::Circle => Wall::circle(DVec2::ZERO, 1.0),
            Room::Square => Wall::container([-0.5, -0.5], [0.5, 0.5]),
        };
        world.add_wall(wall.with_restitution(1.0)).expect("a wall in range");
        world
    }
}

/// The pairs of discs of this radius that are no further apart than this many radii.
fn pairs_within(places: &[DVec2], radius: f64, radii: f64) -> Vec<(usize, usize)> {
    let is_near = |&(a, b): &(usize, usize)| places[a].distance(places[b]) < radii * radius;
    (0..places.len()).flat_map(|a| (0..a).map(move |b| (a, b))).filter(is_near).collect()
}

/// Pushes discs of this radius apart, each by half of what it overlaps with another. Whether they have room.
fn push_apart(room: Room, places: &mut [DVec2], radius: f64) -> bool {
    let mut pairs = Vec::new();
    for sweep in 0..SWEEPS {
        if sweep % AGAIN == 0 {
            pairs = pairs_within(places, radius, NEIGHBOURS);
        }
        let mut deepest = 0.0_f64;
        for &(a, b) in &pairs {
            let way = places[a] - places[b];
            let overlap = 2.0 * radius - way.length();
            if overlap > 0.0 {
                let push = way.normalize_or(DVec2::X) * (0.5 * overlap);
                (places[a], places[b]) = (places[a] + push, places[b] - push);
                deepest = deepest.max(overlap);
            }
        }
        for place in &mut *places {
            for (reach, inwards) in room.sides(*place) {
                if reach < radius {
                    *place += inwards * (radius - reach);
                    deepest = deepest.max(radius - reach);
                }
            }
        }
        if deepest <= DEEPEST * radius {
            return true;
        }
    }
    false
}

/// A gap: the discs that open it by moving along a direction, and its width; a radius opens it by −2 or −1.
struct Gap {
    ends: [(usize, DVec2); 2],
    by_radius: f64,
    width: f64,
}

fn gaps(
    room: Room,
    places: &[DVec2],
    radius: f64,
    pairs: &[(usize, usize)],
    sides: &[(usize, usize)],
) -> Vec<Gap> {
    let of_pair = |&(a, b): &(usize, usize)| {
        let way = places[a] - places[b];
        let normal = way.normalize();
        Gap { ends: [(a, normal), (b, -normal)], by_radius: -2.0, width: way.length() - 2.0 * radius }
    };
    let of_side = |&(a, side): &(usize, usize)| {
        let (reach, inwards) = room.sides(places[a])[side];
        Gap { ends: [(a, inwards), (a, DVec2::ZERO)], by_radius: -1.0, width: reach - radius }
    };
    pairs.iter().map(of_pair).chain(sides.iter().map(of_side)).collect()
}

/// Lets all that nearly touches do so to rounding, with the radius as an unknown, too: steps of Newton, each
/// solved by conjugate gradients for least squares (Hestenes and Stiefel, J. Res. NBS 49 (1952) 409).
fn let_touch(room: Room, places: &mut [DVec2], mut radius: f64) {
    let pairs = pairs_within(places, radius, 2.0 + TOUCHES);
    let is_at = |&(a, side): &(usize, usize)| room.sides(places[a])[side].0 < radius * (1.0 + TOUCHES);
    let sides: Vec<_> = (0..places.len()).flat_map(|a| [(a, 0), (a, 1)]).filter(is_at).collect();
    for _ in 0..STEPS {
        let gaps = gaps(room, places, radius, &pairs, &sides);
        let (ways, wider) = close(&gaps, places.len());
        places.iter_mut().zip(ways).for_each(|(place, way)| *place += way);
        radius += wider;
    }
}

/// The least ways of the discs, and of the radius, that close all gaps to first order.
fn close(gaps: &[Gap], discs: usize) -> (Vec<DVec2>, f64) {
    let opened = |(ways, wider): &(Vec<DVec2>, f64), gap: &Gap| {
        gap.ends.iter().map(|&(a, normal)| normal.dot(ways[a])).sum::<f64>() + gap.by_radius * wider
    };
    let transposed = |residuals: &[f64]| {
        let (mut ways, mut wider) = (vec![DVec2::ZERO; discs], 0.0);
        for (gap, residual) in gaps.iter().zip(residuals) {
            gap.ends.iter().for_each(|&(a, normal)| ways[a] += normal * *residual);
            wider += gap.by_radius * residual;
        }
        (ways, wider)
    };
    let square = |(ways, wider): &(Vec<DVec2>, f64)| {
        ways.iter().map(|way| way.length_squared()).sum::<f64>() + wider * wider
    };
    let mut residuals: Vec<f64> = gaps.iter().map(|gap| -gap.width).collect();
    let mut at = (vec![DVec2::ZERO; discs], 0.0);
    let mut gradient = transposed(&residuals);
    let (mut step, mut last) = (gradient.clone(), square(&gradient));
    let least = 1e-30 * last;
    for _ in 0..4 * gaps.len() {
        if last <= least {
            break;
        }
        let image: Vec<f64> = gaps.iter().map(|gap| opened(&step, gap)).collect();
        let length = last / image.iter().map(|x| x * x).sum::<f64>();
        at.0.iter_mut().zip(&step.0).for_each(|(at, step)| *at += *step * length);
        at.1 += step.1 * length;
        residuals.iter_mut().zip(&image).for_each(|(residual, image)| *residual -= image * length);
        gradient = transposed(&residuals);
        let next = square(&gradient);
        step.0.iter_mut().zip(&gradient.0).for_each(|(step, way)| *step = *way + *step * (next / last));
        step.1 = gradient.1 + step.1 * (next / last);
        last = next;
    }
    at
}

/// About as many places of a hexagonal lattice of distance 1 as are asked for, in rows of equal length.
pub(crate) fn lattice(discs: usize) -> Vec<DVec2> {
    let row = (discs as f64).sqrt().ceil() as usize;
    let height = 0.75_f64.sqrt();
    let place = |k: usize| {
        let (x, y) = ((k % row) as f64, (k / row) as f64);
        let shift = if (k / row) % 2 == 1 { 0.5 } else { 0.0 };
        DVec2::new(x + shift - 0.5 * row as f64, y * height)
    };
    (0..discs).map(place).collect()
}

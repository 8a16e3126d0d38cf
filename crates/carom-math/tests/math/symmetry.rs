//! What is the same by symmetry is the same to the last bit.

use std::f64::consts::{PI, TAU};

use carom_math::toi::{self, Encounter, Memory, Motion};
use carom_math::{Arc, Circle, DVec2, HalfPlane, Segment};
use proptest::prelude::*;

use crate::cases::{Pair, pairs, rooms, unit};
use crate::run::law;

type Mirror = fn(DVec2) -> DVec2;

/// Mirrored about the y axis, the x axis, both, which is a turn and for two discs a swap, and the diagonal.
const MIRRORS: [Mirror; 4] = [
    |p| DVec2::new(-p.x, p.y),
    |p| DVec2::new(p.x, -p.y),
    |p| DVec2::new(-p.x, -p.y),
    |p| DVec2::new(p.y, p.x),
];

/// Requires the same answers of all mirror images, to the last bit.
fn mirrored<const N: usize>(answers: impl Fn(Mirror) -> [Option<f64>; N]) -> Result<f64, String> {
    let bits = |mirror: Mirror| answers(mirror).map(|answer| answer.map(f64::to_bits));
    match MIRRORS.iter().position(|&mirror| bits(mirror) != bits(|p| p)) {
        None => Ok(0.0),
        Some(k) => Err(format!("mirror {k}: {:?} instead of {:?}", answers(MIRRORS[k]), answers(|p| p))),
    }
}

fn motion(p: &Pair, mirror: Mirror) -> Motion {
    Motion::new(mirror(p.d), mirror(p.v), 0.25 * p.reach)
}

#[test]
fn of_discs() {
    law("mirrored discs", 8_000, 0.0, pairs(), |p| {
        mirrored(|mirror| {
            let (d, v) = (mirror(p.d), mirror(p.v));
            let [enter, exit] = match toi::disc_disc_encounter(d, v, p.reach) {
                Encounter::Through { enter, exit } => [Some(enter), Some(exit)],
                Encounter::Graze(t) => [Some(t), None],
                Encounter::Never => [None, Some(0.0)],
                Encounter::Always => [None, None],
            };
            [toi::disc_disc(d, v, p.reach), Some(toi::squared_gap(d, p.reach)), enter, exit]
        })
    });
}

#[test]
fn of_lines() {
    law("mirrored lines", 4_000, 0.0, (pairs(), 0.0..TAU, 0.1..10.0), |(p, angle, length)| {
        let towards = unit(angle);
        let start = -towards * p.reach;
        let along = DVec2::new(-towards.y, towards.x) * (length * p.reach);
        mirrored(|mirror| {
            let plane = HalfPlane::new(mirror(start), mirror(towards)).unwrap();
            let wall = Segment::new(mirror(start - along * 0.5), mirror(start + along)).unwrap();
            let disc = motion(&p, mirror);
            [toi::disc_half_plane(&disc, &plane, Memory::None), toi::disc_segment(&disc, &wall, Memory::None)]
        })
    });
}

#[test]
fn of_circles_and_arcs() {
    let cases = (one_of![pairs(), rooms()], 0.0..TAU, 0.1..6.0);
    law("mirrored circles", 4_000, 0.0, cases, |(p, from, sweep)| {
        mirrored(|mirror| {
            let circle = Circle { center: mirror(DVec2::new(0.3, -0.2) * p.reach), radius: p.reach };
            // A mirror turns the sense of rotation, a half turn does not.
            let [first, last] = [from, from + sweep].map(|angle| mirror(unit(angle)));
            let is_turned = mirror(DVec2::X).perp_dot(mirror(DVec2::Y)) > 0.0;
            let (first, last) = if is_turned { (first, last) } else { (last, first) };
            let arc = Arc { circle, first, last, major: sweep > PI, full: false };
            let disc = motion(&p, mirror);
            [
                toi::disc_circle_outside(&disc, &circle, Memory::None),
                toi::disc_circle_inside(&disc, &circle, Memory::None),
                toi::disc_arc(&disc, &arc, Memory::None),
            ]
        })
    });
}

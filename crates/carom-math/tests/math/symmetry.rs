//! What is the same by symmetry is the same to the last bit.

use carom_math::toi::{self, Memory, Motion};
use carom_math::{Arc, Circle, DVec2, HalfPlane, Segment};
use carom_testkit::property::config;
use proptest::prelude::*;

use crate::cases::{Pair, pairs, rooms};

/// Mirrored about the y axis, the x axis, both, and the diagonal.
const MIRRORS: [fn(DVec2) -> DVec2; 4] = [
    |p| DVec2::new(-p.x, p.y),
    |p| DVec2::new(p.x, -p.y),
    |p| DVec2::new(-p.x, -p.y),
    |p| DVec2::new(p.y, p.x),
];

fn bits(t: Option<f64>) -> Option<u64> {
    t.map(f64::to_bits)
}

fn motion(p: &Pair, mirror: fn(DVec2) -> DVec2) -> Motion {
    Motion::new(mirror(p.d), mirror(p.v), 0.25 * p.reach)
}

proptest! {
    #![proptest_config(config(4000))]

    #[test]
    fn swapping_the_discs(p in pairs()) {
        let (t, swapped) = (toi::disc_disc(p.d, p.v, p.reach), toi::disc_disc(-p.d, -p.v, p.reach));
        prop_assert_eq!(bits(t), bits(swapped));
        prop_assert_eq!(
            toi::disc_disc_encounter(p.d, p.v, p.reach),
            toi::disc_disc_encounter(-p.d, -p.v, p.reach)
        );
        prop_assert_eq!(toi::squared_gap(p.d, p.reach).to_bits(), toi::squared_gap(-p.d, p.reach).to_bits());
    }

    #[test]
    fn mirrored_discs(p in pairs()) {
        for mirror in MIRRORS {
            let there = toi::disc_disc(mirror(p.d), mirror(p.v), p.reach);
            prop_assert_eq!(bits(there), bits(toi::disc_disc(p.d, p.v, p.reach)));
            prop_assert_eq!(
                toi::squared_gap(mirror(p.d), p.reach).to_bits(),
                toi::squared_gap(p.d, p.reach).to_bits()
            );
        }
    }

    #[test]
    fn mirrored_lines(p in pairs(), angle in 0.0..std::f64::consts::TAU, length in 0.1..10.0) {
        let towards = DVec2::new(angle.cos(), angle.sin());
        let start = -towards * p.reach;
        let id = |p: DVec2| p;
        let plane = |m: fn(DVec2) -> DVec2| HalfPlane::new(m(start), m(towards)).unwrap();
        let wall = |m: fn(DVec2) -> DVec2| {
            let along = DVec2::new(-towards.y, towards.x) * (length * p.reach);
            Segment::new(m(start - along * 0.5), m(start + along)).unwrap()
        };
        for mirror in MIRRORS {
            let (here, there) = (motion(&p, id), motion(&p, mirror));
            prop_assert_eq!(
                bits(toi::disc_half_plane(&there, &plane(mirror), Memory::None)),
                bits(toi::disc_half_plane(&here, &plane(id), Memory::None))
            );
            prop_assert_eq!(
                bits(toi::disc_segment(&there, &wall(mirror), Memory::None)),
                bits(toi::disc_segment(&here, &wall(id), Memory::None))
            );
        }
    }

    #[test]
    fn mirrored_circles_and_arcs(
        p in prop_oneof![pairs(), rooms()],
        ends in (0.0..std::f64::consts::TAU, 0.1..6.0),
    ) {
        let id = |p: DVec2| p;
        let unit = |angle: f64| DVec2::new(angle.cos(), angle.sin());
        let (first, last) = (unit(ends.0), unit(ends.0 + ends.1));
        for (i, mirror) in MIRRORS.into_iter().enumerate() {
            let circle = |m: fn(DVec2) -> DVec2| Circle {
                center: m(DVec2::new(0.3, -0.2) * p.reach),
                radius: p.reach,
            };
            // A mirror turns the sense of rotation, a half turn does not.
            let turned = (mirror(first), mirror(last));
            let (from, to) = if i == 2 { turned } else { (turned.1, turned.0) };
            let major = ends.1 > std::f64::consts::PI;
            let arc = |circle, first, last| Arc { circle, first, last, major, full: false };
            let (here, there) = (motion(&p, id), motion(&p, mirror));
            prop_assert_eq!(
                bits(toi::disc_circle_outside(&there, &circle(mirror), Memory::None)),
                bits(toi::disc_circle_outside(&here, &circle(id), Memory::None))
            );
            prop_assert_eq!(
                bits(toi::disc_circle_inside(&there, &circle(mirror), Memory::None)),
                bits(toi::disc_circle_inside(&here, &circle(id), Memory::None))
            );
            prop_assert_eq!(
                bits(toi::disc_arc(&there, &arc(circle(mirror), from, to), Memory::None)),
                bits(toi::disc_arc(&here, &arc(circle(id), first, last), Memory::None))
            );
        }
    }
}

//! Only ratios count: units of length and of time may be any powers of two, and every answer is the same
//! number in the new units, to the last bit. A product that became a sum, or a tolerance that is not
//! relative, shows here.

use carom_math::toi::{self, Encounter, Gap, Memory, Motion, Side};
use carom_math::{Arc, Circle, DVec2, HalfPlane, Segment, overlap};
use proptest::prelude::*;

use crate::cases::{decades, pairs};
use crate::run::law;
use crate::{arc, circle, line};

const MEMORIES: [Memory; 5] = [
    Memory::None,
    Memory::Near(Side::Front),
    Memory::Near(Side::Back),
    Memory::Met(Side::Front),
    Memory::Met(Side::Back),
];

/// What one unit of the old is in the new.
#[derive(Clone, Copy, Debug)]
struct Units {
    length: f64,
    time: f64,
}

/// Powers of two up to this one, and down to its inverse.
fn units(most: i32) -> impl Strategy<Value = Units> {
    let power = || (-most..most + 1).prop_map(|e| 2f64.powi(e));
    (power(), power()).prop_map(|(length, time)| Units { length, time })
}

impl Units {
    const OLD: Units = Units { length: 1.0, time: 1.0 };

    fn velocity(self, v: DVec2) -> DVec2 {
        v * (self.length / self.time)
    }

    fn motion(self, m: &Motion) -> Motion {
        Motion::new(m.position * self.length, self.velocity(m.velocity), m.radius * self.length)
    }

    fn segment(self, s: &Segment) -> Segment {
        Segment { start: s.start * self.length, direction: s.direction, length: s.length * self.length }
    }

    fn circle(self, c: &Circle) -> Circle {
        Circle { center: c.center * self.length, radius: c.radius * self.length }
    }

    fn arc(self, a: &Arc) -> Arc {
        Arc { circle: self.circle(&a.circle), ..*a }
    }
}

/// Times in the old units, bit by bit.
fn old_time(units: Units, t: Option<f64>) -> Option<u64> {
    t.map(|t| (t / units.time).to_bits())
}

fn old_gap(units: Units, gap: Option<Gap>) -> Option<(u64, DVec2, Side)> {
    gap.map(|gap| ((gap.distance / units.length).to_bits(), gap.normal, gap.side))
}

/// The answers in both units, which must be the same.
fn same<T: PartialEq + std::fmt::Debug>(units: Units, answers: impl Fn(Units) -> T) -> Result<f64, String> {
    let (old, new) = (answers(Units::OLD), answers(units));
    if old == new { Ok(0.0) } else { Err(format!("{old:?} became {new:?}")) }
}

#[test]
fn of_discs() {
    let steps = one_of![decades(-3.0, 3.0), decades(-12.0, 12.0)];
    law("units of discs", 20_000, 0.0, (pairs(), units(60), steps), |(p, units, step)| {
        same(units, |units| {
            let (d, v, reach) = (p.d * units.length, units.velocity(p.v), p.reach * units.length);
            let dt = step * units.time;
            let story = match toi::disc_disc_encounter(d, v, reach) {
                Encounter::Graze(t) => vec![old_time(units, Some(t))],
                Encounter::Through { enter, exit } => {
                    [enter, exit].map(|t| old_time(units, Some(t))).to_vec()
                }
                Encounter::Never => vec![None],
                Encounter::Always => vec![],
            };
            let overlaps = [overlap::overlaps(d, reach), overlap::overlaps_at(d, v, reach, dt)];
            let touches =
                [overlap::touches_or_overlaps(d, reach), overlap::touches_or_overlaps_at(d, v, reach, dt)];
            let within = toi::disc_disc_within(d, v, reach, dt).map(f64::to_bits);
            (old_time(units, toi::disc_disc(d, v, reach)), story, within, overlaps, touches)
        })
    });
}

#[test]
fn of_lines() {
    law("units of lines", 20_000, 0.0, (line::cases(), units(40)), |(case, units)| {
        same(units, |units| {
            let (disc, segment) = (units.motion(&case.disc), units.segment(&case.segment));
            let plane = HalfPlane { point: segment.start, normal: segment.normal() };
            let gap = Some(toi::gap_disc_half_plane(&disc, &plane));
            let each = MEMORIES.map(|memory| {
                let times = [
                    toi::disc_half_plane(&disc, &plane, memory),
                    toi::disc_segment(&disc, &segment, memory),
                    toi::disc_segment_body(&disc, &segment, memory),
                    toi::disc_one_sided_segment(&disc, &segment, memory),
                    toi::disc_one_sided_end(&disc, plane.point, plane.normal, memory),
                ];
                let gaps = [
                    toi::gap_disc_segment_body(&disc, &segment, memory),
                    toi::gap_disc_one_sided_segment(&disc, &segment, memory),
                    toi::gap_disc_one_sided_end(&disc, plane.point, plane.normal, memory),
                ];
                (times.map(|t| old_time(units, t)), gaps.map(|gap| old_gap(units, gap)))
            });
            (old_gap(units, gap), each)
        })
    });
}

#[test]
fn of_circles() {
    let cases = (one_of![circle::outside(), circle::inside()], units(40));
    law("units of circles", 20_000, 0.0, cases, |(case, units)| {
        same(units, |units| {
            let (disc, circle) = (units.motion(&case.disc), units.circle(&case.circle));
            let gaps =
                [toi::gap_disc_circle_outside(&disc, &circle), toi::gap_disc_circle_inside(&disc, &circle)];
            let times = MEMORIES.map(|memory| {
                [
                    toi::disc_circle_outside(&disc, &circle, memory),
                    toi::disc_circle_inside(&disc, &circle, memory),
                ]
                .map(|t| old_time(units, t))
            });
            (gaps.map(|gap| old_gap(units, Some(gap))), times)
        })
    });
}

#[test]
fn of_arcs() {
    law("units of arcs", 20_000, 0.0, (arc::cases(), units(40)), |(case, units)| {
        same(units, |units| {
            let (disc, arc) = (units.motion(&case.disc), units.arc(&case.arc));
            MEMORIES.map(|memory| {
                let met = toi::disc_arc_side(&disc, &arc, memory);
                let gap = toi::gap_disc_arc(&disc, &arc, memory);
                (old_time(units, met.map(|(t, _)| t)), met.map(|(_, side)| side), old_gap(units, gap))
            })
        })
    });
}

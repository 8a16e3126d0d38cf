//! Pairs of discs on parabolas, in five families.

use carom_math::DVec2;
use carom_testkit::rng::Rng;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    pub(crate) d: DVec2,
    pub(crate) v: DVec2,
    pub(crate) a: DVec2,
    pub(crate) reach: f64,
}

impl Case {
    fn at(&self, t: f64) -> DVec2 {
        self.d + (self.v + self.a * (0.5 * t)) * t
    }

    /// Counted from `t` seconds later, as rounded.
    fn after(&self, t: f64) -> Case {
        Case { d: self.at(t), v: self.v + self.a * t, ..*self }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// Balls on a table.
    Table,
    /// Paths through a place on the circle.
    Aimed,
    /// Paths whose closest approach is at the circle, except for 1 to 10⁻¹⁷ of its radius.
    Grazing,
    /// Gaps, speeds and accelerations over fifteen decades.
    Ranges,
    /// From inside.
    Inside,
}

pub(crate) const FAMILIES: [Family; 5] =
    [Family::Table, Family::Aimed, Family::Grazing, Family::Ranges, Family::Inside];

fn unit(rng: &mut Rng) -> DVec2 {
    DVec2::from_angle(rng.range(0.0, std::f64::consts::TAU))
}

fn decades(rng: &mut Rng, from: f64, to: f64) -> f64 {
    10f64.powf(rng.range(from, to))
}

fn ranged(rng: &mut Rng) -> DVec2 {
    unit(rng) * decades(rng, -12.0, 3.0)
}

impl Family {
    pub(crate) fn case(self, rng: &mut Rng) -> Case {
        match self {
            Family::Table => {
                let reach = rng.pick(&[0.057, 0.5]);
                let d = DVec2::new(rng.range(-2.5, 2.5), rng.range(-1.3, 1.3));
                let case = Case { d, v: rng.vector(3.0), a: unit(rng) * rng.range(0.0, 4.0), reach };
                if d.length() > reach { case } else { self.case(rng) }
            }
            Family::Aimed => {
                let n = unit(rng);
                let at = Case { d: n, v: rng.vector(2.0), a: rng.vector(2.0), reach: 1.0 };
                let v = if at.v.dot(n) > 0.0 { -at.v } else { at.v };
                Case { v, ..at }.after(-decades(rng, -6.0, 2.0))
            }
            Family::Grazing => grazing(rng),
            Family::Ranges => {
                let gap = decades(rng, -12.0, 3.0);
                let reach = decades(rng, -2.0, 1.0);
                let (mut v, a) = (ranged(rng), ranged(rng));
                let n = unit(rng);
                if rng.chance(70) && v.dot(n) > 0.0 {
                    v = -v;
                }
                Case { d: n * (reach + gap), v, a, reach }
            }
            Family::Inside => {
                let depth = if rng.chance(30) { decades(rng, -16.0, 0.0) } else { rng.unit() };
                let (v, a) = if rng.chance(30) {
                    (ranged(rng), ranged(rng))
                } else {
                    (rng.vector(2.0), rng.vector(2.0))
                };
                Case { d: unit(rng) * (1.0 - depth), v, a, reach: 1.0 }
            }
        }
    }
}

/// At its closest approach a path moves along the circle or stands still, and turns away from it.
fn grazing(rng: &mut Rng) -> Case {
    let n = unit(rng);
    let missed = decades(rng, -17.0, 0.0) * rng.pick(&[1.0, -1.0, -1.0, 0.0]);
    let speed = if rng.chance(20) { 0.0 } else { decades(rng, -4.0, 1.0) };
    let a = rng.vector(2.0) * if rng.chance(30) { decades(rng, -8.0, 2.0) } else { 1.0 };
    let at = Case { d: n * (1.0 + missed), v: n.perp() * speed, a, reach: 1.0 };
    let is_closest = speed * speed + at.d.dot(a) > 0.0;
    let case = Case { a: if is_closest { a } else { -a }, ..at }.after(-decades(rng, -4.0, 2.0));
    // Where the circle is crossed on the way it is no graze, but as good a case.
    if case.d.length() > 1.0 { case } else { grazing(rng) }
}

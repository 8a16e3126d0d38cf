//! Who presses, slips and rolls: all that Coulomb's law allows, by trying every combination.

use super::linear::{Line, best, solutions};
use super::system::{First, Geometry, LOCKED, Link, Motion, System};
use carom_engine::DVec2;

/// What two that touch do along the tangent, or as they roll: −1 or 1 if they slip that way, 0 if they stick.
pub(super) type Way = i8;

/// What a contact does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mode {
    /// It presses on nothing.
    Open,
    /// It presses, and slips and rolls so. What no friction acts on counts as sticking.
    Pressed([Way; 2]),
}

/// A contact whose gap is closed, with the ways in which it slips and rolls at present.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub(super) link: usize,
    pub(super) ways: [Way; 2],
}

/// What follows from a combination of modes.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) modes: Vec<Mode>,
    /// Accelerations of centres, and angular ones.
    pub(super) accelerations: Vec<(DVec2, f64)>,
    /// By how much of the accelerations the least of the conditions is fulfilled; negative if it is not.
    pub(super) slack: f64,
}

/// A direction in which contacts push, of the coordinates of two bodies.
#[derive(Clone, Copy)]
struct Row {
    parts: [Option<(usize, DVec2, f64)>; 2],
}

/// What the law is asked about.
pub(super) struct Question<'a> {
    pub(super) system: &'a System,
    pub(super) links: &'a [Link],
    pub(super) motions: &'a [Motion],
    pub(super) time: f64,
    pub(super) touches: &'a [Touch],
}

/// A force of a contact: what it pushes, and what it does not let change.
struct Force {
    push: Row,
    kept: Row,
    bias: f64,
}

/// A contact as it is now.
struct Part {
    /// The coefficients of friction and of rolling resistance, 0 where they change nothing.
    rough: [f64; 2],
    ways: [Way; 2],
    at: Geometry,
    /// The directions along the normal, along the tangent, and of rolling.
    rows: [Row; 3],
}

impl Question<'_> {
    fn part(&self, touch: &Touch) -> Part {
        let link = self.links[touch.link];
        let at = self.system.geometry(&link, self.motions, self.time);
        let rows = self.rows(&link, &at);
        let acts = |k: usize| self.response(&rows[k + 1], &rows[k + 1]) > 0.0;
        let rough = [0, 1].map(|k| if acts(k) { link.rough[k] } else { 0.0 });
        Part { rough, ways: touch.ways, at, rows }
    }

    fn parts(&self) -> Vec<Part> {
        self.touches.iter().map(|touch| self.part(touch)).collect()
    }

    fn rows(&self, link: &Link, at: &Geometry) -> [Row; 3] {
        let row = |first: (DVec2, f64), second: (DVec2, f64)| {
            let other = match link.first {
                First::Body(i) => Some((i, first.0, first.1)),
                First::Surface(_) => None,
            };
            Row { parts: [other, Some((link.second, second.0, second.1))] }
        };
        let (n, t) = (at.normal, at.normal.perp());
        [
            row((-n, 0.0), (n, 0.0)),
            row((-t, -at.levers[0]), (t, -at.levers[1])),
            row((DVec2::ZERO, at.rolling), (DVec2::ZERO, -at.rolling)),
        ]
    }

    /// What a force in this direction accelerates: those of the lighter class of the two.
    fn pushed(&self, row: &Row) -> impl Iterator<Item = (usize, DVec2, f64)> {
        let parts = row.parts;
        let class = parts.iter().flatten().map(|part| self.system.class(part.0)).max().unwrap_or(0);
        parts.into_iter().flatten().filter(move |part| self.system.class(part.0) == class).map(|part| {
            let body = &self.system.bodies[part.0];
            let light = match self.system.class(part.0) {
                0 => 0.0,
                1 => body.mass.recip(),
                _ => 1.0,
            };
            let turning = light / (body.inertia * body.radius * body.radius);
            (part.0, part.1 * light, part.2 * turning)
        })
    }

    /// The acceleration along one direction by a force along another.
    fn response(&self, kept: &Row, push: &Row) -> f64 {
        let along = |(body, linear, angular): (usize, DVec2, f64)| {
            let of = kept.parts.iter().flatten().filter(|part| part.0 == body);
            of.map(|part| part.1.dot(linear) + part.2 * angular).sum::<f64>()
        };
        self.pushed(push).map(along).sum()
    }

    fn free(&self, body: usize) -> DVec2 {
        if self.system.class(body) == 0 { DVec2::ZERO } else { self.system.gravity }
    }

    /// The acceleration along a direction without contacts.
    fn pulled(&self, row: &Row) -> f64 {
        row.parts.iter().flatten().map(|part| part.1.dot(self.free(part.0))).sum()
    }

    /// The size of the accelerations.
    fn size(&self) -> f64 {
        let bend =
            |touch: &Touch| self.system.geometry(&self.links[touch.link], self.motions, self.time).bend.abs();
        self.touches.iter().map(bend).fold(self.system.gravity.length(), f64::max)
    }

    /// What follows from these modes, if equations have a solution.
    pub(super) fn answer(&self, modes: &[Mode]) -> Option<Answer> {
        let parts = self.parts();
        let mut forces: Vec<Force> = Vec::new();
        // The places of the forces along the normal, the tangent, and of rolling.
        let mut places = Vec::new();
        for (Part { rough, at, rows, .. }, mode) in parts.iter().zip(modes) {
            let Mode::Pressed(ways) = mode else {
                places.push([None; 3]);
                continue;
            };
            let slides = |k: usize| -f64::from(ways[k]) * rough[k];
            let push = sum(&rows[0], &rows[1], slides(0), &rows[2], slides(1));
            let mut place = [Some(forces.len()), None, None];
            forces.push(Force { push, kept: rows[0], bias: at.bend });
            for k in 0..2 {
                if ways[k] == 0 && rough[k] > 0.0 {
                    place[k + 1] = Some(forces.len());
                    forces.push(Force { push: rows[k + 1], kept: rows[k + 1], bias: 0.0 });
                }
            }
            places.push(place);
        }
        let a: Vec<Vec<f64>> =
            forces.iter().map(|f| forces.iter().map(|g| self.response(&f.kept, &g.push)).collect()).collect();
        let b: Vec<f64> = forces.iter().map(|f| -self.pulled(&f.kept) - f.bias).collect();
        let all = solutions(&a, &b)?;
        let lines = self.conditions(&parts, modes, &places, &forces);
        let x = best(&all, &lines);
        let slack = lines.iter().map(|line| line.at(&x)).fold(f64::INFINITY, f64::min);
        Some(Answer { modes: modes.to_vec(), accelerations: self.accelerations(&forces, &x), slack })
    }

    fn accelerations(&self, forces: &[Force], x: &[f64]) -> Vec<(DVec2, f64)> {
        let mut all: Vec<_> = (0..self.motions.len()).map(|body| (self.free(body), 0.0)).collect();
        for (force, x) in forces.iter().zip(x) {
            for (body, linear, angular) in self.pushed(&force.push) {
                all[body].0 += linear * *x;
                all[body].1 += angular * x;
            }
        }
        all
    }

    /// What must not be negative, as a part of the accelerations.
    fn conditions(
        &self,
        parts: &[Part],
        modes: &[Mode],
        places: &[[Option<usize>; 3]],
        forces: &[Force],
    ) -> Vec<Line> {
        let size = self.size();
        let mut lines = Vec::new();
        let rate = |row: &Row, bias: f64, sign: f64| Line {
            factors: forces.iter().map(|f| sign * self.response(row, &f.push) / size).collect(),
            constant: sign * (self.pulled(row) + bias) / size,
        };
        for ((Part { rough, ways: now, at, rows }, mode), place) in parts.iter().zip(modes).zip(places) {
            let (Mode::Pressed(ways), Some(normal)) = (mode, place[0]) else {
                lines.push(rate(&rows[0], at.bend, 1.0));
                continue;
            };
            let mut limit = |parts: &[(usize, f64)], row: &Row| {
                let response = self.response(row, row) / size;
                let mut factors = vec![0.0; forces.len()];
                parts.iter().for_each(|(k, factor)| factors[*k] += factor * response);
                lines.push(Line { factors, constant: 0.0 });
            };
            limit(&[(normal, 1.0)], &rows[0]);
            for k in 0..2 {
                if let Some(force) = place[k + 1] {
                    limit(&[(normal, rough[k]), (force, 1.0)], &rows[k + 1]);
                    limit(&[(normal, rough[k]), (force, -1.0)], &rows[k + 1]);
                }
            }
            // A slip that forces begin goes on the way that they drive it.
            for k in (0..2).filter(|&k| ways[k] != 0 && now[k] == 0) {
                lines.push(rate(&rows[k + 1], 0.0, f64::from(ways[k])));
            }
        }
        lines
    }

    /// The modes that each contact may have.
    fn choices(&self) -> Vec<Vec<Mode>> {
        self.parts()
            .iter()
            .map(|part| {
                let ways = |k: usize| match part.ways[k] {
                    _ if part.rough[k] == 0.0 => vec![0],
                    0 if part.rough[k] >= LOCKED => vec![0],
                    0 => vec![0, 1, -1],
                    way => vec![way],
                };
                let pressed = ways(0).into_iter().flat_map(|s| ways(1).into_iter().map(move |r| [s, r]));
                pressed.map(Mode::Pressed).chain([Mode::Open]).collect()
            })
            .collect()
    }

    /// The number of combinations of modes.
    pub(super) fn count(&self) -> usize {
        self.choices().iter().map(Vec::len).product()
    }

    /// All answers that violate no condition by more than `slack`.
    pub(super) fn answers(&self, slack: f64) -> Vec<Answer> {
        let choices = self.choices();
        let count: usize = choices.iter().map(Vec::len).product();
        let mut found = Vec::new();
        for mut number in 0..count {
            let pick = |choices: &Vec<Mode>| {
                let mode = choices[number % choices.len()];
                number /= choices.len();
                mode
            };
            let modes: Vec<Mode> = choices.iter().map(pick).collect();
            found.extend(self.answer(&modes).filter(|answer| answer.slack >= -slack));
        }
        found
    }

    /// The directions of a contact: along the normal, along the tangent, and of rolling.
    pub(super) fn directions(&self, touch: &Touch) -> [Kept; 3] {
        self.part(touch).rows.map(Kept)
    }

    /// By how much a force of 1 in a direction accelerates along it.
    pub(super) fn response_of(&self, way: &Kept) -> f64 {
        self.response(&way.0, &way.0)
    }

    /// What a force of 1 in a direction does to the bodies.
    pub(super) fn given(&self, way: &Kept) -> Vec<(usize, DVec2, f64)> {
        self.pushed(&way.0).collect()
    }

    /// The directions of all that these modes keep at 0, with the speeds along them: of gaps, and what
    /// sticks. Those of gaps alone if `sticks` is false.
    pub(super) fn kept(&self, modes: &[Mode], sticks: bool) -> Vec<(f64, f64, Kept)> {
        let mut kept = Vec::new();
        for (Part { rough, at, rows, .. }, mode) in self.parts().iter().zip(modes) {
            let Mode::Pressed(ways) = mode else { continue };
            kept.push((at.gap, at.opening, Kept(rows[0])));
            for (k, speed) in [at.slip, at.roll].into_iter().enumerate() {
                if sticks && ways[k] == 0 && rough[k] > 0.0 {
                    kept.push((0.0, speed, Kept(rows[k + 1])));
                }
            }
        }
        kept
    }

    /// What changes of the bodies, along the directions that are kept, change these by `by`, the least in
    /// the metric of the masses. None if nothing does.
    pub(super) fn change(&self, kept: &[Kept], by: &[f64]) -> Option<Vec<(DVec2, f64)>> {
        let of = |f: &Kept| kept.iter().map(|g| self.response(&f.0, &g.0)).collect();
        let a: Vec<Vec<f64>> = kept.iter().map(of).collect();
        let found = solutions(&a, by)?.point;
        let mut all = vec![(DVec2::ZERO, 0.0); self.motions.len()];
        for (row, x) in kept.iter().zip(&found) {
            for (body, linear, angular) in self.pushed(&row.0) {
                all[body].0 += linear * *x;
                all[body].1 += angular * x;
            }
        }
        Some(all)
    }
}

/// A direction that is kept at 0.
#[derive(Clone, Copy)]
pub(super) struct Kept(Row);

/// A direction with parts of two others.
fn sum(a: &Row, b: &Row, by_b: f64, c: &Row, by_c: f64) -> Row {
    let part = |k: usize| {
        let (a, b, c) = (a.parts[k]?, b.parts[k]?, c.parts[k]?);
        Some((a.0, a.1 + b.1 * by_b + c.1 * by_c, a.2 + b.2 * by_b + c.2 * by_c))
    };
    Row { parts: [part(0), part(1)] }
}

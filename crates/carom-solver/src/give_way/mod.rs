mod jam;

use crate::complementarity::{Complementarity, Infeasible};
use crate::tolerances::{CANCELLED, RESIDUAL, YIELDED_UNIT};
use alloc::vec::Vec;
use carom_math::eft::DoubleDouble as Dd;
use glam::DVec2;
pub(crate) use jam::Jam;

/// How unstoppable bodies give way where what they close in on cannot.
///
/// Bodies of finite mass, unstoppable ones with velocities `V` (infinite masses) and fixed ones (walls)
/// touch. If nothing that the movable bodies do keeps all contacts from closing, the unstoppable ones take
/// the velocities `V'` for which `Σ |V' − V|²` is least, such that
///
/// - the movable bodies have velocities with which no contact closes, and
/// - along the normal of each of its contacts an unstoppable body has a speed between its old one and 0.
///
/// So none is pushed or reversed, and those at rest stay. `V' = 0` fulfils both: there is a solution, and
/// as the sum is strictly convex there is one only.
///
/// The first condition has the velocities of all movable bodies in it, which cost nothing. They are
/// eliminated by Farkas' lemma: it holds exactly if no impulses `λ ≥ 0` that cancel on every movable body
/// do work on what is unstoppable, `λ·(closing speeds at V') ≤ 0`. Each such `λ` demands one inequality of
/// `V'`, a *cut*. There are finitely many that matter (the edges of the cone of those `λ`); the
/// complementarity problem of a part finds one that is violated, or none. So: solve for the cuts known,
/// look for more, until no cut is violated. Each of the two is solved exactly, by an active set in
/// double-double arithmetic, so that the order of bodies and contacts is lost in the rounding. See
/// `docs/derivations/impulse.md`.
#[derive(Clone, Debug, Default)]
pub(crate) struct GiveWay {
    /// Velocities of the unstoppable bodies: before, and what they become.
    before: Vec<[Dd; 2]>,
    after: Vec<[Dd; 2]>,
    /// The largest component of a velocity before.
    scale: f64,
    touches: Vec<Touch>,
    /// The inequalities `row·V' ≥ bound`, cuts and intervals, and their coefficients, one after another.
    rows: Vec<Row>,
    coefficients: Vec<Coefficient>,
    problem: Complementarity,
    /// Operations so far: see [`MOST_WORK`].
    work: usize,
}

/// A contact between two bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    pub(crate) ends: [End; 2],
    /// Unit normal from the first to the second.
    pub(crate) normal: DVec2,
    /// Contacts that hang together through movable bodies have the same number.
    pub(crate) part: usize,
}

/// A body at a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// One of finite mass, by any number.
    Movable(usize),
    /// An unstoppable one, by the number that [`GiveWay::add_body`] returned.
    Unstoppable(usize),
    /// A wall.
    Fixed,
}

/// `Σ coefficients · V' ≥ bound`, the sum over the unstoppable bodies named.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// A range of `GiveWay::coefficients`.
    start: usize,
    end: usize,
    bound: Dd,
}

/// An unstoppable body, and what its velocity is multiplied by.
type Coefficient = (usize, [Dd; 2]);

/// The most operations, counted as the cubes of the sizes of the problems solved: about 20 ms. A part of 128
/// contacts fits once, one of 50 seventeen times. What takes more stands still, which is an answer, and not
/// the least change of velocities.
const MOST_WORK: usize = 1 << 21;

/// Rounds in which only inequalities are found that are violated by less than
/// [`Complementarity::NEGLIGIBLE`]: normals that rounding has turned make some, one or two rounds settle
/// them, and where they do not it is the arithmetic that is at its end.
const MOST_NEGLIGIBLE_ROUNDS: u32 = 8;

impl GiveWay {
    /// Starts a problem.
    pub(crate) fn reset(&mut self) {
        self.before.clear();
        self.touches.clear();
    }

    /// Adds an unstoppable body. Returns its number.
    pub(crate) fn add_body(&mut self, velocity: [Dd; 2]) -> usize {
        self.before.push(velocity);
        self.before.len() - 1
    }

    pub(crate) fn add_touch(&mut self, touch: Touch) {
        self.touches.push(touch);
    }

    /// The velocity that an unstoppable body takes; `None` if it keeps its own.
    ///
    /// Chains with the same ends demand the same up to the rounding of their normals, and which of them
    /// decides is open. So the velocity is rounded to [`YIELDED_UNIT`] of the largest.
    pub(crate) fn velocity(&self, body: usize) -> Option<[f64; 2]> {
        let unit = exponent_of(self.scale) * YIELDED_UNIT;
        let (before, after) = (self.before[body], self.after[body]);
        let keeps = (0..2).all(|k| (after[k] - before[k]).to_f64().abs() <= unit);
        (!keeps).then(|| after.map(|v| v.round_to(unit)))
    }

    /// Finds the velocities. The touches of one part must stand together.
    ///
    /// A round takes O(n³) of the largest part, and O(r³) of the rows; there are as many rounds as chains
    /// that hinder each other, mostly one or two. Where this is more than [`MOST_WORK`], all stand still.
    pub(crate) fn solve(&mut self) {
        self.after.clone_from(&self.before);
        self.rows.clear();
        self.coefficients.clear();
        self.work = 0;
        let largest = |scale: f64, v: &[Dd; 2]| scale.max(v[0].to_f64().abs()).max(v[1].to_f64().abs());
        self.scale = self.before.iter().fold(0.0, largest);
        let tolerance = RESIDUAL * self.scale;
        self.add_intervals();
        let mut negligible_rounds = 0;
        for _ in 0..32 + 4 * self.touches.len() {
            let found = self.add_cuts(tolerance);
            self.work += self.rows.len().pow(3);
            if self.work > MOST_WORK {
                break;
            }
            if found <= 0.0 || negligible_rounds == MOST_NEGLIGIBLE_ROUNDS {
                return;
            }
            negligible_rounds += u32::from(found <= Complementarity::NEGLIGIBLE * tolerance);
            self.project(tolerance);
        }
        // Standing still is never wrong.
        self.after.fill([Dd::ZERO; 2]);
    }

    /// Adds what every contact of an unstoppable body demands: a speed along the normal between the present
    /// one and 0.
    fn add_intervals(&mut self) {
        for i in 0..self.touches.len() {
            let Touch { ends, normal, .. } = self.touches[i];
            for end in ends {
                let End::Unstoppable(body) = end else { continue };
                let along = |sign: f64| [Dd::from(sign * normal.x), Dd::from(sign * normal.y)];
                let speed = dot(along(1.0), self.before[body]);
                let sign = if speed < Dd::ZERO { -1.0 } else { 1.0 };
                let speed = speed.abs();
                for (sign, bound) in [(sign, Dd::ZERO), (-sign, -speed)] {
                    let start = self.coefficients.len();
                    self.coefficients.push((body, along(sign)));
                    self.rows.push(Row { start, end: start + 1, bound });
                }
            }
        }
    }

    /// Looks in each part for impulses that forbid the present velocities. Returns the largest violation, 0
    /// without one.
    fn add_cuts(&mut self, tolerance: f64) -> f64 {
        let mut worst: f64 = 0.0;
        let mut first = 0;
        while first < self.touches.len() && self.work <= MOST_WORK {
            let part = self.touches[first].part;
            let size = self.touches[first..].iter().take_while(|touch| touch.part == part).count();
            let range = first..first + size;
            self.work += size.pow(3);
            if self.work > MOST_WORK {
                break;
            }
            if self.is_moved(range.clone())
                && self.solve_part(range.clone(), tolerance).is_err()
                && let Some(row) = self.cut(range)
            {
                worst = worst.max(-self.slack(&row).to_f64());
                self.rows.push(row);
            }
            first += size;
        }
        worst
    }

    /// Whether an unstoppable body that moves takes part in these touches.
    fn is_moved(&self, range: core::ops::Range<usize>) -> bool {
        self.touches[range].iter().flat_map(|touch| touch.ends).any(|end| match end {
            End::Unstoppable(body) => self.after[body] != [Dd::ZERO; 2],
            _ => false,
        })
    }

    /// Whether the movable bodies of a part, at rest before, have velocities with which nothing closes.
    /// Their masses do not matter for that.
    fn solve_part(&mut self, range: core::ops::Range<usize>, tolerance: f64) -> Result<(), Infeasible> {
        let part = &self.touches[range];
        self.problem.reset(part.len());
        for (i, touch) in part.iter().enumerate() {
            *self.problem.offset_mut(i) = -closing_speed(touch, &self.after);
            for (j, other) in part[..=i].iter().enumerate() {
                self.problem.set_symmetric(i, j, coupling(touch, other));
            }
        }
        self.problem.solve(tolerance, tolerance)
    }

    /// The inequality that the ray of the problem of a part demands, of about unit length. `None` if the
    /// impulses cancel on the unstoppable bodies, too, up to the rounding of the normals: what is carried
    /// along from all sides.
    ///
    /// The ray is impulses `λ ≥ 0` that cancel on every movable body. Whatever these do, `λ·(closing speeds)`
    /// is then the work on the unstoppable ones alone, `Σ ± λ n·V'`, which must not be positive: the
    /// coefficient of a body is the sum of the impulses on it.
    fn cut(&mut self, range: core::ops::Range<usize>) -> Option<Row> {
        let start = self.coefficients.len();
        for (touch, &impulse) in self.touches[range].iter().zip(&self.problem.ray) {
            for (end, sign) in touch.ends.into_iter().zip([-1.0, 1.0]) {
                let End::Unstoppable(body) = end else { continue };
                let push = [touch.normal.x, touch.normal.y].map(|n| impulse * Dd::from(sign * n));
                match self.coefficients[start..].iter_mut().find(|(known, _)| *known == body) {
                    Some((_, sum)) => *sum = [sum[0] + push[0], sum[1] + push[1]],
                    None => self.coefficients.push((body, push)),
                }
            }
        }
        let largest = |most: f64, x: &Dd| most.max(x.to_f64().abs());
        let length = self.coefficients[start..].iter().flat_map(|(_, c)| c).fold(0.0, largest);
        if length <= CANCELLED * self.problem.ray.iter().fold(0.0, largest) {
            self.coefficients.truncate(start);
            return None;
        }
        for c in self.coefficients[start..].iter_mut().flat_map(|(_, c)| c) {
            *c = *c / Dd::from(length);
        }
        Some(Row { start, end: self.coefficients.len(), bound: Dd::ZERO })
    }

    fn coefficients_of(&self, row: &Row) -> &[Coefficient] {
        &self.coefficients[row.start..row.end]
    }

    /// By how much the present velocities fulfil an inequality; negative if they do not.
    fn slack(&self, row: &Row) -> Dd {
        let terms = self.coefficients_of(row).iter().map(|&(body, c)| dot(c, self.after[body]));
        terms.fold(-row.bound, |sum, term| sum + term)
    }

    /// Sets the velocities to those nearest to the ones before that fulfil all inequalities: `V' = V + Rᵀ
    /// μ` with `0 ≤ μ ⊥ R V' − b ≥ 0`.
    fn project(&mut self, tolerance: f64) {
        self.after.clone_from(&self.before);
        self.problem.reset(self.rows.len());
        for (i, row) in self.rows.iter().enumerate() {
            *self.problem.offset_mut(i) = self.slack(row);
            for (j, other) in self.rows[..=i].iter().enumerate() {
                let product = inner_product(self.coefficients_of(row), self.coefficients_of(other));
                self.problem.set_symmetric(i, j, product);
            }
        }
        // Always feasible, and what rounding says against it is let go.
        let _ = self.problem.solve(tolerance, f64::INFINITY);
        for (row, &multiplier) in self.rows.iter().zip(&self.problem.impulses) {
            for &(body, c) in &self.coefficients[row.start..row.end] {
                let velocity = &mut self.after[body];
                *velocity = [velocity[0] + c[0] * multiplier, velocity[1] + c[1] * multiplier];
            }
        }
    }
}

/// The power of two at or below a positive number.
fn exponent_of(x: f64) -> f64 {
    f64::from_bits(x.to_bits() >> 52 << 52).max(f64::MIN_POSITIVE)
}

fn dot(a: [Dd; 2], b: [Dd; 2]) -> Dd {
    a[0] * b[0] + a[1] * b[1]
}

/// The speed at which a contact closes, by its unstoppable ends alone.
fn closing_speed(touch: &Touch, velocities: &[[Dd; 2]]) -> Dd {
    let normal = [Dd::from(touch.normal.x), Dd::from(touch.normal.y)];
    let along = |end| match end {
        End::Unstoppable(body) => dot(normal, velocities[body]),
        End::Movable(_) | End::Fixed => Dd::ZERO,
    };
    along(touch.ends[0]) - along(touch.ends[1])
}

/// By how much a unit impulse at one contact opens the other, with unit masses.
fn coupling(a: &Touch, b: &Touch) -> Dd {
    let mut shared = 0.0;
    for (end, sign) in a.ends.into_iter().zip([-1.0, 1.0]) {
        for (other, other_sign) in b.ends.into_iter().zip([-1.0, 1.0]) {
            if end == other && matches!(end, End::Movable(_)) {
                shared += sign * other_sign;
            }
        }
    }
    if shared == 0.0 {
        return Dd::ZERO;
    }
    Dd::from(shared) * (Dd::product(a.normal.x, b.normal.x) + Dd::product(a.normal.y, b.normal.y))
}

fn inner_product(a: &[Coefficient], b: &[Coefficient]) -> Dd {
    let mut sum = Dd::ZERO;
    for &(body, c) in a {
        for &(_, d) in b.iter().filter(|(other, _)| *other == body) {
            sum = sum + dot(c, d);
        }
    }
    sum
}

#[cfg(test)]
mod tests;

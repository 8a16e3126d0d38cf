//! Friction in contacts beside their normal forces, with the rotation of bodies.
//!
//! A body has three coordinates `(x, y, Rφ)` and the masses `(m, m, q m)`. A contact has a row along its
//! normal, with an impulse `λ ≥ 0`, and up to two bounded rows ([`Rub`]): one for the slip, one for
//! rolling. With `τ` the impulse of such a row and `s` its speed afterwards, Coulomb's law is
//!
//! ```text
//! |τ| ≤ μ (λ + j) ,   s = 0   or   τ = −μ (λ + j) sgn s ,
//! ```
//!
//! where `j ≥ 0` is an impulse along the normal that is given: of an impact, that of the passes before.
//! A row either *sticks*, with `s = 0`, or *slides* in a direction `σ`, with `τ = −σ μ (λ + j)`. The normal
//! impulse of a contact that slides acts along `n − σ μ t`, so the matrix is not symmetric, and there is no
//! function of which the answer is the least. What can stick is taken to stick first.

mod all_sets;
mod exact;
mod gradient;
mod interior;
mod rub;
mod sweeps;

use super::block_lu::BlockLu;
use super::row::{Ends, Row};
use super::system::System;
use crate::complementarity::Infeasible;
use crate::tolerances::{F64_WRONG, LEAST_PULL, ROUNDING, SIGNS_TOLD, SOFTNESS};
use alloc::vec::Vec;
use carom_math::eft::DoubleDouble as Dd;
use exact::Exact;
pub(crate) use gradient::Gradient;
use gradient::{add_impulse, add_scaled, along, finite, finite_or_one, normal_of};
pub(crate) use rub::Rub;
use sweeps::{SWEEPS, SWEEPS_OF_IMPACT};

/// Most corrections of the impulses of one set of rows. The factor is exact to 2⁻²⁷, so two or three reach
/// the rounding of `f64`.
const CORRECTIONS: usize = 6;

/// By how much of the largest impulse a row is on the wrong side where one correction is enough to say so:
/// above the error of that, 2⁻²⁷ times the condition. With less, sets are changed by what is rounding; with
/// more, more sets are corrected in vain.
const CLEARLY_WRONG: f64 = 1e-6;

/// Of the largest speed: larger impulses are those of bodies that are all but wedged, where friction along a
/// given slip draws in what presses on it. They would stop that slip in an instant and go on beyond it: in a
/// heap of 40 forces of 10¹⁴ times the weights added a thousandth of the energy in 10⁻¹⁵ s. With less, what
/// lies in a narrow wedge does not rub.
const WEDGED: f64 = 1e6;

/// How often in a row no fewer rows than ever before may be on the wrong side. What takes more goes in
/// circles, and is left to the search from the interior.
const CHANCES: usize = 4;

/// The least number of rows on the wrong side for which sweeps choose the next set, and how often a search
/// makes them. Fewer rows change sides.
const MANY: usize = 3;
const RELAXED: usize = 6;

/// A row that is to come to 0 in a set: of a normal that pushes, or of what sticks.
#[derive(Clone, Copy, Debug)]
struct Active {
    /// The bodies; one of mobility 0 in place of what does not move.
    ends: [u32; 2],
    /// Along what a unit of its impulse acts: beside its own row, what slides by it.
    direction: Gradient,
    gradient: Gradient,
    opening: Dd,
    /// The inverse of its softness.
    stiffness: f64,
    impulse: f64,
    /// By how much its speed is to change.
    wanted: f64,
    /// The impulse before the last correction.
    before: f64,
    /// The number of the row, and of the bounded one.
    of: (u32, Option<u32>),
}

/// The solver, with the bounded rows of a problem of which the [`System`] has bodies and normals.
#[derive(Clone, Debug, Default)]
pub(crate) struct RoughSolver {
    /// By body: how many times its mass resists turning; infinite for what nothing turns.
    pub(crate) inertias: Vec<f64>,
    /// Those of one contact one after another, in the order of these.
    pub(crate) rubs: Vec<Rub>,
    /// By row: the impulse along the normal that is given. Empty where none is.
    pub(crate) given: Vec<f64>,
    /// By body, and 0 for what does not move: how the solution changes it.
    pub(crate) changes: Vec<[f64; 3]>,
    lu: BlockLu,
    /// The graph of the factor: the number of bodies, and the ends of each row with its place.
    bodies: usize,
    graph: Vec<(Ends, u32)>,
    /// By row: where its bounded rows begin.
    first: Vec<u32>,
    /// By body: velocity for each unit of momentum.
    mobilities: Vec<[f64; 3]>,
    /// The rows of the set that is tried.
    active: Vec<Active>,
    /// By body: the momentum by what slides with the impulses that are given.
    base: Vec<[f64; 3]>,
    step: Vec<[f64; 3]>,
    exact: Exact,
    interior: interior::Interior,
}

impl RoughSolver {
    /// Starts a problem.
    pub(crate) fn clear(&mut self) {
        self.inertias.clear();
        self.rubs.clear();
        self.given.clear();
    }

    /// Finds the impulses, into `iterate.impulse` of the rows and into the bounded ones, and what they do.
    /// `speed` is the largest one around.
    ///
    /// Block pivoting, of an impact from the set that sweeps tell. Where that goes in circles, it begins
    /// again with the set to which the interior leads, and where that stalls, with that of many sweeps. What
    /// is found fulfils the conditions, or it is an error.
    pub(super) fn solve(&mut self, system: &mut System, speed: f64) -> Result<(), Infeasible> {
        self.prepare(system);
        let relaxes = if self.has_limits() { RELAXED } else { 0 };
        // The search for forces begins with those of the last event.
        if !self.given.is_empty() && relaxes > 0 {
            self.relax(system, speed, SWEEPS_OF_IMPACT);
        }
        let is_found = self.pivot(system, speed, LEAST_PULL, relaxes)
            || self.search_interior(system, speed)
            || (relaxes > 0 && self.search_by_sweeps(system, speed))
            || self.search_all_sets(system, speed);
        if is_found { Ok(()) } else { Err(Infeasible) }
    }

    /// Lets all rows that are on the wrong side change it at once, until none is. Whether it has come to
    /// that; a row is on the wrong side by more than `least` of the largest impulse.
    ///
    /// One correction is enough to see most of them; a set in which it shows none is corrected to rounding.
    /// The impulses of each set begin where they did at first, or where the interior has led: bodies may have
    /// more contacts than they need, and these keep within limits that the least impulses do not.
    ///
    /// Where many rows are wrong, [sweeps](RoughSolver::relax) choose the next set better than their signs,
    /// at most `relaxes` times. Pivoting then settles three impacts of four on a heap of 73; two of five
    /// without.
    fn pivot(&mut self, system: &mut System, speed: f64, least_wrong: f64, mut relaxes: usize) -> bool {
        let (mut least, mut chances) = (usize::MAX, CHANCES);
        let sweeps = if self.given.is_empty() { SWEEPS } else { SWEEPS_OF_IMPACT };
        while chances > 0 {
            if !self.factor(system) {
                return false;
            }
            self.correct(system, 1, speed);
            let mut wrong = self.count_wrong(system, speed, CLEARLY_WRONG);
            if wrong == 0 {
                self.correct(system, CORRECTIONS, speed);
                wrong = self.count_wrong(system, speed, least_wrong);
                if wrong == 0 && !self.is_off(system, speed) {
                    return true;
                }
            }
            (least, chances) = if wrong < least { (wrong, CHANCES) } else { (least, chances - 1) };
            if wrong >= MANY && relaxes > 0 {
                relaxes -= 1;
                self.relax(system, speed, sweeps);
            } else {
                self.change_sides(system, speed);
            }
        }
        false
    }

    /// Finds the structure and the mobilities.
    fn prepare(&mut self, system: &System) {
        let is_known = self.bodies == system.bodies.len()
            && self.graph.len() == system.rows.len()
            && self.graph.iter().zip(&system.rows).all(|(&(ends, _), row)| ends == row.ends);
        if !is_known {
            self.bodies = system.bodies.len();
            self.lu.analyze(self.bodies, system.rows.iter().map(|row| row.ends));
            self.graph.clear();
            self.graph.extend(system.rows.iter().map(|row| (row.ends, self.lu.place_of(row.ends))));
        }
        self.mobilities.clear();
        for (body, inertia) in system.bodies.iter().zip(&self.inertias) {
            self.mobilities.push([body.mobility, body.mobility, body.mobility / inertia]);
        }
        self.mobilities.push([0.0; 3]);
        self.first.clear();
        let mut k = 0;
        for r in 0..system.rows.len() {
            self.first.push(k as u32);
            while self.rubs.get(k).is_some_and(|rub| rub.contact == r as u32) {
                let ends = self.ends_of(&system.rows[r]);
                self.rubs[k].diagonal = self.diagonal_of(ends, &self.rubs[k].gradient);
                k += 1;
            }
        }
        self.first.push(k as u32);
    }

    /// The bodies of a row, with one of mobility 0 in place of what does not move.
    fn ends_of(&self, row: &Row) -> [u32; 2] {
        row.ends.map(|end| end.unwrap_or(self.bodies as u32))
    }

    /// By how much a unit impulse along a row changes its speed.
    fn diagonal_of(&self, ends: [u32; 2], gradient: &Gradient) -> f64 {
        let of_end = |(end, g): (u32, &[f64; 3])| {
            let [x, y, turn] = self.mobilities[end as usize];
            g[0] * g[0] * x + g[1] * g[1] * y + g[2] * g[2] * turn
        };
        ends.into_iter().zip(gradient).map(of_end).sum()
    }

    fn rubs_of(&self, r: usize) -> core::ops::Range<usize> {
        self.first[r] as usize..self.first[r + 1] as usize
    }

    /// Along what a normal impulse acts: with that of the rows that slide by it.
    fn direction_of(&self, system: &System, r: usize) -> Gradient {
        let mut direction = normal_of(&system.rows[r]);
        for rub in &self.rubs[self.rubs_of(r)] {
            add_scaled(&mut direction, -rub.slides * finite(rub.most), &rub.gradient);
        }
        direction
    }

    /// Factors `M + Σ f gᵀ/(ε d)` over the rows that push and stick, `f` the direction of an impulse and
    /// `g` its row: see [`System::factor`].
    fn factor(&mut self, system: &System) -> bool {
        let mut active = core::mem::take(&mut self.active);
        active.clear();
        for (r, row) in (0..).zip(&system.rows) {
            if !self.is_pressed(row, r as usize) {
                continue;
            }
            let ends = self.ends_of(row);
            let new = |direction, gradient, (opening, diagonal, impulse): (Dd, f64, f64), of| {
                let [wanted, before] = [0.0; 2];
                let stiffness = 1.0 / (SOFTNESS * diagonal);
                Active { ends, direction, gradient, opening, stiffness, impulse, wanted, before, of }
            };
            if row.pushes {
                let direction = self.direction_of(system, r as usize);
                let known = (row.opening, row.diagonal, row.trial);
                active.push(new(direction, normal_of(row), known, (r, None)));
            }
            for k in self.rubs_of(r as usize) {
                let rub = &self.rubs[k];
                if rub.sticks() {
                    let of = (r, Some(k as u32));
                    let known = (rub.opening, rub.diagonal, rub.start);
                    active.push(new(rub.gradient, rub.gradient, known, of));
                }
            }
        }
        self.active = active;
        self.note_base(system);
        self.factor_active(system)
    }

    /// Factors the matrix over the rows that are gathered. Whether it has a factor.
    fn factor_active(&mut self, system: &System) -> bool {
        let masses = system.bodies.iter().zip(&self.inertias);
        self.lu
            .clear(masses.map(|(body, &inertia)| [body.mass, body.mass, body.mass * finite_or_one(inertia)]));
        for row in &self.active {
            let (ends, place) = self.graph[row.of.0 as usize];
            self.lu.add(ends, place, row.stiffness, &row.direction, &row.gradient);
        }
        self.lu.factor()
    }

    /// Whether something presses on a contact, so that it rubs.
    fn is_pressed(&self, row: &Row, r: usize) -> bool {
        row.pushes || self.given_at(r) > 0.0
    }

    fn given_at(&self, r: usize) -> f64 {
        self.given.get(r).copied().unwrap_or(0.0)
    }

    /// Finds what slides with the impulses that are given.
    fn note_base(&mut self, system: &System) {
        self.base.clear();
        self.base.resize(self.bodies + 1, [0.0; 3]);
        for (r, &given) in self.given.iter().enumerate().filter(|&(_, &given)| given > 0.0) {
            let ends = self.ends_of(&system.rows[r]);
            for rub in &self.rubs[self.rubs_of(r)] {
                add_impulse(&mut self.base, ends, -rub.slides * finite(rub.most) * given, &rub.gradient);
            }
        }
    }

    /// Corrects the impulses of the set by what is left, as long as these take off a half, and this many
    /// times at most. Then notes the impulses and speeds of all rows.
    fn correct(&mut self, system: &mut System, corrections: usize, speed: f64) {
        let mut last = f64::INFINITY;
        for correction in 0..=corrections {
            self.note_changes();
            let size = self.note_wanted();
            if size > 0.5 * last {
                // What contradicts itself is not to be pressed ever harder.
                if size > last {
                    self.active.iter_mut().for_each(|row| row.impulse = row.before);
                    self.note_changes();
                }
                break;
            }
            if size <= 0.125 * ROUNDING * speed || correction == corrections {
                break;
            }
            last = size;
            self.correct_once();
        }
        self.note_all(system);
    }

    /// Sets by how much the speeds of the set are to change. The most.
    fn note_wanted(&mut self) -> f64 {
        let mut size = 0.0_f64;
        for row in &mut self.active {
            row.wanted = -row.opening.to_f64() - along(&self.changes, row.ends, &row.gradient);
            size = size.max(row.wanted.abs());
        }
        size
    }

    /// Finds by how much velocities change where the rows of the set are to change their speeds as wanted, as
    /// far as the factor knows, into `step`.
    fn solve_step(&mut self) {
        self.step.clear();
        self.step.resize(self.bodies + 1, [0.0; 3]);
        for row in &self.active {
            add_impulse(&mut self.step, row.ends, row.wanted * row.stiffness, &row.direction);
        }
        self.lu.solve(&mut self.step[..self.bodies]);
        self.step[self.bodies] = [0.0; 3];
    }

    /// Adds the impulses that change speeds as wanted, as far as the factor knows.
    fn correct_once(&mut self) {
        self.solve_step();
        for row in &mut self.active {
            row.before = row.impulse;
            row.impulse += (row.wanted - along(&self.step, row.ends, &row.gradient)) * row.stiffness;
        }
    }

    /// What the impulses of the set do to the bodies.
    fn note_changes(&mut self) {
        self.changes.clone_from(&self.base);
        for row in &self.active {
            add_impulse(&mut self.changes, row.ends, row.impulse, &row.direction);
        }
        for (change, mobility) in self.changes.iter_mut().zip(&self.mobilities) {
            change.iter_mut().zip(mobility).for_each(|(change, mobility)| *change *= mobility);
        }
    }

    /// Notes the impulses of the set, those of what slides, and the speeds of all rows with them.
    fn note_all(&mut self, system: &mut System) {
        system.rows.iter_mut().for_each(|row| row.iterate.impulse = 0.0);
        self.rubs.iter_mut().for_each(|rub| rub.impulse = 0.0);
        for row in &self.active {
            match row.of {
                (r, None) => system.rows[r as usize].iterate.impulse = row.impulse,
                (_, Some(k)) => self.rubs[k as usize].impulse = row.impulse,
            }
        }
        for r in 0..system.rows.len() {
            let given = self.given_at(r);
            let row = &mut system.rows[r];
            let ends = self.ends_of(row);
            row.iterate.speed = row.opening.to_f64() + along(&self.changes, ends, &normal_of(row));
            for k in self.rubs_of(r) {
                let rub = &mut self.rubs[k];
                if rub.slides != 0.0 {
                    rub.impulse = -rub.slides * rub.most * (row.iterate.impulse + given);
                }
                rub.speed = rub.opening.to_f64() + along(&self.changes, ends, &rub.gradient);
            }
        }
    }

    /// The largest impulse along a normal, as the speed that it makes.
    fn largest(&self, system: &System) -> f64 {
        let of_row = |(r, row): (usize, &Row)| row.iterate.impulse.abs().max(self.given_at(r)) * row.diagonal;
        system.rows.iter().enumerate().map(of_row).fold(0.0, f64::max)
    }

    /// How many rows are on the wrong side: those that pull, or close, or bear more than they can, by
    /// more than this part of the largest impulse, and those that slide against their friction.
    fn count_wrong(&mut self, system: &mut System, speed: f64, least: f64) -> usize {
        let largest = self.largest(system);
        let tolerance = ROUNDING.max(least) * speed.max(largest);
        let mut wrong = 0;
        for r in 0..system.rows.len() {
            let row = &mut system.rows[r];
            let pulls = row.iterate.impulse * row.diagonal < -least * largest;
            let closes = row.iterate.speed < -tolerance;
            row.is_wrong = !row.is_bilateral && if row.pushes { pulls } else { closes };
            wrong += usize::from(row.is_wrong);
            let pressing = row.iterate.impulse.max(0.0) + self.given_at(r);
            let (is_wrong, least) = (row.is_wrong, least * largest / row.diagonal);
            let is_rubbing = !is_wrong && self.is_pressed(&system.rows[r], r);
            for k in self.rubs_of(r) {
                let rub = &mut self.rubs[k];
                rub.belongs =
                    if is_rubbing { rub.side(pressing, least, SIGNS_TOLD * speed) } else { rub.slides };
                wrong += usize::from(rub.belongs != rub.slides);
            }
        }
        wrong
    }

    /// Lets what is on the wrong side change it.
    fn change_sides(&mut self, system: &mut System, speed: f64) {
        for r in 0..system.rows.len() {
            let row = &mut system.rows[r];
            row.pushes ^= row.is_wrong;
            let begins = row.is_wrong && row.pushes;
            for k in self.rubs_of(r) {
                self.rubs[k].slides = self.rubs[k].belongs;
            }
            if begins {
                self.begin_to_rub(r, SIGNS_TOLD * speed);
            }
        }
    }

    /// Lets a contact that begins to push slide as it would without: one that stuck would pull the
    /// sooner, and so cease to push.
    fn begin_to_rub(&mut self, r: usize, tolerance: f64) {
        for k in self.rubs_of(r) {
            let rub = &mut self.rubs[k];
            if !rub.is_given && rub.most < f64::INFINITY {
                rub.slides = if rub.speed.abs() > tolerance { rub.speed.signum() } else { 0.0 };
            }
        }
    }

    /// Whether impulses violate a condition by more than [`F64_WRONG`], or are beyond [`WEDGED`]. A NaN does.
    fn is_off(&self, system: &System, speed: f64) -> bool {
        let least = F64_WRONG * speed;
        if !(self.largest(system) <= WEDGED * speed) {
            return true;
        }
        (0..system.rows.len()).any(|r| {
            let row = &system.rows[r];
            let is_off = !(row.iterate.speed >= -least) || (row.pushes && !(row.iterate.speed <= least));
            let is_rubbing = self.is_pressed(row, r);
            let slips = |rub: &Rub| rub.sticks() && !(rub.speed.abs() <= least);
            is_off || (is_rubbing && self.rubs[self.rubs_of(r)].iter().any(slips))
        })
    }

    /// Whether all friction has a limit. Without one, a contact that only touches is locked if it is taken to
    /// push, and sweeps may take it so.
    fn has_limits(&self) -> bool {
        self.rubs.iter().all(|rub| rub.most < f64::INFINITY)
    }
}

//! Friction in contacts beside their normal forces, with the rotation of bodies.
//!
//! A body has three coordinates `(x, y, Rφ)` and the masses `(m, m, q m)`. A contact has a row along its
//! normal, with an impulse `λ ≥ 0`, and up to two bounded rows ([`Rub`]): one for the slip, one for
//! rolling. With `τ` the impulse of such a row and `s` its speed afterwards, Coulomb's law is
//!
//! ```text
//! |τ| ≤ μ λ ,   s = 0   or   τ = −μ λ sgn s .
//! ```
//!
//! A row either *sticks*, with `s = 0`, or *slides* in a direction `σ`, with `τ = −σ μ λ`. The normal
//! impulse of a contact that slides acts along `n − σ μ t`, so the matrix is not symmetric, and there is no
//! function of which the answer is the least. What can stick is taken to stick first.

mod sweeps;

use super::block_lu::{BlockLu, dot};
use super::row::{Ends, Row};
use super::system::System;
use crate::complementarity::Infeasible;
use crate::tolerances::{F64_WRONG, LEAST_PULL, ROUNDING, SIGNS_TOLD, SOFTNESS};
use alloc::vec::Vec;

/// The components of a row at its two bodies.
pub(crate) type Gradient = [[f64; 3]; 2];

/// Most corrections of the impulses of one set of rows. The factor is exact to 2⁻²⁷, so two or three reach
/// the rounding of `f64`.
const CORRECTIONS: usize = 6;

/// How often in a row no fewer rows than ever before may be on the wrong side. What takes more goes in
/// circles, and is left to sweeps.
const CHANCES: usize = 4;

/// A row of a contact whose impulse is bounded by that along the normal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rub {
    /// The row of the normal.
    pub(crate) contact: u32,
    pub(crate) gradient: Gradient,
    /// The speed that is to become 0 where it sticks.
    pub(crate) opening: f64,
    /// The largest impulse for each unit of that along the normal; infinite for what sticks in any case.
    pub(crate) most: f64,
    /// The direction in which it slides, −1 or 1; 0 where it sticks.
    pub(crate) slides: f64,
    /// Whether it slides in this direction in any case.
    pub(crate) is_given: bool,
    /// What is found: the impulse, and the speed with all impulses.
    pub(crate) impulse: f64,
    pub(crate) speed: f64,
    pub(crate) diagonal: f64,
    wanted: f64,
    /// The side on which it belongs, as `slides`.
    belongs: f64,
}

impl Rub {
    pub(crate) fn new(contact: u32, gradient: Gradient, opening: f64, most: f64) -> Self {
        let (slides, is_given) = (0.0, false);
        let [impulse, speed, diagonal, wanted, belongs] = [0.0; 5];
        Rub { contact, gradient, opening, most, slides, is_given, impulse, speed, diagonal, wanted, belongs }
    }
}

/// The solver, with the bounded rows of a problem of which the [`System`] has bodies and normals.
#[derive(Clone, Debug, Default)]
pub(crate) struct RoughSolver {
    /// By body: how many times its mass resists turning; infinite for what nothing turns.
    pub(crate) inertias: Vec<f64>,
    /// Those of one contact one after another, in the order of these.
    pub(crate) rubs: Vec<Rub>,
    /// By body: how the solution changes it.
    pub(crate) changes: Vec<[f64; 3]>,
    lu: BlockLu,
    /// The graph of the factor: the number of bodies, and the ends of each row with its place.
    bodies: usize,
    graph: Vec<(Ends, u32)>,
    /// By row: where its bounded rows begin.
    first: Vec<u32>,
    /// By body: velocity for each unit of momentum.
    mobilities: Vec<[f64; 3]>,
    step: Vec<[f64; 3]>,
    /// Scratch: the impulses before a correction.
    before: Vec<f64>,
}

impl RoughSolver {
    /// Starts a problem.
    pub(crate) fn clear(&mut self) {
        self.inertias.clear();
        self.rubs.clear();
    }

    /// Finds the impulses, into `iterate.impulse` of the rows and into the bounded ones, and what they do.
    /// `speed` is the largest one around.
    ///
    /// Block pivoting: all rows that are on the wrong side change it at once. Where that goes in circles,
    /// sweeps over the contacts take over. What is found fulfils the conditions, or it is an error.
    pub(super) fn solve(&mut self, system: &mut System, speed: f64) -> Result<(), Infeasible> {
        self.prepare(system);
        let (mut least, mut chances) = (usize::MAX, CHANCES);
        while chances > 0 {
            if !self.factor(system) {
                return Err(Infeasible);
            }
            self.clear_impulses(system);
            self.correct_active(system, speed);
            let wrong = self.count_wrong(system, speed, LEAST_PULL);
            if wrong == 0 && !self.is_off(system, speed) {
                return Ok(());
            }
            (least, chances) = if wrong < least { (wrong, CHANCES) } else { (least, chances - 1) };
            self.change_sides(system, speed);
        }
        self.solve_by_sweeps(system, speed)
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
        self.first.clear();
        let mut k = 0;
        for r in 0..system.rows.len() {
            self.first.push(k as u32);
            while self.rubs.get(k).is_some_and(|rub| rub.contact == r as u32) {
                let ends = system.rows[r].ends;
                self.rubs[k].diagonal = self.diagonal_of(ends, &self.rubs[k].gradient);
                k += 1;
            }
        }
        self.first.push(k as u32);
    }

    /// By how much a unit impulse along a row changes its speed.
    fn diagonal_of(&self, ends: Ends, gradient: &Gradient) -> f64 {
        let of_end = |(end, g): (Option<u32>, &[f64; 3])| {
            end.map_or(0.0, |body| {
                let [x, y, turn] = self.mobilities[body as usize];
                g[0] * g[0] * x + g[1] * g[1] * y + g[2] * g[2] * turn
            })
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
        let masses = system.bodies.iter().zip(&self.inertias);
        self.lu
            .clear(masses.map(|(body, &inertia)| [body.mass, body.mass, body.mass * finite_or_one(inertia)]));
        for (r, row) in system.rows.iter().enumerate().filter(|(_, row)| row.pushes) {
            let (ends, place) = self.graph[r];
            let f = self.direction_of(system, r);
            self.lu.add(ends, place, 1.0 / (SOFTNESS * row.diagonal), &f, &normal_of(row));
            for rub in self.rubs[self.rubs_of(r)].iter().filter(|rub| rub.sticks()) {
                let stiffness = 1.0 / (SOFTNESS * rub.diagonal);
                self.lu.add(ends, place, stiffness, &rub.gradient, &rub.gradient);
            }
        }
        self.lu.factor()
    }

    /// Sets all impulses to 0, so that the same set gives the same ones.
    fn clear_impulses(&mut self, system: &mut System) {
        system.rows.iter_mut().for_each(|row| row.iterate.impulse = 0.0);
        self.rubs.iter_mut().for_each(|rub| rub.impulse = 0.0);
    }

    /// Corrects the impulses of the rows that push and stick by what is left, as long as these take off a
    /// half.
    fn correct_active(&mut self, system: &mut System, speed: f64) {
        self.note_speeds(system);
        self.before.clear();
        let mut last = f64::INFINITY;
        for correction in 0..=CORRECTIONS {
            let size = self.note_wanted(system);
            if size > 0.5 * last {
                // What contradicts itself is not to be pressed ever harder.
                if size > last {
                    self.take_back(system);
                }
                break;
            }
            if size <= 0.125 * ROUNDING * speed || correction == CORRECTIONS {
                break;
            }
            last = size;
            self.correct(system);
        }
    }

    /// Sets by how much the speeds of the rows that push and stick are to change. The most.
    fn note_wanted(&mut self, system: &mut System) -> f64 {
        let mut size = 0.0_f64;
        for r in 0..system.rows.len() {
            let is_rubbing = system.rows[r].pushes;
            let row = &mut system.rows[r];
            row.wanted = if row.pushes { -row.iterate.speed } else { 0.0 };
            size = size.max(row.wanted.abs());
            for k in self.rubs_of(r) {
                let rub = &mut self.rubs[k];
                let sticks = is_rubbing && rub.sticks();
                rub.wanted = if sticks { -rub.speed } else { 0.0 };
                size = size.max(rub.wanted.abs());
            }
        }
        size
    }

    /// Adds the impulses that change speeds as wanted, as far as the factor knows.
    fn correct(&mut self, system: &mut System) {
        self.before.clear();
        self.before.extend(system.rows.iter().map(|row| row.iterate.impulse));
        self.before.extend(self.rubs.iter().map(|rub| rub.impulse));
        self.step.clear();
        self.step.resize(system.bodies.len(), [0.0; 3]);
        for r in 0..system.rows.len() {
            let row = &system.rows[r];
            let f = self.direction_of(system, r);
            add_impulse(&mut self.step, row.ends, row.wanted / (SOFTNESS * row.diagonal), &f);
            for k in self.rubs_of(r) {
                let rub = &self.rubs[k];
                if rub.wanted != 0.0 {
                    let impulse = rub.wanted / (SOFTNESS * rub.diagonal);
                    add_impulse(&mut self.step, row.ends, impulse, &rub.gradient);
                }
            }
        }
        self.lu.solve(&mut self.step);
        for r in 0..system.rows.len() {
            let is_rubbing = system.rows[r].pushes;
            let row = &mut system.rows[r];
            if row.pushes {
                let left = row.wanted - along(&self.step, row.ends, &normal_of(row));
                row.iterate.impulse += left / (SOFTNESS * row.diagonal);
            }
            for k in self.rubs_of(r) {
                let rub = &mut self.rubs[k];
                if is_rubbing && rub.sticks() {
                    let left = rub.wanted - along(&self.step, row.ends, &rub.gradient);
                    rub.impulse += left / (SOFTNESS * rub.diagonal);
                }
            }
        }
        self.note_speeds(system);
    }

    /// Takes the last correction back.
    fn take_back(&mut self, system: &mut System) {
        if self.before.len() != system.rows.len() + self.rubs.len() {
            return;
        }
        let (of_rows, of_rubs) = self.before.split_at(system.rows.len());
        system.rows.iter_mut().zip(of_rows).for_each(|(row, &before)| row.iterate.impulse = before);
        self.rubs.iter_mut().zip(of_rubs).for_each(|(rub, &before)| rub.impulse = before);
        self.note_speeds(system);
    }

    /// The impulses of what slides, what all of them do to the bodies, and the speeds of all rows with that.
    fn note_speeds(&mut self, system: &mut System) {
        self.changes.clear();
        self.changes.resize(system.bodies.len(), [0.0; 3]);
        for r in 0..system.rows.len() {
            let row = &system.rows[r];
            add_impulse(&mut self.changes, row.ends, row.iterate.impulse, &normal_of(row));
            let pressing = row.iterate.impulse;
            for k in self.rubs_of(r) {
                let rub = &mut self.rubs[k];
                if rub.slides != 0.0 {
                    rub.impulse = -rub.slides * rub.most * pressing;
                }
                add_impulse(&mut self.changes, row.ends, rub.impulse, &rub.gradient);
            }
        }
        for (change, mobility) in self.changes.iter_mut().zip(&self.mobilities) {
            change.iter_mut().zip(mobility).for_each(|(change, mobility)| *change *= mobility);
        }
        for r in 0..system.rows.len() {
            let row = &mut system.rows[r];
            row.iterate.speed = row.opening.to_f64() + along(&self.changes, row.ends, &normal_of(row));
            for k in self.rubs_of(r) {
                let rub = &mut self.rubs[k];
                rub.speed = rub.opening + along(&self.changes, row.ends, &rub.gradient);
            }
        }
    }

    /// The largest impulse along a normal, as the speed that it makes.
    fn largest(system: &System) -> f64 {
        system.rows.iter().map(|row| (row.iterate.impulse * row.diagonal).abs()).fold(0.0, f64::max)
    }

    /// How many rows are on the wrong side: those that pull, or close, or bear more than they can, by
    /// more than this part of the largest impulse, and those that slide against their friction.
    fn count_wrong(&mut self, system: &mut System, speed: f64, least: f64) -> usize {
        let largest = Self::largest(system);
        let tolerance = ROUNDING.max(least) * speed.max(largest);
        let mut wrong = 0;
        for r in 0..system.rows.len() {
            let row = &mut system.rows[r];
            let pulls = row.iterate.impulse * row.diagonal < -least * largest;
            let closes = row.iterate.speed < -tolerance;
            row.is_wrong = !row.is_bilateral && if row.pushes { pulls } else { closes };
            wrong += usize::from(row.is_wrong);
            let pressing = row.iterate.impulse.max(0.0);
            let (is_wrong, least) = (row.is_wrong, least * largest / row.diagonal);
            let is_rubbing = !is_wrong && system.rows[r].pushes;
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

    /// Whether impulses violate a condition by more than [`F64_WRONG`]. A NaN does.
    fn is_off(&self, system: &System, speed: f64) -> bool {
        let least = F64_WRONG * speed;
        (0..system.rows.len()).any(|r| {
            let row = &system.rows[r];
            let is_off = !(row.iterate.speed >= -least) || (row.pushes && !(row.iterate.speed <= least));
            let is_rubbing = system.rows[r].pushes;
            let slips = |rub: &Rub| rub.sticks() && !(rub.speed.abs() <= least);
            is_off || (is_rubbing && self.rubs[self.rubs_of(r)].iter().any(slips))
        })
    }
}

impl Rub {
    /// Whether its speed is to become 0, if something presses. What turns neither body has no row.
    fn sticks(&self) -> bool {
        self.slides == 0.0 && self.diagonal > 0.0
    }

    /// The side on which it belongs with what is found: the direction in which it slides, or 0.
    fn side(&self, pressing: f64, least: f64, tolerance: f64) -> f64 {
        if self.is_given || self.most == f64::INFINITY {
            self.slides
        } else if self.slides == 0.0 {
            let is_beyond = self.impulse.abs() > self.most * pressing + least;
            if is_beyond { -self.impulse.signum() } else { 0.0 }
        } else if self.speed * self.slides < -tolerance {
            0.0
        } else {
            self.slides
        }
    }
}

/// A coefficient of what slides: what sticks in any case has an infinite one, and does not slide.
fn finite(most: f64) -> f64 {
    if most < f64::INFINITY { most } else { 0.0 }
}

/// What nothing turns has no part in any row; its mass does not matter.
fn finite_or_one(inertia: f64) -> f64 {
    if inertia < f64::INFINITY { inertia } else { 1.0 }
}

/// The row of a normal.
fn normal_of(row: &Row) -> Gradient {
    let (x, y) = (row.normal.x, row.normal.y);
    [[-x, -y, 0.0], [x, y, 0.0]]
}

fn add_scaled(to: &mut Gradient, k: f64, gradient: &Gradient) {
    for (to, g) in to.iter_mut().flatten().zip(gradient.iter().flatten()) {
        *to += k * g;
    }
}

fn add_impulse(to: &mut [[f64; 3]], ends: Ends, impulse: f64, direction: &Gradient) {
    for (end, direction) in ends.into_iter().zip(direction) {
        if let Some(body) = end {
            let of_body = &mut to[body as usize];
            of_body.iter_mut().zip(direction).for_each(|(to, direction)| *to += impulse * direction);
        }
    }
}

/// The speed of a row.
fn along(velocities: &[[f64; 3]], ends: Ends, gradient: &Gradient) -> f64 {
    let of_end =
        |(end, g): (Option<u32>, &[f64; 3])| end.map_or(0.0, |body| dot(g, &velocities[body as usize]));
    ends.into_iter().zip(gradient).map(of_end).sum()
}

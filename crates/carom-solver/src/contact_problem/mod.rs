//! Contacts as rows of a matrix, and who solves for their impulses.
//!
//! | | |
//! | --- | --- |
//! | `system`, `row` | the bodies and rows of a problem, and which factor its matrix has |
//! | `block_ldl`, `row_factor` | the factor by bodies, sparse and soft, and that by few rows |
//! | `active_set`, `interior` | which rows push, by pivoting, or from the interior |
//! | `refine`, `solution` | impulses in double-double: velocities do not depend on the order of contacts |
//! | `descent` | the same where many contacts nearly depend on each other, as in a jam |
//! | `f64_solver` | impulses to the rounding of `f64`, for what rests |
//! | `ground` | forces where friction of the ground acts, too |
//! | `rough`, `block_lu` | the same where contacts rub, with the rotation of bodies, and its factor |
//! | `elimination` | the order and structure of both factors by bodies |

mod active_set;
mod block_ldl;
mod block_lu;
mod descent;
pub(crate) mod elimination;
mod f64_solver;
pub(crate) mod ground;
mod interior;
mod refine;
pub(crate) mod rough;
mod row;
mod row_factor;
mod solution;
mod system;

use crate::complementarity::{Complementarity, Infeasible};
use crate::tolerances::{ACCEPTED_RESIDUAL, CANCELLED, FINE_RESIDUAL, RESIDUAL, SOFTNESS};
use active_set::find_active_set;
use alloc::vec::Vec;
use carom_math::eft::DoubleDouble as Dd;
use descent::descend;
use f64_solver::F64Solver;
use glam::DVec2;
use ground::GroundSolver;
use refine::refine;
use rough::RoughSolver;
use row::Row;
pub(crate) use row::{Ends, RowKind};
use solution::Solution;
use system::System;

/// How precise a solution is to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Precision {
    /// Velocities do not depend on the order of contacts.
    #[default]
    Full,
    /// That of `f64`, if it is a solution: see [`F64Solver`].
    Rounded,
    /// Rounded, and where contacts that depend on each other contradict each other, what two proximal steps
    /// leave is accepted.
    Soft,
}

/// The impulses at zero restitution of contacts that hang together through bodies that they can move.
///
/// Find `λ ≥ 0` with `w = A λ + q ≥ 0` and `λ·w = 0`, where `q` are the speeds of opening, `A = G M⁻¹ Gᵀ`:
/// impulses that only push, contacts that do not approach, and no impulse where bodies part. The velocities
/// are the projection onto those that do not approach, which is unique; the impulses are not where there
/// are more contacts than degrees of freedom. There they are the ones of the least norm, weighted with
/// `A`'s diagonal.
///
/// **How.** The proximal point method (Rockafellar, SIAM J. Control Optim. 14 (1976) 877): each step solves
/// the problem with `A + ε D`, `D` the diagonal of `A`, which has one answer. The first step finds which
/// contacts push, in `f64` on a sparse factor: by block principal pivoting (Júdice and Pires, Comput. Oper.
/// Res. 21 (1994) 587), and where that stalls from the interior ([`interior`]). All later ones correct by
/// the residual, computed in double-double from the velocities themselves, until it is below 2⁻⁹⁸ of the
/// speeds: so velocities do not depend on the order of contacts, nor on the rounding of the factor. The null
/// space of `A` is left alone by the corrections; hence the least norm.
///
/// Where masses or angles are too unlike for that, elimination in double-double takes over for few contacts:
/// see [`Complementarity`]. Where many are nearly jammed, so that no guess settles who pushes, one row after
/// the other does: see [`descend`]. Both are bounded.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContactProblem {
    system: System,
    pub(crate) solution: Solution,
    pub(crate) precision: Precision,
    f64_solver: F64Solver,
    /// What the ground does, and how that is solved.
    pub(crate) ground: GroundSolver,
    /// What contacts rub, and how that is solved.
    pub(crate) rough: RoughSolver,
    elimination: Complementarity,
    /// Scratch: the impulses before elimination.
    soft: Vec<Dd>,
}

/// The most contacts that are eliminated, where corrections leave a residual with which velocities depend on
/// the order of contacts, or one that is no solution. Elimination is dense and in double-double, O(n³) and
/// more where some do not push: a millisecond for this many, a second for four times as many. A larger part
/// keeps what corrections found, and its symmetry to 2⁻⁴⁸, or is solved by descent.
pub(super) const MAX_POLISHED: usize = 48;

impl ContactProblem {
    /// With room for this many bodies and rows.
    pub(crate) fn with_room(few: usize) -> Self {
        ContactProblem {
            system: System::with_room(few),
            solution: Solution::with_room(few),
            ..ContactProblem::default()
        }
    }

    /// Starts a problem.
    pub(crate) fn reset(&mut self) {
        self.system.reset();
    }

    /// Adds a body that the contacts can move. Its index.
    pub(crate) fn add_body(&mut self, mass: f64) -> u32 {
        self.system.add_body(mass)
    }

    /// Adds a contact: its unit normal from the first to the second, the speed at which it closes, and what
    /// it is to do.
    pub(crate) fn add_row(&mut self, ends: Ends, normal: DVec2, closing: Dd, kind: RowKind) {
        self.system.add_row(ends, normal, closing, kind);
    }

    /// Finds the [`Solution`]. `speed` is the largest one around, to which rounding is compared.
    ///
    /// # Errors
    /// If no impulses do it: what cannot be stopped closes in. Where nothing does, to stand still is an
    /// answer: then the problem is not `crushable`.
    pub(crate) fn solve(&mut self, speed: f64, crushable: bool) -> Result<(), Infeasible> {
        let ContactProblem { system, solution, precision, f64_solver, .. } = self;
        solution.clear(system);
        let is_solved = |row: &Row| row.opening == Dd::ZERO || (!row.is_bilateral && row.opening > Dd::ZERO);
        if system.rows.iter().all(is_solved) {
            return Ok(());
        }
        if let [row] = &system.rows[..] {
            let opening = row.opening;
            system.note_exact_mobilities();
            let impulse = -opening / system.mobility_of(0, 0);
            solution.push(system, 0, impulse);
            return Ok(());
        }
        if *precision == Precision::Full {
            return self.solve_fully(speed, crushable);
        }
        let is_found = f64_solver.solve(system, *precision, speed);
        if is_found {
            solution.take_rounded(system);
            let is_good = !F64Solver::leaves_motion(system, *precision, speed);
            if is_good || system.rows.len() > MAX_POLISHED {
                return Ok(());
            }
        }
        if *precision == Precision::Soft {
            return Err(Infeasible);
        }
        let of_f64 = if is_found { solution.impulses.clone() } else { Vec::new() };
        solution.clear(system);
        for row in &mut system.rows {
            row.softness = SOFTNESS;
            row.pushes = row.is_bilateral || row.opening < Dd::ZERO;
        }
        let result = self.solve_fully(speed, crushable);
        if result.is_err() && is_found {
            self.take(of_f64);
            return Ok(());
        }
        result
    }

    /// Solves in double-double: by corrections, and where these leave too much, by elimination or descent.
    fn solve_fully(&mut self, speed: f64, crushable: bool) -> Result<(), Infeasible> {
        let ContactProblem { system, solution, .. } = self;
        system.note_exact_mobilities();
        let is_found = find_active_set(system);
        let residual = if is_found { refine(system, solution, speed) } else { f64::INFINITY };
        let is_small = system.rows.len() <= MAX_POLISHED;
        if residual <= FINE_RESIDUAL * speed || (residual <= ACCEPTED_RESIDUAL * speed && !is_small) {
            return Ok(());
        }
        if self.precision == Precision::Rounded && !is_small {
            return Err(Infeasible);
        }
        if !is_small {
            let residual = descend(system, solution, speed);
            return if residual <= ACCEPTED_RESIDUAL * speed { Ok(()) } else { Err(Infeasible) };
        }
        let mut soft = core::mem::take(&mut self.soft);
        core::mem::swap(&mut soft, &mut self.solution.impulses);
        let mut result = self.eliminate(speed, crushable);
        if residual <= ACCEPTED_RESIDUAL * speed {
            if result.is_err() {
                self.take(soft.iter().copied());
                result = Ok(());
            }
            // Good enough for impulses, and the least ones.
            self.solution.impulses.clone_from(&soft);
        }
        self.soft = soft;
        result
    }

    /// Makes these impulses the solution.
    fn take(&mut self, impulses: impl IntoIterator<Item = Dd>) {
        self.solution.clear(&self.system);
        for (r, impulse) in impulses.into_iter().enumerate() {
            self.solution.push(&self.system, r, impulse);
        }
    }

    /// Finds the [`Solution`] where friction of the ground acts, too: see [`GroundSolver::solve`].
    pub(crate) fn solve_on_ground(&mut self, largest: f64) -> Result<(), Infeasible> {
        let ContactProblem { system, solution, ground, .. } = self;
        solution.clear(system);
        ground.solve(system, largest)?;
        for (impulse, row) in solution.impulses.iter_mut().zip(&system.rows) {
            *impulse = Dd::from(if row.pushes { row.iterate.impulse / row.diagonal } else { 0.0 });
        }
        for (change, ground) in solution.changes.iter_mut().zip(&ground.grounds) {
            *change = ground.found().to_array().map(Dd::from);
        }
        Ok(())
    }

    /// Lets the search for the impulse of a contact that rubs begin with this one.
    pub(crate) fn begin_with(&mut self, contact: usize, impulse: f64) {
        self.system.rows[contact].trial = impulse;
    }

    /// Finds the [`Solution`] where contacts rub, too: see [`RoughSolver::solve`].
    pub(crate) fn solve_rough(&mut self, largest: f64) -> Result<(), Infeasible> {
        let ContactProblem { system, solution, rough, .. } = self;
        solution.clear(system);
        rough.solve(system, largest)?;
        rough.drop_rounding(system);
        for (impulse, row) in solution.impulses.iter_mut().zip(&system.rows) {
            *impulse = Dd::from(row.iterate.impulse);
        }
        for (change, &[x, y, _]) in solution.changes.iter_mut().zip(&rough.changes) {
            *change = [x, y].map(Dd::from);
        }
        Ok(())
    }

    /// Finds the impulses with friction, of bounded rows with this restitution, and the changes of
    /// velocity by them to below the rounding of `f64`: [`RoughSolver::exact_changes`]. Where the search
    /// does not come to its end, they are those of the last sweep.
    ///
    /// # Errors
    /// If these add energy.
    pub(crate) fn rub(&mut self, speed: f64, restitution: f64) -> Result<(), Infeasible> {
        let ContactProblem { system, rough, .. } = self;
        system.note_exact_mobilities();
        if rough.solve(system, speed).is_ok() {
            rough.refine(system, speed);
            return Ok(());
        }
        let takes_energy = rough.settle_for_sweeps(system, (CANCELLED * speed, restitution));
        rough.take_exact(system);
        if takes_energy { Ok(()) } else { Err(Infeasible) }
    }

    /// The impulse at a contact, as the change of its speed of opening that it makes by itself.
    pub(crate) fn push_of(&self, contact: usize) -> f64 {
        self.solution.impulses[contact].to_f64().max(0.0) * self.system.rows[contact].diagonal
    }

    /// The impulse at a contact, and the change of its speed of opening that a unit of it makes.
    pub(crate) fn force_of(&self, contact: usize) -> (f64, f64) {
        let row = &self.system.rows[contact];
        (row.iterate.impulse.max(0.0), row.diagonal)
    }

    /// The speed at which a contact opens with the solution.
    pub(crate) fn opening_after(&self, contact: usize) -> Dd {
        self.solution.opening(&self.system.rows[contact])
    }

    /// Solves by elimination.
    fn eliminate(&mut self, speed: f64, crushable: bool) -> Result<(), Infeasible> {
        let ContactProblem { system, solution, elimination, .. } = self;
        solution.clear(system);
        elimination.reset(system.rows.len());
        for (i, row) in system.rows.iter().enumerate() {
            elimination.set_bilateral(i, row.is_bilateral);
            *elimination.offset_mut(i) = row.opening;
            for j in 0..=i {
                elimination.set_symmetric(i, j, system.mobility_of(i, j));
            }
        }
        let tolerance = RESIDUAL * speed;
        let negligible = if crushable { Complementarity::NEGLIGIBLE * tolerance } else { f64::INFINITY };
        elimination.solve(tolerance, negligible)?;
        for (r, &impulse) in elimination.impulses.iter().enumerate() {
            solution.push(system, r, impulse);
        }
        // The velocities carry the rounding of impulses that nearly cancel. Two corrections take it away.
        for _ in 0..2 {
            for (r, impulse) in elimination.corrections(|r| solution.opening(&system.rows[r])) {
                solution.push(system, r, impulse);
            }
        }
        Ok(())
    }
}

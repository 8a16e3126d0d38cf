//! Corrections of the impulses of an active set, in double-double, by a factor in `f64`.

use super::solution::Solution;
use super::system::System;
use crate::tolerances::{ACCEPTED_RESIDUAL, FINE_RESIDUAL, SIDE_RESIDUAL, SOFTNESS};
use carom_math::eft::DoubleDouble as Dd;

/// Steps about 0: the first, and those that bring it to twice the precision of the factor. They fix the part
/// of the impulses in the null space of `A`, which later steps leave alone; with fewer it would be that of
/// the rounding of the factor.
const FIRST_STEPS: usize = 3;

/// Most steps with one active set. Each takes off up to 26 bits, so six or seven do; what takes more
/// stagnates, and elimination is the faster way.
const MAX_STEPS: usize = 14;

/// A correction that leaves more than this fraction of the residual is the last: rounding of normals is all
/// that is left.
const STAGNANT: f64 = 0.25;

/// Most factorisations. The active set changes by a few rows that are about 0; where it goes on changing,
/// elimination decides.
const MAX_FACTORS: usize = 24;

/// Brings impulses and changes to the precision of double-double. The largest residual left: that of
/// the active set, or, if contacts do not settle on their sides, that of all conditions.
pub(super) fn refine(system: &mut System, solution: &mut Solution, speed: f64) -> f64 {
    // The search for the active set has made the first step.
    let (mut first_steps, mut step) = (if system.is_by_rows { 0 } else { FIRST_STEPS }, 1);
    solution.add_step(system);
    for _ in 0..MAX_FACTORS {
        let residual = correct(system, solution, speed, first_steps, step);
        if settle_sides(system, solution, speed, residual) {
            return residual;
        }
        (first_steps, step) = (0, 0);
        let was_by_rows = system.is_by_rows;
        if !system.factor_active() {
            break;
        }
        if was_by_rows && !system.is_by_rows {
            // The first rows that may depend on each other: least impulses are about 0.
            solution.clear(system);
            first_steps = FIRST_STEPS;
        }
    }
    system.rows.iter().zip(&solution.impulses).fold(0.0, |most: f64, (row, impulse)| {
        let opening = solution.opening(row).to_f64();
        let pulls = if row.is_bilateral { 0.0 } else { -impulse.to_f64() * row.diagonal };
        most.max(if row.pushes { opening.abs() } else { -opening }).max(pulls)
    })
}

/// Corrects by the residual of the active set until that is gone, or as often as is worth it. The
/// largest one left. `done` steps have been made.
///
/// A proximal step about `λ` solves `(A + ε D) λ' + q = ε D λ`, so its change is `(A + ε D)⁻¹` of minus the
/// residual `A λ + q`. The first steps have another residual, `(A + ε D) λ + q`: they are all of the step
/// about 0, and only bring it from the precision of `f64` to that of double-double (iterative refinement).
fn correct(system: &mut System, solution: &mut Solution, speed: f64, first_steps: usize, done: usize) -> f64 {
    let mut residual = f64::INFINITY;
    for step in done..MAX_STEPS {
        let mut largest = 0.0_f64;
        for r in 0..system.rows.len() {
            let row = &system.rows[r];
            if !row.pushes {
                continue;
            }
            let opening = solution.opening(row);
            largest = largest.max(opening.to_f64().abs());
            // Steps about 0 are of the soft problem; later ones are about where the one before ended.
            let softened = if step < first_steps {
                opening + solution.impulses[r] * Dd::from(row.softness * row.diagonal)
            } else {
                opening
            };
            system.rows[r].wanted = -softened.to_f64();
        }
        // Contacts that depend on each other contradict each other by the rounding of their normals.
        let stagnates = step > first_steps + 1 && largest > STAGNANT * residual;
        residual = largest;
        if step >= first_steps && (residual <= FINE_RESIDUAL * speed || stagnates) {
            break;
        }
        system.solve_step();
        solution.add_step(system);
    }
    residual
}

/// Whether all rows are on the right side; those that are not change it.
///
/// A speed of opening is not known better than the residual. Impulses of contacts that depend on each other
/// are known less well by the softness: along the null space of `A` a residual `r` is an impulse of `r/ε`.
fn settle_sides(system: &mut System, solution: &mut Solution, speed: f64, residual: f64) -> bool {
    let (tolerance, of_impulse) = if residual <= FINE_RESIDUAL * speed {
        (SIDE_RESIDUAL * speed, SIDE_RESIDUAL * speed)
    } else {
        (4.0 * residual, (4.0 * residual / SOFTNESS).min(ACCEPTED_RESIDUAL * speed))
    };
    let mut settled = true;
    for r in 0..system.rows.len() {
        let row = &system.rows[r];
        if row.pushes {
            let impulse = solution.impulses[r];
            if !row.is_bilateral && impulse.to_f64() * row.diagonal < -of_impulse {
                solution.push(system, r, -impulse);
                (system.rows[r].pushes, settled) = (false, false);
            }
        } else if solution.opening(row).to_f64() < -tolerance {
            (system.rows[r].pushes, settled) = (true, false);
        }
    }
    settled
}

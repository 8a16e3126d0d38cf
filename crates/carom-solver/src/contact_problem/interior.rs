//! The search for the contacts that push, from the interior.
//!
//! Where many contacts are redundant, pivoting goes from one wrong active set to the next. A primal-dual
//! interior point method (Mehrotra, SIAM J. Optim. 2 (1992) 575) goes past them: with `y` the impulses times
//! the diagonal and `w` the speeds of opening, all positive, it follows `y w = μ` to `μ = 0`. A step has the
//! matrix of a pivot with all rows in it, each with a softness of its own, `ε + w/y`.

use super::row::Row;
use super::system::System;
use crate::tolerances::{INTERIOR_CONVERGED, SOFTNESS};

/// Most steps. Patches of a thousand discs take about twenty; what takes more does not converge, and what it
/// has found is where others go on from.
const MAX_STEPS: usize = 64;

/// How much of the way to the nearest boundary a step goes: at least, and at most, where the prediction is
/// good. All of it would set an impulse or a speed to 0, where the next step has no matrix; less than the
/// first takes more steps.
const SHORT_OF_BOUNDARY: [f64; 2] = [0.995, 1.0 - 1.0 / (1u64 << 20) as f64];

/// Sets which rows push, in `f64`; false if the factor fails or it does not converge.
pub(super) fn search_interior(system: &mut System) -> bool {
    let most = system.rows.iter().fold(0.0, |most: f64, row| most.max(row.closing()));
    for row in &mut system.rows {
        (row.pushes, row.iterate.impulse, row.iterate.speed) = (true, most, most.max(row.opening.to_f64()));
        if row.is_bilateral {
            // Neither of its two is bounded, and their product is 0 from the beginning.
            (row.iterate.impulse, row.iterate.speed) = (0.0, 0.0);
        }
    }
    let mut converged = false;
    for _ in 0..MAX_STEPS {
        let mean = mean_product(system);
        converged = mean <= INTERIOR_CONVERGED * most * most;
        if converged || !step_inside(system, mean) {
            break;
        }
    }
    for row in &mut system.rows {
        row.pushes = row.is_bilateral || row.iterate.impulse > row.iterate.speed;
    }
    converged
}

fn mean_product(system: &System) -> f64 {
    system.rows.iter().map(|row| row.iterate.impulse * row.iterate.speed).sum::<f64>()
        / system.rows.len() as f64
}

/// One step: a prediction straight to `μ = 0` says how much of it to aim at. False if the factor fails.
///
/// As Mehrotra has it: if the prediction, as far as it may go, lowers the mean product to a fraction `f`, the
/// step aims at `f³` of it. What the prediction leaves out is the product of its changes, `Δy Δw`; the step
/// takes it into its target. Both have one matrix, and one factor.
fn step_inside(system: &mut System, mean: f64) -> bool {
    note_residuals(system);
    for row in &mut system.rows {
        let ratio = if row.is_bilateral { 0.0 } else { row.iterate.speed / row.iterate.impulse };
        row.softness = SOFTNESS + ratio;
        row.iterate.target = 0.0;
    }
    if !system.factor() {
        return false;
    }
    let length = solve_inside(system);
    let after = |row: &Row| {
        (row.iterate.impulse + length * row.iterate.impulse_change)
            * (row.iterate.speed + length * row.iterate.speed_change)
    };
    let fraction = system.rows.iter().map(after).sum::<f64>() / (mean * system.rows.len() as f64);
    for row in system.rows.iter_mut().filter(|row| !row.is_bilateral) {
        row.iterate.target =
            mean * fraction * fraction * fraction - row.iterate.impulse_change * row.iterate.speed_change;
    }
    let [least, most] = SHORT_OF_BOUNDARY;
    let length = (1.0 - fraction).clamp(least, most) * solve_inside(system);
    for row in &mut system.rows {
        row.iterate.impulse += length * row.iterate.impulse_change;
        row.iterate.speed += length * row.iterate.speed_change;
    }
    true
}

/// By how much the speeds are off those that the impulses make.
fn note_residuals(system: &mut System) {
    system.note_velocities(|row| Some(row.iterate.impulse / row.diagonal));
    for row in &mut system.rows {
        let speed = row.opening.to_f64() + row.opened_by(&system.step) + SOFTNESS * row.iterate.impulse;
        row.iterate.residual = row.iterate.speed - speed;
    }
}

/// The changes of impulses and speeds after which their products are the targets. How much of them, at
/// most all, keeps both positive.
///
/// To first order `y Δw + w Δy = τ − y w`, so `Δw = τ/y − w − (w/y) Δy`. The speeds that the new impulses
/// make are `w + Δw = q + (A + ε) (y + Δy)`, in units of the diagonal, and with the residual `r = w − q − (A
/// + ε) y` both together are `(A + ε + w/y) Δy = r + τ/y − w`: a step with the softness `ε + w/y`.
fn solve_inside(system: &mut System) -> f64 {
    for row in &mut system.rows {
        let ratio = if row.is_bilateral { 0.0 } else { row.iterate.target / row.iterate.impulse };
        row.wanted = row.iterate.residual + ratio - row.iterate.speed;
    }
    system.solve_step();
    let mut length = 1.0_f64;
    for row in &mut system.rows {
        row.iterate.impulse_change = row.trial * row.diagonal;
        if row.is_bilateral {
            row.iterate.speed_change = 0.0;
            continue;
        }
        row.iterate.speed_change = (row.iterate.target - row.iterate.speed * row.iterate.impulse_change)
            / row.iterate.impulse
            - row.iterate.speed;
        if row.iterate.impulse_change < 0.0 {
            length = length.min(-row.iterate.impulse / row.iterate.impulse_change);
        }
        if row.iterate.speed_change < 0.0 {
            length = length.min(-row.iterate.speed / row.iterate.speed_change);
        }
    }
    length
}

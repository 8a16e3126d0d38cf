//! Descent to the solution by an active-set method, for contacts where pivoting does not find which of them
//! push.

use super::active_set::find_active_set;
use super::row::Row;
use super::solution::Solution;
use super::system::System;
use crate::tolerances::{ACCEPTED_RESIDUAL, FINE_RESIDUAL, LESS_SOFT, RESIDUAL, SOFTNESS};
use carom_math::eft::DoubleDouble as Dd;

/// Most steps, each of one solution with a sparse factor. Jams of 200 discs in a square take 8 to 130, 20 ms;
/// where this many do not do, the directions that are hardly stiff are too many for it.
const MAX_STEPS: usize = 256;

/// The softness: the least with which the factor has digits left.
const LEAST_SOFTNESS: f64 = SOFTNESS * LESS_SOFT * LESS_SOFT;

/// How many times its way a step may go on at most. Further, the stiffness of its direction is the rounding
/// of two speeds, and the direction one in which nothing changes.
const FARTHEST: f64 = (1u64 << 48) as f64;

/// A step that leaves more than this fraction of the speeds of the active set is slow: a direction is no
/// stiffer than the softness, or contacts contradict each other. With less, each step would be prolonged.
const SLOW: f64 = 0.25;

/// Brings impulses and changes to the precision of double-double. The largest speed that the rows which push
/// are left with; infinite if no impulses do it, or not in [`MAX_STEPS`].
///
/// The active-set method of Lawson and Hanson (Solving Least Squares Problems, 1974, ch. 23), all rows that
/// approach entering at once. Impulses stay ≥ 0: a step goes towards the solution of the active set up to
/// where the first of them is 0, and that row leaves. So `½ λᵀ A λ + qᵀ λ` falls, and no set comes back.
/// Corrections change sides by all signs at once: in a packing that is nearly jammed they go in circles.
///
/// The softness is the least with which the factor has digits left. Where rows depend on each other, a
/// residual `r` in which they contradict each other then moves impulses by `r/ε` along the null space of
/// `A`. It does not fall, so the way goes on until one of them is 0: that row opens, at `r`, and the
/// contradiction is gone. If none falls, the way is a ray of Farkas' lemma.
pub(super) fn descend(system: &mut System, solution: &mut Solution, speed: f64) -> f64 {
    start(system, solution);
    let (mut is_new, mut residual) = (true, f64::INFINITY);
    for _ in 0..MAX_STEPS {
        if is_new && !system.factor() {
            break;
        }
        let last = if is_new { f64::INFINITY } else { residual };
        residual = aim_at_rest(system, solution);
        let (is_fine, is_slow) = (residual <= FINE_RESIDUAL * speed, residual > SLOW * last);
        if residual <= ACCEPTED_RESIDUAL * speed {
            is_new = let_in(system, solution, (4.0 * residual).max(RESIDUAL * speed));
            if is_new {
                continue;
            }
            if is_fine || is_slow {
                return residual;
            }
        }
        system.solve_step();
        let Some(left) = step(system, solution, is_slow) else { break };
        is_new = left;
    }
    f64::INFINITY
}

/// Starts at what the search for the active set finds, without the impulses that pull.
fn start(system: &mut System, solution: &mut Solution) {
    for row in &mut system.rows {
        row.softness = SOFTNESS;
        row.pushes = row.is_bilateral || row.opening < Dd::ZERO;
    }
    let is_found = find_active_set(system);
    for row in &mut system.rows {
        row.softness = LEAST_SOFTNESS;
        row.pushes = row.is_bilateral || (is_found && row.pushes && row.trial > 0.0);
        row.trial = if is_found { row.trial } else { 0.0 };
    }
    solution.clear(system);
    solution.add_step(system);
}

/// Lets the next step bring the rows that push to rest. The largest speed that they have.
fn aim_at_rest(system: &mut System, solution: &Solution) -> f64 {
    let mut largest = 0.0_f64;
    for row in system.rows.iter_mut().filter(|row| row.pushes) {
        row.wanted = -solution.opening(row).to_f64();
        largest = largest.max(row.wanted.abs());
    }
    largest
}

/// Lets those push that approach. Whether there are any.
fn let_in(system: &mut System, solution: &Solution, tolerance: f64) -> bool {
    let mut is_any = false;
    for row in system.rows.iter_mut().filter(|row| !row.pushes) {
        row.pushes = solution.opening(row).to_f64() < -tolerance;
        is_any |= row.pushes;
    }
    is_any
}

/// Takes the step up to where the first impulse is 0, and lets those go that are 0 there. Whether there are
/// any; none if there is no end to it.
///
/// Where the step before was slow, the softness hides how stiff its direction is. The way is then conjugate
/// to that one, and goes on beyond its end to where `½ λᵀ A λ + qᵀ λ` is least along it: two such directions
/// would else lead to and fro.
fn step(system: &mut System, solution: &mut Solution, is_slow: bool) -> Option<bool> {
    let (mut along, mut curvature) = (0.0, 0.0);
    for row in system.rows.iter().filter(|row| row.pushes) {
        along += row.trial * row.iterate.speed_change;
        curvature += row.iterate.impulse_change * row.iterate.speed_change;
    }
    let conjugate = if is_slow && curvature > 0.0 { -along / curvature } else { 0.0 };
    for row in &mut system.rows {
        let way = row.trial + conjugate * row.iterate.impulse_change;
        row.iterate.impulse_change = if row.pushes { way } else { 0.0 };
    }
    if go(system, solution, 1.0) {
        return Some(true);
    }
    // The slope `δ·w` along the way `δ` is linear in how much of it has been gone.
    let (mut before, mut after) = (0.0, 0.0);
    for row in system.rows.iter_mut().filter(|row| row.pushes) {
        let speed = solution.opening(row).to_f64();
        row.iterate.speed_change = speed + row.wanted;
        before -= row.iterate.impulse_change * row.wanted;
        after += row.iterate.impulse_change * speed;
    }
    if !is_slow || after >= 0.0 {
        return Some(false);
    }
    let beyond = after / (before - after);
    let beyond = if (0.0..=FARTHEST).contains(&beyond) { beyond } else { f64::INFINITY };
    if beyond == f64::INFINITY && !system.rows.iter().any(falls) {
        return None;
    }
    Some(go(system, solution, beyond))
}

/// Whether the impulse of a row falls along the way, and may not fall below 0.
fn falls(row: &Row) -> bool {
    row.pushes && !row.is_bilateral && row.iterate.impulse_change < 0.0
}

/// Adds `most` times the way to the impulses, or less, up to where the first of them falls to 0; the rows of
/// those that do so no longer push. Whether there is such a row.
fn go(system: &mut System, solution: &mut Solution, most: f64) -> bool {
    let until = |row: &Row, impulse: Dd| {
        if falls(row) { impulse.to_f64().max(0.0) / -row.iterate.impulse_change } else { f64::INFINITY }
    };
    let ends = system.rows.iter().zip(&solution.impulses).map(|(row, &impulse)| until(row, impulse));
    let length = ends.fold(most, f64::min);
    for (row, &impulse) in system.rows.iter_mut().zip(&solution.impulses) {
        row.is_wrong = until(row, impulse) <= length;
        row.trial = length * row.iterate.impulse_change;
    }
    solution.add_step(system);
    let mut is_any = false;
    for r in 0..system.rows.len() {
        if system.rows[r].is_wrong {
            let rest = -solution.impulses[r];
            solution.push(system, r, rest);
            system.rows[r].pushes = false;
            is_any = true;
        }
    }
    is_any
}

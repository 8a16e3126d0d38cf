//! The search for the contacts that push, in `f64`.

use super::interior::search_interior;
use super::system::System;
use crate::tolerances::{PIVOTING_ZERO, SOFTNESS};

/// How often in a row more than half as many rows as before may be on the wrong side. Where pivoting goes in
/// circles it does so from the first; with more chances the search from the interior begins the later.
const CHANCES: usize = 3;

/// The least number of rows on the wrong side for which sweeps choose the next set. Fewer rows change sides.
const MANY: usize = 3;

/// Sweeps over the rows, forwards and backwards, and how often a search makes them. A sweep takes a tenth of
/// a factor. Eight sweeps save hardly more factors than three.
const SWEEPS: usize = 3;
pub(super) const RELAXED: usize = 3;

/// Which rows push, in `f64`, and their impulses, in `trial`; false if it does not settle.
///
/// Pivoting takes a handful of factors where it settles. Where it does not, as with many redundant
/// contacts that all but rest, the search from the interior takes some twenty to thirty.
pub(super) fn find_active_set(system: &mut System) -> bool {
    let most = system.rows.iter().fold(0.0, |most: f64, row| most.max(row.closing()));
    let tolerance = most * PIVOTING_ZERO;
    if pivot(system, tolerance, 0) == Some(true) {
        return true;
    }
    if !search_interior(system) {
        return false;
    }
    for row in &mut system.rows {
        row.softness = SOFTNESS;
    }
    if !system.factor() {
        return false;
    }
    aim_at_rest(system);
    system.solve_step();
    true
}

/// Lets the next step bring all speeds of opening to 0 that the bodies have before.
fn aim_at_rest(system: &mut System) {
    for row in &mut system.rows {
        row.wanted = -row.opening.to_f64();
    }
}

/// Block principal pivoting: all rows on the wrong side change it at once. Whether it settles; none if the
/// factor fails.
///
/// Pivoting one row at a time ends for sure (Murty, Opsearch 11 (1974) 123), but takes a factor for each row
/// of a patch. All at once takes a handful of factors, and may go in circles: hence the count of what is
/// wrong. Where several rows are wrong, sweeps choose the next set better than their signs do, at most
/// `relaxes` times: an impact on a heap takes 2.3 factors in place of 4.1.
pub(super) fn pivot(system: &mut System, tolerance: f64, mut relaxes: usize) -> Option<bool> {
    let (mut least, mut chances) = (usize::MAX, CHANCES);
    while chances > 0 {
        if !system.factor_active() {
            return None;
        }
        aim_at_rest(system);
        system.solve_step();
        if system.is_by_rows {
            // The factor of the bodies has them already.
            let all_push = system.rows.iter().all(|row| row.pushes);
            system.note_velocities(|row| (row.pushes && !all_push).then_some(row.trial));
        }
        let mut wrong = 0;
        for row in &mut system.rows {
            let speed = row.opened_by(&system.step) - row.wanted;
            let least = if row.pushes { row.trial * row.diagonal } else { speed };
            row.is_wrong = !row.is_bilateral && least < -tolerance;
            wrong += usize::from(row.is_wrong);
        }
        if wrong == 0 {
            return Some(true);
        }
        // All that are on the wrong side change it, as long as these are soon far fewer.
        (least, chances) = if 2 * wrong <= least { (wrong, CHANCES) } else { (least, chances - 1) };
        if wrong >= MANY && relaxes > 0 {
            relaxes -= 1;
            relax(system, tolerance);
        } else {
            system.change_sides();
        }
    }
    Some(false)
}

/// Lets those rows push that do after some sweeps of projected Gauss-Seidel, which begin with the impulses of
/// the last step that push.
fn relax(system: &mut System, tolerance: f64) {
    for row in &mut system.rows {
        let keeps = row.pushes && (row.is_bilateral || row.trial > 0.0);
        row.trial = if keeps { row.trial } else { 0.0 };
    }
    system.note_velocities(|row| Some(row.trial).filter(|&impulse| impulse != 0.0));
    let rows = system.rows.len();
    for _ in 0..SWEEPS {
        (0..rows).chain((0..rows).rev()).for_each(|r| system.relax_row(r));
    }
    for row in &mut system.rows {
        row.pushes = row.is_bilateral || row.trial * row.diagonal > tolerance;
    }
}

use super::Precision;
use super::active_set::{RELAXED, pivot};
use super::interior::search_interior;
use super::row::Iterate;
use super::system::System;
use crate::tolerances::{
    F64_WRONG, LEAST_IMPULSE, LEAST_PULL, LESS_SOFT, PIVOTING_ZERO, ROUNDING, SIGNS_TOLD, SOFTNESS, UNMOVED,
};
use alloc::vec::Vec;

/// Most proximal steps. Each reduces what softness leaves by ε over the stiffness; what four leave, contacts
/// that contradict each other leave.
const STEPS: usize = 4;

/// Proximal steps of a [soft](Precision::Soft) solution: what two leave closes with the next piece.
const SOFT_STEPS: usize = 2;

/// Most corrections of a soft solution with one active set. The factor is exact to 2⁻²⁷, so two or three
/// reach the rounding of `f64`.
const CORRECTIONS: usize = 4;

/// Most corrections of a solution without softness: where some directions are hardly stiffer than the
/// softness each takes off little, and then less softness does more.
const SHARP_CORRECTIONS: usize = 8;

/// How many of them may take off less than a half before the others are given up.
const SLOW_CORRECTIONS: usize = 4;

/// How often softness is lowered. Twice leaves 2⁻⁴⁶; with a third time it would be below the rounding of the
/// factor.
const SOFTENED: usize = 2;

/// How often in a row more rows may be on the wrong side than ever before. Heaps take a few detours; what
/// takes more goes in circles, and is left to the search from the interior or to descent.
const CHANCES: usize = 6;

/// The solution to the rounding of `f64`, for contacts at rest: where many depend on each other, and some
/// carry nothing, the exact one takes far longer to be sure of its active set than it is worth.
///
/// Each proximal step is a problem with `A + ε D`, which has one answer. It is found by block pivoting. Where
/// that stalls, the search from the interior gives a better beginning, and where it stalls again, the
/// active-set method of Lawson and Hanson takes over (Solving Least Squares Problems, 1974, ch. 23). That
/// ends, as each of its steps lowers `½ λᵀ (A + ε D) λ + qᵀ λ`.
///
/// `iterate.impulse` of a row is its impulse here, and `iterate.speed` the speed at which it opens with all
/// impulses; `pushes` is the active set.
#[derive(Clone, Debug, Default)]
pub(super) struct F64Solver {
    /// By row, the impulses about which a proximal step is made.
    prox: Vec<f64>,
    /// By row, those of a descent, and whether rounding has kept it from that.
    at: Vec<f64>,
    barred: Vec<bool>,
}

impl F64Solver {
    /// Finds the impulses, into `iterate.impulse` of the rows; `speed` is the largest one around. False if
    /// what it finds is no solution.
    pub(super) fn solve(&mut self, system: &mut System, precision: Precision, speed: f64) -> bool {
        system.analyze();
        for row in &mut system.rows {
            (row.softness, row.iterate.impulse) = (SOFTNESS, 0.0);
        }
        self.prox.clear();
        self.prox.resize(system.rows.len(), 0.0);
        if self.solve_at_once(system, precision, speed) {
            return true;
        }
        for row in &mut system.rows {
            (row.softness, row.iterate.impulse) = (SOFTNESS, 0.0);
        }
        let steps = if precision == Precision::Soft { SOFT_STEPS } else { STEPS };
        let mut is_factored = false;
        for step in 0..steps {
            // Sharpening may have left another factor.
            is_factored &= precision == Precision::Soft;
            if !self.step(system, ROUNDING * speed, &mut is_factored) {
                return false;
            }
            if step == 0 && precision == Precision::Rounded && self.sharpen(system, speed) {
                break;
            }
            let most = system.rows.iter().map(|row| row.iterate.impulse.abs()).fold(0.0, f64::max);
            let mut change = 0.0_f64;
            for (row, prox) in system.rows.iter().zip(&mut self.prox) {
                change = change.max((row.iterate.impulse - *prox).abs());
                *prox = row.iterate.impulse;
            }
            if change <= LEAST_IMPULSE * most {
                break;
            }
        }
        note_speeds(system);
        !is_off(system, speed) || (precision == Precision::Soft && self.sharpen_soft(system, speed))
    }

    /// Solves where it is clear which rows push. Pivoting solves once for each active set, without
    /// corrections: the soft factor tells signs to 2⁻²³. Only the impulses of the last set are corrected.
    /// False if pivoting does not settle, or if the result violates a condition.
    fn solve_at_once(&mut self, system: &mut System, precision: Precision, speed: f64) -> bool {
        let most = system.rows.iter().fold(0.0, |most: f64, row| most.max(row.closing()));
        if pivot(system, most * PIVOTING_ZERO, RELAXED) != Some(true) {
            return false;
        }
        for row in &mut system.rows {
            row.iterate.impulse = if row.pushes { row.trial } else { 0.0 };
        }
        note_speeds(system);
        if precision == Precision::Rounded {
            return self.sharpen(system, speed) && !is_off(system, speed);
        }
        for _ in 0..SOFT_STEPS {
            aim_at_rest(system);
            add_correction(system);
        }
        self.mark_wrong(system, ROUNDING * speed) == 0 && !is_off(system, speed)
    }

    /// Whether the impulses found are so large that what their rounding leaves of speeds would be taken for
    /// motion: those of a wedge, or of a heavy body on a light one.
    pub(super) fn leaves_motion(system: &System, precision: Precision, speed: f64) -> bool {
        precision == Precision::Rounded && ROUNDING * largest(system) > UNMOVED * speed
    }

    /// Sharpens a soft solution that violates a condition. The softness gives way under the forces of a
    /// wedge, which are as many times those that press it as it is steep. False if the result violates one,
    /// too.
    fn sharpen_soft(&mut self, system: &mut System, speed: f64) -> bool {
        self.prox.fill(0.0);
        self.sharpen(system, speed) && !is_off(system, speed)
    }

    /// All further proximal steps at once, from the active set of the first: corrections by the residual
    /// without softness, and what is then on the wrong side changes it. False, and impulses are those of
    /// before, if that does not settle.
    ///
    /// Proximal steps end at `A λ + q = 0` on the active set. Corrections by that residual come there
    /// directly, as long as the active set is right. It nearly always is; where it is not, signs tell, and
    /// the impulses start from 0 with the new set, as those of the old one would leave their part in the null
    /// space.
    fn sharpen(&mut self, system: &mut System, speed: f64) -> bool {
        let tolerance = ROUNDING * speed;
        self.at.clear();
        self.at.extend(system.rows.iter().map(|row| row.iterate.impulse));
        let (mut least, mut chances) = (usize::MAX, CHANCES);
        while chances > 0 && settle_speeds(system, speed) {
            let wrong = self.mark_wrong(system, tolerance);
            if wrong == 0 {
                return true;
            }
            (least, chances) = if wrong < least { (wrong, CHANCES) } else { (least, chances - 1) };
            system.change_sides();
            if !system.factor() {
                break;
            }
            system.rows.iter_mut().for_each(|row| row.iterate.impulse = 0.0);
            note_speeds(system);
        }
        for (row, at) in system.rows.iter_mut().zip(&self.at) {
            row.pushes = row.is_bilateral || *at > 0.0;
            (row.softness, row.iterate.impulse) = (SOFTNESS, *at);
        }
        false
    }

    /// One proximal step. False if a factor fails. `is_factored` says whether the factor is that of the
    /// active set.
    ///
    /// Where pivoting stalls, the first step goes on from what the search from the interior finds, and if
    /// that stalls, too, by descent. Later steps differ from the first by what the softness left, and the
    /// search would find the set of the first once more: they descend at once.
    fn step(&mut self, system: &mut System, tolerance: f64, is_factored: &mut bool) -> bool {
        let (mut least, mut chances) = (usize::MAX, CHANCES);
        let mut may_search = self.prox.iter().all(|&prox| prox == 0.0);
        loop {
            if !core::mem::replace(is_factored, true) && !system.factor() {
                return false;
            }
            self.solve_active(system, tolerance);
            let wrong = self.mark_wrong(system, tolerance);
            if wrong == 0 {
                return true;
            }
            *is_factored = false;
            if wrong < least {
                (least, chances) = (wrong, CHANCES);
            } else if chances > 0 {
                chances -= 1;
            } else if may_search {
                // Where it does not converge, it is as good a beginning as any.
                search_interior(system);
                system.rows.iter_mut().for_each(|row| row.softness = SOFTNESS);
                (may_search, least, chances) = (false, usize::MAX, CHANCES);
                continue;
            } else {
                return self.descend(system, tolerance);
            }
            system.change_sides();
        }
    }

    /// The impulses of the active set, corrected, into `iterate.impulse`; the speeds that all have with them
    /// into `iterate.speed`.
    fn solve_active(&mut self, system: &mut System, tolerance: f64) {
        // From 0, so that the same set gives the same impulses whichever sets were tried before it.
        for row in &mut system.rows {
            row.iterate.impulse = 0.0;
        }
        let mut last = f64::INFINITY;
        for _ in 0..CORRECTIONS {
            note_speeds(system);
            let mut size = 0.0_f64;
            for (row, prox) in system.rows.iter_mut().zip(&self.prox).filter(|(row, _)| row.pushes) {
                // The condition of the proximal step: `A λ + q + ε D (λ − λ₀) = 0`.
                let soft = row.softness * row.diagonal;
                row.wanted = -(row.iterate.speed + soft * (row.iterate.impulse - prox));
                size = size.max(row.wanted.abs());
            }
            if size <= 0.125 * tolerance || size > 0.5 * last {
                break;
            }
            last = size;
            system.solve_step();
            for row in system.rows.iter_mut().filter(|row| row.pushes) {
                row.iterate.impulse += row.trial;
            }
        }
        note_speeds(system);
    }

    /// The speed at which a row that does not push opens, less the proximal term `ε D λ₀`: the condition of
    /// the step at `λ = 0`.
    fn shifted_speed(&self, system: &System, r: usize) -> f64 {
        let row = &system.rows[r];
        row.iterate.speed - row.softness * row.diagonal * self.prox[r]
    }

    /// Marks the rows on the wrong side of the step: those that push and would pull, and those that do not
    /// and close. How many they are.
    fn mark_wrong(&mut self, system: &mut System, tolerance: f64) -> usize {
        let largest = largest(system);
        let mut wrong = 0;
        for r in 0..system.rows.len() {
            let speed = self.shifted_speed(system, r);
            let row = &mut system.rows[r];
            row.is_wrong = !row.is_bilateral
                && if row.pushes {
                    row.iterate.impulse * row.diagonal < -LEAST_PULL * largest
                } else {
                    speed < -tolerance.max(ROUNDING * largest)
                };
            wrong += usize::from(row.is_wrong);
        }
        wrong
    }

    /// The step by descent, from the impulses that are there, without those that pull. False if a factor
    /// fails.
    ///
    /// Lawson and Hanson: `at` is the best point of its active set. The row that closes fastest joins it, and
    /// `descend_on_face` goes to the best point of the larger set. A row that does not push at once
    /// was let in by rounding: `at` would not move, and the row would be let in for ever. So it is barred.
    fn descend(&mut self, system: &mut System, tolerance: f64) -> bool {
        self.at.clear();
        self.barred.clear();
        for row in &mut system.rows {
            let impulse = if row.is_bilateral { row.iterate.impulse } else { row.iterate.impulse.max(0.0) };
            row.pushes = row.is_bilateral || impulse > 0.0;
            self.at.push(impulse);
            self.barred.push(false);
        }
        for _ in 0..20 + 20 * system.rows.len() {
            if !self.descend_on_face(system, tolerance) {
                return false;
            }
            let largest = largest(system);
            let mut worst = (-tolerance.max(ROUNDING * largest), None);
            for r in 0..system.rows.len() {
                let speed = self.shifted_speed(system, r);
                if !system.rows[r].pushes && !self.barred[r] && speed < worst.0 {
                    worst = (speed, Some(r));
                }
            }
            let Some(entering) = worst.1 else { return true };
            system.rows[entering].pushes = true;
            if !system.factor() {
                return false;
            }
            self.solve_active(system, tolerance);
            if system.rows[entering].iterate.impulse <= 0.0 {
                system.rows[entering].pushes = false;
                self.barred[entering] = true;
                (system.rows.iter_mut().zip(&self.at)).for_each(|(row, at)| row.iterate.impulse = *at);
            }
        }
        true
    }

    /// Goes to the best impulses of the active set, and takes those out that would have to pull on the way.
    /// False if the factor fails.
    ///
    /// From `at`, where all impulses are ≥ 0, towards the solution of the set, up to where the first of them
    /// is 0: that row leaves, and the rest tries again. Each round has one row fewer, so it ends.
    fn descend_on_face(&mut self, system: &mut System, tolerance: f64) -> bool {
        loop {
            if !system.factor() {
                return false;
            }
            self.solve_active(system, tolerance);
            let largest = largest(system);
            let mut length = 1.0_f64;
            for (row, at) in system.rows.iter().zip(&self.at) {
                let pulls = row.pushes
                    && !row.is_bilateral
                    && row.iterate.impulse * row.diagonal < -LEAST_PULL * largest;
                if pulls {
                    length = length.min(at / (at - row.iterate.impulse));
                }
            }
            if length >= 1.0 {
                for (row, at) in system.rows.iter().zip(&mut self.at) {
                    *at = row.iterate.impulse;
                }
                return true;
            }
            for (row, at) in system.rows.iter_mut().zip(&mut self.at).filter(|(row, _)| row.pushes) {
                let (from, to) = (*at, row.iterate.impulse);
                *at = from + length * (to - from);
                let pulls = !row.is_bilateral && to * row.diagonal < -LEAST_PULL * largest;
                if pulls && *at <= LEAST_IMPULSE * (from + to.abs()) {
                    *at = 0.0;
                    row.pushes = false;
                }
            }
        }
    }
}

/// Sets the speeds at which all rows open with the impulses.
fn note_speeds(system: &mut System) {
    system.note_velocities(|row| Some(row.iterate.impulse).filter(|&impulse| impulse != 0.0));
    for row in &mut system.rows {
        row.iterate.speed = row.opening.to_f64() + row.opened_by(&system.step);
    }
}

/// The largest impulse, as the speed that it makes.
fn largest(system: &System) -> f64 {
    system.rows.iter().map(|row| (row.iterate.impulse * row.diagonal).abs()).fold(0.0, f64::max)
}

/// Corrects the impulses of the active set by the speeds that they leave. The largest one left.
fn correct(system: &mut System, tolerance: f64) -> f64 {
    let mut last = f64::INFINITY;
    for step in 0..SHARP_CORRECTIONS {
        let size = aim_at_rest(system);
        let stagnates = step > SLOW_CORRECTIONS && size > 0.5 * last;
        last = size;
        if size <= tolerance || stagnates {
            break;
        }
        add_correction(system);
    }
    last
}

/// Lets the next step bring the speeds of the active set to 0. The largest one that is left.
fn aim_at_rest(system: &mut System) -> f64 {
    let mut size = 0.0_f64;
    for row in system.rows.iter_mut().filter(|row| row.pushes) {
        row.wanted = -row.iterate.speed;
        size = size.max(row.wanted.abs());
    }
    size
}

/// Adds the impulses of that step.
fn add_correction(system: &mut System) {
    system.solve_step();
    for row in system.rows.iter_mut().filter(|row| row.pushes) {
        row.iterate.impulse += row.trial;
    }
    note_speeds(system);
}

/// Brings the speeds of the active set to 0. Where the softness hides how some of them can be, there is
/// less of it from there on: the factor is the less precise, and what it leaves is corrected. False if
/// that does not do it.
fn settle_speeds(system: &mut System, speed: f64) -> bool {
    for _ in 0..SOFTENED {
        if correct(system, ROUNDING * speed) <= SIGNS_TOLD * speed {
            return true;
        }
        system.rows.iter_mut().for_each(|row| row.softness *= LESS_SOFT);
        if !system.factor() {
            return false;
        }
    }
    correct(system, ROUNDING * speed) <= SIGNS_TOLD * speed
}

/// Whether impulses violate a condition by more than [`F64_WRONG`]. A NaN does, as comparisons are written so
/// that it falls on that side.
fn is_off(system: &System, speed: f64) -> bool {
    let least = F64_WRONG * speed;
    system.rows.iter().any(|row| {
        let Iterate { impulse, speed, .. } = row.iterate;
        !(speed >= -least && (row.is_bilateral || impulse * row.diagonal >= -least))
            || (row.pushes && !(speed <= least))
    })
}

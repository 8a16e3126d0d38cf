use super::contact_problem::{ACCEPTED, ContactProblem, FINE, SOFTNESS};
use carom_math::eft::DoubleDouble as Dd;

/// Solves with center 0: the first, and what brings it to twice the precision of the factor. They fix what
/// belongs to the null space.
const FIRST_STEPS: usize = 3;

/// Most solves with one active set.
const MAX_STEPS: usize = 14;

/// A correction that leaves more than this fraction of the residual is the last.
const STAGNANT: f64 = 0.25;

/// Most factorisations.
const MAX_FACTORS: usize = 24;

/// As a fraction of the speeds: the residual at which a row is still to change sides.
const SIDES: f64 = 1.0 / (1u128 << 92) as f64;

/// Corrections of the impulses of an active set, in double-double, by a factor in `f64`.
impl ContactProblem {
    /// Brings impulses and changes to the precision of double-double. The largest residual left: that of
    /// the active set, or, if contacts do not settle on their sides, that of all conditions.
    pub(super) fn refine(&mut self, speed: f64) -> f64 {
        // The search for the active set has made the first step.
        let (mut first_steps, mut step) = (if self.is_by_rows { 0 } else { FIRST_STEPS }, 1);
        self.apply_step();
        for _ in 0..MAX_FACTORS {
            let residual = self.correct(speed, first_steps, step);
            if self.settle_sides(speed, residual) {
                return residual;
            }
            (first_steps, step) = (0, 0);
            let was_by_rows = self.is_by_rows;
            if !self.factor_active() {
                break;
            }
            if was_by_rows && !self.is_by_rows {
                // The first rows that may depend on each other: least impulses are about 0.
                self.clear_solution();
                first_steps = FIRST_STEPS;
            }
        }
        self.rows.iter().zip(&self.impulses).fold(0.0, |most: f64, (row, impulse)| {
            let opening = self.opening(row).to_f64();
            let pulls = if row.is_bilateral { 0.0 } else { -impulse.to_f64() * row.diagonal };
            most.max(if row.pushes { opening.abs() } else { -opening }).max(pulls)
        })
    }

    /// Corrects by the residual of the active set until that is gone, or as often as is worth it. The
    /// largest one left. `done` steps have been made.
    fn correct(&mut self, speed: f64, first_steps: usize, done: usize) -> f64 {
        let mut residual = f64::INFINITY;
        for step in done..MAX_STEPS {
            let mut largest = 0.0_f64;
            for r in 0..self.rows.len() {
                let row = &self.rows[r];
                if !row.pushes {
                    continue;
                }
                let opening = self.opening(row);
                largest = largest.max(opening.to_f64().abs());
                // Steps about 0 are of the soft problem; later ones are about where the one before ended.
                let softened = if step < first_steps {
                    opening + self.impulses[r] * Dd::from(row.softness * row.diagonal)
                } else {
                    opening
                };
                self.rows[r].wanted = -softened.to_f64();
            }
            // Contacts that depend on each other contradict each other by the rounding of their normals.
            let stagnates = step > first_steps + 1 && largest > STAGNANT * residual;
            residual = largest;
            if step >= first_steps && (residual <= FINE * speed || stagnates) {
                break;
            }
            self.solve_step();
            self.apply_step();
        }
        residual
    }

    /// Adds the step's impulses.
    fn apply_step(&mut self) {
        self.momenta.clear();
        self.momenta.resize(self.bodies.len(), [Dd::ZERO; 2]);
        for (row, impulse) in self.rows.iter().zip(&mut self.impulses).filter(|(row, _)| row.pushes) {
            *impulse = *impulse + Dd::from(row.trial);
            let along = [Dd::product(row.trial, row.normal.x), Dd::product(row.trial, row.normal.y)];
            for (end, [px, py]) in row.ends.into_iter().zip([along.map(|p| -p), along]) {
                let Some(body) = end else { continue };
                let [x, y] = &mut self.momenta[body as usize];
                (*x, *y) = (*x + px, *y + py);
            }
        }
        for ((body, [px, py]), [x, y]) in self.bodies.iter().zip(&self.momenta).zip(&mut self.changes) {
            (*x, *y) = (*x + *px * body.mobility, *y + *py * body.mobility);
        }
    }

    /// Whether all rows are on the right side; those that are not change it.
    ///
    /// A speed of opening is not known better than the residual. Impulses of contacts that depend on each
    /// other are known less well by the softness.
    fn settle_sides(&mut self, speed: f64, residual: f64) -> bool {
        let (tolerance, of_impulse) = if residual <= FINE * speed {
            (SIDES * speed, SIDES * speed)
        } else {
            (4.0 * residual, (4.0 * residual / SOFTNESS).min(ACCEPTED * speed))
        };
        let mut settled = true;
        for r in 0..self.rows.len() {
            let row = &self.rows[r];
            if row.pushes {
                let impulse = self.impulses[r];
                if !row.is_bilateral && impulse.to_f64() * row.diagonal < -of_impulse {
                    self.push(r, -impulse);
                    (self.rows[r].pushes, settled) = (false, false);
                }
            } else if self.opening(row).to_f64() < -tolerance {
                (self.rows[r].pushes, settled) = (true, false);
            }
        }
        settled
    }
}

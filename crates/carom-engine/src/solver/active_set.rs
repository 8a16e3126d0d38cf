use super::contact_problem::{ContactProblem, SOFTNESS};
use carom_math::eft::DoubleDouble as Dd;

/// Where the way to [`SOFTNESS`] begins if pivoting does not settle at once.
const SOFTEST: f64 = 1.0 / 16.0;

/// How often in a row as many rows as before may be on the wrong side.
const CHANCES: usize = 4;

/// Most steps down.
const MAX_DESCENT: usize = 100;

/// As a fraction of the speeds, what counts as zero while the active set is sought: above the rounding of
/// the factor.
const COARSE: f64 = 1.0 / (1u64 << 23) as f64;

/// The search for the contacts that push, in `f64`.
impl ContactProblem {
    /// Which rows push, in `f64`; false if it does not settle.
    ///
    /// The softer the problem, the more surely pivoting settles. Where it does not at once, it is led there
    /// from softer problems, with steps on which the energy falls where it needs them.
    pub(super) fn find_active_set(&mut self) -> bool {
        let most = self.rows.iter().fold(0.0, |most: f64, row| most.max(-row.opening.to_f64()));
        let tolerance = most * COARSE;
        self.softness = SOFTNESS;
        if self.pivot(tolerance) == Some(true) {
            return true;
        }
        for row in &mut self.rows {
            row.pushes = row.opening < Dd::ZERO;
        }
        self.softness = SOFTEST;
        loop {
            let settled = self.pivot(tolerance).is_some_and(|settled| settled || self.descend(tolerance));
            if !settled || self.softness <= SOFTNESS {
                return settled;
            }
            self.softness *= 0.25;
        }
    }

    /// Block principal pivoting; none if the factor fails.
    fn pivot(&mut self, tolerance: f64) -> Option<bool> {
        let (mut least, mut chances) = (usize::MAX, CHANCES);
        while chances > 0 {
            if !self.factor() {
                return None;
            }
            for row in &mut self.rows {
                row.wanted = -row.opening.to_f64();
            }
            self.solve_step();
            let mut wrong = 0;
            for row in &mut self.rows {
                let speed = row.opened_by(&self.step) - row.wanted;
                row.impulse = if row.pushes { row.trial } else { 0.0 };
                row.is_wrong = if row.pushes { row.trial * row.diagonal } else { speed } < -tolerance;
                wrong += usize::from(row.is_wrong);
            }
            if wrong == 0 {
                return Some(true);
            }
            // All that are on the wrong side change it, as long as there are ever fewer of them.
            (least, chances) = if wrong < least { (wrong, CHANCES) } else { (least, chances - 1) };
            for row in self.rows.iter_mut().filter(|row| row.is_wrong) {
                row.pushes = !row.pushes;
            }
        }
        Some(false)
    }

    /// Seeks the active set by steps on which the energy falls, from where pivoting gave up: Newton's step
    /// with the impulses that would have to pull set to 0 (Bertsekas, SIAM J. Control Optim. 20 (1982)
    /// 221); where energy rises on it, as far as nothing has to pull.
    fn descend(&mut self, tolerance: f64) -> bool {
        for row in &mut self.rows {
            (row.change, row.impulse, row.speed) = (row.impulse.max(0.0), 0.0, row.opening.to_f64());
        }
        self.make_change();
        for _ in 0..MAX_DESCENT + self.rows.len() / 4 {
            let mut settled = true;
            for row in &mut self.rows {
                let enters = row.speed < -tolerance && !row.is_wrong;
                row.pushes = row.impulse > 0.0 || enters;
                settled &= !row.pushes || row.speed.abs() <= tolerance;
                row.wanted = -row.speed;
            }
            if !self.factor() {
                return false;
            }
            if settled && !self.rows.iter().any(|row| row.is_wrong) {
                return true;
            }
            self.solve_step();
            if self.falls_by(1.0) {
                self.make_change();
                continue;
            }
            let (mut fraction, mut barred) = (1.0_f64, false);
            for row in &mut self.rows {
                row.is_wrong |= row.pushes && row.impulse == 0.0 && row.trial <= 0.0;
                barred |= row.pushes && row.is_wrong;
                if row.pushes && row.trial < 0.0 {
                    fraction = fraction.min(row.impulse / -row.trial);
                }
            }
            if !barred {
                self.falls_by(fraction);
                self.make_change();
            }
        }
        false
    }

    /// Sets the changes of a step of which impulses may take this fraction, and no more than to 0; whether
    /// energy falls.
    fn falls_by(&mut self, fraction: f64) -> bool {
        let (mut slope, mut curvature) = (0.0, 0.0);
        self.step.fill([0.0; 2]);
        for row in &mut self.rows {
            let to = (row.impulse + fraction * row.trial).max(0.0);
            // What limits the fraction ends at 0, whatever its rounding.
            let to = if row.trial < 0.0 && row.impulse <= -row.trial * fraction { 0.0 } else { to };
            row.change = if row.pushes { to - row.impulse } else { 0.0 };
            slope += row.change * row.speed;
            curvature += self.softness * row.diagonal * row.change * row.change;
            row.add_momentum(row.change, &mut self.step);
        }
        for ([x, y], body) in self.step.iter().zip(&self.bodies) {
            curvature += (x * x + y * y) * body.mobility.to_f64();
        }
        slope + 0.5 * curvature <= 1e-4 * slope
    }

    /// Carries out the changes of the impulses.
    fn make_change(&mut self) {
        self.step.clear();
        self.step.resize(self.bodies.len(), [0.0; 2]);
        for row in &self.rows {
            row.add_momentum(row.change, &mut self.step);
        }
        for ([x, y], body) in self.step.iter_mut().zip(&self.bodies) {
            let mobility = body.mobility.to_f64();
            (*x, *y) = (*x * mobility, *y * mobility);
        }
        for row in &mut self.rows {
            row.impulse += row.change;
            row.is_wrong = false;
            row.speed += row.opened_by(&self.step) + self.softness * row.diagonal * row.change;
        }
    }
}

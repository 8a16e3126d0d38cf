use super::contact_problem::{ContactProblem, SOFTNESS};

/// How often in a row more than half of the rows of before may be on the wrong side.
const CHANCES: usize = 3;

/// As a fraction of the speeds, what counts as zero while the active set is sought: above the rounding of
/// the factor.
const COARSE: f64 = 1.0 / (1u64 << 23) as f64;

/// The search for the contacts that push, in `f64`.
impl ContactProblem {
    /// Which rows push, in `f64`, and their impulses, in `trial`; false if it does not settle.
    ///
    /// Pivoting takes a handful of factors where it settles. Where it does not, as with many redundant
    /// contacts that all but rest, the search from the interior takes some twenty to thirty.
    pub(super) fn find_active_set(&mut self) -> bool {
        let most = self.rows.iter().fold(0.0, |most: f64, row| most.max(row.closing()));
        let tolerance = most * COARSE;
        if self.pivot(tolerance) == Some(true) {
            return true;
        }
        if !self.search_interior() {
            return false;
        }
        for row in &mut self.rows {
            row.softness = SOFTNESS;
        }
        if !self.factor() {
            return false;
        }
        self.aim_at_rest();
        self.solve_step();
        true
    }

    /// Lets the next step bring all speeds of opening to 0 that the bodies have before.
    fn aim_at_rest(&mut self) {
        for row in &mut self.rows {
            row.wanted = -row.opening.to_f64();
        }
    }

    /// Block principal pivoting; none if the factor fails.
    fn pivot(&mut self, tolerance: f64) -> Option<bool> {
        let (mut least, mut chances) = (usize::MAX, CHANCES);
        while chances > 0 {
            if !self.factor_active() {
                return None;
            }
            self.aim_at_rest();
            self.solve_step();
            if self.is_by_rows {
                // The factor of the bodies has them already.
                let all_push = self.rows.iter().all(|row| row.pushes);
                self.note_velocities(|row| (row.pushes && !all_push).then_some(row.trial));
            }
            let mut wrong = 0;
            for row in &mut self.rows {
                let speed = row.opened_by(&self.step) - row.wanted;
                let least = if row.pushes { row.trial * row.diagonal } else { speed };
                row.is_wrong = !row.is_bilateral && least < -tolerance;
                wrong += usize::from(row.is_wrong);
            }
            if wrong == 0 {
                return Some(true);
            }
            // All that are on the wrong side change it, as long as these are soon far fewer.
            (least, chances) = if 2 * wrong <= least { (wrong, CHANCES) } else { (least, chances - 1) };
            for row in self.rows.iter_mut().filter(|row| row.is_wrong) {
                row.pushes = !row.pushes;
            }
        }
        Some(false)
    }
}

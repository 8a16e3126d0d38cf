use super::contact_problem::{ContactProblem, Inside, SOFTNESS};
use super::rest::UNMOVED;
use super::role::Precision;
use carom_math::eft::DoubleDouble as Dd;

/// Proximal steps, and those of a soft solution; corrections of a solution with one active set, with
/// softness and without; how often that is lowered; and how often in a row more rows may be on the wrong
/// side than ever before.
const STEPS: usize = 4;
const SOFT_STEPS: usize = 2;
const CORRECTIONS: usize = 4;
const SHARPENED: usize = 8;
const SOFTENED: usize = 2;
const CHANCES: usize = 6;

/// By how much softness is lowered.
const LESS_SOFT: f64 = 1.0 / (1 << 10) as f64;

/// What counts as zero, as a fraction of the largest speed: of openings, and of impulses times the diagonal.
const ROUNDING: f64 = 64.0 * f64::EPSILON;
const NONE: f64 = 1e-13;

/// As a fraction of the largest speed, by how much a solution may be off; and by how much without softness,
/// for signs to be told.
const WRONG: f64 = 1e-6;
const UNTOLD: f64 = 1e-8;

/// The solution to the rounding of `f64`, for contacts at rest: where many depend on each other, and some
/// carry nothing, the exact one takes far longer to be sure of its active set than it is worth.
///
/// Each proximal step is a problem with `A + ε D`, which has one answer: by block pivoting, and where that
/// stalls by the active-set method of Lawson and Hanson (Solving Least Squares Problems, 1974, ch. 23), which
/// ends, as each of its steps lowers `½ λᵀ (A + ε D) λ + qᵀ λ`.
impl ContactProblem {
    /// Finds `impulses` and `changes`; `speed` is the largest one around. False if what it finds is no
    /// solution.
    pub(super) fn solve_roughly(&mut self, speed: f64) -> bool {
        self.analyze();
        for row in &mut self.rows {
            (row.softness, row.inside.impulse) = (SOFTNESS, 0.0);
        }
        self.rough.prox.clear();
        self.rough.prox.resize(self.rows.len(), 0.0);
        let steps = if self.precision == Precision::Soft { SOFT_STEPS } else { STEPS };
        for step in 0..steps {
            if !self.step_roughly(ROUNDING * speed) {
                return false;
            }
            if step == 0 && self.precision == Precision::Rounded && self.sharpen(speed) {
                break;
            }
            let most = self.rows.iter().map(|row| row.inside.impulse.abs()).fold(0.0, f64::max);
            let mut change = 0.0_f64;
            for (row, prox) in self.rows.iter().zip(&mut self.rough.prox) {
                change = change.max((row.inside.impulse - *prox).abs());
                *prox = row.inside.impulse;
            }
            if change <= 1e-14 * most {
                break;
            }
        }
        self.note_speeds();
        if self.is_off(speed) && !(self.precision == Precision::Soft && self.sharpen_soft(speed)) {
            return false;
        }
        for r in 0..self.rows.len() {
            let impulse = self.rows[r].inside.impulse;
            if impulse != 0.0 {
                self.push(r, Dd::from(impulse));
            }
        }
        true
    }

    /// Whether the impulses found are so large that what their rounding leaves of speeds would be taken for
    /// motion: those of a wedge, or of a heavy body on a light one.
    pub(super) fn is_too_rough(&self, speed: f64) -> bool {
        self.precision == Precision::Rounded && ROUNDING * self.largest() > UNMOVED * speed
    }

    /// Whether impulses are no solution.
    fn is_off(&self, speed: f64) -> bool {
        let least = WRONG * speed;
        self.rows.iter().any(|row| {
            let Inside { impulse, speed, .. } = row.inside;
            !(speed >= -least && (row.is_bilateral || impulse * row.diagonal >= -least))
                || (row.pushes && !(speed <= least))
        })
    }

    /// Sharpens a soft solution that is none: the softness gives way under the forces of a wedge, which are
    /// as many times those that press it as it is steep. False if that is none, either.
    fn sharpen_soft(&mut self, speed: f64) -> bool {
        self.rough.prox.fill(0.0);
        self.sharpen(speed) && !self.is_off(speed)
    }

    /// All further proximal steps at once, from the active set of the first: corrections by the residual
    /// without softness, and what is then on the wrong side changes it. False, and impulses are those of
    /// before, if that does not settle.
    fn sharpen(&mut self, speed: f64) -> bool {
        let tolerance = ROUNDING * speed;
        self.rough.at.clear();
        self.rough.at.extend(self.rows.iter().map(|row| row.inside.impulse));
        let (mut least, mut chances) = (usize::MAX, CHANCES);
        while chances > 0 && self.settle_speeds(speed) {
            let wrong = self.mark_wrong(tolerance);
            if wrong == 0 {
                return true;
            }
            (least, chances) = if wrong < least { (wrong, CHANCES) } else { (least, chances - 1) };
            self.change_sides();
            if !self.factor() {
                break;
            }
            self.rows.iter_mut().for_each(|row| row.inside.impulse = 0.0);
            self.note_speeds();
        }
        for (row, at) in self.rows.iter_mut().zip(&self.rough.at) {
            row.pushes = row.is_bilateral || *at > 0.0;
            (row.softness, row.inside.impulse) = (SOFTNESS, *at);
        }
        false
    }

    /// Brings the speeds of the active set to 0. Where the softness hides how some of them can be, there is
    /// less of it from there on: the factor is the less precise, and what it leaves is corrected. False if
    /// that does not do it.
    fn settle_speeds(&mut self, speed: f64) -> bool {
        for _ in 0..SOFTENED {
            if self.correct_roughly(ROUNDING * speed) <= UNTOLD * speed {
                return true;
            }
            self.rows.iter_mut().for_each(|row| row.softness *= LESS_SOFT);
            if !self.factor() {
                return false;
            }
        }
        self.correct_roughly(ROUNDING * speed) <= UNTOLD * speed
    }

    /// Corrects the impulses of the active set by the speeds that they leave. The largest one left.
    fn correct_roughly(&mut self, tolerance: f64) -> f64 {
        let mut last = f64::INFINITY;
        for step in 0..SHARPENED {
            let mut size = 0.0_f64;
            for row in self.rows.iter_mut().filter(|row| row.pushes) {
                row.wanted = -row.inside.speed;
                size = size.max(row.wanted.abs());
            }
            let stagnates = step > STEPS && size > 0.5 * last;
            last = size;
            if size <= tolerance || stagnates {
                break;
            }
            self.solve_step();
            for row in self.rows.iter_mut().filter(|row| row.pushes) {
                row.inside.impulse += row.trial;
            }
            self.note_speeds();
        }
        last
    }

    /// What is on the wrong side changes it.
    fn change_sides(&mut self) {
        for row in self.rows.iter_mut().filter(|row| row.is_wrong) {
            row.pushes = !row.pushes;
        }
    }

    /// One proximal step. False if a factor fails.
    ///
    /// Where pivoting stalls, the first one goes on from what the search from the interior finds, and if
    /// that stalls, too, by descent.
    fn step_roughly(&mut self, tolerance: f64) -> bool {
        let (mut least, mut chances) = (usize::MAX, CHANCES);
        let mut may_search = self.rough.prox.iter().all(|&prox| prox == 0.0);
        loop {
            if !self.factor() {
                return false;
            }
            self.solve_active_roughly(tolerance);
            let wrong = self.mark_wrong(tolerance);
            if wrong == 0 {
                return true;
            }
            if wrong < least {
                (least, chances) = (wrong, CHANCES);
            } else if chances > 0 {
                chances -= 1;
            } else if may_search {
                // Where it does not converge, it is as good a beginning as any.
                self.search_interior();
                self.rows.iter_mut().for_each(|row| row.softness = SOFTNESS);
                (may_search, least, chances) = (false, usize::MAX, CHANCES);
                continue;
            } else {
                return self.descend_roughly(tolerance);
            }
            self.change_sides();
        }
    }

    /// The impulses of the active set, corrected, into `inside.impulse`; the speeds that all have with them
    /// into `inside.speed`.
    fn solve_active_roughly(&mut self, tolerance: f64) {
        for row in &mut self.rows {
            row.inside.impulse = 0.0;
        }
        let mut last = f64::INFINITY;
        for _ in 0..CORRECTIONS {
            self.note_speeds();
            let mut size = 0.0_f64;
            for (row, prox) in self.rows.iter_mut().zip(&self.rough.prox).filter(|(row, _)| row.pushes) {
                let soft = row.softness * row.diagonal;
                row.wanted = -(row.inside.speed + soft * (row.inside.impulse - prox));
                size = size.max(row.wanted.abs());
            }
            if size <= 0.125 * tolerance || size > 0.5 * last {
                break;
            }
            last = size;
            self.solve_step();
            for row in self.rows.iter_mut().filter(|row| row.pushes) {
                row.inside.impulse += row.trial;
            }
        }
        self.note_speeds();
    }

    fn note_speeds(&mut self) {
        self.note_velocities(|row| Some(row.inside.impulse).filter(|&impulse| impulse != 0.0));
        for row in &mut self.rows {
            row.inside.speed = row.opening.to_f64() + row.opened_by(&self.step);
        }
    }

    /// The largest impulse, as the speed that it makes.
    fn largest(&self) -> f64 {
        self.rows.iter().map(|row| (row.inside.impulse * row.diagonal).abs()).fold(0.0, f64::max)
    }

    /// By how much a row that does not push closes, beyond the proximal term.
    fn shifted_speed(&self, r: usize) -> f64 {
        let row = &self.rows[r];
        row.inside.speed - row.softness * row.diagonal * self.rough.prox[r]
    }

    fn mark_wrong(&mut self, tolerance: f64) -> usize {
        let largest = self.largest();
        let mut wrong = 0;
        for r in 0..self.rows.len() {
            let speed = self.shifted_speed(r);
            let row = &mut self.rows[r];
            row.is_wrong = !row.is_bilateral
                && if row.pushes {
                    row.inside.impulse * row.diagonal < -NONE * largest
                } else {
                    speed < -tolerance.max(ROUNDING * largest)
                };
            wrong += usize::from(row.is_wrong);
        }
        wrong
    }

    /// The step by descent, from the impulses that are there, without those that pull. False if a factor
    /// fails.
    fn descend_roughly(&mut self, tolerance: f64) -> bool {
        self.rough.at.clear();
        self.rough.barred.clear();
        for row in &mut self.rows {
            let impulse = if row.is_bilateral { row.inside.impulse } else { row.inside.impulse.max(0.0) };
            row.pushes = row.is_bilateral || impulse > 0.0;
            self.rough.at.push(impulse);
            self.rough.barred.push(false);
        }
        for _ in 0..20 + 20 * self.rows.len() {
            if !self.descend_on_face(tolerance) {
                return false;
            }
            let largest = self.largest();
            let mut worst = (-tolerance.max(ROUNDING * largest), None);
            for r in 0..self.rows.len() {
                let speed = self.shifted_speed(r);
                if !self.rows[r].pushes && !self.rough.barred[r] && speed < worst.0 {
                    worst = (speed, Some(r));
                }
            }
            let Some(entering) = worst.1 else { return true };
            self.rows[entering].pushes = true;
            if !self.factor() {
                return false;
            }
            self.solve_active_roughly(tolerance);
            if self.rows[entering].inside.impulse <= 0.0 {
                // By rounding: it comes to nothing.
                self.rows[entering].pushes = false;
                self.rough.barred[entering] = true;
                (self.rows.iter_mut().zip(&self.rough.at)).for_each(|(row, at)| row.inside.impulse = *at);
            }
        }
        true
    }

    /// Goes to the best impulses of the active set, and takes those out that would have to pull on the way.
    /// False if the factor fails.
    fn descend_on_face(&mut self, tolerance: f64) -> bool {
        loop {
            if !self.factor() {
                return false;
            }
            self.solve_active_roughly(tolerance);
            let largest = self.largest();
            let mut length = 1.0_f64;
            for (row, at) in self.rows.iter().zip(&self.rough.at) {
                let pulls =
                    row.pushes && !row.is_bilateral && row.inside.impulse * row.diagonal < -NONE * largest;
                if pulls {
                    length = length.min(at / (at - row.inside.impulse));
                }
            }
            if length >= 1.0 {
                for (row, at) in self.rows.iter().zip(&mut self.rough.at) {
                    *at = row.inside.impulse;
                }
                return true;
            }
            for (row, at) in self.rows.iter_mut().zip(&mut self.rough.at).filter(|(row, _)| row.pushes) {
                let (from, to) = (*at, row.inside.impulse);
                *at = from + length * (to - from);
                let pulls = !row.is_bilateral && to * row.diagonal < -NONE * largest;
                if pulls && *at <= 1e-14 * (from + to.abs()) {
                    *at = 0.0;
                    row.pushes = false;
                }
            }
        }
    }
}

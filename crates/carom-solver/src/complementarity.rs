use crate::tolerances::{DEPENDENT, PIVOT_ROUNDING};
use alloc::vec::Vec;
use carom_math::eft::DoubleDouble as Dd;

/// No impulses keep the contacts from approaching: what cannot be stopped closes in. See
/// [`Complementarity::ray`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no impulses keep the contacts from approaching: what cannot be stopped closes in")]
pub struct Infeasible;

/// A linear complementarity problem with a symmetric, positive semidefinite matrix.
///
/// Find `λ ≥ 0` with `w = A λ + q ≥ 0` and `λ·w = 0`: impulses that only push, velocities that do not
/// approach, and no impulse where the bodies part. `A` may be singular (more contacts than degrees of
/// freedom): then `λ` is one of many, while the velocities `A λ` are the same for all.
///
/// Solved by the active-set method of Lawson and Hanson (Solving Least Squares Problems, 1974, ch. 23), in
/// its form for the normal equations and with a ratio test for dependent columns. In double-double
/// arithmetic, so that the rounding of the elimination, which depends on the order of the contacts, is gone
/// when the velocities are rounded to `f64`.
#[derive(Clone, Debug, Default)]
pub struct Complementarity {
    size: usize,
    matrix: Vec<Dd>,
    offset: Vec<Dd>,
    /// The unknowns of either sign, whose `w` is 0.
    bilateral: Vec<bool>,
    /// The solution `λ`.
    pub impulses: Vec<Dd>,
    /// Where there is no solution, why: `r ≥ 0` with `A r = 0` and `q·r < 0`, impulses that cancel on every
    /// body that can move, at contacts that close. By Farkas' lemma there are such exactly where there is no
    /// solution.
    pub ray: Vec<Dd>,
    active: Vec<usize>,
    /// Contacts of wedges too acute, or masses too unlike, for the arithmetic: they approach, and are let go.
    wedged: Vec<usize>,
    /// Scratch: the active set before contacts left it, and what to come back to.
    retired: Vec<usize>,
    saved: Vec<Dd>,
    saved_active: Vec<usize>,
    /// Columns of the unit lower triangle of `A` restricted to `active`, row by row, and the pivots.
    lower: Vec<Dd>,
    pivots: Vec<Dd>,
    /// Bounds on the rounding of the pivots.
    roundings: Vec<f64>,
    trial: Vec<Dd>,
}

impl Complementarity {
    /// In units of a tolerance of 2⁻⁹⁰ of the largest velocity: what approaches more slowly, and cannot be
    /// kept from it, may be let go. 2⁻⁴⁰ of that velocity: between walls that rounding has turned out of
    /// parallel it is some 2⁻⁵⁰.
    pub const NEGLIGIBLE: f64 = (1u64 << 50) as f64;

    /// Starts a problem of `size` unknowns, all zero.
    pub fn reset(&mut self, size: usize) {
        self.size = size;
        self.matrix.clear();
        self.matrix.resize(size * size, Dd::ZERO);
        self.offset.clear();
        self.offset.resize(size, Dd::ZERO);
        self.bilateral.clear();
        self.bilateral.resize(size, false);
    }

    /// Lets an unknown have either sign, and its `w` be 0.
    pub fn set_bilateral(&mut self, i: usize, is_bilateral: bool) {
        self.bilateral[i] = is_bilateral;
    }

    /// Sets `A_ij` and `A_ji`.
    pub fn set_symmetric(&mut self, i: usize, j: usize, entry: Dd) {
        self.matrix[i * self.size + j] = entry;
        self.matrix[j * self.size + i] = entry;
    }

    /// `q_i`.
    pub fn offset_mut(&mut self, i: usize) -> &mut Dd {
        &mut self.offset[i]
    }

    /// Finds `impulses`. A velocity above `-tolerance` counts as not approaching. What nothing can keep from
    /// approaching is let go if it is no faster than `negligible`, else there is no solution: `ray` is set.
    ///
    /// Where nothing moves that cannot be stopped, to stand still is a solution, and everything is
    /// negligible. Takes O(n³) for `n` unknowns where all push, or few do not.
    ///
    /// # Errors
    /// [`Infeasible`] if there is no solution.
    pub fn solve(&mut self, tolerance: f64, negligible: f64) -> Result<(), Infeasible> {
        self.impulses.clear();
        self.impulses.resize(self.size, Dd::ZERO);
        self.active.clear();
        // Mostly every contact pushes, and then one elimination is all.
        if self.try_all() {
            return Ok(());
        }
        self.impulses.fill(Dd::ZERO);
        self.active.clear();
        self.wedged.clear();
        self.start_with_bilateral();
        // Each round ends with another active set, of lower energy; the bound is for rounding. Whenever it
        // ends, the impulses are the best ones for their active set, which is what energy needs; who still
        // approaches is left to the next pass.
        for _ in 0..16 + 8 * self.size {
            let Some((entering, velocity)) = self.most_approaching(tolerance) else { return Ok(()) };
            self.saved.clone_from(&self.impulses);
            self.saved_active.clone_from(&self.active);
            if self.enter(entering).is_ok() {
                self.descend();
            } else if velocity >= -negligible {
                core::mem::swap(&mut self.saved, &mut self.impulses);
                self.restore_active();
                self.wedged.push(entering);
            } else {
                return Err(Infeasible);
            }
        }
        Ok(())
    }

    /// The impulses at the active contacts that undo what is left of their velocities.
    pub(crate) fn corrections(
        &mut self,
        velocity: impl Fn(usize) -> Dd,
    ) -> impl Iterator<Item = (usize, Dd)> + '_ {
        self.trial.clear();
        self.trial.extend(self.active.iter().map(|&j| -velocity(j)));
        self.back_substitute();
        self.active.iter().copied().zip(self.trial.iter().copied())
    }

    fn entry(&self, i: usize, j: usize) -> Dd {
        self.matrix[i * self.size + j]
    }

    fn try_all(&mut self) -> bool {
        for i in 0..self.size {
            if !self.push_active(i) {
                return false;
            }
        }
        self.solve_active();
        let pulls = |(&x, &i): (&Dd, &usize)| !(x >= Dd::ZERO) && !self.bilateral[i];
        if self.trial.iter().zip(&self.active).any(pulls) {
            return false;
        }
        for (k, &i) in self.active.iter().enumerate() {
            self.impulses[i] = self.trial[k];
        }
        true
    }

    /// Makes those of either sign active, except the ones that depend on others of them.
    fn start_with_bilateral(&mut self) {
        for i in 0..self.size {
            if self.bilateral[i] && !self.push_active(i) {
                self.wedged.push(i);
            }
        }
        self.solve_active();
        for (k, &i) in self.active.iter().enumerate() {
            self.impulses[i] = self.trial[k];
        }
    }

    /// The contact outside the active set that approaches fastest, and its velocity.
    fn most_approaching(&self, tolerance: f64) -> Option<(usize, f64)> {
        let mut worst = (Dd::from(-tolerance), None);
        for i in (0..self.size).filter(|i| !self.active.contains(i) && !self.wedged.contains(i)) {
            let velocity =
                self.active.iter().fold(self.offset[i], |sum, &j| sum + self.entry(i, j) * self.impulses[j]);
            if velocity < worst.0 {
                worst = (velocity, Some(i));
            }
        }
        worst.1.map(|i| (i, worst.0.to_f64()))
    }

    /// Lets contact `i` push, too. If its column depends on the active ones, those it replaces let go.
    ///
    /// Then `A_i = Σ α_j A_j` over the active `j`. If `λ_i` grows by `t` and each `λ_j` by `−t α_j`,
    /// velocities stay, and `q·λ` falls, as `w_i < 0`: `t` is as large as impulses ≥ 0 allow. The first `λ_j`
    /// to come to 0 leaves, and `i` is tried again beside the others. If no `α_j` is positive, `t` has no
    /// bound, and `r = e_i − Σ α_j e_j ≥ 0` is the ray of Farkas' lemma: `A r = 0`, `q·r = w_i < 0`.
    fn enter(&mut self, i: usize) -> Result<(), Infeasible> {
        while !self.push_active(i) {
            // The coefficients α of the column in the active ones.
            self.trial.clear();
            self.trial.extend(self.active.iter().map(|&j| self.matrix[j * self.size + i]));
            self.back_substitute();
            let mut blocking: Option<(usize, Dd)> = None;
            for (k, &j) in self.active.iter().enumerate() {
                if self.trial[k].to_f64() > DEPENDENT && !self.bilateral[j] {
                    let step = self.impulses[j] / self.trial[k];
                    if blocking.is_none_or(|(_, least)| step < least) {
                        blocking = Some((k, step));
                    }
                }
            }
            let Some((k, step)) = blocking else {
                self.note_ray(i);
                return Err(Infeasible);
            };
            for (m, &j) in self.active.iter().enumerate() {
                self.impulses[j] = self.impulses[j] - self.trial[m] * step;
            }
            self.impulses[i] = self.impulses[i] + step;
            let leaving = self.active[k];
            self.impulses[leaving] = Dd::ZERO;
            self.rebuild_without(|j| j == leaving);
        }
        Ok(())
    }

    /// Sets `ray` from the coefficients of contact `i` in the active ones, which are all ≤ 0.
    fn note_ray(&mut self, i: usize) {
        self.ray.clear();
        self.ray.resize(self.size, Dd::ZERO);
        self.ray[i] = Dd::from(1.0);
        for (&j, &coefficient) in self.active.iter().zip(&self.trial) {
            self.ray[j] = if coefficient < Dd::ZERO { -coefficient } else { Dd::ZERO };
        }
    }

    /// Moves to the solution for the active set, dropping contacts that would have to pull.
    ///
    /// The step goes along the line from the present impulses, all ≥ 0, to that solution, and stops where the
    /// first of them comes to 0. So `½ λᵀ A λ + qᵀ λ` falls with each step, no active set comes back, and the
    /// method ends.
    fn descend(&mut self) {
        while !self.active.is_empty() {
            self.solve_active();
            // How far towards it the first of those that would have to pull lets go.
            let mut blocking: Option<(Dd, usize)> = None;
            for (k, &j) in self.active.iter().enumerate() {
                if self.trial[k] <= Dd::ZERO && !self.bilateral[j] {
                    let fraction = self.impulses[j] / (self.impulses[j] - self.trial[k]);
                    // 0/0 where it neither pushed nor is to: it lets go at once.
                    let fraction = if fraction >= Dd::ZERO { fraction } else { Dd::ZERO };
                    if blocking.is_none_or(|(least, _)| fraction < least) {
                        blocking = Some((fraction, j));
                    }
                }
            }
            let step = blocking.map_or(Dd::from(1.0), |(fraction, _)| fraction);
            for (k, &j) in self.active.iter().enumerate() {
                let impulse = self.impulses[j] + (self.trial[k] - self.impulses[j]) * step;
                let may_have = impulse > Dd::ZERO || self.bilateral[j];
                self.impulses[j] = if may_have { impulse } else { Dd::ZERO };
            }
            let Some((_, leaving)) = blocking else { return };
            self.impulses[leaving] = Dd::ZERO;
            let impulses = core::mem::take(&mut self.impulses);
            let bilateral = core::mem::take(&mut self.bilateral);
            self.rebuild_without(|j| impulses[j] == Dd::ZERO && !bilateral[j]);
            self.bilateral = bilateral;
            self.impulses = impulses;
        }
    }

    /// Makes the active set what it was before a contact tried to enter; in the same order, so that it
    /// factors as it did.
    fn restore_active(&mut self) {
        let saved = core::mem::take(&mut self.saved_active);
        self.active.clear();
        for &i in &saved {
            self.push_active(i);
        }
        self.saved_active = saved;
    }

    fn rebuild_without(&mut self, leaves: impl Fn(usize) -> bool) {
        let mut old = core::mem::take(&mut self.retired);
        core::mem::swap(&mut old, &mut self.active);
        self.active.clear();
        for &j in old.iter().filter(|&&j| !leaves(j)) {
            // A subset of independent columns is independent.
            self.push_active(j);
        }
        self.retired = old;
    }

    /// Extends the factorisation `A = L D Lᵀ` of the active set by one; false if the column depends on it.
    fn push_active(&mut self, i: usize) -> bool {
        let n = self.active.len();
        self.lower.truncate(n * n.saturating_sub(1) / 2);
        self.pivots.truncate(n);
        self.roundings.truncate(n);
        let row = self.lower.len();
        let mut pivot = self.entry(i, i);
        let diagonal = pivot.to_f64();
        let mut rounding = PIVOT_ROUNDING * diagonal;
        for k in 0..n {
            let mut x = self.entry(i, self.active[k]);
            for m in 0..k {
                x = x - self.lower[row + m] * self.lower[k * k.saturating_sub(1) / 2 + m] * self.pivots[m];
            }
            let x = x / self.pivots[k];
            self.lower.push(x);
            pivot = pivot - x * x * self.pivots[k];
            rounding += x.to_f64() * x.to_f64() * self.roundings[k];
        }
        if pivot.to_f64() <= rounding.max(DEPENDENT * diagonal) {
            self.lower.truncate(row);
            return false;
        }
        self.pivots.push(pivot);
        self.roundings.push(rounding);
        self.active.push(i);
        true
    }

    /// `trial` = the impulses at which the active contacts neither approach nor part.
    fn solve_active(&mut self) {
        self.trial.clear();
        self.trial.extend(self.active.iter().map(|&j| -self.offset[j]));
        self.back_substitute();
    }

    /// `trial` ← `A⁻¹ trial` on the active set.
    fn back_substitute(&mut self) {
        let n = self.active.len();
        let at = |i: usize, k: usize| i * i.saturating_sub(1) / 2 + k;
        for i in 0..n {
            for k in 0..i {
                self.trial[i] = self.trial[i] - self.lower[at(i, k)] * self.trial[k];
            }
        }
        for i in 0..n {
            self.trial[i] = self.trial[i] / self.pivots[i];
        }
        for i in (0..n).rev() {
            for k in i + 1..n {
                self.trial[i] = self.trial[i] - self.lower[at(k, i)] * self.trial[k];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve(matrix: &[&[f64]], offset: &[f64]) -> Result<Vec<f64>, Infeasible> {
        let mut problem = Complementarity::default();
        problem.reset(offset.len());
        for (i, row) in matrix.iter().enumerate() {
            for (j, &x) in row.iter().enumerate() {
                problem.set_symmetric(i, j, x.into());
            }
            *problem.offset_mut(i) = offset[i].into();
        }
        problem.solve(1e-25, 1e-10)?;
        Ok(problem.impulses.iter().map(|x| x.to_f64()).collect())
    }

    #[test]
    fn all_push() {
        // By hand: [[2, 1], [1, 2]] λ = (3, 3) has λ = (1, 1).
        assert_eq!(solve(&[&[2.0, 1.0], &[1.0, 2.0]], &[-3.0, -3.0]), Ok(vec![1.0, 1.0]));
    }

    #[test]
    fn one_would_have_to_pull() {
        // All active: λ = (3, −1). So the second lets go: λ = (2.5, 0), w₂ = 2.5 − 1 > 0.
        assert_eq!(solve(&[&[2.0, 1.0], &[1.0, 2.0]], &[-5.0, -1.0]), Ok(vec![2.5, 0.0]));
    }

    #[test]
    fn dependent_contacts_share_or_replace() {
        // The same contact twice, at different speeds: the faster one decides.
        let result = solve(&[&[1.0, 1.0], &[1.0, 1.0]], &[-1.0, -2.0]);
        assert_eq!(result, Ok(vec![0.0, 2.0]));
        // At the same speed any split will do: the velocity is what counts.
        let split = solve(&[&[1.0, 1.0], &[1.0, 1.0]], &[-1.0, -1.0]);
        assert_eq!(split.map(|x| x.iter().sum::<f64>()), Ok(1.0));
    }

    #[test]
    fn between_closing_jaws_there_is_no_answer() {
        // Two opposite contacts on one body, both approaching.
        assert_eq!(solve(&[&[1.0, -1.0], &[-1.0, 1.0]], &[-1.0, -1.0]), Err(Infeasible));
        // One jaw parts more slowly than the other closes.
        assert_eq!(solve(&[&[1.0, -1.0], &[-1.0, 1.0]], &[-2.0, 1.0]), Err(Infeasible));
        assert_eq!(solve(&[&[1.0, -1.0], &[-1.0, 1.0]], &[-1.0, 1.0]), Ok(vec![1.0, 0.0]));
    }

    /// A bilateral one pulls where a unilateral one lets go.
    #[test]
    fn a_bilateral_contact_may_pull() {
        let mut problem = Complementarity::default();
        problem.reset(2);
        for (i, row) in [[2.0, 1.0], [1.0, 2.0]].iter().enumerate() {
            for (j, &x) in row.iter().enumerate() {
                problem.set_symmetric(i, j, Dd::from(x));
            }
        }
        *problem.offset_mut(0) = Dd::from(-5.0);
        *problem.offset_mut(1) = Dd::from(-1.0);
        problem.set_bilateral(1, true);
        problem.solve(1e-25, 1e-10).unwrap();
        // As if both were active: see above.
        assert_eq!(problem.impulses.iter().map(|x| x.to_f64()).collect::<Vec<_>>(), [3.0, -1.0]);
    }

    #[test]
    fn nothing_to_do() {
        assert_eq!(solve(&[], &[]), Ok(vec![]));
        assert_eq!(solve(&[&[1.0]], &[0.0]), Ok(vec![0.0]));
    }
}

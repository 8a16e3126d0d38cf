//! The same set in double-double, for impacts: what the order of contacts rounds differently is below the
//! rounding of velocities then, so that mirrored groups stay mirrored. And what of a solution is rounding.

use super::{Gradient, RoughSolver, Rub, finite};
use crate::contact_problem::system::System;
use crate::tolerances::{FINE_RESIDUAL, LEAST_PULL};
use alloc::vec::Vec;
use carom_math::eft::DoubleDouble as Dd;

/// What is exact of a solution.
#[derive(Clone, Debug, Default)]
pub(super) struct Exact {
    /// The impulses along the normals, and those of the bounded rows.
    rows: Vec<Dd>,
    rubs: Vec<Dd>,
    /// By body, and 0 for what does not move: the change of velocity by all of them, and by the bounded ones.
    changes: Vec<[Dd; 3]>,
    by_rubs: Vec<[Dd; 3]>,
}

impl RoughSolver {
    /// Sets impulses to 0 that push by no more than rounding, as those that pull so little are.
    ///
    /// Friction without a limit would lock two discs that only touch.
    pub(in crate::contact_problem) fn drop_rounding(&mut self, system: &mut System) {
        let least = LEAST_PULL * self.largest(system);
        for r in 0..system.rows.len() {
            let row = &mut system.rows[r];
            let rubs = self.first[r] as usize..self.first[r + 1] as usize;
            let is_rounding = |rub: &Rub| rub.impulse.abs() * rub.diagonal <= least;
            if row.iterate.impulse.abs() * row.diagonal <= least
                && self.rubs[rubs.clone()].iter().all(is_rounding)
            {
                row.iterate.impulse = 0.0;
                self.rubs[rubs].iter_mut().for_each(|rub| rub.impulse = 0.0);
            }
        }
    }

    /// Corrects the impulses of the set that [`RoughSolver::solve`] has found, as long as that takes off a
    /// half, until speeds differ from 0 by [`FINE_RESIDUAL`].
    ///
    /// A correction that takes off less is taken back. What is left then are contacts that depend on each
    /// other and contradict each other. The softness of the factor makes impulses of 10⁸ times that, beyond
    /// the limits within which energy does not rise: where contacts of a heap of 98 contradicted each other
    /// by 10⁻⁶ of the speeds, an impact left 23 J of 5 J.
    pub(in crate::contact_problem) fn refine(&mut self, system: &System, speed: f64) {
        self.take_exact(system);
        let mut last = f64::INFINITY;
        loop {
            let mut size = 0.0_f64;
            for row in &mut self.active {
                row.wanted = -(row.opening + speed_of(&self.exact.changes, row.ends, &row.gradient)).to_f64();
                size = size.max(row.wanted.abs());
            }
            if size <= FINE_RESIDUAL * speed {
                return;
            }
            if !(size <= 0.5 * last) {
                self.add_correction(system, -1.0);
                return;
            }
            last = size;
            self.active.iter_mut().for_each(|row| row.impulse = 0.0);
            self.correct_once();
            self.add_correction(system, 1.0);
        }
    }

    /// Adds the impulses of the last correction, this many times.
    fn add_correction(&mut self, system: &System, times: f64) {
        for row in &self.active {
            let impulse = match row.of {
                (r, None) => &mut self.exact.rows[r as usize],
                (_, Some(k)) => &mut self.exact.rubs[k as usize],
            };
            *impulse = *impulse + Dd::from(times * row.impulse);
        }
        self.note_exact_changes(system);
    }

    /// Takes the impulses as they are.
    pub(in crate::contact_problem) fn take_exact(&mut self, system: &System) {
        self.exact.rows.clear();
        self.exact.rows.extend(system.rows.iter().map(|row| Dd::from(row.iterate.impulse)));
        self.exact.rubs.clear();
        self.exact.rubs.extend(self.rubs.iter().map(|rub| Dd::from(rub.impulse)));
        self.note_exact_changes(system);
    }

    /// What the impulses do to the bodies, with those of what slides.
    fn note_exact_changes(&mut self, system: &System) {
        let mut exact = core::mem::take(&mut self.exact);
        for changes in [&mut exact.changes, &mut exact.by_rubs] {
            changes.clear();
            changes.resize(self.bodies + 1, [Dd::ZERO; 3]);
        }
        for (r, row) in system.rows.iter().enumerate() {
            let ends = self.ends_of(row);
            add(&mut exact.changes, ends, exact.rows[r], &super::normal_of(row));
            for k in self.rubs_of(r) {
                let rub = &self.rubs[k];
                if rub.slides != 0.0 {
                    let pressing = exact.rows[r] + Dd::from(self.given_at(r));
                    exact.rubs[k] = pressing * Dd::from(-rub.slides * finite(rub.most));
                }
                add(&mut exact.by_rubs, ends, exact.rubs[k], &rub.gradient);
            }
        }
        for (m, body) in system.bodies.iter().enumerate() {
            // A double-double has no quotient by infinity.
            let is_turned = self.inertias[m] < f64::INFINITY;
            let turned = if is_turned { body.exact_mobility / Dd::from(self.inertias[m]) } else { Dd::ZERO };
            for (k, mobility) in [body.exact_mobility, body.exact_mobility, turned].into_iter().enumerate() {
                exact.by_rubs[m][k] = exact.by_rubs[m][k] * mobility;
                exact.changes[m][k] = exact.changes[m][k] * mobility + exact.by_rubs[m][k];
            }
        }
        exact.changes[self.bodies] = [Dd::ZERO; 3];
        self.exact = exact;
    }

    /// By body: the change of velocity by all impulses, and by those of the bounded rows alone.
    pub(crate) fn exact_changes(&self) -> impl Iterator<Item = ([Dd; 3], [Dd; 3])> {
        self.exact.changes.iter().copied().zip(self.exact.by_rubs.iter().copied())
    }
}

fn add(to: &mut [[Dd; 3]], ends: [u32; 2], impulse: Dd, direction: &Gradient) {
    for (end, direction) in ends.into_iter().zip(direction) {
        for (to, &d) in to[end as usize].iter_mut().zip(direction) {
            *to = *to + impulse * Dd::from(d);
        }
    }
}

fn speed_of(velocities: &[[Dd; 3]], ends: [u32; 2], gradient: &Gradient) -> Dd {
    ends.into_iter().zip(gradient).fold(Dd::ZERO, |sum, (end, g)| {
        velocities[end as usize].iter().zip(g).fold(sum, |sum, (&v, &g)| sum + v * Dd::from(g))
    })
}

#[cfg(test)]
mod tests {
    use crate::contact_problem::rough::{Rub, finite};
    use crate::contact_problem::{ContactProblem, RowKind};
    use carom_math::eft::DoubleDouble as Dd;
    use carom_testkit::rng::Rng;
    use glam::DVec2;

    /// Some discs, with more contacts than they need, whose speeds contradict each other by 10⁻⁶ of the
    /// largest, as those of held contacts do.
    fn jammed(rng: &mut Rng) -> ContactProblem {
        let mut problem = ContactProblem::default();
        problem.reset();
        problem.rough.clear();
        let velocities: Vec<[f64; 3]> =
            (0..1 + rng.below(3)).map(|_| [0; 3].map(|_| rng.range(-1.0, 1.0))).collect();
        for _ in &velocities {
            problem.add_body(rng.pick(&[1.0, 1.0, 0.1]));
            problem.rough.inertias.push(0.5);
        }
        let bodies = velocities.len() as u32;
        for row in 0..3 + 2 * bodies {
            let (a, b) = (row % bodies, (row / bodies + row) % (bodies + 1));
            let ends = [Some(a), (b != a && b < bodies).then_some(b)];
            let normal = DVec2::from_angle(rng.range(0.0, 6.3));
            let tangent = normal.perp();
            let mut off = || if rng.below(2) == 0 { 5e-7 * rng.range(-1.0, 1.0) } else { 0.0 };
            let gradient = [[-tangent.x, -tangent.y, -1.0], [tangent.x, tangent.y, -1.0]];
            let (mut opening, mut slip) = (off(), off());
            for (end, (sign, of_slip)) in ends.into_iter().zip([-1.0, 1.0].into_iter().zip(gradient)) {
                let Some(body) = end else { continue };
                let [x, y, turn] = velocities[body as usize];
                opening += sign * normal.dot(DVec2::new(x, y));
                slip += of_slip[0] * x + of_slip[1] * y + of_slip[2] * turn;
            }
            let opening = rng.pick(&[0.0, opening]);
            problem.add_row(ends, normal, Dd::from(-opening), RowKind::Idle);
            problem.rough.given.push(rng.pick(&[0.0, 0.1, 10.0]));
            let most = rng.pick(&[0.1, 0.5, 1.0]);
            problem.rough.rubs.push(Rub::new(row, gradient, Dd::from(slip), most));
        }
        problem
    }

    /// Coulomb's law, `|τ| ≤ μ (λ + j)` and `λ ≥ 0`, by which friction takes energy (`impulse.md`).
    #[test]
    fn friction_of_contacts_that_contradict_each_other_keeps_its_limits() {
        let mut rng = Rng::new(1);
        for case in 0..5000 {
            let mut problem = jammed(&mut rng);
            if problem.rub(1.0, 0.0).is_err() {
                continue;
            }
            let rough = &problem.rough;
            for (rub, impulse) in rough.rubs.iter().zip(&rough.exact.rubs) {
                let contact = rub.contact as usize;
                let pressing = rough.exact.rows[contact].to_f64();
                let most = finite(rub.most) * (pressing.max(0.0) + rough.given[contact]);
                assert!(pressing > -1e-5, "case {case}: pulls by {pressing}");
                assert!(impulse.to_f64().abs() < most + 1e-5, "case {case}: {impulse:?} of {most}");
            }
        }
    }
}

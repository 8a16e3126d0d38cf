//! The same set in double-double, for impacts: what the order of contacts rounds differently is below the
//! rounding of velocities then, so that mirrored groups stay mirrored.

use super::{Gradient, RoughSolver, finite};
use crate::contact_problem::system::System;
use crate::tolerances::FINE_RESIDUAL;
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
    /// Corrects the impulses of the set that [`RoughSolver::solve`] has found, as long as that takes off a
    /// half, until speeds differ from 0 by [`FINE_RESIDUAL`].
    pub(in crate::contact_problem) fn refine(&mut self, system: &System, speed: f64) {
        self.take_exact(system);
        let mut last = f64::INFINITY;
        loop {
            let mut size = 0.0_f64;
            for row in &mut self.active {
                row.wanted = -(row.opening + speed_of(&self.exact.changes, row.ends, &row.gradient)).to_f64();
                size = size.max(row.wanted.abs());
            }
            if !(size <= 0.5 * last) || size <= FINE_RESIDUAL * speed {
                return;
            }
            last = size;
            self.active.iter_mut().for_each(|row| row.impulse = 0.0);
            self.correct_once();
            for row in &self.active {
                let impulse = match row.of {
                    (r, None) => &mut self.exact.rows[r as usize],
                    (_, Some(k)) => &mut self.exact.rubs[k as usize],
                };
                *impulse = *impulse + Dd::from(row.impulse);
            }
            self.note_exact_changes(system);
        }
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

use super::row::Row;
use super::system::System;
use alloc::vec::Vec;
use carom_math::eft::DoubleDouble as Dd;

/// What a problem is solved by, in double-double.
#[derive(Clone, Debug, Default)]
pub(crate) struct Solution {
    /// Impulses, by row.
    pub(crate) impulses: Vec<Dd>,
    /// The changes of velocity that they make, by body.
    pub(crate) changes: Vec<[Dd; 2]>,
    /// Scratch, by body: momenta of a step.
    momenta: Vec<[Dd; 2]>,
}

impl Solution {
    /// With room for this many bodies and rows.
    pub(super) fn with_room(few: usize) -> Self {
        Solution {
            impulses: Vec::with_capacity(few),
            changes: Vec::with_capacity(few),
            momenta: Vec::with_capacity(few),
        }
    }

    pub(super) fn clear(&mut self, system: &System) {
        self.impulses.clear();
        self.impulses.resize(system.rows.len(), Dd::ZERO);
        self.changes.clear();
        self.changes.resize(system.bodies.len(), [Dd::ZERO; 2]);
    }

    /// Adds to the impulse of a row, and to the velocities.
    pub(super) fn push(&mut self, system: &System, r: usize, impulse: Dd) {
        self.impulses[r] = self.impulses[r] + impulse;
        let Row { ends, normal, .. } = system.rows[r];
        for (end, normal) in ends.into_iter().zip([-normal, normal]) {
            let Some(body) = end else { continue };
            let change = impulse * system.bodies[body as usize].exact_mobility;
            let [x, y] = &mut self.changes[body as usize];
            (*x, *y) = (*x + change * Dd::from(normal.x), *y + change * Dd::from(normal.y));
        }
    }

    /// Takes the impulses that a search in `f64` has found, and what they do, which are as precise.
    pub(super) fn take_rounded(&mut self, system: &mut System) {
        system.note_velocities(|row| (row.iterate.impulse != 0.0).then_some(row.iterate.impulse));
        for (impulse, row) in self.impulses.iter_mut().zip(&system.rows) {
            *impulse = Dd::from(row.iterate.impulse);
        }
        for (change, &step) in self.changes.iter_mut().zip(&system.step) {
            *change = step.map(Dd::from);
        }
    }

    /// The speed at which a row opens with the present changes.
    pub(super) fn opening(&self, row: &Row) -> Dd {
        let [[ax, ay], [bx, by]] =
            row.ends.map(|end| end.map_or([Dd::ZERO; 2], |body| self.changes[body as usize]));
        row.opening + (bx - ax) * Dd::from(row.normal.x) + (by - ay) * Dd::from(row.normal.y)
    }

    /// Adds the step's impulses.
    pub(super) fn add_step(&mut self, system: &System) {
        self.momenta.clear();
        self.momenta.resize(system.bodies.len(), [Dd::ZERO; 2]);
        for (row, impulse) in system.rows.iter().zip(&mut self.impulses).filter(|(row, _)| row.pushes) {
            *impulse = *impulse + Dd::from(row.trial);
            let along = [Dd::product(row.trial, row.normal.x), Dd::product(row.trial, row.normal.y)];
            for (end, [px, py]) in row.ends.into_iter().zip([along.map(|p| -p), along]) {
                let Some(body) = end else { continue };
                let [x, y] = &mut self.momenta[body as usize];
                (*x, *y) = (*x + px, *y + py);
            }
        }
        for ((body, [px, py]), [x, y]) in system.bodies.iter().zip(&self.momenta).zip(&mut self.changes) {
            (*x, *y) = (*x + *px * body.exact_mobility, *y + *py * body.exact_mobility);
        }
    }
}

//! The search contact by contact, where pivoting goes in circles.

use super::{Gradient, RoughSolver, Rub, along, normal_of};
use crate::contact_problem::system::System;

/// How many sweeps an impact has at most that pivoting does not solve: half a millisecond for ten contacts.
/// With fewer, impulses are further from Coulomb's law in large heaps.
const MOST_SWEEPS: usize = 500;

impl RoughSolver {
    /// Block Gauss and Seidel, from the impulses that there are: each contact in turn gets the impulses
    /// with which it fulfils its conditions, with those of all others as they are (Jean, Comput. Methods
    /// Appl. Mech. Eng. 177 (1999) 235). What has been found says who pushes and sticks; impulses are
    /// then corrected from there, as the least ones may need more friction than there is where others
    /// need none.
    pub(super) fn sweep(&mut self, system: &mut System, sweeps: usize) {
        self.limit(system);
        self.note_changes_of_all(system);
        // Forth and back: what a heap rests on is at one end of it.
        for _ in 0..sweeps / 2 {
            (0..system.rows.len()).for_each(|r| _ = self.settle(system, r));
            (0..system.rows.len()).rev().for_each(|r| _ = self.settle(system, r));
        }
        self.take_sides(system);
        self.begin_here(system);
    }

    /// Lets the impulses of the next set begin with those that there are.
    fn begin_here(&mut self, system: &mut System) {
        system.rows.iter_mut().for_each(|row| row.trial = row.iterate.impulse);
        self.rubs.iter_mut().for_each(|rub| rub.start = rub.impulse);
    }

    /// Sweeps as [`RoughSolver::sweep`], until impulses change no speed by more than this, or the bounded
    /// work is done: what is found is within its limits, and fulfils the conditions as nearly as the last
    /// sweep did. Whether it takes energy, with this restitution of the bounded rows.
    pub(in crate::contact_problem) fn settle_for_sweeps(
        &mut self,
        system: &mut System,
        (least, restitution): (f64, f64),
    ) -> bool {
        self.limit(system);
        self.note_changes_of_all(system);
        for _ in 0..MOST_SWEEPS {
            let most = (0..system.rows.len()).fold(0.0, |most: f64, r| most.max(self.settle(system, r)));
            if most <= least {
                break;
            }
        }
        let mut gained = 0.0;
        for r in 0..system.rows.len() {
            let row = &mut system.rows[r];
            row.pushes = row.iterate.impulse > 0.0;
            let ends = self.ends_of(row);
            let change = along(&self.changes, ends, &normal_of(row));
            gained += row.iterate.impulse * (row.opening.to_f64() + 0.5 * change);
            for k in self.rubs_of(r) {
                let rub = &mut self.rubs[k];
                rub.slides = 0.0;
                let change = along(&self.changes, ends, &rub.gradient);
                gained += rub.impulse * (rub.opening.to_f64() / (1.0 + restitution) + 0.5 * change);
            }
        }
        gained <= 0.0
    }

    /// Gives a contact the impulses with which it fulfils its conditions. `changes` are what all impulses do.
    /// By how much that changes its speeds.
    fn settle(&mut self, system: &mut System, r: usize) -> f64 {
        let row = &mut system.rows[r];
        let ends = row.ends.map(|end| end.unwrap_or(self.bodies as u32));
        let speed = row.opening.to_f64() + along(&self.changes, ends, &normal_of(row));
        let before = row.iterate.impulse;
        let impulse = before - speed / row.diagonal;
        row.iterate.impulse = if row.is_bilateral { impulse } else { impulse.max(0.0) };
        let added = row.iterate.impulse - before;
        let pressing = row.iterate.impulse + self.given_at(r);
        let mut most = (added * row.diagonal).abs();
        self.push(ends, added, &normal_of(row));
        for k in self.rubs_of(r) {
            let rub = &mut self.rubs[k];
            if rub.diagonal > 0.0 {
                let speed = rub.opening.to_f64() + along(&self.changes, ends, &rub.gradient);
                let before = rub.impulse;
                rub.impulse = rub.limited(before - speed / rub.diagonal, pressing);
                let (added, gradient) = (rub.impulse - before, rub.gradient);
                most = most.max((added * rub.diagonal).abs());
                self.push(ends, added, &gradient);
            }
        }
        most
    }

    /// What the impulses of all rows do to the bodies.
    fn note_changes_of_all(&mut self, system: &System) {
        self.changes.clear();
        self.changes.resize(self.bodies + 1, [0.0; 3]);
        for (r, row) in system.rows.iter().enumerate() {
            let ends = self.ends_of(row);
            self.push(ends, row.iterate.impulse, &normal_of(row));
            for k in self.rubs_of(r) {
                let Rub { impulse, gradient, .. } = self.rubs[k];
                self.push(ends, impulse, &gradient);
            }
        }
    }

    /// Adds what an impulse does to the changes.
    fn push(&mut self, ends: [u32; 2], impulse: f64, gradient: &Gradient) {
        for (end, g) in ends.into_iter().zip(gradient) {
            let mobility = &self.mobilities[end as usize];
            let change = &mut self.changes[end as usize];
            (0..3).for_each(|i| change[i] += impulse * g[i] * mobility[i]);
        }
    }

    /// Who pushes and who sticks, by the impulses.
    fn take_sides(&mut self, system: &mut System) {
        for r in 0..system.rows.len() {
            let row = &mut system.rows[r];
            row.pushes = row.is_bilateral || row.iterate.impulse > 0.0;
            let pressing = row.iterate.impulse + self.given_at(r);
            for k in self.rubs_of(r) {
                let rub = &mut self.rubs[k];
                if !rub.is_given && rub.most < f64::INFINITY {
                    let is_free = rub.impulse.abs() < rub.most * pressing;
                    rub.slides = if is_free || rub.impulse == 0.0 { 0.0 } else { -rub.impulse.signum() };
                }
            }
        }
    }

    /// Lets nothing pull, nor rub by more than it can, before the next sweeps.
    fn limit(&mut self, system: &mut System) {
        for r in 0..system.rows.len() {
            let row = &mut system.rows[r];
            if !row.is_bilateral {
                row.iterate.impulse = row.iterate.impulse.max(0.0);
            }
            let pressing = row.iterate.impulse + self.given_at(r);
            for k in self.rubs_of(r) {
                let rub = &mut self.rubs[k];
                rub.impulse = rub.limited(rub.impulse, pressing);
            }
        }
    }
}

//! The search contact by contact, where pivoting goes in circles.

use super::{RoughSolver, along, normal_of};
use crate::complementarity::Infeasible;
use crate::contact_problem::system::System;
use crate::tolerances::SIGNS_TOLD;

/// How many sweeps come before the first attempt to correct what they have found; each time twice as many.
const SWEEPS: usize = 8;

/// How often. The 120 sweeps of all attempts take a tenth of a millisecond for ten contacts.
const ATTEMPTS: usize = 4;

impl RoughSolver {
    /// Block Gauss and Seidel: each contact in turn gets the impulses with which it fulfils its
    /// conditions, with those of all others as they are (Jean, Comput. Methods Appl. Mech. Eng. 177
    /// (1999) 235). What has been found says who pushes and sticks; impulses are then corrected from
    /// there, as the least ones may need more friction than there is where others need none.
    pub(super) fn solve_by_sweeps(&mut self, system: &mut System, speed: f64) -> Result<(), Infeasible> {
        self.clear_impulses(system);
        for attempt in 0..ATTEMPTS {
            self.note_speeds(system);
            for _ in 0..SWEEPS << attempt {
                (0..system.rows.len()).for_each(|r| self.settle(system, r));
            }
            self.take_sides(system);
            if !self.factor(system) {
                continue;
            }
            self.correct_active(system, speed);
            if self.count_wrong(system, speed, SIGNS_TOLD) == 0 && !self.is_off(system, speed) {
                return Ok(());
            }
            self.limit(system);
        }
        Err(Infeasible)
    }

    /// Gives a contact the impulses with which it fulfils its conditions. `changes` are what all impulses do.
    fn settle(&mut self, system: &mut System, r: usize) {
        let row = &mut system.rows[r];
        let ends = row.ends;
        let speed = row.opening.to_f64() + along(&self.changes, ends, &normal_of(row));
        let before = row.iterate.impulse;
        let impulse = before - speed / row.diagonal;
        row.iterate.impulse = if row.is_bilateral { impulse } else { impulse.max(0.0) };
        let (added, pressing) = (row.iterate.impulse - before, row.iterate.impulse);
        self.push(ends, added, &normal_of(row));
        for k in self.rubs_of(r) {
            let rub = &mut self.rubs[k];
            if rub.diagonal > 0.0 {
                let speed = rub.opening + along(&self.changes, ends, &rub.gradient);
                let before = rub.impulse;
                rub.impulse = rub.limited(before - speed / rub.diagonal, pressing);
                let (added, gradient) = (rub.impulse - before, rub.gradient);
                self.push(ends, added, &gradient);
            }
        }
    }

    /// Adds what an impulse does to the changes.
    fn push(&mut self, ends: super::Ends, impulse: f64, gradient: &super::Gradient) {
        for (end, g) in ends.into_iter().zip(gradient) {
            let Some(body) = end else { continue };
            let mobility = &self.mobilities[body as usize];
            let change = &mut self.changes[body as usize];
            (0..3).for_each(|i| change[i] += impulse * g[i] * mobility[i]);
        }
    }

    /// Who pushes and who sticks, by the impulses.
    fn take_sides(&mut self, system: &mut System) {
        for r in 0..system.rows.len() {
            let row = &mut system.rows[r];
            row.pushes = row.is_bilateral || row.iterate.impulse > 0.0;
            let pressing = row.iterate.impulse;
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
            let pressing = row.iterate.impulse;
            for k in self.rubs_of(r) {
                let rub = &mut self.rubs[k];
                rub.impulse = rub.limited(rub.impulse, pressing);
            }
        }
    }
}

impl super::Rub {
    /// The impulse that comes nearest to this one, with what presses.
    fn limited(&self, impulse: f64, pressing: f64) -> f64 {
        if self.most == f64::INFINITY {
            return impulse;
        }
        let most = self.most * pressing.max(0.0);
        if self.is_given { -self.slides * most } else { impulse.clamp(-most, most) }
    }
}

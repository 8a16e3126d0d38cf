//! Sweeps over the contacts, one by one: to begin pivoting with a better set, and where no other search comes
//! to an end.

use super::{Gradient, RELAXED, RoughSolver, Rub, along, normal_of};
use crate::contact_problem::system::System;
use crate::tolerances::{ROUNDING, SIGNS_TOLD};

/// How many sweeps an impact has at most: half a millisecond for ten contacts.
/// With fewer, impulses are further from Coulomb's law in large heaps.
const MOST_SWEEPS: usize = 500;

/// How many sweeps over the contacts, forwards and backwards, choose the rows of the next set. The search for
/// forces begins with those of the last event, and one sweep is enough. The friction of an impact has no such
/// rows, and an impulse passes through the whole heap: with sixteen sweeps hardly more searches end.
pub(super) const SWEEPS: usize = 1;
pub(super) const SWEEPS_OF_IMPACT: usize = 8;

/// The same where the interior has stalled. One of six searches that nothing else answers comes to an end;
/// with five times as many sweeps, one of five does.
const LAST_SWEEPS: usize = 60;

impl RoughSolver {
    /// Pivots once more, from the set that many sweeps tell. They begin where the interior was given up.
    /// Whether it comes to an end.
    pub(super) fn search_by_sweeps(&mut self, system: &mut System, speed: f64) -> bool {
        self.relax(system, speed, LAST_SWEEPS);
        self.pivot(system, speed, SIGNS_TOLD, RELAXED)
    }

    /// Lets rows push, stick and slide as they do after this many sweeps, which begin with the impulses of
    /// the last set, within their bounds.
    pub(super) fn relax(&mut self, system: &mut System, speed: f64, mut sweeps: usize) {
        let rows = system.rows.len();
        for r in 0..rows {
            let row = &mut system.rows[r];
            if !row.is_bilateral {
                row.iterate.impulse = row.iterate.impulse.max(0.0);
            }
            let pressing = row.iterate.impulse + self.given_at(r);
            let rubs = self.rubs_of(r);
            self.rubs[rubs].iter_mut().for_each(|rub| rub.impulse = rub.limited(rub.impulse, pressing));
        }
        self.note_changes_of_all(system);
        while sweeps > 0 {
            let there_and_back = (0..rows).chain((0..rows).rev());
            let most = there_and_back.fold(0.0, |most: f64, r| most.max(self.settle(system, r)));
            sweeps = if most <= ROUNDING * speed { 0 } else { sweeps - 1 };
        }
        for r in 0..rows {
            let row = &mut system.rows[r];
            row.pushes = row.is_bilateral || row.iterate.impulse * row.diagonal > ROUNDING * speed;
            let pressing = row.iterate.impulse + self.given_at(r);
            let rubs = self.rubs_of(r);
            for rub in self.rubs[rubs].iter_mut().filter(|rub| rub.is_limited()) {
                let slides = pressing > 0.0 && rub.impulse.abs() >= rub.most * pressing;
                rub.slides = if slides { -rub.impulse.signum() } else { 0.0 };
            }
        }
    }

    /// Block Gauss and Seidel, from no impulses: each contact in turn gets the impulses with
    /// which it fulfils its conditions, with those of all others as they are (Jean, Comput. Methods Appl.
    /// Mech. Eng. 177 (1999) 235), until that changes no speed by more than `least`, or the bounded work is
    /// done. What is found is within its limits, and fulfils the conditions as nearly as the last sweep did.
    /// Whether it takes energy, with this restitution of the bounded rows.
    pub(in crate::contact_problem) fn settle_for_sweeps(
        &mut self,
        system: &mut System,
        (least, restitution): (f64, f64),
    ) -> bool {
        system.rows.iter_mut().for_each(|row| row.iterate.impulse = 0.0);
        self.rubs.iter_mut().for_each(|rub| rub.impulse = 0.0);
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
        let normal = normal_of(row);
        let speed = row.opening.to_f64() + along(&self.changes, ends, &normal);
        let before = row.iterate.impulse;
        let impulse = before - speed / row.diagonal;
        row.iterate.impulse = if row.is_bilateral { impulse } else { impulse.max(0.0) };
        let added = row.iterate.impulse - before;
        let pressing = row.iterate.impulse + self.given_at(r);
        let mut most = (added * row.diagonal).abs();
        self.push(ends, added, &normal);
        for k in self.rubs_of(r) {
            let rub = &mut self.rubs[k];
            let is_idle = pressing <= 0.0 && rub.impulse == 0.0 && rub.most < f64::INFINITY;
            if rub.diagonal > 0.0 && !is_idle {
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
    pub(super) fn note_changes_of_all(&mut self, system: &System) {
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
        if impulse == 0.0 {
            return;
        }
        for (end, g) in ends.into_iter().zip(gradient) {
            let [x, y, turn] = self.mobilities[end as usize];
            let [u, v, w] = &mut self.changes[end as usize];
            (*u, *v, *w) = (*u + impulse * g[0] * x, *v + impulse * g[1] * y, *w + impulse * g[2] * turn);
        }
    }
}

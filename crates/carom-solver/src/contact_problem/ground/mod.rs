//! Friction of the ground beside the forces of contacts.
//!
//! The changes of acceleration `c` of bodies of mass `m` are those that make
//!
//! ```text
//! Σ ½ m |c − p|² + Σ m g |c + o|        least, with   w + G c ≥ 0   at all contacts:
//! ```
//!
//! `p` is what `c` would be without contacts and friction, `g` the largest friction per unit of mass, and
//! `c + o` is along the way that the body goes: its acceleration, of a body at rest. Convex, so that there
//! is one answer: forces of contact `λ ≥ 0`, and a friction `−m g (c + o)/|c + o|`, or, where `c + o` is 0,
//! one of at most `m g` that keeps it so.

mod body;
mod newton;

use super::row::Iterate;
use super::system::System;
use crate::complementarity::Infeasible;
use crate::tolerances::{
    CLEARLY_STICKS, GRIP_CONVERGED, GROUND_CONVERGED, GROUND_ROUNDING, HARD, HELD_BY_GRIP, LEAST_CONVERGED,
    LEAST_FORCE_ON_GROUND, SOFTNESS, WRONG_ON_GROUND,
};
use alloc::vec::Vec;
pub(crate) use body::Ground;
use body::{Found, length};
use glam::DVec2;
use newton::{OnGround, solve_set};
use smallvec::SmallVec;

/// Most steps of the search from the interior. It takes 20 to 30; what it has found after this many is taken
/// for a guess.
const MAX_STEPS: usize = 80;

/// How much of the way to the nearest boundary a step goes: at the boundary the next one has no matrix.
const SHORT_OF_BOUNDARY: f64 = 0.995;

/// A step of at least this part of its length is long: the linearisation holds, and the next one may aim
/// lower.
const LONG: f64 = 0.9;

/// The fraction of the present mean product that a step aims at: after a long one, and after a shorter one.
/// Lower aims are further from where the linearisation holds, and make shorter steps.
const LOWERED: [f64; 2] = [0.1, 0.4];

/// Search from the interior, then Newton's method with the contacts that push and the bodies that stick.
#[derive(Clone, Debug, Default)]
pub(crate) struct GroundSolver {
    /// By body: what the ground does to it.
    pub(crate) grounds: Vec<Ground>,
    /// Whether the problem is nearly the one before: its sets are the first guess then.
    pub(crate) is_again: bool,
    /// The solution of the problem before.
    found: Found,
}

impl GroundSolver {
    /// Finds which rows push and with what, and how bodies change. `grounds` are those of the bodies, in
    /// their order; `largest` is the largest acceleration around.
    pub(super) fn solve(&mut self, system: &mut System, largest: f64) -> Result<(), Infeasible> {
        let mut scale = largest;
        for ground in &mut self.grounds {
            let Ground { pull, most, offset, is_given, .. } = *ground;
            scale = scale.max(length(pull)).max(most);
            (ground.change, ground.friction) = (if is_given { pull } else { DVec2::ZERO }, DVec2::ZERO);
            ground.sticks = most > 0.0 && !is_given && offset == DVec2::ZERO;
            ground.has_turned_back = false;
        }
        // Forces between bodies that stick are not unique, and come last: see `search_pressed`.
        let may_push = self.grounds.iter().all(|ground| !ground.sticks);
        for row in &mut system.rows {
            scale = scale.max(row.opening.to_f64().abs());
            (row.pushes, row.iterate.impulse) = (row.pushes && may_push, 0.0);
        }
        OnGround::new(system, &mut self.grounds).note_openings();
        if scale == 0.0 {
            return Ok(());
        }
        system.analyze();
        if self.is_again {
            self.guess(system);
        }
        if !solve_set(system, &mut self.grounds, scale, false) || self.closes(system, GROUND_ROUNDING * scale)
        {
            self.search_set(system, scale);
            if !solve_set(system, &mut self.grounds, scale, true) {
                // No set is right to rounding: the answer is as good as the search.
                self.search_set(system, scale);
            }
            self.search_pressed(system, scale);
        }
        if self.closes(system, WRONG_ON_GROUND * scale) {
            return Err(Infeasible);
        }
        self.note_found(system);
        Ok(())
    }

    /// Whether a contact closes faster than this. With a set that is right none does that moves something;
    /// what nothing here moves may close in on a body that sticks.
    fn closes(&mut self, system: &mut System, least: f64) -> bool {
        OnGround::new(system, &mut self.grounds).note_openings();
        system.rows.iter().any(|row| row.iterate.speed < -least)
    }

    /// Takes the sets of the problem before, of the same contacts.
    fn guess(&mut self, system: &mut System) {
        if self.found.rows.len() == system.rows.len() && self.found.grounds.len() == self.grounds.len() {
            for (row, &(pushes, force)) in system.rows.iter_mut().zip(&self.found.rows) {
                (row.pushes, row.iterate.impulse) = (pushes, force);
            }
            for (ground, found) in self.grounds.iter_mut().zip(&self.found.grounds) {
                if !ground.is_given && !found.is_given {
                    (ground.change, ground.sticks) = (found.change, found.sticks);
                }
            }
        }
    }

    fn note_found(&mut self, system: &mut System) {
        self.found.rows.clear();
        self.found.rows.extend(system.rows.iter().map(|row| (row.pushes, row.iterate.impulse)));
        self.found.grounds.clone_from(&self.grounds);
    }
}

/// The search from the interior: with `y` the forces times the diagonal, `w` the accelerations at which
/// contacts open, and `q` the friction, it follows `y w = τ` and `q √(u² + δ²) = g u`, where `u = c + o` and
/// `δ = τ/g`, to `τ = 0`. Both kinds of condition are linearised in both of their unknowns (of contacts:
/// Mehrotra, SIAM J. Optim. 2 (1992) 575; of friction: Andersen, Christiansen, Conn and Overton, SIAM J.
/// Sci. Comput. 22 (2000) 243).
impl GroundSolver {
    /// Finds which contacts push and which bodies stick.
    fn search_set(&mut self, system: &mut System, scale: f64) {
        self.search_on_ground(system, scale, HARD);
        for row in &mut system.rows {
            row.pushes = row.iterate.impulse > row.iterate.speed;
        }
        for ground in &mut self.grounds {
            let slack = (CLEARLY_STICKS * (ground.most - length(ground.friction))).max(HELD_BY_GRIP * scale);
            ground.sticks = ground.most > 0.0 && !ground.is_given && length(ground.way()) <= slack;
            ground.has_turned_back = false;
        }
    }

    /// Finds which contacts push between bodies that stick; where friction alone suffices, no contact does.
    /// There the forces with softness are the least ones, and so the ones that are told.
    fn search_pressed(&mut self, system: &mut System, scale: f64) {
        let on_ground = OnGround::new(system, &mut self.grounds);
        if !on_ground.rows.iter().any(|row| row.pushes && !on_ground.is_movable(row)) {
            return;
        }
        let found: SmallVec<[Ground; 32]> = self.grounds.iter().copied().collect();
        let forces: SmallVec<[f64; 64]> = system.rows.iter().map(|row| row.iterate.impulse).collect();
        self.search_on_ground(system, scale, SOFTNESS);
        for (ground, before) in self.grounds.iter_mut().zip(found) {
            *ground = before;
        }
        let most = system.rows.iter().fold(0.0, |most: f64, row| most.max(row.iterate.impulse));
        let on_ground = OnGround::new(system, &mut self.grounds);
        for (r, force) in (0..).zip(forces) {
            let row = on_ground.rows[r];
            if on_ground.is_movable(&row) {
                on_ground.rows[r].iterate.impulse = force;
            } else {
                let is_closed = on_ground.opening_on_ground(&row) <= GROUND_ROUNDING * scale;
                on_ground.rows[r].pushes = is_closed && row.iterate.impulse > LEAST_FORCE_ON_GROUND * most;
            }
        }
    }

    fn search_on_ground(&mut self, system: &mut System, scale: f64, soft: f64) {
        for row in &mut system.rows {
            (row.iterate.impulse, row.iterate.speed) = (scale, scale.max(row.opening.to_f64()));
        }
        let mut least = scale;
        for ground in self.grounds.iter_mut().filter(|ground| !ground.is_given) {
            (ground.change, ground.friction, ground.sticks) = (DVec2::ZERO, DVec2::ZERO, false);
            if ground.most > 0.0 {
                least = least.min(ground.most);
            }
        }
        let of_grip = GRIP_CONVERGED * least * least;
        let end = (GROUND_CONVERGED * scale * scale).min(of_grip).max(LEAST_CONVERGED * scale * scale);
        let (mut target, mut lowered) = (scale * scale, LOWERED[0]);
        for _ in 0..MAX_STEPS {
            target = lowered * self.mean_on_ground(system, target);
            let Some(length) = self.step_inside_ground(system, target, soft) else { break };
            if target <= end && length >= LONG {
                break;
            }
            lowered = LOWERED[usize::from(length < LONG)];
        }
    }

    /// The mean of the products that are to become 0: of forces and openings, and `g |u| − q·u` of frictions,
    /// which is 0 where friction is against the way.
    fn mean_on_ground(&self, system: &System, target: f64) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for row in &system.rows {
            (sum, count) = (sum + row.iterate.impulse * row.iterate.speed, count + 1.0);
        }
        for ground in self.grounds.iter().filter(|ground| ground.most > 0.0 && !ground.is_given) {
            let gap = ground.most * length(ground.way()) - ground.friction.dot(ground.way());
            (sum, count) = (sum + gap.max(0.5 * target), count + 1.0);
        }
        sum / f64::max(count, 1.0)
    }

    /// One step towards a target `τ`; how much of it was taken. None if the matrix has no factor.
    ///
    /// Of a contact with force `y`, opening `w` and softness `ε`: `Δw = τ/y − w − (w/y) Δy`, and what the
    /// accelerations make is `w + Δw = opening + opened + ε (y + Δy)`. Together `opened + (ε + w/y) Δy = τ/y
    /// − opening − ε y`, the right side being `wanted`. `Δy` is eliminated: the contact adds `n nᵀ/(ε + w/y)`
    /// to the blocks of its bodies, and `y + wanted/(ε + w/y)`, which is `trial`, to their momenta. Friction
    /// is eliminated likewise: see `Ground::stiffness`.
    fn step_inside_ground(&mut self, system: &mut System, target: f64, soft: f64) -> Option<f64> {
        let mut on_ground = OnGround::new(system, &mut self.grounds);
        for r in 0..on_ground.rows.len() {
            let opening = on_ground.opening_on_ground(&on_ground.rows[r]);
            let row = &mut on_ground.rows[r];
            let Iterate { impulse, speed, .. } = row.iterate;
            row.softness = speed / impulse + soft;
            row.wanted = target / impulse - opening - soft * impulse;
            row.iterate.residual = opening + soft * impulse - speed;
            row.trial = (impulse + row.wanted / row.softness) / row.diagonal;
        }
        let pull = |ground: &Ground| ground.pull - ground.change - ground.along(target);
        if !on_ground.solve_step_on_ground(|ground| ground.stiffness(target), pull, |_| true) {
            return None;
        }
        let mut length = 1.0_f64;
        for row in on_ground.rows.iter_mut() {
            let opened = row.opened_by(on_ground.step);
            let iterate = &mut row.iterate;
            iterate.impulse_change = (row.wanted - opened) / row.softness;
            iterate.speed_change = opened + soft * iterate.impulse_change + iterate.residual;
            for (at, change) in
                [(iterate.impulse, iterate.impulse_change), (iterate.speed, iterate.speed_change)]
            {
                if change < 0.0 {
                    length = length.min(-SHORT_OF_BOUNDARY * at / change);
                }
            }
        }
        for row in on_ground.rows.iter_mut() {
            row.iterate.impulse += length * row.iterate.impulse_change;
            row.iterate.speed += length * row.iterate.speed_change;
        }
        for (ground, &step) in on_ground.grounds.iter_mut().zip(on_ground.step.iter()) {
            ground.go(DVec2::from(step), target, length);
        }
        Some(length)
    }
}

#[cfg(test)]
mod tests;

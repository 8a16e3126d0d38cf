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

use super::complementarity::Infeasible;
use super::contact_problem::{ContactProblem, Inside, Row, SOFTNESS};
use super::ground::{Ground, length};
use carom_math::eft::DoubleDouble as Dd;
use glam::DVec2;
use smallvec::SmallVec;

/// Most steps of the search from the interior.
const MAX_STEPS: usize = 80;

/// Most active sets that are tried, and steps of Newton's method with each.
const MAX_SETS: usize = 24;
const MAX_NEWTON: usize = 16;

/// How much of the way to the nearest boundary a step goes, and by how much the products that it aims at are
/// below the present ones: after a step of nearly full length, and after a shorter one.
const SHORT_OF_BOUNDARY: f64 = 0.995;
const LOWERED: [f64; 2] = [0.1, 0.4];

/// As a fraction of the largest acceleration, one that is none.
const HELD: f64 = 1e-11;

/// The softness of contacts in the search: what it lets a pressed body move is none.
const HARD: f64 = 1.0 / (1u64 << 42) as f64;

/// A body sticks for sure that goes slower than this fraction of what its friction has to spare; and where
/// neither is sure, both are less than this fraction of the largest acceleration.
const CLEAR: f64 = 1e-3;
const UNCLEAR: f64 = 1e-6;

/// The mean product that ends the search: as a fraction of the square of the largest acceleration, or of the
/// smallest friction if that is less, but no less than the last.
const CONVERGED: [f64; 3] = [1e-18, 1e-12, 1e-24];

/// As fractions of the largest acceleration: what rounding leaves of conditions, by how much a force between
/// two bodies that the ground holds is more than what the search leaves of none, and by how much a solution
/// may be off.
const ROUNDING: f64 = 256.0 * f64::EPSILON;
const NONE: f64 = 1e-6;
const WRONG: f64 = 1e-6;

/// Search from the interior, then Newton's method with the contacts that push and the bodies that stick.
impl ContactProblem {
    /// Finds `impulses` and `changes`. `grounds` are those of the bodies, in their order; `largest` is the
    /// largest acceleration around.
    pub(super) fn solve_on_ground(&mut self, largest: f64) -> Result<(), Infeasible> {
        self.clear_solution();
        let mut scale = largest;
        for ground in &mut self.grounds {
            let Ground { pull, most, offset, is_given, .. } = *ground;
            scale = scale.max(length(pull)).max(most);
            (ground.change, ground.friction) = (if is_given { pull } else { DVec2::ZERO }, DVec2::ZERO);
            ground.sticks = most > 0.0 && !is_given && offset == DVec2::ZERO;
            ground.has_turned_back = false;
        }
        // Forces between bodies that stick come last.
        let may_push = self.grounds.iter().all(|ground| !ground.sticks);
        for row in &mut self.rows {
            scale = scale.max(row.opening.to_f64().abs());
            (row.pushes, row.inside.impulse) = (row.pushes && may_push, 0.0);
        }
        self.note_openings();
        if scale == 0.0 {
            return Ok(());
        }
        self.analyze();
        if self.is_again {
            self.guess();
        }
        if !self.solve_set(scale, false) {
            self.search_set(scale);
            if !self.solve_set(scale, true) {
                // As good as the search is.
                self.search_set(scale);
            }
            self.search_pressed(scale);
        }
        self.note_openings();
        let is_wrong = |row: &Row| row.inside.speed < -WRONG * scale;
        if self.rows.iter().any(is_wrong) {
            return Err(Infeasible);
        }
        self.note_found();
        for (r, row) in self.rows.iter().enumerate() {
            let impulse = if row.pushes { row.inside.impulse / row.diagonal } else { 0.0 };
            self.impulses[r] = Dd::from(impulse);
        }
        for (change, ground) in self.changes.iter_mut().zip(&self.grounds) {
            let found = if ground.moves() || ground.is_given { ground.change } else { -ground.offset };
            *change = [found.x.into(), found.y.into()];
        }
        Ok(())
    }

    /// Takes the sets of the problem before, of the same contacts.
    fn guess(&mut self) {
        if self.found.rows.len() == self.rows.len() && self.found.grounds.len() == self.grounds.len() {
            for (row, &(pushes, force)) in self.rows.iter_mut().zip(&self.found.rows) {
                (row.pushes, row.inside.impulse) = (pushes, force);
            }
            for (ground, found) in self.grounds.iter_mut().zip(&self.found.grounds) {
                if !ground.is_given && !found.is_given {
                    (ground.change, ground.sticks) = (found.change, found.sticks);
                }
            }
        }
    }

    fn note_found(&mut self) {
        self.found.rows.clear();
        self.found.rows.extend(self.rows.iter().map(|row| (row.pushes, row.inside.impulse)));
        self.found.grounds.clone_from(&self.grounds);
    }

    /// The accelerations at which a contact opens.
    fn opening_on_ground(&self, row: &Row) -> f64 {
        let [a, b] = row.ends.map(|end| end.map_or(DVec2::ZERO, |body| self.grounds[body as usize].change));
        row.opening.to_f64() + (b - a).dot(row.normal)
    }

    /// Those of all contacts, into `inside.speed`.
    fn note_openings(&mut self) {
        for r in 0..self.rows.len() {
            self.rows[r].inside.speed = self.opening_on_ground(&self.rows[r]);
        }
    }

    /// Starts the matrix of a step with the bodies that move, each with what `stiffness` adds to the unit
    /// block, and the right side with what `pull` has for it, per unit of mass.
    fn start_step(&mut self, stiffness: impl Fn(&Ground) -> [f64; 3], pull: impl Fn(&Ground) -> DVec2) {
        self.ldl.clear();
        self.step.clear();
        for (i, (body, ground)) in (0..).zip(self.bodies.iter().zip(&self.grounds)) {
            let m = body.mass;
            let [xx, xy, yy] = if ground.moves() { stiffness(ground) } else { [0.0; 3] };
            self.ldl.add_diagonal(i, [m + m * xx, m * xy, m * xy, m + m * yy]);
            self.step.push((pull(ground) * m).to_array());
        }
    }

    /// Adds a row to the matrix and the right side: its softness, and the force at it before and by softness.
    fn add_to_step(&mut self, r: usize, softness: f64, force: f64) {
        let ContactProblem { rows, grounds, ldl, step, .. } = self;
        let row = &rows[r];
        let moves = |body: &u32| grounds[*body as usize].moves();
        let DVec2 { x, y } = row.normal;
        let block = [x * x / softness, x * y / softness, x * y / softness, y * y / softness];
        for body in row.ends.into_iter().flatten().filter(moves) {
            ldl.add_diagonal(body, block);
        }
        if let [Some(a), Some(b)] = row.ends
            && moves(&a)
            && moves(&b)
        {
            ldl.add_symmetric(row.place, block.map(|x| -x));
        }
        row.add_momentum(force, step);
    }

    /// Solves for the step. False if the matrix has no factor.
    fn end_step(&mut self) -> bool {
        for (step, ground) in self.step.iter_mut().zip(&self.grounds) {
            if !ground.moves() {
                *step = [0.0; 2];
            }
        }
        let is_factored = self.ldl.factor();
        if is_factored {
            let mut step = core::mem::take(&mut self.step);
            self.ldl.solve(&mut step);
            self.step = step;
        }
        is_factored
    }
}

/// The search from the interior: with `y` the forces times the diagonal, `w` the accelerations at which
/// contacts open, and `q` the friction, it follows `y w = τ` and `q √(u² + δ²) = g u`, where `u = c + o` and
/// `δ = τ/g`, to `τ = 0`. Both kinds of condition are linearised in both of their unknowns (of contacts:
/// Mehrotra, SIAM J. Optim. 2 (1992) 575; of friction: Andersen, Christiansen, Conn and Overton, SIAM J.
/// Sci. Comput. 22 (2000) 243).
impl ContactProblem {
    /// Finds which contacts push and which bodies stick.
    fn search_set(&mut self, scale: f64) {
        self.search_on_ground(scale, HARD);
        for row in &mut self.rows {
            row.pushes = row.inside.impulse > row.inside.speed;
        }
        for ground in &mut self.grounds {
            let slack = (CLEAR * (ground.most - length(ground.friction))).max(HELD * scale);
            ground.sticks = ground.most > 0.0 && !ground.is_given && length(ground.way()) <= slack;
            ground.has_turned_back = false;
        }
    }

    /// Finds which contacts push between bodies that stick: where friction alone holds these none does. With
    /// softness forces are the least ones.
    fn search_pressed(&mut self, scale: f64) {
        let is_pressed = |row: &Row| row.pushes && !self.is_movable(row);
        if !self.rows.iter().any(is_pressed) {
            return;
        }
        let found: SmallVec<[Ground; 32]> = self.grounds.iter().copied().collect();
        let forces: SmallVec<[f64; 64]> = self.rows.iter().map(|row| row.inside.impulse).collect();
        self.search_on_ground(scale, SOFTNESS);
        for (ground, before) in self.grounds.iter_mut().zip(found) {
            *ground = before;
        }
        let most = self.rows.iter().fold(0.0, |most: f64, row| most.max(row.inside.impulse));
        for (r, force) in (0..).zip(forces) {
            let row = self.rows[r];
            if self.is_movable(&row) {
                self.rows[r].inside.impulse = force;
            } else {
                let is_closed = self.opening_on_ground(&row) <= ROUNDING * scale;
                self.rows[r].pushes = is_closed && row.inside.impulse > NONE * most;
            }
        }
    }

    fn search_on_ground(&mut self, scale: f64, soft: f64) {
        for row in &mut self.rows {
            (row.inside.impulse, row.inside.speed) = (scale, scale.max(row.opening.to_f64()));
        }
        let mut least = scale;
        for ground in self.grounds.iter_mut().filter(|ground| !ground.is_given) {
            (ground.change, ground.friction, ground.sticks) = (DVec2::ZERO, DVec2::ZERO, false);
            if ground.most > 0.0 {
                least = least.min(ground.most);
            }
        }
        let [all, of_least, at_least] = CONVERGED;
        let end = (all * scale * scale).min(of_least * least * least).max(at_least * scale * scale);
        let (mut target, mut lowered) = (scale * scale, LOWERED[0]);
        for _ in 0..MAX_STEPS {
            target = lowered * self.mean_on_ground(target);
            let Some(length) = self.step_inside_ground(target, soft) else { break };
            if target <= end && length >= 0.9 {
                break;
            }
            lowered = LOWERED[usize::from(length < 0.9)];
        }
    }

    /// The mean of the products that are to become 0.
    fn mean_on_ground(&self, target: f64) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for row in &self.rows {
            (sum, count) = (sum + row.inside.impulse * row.inside.speed, count + 1.0);
        }
        for ground in self.grounds.iter().filter(|ground| ground.most > 0.0 && !ground.is_given) {
            let gap = ground.most * length(ground.way()) - ground.friction.dot(ground.way());
            (sum, count) = (sum + gap.max(0.5 * target), count + 1.0);
        }
        sum / f64::max(count, 1.0)
    }

    /// One step towards a target; how much of it was taken. None if the matrix has no factor.
    fn step_inside_ground(&mut self, target: f64, soft: f64) -> Option<f64> {
        self.start_step(
            |ground| ground.stiffness(target),
            |ground| ground.pull - ground.change - ground.along(target),
        );
        for r in 0..self.rows.len() {
            let opening = self.opening_on_ground(&self.rows[r]);
            let row = &mut self.rows[r];
            let Inside { impulse, speed, .. } = row.inside;
            row.softness = speed / impulse + soft;
            row.wanted = target / impulse - opening - soft * impulse;
            row.inside.residual = opening + soft * impulse - speed;
            let (softness, force) =
                (row.diagonal * row.softness, (impulse + row.wanted / row.softness) / row.diagonal);
            self.add_to_step(r, softness, force);
        }
        if !self.end_step() {
            return None;
        }
        let mut length = 1.0_f64;
        for row in &mut self.rows {
            let opened = row.opened_by(&self.step);
            let inside = &mut row.inside;
            inside.impulse_change = (row.wanted - opened) / row.softness;
            inside.speed_change = opened + soft * inside.impulse_change + inside.residual;
            for (at, change) in [(inside.impulse, inside.impulse_change), (inside.speed, inside.speed_change)]
            {
                if change < 0.0 {
                    length = length.min(-SHORT_OF_BOUNDARY * at / change);
                }
            }
        }
        for row in &mut self.rows {
            row.inside.impulse += length * row.inside.impulse_change;
            row.inside.speed += length * row.inside.speed_change;
        }
        for (ground, &step) in self.grounds.iter_mut().zip(&self.step) {
            ground.go(DVec2::from(step), target, length);
        }
        Some(length)
    }
}

/// Newton's method with a set of contacts that push and of bodies that stick.
impl ContactProblem {
    /// Solves with the set, and with those that differ from it where it is wrong; `is_near` if the
    /// accelerations are nearly right. False if none is found that
    /// is right.
    fn solve_set(&mut self, scale: f64, is_near: bool) -> bool {
        for _ in 0..MAX_SETS {
            if self.grounds.iter().any(Ground::moves) && !self.solve_newton(scale, is_near) {
                return false;
            }
            if !self.mend_set(scale) {
                return true;
            }
        }
        false
    }

    /// Whether forces at a contact move anything.
    fn is_movable(&self, row: &Row) -> bool {
        row.ends.into_iter().flatten().any(|body| self.grounds[body as usize].moves())
    }

    /// The accelerations and forces of the set. False if they are not found.
    fn solve_newton(&mut self, scale: f64, is_near: bool) -> bool {
        for ground in self.grounds.iter_mut().filter(|ground| ground.sticks) {
            ground.change = -ground.offset;
        }
        for r in 0..self.rows.len() {
            if !self.rows[r].pushes {
                self.rows[r].inside.impulse = 0.0;
            }
        }
        let mut last = f64::INFINITY;
        for step in 0..MAX_NEWTON {
            let Some(size) = self.step_newton(scale, is_near) else { return false };
            // The next one would be smaller in the same ratio, at least.
            let next = if last < f64::INFINITY { size * (size / last) } else { size };
            if size.min(next) <= f64::EPSILON * scale || (size <= ROUNDING * scale && size > 0.5 * last) {
                return true;
            }
            if step > 3 && size > 4.0 * last {
                return false;
            }
            last = size;
        }
        last <= ROUNDING * scale
    }

    /// One step, and how large it was; none if there is none.
    fn step_newton(&mut self, scale: f64, is_near: bool) -> Option<f64> {
        let has_no_way = |ground: &Ground| ground.moves() && ground.most > 0.0 && ground.way() == DVec2::ZERO;
        if self.grounds.iter().any(has_no_way) {
            return None;
        }
        self.start_step(Ground::turning, |ground| ground.pull - ground.change - ground.against());
        for r in 0..self.rows.len() {
            let row = &self.rows[r];
            if row.pushes {
                let opening = if self.is_movable(row) { self.opening_on_ground(row) } else { 0.0 };
                let force = (row.inside.impulse - opening / SOFTNESS) / row.diagonal;
                let softness = row.diagonal * SOFTNESS;
                self.rows[r].wanted = -opening;
                self.add_to_step(r, softness, force);
            }
        }
        if !self.end_step() {
            return None;
        }
        for r in 0..self.rows.len() {
            let row = &self.rows[r];
            if row.pushes && self.is_movable(row) {
                let change = (row.wanted - row.opened_by(&self.step)) / SOFTNESS;
                self.rows[r].inside.impulse += change;
            }
        }
        let mut size = 0.0_f64;
        for (ground, &step) in self.grounds.iter_mut().zip(&self.step).filter(|(ground, _)| ground.moves()) {
            let (way, step) = (ground.way(), DVec2::from(step));
            size = size.max(length(step));
            let turns_back = ground.most > 0.0 && way.dot(way + step) <= 0.0;
            let comes_to_none = || turns_back || length(way + step) <= ROUNDING * scale;
            if is_near && ground.most > 0.0 && length(way) <= UNCLEAR * scale && comes_to_none() {
                (ground.sticks, ground.has_turned_back) = (true, true);
                ground.change = -ground.offset;
            } else {
                ground.change += if turns_back { way * -0.75 } else { step };
            }
        }
        Some(size)
    }

    /// Turns contacts and bodies over that are on the wrong side. Whether there are any.
    fn mend_set(&mut self, scale: f64) -> bool {
        let mut is_wrong = false;
        self.note_openings();
        let most = self
            .rows
            .iter()
            .filter(|row| row.pushes)
            .fold(0.0, |most: f64, row| most.max(row.inside.impulse));
        for r in 0..self.rows.len() {
            let row = &self.rows[r];
            let Inside { impulse, speed, .. } = row.inside;
            let wrong = if row.pushes && self.is_movable(row) {
                impulse < -ROUNDING * scale.max(most)
            } else {
                !row.pushes && speed < -ROUNDING * scale
            };
            if wrong {
                (self.rows[r].pushes, is_wrong) = (!row.pushes, true);
            }
        }
        self.note_frictions();
        for ground in self.grounds.iter_mut().filter(|ground| ground.sticks) {
            let size = length(ground.friction);
            let rounding = if ground.has_turned_back { UNCLEAR } else { HELD };
            if size > ground.most + rounding * scale {
                // From where it alone would go.
                (ground.sticks, is_wrong) = (false, true);
                ground.change = ground.friction * ((size - ground.most) / size) - ground.offset;
            }
        }
        is_wrong
    }

    /// The friction that keeps the bodies that stick.
    fn note_frictions(&mut self) {
        self.step.clear();
        self.step.resize(self.bodies.len(), [0.0; 2]);
        for row in self.rows.iter().filter(|row| row.pushes) {
            row.add_momentum(row.inside.impulse / row.diagonal, &mut self.step);
        }
        for ((ground, body), &step) in self.grounds.iter_mut().zip(&self.bodies).zip(&self.step) {
            if ground.sticks {
                ground.change = -ground.offset;
                ground.friction = ground.pull - ground.change + DVec2::from(step) / body.mass;
            }
        }
    }
}

#[cfg(test)]
mod tests;

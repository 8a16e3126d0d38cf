//! Newton's method with a set of contacts that push and of bodies that stick.

use super::super::block_ldl::{Block, BlockLdl, add, solve_pair};
use super::super::row::{Body, Iterate, Row};
use super::super::system::{Structure, System};
use super::body::{Ground, length};
use crate::tolerances::{GROUND_ROUNDING, HELD_BY_GRIP, SOFTNESS, UNDECIDED};
use glam::DVec2;

/// Most active sets that are tried. A good guess takes one to three; with more the search from the interior
/// is the faster way to a better guess.
const MAX_SETS: usize = 24;

/// Most steps of Newton's method with one set. It converges in four or five where the set is right.
const MAX_NEWTON: usize = 16;

/// How much of its way a body loses in a step that would turn it back: its friction turns over at 0, so
/// beyond it the linearisation says nothing.
const TURNED_BACK: f64 = 0.75;

/// A problem with friction of the ground: its contacts, its bodies, and scratch.
pub(super) struct OnGround<'a> {
    pub(super) rows: &'a mut [Row],
    pub(super) grounds: &'a mut [Ground],
    bodies: &'a [Body],
    /// What a step changes, by body.
    pub(super) step: &'a mut [[f64; 2]],
    ldl: &'a mut BlockLdl,
}

impl<'a> OnGround<'a> {
    pub(super) fn new(system: &'a mut System, grounds: &'a mut [Ground]) -> Self {
        let System { rows, bodies, step, structure, .. } = system;
        step.clear();
        step.resize(bodies.len(), [0.0; 2]);
        OnGround { rows, grounds, bodies, step, ldl: &mut structure.ldl }
    }
}

/// Does what [`OnGround::solve_set`] does, faster for two discs.
pub(super) fn solve_set(system: &mut System, grounds: &mut [Ground], scale: f64, is_near: bool) -> bool {
    let System { rows, bodies, structure: Structure { ldl, .. }, .. } = system;
    // Nearly all are of two discs: compiled apart, without loops and with all in registers.
    if let ([row @ Row { ends: [Some(0), Some(1)], .. }], [a, b], [of_a, of_b]) =
        (&mut rows[..], &bodies[..], &mut *grounds)
    {
        let mut rows = [Row { ends: [Some(0), Some(1)], ..*row }];
        let (bodies, mut grounds, mut step) = ([*a, *b], [*of_a, *of_b], [[0.0; 2]; 2]);
        let mut pair =
            OnGround { rows: &mut rows, grounds: &mut grounds, bodies: &bodies, step: &mut step, ldl };
        let is_found = pair.solve_set(scale, is_near);
        ([*row], [*of_a, *of_b]) = (rows, grounds);
        return is_found;
    }
    OnGround::new(system, grounds).solve_set(scale, is_near)
}

impl Row {
    /// The stiffness that it adds to the blocks of its bodies: the inverse of its softness along the normal.
    fn stiff_block(&self) -> Block {
        let (DVec2 { x, y }, softness) = (self.normal, self.diagonal * self.softness);
        [x * x / softness, x * y / softness, x * y / softness, y * y / softness]
    }
}

impl OnGround<'_> {
    /// Solves with the set, and with those that differ from it where it is wrong; `is_near` if the
    /// accelerations are nearly right. False if none is found that is right.
    #[inline(always)]
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
    #[inline(always)]
    pub(super) fn is_movable(&self, row: &Row) -> bool {
        row.ends.into_iter().flatten().any(|body| self.grounds[body as usize].moves())
    }

    /// The accelerations and forces of the set. False if they are not found.
    #[inline(always)]
    fn solve_newton(&mut self, scale: f64, is_near: bool) -> bool {
        for ground in self.grounds.iter_mut().filter(|ground| ground.sticks) {
            ground.change = -ground.offset;
        }
        for r in 0..self.rows.len() {
            if !self.rows[r].pushes {
                self.rows[r].iterate.impulse = 0.0;
            }
        }
        let mut last = f64::INFINITY;
        for step in 0..MAX_NEWTON {
            let Some(size) = self.step_newton(scale, is_near) else { return false };
            // The next one would be smaller in the same ratio, unless contacts all but depend on each other.
            let next = if last < f64::INFINITY { size * (size / last) } else { size };
            if size <= f64::EPSILON * scale
                || (size <= GROUND_ROUNDING * scale && size > 0.5 * last)
                || (next <= f64::EPSILON * scale && self.is_closed(scale))
            {
                return true;
            }
            if step > 3 && size > 4.0 * last {
                return false;
            }
            last = size;
        }
        last <= GROUND_ROUNDING * scale
    }

    /// Whether the contacts that push neither open nor close by more than rounding.
    #[inline(always)]
    fn is_closed(&self, scale: f64) -> bool {
        let most = self.largest_force();
        self.rows
            .iter()
            .filter(|row| row.pushes && self.is_movable(row))
            .all(|row| self.opening_on_ground(row).abs() <= GROUND_ROUNDING * scale.max(most))
    }

    #[inline(always)]
    fn largest_force(&self) -> f64 {
        let pushing = self.rows.iter().filter(|row| row.pushes);
        pushing.fold(0.0, |most, row| most.max(row.iterate.impulse))
    }

    /// One step, and how large it was; none if a body has no way, or the matrix no factor.
    ///
    /// The condition of a body that moves is `c = p + Σ n λ/m − g u/|u|`, and its friction has the derivative
    /// `g (I − û ûᵀ)/|u|`. Contacts are kept closed by multipliers: a step with [`SOFTNESS`] adds what it
    /// leaves to the force, and the next one has that in its right side, so that no softness is left in the
    /// end.
    #[inline(always)]
    fn step_newton(&mut self, scale: f64, is_near: bool) -> Option<f64> {
        let has_no_way = |ground: &Ground| ground.moves() && ground.most > 0.0 && ground.way() == DVec2::ZERO;
        if self.grounds.iter().any(has_no_way) {
            return None;
        }
        for r in 0..self.rows.len() {
            let row = &self.rows[r];
            if row.pushes {
                let opening = if self.is_movable(row) { self.opening_on_ground(row) } else { 0.0 };
                let row = &mut self.rows[r];
                row.trial = (row.iterate.impulse - opening / SOFTNESS) / row.diagonal;
                (row.wanted, row.softness) = (-opening, SOFTNESS);
            }
        }
        let pull = |ground: &Ground| ground.pull - ground.change - ground.against();
        if !self.solve_step_on_ground(Ground::turning, pull, |row| row.pushes) {
            return None;
        }
        for r in 0..self.rows.len() {
            let row = &self.rows[r];
            if row.pushes && self.is_movable(row) {
                let change = (row.wanted - row.opened_by(self.step)) / SOFTNESS;
                self.rows[r].iterate.impulse += change;
            }
        }
        let mut size = 0.0_f64;
        for (ground, &step) in
            self.grounds.iter_mut().zip(self.step.iter()).filter(|(ground, _)| ground.moves())
        {
            let (way, step) = (ground.way(), DVec2::from(step));
            size = size.max(length(step));
            let turns_back = ground.most > 0.0 && way.dot(way + step) <= 0.0;
            let comes_to_none = || turns_back || length(way + step) <= GROUND_ROUNDING * scale;
            if is_near && ground.most > 0.0 && length(way) <= UNDECIDED * scale && comes_to_none() {
                (ground.sticks, ground.has_turned_back) = (true, true);
                ground.change = -ground.offset;
            } else {
                ground.change += if turns_back { way * -TURNED_BACK } else { step };
            }
        }
        Some(size)
    }

    /// Turns contacts and bodies over that are on the wrong side. Whether there are any.
    ///
    /// A body that was made to stick as it turned back has to need [more](UNDECIDED) than its grip to move
    /// again: else the two would alternate.
    #[inline(always)]
    fn mend_set(&mut self, scale: f64) -> bool {
        let mut is_wrong = false;
        self.note_openings();
        let most = self.largest_force();
        for r in 0..self.rows.len() {
            let row = &self.rows[r];
            let Iterate { impulse, speed, .. } = row.iterate;
            let wrong = if row.pushes && self.is_movable(row) {
                impulse < -GROUND_ROUNDING * scale.max(most)
            } else {
                !row.pushes && speed < -GROUND_ROUNDING * scale
            };
            if wrong {
                (self.rows[r].pushes, is_wrong) = (!row.pushes, true);
            }
        }
        self.note_frictions();
        for ground in self.grounds.iter_mut().filter(|ground| ground.sticks) {
            let size = length(ground.friction);
            let rounding = if ground.has_turned_back { UNDECIDED } else { HELD_BY_GRIP };
            if size > ground.most + rounding * scale {
                // What the grip does not hold accelerates it: that is where Newton's method begins.
                (ground.sticks, is_wrong) = (false, true);
                ground.change = ground.friction * ((size - ground.most) / size) - ground.offset;
            }
        }
        is_wrong
    }

    /// The friction that keeps the bodies that stick.
    #[inline(always)]
    fn note_frictions(&mut self) {
        self.step.fill([0.0; 2]);
        for row in self.rows.iter().filter(|row| row.pushes) {
            row.add_momentum(row.iterate.impulse / row.diagonal, self.step);
        }
        for ((ground, body), &step) in self.grounds.iter_mut().zip(self.bodies).zip(self.step.iter()) {
            if ground.sticks {
                ground.change = -ground.offset;
                ground.friction = ground.pull - ground.change + DVec2::from(step) / body.mass;
            }
        }
    }

    /// The accelerations at which a contact opens.
    #[inline(always)]
    pub(super) fn opening_on_ground(&self, row: &Row) -> f64 {
        let [a, b] = row.ends.map(|end| end.map_or(DVec2::ZERO, |body| self.grounds[body as usize].change));
        row.opening.to_f64() + (b - a).dot(row.normal)
    }

    /// Those of all contacts, into `iterate.speed`.
    #[inline(always)]
    pub(super) fn note_openings(&mut self) {
        for r in 0..self.rows.len() {
            self.rows[r].iterate.speed = self.opening_on_ground(&self.rows[r]);
        }
    }

    /// Solves for a step: of the bodies that move, with what `stiffness` adds to the unit block of each and
    /// what `pull` has for its right side, per unit of mass; and of the rows that are taken, each with its
    /// softness, and with `trial`, the force before and by softness. False if the matrix has no factor.
    #[inline(always)]
    pub(super) fn solve_step_on_ground(
        &mut self,
        stiffness: impl Fn(&Ground) -> [f64; 3],
        pull: impl Fn(&Ground) -> DVec2,
        takes: impl Fn(&Row) -> bool,
    ) -> bool {
        for ((body, ground), step) in self.bodies.iter().zip(self.grounds.iter()).zip(self.step.iter_mut()) {
            *step = (pull(ground) * body.mass).to_array();
        }
        for row in self.rows.iter().filter(|row| takes(row)) {
            row.add_momentum(row.trial, self.step);
        }
        for (step, ground) in self.step.iter_mut().zip(self.grounds.iter()) {
            if !ground.moves() {
                *step = [0.0; 2];
            }
        }
        self.solve_for_step(stiffness, takes)
    }

    /// Does what `solve_step_on_ground` does, with the right side in `step`.
    #[inline(always)]
    fn solve_for_step(
        &mut self,
        stiffness: impl Fn(&Ground) -> [f64; 3],
        takes: impl Fn(&Row) -> bool,
    ) -> bool {
        let OnGround { bodies, rows, grounds, ldl, step } = self;
        let block_of = |body: &Body, ground: &Ground| {
            let m = body.mass;
            let [xx, xy, yy] = if ground.moves() { stiffness(ground) } else { [0.0; 3] };
            [m + m * xx, m * xy, m * xy, m + m * yy]
        };
        if let ([row @ Row { ends: [Some(0), Some(1)], .. }], [a, b], [of_a, of_b]) =
            (&rows[..], &bodies[..], &grounds[..])
        {
            let (mut diagonal, mut between) = ([block_of(a, of_a), block_of(b, of_b)], [0.0; 4]);
            let moves = [of_a.moves(), of_b.moves()];
            let block = if takes(row) { row.stiff_block() } else { [0.0; 4] };
            for (diagonal, _) in diagonal.iter_mut().zip(moves).filter(|&(_, moves)| moves && takes(row)) {
                add(diagonal, block);
            }
            if moves == [true; 2] && takes(row) {
                between = block.map(|x| -x);
            }
            return solve_pair(diagonal, between, step);
        }
        let moves = |body: &u32| grounds[*body as usize].moves();
        ldl.clear();
        for (i, (body, ground)) in (0..).zip(bodies.iter().zip(grounds.iter())) {
            ldl.add_diagonal(i, block_of(body, ground));
        }
        for row in rows.iter().filter(|row| takes(row)) {
            let block = row.stiff_block();
            for body in row.ends.into_iter().flatten().filter(moves) {
                ldl.add_diagonal(body, block);
            }
            if let [Some(a), Some(b)] = row.ends
                && moves(&a)
                && moves(&b)
            {
                ldl.subtract_symmetric(row.place, block);
            }
        }
        let is_factored = ldl.factor();
        if is_factored {
            ldl.solve(step);
        }
        is_factored
    }
}

//! The search along a path of answers, where neither pivoting nor the interior comes to an end.
//!
//! Lemke's method (Management Sci. 11 (1965) 681), from a set near an answer. Contacts get an adhesion
//! `t c ≥ 0`: in Coulomb's law and in `λ ≥ 0` stands `p = λ + t c` in place of `λ`, with a `c` with which a
//! set is the answer for all `t ≥ 1`. With any set the impulses and speeds are linear in `t`. As `t` falls,
//! the rows come to their limits one after another, and each changes its side there; where the number that
//! was 0 would become negative, `t` rises again. An answer at `t = 0` is one of the problem.
//!
//! A path from the set to which the interior has led is short, but may end in a ray, along which `t` grows
//! without an end. Another one begins with no contact that pushes: there the openings of contacts get
//! offsets `t o > 0` with which all open, in place of adhesions. If no slip is given the matrix is
//! copositive, so that this path ends at an answer (Pang and Trinkle, Math. Program. 73 (1996) 199), as far
//! as rounding lets it. Rows are soft, as contacts may depend on each other.

use super::{RoughSolver, add_impulse, add_scaled, along, finite, normal_of};
use crate::contact_problem::system::System;
use crate::tolerances::{SIGNS_TOLD, SOFTNESS};
use alloc::vec::Vec;

/// Most steps, for each row. With 73 discs paths take some 20 to 60 of 300. Longer ones that were looked at
/// went in circles by rounding; with half of this, more of those that come to an end are lost.
const MOST_STEPS: usize = 2;

/// Of the largest speed: adhesions with which a path does not begin. What sticks in a set that contradicts
/// itself has impulses of the inverse of the softness; of 250 steps from there 200 led back to the scale of
/// the problem.
const MOST_ADHESION: f64 = 1e3;

/// In how many steps `t` must fall below where it ever was, or the path is given up. Of the paths that come
/// to an end one of fifty has a longer way back. The others took five times the steps without this bound.
const PATIENCE: usize = 64;

/// Most corrections of a solution, and of what was wanted the speeds that are left where it needs no more.
/// With none they are 10⁻⁶ of the largest, and slips of a wrong sign led one path of four into circles.
const CORRECTIONS: usize = 2;
const CORRECTED: f64 = 1e-12;

/// Of what would be needed: by how much adhesions are larger, at least, each by another part. Where two rows
/// met their limits together, as in what is symmetric, the path might not go on.
const UNEVEN: f64 = 1e-2;

/// Of the largest speed: the adhesion of what needs none, by the speed that it makes, and the offset of what
/// opens without one. With 0 they would meet their limits with no room to go on.
const WITHIN: f64 = 1e-2;

/// A number on the path: where the search is, and its rate with `t`.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    value: f64,
    rate: f64,
}

/// The impulse of a row, and its speed with that of its softness.
#[derive(Clone, Copy, Debug, Default)]
struct Course {
    impulse: Line,
    speed: Line,
}

/// What is found of lines: where they are without adhesions and offsets, or how they change with `t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Values,
    Rates,
}

impl Line {
    fn note(&mut self, found: Found, number: f64) {
        match found {
            Found::Values => self.value = number,
            Found::Rates => self.rate = number,
        }
    }
}

/// A number that is not negative with an answer.
#[derive(Clone, Copy, Debug)]
enum Limit {
    /// Of a row that pushes, its impulse with the adhesion.
    Push(usize),
    /// Of one that does not, the speed at which it opens.
    Opening(usize),
    /// Of a bounded row that sticks, what is left to the bound beyond which it slides in this direction.
    Bound(usize, f64),
    /// Of one that slides, its speed in that direction.
    Slip(usize),
}

/// From 1 to 1 plus two times the part: numbers for rows that are as unlike as can be, by fractions of
/// multiples of the golden section.
fn uneven(r: usize, part: f64) -> f64 {
    let multiple = r as f64 * 0.618_033_988_749_895;
    1.0 + part * (1.0 + (multiple - multiple as u32 as f64))
}

/// With which set a path begins.
#[derive(Clone, Copy, Debug)]
enum Start {
    /// The one at hand, where what closes pushes, and what is beyond a limit sticks.
    Near,
    /// No contact pushes.
    Open,
}

/// Where the search is.
#[derive(Clone, Debug, Default)]
pub(super) struct Continuation {
    /// How much of the adhesions and offsets there is.
    t: f64,
    /// By row.
    adhesions: Vec<f64>,
    /// By row: how much faster it opens for each unit of `t`.
    offsets: Vec<f64>,
    normals: Vec<Course>,
    /// By bounded row.
    rubs: Vec<Course>,
}

impl RoughSolver {
    /// Finds the impulses along a path from the set at hand. Whether it comes to an end.
    pub(super) fn follow_path(&mut self, system: &mut System, speed: f64) -> bool {
        // What sticks without a limit may contradict itself, and paths are long in vain.
        if self.rubs.iter().any(|rub| rub.most == f64::INFINITY) {
            return false;
        }
        let is_given = self.rubs.iter().any(|rub| rub.is_given);
        let is_found =
            self.walk(system, speed, Start::Near) || (!is_given && self.walk(system, speed, Start::Open));
        if !is_found {
            return false;
        }
        for (row, course) in system.rows.iter_mut().zip(&self.continuation.normals) {
            row.trial = course.impulse.value;
        }
        for (rub, course) in self.rubs.iter_mut().zip(&self.continuation.rubs) {
            rub.start = course.impulse.value;
        }
        self.pivot(system, speed, SIGNS_TOLD, 0)
    }

    /// Goes along the path. Whether it comes to `t = 0`.
    fn walk(&mut self, system: &mut System, speed: f64, start: Start) -> bool {
        self.clear_path(system);
        let has_begun = match start {
            Start::Near => self.begin_near(system, speed),
            Start::Open => self.begin_open(system, speed),
        };
        if !has_begun {
            return false;
        }
        let (mut towards, mut lowest, mut since) = (-1.0, 1.0, 0);
        for _ in 0..MOST_STEPS * (system.rows.len() + self.rubs.len()) {
            let (first, left) = (self.first_limit(system, towards), self.continuation.t);
            if towards < 0.0 && first.is_none_or(|(way, _)| way >= left) {
                self.go_along(-left);
                return true;
            }
            let Some((way, limit)) = first else { return false };
            self.go_along(towards * way);
            since = if self.continuation.t < lowest { 0 } else { since + 1 };
            lowest = self.continuation.t.min(lowest);
            if since == PATIENCE {
                return false;
            }
            let entering = self.cross(system, limit);
            if !self.solve_rates(system) {
                return false;
            }
            towards = self.line_of(entering).rate.signum();
        }
        false
    }

    fn clear_path(&mut self, system: &System) {
        let path = &mut self.continuation;
        path.t = 1.0;
        path.adhesions.clear();
        path.adhesions.resize(system.rows.len(), 0.0);
        path.offsets.clear();
        path.offsets.resize(system.rows.len(), 0.0);
        path.normals.clear();
        path.normals.resize(system.rows.len(), Course::default());
        path.rubs.clear();
        path.rubs.resize(self.rubs.len(), Course::default());
    }

    /// Gives all rows the offsets with which they open. Whether rates have a factor.
    fn begin_open(&mut self, system: &mut System, speed: f64) -> bool {
        for r in 0..system.rows.len() {
            let row = &mut system.rows[r];
            row.pushes = row.is_bilateral;
            let (opening, least) = (row.opening.to_f64(), uneven(r, 1.0) * WITHIN * speed);
            let begins = if row.pushes { 0.0 } else { opening.max(least) };
            self.continuation.normals[r].speed.value = begins;
            self.continuation.offsets[r] = begins - opening;
            for k in self.rubs_of(r) {
                self.continuation.rubs[k].speed.value = self.rubs[k].opening.to_f64();
            }
        }
        self.solve_rates(system)
    }

    /// Finds the set with which a path from the one at hand begins, and the adhesions with which it is an
    /// answer. What slides and what is open has none: so nothing changes with `t`, but what is left to the
    /// limits of what sticks. Whether there are such adhesions.
    fn begin_near(&mut self, system: &mut System, speed: f64) -> bool {
        // Each round lets one row more push or stick, and none the other way.
        loop {
            if !self.factor(system) {
                return false;
            }
            self.solve_soft(Found::Values);
            self.note_course(system, Found::Values);
            if !self.let_stick(system) {
                break;
            }
        }
        for r in 0..system.rows.len() {
            if system.rows[r].pushes && !self.slides_freely(r) {
                let least = WITHIN * speed / system.rows[r].diagonal;
                let adhesion = uneven(r, UNEVEN) * (self.lacking(system, r) + least);
                if !(adhesion * system.rows[r].diagonal <= MOST_ADHESION * speed) {
                    return false;
                }
                self.continuation.adhesions[r] = adhesion;
            }
        }
        true
    }

    /// Lets what closes push, and what is beyond a limit stick. Whether anything is.
    fn let_stick(&mut self, system: &mut System) -> bool {
        let mut is_any = false;
        for r in 0..system.rows.len() {
            let closes = !system.rows[r].pushes && self.continuation.normals[r].speed.value < 0.0;
            system.rows[r].pushes |= closes;
            is_any |= closes;
            let lacks = closes || self.lacking(system, r) > 0.0;
            for k in self.rubs_of(r) {
                let is_against = self.rubs[k].slides * self.continuation.rubs[k].speed.value < 0.0;
                let rub = &mut self.rubs[k];
                if rub.is_limited() && rub.slides != 0.0 && (is_against || lacks) {
                    rub.slides = 0.0;
                    is_any = true;
                }
            }
        }
        is_any
    }

    /// Whether a contact slides, or rolls, in a direction that is not given.
    fn slides_freely(&self, r: usize) -> bool {
        self.rubs[self.rubs_of(r)].iter().any(|rub| rub.is_limited() && rub.slides != 0.0)
    }

    /// What the impulse of a contact that pushes lacks to be within the limits of Coulomb's law.
    fn lacking(&self, system: &System, r: usize) -> f64 {
        if !system.rows[r].pushes || system.rows[r].is_bilateral {
            return 0.0;
        }
        let needed = |k: usize| {
            let rub = &self.rubs[k];
            let is_bound = rub.is_limited() && rub.slides == 0.0 && rub.most > 0.0;
            if is_bound { self.continuation.rubs[k].impulse.value.abs() / rub.most } else { 0.0 }
        };
        let needed = self.rubs_of(r).map(needed).fold(0.0, f64::max);
        (needed - self.continuation.normals[r].impulse.value).max(0.0)
    }

    /// Finds the rates with the set at hand. Whether it has a factor.
    fn solve_rates(&mut self, system: &System) -> bool {
        if !self.factor(system) {
            return false;
        }
        // What is open has the impulse −t c, and what slides is bounded by λ + t c.
        self.base.iter_mut().for_each(|momentum| *momentum = [0.0; 3]);
        for (r, row) in system.rows.iter().enumerate() {
            let (ends, adhesion) = (self.ends_of(row), self.continuation.adhesions[r]);
            let mut direction = if row.pushes { Default::default() } else { normal_of(row) };
            for rub in &self.rubs[self.rubs_of(r)] {
                let acts = if row.pushes { rub.is_limited() } else { rub.is_given };
                if acts {
                    add_scaled(&mut direction, -rub.slides * finite(rub.most), &rub.gradient);
                }
            }
            add_impulse(&mut self.base, ends, if row.pushes { adhesion } else { -adhesion }, &direction);
        }
        self.solve_soft(Found::Rates);
        self.note_course(system, Found::Rates);
        true
    }

    /// Finds the impulses of the set that make speeds 0 with their softness, or keep them so: openings do not
    /// change with `t`, and offsets do.
    fn solve_soft(&mut self, sought: Found) {
        self.active.iter_mut().for_each(|row| row.impulse = 0.0);
        self.note_changes();
        let mut enough = 0.0;
        for correction in 0..=CORRECTIONS {
            let mut size = 0.0_f64;
            for row in &mut self.active {
                let opening = match (sought, row.of) {
                    (Found::Values, _) => row.opening.to_f64(),
                    (Found::Rates, (r, None)) => self.continuation.offsets[r as usize],
                    (Found::Rates, (_, Some(_))) => 0.0,
                };
                let speed = opening + along(&self.changes, row.ends, &row.gradient);
                row.wanted = -speed - row.impulse / row.stiffness;
                size = size.max(row.wanted.abs());
            }
            if correction == 0 {
                enough = CORRECTED * size;
            } else if size <= enough {
                break;
            }
            self.correct_once();
            self.note_changes();
        }
    }

    /// Notes what was found of all rows.
    fn note_course(&mut self, system: &System, found: Found) {
        let mut active = self.active.iter().peekable();
        for (r, row) in system.rows.iter().enumerate() {
            let (ends, path) = (self.ends_of(row), &self.continuation);
            let (adhesion, opening) = match found {
                Found::Values => (0.0, row.opening.to_f64()),
                Found::Rates => (path.adhesions[r], path.offsets[r]),
            };
            let own = active.next_if(|active| active.of == (r as u32, None));
            let impulse = own.map_or(-adhesion, |active| active.impulse);
            let soft = SOFTNESS * row.diagonal * impulse;
            let course = &mut self.continuation.normals[r];
            course.impulse.note(found, impulse);
            course.speed.note(found, opening + along(&self.changes, ends, &normal_of(row)) + soft);
            for k in self.rubs_of(r) {
                let rub = &self.rubs[k];
                let own = active.next_if(|active| active.of == (r as u32, Some(k as u32)));
                let pressing = if rub.is_given { impulse } else { impulse + adhesion };
                let of_slide = -rub.slides * finite(rub.most) * pressing;
                let impulse = own.map_or(of_slide, |active| active.impulse);
                let soft = SOFTNESS * rub.diagonal * impulse;
                let opening = if found == Found::Rates { 0.0 } else { rub.opening.to_f64() };
                let course = &mut self.continuation.rubs[k];
                course.impulse.note(found, impulse);
                course.speed.note(found, opening + along(&self.changes, ends, &rub.gradient) + soft);
            }
        }
    }

    fn line_of(&self, limit: Limit) -> Line {
        let path = &self.continuation;
        let push = |r: usize| {
            let (line, adhesion) = (path.normals[r].impulse, path.adhesions[r]);
            Line { value: line.value + path.t * adhesion, rate: line.rate + adhesion }
        };
        match limit {
            Limit::Push(r) => push(r),
            Limit::Opening(r) => path.normals[r].speed,
            Limit::Bound(k, side) => {
                let (rub, line) = (&self.rubs[k], path.rubs[k].impulse);
                let push = push(rub.contact as usize);
                let left = |push: f64, impulse: f64| rub.most * push + side * impulse;
                Line { value: left(push.value, line.value), rate: left(push.rate, line.rate) }
            }
            Limit::Slip(k) => {
                let (side, line) = (self.rubs[k].slides, path.rubs[k].speed);
                Line { value: side * line.value, rate: side * line.rate }
            }
        }
    }

    /// The limit that is met first, and how far `t` changes up to it.
    fn first_limit(&self, system: &System, towards: f64) -> Option<(f64, Limit)> {
        let mut first: Option<(f64, Limit)> = None;
        let mut note = |limit: Limit| {
            let line = self.line_of(limit);
            if line.rate * towards < 0.0 {
                let way = line.value.max(0.0) / line.rate.abs();
                if first.is_none_or(|(least, _)| way < least) {
                    first = Some((way, limit));
                }
            }
        };
        for (r, row) in system.rows.iter().enumerate() {
            if !row.pushes {
                note(Limit::Opening(r));
                continue;
            }
            if !row.is_bilateral {
                note(Limit::Push(r));
            }
            for k in self.rubs_of(r) {
                let rub = &self.rubs[k];
                if rub.is_limited() && rub.slides == 0.0 {
                    note(Limit::Bound(k, 1.0));
                    note(Limit::Bound(k, -1.0));
                } else if rub.is_limited() {
                    note(Limit::Slip(k));
                }
            }
        }
        first
    }

    /// Goes along the path by this change of `t`.
    fn go_along(&mut self, change: f64) {
        let path = &mut self.continuation;
        path.t += change;
        for course in path.normals.iter_mut().chain(&mut path.rubs) {
            course.impulse.value += change * course.impulse.rate;
            course.speed.value += change * course.speed.rate;
        }
    }

    /// Lets the row at a limit change its side. The limit that it has there, where it is at 0.
    fn cross(&mut self, system: &mut System, limit: Limit) -> Limit {
        match limit {
            Limit::Push(r) => {
                system.rows[r].pushes = false;
                Limit::Opening(r)
            }
            Limit::Opening(r) => {
                system.rows[r].pushes = true;
                for k in self.rubs_of(r) {
                    if self.rubs[k].is_limited() {
                        self.rubs[k].slides = self.continuation.rubs[k].speed.value.signum();
                    }
                }
                Limit::Push(r)
            }
            Limit::Bound(k, side) => {
                self.rubs[k].slides = side;
                Limit::Slip(k)
            }
            Limit::Slip(k) => {
                let side = core::mem::replace(&mut self.rubs[k].slides, 0.0);
                Limit::Bound(k, side)
            }
        }
    }
}

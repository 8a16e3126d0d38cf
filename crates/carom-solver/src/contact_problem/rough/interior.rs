//! The search from the interior, where pivoting goes in circles.
//!
//! Where many contacts stick that depend on each other, each set of them has impulses of its own, and few of
//! these keep within Coulomb's bounds. A primal-dual interior point method (Mehrotra, SIAM J. Optim. 2 (1992)
//! 575) keeps within them from the beginning. A contact has its impulse `λ` and its speed of opening `w`,
//! both positive; a bounded row has what is left of its bounds, `s₀ = μ(λ + j) + τ` and `s₁ = μ(λ + j) − τ`,
//! and its speed as a difference `u = v₀ − v₁` of positive parts. Coulomb's law is
//!
//! ```text
//! λ w = 0 ,   v₀ s₀ = 0 ,   v₁ s₁ = 0 ,
//! ```
//!
//! and the search follows `d λ w = d v₀ s₀ = d v₁ s₁ = κ` to `κ = 0`, with `d` the speed that a unit impulse
//! changes of its own row. The problem is not monotone, so that no theorem says that the search ends.

use super::{Active, Gradient, RoughSolver, add_scaled, along, finite, normal_of};
use crate::contact_problem::system::System;
use crate::tolerances::{SIGNS_TOLD, SOFTNESS};
use alloc::vec::Vec;

/// Most steps. Heaps of forty take ten to twenty; what takes more seldom comes to an end.
const MAX_STEPS: usize = 40;

/// In how many steps the mean product must fall at least to which part, or the search is given up.
///
/// With 0.3 a third of those that come to an end in heaps that are jammed are lost; those without an answer
/// take one step more with 0.9.
const STALLED_STEPS: usize = 8;
const STALLED: f64 = 0.9;

/// Of the square of the speed: the mean products at which pivoting tries the set that the larger numbers
/// tell. The first tells most of them. The further ones help where a contact is near the edge of two sets,
/// and take some five steps each.
const CONVERGED: [f64; 3] = [1e-8, 1e-12, 1e-18];

/// By how much the products of a step may differ from what it aims at. Without a limit the second order of a
/// long prediction takes some to where no later step leads back.
const UNEVEN: f64 = 10.0;

/// How much of the way to the nearest bound a step goes: at least, and at most, where the prediction is good.
/// All of it would set something to 0 by which the next step divides; less takes more steps.
const SHORT_OF_BOUND: [f64; 2] = [0.995, 1.0 - 1.0 / (1u64 << 20) as f64];

/// Two positive numbers whose product is to become a third, and how a step changes them.
#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    impulse: f64,
    speed: f64,
    target: f64,
    impulse_change: f64,
    speed_change: f64,
}

impl Pair {
    /// Of an impulse without a bound, which lets no speed be.
    const UNBOUNDED: Pair =
        Pair { impulse: f64::INFINITY, speed: 0.0, target: 0.0, impulse_change: 0.0, speed_change: 0.0 };

    fn new(impulse: f64, speed: f64) -> Self {
        Pair { impulse, speed, ..Pair::default() }
    }

    /// Notes the change of the impulse, and to first order that of the speed. How much of both, at most all,
    /// keeps them positive.
    fn change(&mut self, impulse_change: f64) -> f64 {
        self.impulse_change = impulse_change;
        self.speed_change = self.target / self.impulse - self.speed - self.softness() * impulse_change;
        let room = |value: f64, change: f64| if change < 0.0 { -value / change } else { 1.0 };
        room(self.impulse, self.impulse_change).min(room(self.speed, self.speed_change)).min(1.0)
    }

    fn softness(&self) -> f64 {
        self.speed / self.impulse
    }

    /// The speed that belongs to the impulse and the target.
    fn pull(&self) -> f64 {
        self.target / self.impulse
    }

    /// The product after this much of a step; 0 if nothing bounds it.
    fn product(&self, length: f64) -> f64 {
        let speed = self.speed + length * self.speed_change;
        if self.speed > 0.0 { (self.impulse + length * self.impulse_change) * speed } else { 0.0 }
    }

    fn go(&mut self, length: f64) {
        self.impulse += length * self.impulse_change;
        self.speed += length * self.speed_change;
    }
}

/// Where the search is.
#[derive(Clone, Debug, Default)]
pub(super) struct Interior {
    /// By row: impulse and speed of opening.
    normals: Vec<Pair>,
    /// By bounded row: what is left of the bounds, and the parts of the speed.
    bounds: Vec<[Pair; 2]>,
}

impl RoughSolver {
    /// Finds the impulses from the interior, with the set that they tell, from which pivoting goes on.
    /// Whether it comes to an end; if not, the set is the one of the interior where it was given up.
    pub(super) fn search_interior(&mut self, system: &mut System, speed: f64) -> bool {
        self.begin_inside(system, speed);
        let (mut steps, mut means) = (0, [f64::INFINITY; STALLED_STEPS]);
        for converged in CONVERGED {
            loop {
                let mean = self.mean_product(system, 0.0);
                if mean <= converged * speed * speed {
                    break;
                }
                let before = core::mem::replace(&mut means[steps % STALLED_STEPS], mean);
                steps += 1;
                let is_stalled = mean > STALLED * before;
                if steps > MAX_STEPS || is_stalled || !self.step_inside(system, mean) {
                    self.take_sides_inside(system);
                    return false;
                }
            }
            self.take_sides_inside(system);
            if self.pivot(system, speed, SIGNS_TOLD, 0) {
                return true;
            }
            system.rows.iter_mut().for_each(|row| row.iterate.impulse = row.trial);
            self.rubs.iter_mut().for_each(|rub| rub.impulse = rub.start);
        }
        self.take_sides_inside(system);
        false
    }

    fn begin_inside(&mut self, system: &mut System, speed: f64) {
        self.interior.normals.clear();
        self.interior.bounds.clear();
        // What is to stop within a piece is a thousand times what accelerates. Begun at the scale of the
        // latter, one search of twenty comes to an end there.
        let of_rows = system.rows.iter().map(|row| row.opening.to_f64().abs());
        let of_rubs =
            self.rubs.iter().filter(|rub| rub.sticks_inside()).map(|rub| rub.opening.to_f64().abs());
        let speed = of_rows.chain(of_rubs).fold(speed, f64::max);
        for r in 0..system.rows.len() {
            let row = &mut system.rows[r];
            let (impulse, normal) = if row.is_bilateral {
                (0.0, Pair::UNBOUNDED)
            } else {
                let impulse = speed / row.diagonal;
                (impulse, Pair::new(impulse, speed.max(row.opening.to_f64())))
            };
            (row.pushes, row.iterate.impulse) = (true, impulse);
            self.interior.normals.push(normal);
            let pressing = impulse + self.given_at(r);
            for k in self.rubs_of(r) {
                let rub = &mut self.rubs[k];
                rub.impulse = if rub.is_given { -rub.slides * finite(rub.most) * pressing } else { 0.0 };
                let bound =
                    if rub.is_limited() { Pair::new(rub.most * pressing, speed) } else { Pair::UNBOUNDED };
                self.interior.bounds.push([bound; 2]);
            }
        }
    }

    /// The mean of the products after this much of a step, in units of a speed.
    fn mean_product(&self, system: &System, length: f64) -> f64 {
        let (mut sum, mut count) = (0.0, 0);
        for (row, pair) in system.rows.iter().zip(&self.interior.normals) {
            sum += row.diagonal * pair.product(length);
            count += u32::from(pair.speed > 0.0);
        }
        for (rub, pairs) in self.rubs.iter().zip(&self.interior.bounds) {
            let both = pairs[0].product(length) + pairs[1].product(length);
            sum += rub.diagonal * both;
            count += pairs.iter().map(|pair| u32::from(pair.speed > 0.0)).sum::<u32>();
        }
        sum / f64::from(count.max(1))
    }

    /// One step: a prediction straight to `κ = 0` says how much of it to aim at, as for smooth contacts.
    /// False if the factor fails.
    fn step_inside(&mut self, system: &mut System, mean: f64) -> bool {
        self.note_changes_of_all(system);
        self.gather_inside(system);
        if !self.factor_active(system) {
            return false;
        }
        self.set_targets(system, |_, _| 0.0);
        let length = self.solve_inside();
        let fraction = (self.mean_product(system, length) / mean).clamp(0.0, 1.0);
        let aim = mean * fraction * fraction * fraction;
        self.set_targets(system, |pair, diagonal| {
            let aim = aim / diagonal;
            (aim - pair.impulse_change * pair.speed_change).max(aim / UNEVEN).min(UNEVEN * aim)
        });
        let [least, most] = SHORT_OF_BOUND;
        let length = (1.0 - fraction).clamp(least, most) * self.solve_inside();
        self.go(system, length);
        length > 0.0
    }

    fn set_targets(&mut self, system: &System, target: impl Fn(&Pair, f64) -> f64) {
        for (row, pair) in system.rows.iter().zip(&mut self.interior.normals) {
            pair.target = target(pair, row.diagonal);
        }
        // What turns neither body has a diagonal of 0, and no bounds.
        let bounded = self.rubs.iter().zip(&mut self.interior.bounds).filter(|(rub, _)| rub.is_limited());
        for (rub, pairs) in bounded {
            pairs.iter_mut().for_each(|pair| pair.target = target(pair, rub.diagonal));
        }
    }

    /// Gathers the rows of a step, with what they lack of the speeds that belong to their impulses.
    ///
    /// To first order `λ Δw + w Δλ = κ − λ w`, and the speeds that the impulses make are `w + Δw = q + Δq`.
    /// So `(w/λ) Δλ = −q + κ/λ − Δq`: a row of the softness `w/λ`. In the same way `(a₀ + a₁) Δτ = −u + κ/s₀
    /// − κ/s₁ − Δu + μ (a₁ − a₀) Δλ` with `a = v/s`: the last term is the direction in which an impulse
    /// along the normal acts.
    fn gather_inside(&mut self, system: &System) {
        let mut active = core::mem::take(&mut self.active);
        active.clear();
        for (r, row) in (0..).zip(&system.rows) {
            let (ends, gradient) = (self.ends_of(row), normal_of(row));
            let new = |gradient: Gradient, opening: f64, softness: f64, of| {
                let before = -(opening + along(&self.changes, ends, &gradient));
                let [impulse, wanted] = [0.0; 2];
                let (stiffness, opening) = (1.0 / softness, Default::default());
                Active {
                    ends,
                    direction: gradient,
                    gradient,
                    opening,
                    stiffness,
                    impulse,
                    wanted,
                    before,
                    of,
                }
            };
            let at = active.len();
            let softness = self.interior.normals[r as usize].softness() + SOFTNESS * row.diagonal;
            active.push(new(gradient, row.opening.to_f64(), softness, (r, None)));
            for k in self.rubs_of(r as usize) {
                let rub = &self.rubs[k];
                let mut share = -rub.slides * finite(rub.most);
                if rub.sticks_inside() {
                    let [a, b] = self.interior.bounds[k].map(|pair| pair.softness());
                    let softness = a + b + SOFTNESS * rub.diagonal;
                    share = finite(rub.most) * (b - a) / softness;
                    active.push(new(rub.gradient, rub.opening.to_f64(), softness, (r, Some(k as u32))));
                }
                add_scaled(&mut active[at].direction, share, &rub.gradient);
            }
        }
        self.active = active;
    }

    /// The changes after which the products are the targets. How much of them keeps all positive.
    fn solve_inside(&mut self) -> f64 {
        for row in &mut self.active {
            let pull = match row.of {
                (r, None) => self.interior.normals[r as usize].pull(),
                (_, Some(k)) => {
                    let [a, b] = &self.interior.bounds[k as usize];
                    a.pull() - b.pull()
                }
            };
            row.wanted = row.before + pull;
        }
        self.solve_step();
        let (mut length, mut pressing) = (1.0_f64, 0.0);
        for row in &mut self.active {
            row.impulse = (row.wanted - along(&self.step, row.ends, &row.gradient)) * row.stiffness;
            match row.of {
                (r, None) => {
                    pressing = row.impulse;
                    length = length.min(self.interior.normals[r as usize].change(pressing));
                }
                (_, Some(k)) => {
                    let [a, b] = &mut self.interior.bounds[k as usize];
                    let bound = finite(self.rubs[k as usize].most) * pressing;
                    row.impulse += bound * (b.softness() - a.softness()) * row.stiffness;
                    length = length.min(a.change(bound + row.impulse)).min(b.change(bound - row.impulse));
                }
            }
        }
        length
    }

    /// Goes this much of a step.
    fn go(&mut self, system: &mut System, length: f64) {
        for row in &self.active {
            let (r, change) = (row.of.0 as usize, length * row.impulse);
            let Some(k) = row.of.1 else {
                system.rows[r].iterate.impulse += change;
                self.interior.normals[r].go(length);
                for k in self.rubs_of(r) {
                    let rub = &mut self.rubs[k];
                    if rub.is_given {
                        rub.impulse -= rub.slides * finite(rub.most) * change;
                    }
                }
                continue;
            };
            self.rubs[k as usize].impulse += change;
            self.interior.bounds[k as usize].iter_mut().for_each(|pair| pair.go(length));
        }
    }

    /// Who pushes and who sticks: of two numbers whose product is 0 the larger one tells.
    fn take_sides_inside(&mut self, system: &mut System) {
        let is_at_bound = |pair: &Pair, diagonal: f64| pair.impulse * diagonal < pair.speed;
        for (row, pair) in system.rows.iter_mut().zip(&self.interior.normals) {
            row.pushes = !is_at_bound(pair, row.diagonal);
            row.trial = row.iterate.impulse;
        }
        for (rub, bounds) in self.rubs.iter_mut().zip(&self.interior.bounds) {
            if !rub.is_given {
                let [a, b] = bounds.map(|pair| f64::from(u8::from(is_at_bound(&pair, rub.diagonal))));
                rub.slides = a - b;
            }
            rub.start = rub.impulse;
        }
    }
}

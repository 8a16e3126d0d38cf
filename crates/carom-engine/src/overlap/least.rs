use glam::DVec2;

/// A demand on the changes `u` of two bodies: `normal · (u_b − u_a) ≥ goal`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Push {
    pub(super) a: u32,
    /// [`Push::FIXED`] for what does not move.
    pub(super) b: u32,
    /// Unit normal from `a` to `b`.
    pub(super) normal: DVec2,
    pub(super) goal: f64,
}

impl Push {
    pub(super) const FIXED: u32 = u32::MAX;

    /// The left side of the demand.
    pub(super) fn opening(&self, changes: &[DVec2]) -> f64 {
        let of_b = if self.b == Self::FIXED { DVec2::ZERO } else { changes[self.b as usize] };
        self.normal.dot(of_b - changes[self.a as usize])
    }
}

/// The least changes that meet the demands: the minimum of `Σ |u|² / weight`.
///
/// Its dual is a quadratic program in impulses `λ ≥ 0`, one for each demand, with the matrix that a
/// complementarity problem of contacts has. Solved without forming it by conjugate gradients with
/// proportioning (MPRGP: Dostál and Schöberl, Comput. Optim. Appl. 30 (2005) 23), which go on from the
/// impulses of the last call. It takes as many iterations as the square root of the matrix's condition, as
/// many as discs in a row, and each O(demands).
#[derive(Clone, Debug, Default)]
pub(super) struct LeastPush {
    /// The impulse of each demand: where to start, and the solution.
    pub(super) impulses: Vec<f64>,
    /// The solution: the change of each body.
    pub(super) changes: Vec<DVec2>,
    /// `1 / √(weight_a + weight_b)`, which makes the diagonal 1.
    scales: Vec<f64>,
    gradient: Vec<f64>,
    direction: Vec<f64>,
    image: Vec<f64>,
}

/// How exact the solution is to be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// The largest amount by which a demand may be missed, or exceeded where there is an impulse.
    pub(super) tolerance: f64,
    /// Impulses times this count as a miss, so that demands which contradict each other have an answer, too.
    pub(super) give: f64,
    pub(super) iterations: usize,
}

impl LeastPush {
    /// Solves for `impulses` and `changes`. Returns the iterations that it took, and whether they were
    /// enough.
    pub(super) fn solve(&mut self, pushes: &[Push], weights: &[f64], effort: Effort) -> (usize, bool) {
        let weight = |body: u32| if body == Push::FIXED { 0.0 } else { weights[body as usize] };
        self.scales.clear();
        self.scales.extend(pushes.iter().map(|p| 1.0 / carom_math::sqrt(weight(p.a) + weight(p.b))));
        self.impulses.resize(pushes.len(), 0.0);
        for (impulse, scale) in self.impulses.iter_mut().zip(&self.scales) {
            *impulse = impulse.max(0.0) / scale;
        }
        self.gradient.resize(pushes.len(), 0.0);
        self.image.resize(pushes.len(), 0.0);
        let longest = 1.9 / self.largest_row(pushes, weights, effort.give);
        let mut done = false;
        let mut iterations = 0;
        // The gradient is carried along, and computed anew before it is believed.
        while !done && iterations < effort.iterations {
            self.find_gradient(pushes, weights, effort.give);
            self.aim();
            let restart = iterations;
            loop {
                if self.is_solved(effort.tolerance) {
                    done = iterations == restart;
                    break;
                }
                if iterations == effort.iterations {
                    break;
                }
                iterations += 1;
                self.iterate(pushes, weights, effort.give, longest);
            }
        }
        for (impulse, scale) in self.impulses.iter_mut().zip(&self.scales) {
            *impulse *= scale;
        }
        add_up(&mut self.changes, pushes, weights, |c| self.impulses[c]);
        (iterations, done)
    }

    /// A bound on the largest eigenvalue of the matrix: its largest sum along a row.
    fn largest_row(&self, pushes: &[Push], weights: &[f64], give: f64) -> f64 {
        let mut sums = vec![0.0; weights.len()];
        for (push, scale) in pushes.iter().zip(&self.scales) {
            for body in [push.a, push.b].into_iter().filter(|&body| body != Push::FIXED) {
                sums[body as usize] += weights[body as usize] * scale;
            }
        }
        let sum = |body: u32| if body == Push::FIXED { 0.0 } else { sums[body as usize] };
        let rows = pushes.iter().zip(&self.scales).map(|(p, scale)| scale * (sum(p.a) + sum(p.b)));
        rows.fold(1.0, f64::max) + give
    }

    /// `gradient` = matrix · impulses − goals.
    fn find_gradient(&mut self, pushes: &[Push], weights: &[f64], give: f64) {
        add_up(&mut self.changes, pushes, weights, |c| self.impulses[c] * self.scales[c]);
        for (c, push) in pushes.iter().enumerate() {
            self.gradient[c] =
                self.scales[c] * (push.opening(&self.changes) - push.goal) + give * self.impulses[c];
        }
    }

    /// The direction of descent along impulses that are not 0.
    fn aim(&mut self) {
        self.direction.clear();
        let free = self.impulses.iter().zip(&self.gradient).map(|(&x, &g)| if x > 0.0 { g } else { 0.0 });
        self.direction.extend(free);
    }

    fn is_solved(&self, tolerance: f64) -> bool {
        let rows = self.impulses.iter().zip(&self.gradient).zip(&self.scales);
        rows.into_iter().all(|((&x, &g), &scale)| {
            let error = if x > 0.0 { g.abs() } else { -g };
            error <= tolerance * scale
        })
    }

    fn iterate(&mut self, pushes: &[Push], weights: &[f64], give: f64, longest: f64) {
        let (mut reduced, mut blocked) = (0.0, 0.0);
        for (&x, &g) in self.impulses.iter().zip(&self.gradient) {
            if x > 0.0 {
                // How far it can go, for those that would end below 0.
                reduced += g * g.min(x / longest);
            } else if g < 0.0 {
                blocked += g * g;
            }
        }
        let proportional = blocked <= reduced;
        if !proportional {
            self.direction.clear();
            let leaving = self.impulses.iter().zip(&self.gradient);
            self.direction.extend(leaving.map(|(&x, &g)| if x > 0.0 { 0.0 } else { g.min(0.0) }));
        }
        add_up(&mut self.changes, pushes, weights, |c| self.direction[c] * self.scales[c]);
        let (mut descent, mut curvature) = (0.0, 0.0);
        for (c, push) in pushes.iter().enumerate() {
            let p = self.direction[c];
            self.image[c] = self.scales[c] * push.opening(&self.changes) + give * p;
            descent += self.gradient[c] * p;
            curvature += self.image[c] * p;
        }
        // Along a direction without curvature the impulses change and nothing moves.
        let step = if curvature > 0.0 { descent / curvature } else { longest };
        let feasible = self.impulses.iter().zip(&self.direction).filter(|(_, p)| **p > 0.0);
        let feasible = feasible.map(|(x, p)| x / p).fold(f64::INFINITY, f64::min);
        let taken = step.min(feasible);
        for c in 0..pushes.len() {
            self.impulses[c] = (self.impulses[c] - taken * self.direction[c]).max(0.0);
            self.gradient[c] -= taken * self.image[c];
        }
        if !proportional {
            self.aim();
        } else if step <= feasible {
            let (mut conjugate, mut free_part) = (0.0, 0.0);
            for c in 0..pushes.len() {
                let free = if self.impulses[c] > 0.0 { self.gradient[c] } else { 0.0 };
                conjugate += free * self.image[c];
                free_part += free.abs();
            }
            let beta = if curvature > 0.0 && free_part > 0.0 { conjugate / curvature } else { 0.0 };
            for c in 0..pushes.len() {
                let free = if self.impulses[c] > 0.0 { self.gradient[c] } else { 0.0 };
                self.direction[c] = free - beta * self.direction[c];
            }
        } else {
            // Past where the first impulse is used up: a step of fixed length, those that would pull let go.
            for (x, &g) in self.impulses.iter_mut().zip(&self.gradient) {
                if *x > 0.0 {
                    *x = (*x - longest * g).max(0.0);
                }
            }
            self.find_gradient(pushes, weights, give);
            self.aim();
        }
    }
}

/// The changes that these impulses make.
fn add_up(changes: &mut Vec<DVec2>, pushes: &[Push], weights: &[f64], impulse: impl Fn(usize) -> f64) {
    changes.clear();
    changes.resize(weights.len(), DVec2::ZERO);
    for (c, push) in pushes.iter().enumerate() {
        let impulse = impulse(c);
        if impulse != 0.0 {
            changes[push.a as usize] -= push.normal * (impulse * weights[push.a as usize]);
            if push.b != Push::FIXED {
                changes[push.b as usize] += push.normal * (impulse * weights[push.b as usize]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXACT: Effort = Effort { tolerance: 1e-14, give: 0.0, iterations: 10_000 };

    /// A row of N with a wall behind the last, pressed by 1 at the first: as all have to give way, each moves
    /// by 1.
    #[test]
    fn a_row_passes_the_push_on() {
        let n = 50;
        let mut pushes = vec![Push { a: 0, b: Push::FIXED, normal: DVec2::NEG_X, goal: 1.0 }];
        pushes.extend((1..n).map(|i| Push { a: i - 1, b: i, normal: DVec2::X, goal: 0.0 }));
        let mut least = LeastPush::default();
        let (iterations, done) = least.solve(&pushes, &vec![1.0; n as usize], EXACT);
        assert!(done, "{iterations} iterations");
        for change in &least.changes {
            assert!((*change - DVec2::X).length() < 1e-12, "{change}");
        }
        // The impulse of each demand is what those behind it weigh.
        for (i, impulse) in least.impulses.iter().enumerate() {
            assert!((impulse - (n as f64 - i as f64)).abs() < 1e-9, "{i}: {impulse}");
        }
    }

    /// By hand, in the metric of the weights: 1 and 3 share an opening of 4 as 1 to 3.
    #[test]
    fn the_heavier_moves_less() {
        let pushes = [
            Push { a: 0, b: 1, normal: DVec2::Y, goal: 4.0 },
            // What is open already asks for nothing.
            Push { a: 0, b: Push::FIXED, normal: DVec2::Y, goal: -9.0 },
        ];
        let mut least = LeastPush::default();
        assert!(least.solve(&pushes, &[1.0, 3.0], EXACT).1);
        assert_eq!(least.changes, [DVec2::new(0.0, -1.0), DVec2::new(0.0, 3.0)]);
        assert_eq!(least.impulses, [1.0, 0.0]);
    }

    /// Between two walls that both push there is no answer, and the iterations end.
    #[test]
    fn contradictions_are_told() {
        let jaw = |normal| Push { a: 0, b: Push::FIXED, normal, goal: 1.0 };
        let mut least = LeastPush::default();
        let jaws = [jaw(DVec2::X), jaw(DVec2::NEG_X)];
        assert!(!least.solve(&jaws, &[1.0], EXACT).1);
        assert!(least.solve(&jaws, &[1.0], Effort { give: 1e-3, ..EXACT }).1);
        assert!(least.changes[0].length() < 1e-12);
    }
}

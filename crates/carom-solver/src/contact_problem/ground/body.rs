use alloc::vec::Vec;
use carom_math::sqrt;
use glam::DVec2;

/// What the ground does to a body of a problem.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ground {
    /// What its acceleration changes by without contacts and friction.
    pub(crate) pull: DVec2,
    /// The largest friction per unit of mass, and what is to be added to the change for the way that the
    /// body goes.
    pub(crate) most: f64,
    pub(crate) offset: DVec2,
    /// Whether it changes by `pull` whatever pushes it.
    pub(crate) is_given: bool,
    /// The change, and the friction against it.
    pub(crate) change: DVec2,
    pub(crate) friction: DVec2,
    /// Whether the friction holds it.
    pub(crate) sticks: bool,
    /// Whether it sticks because it would turn back if it moved, all but at rest.
    pub(crate) has_turned_back: bool,
}

impl Ground {
    /// Along the way that the body goes.
    pub(super) fn way(&self) -> DVec2 {
        self.change + self.offset
    }

    /// By how much its acceleration changes with the solution.
    pub(crate) fn found(&self) -> DVec2 {
        if self.moves() || self.is_given { self.change } else { -self.offset }
    }

    /// Whether neither friction holds it nor its change is given.
    pub(super) fn moves(&self) -> bool {
        !self.is_given && !self.sticks
    }
}

/// The solution of a problem: by row whether it pushes, and its force; by body.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    pub(super) rows: Vec<(bool, f64)>,
    pub(super) grounds: Vec<Ground>,
}

/// The length of a vector, with the root of `carom-math`, which is the same on all machines.
pub(super) fn length(v: DVec2) -> f64 {
    sqrt(v.length_squared())
}

/// While a solution is sought from the interior.
impl Ground {
    /// `√(u² + δ²)` for a target.
    fn smooth_length(&self, target: f64) -> f64 {
        let delta = target / self.most;
        sqrt(self.way().length_squared() + delta * delta)
    }

    /// `g u/√(u² + δ²)`: the friction of the way, smoothed where that is short.
    pub(super) fn along(&self, target: f64) -> DVec2 {
        if self.most > 0.0 { self.way() * (self.most / self.smooth_length(target)) } else { DVec2::ZERO }
    }

    /// How the friction changes with the way: a symmetric matrix, as its entries xx, xy and yy.
    ///
    /// With `s = √(u² + δ²)` the condition is `q s = g u`. Linearised in both, `q + Δq = g u/s + (g I − q
    /// uᵀ/s) Δu/s`. The matrix is symmetrised, so that the step has a factor `L D Lᵀ`; at the solution, where
    /// `q` is along `u`, it is symmetric anyway (Andersen et al. 2000, as for sums of norms).
    pub(super) fn stiffness(&self, target: f64) -> [f64; 3] {
        if !(self.most > 0.0) {
            return [0.0; 3];
        }
        let smooth = self.smooth_length(target);
        let (q, u) = (self.friction, self.way() / smooth);
        let half = 0.5 * (q.x * u.y + q.y * u.x);
        [(self.most - q.x * u.x) / smooth, -half / smooth, (self.most - q.y * u.y) / smooth]
    }

    /// Takes a part of a step. Friction stays within its bound: outside of it the matrix is not definite.
    pub(super) fn go(&mut self, step: DVec2, target: f64, part: f64) {
        if !self.moves() {
            return;
        }
        if self.most > 0.0 {
            let [xx, xy, yy] = self.stiffness(target);
            let turned = DVec2::new(xx * step.x + xy * step.y, xy * step.x + yy * step.y);
            self.friction += (self.along(target) + turned - self.friction) * part;
            let size = length(self.friction);
            if size > self.most {
                self.friction *= self.most / size;
            }
        }
        self.change += step * part;
    }
}

/// While it is sought by Newton's method.
impl Ground {
    /// The friction against the way, of a body that moves.
    pub(super) fn against(&self) -> DVec2 {
        if self.most > 0.0 { self.way() * (self.most / length(self.way())) } else { DVec2::ZERO }
    }

    /// How it changes with the way: `g (I − u uᵀ/u²)/|u|`, as a direction that turns.
    pub(super) fn turning(&self) -> [f64; 3] {
        if !(self.most > 0.0) {
            return [0.0; 3];
        }
        let size = length(self.way());
        let DVec2 { x, y } = self.way() / size;
        let stiff = self.most / size;
        [stiff * y * y, -stiff * x * y, stiff * x * x]
    }
}

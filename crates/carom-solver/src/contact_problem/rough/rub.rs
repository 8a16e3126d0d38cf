//! A row of friction.

use super::Gradient;
use carom_math::eft::DoubleDouble as Dd;

/// A row of a contact whose impulse is bounded by that along the normal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rub {
    /// The row of the normal.
    pub(crate) contact: u32,
    pub(crate) gradient: Gradient,
    /// The speed that is to become 0 where it sticks.
    pub(crate) opening: Dd,
    /// The largest impulse for each unit of that along the normal; infinite for what sticks in any case.
    pub(crate) most: f64,
    /// The direction in which it slides, −1 or 1; 0 where it sticks.
    pub(crate) slides: f64,
    /// Whether it slides in this direction in any case.
    pub(crate) is_given: bool,
    /// The impulse with which the search begins.
    pub(crate) start: f64,
    /// What is found: the impulse, and the speed with all impulses.
    pub(crate) impulse: f64,
    pub(crate) speed: f64,
    pub(crate) diagonal: f64,
    /// The side on which it belongs, as `slides`.
    pub(super) belongs: f64,
}

impl Rub {
    pub(crate) fn new(contact: u32, gradient: Gradient, opening: Dd, most: f64) -> Self {
        let (slides, is_given) = (0.0, false);
        let [start, impulse, speed, diagonal, belongs] = [0.0; 5];
        Rub { contact, gradient, opening, most, slides, is_given, start, impulse, speed, diagonal, belongs }
    }

    /// Whether its speed is to become 0, if something presses. What turns neither body has no row.
    pub(super) fn sticks(&self) -> bool {
        self.slides == 0.0 && self.diagonal > 0.0
    }

    /// Whether the search has to find on which side it is.
    pub(super) fn is_limited(&self) -> bool {
        !self.is_given && self.most < f64::INFINITY && self.diagonal > 0.0
    }

    /// Whether its impulse is found by the search, and not from that along the normal alone.
    pub(super) fn sticks_inside(&self) -> bool {
        !(self.is_given && self.most < f64::INFINITY) && self.diagonal > 0.0
    }

    /// The side on which it belongs with what is found: the direction in which it slides, or 0.
    pub(super) fn side(&self, pressing: f64, least: f64, tolerance: f64) -> f64 {
        if self.is_given || self.most == f64::INFINITY {
            self.slides
        } else if self.slides == 0.0 {
            let is_beyond = self.impulse.abs() > self.most * pressing + least;
            if is_beyond { -self.impulse.signum() } else { 0.0 }
        } else if self.speed * self.slides < -tolerance {
            0.0
        } else {
            self.slides
        }
    }

    /// The impulse that comes nearest to this one, with what presses.
    pub(super) fn limited(&self, impulse: f64, pressing: f64) -> f64 {
        if self.most == f64::INFINITY {
            return impulse;
        }
        let most = self.most * pressing.max(0.0);
        if self.is_given { -self.slides * most } else { impulse.clamp(-most, most) }
    }
}

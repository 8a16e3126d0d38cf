//! Discs whose radii grow, all in proportion to themselves, as where dense packings are made (Lubachevsky
//! and Stillinger, J. Stat. Phys. 60 (1990) 561).
//!
//! `rate` is the growth per second in proportion to the radii at the moment at which the positions hold, `h
//! ≥ 0`: a radius is `r (1 + h t)` after `t` seconds. Two centres `d` apart, with relative velocity `w`,
//! touch when
//!
//! `|d + w t| = R (1 + h t)`.
//!
//! Divided by `1 + h t`, with `τ = t / (1 + h t)`, so that `1 / (1 + h t) = 1 − h τ` and `t = τ / (1 − h
//! τ)`, that is
//!
//! `|d + u τ| = R`, `u = w − h d`:
//!
//! two discs of constant size, seen in a frame that grows with them, in a time that comes to `1/h` as the
//! other one has no end. So the root is that of [`disc_disc`] with all its care for grazes and small gaps,
//! there is no other quadratic, and no case of a leading coefficient that changes its sign; discs that
//! reach each other only for `h τ ≥ 1` never do. "Approaching" is `d·u < 0`, and as the path is straight in
//! that frame, what recedes does so for ever.
//!
//! The velocity `u` is rounded to some ulps of `|w| + h |d|`, which moves the discs by as much as one
//! rounding of the velocities and of the growth does. A rate of 0 gives the bits of the plain functions.

use super::disc_disc;
use crate::DVec2;

/// Time to the first contact of two discs that grow at a `rate`, with the arguments of [`disc_disc`].
#[inline]
#[must_use]
pub fn disc_disc_growing(d: DVec2, w: DVec2, reach: f64, rate: f64) -> Option<f64> {
    let tau = disc_disc(d, w - d * rate, reach)?;
    let left = 1.0 - rate * tau;
    (left > 0.0).then(|| tau / left)
}

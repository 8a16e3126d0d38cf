//! Rows by their components at two bodies.

use crate::contact_problem::block_lu::dot;
use crate::contact_problem::row::Row;

/// The components of a row at its two bodies.
pub(crate) type Gradient = [[f64; 3]; 2];

/// A coefficient of what slides: what sticks in any case has an infinite one, and does not slide.
pub(super) fn finite(most: f64) -> f64 {
    if most < f64::INFINITY { most } else { 0.0 }
}

/// What nothing turns has no part in any row; its mass does not matter.
pub(super) fn finite_or_one(inertia: f64) -> f64 {
    if inertia < f64::INFINITY { inertia } else { 1.0 }
}

/// The row of a normal.
pub(super) fn normal_of(row: &Row) -> Gradient {
    let (x, y) = (row.normal.x, row.normal.y);
    [[-x, -y, 0.0], [x, y, 0.0]]
}

pub(super) fn add_scaled(to: &mut Gradient, k: f64, gradient: &Gradient) {
    for (to, g) in to.iter_mut().flatten().zip(gradient.iter().flatten()) {
        *to += k * g;
    }
}

pub(super) fn add_impulse(to: &mut [[f64; 3]], ends: [u32; 2], impulse: f64, direction: &Gradient) {
    for (end, direction) in ends.into_iter().zip(direction) {
        let of_body = &mut to[end as usize];
        of_body.iter_mut().zip(direction).for_each(|(to, direction)| *to += impulse * direction);
    }
}

/// The speed of a row.
pub(super) fn along(velocities: &[[f64; 3]], [a, b]: [u32; 2], [of_a, of_b]: &Gradient) -> f64 {
    dot(of_a, &velocities[a as usize]) + dot(of_b, &velocities[b as usize])
}

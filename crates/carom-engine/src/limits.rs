//! The ranges in which numbers are accepted. Everything outside is refused at the door.
//!
//! | quantity | smallest | largest |
//! | --- | --- | --- |
//! | coordinate | −[`MAX_LENGTH`] | [`MAX_LENGTH`] |
//! | radius, length of a wall | [`MIN_LENGTH`], or 0 for a radius | [`MAX_LENGTH`] |
//! | velocity component | −[`MAX_SPEED`] | [`MAX_SPEED`] |
//! | angular velocity | −[`MAX_ANGULAR_VELOCITY`] | [`MAX_ANGULAR_VELOCITY`] |
//! | mass | [`MIN_MASS`], or 0 | [`MAX_MASS`], or infinite |
//! | restitution | 0 | 1 |
//! | time | 0 | 2⁵¹ epochs |
//! | parts of walls | 0 | [`MAX_WALL_PARTS`] |
//!
//! The products that a time of impact is made of stay far from the ends of `f64` within them: the largest is
//! `speed² · length² ≤ 10⁶⁰` for what comes in, and about 10¹⁶⁰ for the lightest disc with all the energy of
//! the heaviest, at 10⁶⁵ length units a second.

use carom_math::DVec2;

/// Largest magnitude of a coordinate or length.
pub const MAX_LENGTH: f64 = 1e15;
/// Smallest radius other than 0, and smallest length of a wall.
pub const MIN_LENGTH: f64 = 1e-15;
/// Largest magnitude of a component of a velocity.
pub const MAX_SPEED: f64 = 1e15;
/// Largest magnitude of an angular velocity, in radians a second: see [`Spin`](crate::Spin).
pub const MAX_ANGULAR_VELOCITY: f64 = 1e50;
/// Smallest mass other than 0.
pub const MIN_MASS: f64 = 1e-50;
/// Largest finite mass.
pub const MAX_MASS: f64 = 1e50;
/// Most discs that a world holds, if its scheduler does: see [`crate::broadphase::Scheduler::capacity`].
pub const MAX_DISCS: usize = 1 << 24;
/// Most parts that all walls of a world have together: a polyline has two for each of its points. They take
/// about a gigabyte.
pub const MAX_WALL_PARTS: usize = 1 << 22;

/// The velocity itself if its components are within [`MAX_SPEED`]; else shortened to that.
pub(crate) fn within_limit(velocity: DVec2) -> DVec2 {
    let largest = velocity.abs().max_element();
    if largest > MAX_SPEED { velocity * (MAX_SPEED / largest) } else { velocity }
}

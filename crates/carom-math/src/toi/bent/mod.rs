//! Time of impact on parabolas: discs whose centres are at `p + v t + ½ a t²`, with a constant `a`.
//!
//! The functions are those of [`super`], with the same meaning of a contact: the first `t ≥ 0` at which the
//! gap is not positive and is falling. "Falling" is a negative rate, or a rate of zero that decreases: discs
//! that overlap and part are not in contact while they part; where they turn back before they are apart, the
//! moment of turning is the contact. After an impact they are taken to part ([`disc_disc_again`],
//! [`super::Memory::Met`]), but on a parabola they may meet again.
//!
//! A motion holds for `0 ≤ t < until`, which may be infinite: a contact at `until` belongs to the motion that
//! follows. An acceleration of zero, or one so small that its square underflows, gives the bits of the
//! functions for straight paths. The derivations are in `docs/derivations/disc-disc-bent.md`.

mod again;
mod disc_arc;
mod disc_circle;
mod disc_disc;
mod disc_half_plane;
mod disc_segment;
mod images;
mod leaves;
mod path;
mod root;
mod stays;

pub use again::disc_disc_again;
pub use disc_arc::disc_arc_side;
pub use disc_circle::{disc_circle_inside, disc_circle_outside};
pub use disc_disc::disc_disc;
pub use disc_half_plane::disc_half_plane;
pub use disc_segment::{disc_one_sided_end, disc_one_sided_segment, disc_segment_side};
pub use images::{for_each_image_near, periods_last};
pub use leaves::leaves_circle;
pub use stays::{Stays, stays_below, stays_within};

use crate::DVec2;

/// A disc of constant radius on a parabola.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Centre, at the moment from which times are counted.
    pub position: DVec2,
    /// Velocity at that moment.
    pub velocity: DVec2,
    /// Acceleration, constant.
    pub acceleration: DVec2,
    /// Radius, ≥ 0; a disc of radius 0 is a point.
    pub radius: f64,
}

impl Motion {
    /// The same motion, counted from `t` seconds later.
    #[inline]
    #[must_use]
    pub fn after(&self, t: f64) -> Motion {
        let path = path::Path { d: self.position, v: self.velocity, a: self.acceleration };
        Motion { position: path.at(t), velocity: path.velocity(t), ..*self }
    }

    /// The motion along the tangent, without the acceleration.
    #[inline]
    #[must_use]
    pub fn straight(&self) -> super::Motion {
        super::Motion::new(self.position, self.velocity, self.radius)
    }

    /// Whether the path is straight: no acceleration, or one whose square underflows.
    #[inline(always)]
    fn is_straight(&self) -> bool {
        is_negligible(self.acceleration)
    }

    /// The path of the centre as seen from `origin`.
    #[inline(always)]
    fn path_from(&self, origin: DVec2) -> path::Path {
        path::Path { d: self.position - origin, v: self.velocity, a: self.acceleration }
    }
}

/// Whether an acceleration is zero, or so small that its square is. Written so that NaN is negligible, too.
#[inline(always)]
fn is_negligible(a: DVec2) -> bool {
    !(a.x * a.x + a.y * a.y > 0.0)
}

//! Pockets with a lip: what becomes of a ball whose centre is over the hole.
//!
//! The hole is a circle of radius `ρ` in the bed, whose edge towards the table is the lip; on the far side
//! stands the liner, on the same circle. A ball whose centre crosses the circle has no cloth under it: it
//! goes on with its velocity and falls, `h = ½ g τ²` after `τ` seconds. Three things can end that, each in
//! closed form:
//!
//! - its centre is as deep as the bed, `h = R`: nothing can bring it back, and it is potted;
//! - it meets the liner, where its centre is `ρ − R` from the middle and it moves away from the table;
//! - its centre comes back to the circle as it moves towards the table: it meets the lip, which is a sharp
//!   edge, a depth `h` below the height at which it would pass. With `cos α = (R − h)/R` the blow, without
//!   restitution and friction, leaves the speed `s = u cos α − g τ sin α` across the line from the edge to
//!   the centre, of a radial speed `u`; if `½ s² > g h` it climbs over the edge and has the radial speed
//!   `√(s² − 2 g h)` on the table. Else it is potted.
//!
//! See `docs/derivations/pocket-lip.md`.

use crate::fall::Fall;
use crate::motion::{BallState, Hold, MotionChange, length};
use carom_engine::glam::DVec3;
use carom_engine::math::sqrt;
use carom_engine::variants;
use carom_engine::{DVec2, State};

/// Restitution of the liner, an assumption: it is leather, rubber or plastic, and no measurement is known.
const LINER: f64 = 0.2;

/// What happens at a pocket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum PocketModel {
    /// A ball is potted as its centre reaches the circle.
    #[default]
    Mouth,
    /// The circle is a hole with a lip towards the table and a liner behind it: a ball that comes over it
    /// falls, and one that is fast may come back.
    Lip,
}

variants!(PocketModel: Mouth, Lip);

impl PocketModel {
    /// All of them.
    pub const ALL: [PocketModel; 2] = [PocketModel::Mouth, PocketModel::Lip];

    /// As it is called in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            PocketModel::Mouth => "mouth",
            PocketModel::Lip => "lip",
        }
    }
}

/// A ball over a hole: what it does next.
pub(crate) struct Falling<'a> {
    pub(crate) gravity: f64,
    pub(crate) ball_radius: f64,
    pub(crate) state: &'a State<BallState>,
}

impl Falling<'_> {
    /// From the middle of the hole to the ball.
    fn off(&self) -> DVec2 {
        self.state.position - self.state.extra.fall.center
    }

    /// Whether it moves towards the table: towards the origin, seen from the middle of the hole.
    fn is_coming_back(&self) -> bool {
        self.state.velocity.dot(self.state.extra.fall.center) <= 0.0
    }

    /// When, from now on, it meets what ends its flight, and what that is.
    pub(crate) fn next_change(&self) -> (f64, MotionChange) {
        let Fall { radius, lasts, .. } = self.state.extra.fall;
        let drops = (sqrt(2.0 * self.ball_radius / self.gravity) - lasts).max(0.0);
        let (at, change) = if self.is_coming_back() {
            (self.leaves(radius), MotionChange::MeetsLip)
        } else {
            // One that passes beside the inner circle meets the liner where it would leave the hole.
            let inner = radius - self.ball_radius;
            let at = if self.crosses(inner) { self.leaves(inner) } else { self.leaves(radius) };
            (at, MotionChange::MeetsLiner)
        };
        if at < drops { (at, change) } else { (drops, MotionChange::Drops) }
    }

    /// Whether it is within a circle about the middle, or will be.
    fn crosses(&self, radius: f64) -> bool {
        let (d, v) = (self.off(), self.state.velocity);
        let miss = d.perp_dot(v);
        d.length_squared() <= radius * radius
            || (d.dot(v) < 0.0 && miss * miss < radius * radius * v.length_squared())
    }

    /// When it leaves a circle about the middle, at the larger root: at once where it is outside and recedes.
    fn leaves(&self, radius: f64) -> f64 {
        let (d, v) = (self.off(), self.state.velocity);
        let (a, b) = (v.length_squared(), d.dot(v));
        if !(a > 0.0) {
            return f64::INFINITY;
        }
        let miss = d.perp_dot(v);
        let root = sqrt((a * radius * radius - miss * miss).max(0.0));
        // The sum without cancellation: the product of the roots is c/a.
        let at = if b > 0.0 { (radius * radius - d.length_squared()) / (b + root) } else { (root - b) / a };
        at.max(0.0)
    }

    /// The velocity after the liner: it turns the velocity towards it round, and takes that along it.
    fn off_liner(&self) -> DVec2 {
        let (d, v) = (self.off(), self.state.velocity);
        let outwards = v.dot(d).max(0.0) / d.length_squared();
        if outwards.is_finite() { d * (-LINER * outwards) } else { DVec2::ZERO }
    }

    /// The velocity on the table after the lip; none if the ball does not climb over it.
    fn over_lip(&self) -> Option<DVec2> {
        let (d, v, g) = (self.off(), self.state.velocity, self.gravity);
        let lasts = self.state.extra.fall.lasts;
        let (depth, sinks) = (0.5 * g * lasts * lasts, g * lasts);
        let distance = length(d);
        if !(distance > 0.0) || !(depth < self.ball_radius) {
            return None;
        }
        let outwards = v.dot(d) / distance;
        let cos = (self.ball_radius - depth) / self.ball_radius;
        let sin = sqrt((1.0 - cos * cos).max(0.0));
        let across = outwards * cos - sinks * sin;
        let left = across * across - 2.0 * g * depth;
        if !(across >= 0.0 && left >= 0.0) {
            return None;
        }
        Some(v + d * ((sqrt(left) - outwards) / distance))
    }

    /// The state after a change, and whether the ball is potted with it.
    pub(crate) fn changed(&self, change: MotionChange) -> (DVec2, BallState, bool) {
        let (velocity, extra) = (self.state.velocity, self.state.extra);
        match change {
            MotionChange::MeetsLiner => (self.off_liner(), extra, false),
            MotionChange::MeetsLip => match self.over_lip() {
                Some(velocity) => {
                    (velocity, BallState { hold: Hold::Slips, fall: Fall::default(), ..extra }, false)
                }
                None => (velocity, in_pocket(), true),
            },
            _ => (velocity, in_pocket(), true),
        }
    }
}

/// The state of a ball in a pocket.
fn in_pocket() -> BallState {
    BallState { spin: DVec3::ZERO, hold: Hold::Grips, ..BallState::default() }
}

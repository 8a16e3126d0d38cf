//! How a ball has turned: its angular velocity along a path, integrated.

use crate::{Ball, Piece};
use carom_engine::glam::{DQuat, DVec3};
use carom_engine::math::elementary::sin_cos;
use carom_engine::math::sqrt;

/// The longest step, in seconds.
const STEP: f64 = 1.0 / 256.0;

/// How a ball has turned since the beginning of its path, from one time to later ones: a quaternion of unit
/// length in the frame of the table, where z is upwards.
///
/// Between events the angular velocity is linear in time, except for the part about the vertical where it has
/// come to its end. Over a step `h` with the angular velocities `ω₁, ω₂` at the two nodes of Gauss the ball
/// turns by the vector
///
/// ```text
/// ½ h (ω₁ + ω₂) + (√3/12) h² ω₂ × ω₁ ,
/// ```
///
/// exact where the axis stays the same, as for a ball that rolls straight or spins in its place, and to
/// fourth order elsewhere (the Magnus expansion: Blanes, Casas, Oteo and Ros, Physics Reports 470 (2009)
/// 151).
#[derive(Clone, Debug)]
pub struct Turning<'a> {
    path: &'a [Piece],
    ball: &'a Ball,
    gravity: f64,
    time: f64,
    piece: usize,
    turned: DQuat,
}

impl<'a> Turning<'a> {
    /// At the beginning of a ball's path: not turned.
    #[must_use]
    pub fn new(path: &'a [Piece], ball: &'a Ball, gravity: f64) -> Self {
        let time = path.first().map_or(0.0, |piece| piece.start);
        Turning { path, ball, gravity, time, piece: 0, turned: DQuat::IDENTITY }
    }

    /// How it has turned at a time, in seconds since the stroke: not earlier than that of the last call.
    pub fn at(&mut self, time: f64) -> DQuat {
        while let Some(piece) = self.path.get(self.piece) {
            let end = self.path.get(self.piece + 1).map_or(f64::INFINITY, |next| next.start);
            self.turn_along(piece, end.min(time));
            if end > time {
                break;
            }
            self.piece += 1;
        }
        self.turned
    }

    fn turn_along(&mut self, piece: &Piece, until: f64) {
        let lasts = until - self.time;
        if !(lasts > 0.0 && lasts < f64::INFINITY) {
            return;
        }
        let steps = (lasts / STEP).ceil().clamp(1.0, 1e6);
        let (from, h) = (self.time, lasts / steps);
        let node = 0.5 / sqrt(3.0);
        for k in 0..steps as u64 {
            let middle = from + (k as f64 + 0.5) * h;
            let spin = |time: f64| piece.state(self.ball, self.gravity, time).spin;
            let (first, second) = (spin(middle - node * h), spin(middle + node * h));
            let by = (first + second) * (0.5 * h) + second.cross(first) * (sqrt(3.0) / 12.0 * (h * h));
            self.turned = (rotation(by) * self.turned).normalize();
        }
        self.time = until;
    }
}

/// The turn about the direction of a vector by its length.
fn rotation(by: DVec3) -> DQuat {
    let angle = sqrt(by.length_squared());
    if angle == 0.0 {
        return DQuat::IDENTITY;
    }
    let (sin, cos) = sin_cos(0.5 * angle);
    let axis = by * (sin / angle);
    DQuat::from_xyzw(axis.x, axis.y, axis.z, cos)
}

use carom_billiards::{Cue, Shot};

/// How the cue ball is going to be struck.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// In radians counter-clockwise from the x axis of the table.
    pub direction: f64,
    /// Of the cue, in m/s.
    pub speed: f64,
    /// Where the tip meets the ball, to the right of the centre as seen from the cue, in radii.
    pub side: f64,
    /// Above the centre, in radii.
    pub height: f64,
    /// How far the butt is lifted, in radians.
    pub elevation: f64,
}

/// The slowest and the fastest stroke, in m/s.
pub const SPEEDS: [f64; 2] = [0.05, 12.0];
/// The steepest cue, in radians.
pub const STEEPEST: f64 = 1.5;

impl Aim {
    /// Towards the foot of the table, through the centre.
    pub(super) const START: Aim =
        Aim { direction: std::f64::consts::FRAC_PI_2, speed: 2.5, side: 0.0, height: 0.0, elevation: 0.0 };

    /// That of a shot.
    pub(super) fn of(shot: &Shot) -> Self {
        let Shot { direction, speed, side, height, elevation, .. } = *shot;
        Aim { direction, speed, side, height, elevation }
    }

    /// The same with every number in its range; one that is none is that of `before`.
    pub(super) fn checked(self, before: Aim) -> Self {
        let or = |x: f64, before: f64| if x.is_finite() { x } else { before };
        let (mut side, mut height) = (or(self.side, before.side), or(self.height, before.height));
        let off = side.hypot(height);
        if off > 0.98 {
            (side, height) = (side / off * 0.98, height / off * 0.98);
        }
        Aim {
            direction: or(self.direction, before.direction) % std::f64::consts::TAU,
            speed: or(self.speed, before.speed).clamp(SPEEDS[0], SPEEDS[1]),
            side,
            height,
            elevation: or(self.elevation, before.elevation).clamp(0.0, STEEPEST),
        }
    }

    /// As a shot of a ball with a cue.
    pub(super) fn shot(&self, ball: &str, cue: Cue) -> Shot {
        let Aim { direction, speed, side, height, elevation } = *self;
        Shot { ball: ball.to_owned(), speed, direction, elevation, side, height, cue }
    }
}

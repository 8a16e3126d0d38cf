//! How far players are off what they mean.

use crate::Shot;
use crate::random::Random;

/// Standard deviations of the normal, independent errors of a player.
///
/// The model of the computer-pool tournaments: Archibald, Altman, Greenspan and Shoham, Computational Pool: A
/// New Challenge for Game Theory Pragmatics, AI Magazine 31 (4), 2010, p. 33.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Of the direction, in radians.
    pub direction: f64,
    /// Of the speed of the cue, in m/s.
    pub speed: f64,
    /// Of the tip sideways, as a fraction of the radius.
    pub side: f64,
    /// Of the tip upwards, as a fraction of the radius.
    pub height: f64,
    /// Of the elevation, in radians.
    pub elevation: f64,
}

/// A degree in radians.
const DEGREE: f64 = core::f64::consts::PI / 180.0;

impl Spread {
    /// That of the tournaments: 0.125° and 0.1° in direction and elevation, 0.075 m/s, half a millimetre in
    /// both directions of the tip on a pool ball.
    pub const TOURNAMENT: Spread = Spread {
        direction: 0.125 * DEGREE,
        speed: 0.075,
        side: 0.5e-3 / 0.028575,
        height: 0.5e-3 / 0.028575,
        elevation: 0.1 * DEGREE,
    };

    /// No errors.
    pub const NONE: Spread = Spread { direction: 0.0, speed: 0.0, side: 0.0, height: 0.0, elevation: 0.0 };

    /// All of them this many times as large.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Spread {
        Spread {
            direction: self.direction * factor,
            speed: self.speed * factor,
            side: self.side * factor,
            height: self.height * factor,
            elevation: self.elevation * factor,
        }
    }

    /// What a player makes of a shot: the errors of this number of a seed. The cue is not lowered below the
    /// level.
    #[must_use]
    pub fn played(&self, shot: &Shot, seed: u64, number: u64) -> Shot {
        let random = &mut Random::numbered(seed, number);
        let [direction, speed] = random.normal_pair();
        let [side, height] = random.normal_pair();
        let [elevation, _] = random.normal_pair();
        Shot {
            direction: shot.direction + self.direction * direction,
            speed: shot.speed + self.speed * speed,
            side: shot.side + self.side * side,
            height: shot.height + self.height * height,
            elevation: (shot.elevation + self.elevation * elevation).max(0.0),
            ..shot.clone()
        }
    }
}

impl Default for Spread {
    fn default() -> Self {
        Spread::TOURNAMENT
    }
}

//! The cue: how it strikes, and what is in its way.

use crate::error::within;
use crate::{Ball, Error, Layout};
use carom_engine::DVec2;
use carom_engine::glam::DVec3;
use carom_engine::math::elementary::{sin_cos, unit_vector};
use carom_engine::math::sqrt;

/// A cue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cue {
    /// Mass in kilograms, 0.05 to 10.
    pub mass: f64,
    /// Effective mass of its end, which the ball pushes aside, in kilograms; `None` for a thirtieth of the
    /// ball's.
    pub end_mass: Option<f64>,
    /// The largest offset of the tip as a fraction of the ball's radius, 0 to 0.95: beyond it slips off.
    pub miscue: f64,
    /// Length in metres, for what is in its way, as the radii.
    pub length: f64,
    /// Radius of the tip in metres: the cue widens evenly from there to the butt.
    pub tip_radius: f64,
    /// Radius of the end of the butt in metres.
    pub butt_radius: f64,
    /// How long the tip is on the ball, in seconds, 0 to 0.1: what the ball meets in that time it meets with
    /// the tip still on it.
    pub contact_time: f64,
    /// How far the cue follows through, in metres, 0 to 1, with the speed that the stroke leaves it: what
    /// the ball meets may let the tip catch up with it. Players differ.
    pub follow_through: f64,
}

impl Cue {
    /// 20 ounces, 58 inches, a tip of 13 mm.
    pub const POOL: Cue = Cue {
        mass: 0.567,
        end_mass: None,
        miscue: 0.5,
        length: 1.47,
        tip_radius: 0.0065,
        butt_radius: 0.0145,
        contact_time: 1e-3,
        follow_through: 0.05,
    };
    /// Lighter, with a tip of 9.5 mm.
    pub const SNOOKER: Cue = Cue { mass: 0.478, tip_radius: 0.00475, ..Cue::POOL };
}

impl Default for Cue {
    fn default() -> Self {
        Cue::POOL
    }
}

/// One stroke: how fast, where to, and where the tip meets the ball.
///
/// ```
/// use carom_billiards::{Ball, Shot};
///
/// // A level stroke through the centre: twice the speed of the cue, divided by 1 + m/M.
/// let shot = Shot::new(1.3).aimed_at(0.0);
/// let strike = shot.strike(&Ball::POOL)?;
/// assert!((strike.velocity.x - 2.6 / 1.3).abs() < 1e-4 && strike.velocity.y == 0.0);
/// # Ok::<(), carom_billiards::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Shot {
    /// Label of the ball that is struck.
    pub ball: String,
    /// Speed of the cue in m/s, more than 0, at most 30.
    pub speed: f64,
    /// Direction of the aim in the plane, in radians counter-clockwise from the x axis.
    pub direction: f64,
    /// How far the butt is lifted, in radians, 0 to less than π/2.
    pub elevation: f64,
    /// How far to the right of the centre the tip meets the ball, as seen from the cue, as a fraction of the
    /// radius: right english; less than 0 is left english.
    pub side: f64,
    /// How far above the centre, as a fraction of the radius: follow; less than 0 is draw.
    pub height: f64,
    /// The cue.
    pub cue: Cue,
}

/// What a stroke makes of a ball at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strike {
    /// Velocity of the ball, in m/s.
    pub velocity: DVec2,
    /// Angular velocity in radians a second.
    pub spin: DVec3,
    /// Angle by which the ball leaves the line of the aim, counter-clockwise: its tangent.
    pub squirt: f64,
    /// The speed in m/s with which the cue drives the ball down into the table, which takes it: a real ball
    /// would hop with about half of that.
    pub downwards: f64,
}

/// Of the speed of the cue ball: an impact that leaves it more only grazes the other ball. With a larger
/// share thin cuts would count as pushes, with a smaller one full hits would not.
const GRAZED: f64 = 0.95;

/// How often the tip meets the ball: see [`Cue::contact_time`] and [`Cue::follow_through`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tip {
    /// Once.
    #[default]
    Once,
    /// It is still on the ball as that meets another one, to which it was near without touching it: a push
    /// stroke of snooker, a foul by rule 6.7 of pool.
    StaysOn,
    /// The ball stops at another one or at a cushion, and the tip meets it again: a double hit.
    Again,
}

/// What is in the way of a cue.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstruction {
    /// What it is.
    pub by: Obstacle,
    /// The least elevation, in radians, at which the cue is clear of it and of everything else. `None` where
    /// the cue is not clear at any elevation.
    pub least_elevation: Option<f64>,
}

/// A thing that can be in the way of a cue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A cushion.
    Cushion,
    /// The rail behind a cushion.
    Rail,
    /// The ball of this label.
    Ball(String),
}

impl Shot {
    /// A level stroke through the centre of the cue ball, along x.
    #[must_use]
    pub fn new(speed: f64) -> Shot {
        let (ball, cue) = (Layout::CUE.into(), Cue::POOL);
        Shot { ball, speed, direction: 0.0, elevation: 0.0, side: 0.0, height: 0.0, cue }
    }

    /// In this direction, in radians counter-clockwise from the x axis.
    #[must_use]
    pub fn aimed_at(self, direction: f64) -> Shot {
        Shot { direction, ..self }
    }

    /// With the tip off the centre, to the right and upwards, as fractions of the radius: right english and
    /// follow; less than 0 is left english and draw.
    #[must_use]
    pub fn with_offset(self, side: f64, height: f64) -> Shot {
        Shot { side, height, ..self }
    }

    /// With the butt lifted by an angle in radians.
    #[must_use]
    pub fn with_elevation(self, elevation: f64) -> Shot {
        Shot { elevation, ..self }
    }

    /// With another ball.
    #[must_use]
    pub fn of_ball(self, ball: impl Into<String>) -> Shot {
        Shot { ball: ball.into(), ..self }
    }

    /// Refuses numbers out of range that say where the cue is.
    pub(crate) fn check_place(&self) -> Result<(), Error> {
        within("direction", self.direction, -1e6..=1e6, "a number from -1e6 to 1e6")?;
        within("elevation", self.elevation, 0.0..=1.57, "a number from 0 to 1.57 rad")?;
        within("side", self.side, -1.0..=1.0, "a number from -1 to 1")?;
        within("height", self.height, -1.0..=1.0, "a number from -1 to 1")?;
        within("cue.length", self.cue.length, 1e-3..=10.0, "a number from 0.001 to 10")?;
        within("cue.tip_radius", self.cue.tip_radius, 0.0..=0.1, "a number from 0 to 0.1")?;
        within("cue.butt_radius", self.cue.butt_radius, 0.0..=0.1, "a number from 0 to 0.1")?;
        within("cue.contact_time", self.cue.contact_time, 0.0..=0.1, "a number from 0 to 0.1")?;
        within("cue.follow_through", self.cue.follow_through, 0.0..=1.0, "a number from 0 to 1")
    }

    fn check(&self) -> Result<(), Error> {
        within("speed", self.speed, f64::MIN_POSITIVE..=30.0, "a number above 0, at most 30")?;
        self.check_place()?;
        within("cue.mass", self.cue.mass, 0.05..=10.0, "a number from 0.05 to 10")?;
        within("cue.miscue", self.cue.miscue, 0.0..=0.95, "a number from 0 to 0.95")?;
        within("cue.end_mass", self.cue.end_mass.unwrap_or(1.0), 1e-6..=10.0, "a number from 1e-6 to 10")?;
        let offset = sqrt(self.side * self.side + self.height * self.height);
        if offset > self.cue.miscue {
            return Err(Error::Miscue { offset, allowed: self.cue.miscue });
        }
        Ok(())
    }

    /// Unit vector of the aim.
    pub(crate) fn aim(&self) -> DVec2 {
        unit_vector(self.direction)
    }

    /// What the stroke makes of a ball at rest.
    ///
    /// An instantaneous impulse in one point (Alciatore, TP A-30): with the tip at `a R` to the right, `b R`
    /// upwards and `c = √(1 − a² − b²)` towards the cue, an elevation `θ`, cue speed `V` and masses `m` of
    /// the ball and `M` of the cue the speed along the cue is
    ///
    /// ```text
    /// v = 2V/(1 + m/M + (5/2)[a² + (b cos θ)² + (c sin θ)² − 2 b c sin θ cos θ]) .
    /// ```
    ///
    /// The table takes the downward part, and the moment of the impulse about the centre is the spin. Squirt
    /// (TP A-31) turns both by the angle whose tangent is `2.5 a √(1 − a²)/(1 + m/m_end + 2.5 (1 − a²))`, to
    /// the left for a tip on the right.
    ///
    /// # Errors
    /// For numbers out of range, and a tip so far out that it slips off.
    pub fn strike(&self, ball: &Ball) -> Result<Strike, Error> {
        self.check()?;
        ball.check_size()?;
        let (a, b) = (self.side, self.height);
        let c = sqrt(1.0 - a * a - b * b);
        let (sin, cos) = sin_cos(self.elevation);
        let lever = b * cos - c * sin;
        let turning = a * a + lever * lever;
        let speed = 2.0 * self.speed / (1.0 + ball.mass / self.cue.mass + 2.5 * turning);
        let mass_ratio = self.cue.end_mass.map_or(30.0, |end| ball.mass / end);
        let across = 1.0 - a * a;
        let squirt = 2.5 * a * sqrt(across) / (1.0 + mass_ratio + 2.5 * across);
        // Turned to the left by the squirt.
        let aim = self.aim();
        let forward = (aim + aim.perp() * squirt) / sqrt(1.0 + squirt * squirt);
        let right = -forward.perp();
        let rate = 2.5 * speed / ball.radius;
        let level = right * (-lever * rate) + forward * (a * sin * rate);
        let velocity = forward * (speed * cos);
        Ok(Strike { velocity, spin: level.extend(a * cos * rate), squirt, downwards: speed * sin })
    }

    /// How often the tip meets a ball of a mass that the stroke sends off, and that first meets something
    /// else after a time and has a velocity then.
    ///
    /// The ball leaves along the aim at `v` and the cue at `V′ = V − (m/M) v/cos θ`, after an elastic
    /// impact. Within half of the contact time the ball comes as far as while the tip is on it. If at `t`
    /// it is slowed down to `w < V′`, the tip is there at `t + t (v − V′)/(V′ − w)`, in case the cue
    /// follows through so far. A ball that is only grazed, so that the struck one keeps more than 95 % of
    /// its speed, counts for nothing (World Pool-Billiard Association, The Rules of Play, 6.7).
    pub(crate) fn tip(&self, mass: f64, strike: &Strike, time: f64, after: DVec2, at_ball: bool) -> Tip {
        let (aim, v) = (self.aim(), sqrt(strike.velocity.length_squared()));
        let (_, cos) = sin_cos(self.elevation);
        let cue_speed = (self.speed - mass / self.cue.mass * v / cos) * cos;
        let (w, keeps) = (after.dot(aim), sqrt(after.length_squared()));
        if keeps > GRAZED * v || !(time > 0.0) {
            return Tip::Once;
        }
        if time < 0.5 * self.cue.contact_time {
            // What is at a cushion is driven into it by the same contact.
            return if at_ball { Tip::StaysOn } else { Tip::Once };
        }
        let again = time + time * (v - cue_speed) / (cue_speed - w);
        let is_met = w < cue_speed && cue_speed * again <= self.cue.follow_through;
        if is_met { Tip::Again } else { Tip::Once }
    }
}

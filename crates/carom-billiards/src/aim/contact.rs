//! Where to aim, and what is met first.

use super::geometry::{angle_between, direction};
use crate::contact::centres_apart;
use crate::motion::{length, slip};
use crate::{Error, Full, Game, Happening, Shot};
use carom_engine::{DVec2, DiscRef};

/// How to meet a ball so that it leaves for a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// The ghost ball: where the cue ball is as it meets the other, in the frame of the table.
    pub ghost: DVec2,
    /// Direction of the aim, in radians counter-clockwise from the x axis.
    pub direction: f64,
    /// The cut angle between the aim and the line of centres, in radians from −π/2 to π/2; positive if the
    /// ball leaves to the left of the aim.
    pub cut: f64,
    /// How far the cue ball travels, in metres.
    pub distance: f64,
}

/// What a shot meets first, and what becomes of the two.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstContact {
    /// The label of the ball that is met.
    pub ball: String,
    /// Seconds since the stroke.
    pub time: f64,
    /// The angle between the velocity of the cue ball before and the line of centres, in radians; positive if
    /// the ball leaves to the left.
    pub cut: f64,
    /// The struck ball before and after.
    pub cue_ball: [Full; 2],
    /// The other one before and after.
    pub object_ball: [Full; 2],
    /// The velocities with which the two will roll, in that order, once they slip no more, if they meet
    /// nothing until then: `v − 2u/7` with the slip `u` (see [`slip`](crate::slip)).
    pub rolling: [DVec2; 2],
}

impl FirstContact {
    /// The angle by which the cue ball is deflected, from its velocity before to that with which it rolls in
    /// the end: 30° and a little more for a rolling ball and cuts from a quarter to three quarters of a ball.
    #[must_use]
    pub fn deflection(&self) -> f64 {
        angle_between(self.cue_ball[0].velocity, self.rolling[0])
    }
}

impl Game {
    /// How a ball is to meet another, straight, so that this one leaves for a place, in the frame of the
    /// table. `None` where that cannot be: the place is on the near side. Nothing says that the way is free.
    ///
    /// Balls of different radii touch where their centres are `2√(R₁R₂)` apart. What friction adds, the
    /// throw, is not in it.
    ///
    /// # Errors
    /// If one of the two is not on the table.
    pub fn aim_at(&self, of: &str, ball: &str, target: impl Into<DVec2>) -> Result<Option<Aim>, Error> {
        let place = |label: &str| {
            let ball = self.ball(self.index_of(label)?).filter(DiscRef::is_enabled);
            ball.map(|ball| (ball.position(), ball.radius())).ok_or_else(|| self.no_ball(label))
        };
        let ((cue, cue_radius), (object, radius)) = (place(of)?, place(ball)?);
        let to = self.table().to_world(target.into()) - object;
        let far = length(to);
        let ghost = object - to / far * centres_apart(cue_radius, radius);
        let aim = ghost - cue;
        let distance = length(aim);
        if !(distance > 0.0 && aim.dot(to) > 0.0 && far < f64::INFINITY) {
            return Ok(None);
        }
        let (direction, cut) = (direction(aim), angle_between(aim, to));
        Ok(Some(Aim { ghost: self.table().from_world(ghost), direction, cut, distance }))
    }

    /// What a shot meets first, and what becomes of the two there; the game stays as it is. `None` if it
    /// meets no ball.
    ///
    /// # Errors
    /// As [`Game::shoot`].
    pub fn first_contact(&self, shot: &Shot) -> Result<Option<FirstContact>, Error> {
        let index = self.index_of(&shot.ball)?;
        let recording = self.clone().record(shot)?;
        let balls = recording.moments.iter().filter(|moment| moment.what == Happening::Balls);
        let first = balls.into_iter().find_map(|moment| {
            let own = moment.balls.iter().find(|(ball, _, _)| *ball == index)?;
            let other = moment.balls.iter().find(|(ball, _, _)| *ball != index)?;
            Some((moment.time, own, other))
        });
        let Some((time, own, other)) = first else { return Ok(None) };
        let radius = |index: usize| self.layout().balls[index].ball.radius;
        let rolls = |index: usize, full: &Full| {
            full.velocity - slip(radius(index), full.velocity, full.spin) * (2.0 / 7.0)
        };
        let centres = other.1.position - own.1.position;
        Ok(Some(FirstContact {
            ball: self.layout().balls[other.0].label.clone(),
            time,
            cut: angle_between(own.1.velocity, centres),
            cue_ball: [own.1, own.2],
            object_ball: [other.1, other.2],
            rolling: [rolls(own.0, &own.2), rolls(other.0, &other.2)],
        }))
    }
}

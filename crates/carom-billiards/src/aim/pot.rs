//! A shot that pots a ball, and the stroke.

use super::routes::{Route, Wish};
use crate::{Outcome, Shot};
use carom_engine::DVec2;

/// A stroke without its direction, which is found for each pot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Speed of the cue in m/s.
    pub speed: f64,
    /// Where the tip meets the ball, to the right and upwards, as fractions of the radius: right english and
    /// follow; less than 0 is left english and draw.
    pub side: f64,
    /// As `side`.
    pub height: f64,
    /// How far the butt is lifted, in radians.
    pub elevation: f64,
}

impl Stroke {
    /// A level stroke through the centre.
    #[must_use]
    pub fn new(speed: f64) -> Stroke {
        Stroke { speed, side: 0.0, height: 0.0, elevation: 0.0 }
    }

    fn of(shot: &Shot) -> Stroke {
        Stroke { speed: shot.speed, side: shot.side, height: shot.height, elevation: shot.elevation }
    }
}

/// A shot that pots a ball.
#[derive(Clone, Debug, PartialEq)]
pub struct Pot {
    /// The label of the ball.
    pub ball: String,
    /// The number of the pocket: see [`Table::pocket_circles`](crate::Table::pocket_circles).
    pub pocket: usize,
    /// How.
    pub route: Route,
    /// The shot.
    pub shot: Shot,
    /// Where the cue ball is as it meets its first ball, by geometry, in the frame of the table.
    pub ghost: DVec2,
    /// The angle between the ways of what meets the ball and of the ball, by geometry, in radians, 0 to π/2.
    pub cut: f64,
    /// Half of the angle by which the ball may leave off the middle of its way, in radians.
    pub margin: f64,
    /// How far cue ball and balls travel until then, by geometry, in metres.
    pub distance: f64,
    /// Whether the cue ball falls as well.
    pub scratches: bool,
}

impl Pot {
    /// Whether an outcome is what was wanted: the ball falls into its pocket, the cue ball does not, and what
    /// is met first may be.
    #[must_use]
    pub fn is_made(&self, outcome: &Outcome, wish: &Wish) -> bool {
        let falls = outcome.potted.iter().any(|p| p.ball == self.ball && p.pocket == self.pocket);
        let scratches = outcome.potted.iter().any(|p| p.ball == outcome.ball);
        falls && !scratches && outcome.first_hit.as_ref().is_some_and(|ball| wish.may_meet(ball))
    }

    /// Whether another pot has the same ball, pocket, route and stroke; its direction may differ.
    pub(super) fn is_like(&self, other: &Pot) -> bool {
        (&self.ball, self.pocket, &self.route) == (&other.ball, other.pocket, &other.route)
            && Stroke::of(&self.shot) == Stroke::of(&other.shot)
    }

    /// Whether it pots this ball into this pocket, with the stroke of a shot.
    pub(super) fn is_of(&self, ball: &str, pocket: usize, shot: &Shot) -> bool {
        self.ball == ball && self.pocket == pocket && Stroke::of(&self.shot) == Stroke::of(shot)
    }

    /// Whether the ball goes into its pocket without a cushion and without another ball.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self.route, Route::Direct | Route::AlongRail(_))
    }
}

/// A stroke on the cue ball.
pub(super) fn shot_of(wish: &Wish, stroke: Stroke) -> Shot {
    let shot = Shot::new(stroke.speed).with_offset(stroke.side, stroke.height);
    shot.with_elevation(stroke.elevation).of_ball(wish.cue_ball.clone())
}

//! What came of a shot.

use crate::cue::{Obstruction, Strike};
use carom_engine::StopReason;

/// What came of a shot: from the stroke until all balls rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The ball that was struck; empty without a stroke.
    pub ball: String,
    /// What the stroke made of the ball; zeros without a stroke.
    pub strike: Strike,
    /// What is in the way of the cue, if the elevation is not enough. The shot is played all the same.
    pub obstruction: Option<Obstruction>,
    /// Which balls fell, where and when, in order.
    pub potted: Vec<Potted>,
    /// The first ball that the struck one met.
    pub first_hit: Option<String>,
    /// When it did, in seconds since the stroke.
    pub first_hit_at: Option<f64>,
    /// Whether that ball lay behind the head string, nearer than a quarter of the length to the head cushion,
    /// and the struck one had not been beyond the string before, at any of its contacts.
    pub met_behind_string: bool,
    /// Which balls met when, in order.
    pub hits: Vec<BallHit>,
    /// Who met which cushion when, in order.
    pub cushions: Vec<CushionHit>,
    /// The balls that the struck one touched before the stroke, with a gap of at most a micrometre.
    pub touching: Vec<String>,
    /// Seconds from the stroke to the last event, or to where it was stopped.
    pub duration: f64,
    /// `Reached` if all balls rest.
    pub end: StopReason,
    /// How many events the engine counted.
    pub events: u64,
    /// Contacts of balls, and of balls with cushions, that had an impulse.
    pub impacts: u64,
    /// Changes of motion: to rolling, spinning, rest.
    pub changes: u64,
    /// Pieces of the motion of balls that press on each other or on a cushion.
    pub pieces: u64,
}

impl Outcome {
    /// Whether the struck ball has been played at a ball that it touched: it meets that before anything else.
    #[must_use]
    pub fn plays_at_touching(&self) -> bool {
        let Some(at) = self.first_hit_at else { return false };
        let was_elsewhere = self.cushions.iter().any(|hit| hit.ball == self.ball && hit.time < at);
        let meets_touching = self.first_hit.as_ref().is_some_and(|ball| self.touching.contains(ball));
        meets_touching && !was_elsewhere
    }
}

/// A ball that fell.
#[derive(Clone, Debug, PartialEq)]
pub struct Potted {
    /// Its label.
    pub ball: String,
    /// The number of the pocket: see [`Table::pocket_circles`](crate::Table::pocket_circles).
    pub pocket: usize,
    /// Seconds since the stroke.
    pub time: f64,
}

/// A ball that met a cushion.
#[derive(Clone, Debug, PartialEq)]
pub struct CushionHit {
    /// The ball's label.
    pub ball: String,
    /// The number of the wall: see [`Table::segments`](crate::Table::segments), and jaws after these.
    pub cushion: usize,
    /// Seconds since the stroke.
    pub time: f64,
    /// Whether it has lain at this cushion since before the stroke, with a gap of at most a micrometre, and
    /// has not left: such a ball is not driven there (World Pool-Billiard Association, The Rules of Play,
    /// 8.4).
    pub frozen: bool,
}

/// Two balls that met.
#[derive(Clone, Debug, PartialEq)]
pub struct BallHit {
    /// Their labels.
    pub balls: [String; 2],
    /// Seconds since the stroke.
    pub time: f64,
}

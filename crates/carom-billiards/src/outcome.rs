//! What came of a shot.

use crate::cue::{Obstruction, Strike};
use carom_engine::StopReason;

/// What came of a shot: from the stroke until all balls rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// What the stroke made of the ball.
    pub strike: Strike,
    /// What is in the way of the cue, if the elevation is not enough. The shot is played all the same.
    pub obstruction: Option<Obstruction>,
    /// Which balls fell, where and when, in order.
    pub potted: Vec<Potted>,
    /// The first ball that the struck one met.
    pub first_hit: Option<String>,
    /// When it did, in seconds since the stroke.
    pub first_hit_at: Option<f64>,
    /// Who met which cushion when, in order.
    pub cushions: Vec<CushionHit>,
    /// Seconds from the stroke to the last event.
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
}

//! What an outcome gathers while a shot runs.

use crate::contact::centres_apart;
use crate::cushions::Cushions;
use crate::motion::{MotionChange, length};
use crate::table::cushion_number;
use crate::{Layout, Table};
use carom_engine::{DVec2, Event, Impact, Partner};

/// A gap, in metres, at which a ball counts as frozen to a cushion or to another ball: less than anyone sees,
/// and more than the 1e-9 m that balls which were pressed together are left apart.
pub(crate) const FROZEN: f64 = 1e-6;

/// What an outcome gathers on the way. Balls are known by their numbers in the layout, times are in seconds
/// since the stroke.
pub(crate) struct Gathered {
    /// The ball that the cue strikes; `None` without a stroke.
    struck: Option<usize>,
    start: f64,
    /// How far the head string is from the centre: at `-string`.
    string: f64,
    /// Where the balls lay, if they were on the table.
    lay: Vec<Option<DVec2>>,
    frozen: Vec<Frozen>,
    /// How far up the table the struck ball has been.
    farthest: f64,
    /// When the struck ball first met something, its velocity then, and whether that was a ball.
    pub(crate) first_impact: Option<(f64, DVec2, bool)>,
    pub(crate) last: f64,
    pub(crate) potted: Vec<(usize, DVec2, f64)>,
    pub(crate) first_hit: Option<(usize, f64)>,
    pub(crate) met_behind_string: bool,
    pub(crate) hits: Vec<([usize; 2], f64)>,
    /// Which ball met which cushion when, and whether it was frozen to it.
    pub(crate) cushions: Vec<(usize, usize, f64, bool)>,
    pub(crate) touching: Vec<usize>,
}

/// A ball that is frozen to a cushion.
struct Frozen {
    ball: usize,
    cushion: usize,
    /// Unit vector from the cushion to the ball.
    away: DVec2,
    /// When it was first seen to leave.
    left: Option<f64>,
}

impl Gathered {
    /// Before the first event of a shot: where the balls of a layout lie by now, if they are on the table.
    pub(crate) fn new(
        struck: Option<usize>,
        start: f64,
        (table, cushions): (&Table, &Cushions),
        layout: &Layout,
        lay: Vec<Option<DVec2>>,
    ) -> Self {
        let at = struck.and_then(|struck| lay.get(struck).copied().flatten());
        let radius = |k: usize| layout.balls.get(k).map_or(0.0, |placed| placed.ball.radius);
        let touches = |&k: &usize| {
            let (Some(struck), Some(at), Some(other)) = (struck, at, lay[k]) else { return false };
            k != struck && length(other - at) <= centres_apart(radius(struck), radius(k)) + FROZEN
        };
        let touching = (0..lay.len()).filter(touches).collect();
        let mut frozen = Vec::new();
        for (k, at) in lay.iter().enumerate() {
            frozen.extend(at.iter().flat_map(|&at| frozen_to(table, cushions, k, at, radius(k))));
        }
        Gathered {
            struck,
            start,
            string: 0.25 * table.length,
            farthest: at.map_or(f64::NEG_INFINITY, |at| at.y),
            lay,
            first_impact: None,
            frozen,
            last: start,
            potted: Vec::new(),
            first_hit: None,
            met_behind_string: false,
            hits: Vec::with_capacity(32),
            cushions: Vec::with_capacity(32),
            touching,
        }
    }

    /// Takes the stroke.
    pub(crate) fn strike(&mut self, velocity: DVec2) {
        if let Some(struck) = self.struck {
            self.leave(struck, velocity, 0.0);
        }
    }

    /// Takes an event of the world.
    pub(crate) fn take(&mut self, event: &Event<MotionChange>) {
        self.last = event.time().as_secs();
        let time = self.last - self.start;
        match event {
            Event::Captured(departure) => {
                self.potted.push((departure.user_data as usize, departure.position, time));
            }
            Event::Impact(impact) => self.take_impact(impact, time),
            _ => {}
        }
    }

    fn take_impact(&mut self, impact: &Impact, time: f64) {
        let [a, b] = impact.user_data.map(|note| note as usize);
        let at_ball = impact.b.disc().is_some();
        if self.first_impact.is_none() && (self.is_struck(a) || (at_ball && self.is_struck(b))) {
            let after = impact.after[if self.is_struck(a) { 0 } else { 1 }];
            self.first_impact = Some((time, after, at_ball));
        }
        if let Partner::Wall { .. } = impact.b {
            let cushion = cushion_number(impact.user_data[1], impact.b);
            let is_of = |frozen: &&Frozen| (frozen.ball, frozen.cushion) == (a, cushion);
            // Of the contacts of one instant none has left before another.
            let is_frozen = self.frozen.iter().find(is_of).is_some_and(|f| f.left.is_none_or(|l| l >= time));
            self.cushions.push((a, cushion, time, is_frozen));
        } else {
            self.hits.push(([a, b], time));
            self.leave(b, impact.after[1], time);
            if self.first_hit.is_none() && (self.is_struck(a) || self.is_struck(b)) {
                let met = if self.is_struck(a) { b } else { a };
                self.first_hit = Some((met, time));
                let lies_behind = self.lay[met].is_some_and(|at| at.y < -self.string);
                self.met_behind_string = lies_behind && self.farthest < -self.string;
            }
        }
        self.leave(a, impact.after[0], time);
    }

    /// The struck ball, if it matters how far up the table it comes: it begins behind the head string, as
    /// another ball does, and has met none.
    pub(crate) fn watched(&self) -> Option<usize> {
        let struck = self.struck.filter(|_| self.first_hit.is_none() && self.farthest < -self.string)?;
        let is_behind =
            |(k, at): (usize, &Option<DVec2>)| k != struck && at.is_some_and(|at| at.y < -self.string);
        self.lay.iter().enumerate().any(is_behind).then_some(struck)
    }

    /// Takes how far up the table the struck ball comes.
    pub(crate) fn see(&mut self, farthest: f64) {
        self.farthest = self.farthest.max(farthest);
    }

    /// Where the struck ball lay, and whether that is behind the head string or on it.
    pub(crate) fn from(&self) -> Option<(DVec2, bool)> {
        let at = self.struck.and_then(|struck| self.lay[struck])?;
        Some((at, at.y <= -self.string))
    }

    fn is_struck(&self, ball: usize) -> bool {
        self.struck == Some(ball)
    }

    /// Notes that a ball has left the cushions to which it was frozen, if its velocity says so.
    fn leave(&mut self, ball: usize, velocity: DVec2, time: f64) {
        for frozen in self.frozen.iter_mut().filter(|frozen| frozen.ball == ball && frozen.left.is_none()) {
            frozen.left = (velocity.dot(frozen.away) > 0.0).then_some(time);
        }
    }
}

/// The cushions to which a ball is frozen, straight or round.
fn frozen_to(table: &Table, cushions: &Cushions, ball: usize, at: DVec2, radius: f64) -> Vec<Frozen> {
    // On a table without an outline no cushion is nearer than the rectangle between the noses.
    let half = table.centre() - DVec2::splat(radius + FROZEN);
    if table.outline.is_none() && at.abs().cmplt(half).all() {
        return Vec::new();
    }
    let to = |(cushion, [from, distance]): (usize, [DVec2; 2])| {
        let is_frozen = distance.x > 0.0 && distance.x <= radius + FROZEN;
        is_frozen.then(|| Frozen { ball, cushion, away: from / distance.y, left: None })
    };
    let straight = cushions.straight.iter().map(|nose| {
        let from = at - nose.nearest(at);
        [from, DVec2::splat(length(from))]
    });
    let round = cushions.round.iter().map(|nose| {
        let from = at - nose.center;
        [from, DVec2::new(length(from) - nose.radius, length(from))]
    });
    straight.chain(round).enumerate().filter_map(to).collect()
}

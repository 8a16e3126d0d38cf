//! What the balls of a shot meet, from contact to contact.

use super::routes::{Rail, Route};
use super::steer::Trial;
use crate::motion::length;
use crate::table::cushion_number;
use crate::{Error, Game, MotionChange, Shot};
use carom_engine::{DVec2, DiscRef, Event, Impact, Time};

/// Impacts after which a shot is left: what comes of more no player foresees.
const MOST_IMPACTS: u32 = 60;

/// The way of a ball from one contact to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg {
    pub(super) ball: usize,
    /// Which contacts have led up to it: those of the ball, and those of the balls that it met, before they
    /// met.
    pub(super) chain: u64,
    /// Whether it has met nothing but the cue ball before, which had met nothing.
    pub(super) is_straight: bool,
    /// How many contacts the ball has had, and the cue ball before its first ball.
    pub(super) contacts: u32,
    /// How many noses the cue ball has met before its first ball, and the ball.
    pub(super) noses: [usize; 2],
    /// The pocket in which it ends.
    pub(super) pocket: Option<usize>,
    from: DVec2,
    to: DVec2,
}

impl Leg {
    /// How far the line of the leg passes a point on its right, if the leg leads at least half-way there.
    pub(super) fn offset(&self, point: DVec2) -> Option<f64> {
        let (way, to) = (self.to - self.from, point - self.from);
        let along = length(way);
        let ahead = way.dot(to) / along;
        (ahead > 0.0 && along > 0.5 * ahead).then(|| way.perp_dot(to) / along)
    }
}

/// A ball that is followed.
#[derive(Clone, Debug)]
pub(super) struct Followed {
    chain: u64,
    leg_from: DVec2,
    /// When the leg began: not before it has met something.
    leg_began: Option<Time>,
    radius: f64,
    /// How far it has come.
    pub(super) travelled: f64,
    /// How far since it met its last ball.
    pub(super) since_ball: f64,
    /// The cushions and the balls that it has met.
    cushions: Vec<usize>,
    balls: Vec<usize>,
    /// The cosine of the angle between what met it last and its own way after that.
    pub(super) cut: f64,
    /// The way of what met it last. What lay frozen had none: then the way of what pushed that.
    pushed: DVec2,
}

/// What a shot has come to.
#[derive(Clone, Debug)]
pub(super) struct Played {
    cue: usize,
    balls: Vec<Followed>,
    /// All legs of balls other than the cue ball.
    pub(super) legs: Vec<Leg>,
    /// Which ball fell where.
    pub(super) potted: Vec<(usize, usize)>,
    /// The cue ball as it met its first ball: where, how far it had come, and after how many cushions.
    pub(super) first: Option<(usize, DVec2, f64)>,
    kicks: Vec<usize>,
    /// The cushions of numbers below this are noses.
    noses: usize,
    impacts: u32,
}

/// A chain of contacts with one more (the finalizer of splitmix64).
fn longer(chain: u64, by: u64) -> u64 {
    let z = (chain ^ by.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z ^ (z >> 31)
}

impl Played {
    fn new(game: &Game, cue: usize) -> Self {
        let follow = |k: usize| Followed {
            chain: k as u64 + 1,
            leg_from: game.ball(k).map_or(DVec2::ZERO, |ball| ball.position()),
            leg_began: None,
            radius: game.layout().balls[k].ball.radius,
            travelled: 0.0,
            since_ball: 0.0,
            cushions: Vec::new(),
            balls: Vec::new(),
            cut: 1.0,
            pushed: DVec2::ZERO,
        };
        let balls = (0..game.discs().len()).map(follow).collect();
        let (legs, potted, kicks) = (Vec::new(), Vec::new(), Vec::new());
        Played { cue, balls, legs, potted, first: None, kicks, noses: game.table().noses(), impacts: 0 }
    }

    /// The contacts that have led up to each leg of a ball.
    pub(super) fn chains(&self, ball: usize) -> impl Iterator<Item = u64> + '_ {
        self.legs.iter().filter(move |leg| leg.ball == ball).map(|leg| leg.chain)
    }

    pub(super) fn ball(&self, ball: usize) -> &Followed {
        &self.balls[ball]
    }

    /// Takes an event; whether that is enough.
    fn take(&mut self, game: &Game, event: &Event<MotionChange>) -> bool {
        match event {
            Event::Impact(impact) => self.meet(impact),
            Event::Captured(departure) => {
                let ball = departure.user_data as usize;
                let pocket = game.pocket_at(departure.position);
                self.end_leg(ball, departure.position, departure.time, Some(pocket));
                self.potted.push((ball, pocket));
            }
            _ => {}
        }
        self.impacts > MOST_IMPACTS
    }

    fn meet(&mut self, impact: &Impact) {
        self.impacts += 1;
        let [a, b] = impact.user_data.map(|note| note as usize);
        self.end_leg(a, impact.point - impact.normal * self.balls[a].radius, impact.time, None);
        if impact.b.disc().is_none() {
            let cushion = cushion_number(impact.user_data[1], impact.b);
            let ball = &mut self.balls[a];
            ball.chain = longer(ball.chain, cushion as u64 | 1 << 32);
            ball.cushions.push(cushion);
            return;
        }
        self.end_leg(b, impact.point + impact.normal * self.balls[b].radius, impact.time, None);
        if self.first.is_none() && (a == self.cue || b == self.cue) {
            let cue = &self.balls[self.cue];
            self.first = Some((a + b - self.cue, cue.leg_from, cue.travelled));
            self.kicks.clone_from(&cue.cushions);
        }
        let chains = [a, b].map(|k| self.balls[k].chain);
        let pushed = [a, b].map(|k| self.balls[k].pushed);
        for (ball, other, own) in [(a, b, 0), (b, a, 1)] {
            let met = &mut self.balls[ball];
            met.chain = longer(chains[own], chains[1 - own]);
            met.balls.push(other);
            met.since_ball = 0.0;
            let [before, after] = [impact.before[1 - own], impact.after[own]];
            let way = if before == DVec2::ZERO { pushed[1 - own] } else { before };
            met.pushed = way;
            met.cut = way.dot(after) / (length(way) * length(after)).max(f64::MIN_POSITIVE);
        }
    }

    /// Ends a leg, and begins the next one. One begins when the ball meets something, and has a duration: by
    /// its places a ball that lies still would have one where the point of contact rounds otherwise.
    fn end_leg(&mut self, ball: usize, to: DVec2, time: Time, pocket: Option<usize>) {
        let followed = &mut self.balls[ball];
        let from = core::mem::replace(&mut followed.leg_from, to);
        followed.since_ball += length(to - from);
        followed.travelled += length(to - from);
        let began = followed.leg_began.replace(time);
        if ball != self.cue && began.is_some_and(|began| began != time) {
            let contacts = (self.kicks.len() + followed.cushions.len() + followed.balls.len()) as u32;
            let met = |all: &[usize]| all.iter().filter(|cushion| **cushion < self.noses).count();
            let noses = [met(&self.kicks), met(&followed.cushions)];
            let is_straight = contacts == 1 && self.first.is_some_and(|first| first.0 == ball);
            let chain = followed.chain;
            self.legs.push(Leg { ball, chain, is_straight, contacts, noses, pocket, from, to });
        }
    }

    /// The route of a ball that has fallen.
    pub(super) fn route(&self, game: &Game, ball: usize) -> Option<Route> {
        let (first, ..) = self.first?;
        let met = &self.balls[ball];
        let label = |k: usize| game.layout().balls[k].label.clone();
        let rail = |cushion: usize| {
            let is_rail = game.table().outline.is_none();
            Rail::ALL.into_iter().find(|rail| is_rail && rail.has(cushion))
        };
        let mut others: Vec<usize> = Vec::new();
        for other in core::iter::once(first).chain(met.balls.iter().copied()) {
            if other != ball && other != self.cue && !others.contains(&other) {
                others.push(other);
            }
        }
        let is_by_cue = met.balls.first() == Some(&self.cue);
        let several = || Route::Several {
            kicks: self.kicks.len(),
            banks: met.cushions.len(),
            balls: others.iter().map(|k| label(*k)).collect(),
        };
        Some(match (&self.kicks[..], &met.cushions[..], &others[..]) {
            ([], [], []) => Route::Direct,
            ([kick], [], []) => rail(*kick).map_or_else(several, Route::Kick),
            ([], [bank], []) => rail(*bank).map_or_else(several, Route::Bank),
            ([], [], [by]) if first == *by && is_by_cue => Route::Carom(label(*by)),
            ([], [], [by]) if first == *by => Route::Combination(label(*by)),
            _ => several(),
        })
    }
}

impl Trial<'_> {
    /// Plays a shot, and follows its balls.
    pub(super) fn follow(&mut self, shot: &Shot) -> Result<Played, Error> {
        let cue = self.game.index_of(&shot.ball)?;
        let mut played = Played::new(self.game, cue);
        let game = self.game;
        let trial = self.begun(shot)?;
        trial.world_mut().advance_until_event(64.0, |event| played.take(game, event))?;
        let now = trial.world().now();
        for k in 0..trial.discs().len() {
            if let Some(ball) = trial.ball(k).filter(DiscRef::is_enabled) {
                played.end_leg(k, ball.position(), now, None);
            }
        }
        Ok(played)
    }
}

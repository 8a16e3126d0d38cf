//! Pots by cushions and other balls, found by a fan of directions that grows where something is sought.
//!
//! Two neighbours of the fan whose balls have had the same contacts so far send a ball off in directions
//! between which all others lie. Where one passes a pocket on its left and the other on its right, a shot
//! between the two is a guess. Where a ball that is sought has had other contacts in one of two neighbours
//! than in the other, there is more to be found between them: that angle is halved. Every shot that is
//! played belongs to the fan from then on.

use super::follow::Played;
use super::geometry::{Scene, arc_sin, direction, turned};
use super::pot::Pot;
use super::routes::{Route, Wish};
use crate::motion::length;
use crate::sight::is_in_path;
use crate::{Error, Game, Shot};
use carom_engine::DVec2;
use carom_engine::math::sqrt;
use core::f64::consts::{PI, TAU};

/// Directions at equal angles over a full turn with which a fan begins: those in which the cue ball meets a
/// cushion first. Further ones at each ball that it can see, from edge to edge.
const ROUND: usize = 100;
const AT_BALL: usize = 16;

/// How often the fan grows.
const ROUNDS: usize = 6;

/// Guesses of a round for a ball and a pocket without a way so far; and for one with a way by geometry, with
/// the number of rounds that have these.
const GUESSES: usize = 20;
const MORE_GUESSES: usize = 2;
const MORE_WAYS: usize = 3;

/// Angles that are halved in a round for each ball and pocket without a way, in all at most, and the
/// narrowest, in radians.
const HALVED: usize = 8;
const MOST_HALVED: usize = 100;
const NARROWEST: f64 = 1e-5;

/// Directions nearer to each other than this, in radians, say nothing of what is between them.
const APART: f64 = 1e-9;

/// How far beyond two neighbours a line may lead to a pocket, in units of the angle between them: what they
/// have in common may end before the next one.
const BEYOND: f64 = 0.75;

/// A fan of directions of one stroke.
pub(super) struct Fan<'a> {
    game: &'a Game,
    wish: &'a Wish,
    shot: Shot,
    pockets: Vec<(DVec2, f64)>,
    /// In the order of their directions.
    samples: Vec<Sample>,
    sought: Vec<Sought>,
    round: usize,
}

/// A direction that has been played.
struct Sample {
    aim: f64,
    played: Played,
    is_new: bool,
    /// How often the angle to the next one has been halved.
    halved: i32,
}

/// A ball and a pocket.
struct Sought {
    ball: usize,
    pocket: usize,
    /// Whether it is known how it is potted straight, and the routes that are known.
    is_straight: bool,
    known: Vec<Route>,
    /// How difficult it may be to pot it in which direction.
    guesses: Vec<(f64, f64)>,
    best: Option<(f64, Pot)>,
    is_done: bool,
}

impl<'a> Fan<'a> {
    /// An empty fan, for what is not among the pots that are found.
    pub(super) fn new(game: &'a Game, wish: &'a Wish, shot: Shot, found: &[Pot]) -> Result<Self, Error> {
        let pockets = game.table().pocket_circles();
        let mut sought = Vec::new();
        for label in &wish.pot {
            let ball = game.index_of(label)?;
            for pocket in 0..pockets.len() {
                let is_it = |pot: &&Pot| pot.is_of(label, pocket, &shot);
                let is_straight = found.iter().filter(is_it).any(Pot::is_plain);
                let known = found.iter().filter(is_it).map(|pot| pot.route.clone()).collect();
                let (guesses, best, is_done) = (Vec::new(), None, false);
                sought.push(Sought { ball, pocket, is_straight, known, guesses, best, is_done });
            }
        }
        Ok(Fan { game, wish, shot, pockets, samples: Vec::new(), sought, round: 0 })
    }

    /// The shots that are to be played next, in the order of their directions; none at the end.
    pub(super) fn grow(&mut self) -> Result<Vec<Shot>, Error> {
        self.round += 1;
        let mut aims = match self.round {
            1 => self.first_aims()?,
            _ if self.round > ROUNDS => Vec::new(),
            _ => self.guessed(),
        };
        if self.round > 1 && self.round <= ROUNDS {
            self.halve(&mut aims);
        }
        // From −π to π, as the angles of directions are.
        for aim in &mut aims {
            *aim -= if aim.abs() > PI { TAU.copysign(*aim) } else { 0.0 };
        }
        aims.sort_by(f64::total_cmp);
        aims.dedup_by(|next, aim| *next - *aim < APART);
        aims.retain(|aim| !self.is_played(*aim));
        Ok(aims.into_iter().map(|aim| self.shot.clone().aimed_at(aim)).collect())
    }

    /// Whether a direction is that of a shot that has been played.
    fn is_played(&self, aim: f64) -> bool {
        let apart = |sample: Option<&Sample>| {
            let apart = sample.map_or(f64::INFINITY, |sample| (sample.aim - aim).abs());
            apart.min((TAU - apart).abs())
        };
        let next = self.samples.partition_point(|sample| sample.aim < aim);
        let after = self.samples.get(next).or(self.samples.first());
        let before = next.checked_sub(1).map_or(self.samples.last(), |last| self.samples.get(last));
        apart(after).min(apart(before)) < APART
    }

    /// At equal offsets over each ball that the cue ball can see, and at equal angles elsewhere.
    fn first_aims(&self) -> Result<Vec<f64>, Error> {
        let (game, wish) = (self.game, self.wish);
        let cue = game.index_of(&wish.cue_ball)?;
        if self.sought.is_empty() {
            return Ok(Vec::new());
        }
        let scene = Scene::new(game);
        let Some((from, _)) = scene.balls[cue] else { return Err(game.no_ball(&wish.cue_ball)) };
        let seen: Vec<_> = (0..scene.balls.len())
            .filter(|k| *k != cue && scene.balls[*k].is_some())
            .filter_map(|k| Some((k, game.seen(k, cue)?)))
            .collect();
        let mut ways = Vec::new();
        for k in 0..ROUND {
            let way = turned(DVec2::X, k as f64 * (TAU / ROUND as f64));
            if !seen.iter().any(|(_, ball)| is_in_path(from, way, f64::INFINITY, *ball)) {
                ways.push(way);
            }
        }
        let label = |ball: usize| &game.layout().balls[ball].label;
        for (ball, target) in seen.iter().filter(|(ball, _)| wish.may_meet(label(*ball))) {
            let to = target.at - from;
            let distance = length(to);
            for k in 0..AT_BALL {
                let beside = (2 * k + 1) as f64 / AT_BALL as f64 - 1.0;
                let way = turned(to / distance, arc_sin((target.reach / distance).min(1.0) * beside));
                let far = to.dot(way) - target.reach * sqrt(1.0 - beside * beside);
                let is_hidden =
                    |(other, seen): &(usize, _)| other != ball && is_in_path(from, way, far, *seen);
                if !seen.iter().any(is_hidden) {
                    ways.push(way);
                }
            }
        }
        Ok(ways.into_iter().map(direction).collect())
    }

    /// The easiest guesses.
    fn guessed(&mut self) -> Vec<f64> {
        let mut aims = Vec::new();
        for sought in self.sought.iter_mut().filter(|sought| !sought.is_done) {
            let least = sought.best.as_ref().map_or(f64::INFINITY, |best| best.0);
            sought.guesses.sort_by(|a, b| a.0.total_cmp(&b.0));
            let is_known = !sought.known.is_empty();
            let most = if is_known { MORE_GUESSES } else { GUESSES };
            let count = sought.guesses.iter().take(most).take_while(|guess| guess.0 < least).count();
            // Once it has a way, what may be easier is tried in one round.
            let is_tried = self.round > if is_known { 1 + MORE_WAYS } else { 2 };
            sought.is_done =
                if is_known { is_tried } else { sought.best.is_some() && (is_tried || count == 0) };
            if !sought.is_done {
                aims.extend(sought.guesses.drain(..count).map(|guess| guess.1));
            }
        }
        aims
    }

    /// Adds directions between neighbours, where balls without a way into some pockets have had other
    /// contacts in one than in the other: most pockets first, and wide angles.
    fn halve(&mut self, aims: &mut Vec<f64>) {
        let mut open = vec![0.0; self.game.discs().len()];
        let is_open = |sought: &&Sought| sought.known.is_empty() && sought.best.is_none();
        self.sought.iter().filter(is_open).for_each(|sought| open[sought.ball] += 1.0);
        let count = (HALVED * self.sought.iter().filter(is_open).count()).min(MOST_HALVED);
        let worth = |k: usize| {
            let (aim, next) = self.after(k);
            let [a, b] = [&self.samples[k], &self.samples[next]];
            let differs = |ball: usize| !a.played.chains(ball).eq(b.played.chains(ball));
            let all = open.iter().enumerate().filter(|(ball, pockets)| **pockets > 0.0 && differs(*ball));
            let sum: f64 = all.map(|(_, pockets)| pockets).sum();
            if aim - a.aim > NARROWEST { sum * 0.5_f64.powi(a.halved) } else { 0.0 }
        };
        let angle = |k: usize| self.after(k).0 - self.samples[k].aim;
        let mut between: Vec<_> = (0..self.samples.len()).map(|k| (worth(k), angle(k), k)).collect();
        between.retain(|(worth, ..)| *worth > 0.0);
        between.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)));
        let Some(&(least, narrow, _)) = between.get(count.min(between.len()).wrapping_sub(1)) else { return };
        // With all that are equal, so that the image of a table in a mirror has the same fan.
        let is_taken = |(worth, angle, _): &(f64, f64, usize)| {
            *worth > least || (*worth == least && *angle > narrow * (1.0 - 1e-9))
        };
        for (_, angle, k) in between.into_iter().take_while(is_taken) {
            self.samples[k].halved += 1;
            aims.push(self.samples[k].aim + 0.5 * angle);
        }
    }

    /// The direction after one, and its number.
    fn after(&self, k: usize) -> (f64, usize) {
        let next = (k + 1) % self.samples.len();
        (self.samples[next].aim + if next == 0 { TAU } else { 0.0 }, next)
    }

    /// Takes what has come of shots, in the order of their directions.
    pub(super) fn take(&mut self, played: impl Iterator<Item = (f64, Played)>) {
        let old = core::mem::take(&mut self.samples);
        self.samples = Vec::with_capacity(old.len() + played.size_hint().0);
        let mut new = played.map(|(aim, played)| Sample { aim, played, is_new: true, halved: 0 }).peekable();
        // Those before the first one halve the angle from the last one.
        let mut halved = old.last().map_or(0, |last| last.halved);
        for sample in old {
            while let Some(new) = new.next_if(|new| new.aim < sample.aim) {
                self.samples.push(Sample { halved, ..new });
            }
            halved = sample.halved;
            self.samples.push(Sample { is_new: false, ..sample });
        }
        self.samples.extend(new.map(|new| Sample { halved, ..new }));
        for k in 0..self.samples.len() {
            let next = self.after(k).1;
            if self.samples[k].is_new || self.samples[next].is_new {
                self.guess_between(k);
            }
            if self.samples[k].is_new {
                self.look_at(k);
            }
        }
    }

    /// Guesses between a direction and the next one, by false position. How difficult one is: by how much
    /// the line of the ball is displaced at the pocket for an angle of the aim, times the square of the
    /// number of contacts, as each brings errors of its own.
    fn guess_between(&mut self, k: usize) {
        let (until, next) = self.after(k);
        let (from, angle) = (self.samples[k].aim, until - self.samples[k].aim);
        if !(angle > APART) {
            return;
        }
        let [a, b] = [k, next].map(|k| &self.samples[k].played);
        for leg in a.legs.iter().filter(|leg| self.wish.takes(leg.noses)) {
            let is_like = |sought: &&mut Sought| sought.ball == leg.ball && !sought.is_done;
            let is_wanted =
                |sought: &&mut Sought| is_like(sought) && !(sought.is_straight && leg.is_straight);
            let mut wanted = self.sought.iter_mut().filter(is_wanted).peekable();
            let Some(other) =
                wanted.peek().and_then(|_| b.legs.iter().find(|other| other.chain == leg.chain))
            else {
                continue;
            };
            for sought in wanted {
                let center = self.pockets[sought.pocket].0;
                let (Some(x), Some(y)) = (leg.offset(center), other.offset(center)) else { continue };
                let share = x / (x - y);
                if (-BEYOND..=1.0 + BEYOND).contains(&share) {
                    let difficulty = (x - y).abs() / angle * f64::from(leg.contacts * leg.contacts);
                    sought.guesses.push((difficulty, from + share * angle));
                }
            }
        }
    }

    /// Takes the pots of a direction.
    fn look_at(&mut self, k: usize) {
        let last = k.checked_sub(1).unwrap_or(self.samples.len() - 1);
        let angle = |k: usize| self.after(k).0 - self.samples[k].aim;
        let beside = [(last, angle(last)), (self.after(k).1, angle(k))];
        let Sample { aim, played, .. } = &self.samples[k];
        for leg in &played.legs {
            let Some(pocket) = leg.pocket else { continue };
            let is_it = |sought: &&mut Sought| (sought.ball, sought.pocket) == (leg.ball, pocket);
            let Some(sought) = self.sought.iter_mut().find(is_it) else { continue };
            let (center, mouth) = self.pockets[pocket];
            let displaced = |k: usize| {
                let other = self.samples[k].played.legs.iter().find(|other| other.chain == leg.chain)?;
                Some((other.offset(center)? - leg.offset(center)?).abs())
            };
            // By chance it is as wide as the fan is.
            let by = |(k, angle)| displaced(k).map_or(mouth, |by: f64| by.min(mouth)) / angle;
            let contacts = f64::from(leg.contacts * leg.contacts);
            let difficulty = beside.into_iter().map(by).fold(f64::INFINITY, f64::min) * contacts;
            let is_easier = sought.best.as_ref().is_none_or(|best| difficulty < best.0);
            if is_easier && !sought.is_done && !(sought.is_straight && leg.is_straight) {
                let shot = self.shot.clone().aimed_at(*aim);
                let pot = played.pot(self.game, shot, (leg.ball, pocket, mouth), self.wish);
                let is_new = |pot: &Pot| !sought.known.contains(&pot.route) && self.wish.takes(leg.noses);
                sought.best = pot.filter(is_new).map(|pot| (difficulty, pot)).or_else(|| sought.best.take());
            }
        }
    }

    /// Adds what is found to what was known.
    pub(super) fn add_to(self, found: &mut Vec<Pot>) {
        found.extend(self.sought.into_iter().filter_map(|sought| sought.best).map(|(_, pot)| pot));
    }
}

impl Played {
    /// The pot that a shot has made.
    fn pot(
        &self,
        game: &Game,
        shot: Shot,
        (ball, pocket, mouth): (usize, usize, f64),
        wish: &Wish,
    ) -> Option<Pot> {
        let label = |k: usize| &game.layout().balls[k].label;
        let (_, ghost, distance) = self.first.filter(|first| wish.may_meet(label(first.0)))?;
        let followed = self.ball(ball);
        Some(Pot {
            ball: label(ball).clone(),
            pocket,
            route: self.route(game, ball)?,
            ghost: game.table().from_world(ghost),
            cut: crate::elementary::arc_cos(followed.cut.clamp(0.0, 1.0)),
            margin: arc_sin((mouth / followed.since_ball.max(mouth)).min(1.0)),
            distance: distance + followed.travelled,
            scratches: self.potted.iter().any(|fell| *label(fell.0) == wish.cue_ball),
            shot,
        })
    }
}

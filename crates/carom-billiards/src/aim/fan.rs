//! Pots by cushions and other balls, found by a fan of directions.
//!
//! Two neighbours of the fan whose balls have had the same contacts so far send a ball off in directions
//! between which all others lie. Where one passes a pocket on its left and the other on its right, a shot
//! between the two pots it.

use super::follow::{Leg, Played};
use super::geometry::{Scene, arc_sin, direction, turned};
use super::pot::Pot;
use super::routes::Wish;
use super::steer::Trial;
use crate::motion::length;
use crate::sight::is_in_path;
use crate::{Error, Game, Shot};
use carom_engine::DVec2;
use carom_engine::math::sqrt;
use core::f64::consts::TAU;

/// Directions at equal angles over a full turn. Those in which the cue ball meets a cushion first are tried.
const ROUND: usize = 1000;

/// Directions at the balls that are to be potted, in all, and the most at one of them, from edge to edge.
const AT_BALLS: usize = 768;
const MOST_AT_BALL: usize = 192;

/// The same at one that is not to be potted.
const AT_OTHER: usize = 64;

/// Pairs of neighbours that are tried for a ball and a pocket, and steps of false position for each.
const TRIED: usize = 10;
const STEPS: usize = 6;

/// How far beyond two neighbours a line may lead to a pocket, in units of the angle between them: what they
/// have in common may end before the next one.
const BEYOND: f64 = 0.75;

/// The directions of a fan, in order: at equal offsets over each ball that the cue ball can see, and at equal
/// angles elsewhere.
pub(super) fn aims(game: &Game, wish: &Wish) -> Result<Vec<f64>, Error> {
    let cue = game.index_of(&wish.cue_ball)?;
    if wish.pot.is_empty() || game.table().pocket_circles().is_empty() {
        return Ok(Vec::new());
    }
    let scene = Scene::new(game);
    let Some((from, _)) = scene.balls[cue] else { return Err(Error::NoSuchBall(wish.cue_ball.clone())) };
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
    let wanted = seen.iter().filter(|(ball, _)| wish.pot.contains(label(*ball))).count();
    for (ball, target) in seen.iter().filter(|(ball, _)| wish.may_meet(label(*ball))) {
        let is_wanted = wish.pot.contains(label(*ball));
        let count = if is_wanted { MOST_AT_BALL.min(AT_BALLS / wanted) } else { AT_OTHER };
        let to = target.at - from;
        let distance = length(to);
        for k in 0..count {
            let beside = (2 * k + 1) as f64 / count as f64 - 1.0;
            let way = turned(to / distance, arc_sin((target.reach / distance).min(1.0) * beside));
            let far = to.dot(way) - target.reach * sqrt(1.0 - beside * beside);
            let is_hidden = |(other, seen): &(usize, _)| other != ball && is_in_path(from, way, far, *seen);
            if !seen.iter().any(is_hidden) {
                ways.push(way);
            }
        }
    }
    let mut aims: Vec<f64> = ways.into_iter().map(direction).collect();
    aims.sort_by(f64::total_cmp);
    Ok(aims)
}

/// Two neighbours of a fan between which a ball passes over a pocket, or one that pots it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    ball: usize,
    pocket: usize,
    chain: u64,
    aims: [f64; 2],
    offsets: [f64; 2],
    /// By how much the line of the ball is displaced at the pocket for an angle of the aim, times the square
    /// of the number of contacts: each brings errors of its own.
    difficulty: f64,
}

/// The crossings for each ball and pocket that a wish asks for, the easiest first. Straight ones are left out
/// where another way has found those.
pub(super) fn crossings(
    game: &Game,
    wish: &Wish,
    aims: &[f64],
    fan: &[Played],
    is_found: impl Fn(&str, usize) -> bool,
) -> Result<Vec<Vec<Crossing>>, Error> {
    let mut all = Vec::new();
    for label in &wish.pot {
        let ball = game.index_of(label)?;
        for (pocket, (center, mouth)) in game.table().pocket_circles().into_iter().enumerate() {
            let is_wanted = |leg: &&Leg| leg.ball == ball && !(leg.is_straight && is_found(label, pocket));
            let mut found = Vec::new();
            for (k, next) in fan.iter().enumerate() {
                let last = k.checked_sub(1).unwrap_or(fan.len() - 1);
                let pair = [if k == 0 { aims[last] - TAU } else { aims[last] }, aims[k]];
                for leg in next.legs.iter().filter(is_wanted) {
                    let Some(offset) = leg.offset(center) else { continue };
                    let in_common = |k: usize| fan[k].legs.iter().find(|other| other.chain == leg.chain);
                    let at = |k: usize| in_common(k).and_then(|other| other.offset(center));
                    let (before, after) = (at(last), at((k + 1) % fan.len()));
                    let displaced = |to: Option<f64>| to.map_or(f64::INFINITY, |to| (offset - to).abs());
                    let difficult = |by: f64| by * f64::from(leg.contacts * leg.contacts);
                    let crossing = |aims: [f64; 2], offsets, by| {
                        let difficulty = difficult(by / (aims[1] - aims[0]));
                        Crossing { ball, pocket, chain: leg.chain, aims, offsets, difficulty }
                    };
                    if let Some(b) = before.filter(|b| (-BEYOND..=1.0 + BEYOND).contains(&(b / (b - offset))))
                    {
                        found.push(crossing(pair, [b, offset], displaced(before)));
                    }
                    if leg.pocket == Some(pocket) {
                        // By chance it is as wide as the fan is.
                        let by = displaced(before).min(displaced(after)).min(mouth);
                        found.push(Crossing { aims: [aims[k]; 2], ..crossing(pair, [0.0; 2], by) });
                    }
                }
            }
            found.sort_by(|a, b| a.difficulty.total_cmp(&b.difficulty));
            found.truncate(TRIED);
            all.push(found);
        }
    }
    Ok(all)
}

impl Trial<'_> {
    /// The pot of the first crossing that has one by a route that is not found yet.
    pub(super) fn cross(
        &mut self,
        shot: &Shot,
        crossings: &[Crossing],
        wish: &Wish,
        found: &[Pot],
    ) -> Result<Option<Pot>, Error> {
        for crossing in crossings {
            let pot = self.cross_one(shot, crossing, wish)?;
            let is_new = |pot: &Pot| !found.iter().any(|other| pot.is_like(other));
            if let Some(pot) = pot.filter(is_new) {
                return Ok(Some(pot));
            }
        }
        Ok(None)
    }

    /// By false position between two neighbours, by secants beyond them.
    fn cross_one(&mut self, shot: &Shot, crossing: &Crossing, wish: &Wish) -> Result<Option<Pot>, Error> {
        let Crossing { ball, pocket, chain, mut aims, mut offsets, .. } = *crossing;
        let (center, mouth) = self.game.table().pocket_circles()[pocket];
        for _ in 0..STEPS {
            let share = offsets[0] / (offsets[0] - offsets[1]);
            let is_between = (offsets[0] < 0.0) != (offsets[1] < 0.0);
            let share = if is_between { share.clamp(0.02, 0.98) } else { share.clamp(-2.0, 3.0) };
            let aim = if aims[0] == aims[1] { aims[0] } else { aims[0] + share * (aims[1] - aims[0]) };
            let shot = shot.clone().aimed_at(aim);
            let played = self.follow(&shot)?;
            if played.potted.contains(&(ball, pocket)) {
                return Ok(self.pot_of(shot, &played, (ball, pocket, mouth), wish));
            }
            let leg = played.legs.iter().find(|leg| leg.chain == chain);
            let Some(offset) = leg.and_then(|leg| leg.offset(center)) else { break };
            let is_second = if is_between {
                (offset < 0.0) != (offsets[0] < 0.0)
            } else {
                offsets[1].abs() > offsets[0].abs()
            };
            let side = usize::from(is_second);
            (aims[side], offsets[side]) = (aim, offset);
        }
        Ok(None)
    }

    /// The pot that a shot has made.
    fn pot_of(
        &self,
        shot: Shot,
        played: &Played,
        (ball, pocket, mouth): (usize, usize, f64),
        wish: &Wish,
    ) -> Option<Pot> {
        let label = |k: usize| &self.game.layout().balls[k].label;
        let (_, ghost, distance) = played.first.filter(|first| wish.may_meet(label(first.0)))?;
        let followed = played.ball(ball);
        Some(Pot {
            ball: label(ball).clone(),
            pocket,
            route: played.route(self.game, ball)?,
            ghost: self.game.table().from_world(ghost),
            cut: crate::elementary::arc_cos(followed.cut.clamp(0.0, 1.0)),
            margin: arc_sin((mouth / followed.since_ball.max(mouth)).min(1.0)),
            distance: distance + followed.travelled,
            scratches: played.potted.iter().any(|fell| *label(fell.0) == wish.cue_ball),
            shot,
        })
    }
}

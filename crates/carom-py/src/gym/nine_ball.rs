//! Nine-ball by the rules of `carom-billiards`: a step is a shot.

use super::random::Random;
use super::task::{Failed, Step, Task, share};
use carom_billiards::aim::{Aim, Spread};
use carom_billiards::rules::{CueBall, Intent, Next, NineBall, Player};
use carom_billiards::{Cue, Game, Layout, Rack, Shot, Table};
use carom_engine::DVec2;
use std::sync::Arc;

/// What a match is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// Whether the other player is scripted. If not, whoever's turn it is is the agent.
    pub(crate) is_scripted: bool,
    /// How many times as far as a good player the scripted one is off what it means.
    pub(crate) spread: f64,
    pub(crate) limit: u32,
}

#[derive(Clone)]
pub(crate) struct Pool {
    rules: Rules,
    start: Arc<Game>,
    game: Game,
    judge: NineBall,
    agent: Player,
    seed: u64,
    turn: u32,
    shots: u64,
}

/// Speeds of the cue, the largest offset of the tip as a share of what slips off, the largest elevation.
const SPEEDS: [f64; 2] = [0.5, 10.0];
const OFFSET: f64 = 0.98;
const ELEVATION: f64 = 0.5;
/// The reward of a ball that is potted without a foul, and what a foul costs.
const POTTED: f64 = 0.1;
const FOUL: f64 = 0.1;
const BALLS: usize = 10;
/// Shots of a scripted player in a row, after which something is wrong.
const MOST_SHOTS: u32 = 200;

impl Pool {
    pub(crate) fn new(rules: Rules) -> Result<Self, Failed> {
        let table = Table::pool_9ft();
        let start = Rack::nine_ball().place(&table, 0)?.build(&table)?;
        let (game, agent) = (start.clone(), Player::First);
        let (start, judge) = (Arc::new(start), NineBall::new());
        Ok(Pool { rules, start, game, judge, agent, seed: 0, turn: 0, shots: 0 })
    }

    fn cue_ball(&self) -> CueBall {
        match self.judge.next() {
            Next::Shoots { cue_ball, .. } => cue_ball,
            _ => CueBall::Lies,
        }
    }

    fn shooter(&self) -> Option<Player> {
        match self.judge.next() {
            Next::Shoots { player, .. } => Some(player),
            _ => None,
        }
    }

    /// The places of the balls in the frame of the table, the cue ball first.
    fn places(&self) -> impl Iterator<Item = Option<DVec2>> + '_ {
        let world = self.game.world();
        let place = move |&id| world.get(id).filter(|ball| ball.is_enabled()).map(|ball| ball.position());
        self.game.discs().iter().map(move |id| Some(self.game.table().from_world(place(id)?)))
    }

    fn place_of(&self, label: &str) -> Option<DVec2> {
        self.places().nth(self.game.index_of(label).ok()?)?
    }

    /// Puts the cue ball there if it is in hand and may be there. One that is off the table comes back
    /// wherever there is room.
    fn put(&mut self, at: DVec2) -> Result<(), Failed> {
        let cue_ball = self.cue_ball();
        let is_put = cue_ball != CueBall::Lies && cue_ball.place(&mut self.game, at).is_ok();
        if !is_put && self.place_of(Layout::CUE).is_none() {
            self.game.spot(Layout::CUE)?;
        }
        Ok(())
    }

    /// Plays a shot of the player whose turn it is, with the cue raised over what is in its way. Gives the
    /// player's reward.
    fn play(&mut self, mut shot: Shot, player: Player) -> Result<f64, Failed> {
        shot.elevation = shot.elevation.max(self.game.least_elevation(&shot)?.unwrap_or(0.0));
        let outcome = self.game.shoot(&shot)?;
        let ruling = self.judge.judge(&outcome, Intent::Play)?;
        for ball in &ruling.spotted {
            self.game.spot(ball)?;
        }
        let is_foul = !ruling.fouls.is_empty();
        let gained = if is_foul { -FOUL } else { POTTED * outcome.potted.len() as f64 };
        Ok(gained + self.won(player))
    }

    /// 1 for the winner, -1 for the other.
    fn won(&self, player: Player) -> f64 {
        match self.judge.next() {
            Next::Won { player: winner } if winner == player => 1.0,
            Next::Won { .. } => -1.0,
            _ => 0.0,
        }
    }

    /// Lets the scripted player shoot for as long as it is its turn. Gives the agent's reward.
    fn let_other_play(&mut self) -> Result<f64, Failed> {
        let other = self.agent.other();
        for _ in 0..MOST_SHOTS {
            if !self.rules.is_scripted || self.shooter() != Some(other) {
                return Ok(self.won(self.agent));
            }
            let shot = self.scripted()?;
            self.shots += 1;
            let shot = Spread::TOURNAMENT.scaled(self.rules.spread).played(&shot, self.seed, self.shots);
            self.play(shot, other)?;
        }
        Err(Failed(format!("the scripted player had {MOST_SHOTS} shots and did not come to an end")))
    }

    /// What a scripted player does: it breaks; it plays the ball that is on to the pocket that is easiest; it
    /// plays at that ball where none is open.
    fn scripted(&mut self) -> Result<Shot, Failed> {
        let (on, head) = (self.judge.ball_on().to_string(), self.game.table().length * 0.22);
        let Some(ball) = self.place_of(&on) else {
            return Err(Failed(format!("ball {on} is on, and not on the table")));
        };
        match self.cue_ball() {
            CueBall::Lies => {}
            CueBall::InHand => self.put_behind(&on, ball)?,
            _ => self.put(DVec2::new(0.5 * self.game.table().width, head))?,
        }
        let cue = self.place_of(Layout::CUE).unwrap_or(ball);
        let straight = self.game.aim_at(Layout::CUE, &on, ball * 2.0 - cue)?.map_or(0.0, |aim| aim.direction);
        if self.cue_ball() == CueBall::BehindHeadString {
            return Ok(Shot::new(9.0).aimed_at(straight));
        }
        let best = self.best_pot(&on, cue)?;
        Ok(best.map_or(Shot::new(4.0).aimed_at(straight), |pot| Shot::new(3.0).aimed_at(pot.direction)))
    }

    fn pockets(&self) -> Vec<DVec2> {
        let table = self.game.table();
        table.pocket_circles().into_iter().map(|(center, _)| table.from_world(center)).collect()
    }

    /// In hand: behind the ball on the line from a pocket, where there is room.
    fn put_behind(&mut self, on: &str, ball: DVec2) -> Result<(), Failed> {
        for pocket in self.pockets() {
            let at = ball + (ball - pocket).normalize_or(DVec2::Y) * 0.3;
            if CueBall::InHand.place(&mut self.game, at).is_ok() && self.best_pot(on, at)?.is_some() {
                return Ok(());
            }
        }
        self.put(self.game.table().centre())
    }

    /// The pot with the smallest cut whose ways no other ball is in.
    fn best_pot(&self, on: &str, cue: DVec2) -> Result<Option<Aim>, Failed> {
        let ball = self.place_of(on).unwrap_or(cue);
        let mut best: Option<Aim> = None;
        for pocket in self.pockets() {
            let Some(aim) = self.game.aim_at(Layout::CUE, on, pocket)? else { continue };
            let is_open =
                self.is_open([cue, aim.ghost], &[cue, ball]) && self.is_open([ball, pocket], &[cue, ball]);
            if is_open && aim.cut < 1.1 && best.as_ref().is_none_or(|best| aim.cut < best.cut) {
                best = Some(aim);
            }
        }
        Ok(best)
    }

    /// Whether a ball can go from here to there without meeting others than those at some places.
    fn is_open(&self, [from, to]: [DVec2; 2], but: &[DVec2]) -> bool {
        let (way, width) = (to - from, 2.0 * self.game.table().ball.radius);
        let is_aside = |place: DVec2| {
            let share = ((place - from).dot(way) / way.length_squared()).clamp(0.0, 1.0);
            (place - from - way * share).length() > width
        };
        self.places().flatten().filter(|place| !but.contains(place)).all(is_aside)
    }
}

impl Task for Pool {
    fn widths(&self) -> [usize; 2] {
        [3 * BALLS + 7, 7]
    }

    fn reset(&mut self, seed: u64) -> Result<(), Failed> {
        let layout = Rack::nine_ball().place(self.start.table(), seed)?;
        (self.game, self.judge) = (self.start.with_layout(&layout)?, NineBall::new());
        (self.seed, self.turn, self.shots) = (seed, 0, 0);
        let is_first = !self.rules.is_scripted || Random::new(seed).between(DVec2::ZERO, DVec2::ONE).x < 0.5;
        self.agent = if is_first { Player::First } else { Player::Second };
        // Whoever wins on the break has not played: the next rack has another number.
        self.let_other_play()?;
        if self.shooter().is_some() { Ok(()) } else { self.reset(seed.wrapping_add(1)) }
    }

    fn step(&mut self, action: &[f32]) -> Result<Step, Failed> {
        let Some(player) = self.shooter() else { return Err(Failed("the game is over".to_owned())) };
        let given: [f64; 7] = std::array::from_fn(|k| share(action[k]));
        let [direction, speed, side, height, elevation, x, y] = given;
        let table = self.game.table();
        let half = table.centre() - DVec2::splat(table.ball.radius);
        let is_behind = self.cue_ball() == CueBall::BehindHeadString;
        let up = if is_behind { 0.248 * (1.0 + y) - 1.0 } else { y };
        self.put(table.centre() + half * DVec2::new(x, up))?;
        let tip = DVec2::new(side, height).clamp_length_max(1.0) * (OFFSET * Cue::POOL.miscue);
        let shot = Shot::new(SPEEDS[0] + 0.5 * (1.0 + speed) * (SPEEDS[1] - SPEEDS[0]))
            .aimed_at(std::f64::consts::PI * direction)
            .with_offset(tip.x, tip.y)
            .with_elevation(0.5 * (1.0 + elevation) * ELEVATION);
        let gained = self.play(shot, player)?;
        self.turn += 1;
        let won = if self.shooter().is_some() { self.let_other_play()? } else { 0.0 };
        Ok(Step {
            reward: gained + won,
            is_terminated: self.shooter().is_none(),
            is_truncated: self.turn >= self.rules.limit,
        })
    }

    fn observe(&self, row: &mut [f32]) {
        let centre = self.game.table().centre();
        let seen =
            |place: Option<DVec2>| place.map_or([0.0; 3], |at| [at.x - centre.x, at.y - centre.y, 1.0]);
        let balls = self.places().flat_map(seen);
        let player = self.shooter().unwrap_or(self.agent);
        let [on_x, on_y, _] = seen(self.place_of(&self.judge.ball_on().to_string()));
        let flag = |is_so: bool| f64::from(u8::from(is_so));
        let cue_ball = self.cue_ball();
        let others = [
            on_x,
            on_y,
            flag(cue_ball == CueBall::InHand),
            flag(cue_ball == CueBall::BehindHeadString),
            f64::from(self.judge.fouls(player)),
            f64::from(self.judge.fouls(player.other())),
            flag(player == Player::Second),
        ];
        for (place, number) in row.iter_mut().zip(balls.chain(others)) {
            *place = number as f32;
        }
    }

    fn picture(&self, width: u32) -> Result<Vec<u8>, Failed> {
        let recording = self.game.clone().record_until(None, 0.0)?;
        let picture = carom_billiards::Picture::new(self.game.table(), self.game.layout(), &recording);
        Ok(picture.with_title("Nine-ball").with_width(width).png_at(0.0)?)
    }
}

//! The pinball of `carom-games`.

use super::random::Random;
use super::task::{Failed, Step, Task, share};
use carom_engine::DVec2;
use carom_games::Input;
use carom_games::pinball::{Action, Game, Options, Pilot, Side};

/// What a game is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Play {
    pub(crate) balls: u32,
    pub(crate) limit: u32,
}

#[derive(Clone)]
pub(crate) struct Pinball {
    play: Play,
    start: Game,
    game: Game,
    random: Random,
    pressed: [bool; 2],
    /// The turn from which the table may be pushed again.
    may_nudge: u32,
    turn: u32,
}

/// Turns between two pushes: who pushes more often tilts the table.
const TILT: u32 = 150;
/// A push that is less than this share of the largest is none.
const LEAST: f64 = 0.5;
/// How much a launch differs from what is meant.
const SPREAD: f64 = 0.02;
/// Points that are a reward of 1.
const UNIT: f64 = 100.0;
/// The lane of the launch, and the height of its ball.
const LANE: (f64, f64) = (5.0, 2.1);
const SIDES: [Side; 2] = [Side::Left, Side::Right];

impl Pinball {
    pub(crate) fn new(play: Play) -> Result<Self, Failed> {
        let (start, random) = (Game::new(&Options::default())?, Random::new(0));
        let game = start.clone();
        Ok(Pinball { play, start, game, random, pressed: [false; 2], may_nudge: 0, turn: 0 })
    }

    fn is_in_lane(&self) -> bool {
        let [place, velocity] = self.game.ball_state();
        place.x > LANE.0 && place.y < LANE.1 && velocity.length() < 0.5
    }

    fn actions(&mut self, action: &[f32]) -> Vec<Action> {
        let mut actions = Vec::new();
        for (k, side) in SIDES.into_iter().enumerate() {
            let is_pressed = action[k] > 0.0;
            if is_pressed != self.pressed[k] {
                self.pressed[k] = is_pressed;
                actions.push(if is_pressed { Action::Press(side) } else { Action::Release(side) });
            }
        }
        let speed = 0.5 * (1.0 + share(action[2])) * Game::LAUNCH;
        let nudge = DVec2::new(share(action[3]), share(action[4]));
        if self.is_in_lane() && self.game.world().is_enabled(self.game.ball()) {
            let spread = DVec2::new(SPREAD, 0.0);
            actions.push(Action::Launch(speed * (1.0 + self.random.between(-spread, spread).x)));
        } else if nudge.length() > LEAST && self.turn >= self.may_nudge {
            self.may_nudge = self.turn + TILT;
            actions.push(Action::Nudge(nudge * Game::NUDGE));
        }
        actions
    }
}

impl Task for Pinball {
    fn widths(&self) -> [usize; 2] {
        [12, 5]
    }

    fn reset(&mut self, seed: u64) -> Result<(), Failed> {
        self.game.clone_from(&self.start);
        self.random = Random::new(seed);
        (self.pressed, self.may_nudge, self.turn) = ([false; 2], 0, 0);
        Ok(())
    }

    fn step(&mut self, action: &[f32]) -> Result<Step, Failed> {
        let (before, time) = (self.game.points(), f64::from(self.turn) * Pilot::TURN);
        for action in self.actions(action) {
            self.game.input(Input { time, player: 0, action })?;
        }
        self.turn += 1;
        self.game.advance_to(f64::from(self.turn) * Pilot::TURN)?;
        Ok(Step {
            reward: (self.game.points() - before) as f64 / UNIT,
            is_terminated: self.game.lost() >= self.play.balls,
            is_truncated: self.turn >= self.play.limit,
        })
    }

    fn observe(&self, row: &mut [f32]) {
        let (game, world) = (&self.game, self.game.world());
        let [place, velocity] = game.ball_state();
        let turned = |flipper| world.arm(flipper).map_or(0.0, |arm| arm.angle);
        let [left, right] = game.flippers().map(turned);
        let flag = |is_so: bool| f64::from(u8::from(is_so));
        let [low, middle, high] = game.targets().map(flag);
        let numbers = [
            place.x / 10.0,
            place.y / 10.0,
            velocity.x / 10.0,
            velocity.y / 10.0,
            left,
            std::f64::consts::PI - right,
            flag(world.is_enabled(game.ball())),
            flag(self.is_in_lane()),
            flag(self.turn >= self.may_nudge),
            low,
            middle,
            high,
        ];
        for (place, number) in row.iter_mut().zip(numbers) {
            *place = number as f32;
        }
    }

    fn picture(&self, width: u32) -> Result<Vec<u8>, Failed> {
        Ok(carom_games::pinball::picture(&self.game, width, None)?)
    }
}

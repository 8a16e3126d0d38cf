//! Asteroids, as one plays it.

use super::play::{Controls, Play, SEED};
use carom_engine::DVec2;
use carom_games::{Board, Error, Input, asteroids};
use carom_scene::Rgb;

/// One ship, which has three lives.
pub(super) struct Asteroids {
    game: asteroids::Game,
    /// When the ship turns by its next step.
    turn: f64,
    thrusts: bool,
}

impl Asteroids {
    const LIVES: u32 = 3;
    /// Seconds a step of 5°: half a turn a second.
    const STEP: f64 = 1.0 / 36.0;

    pub(super) fn new() -> Result<Self, Error> {
        let options = asteroids::Options { seed: SEED, ..asteroids::Options::default() };
        Ok(Asteroids { game: asteroids::Game::new(&options)?, turn: 0.0, thrusts: false })
    }

    fn give(&mut self, action: asteroids::Action) -> Result<(), Error> {
        self.game.input(Input { time: self.game.now(), player: 0, action })
    }

    /// By how many steps to turn: to the side of the arrows, or to the pointer while that is pressed.
    fn steps(&self, controls: &Controls) -> i8 {
        if controls.arrows.x != 0.0 {
            return if controls.arrows.x > 0.0 { -1 } else { 1 };
        }
        let (Some(place), Some(pointer)) = (self.game.place(0), controls.pointer) else { return 0 };
        let heading = self.game.ships().first().map_or(DVec2::Y, |ship| ship.heading);
        let (along, across) = (heading.dot(pointer - place), heading.perp_dot(pointer - place));
        let is_ahead = along > 0.0 && across.abs() < 0.05 * along;
        if !controls.is_pressed || is_ahead { 0 } else { across.signum() as i8 }
    }
}

impl Play for Asteroids {
    fn advance(&mut self, seconds: f64, controls: &Controls) -> Result<(), Error> {
        let now = self.game.now();
        let until = now + seconds;
        let thrusts = controls.arrows.y > 0.0;
        if thrusts != self.thrusts {
            self.thrusts = thrusts;
            self.give(asteroids::Action::Thrust(thrusts))?;
        }
        if controls.space || controls.is_pressed {
            self.give(asteroids::Action::Fire)?;
        }
        while self.turn <= until {
            self.game.advance_to(self.turn.max(now))?;
            let steps = self.steps(controls);
            if steps != 0 {
                self.give(asteroids::Action::Turn(steps))?;
            }
            self.turn += Self::STEP;
        }
        self.game.advance_to(until)
    }

    fn now(&self) -> f64 {
        self.game.now()
    }

    fn draw(&self, board: &mut dyn Board) {
        asteroids::draw(&self.game, board);
    }

    fn bounds(&self) -> (DVec2, DVec2) {
        asteroids::bounds()
    }

    fn ground(&self) -> Rgb {
        asteroids::GROUND
    }

    fn steers(&self) -> bool {
        true
    }

    fn status(&self) -> String {
        let [score, lives] = self
            .game
            .ships()
            .first()
            .map_or([0; 2], |ship| [ship.score, Self::LIVES.saturating_sub(ship.lost)]);
        format!("{score} points, wave {}, {lives} lives", self.game.wave())
    }

    fn outcome(&self) -> Option<String> {
        let ship = self.game.ships().first()?;
        (ship.lost >= Self::LIVES).then(|| format!("{} points", ship.score))
    }

    fn help(&self) -> &'static str {
        "Left and right arrow, or A and D: turn. Up, or W: thrust. Space: fire. A press or a finger turns to \
         where it is, and fires. The plane wraps around. Three lives."
    }
}

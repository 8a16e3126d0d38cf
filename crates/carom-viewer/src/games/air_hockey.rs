//! Air hockey, as one plays it.

use super::play::{Controls, Play, SEED};
use carom_engine::{DVec2, Forces};
use carom_games::{Board, Error, Input, air_hockey};
use carom_scene::Rgb;

/// Air hockey against the pilot, up to seven.
pub(super) struct AirHockey {
    game: air_hockey::Game<Forces>,
    pilot: air_hockey::Pilot<Forces>,
    turn: f64,
}

impl AirHockey {
    const GOALS: u32 = 7;
    /// Of the puck, on its cushion of air.
    const FRICTION: f64 = 0.02;

    pub(super) fn new() -> Result<Self, Error> {
        let game = air_hockey::Game::with_friction(Self::FRICTION, &air_hockey::Options::default())?;
        Ok(AirHockey { game, pilot: air_hockey::Pilot::new(SEED), turn: 0.0 })
    }
}

impl Play for AirHockey {
    fn advance(&mut self, seconds: f64, controls: &Controls) -> Result<(), Error> {
        let (now, [mine, _]) = (self.game.now(), self.game.mallets());
        let place = self.game.world().get(mine).map_or(DVec2::ZERO, |disc| disc.position());
        let target = match controls.pointer {
            _ if controls.arrows != DVec2::ZERO => Some(place + controls.arrows * 0.05),
            pointer => pointer,
        };
        if let Some(target) = target {
            self.game.input(Input { time: now, player: 0, action: air_hockey::Mouse(target) })?;
        }
        let until = now + seconds;
        while self.turn <= until {
            self.game.advance_to(self.turn)?;
            let mouse = self.pilot.decide(&self.game, 1);
            self.game.input(Input { time: self.turn, player: 1, action: air_hockey::Mouse(mouse) })?;
            self.turn += air_hockey::Pilot::TURN;
        }
        self.game.advance_to(until)
    }

    fn now(&self) -> f64 {
        self.game.now()
    }

    fn draw(&self, board: &mut dyn Board) {
        air_hockey::draw(&self.game, board);
    }

    fn bounds(&self) -> (DVec2, DVec2) {
        air_hockey::bounds()
    }

    fn ground(&self) -> Rgb {
        air_hockey::GROUND
    }

    fn status(&self) -> String {
        let [mine, other] = self.game.score();
        format!("{mine} : {other}")
    }

    fn outcome(&self) -> Option<String> {
        let [mine, other] = self.game.score();
        let words = if mine > other { "You win" } else { "The other side wins" };
        (mine.max(other) >= Self::GOALS).then(|| format!("{words}, {mine} : {other}"))
    }

    fn help(&self) -> &'static str {
        "The blue mallet follows the mouse, the finger or the arrows. Seven goals win. \
         Who keeps the puck for seven seconds loses it."
    }
}

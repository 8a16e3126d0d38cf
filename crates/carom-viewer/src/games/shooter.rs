//! The shooter, as one plays it.

use super::play::{Controls, Play, SEED};
use carom_engine::DVec2;
use carom_games::{Board, Error, Input, shooter};
use carom_scene::Rgb;

/// Three ships against three.
pub(super) struct Shooter {
    game: shooter::Game,
    pilot: shooter::Pilot,
    turn: f64,
    steer: DVec2,
}

impl Shooter {
    const POINTS: u32 = 10;

    pub(super) fn new() -> Result<Self, Error> {
        let game = shooter::Game::new(&shooter::Options::default())?;
        Ok(Shooter { game, pilot: shooter::Pilot::new(SEED), turn: 0.0, steer: DVec2::ZERO })
    }

    fn actions(&mut self, controls: &Controls) -> Vec<shooter::Action> {
        use shooter::{Action, Game};
        let mut actions = Vec::new();
        let Some(place) = self.game.place(0) else { return actions };
        let aim = controls.pointer.map(|pointer| pointer - place);
        let finger = aim.filter(|aim| controls.is_touch && controls.is_pressed && aim.length() > 2.0);
        let way =
            if controls.arrows == DVec2::ZERO { finger.unwrap_or(DVec2::ZERO) } else { controls.arrows };
        let steer = way.normalize_or_zero() * Game::SPEED;
        if steer != self.steer {
            self.steer = steer;
            actions.push(Action::Steer(steer));
        }
        let ahead = self.game.ships().first().map(|ship| ship.heading);
        let fire = if controls.is_pressed { aim } else { ahead.filter(|_| controls.space) };
        actions.extend(fire.filter(|fire| *fire != DVec2::ZERO).map(Action::Fire));
        actions
    }
}

impl Play for Shooter {
    fn advance(&mut self, seconds: f64, controls: &Controls) -> Result<(), Error> {
        let now = self.game.now();
        for action in self.actions(controls) {
            self.game.input(Input { time: now, player: 0, action })?;
        }
        let until = now + seconds;
        while self.turn <= until {
            self.game.advance_to(self.turn)?;
            for player in 1..self.game.ships().len() {
                let (steer, fire) = self.pilot.decide(&self.game, player);
                for action in [steer, fire].into_iter().flatten() {
                    self.game.input(Input { time: self.turn, player, action })?;
                }
            }
            self.turn += shooter::Pilot::TURN;
        }
        self.game.advance_to(until)
    }

    fn now(&self) -> f64 {
        self.game.now()
    }

    fn draw(&self, board: &mut dyn Board) {
        shooter::draw(&self.game, board);
        if let Some(place) = self.game.place(0) {
            board.ring(place, 1.5 * shooter::Game::SHIP, 0.06, Rgb(0xff, 0xff, 0xff), 0.8);
        }
    }

    fn bounds(&self) -> (DVec2, DVec2) {
        shooter::bounds()
    }

    fn ground(&self) -> Rgb {
        shooter::GROUND
    }

    fn status(&self) -> String {
        let [blue, red] = self.game.score();
        format!("blue {blue} : {red} red")
    }

    fn outcome(&self) -> Option<String> {
        let [blue, red] = self.game.score();
        let words = if blue > red { "Blue wins" } else { "Red wins" };
        (blue.max(red) >= Self::POINTS).then(|| format!("{words}, {blue} : {red}"))
    }

    fn help(&self) -> &'static str {
        "Yours is the blue ship with a ring. Arrows, or W, A, S, D: fly. Mouse: aim, and fire while it is \
         pressed; Space: fire ahead. A finger does both. Ten points win."
    }
}

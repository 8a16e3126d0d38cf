//! Pinball, as one plays it.

use super::play::{Controls, Play};
use carom_engine::DVec2;
use carom_games::{Board, Error, Input, pinball};
use carom_scene::Rgb;

/// Three balls.
pub(super) struct Pinball {
    game: pinball::Game,
    pressed: [bool; 2],
    /// Seconds for which the plunger has been drawn.
    drawn: f64,
    nudged: bool,
}

impl Pinball {
    const BALLS: u32 = 3;
    /// Seconds in which the plunger is drawn wholly.
    const DRAW: f64 = 0.8;

    pub(super) fn new() -> Result<Self, Error> {
        let game = pinball::Game::new(&pinball::Options::default())?;
        Ok(Pinball { game, pressed: [false; 2], drawn: 0.0, nudged: false })
    }

    fn is_in_lane(&self) -> bool {
        let [place, velocity] = self.game.ball_state();
        place.x > 5.0 && place.y < 3.0 && velocity.length() < 0.5
    }

    /// What is done in this frame.
    fn actions(&mut self, seconds: f64, controls: &Controls) -> Vec<pinball::Action> {
        use pinball::{Action, Side};
        let mut actions = Vec::new();
        let pointer = controls.pointer.filter(|_| controls.is_pressed);
        let is_drawing = self.is_in_lane() && (controls.space || pointer.is_some());
        if is_drawing {
            self.drawn = (self.drawn + seconds).min(Self::DRAW);
        } else if self.drawn > 0.0 {
            actions.push(Action::Launch(pinball::Game::LAUNCH * (0.3 + 0.7 * self.drawn / Self::DRAW)));
            self.drawn = 0.0;
        }
        let pointed = |side: f64| pointer.is_some_and(|at| !is_drawing && at.x * side >= 0.0);
        let wanted = [controls.arrows.x < 0.0 || pointed(-1.0), controls.arrows.x > 0.0 || pointed(1.0)];
        for ((side, wanted), pressed) in
            [Side::Left, Side::Right].into_iter().zip(wanted).zip(&mut self.pressed)
        {
            if wanted != *pressed {
                *pressed = wanted;
                actions.push(if wanted { Action::Press(side) } else { Action::Release(side) });
            }
        }
        let nudges = controls.arrows.y > 0.0;
        if nudges && !self.nudged {
            actions.push(Action::Nudge(DVec2::new(0.5, 1.5)));
        }
        self.nudged = nudges;
        actions
    }
}

impl Play for Pinball {
    fn advance(&mut self, seconds: f64, controls: &Controls) -> Result<(), Error> {
        let now = self.game.now();
        for action in self.actions(seconds, controls) {
            self.game.input(Input { time: now, player: 0, action })?;
        }
        self.game.advance_to(now + seconds)
    }

    fn now(&self) -> f64 {
        self.game.now()
    }

    fn draw(&self, board: &mut dyn Board) {
        pinball::draw(&self.game, board);
        if self.drawn > 0.0 {
            let top = DVec2::new(6.3, 1.0 + 4.0 * self.drawn / Self::DRAW);
            board.stroke(&[DVec2::new(6.3, 1.0), top], 0.3, Rgb(0xf4, 0xc1, 0x4e), 1.0);
        }
    }

    fn steers(&self) -> bool {
        true
    }

    fn bounds(&self) -> (DVec2, DVec2) {
        pinball::bounds()
    }

    fn ground(&self) -> Rgb {
        pinball::GROUND
    }

    fn status(&self) -> String {
        let ball = (self.game.lost() + 1).min(Self::BALLS);
        format!("{} points, ball {ball} of {}", self.game.points(), Self::BALLS)
    }

    fn outcome(&self) -> Option<String> {
        (self.game.lost() >= Self::BALLS).then(|| format!("{} points", self.game.points()))
    }

    fn help(&self) -> &'static str {
        "Left and right arrow, or a press on the left and right half: flippers. Hold Space, or a press, and \
         let go: the plunger. Up: push the table."
    }
}

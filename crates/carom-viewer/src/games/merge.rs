//! The merge game, as one plays it.

use super::play::{Controls, Play, SEED};
use carom_engine::DVec2;
use carom_games::merge::{self, Action, Game};
use carom_games::{Board, Error, Input};
use carom_scene::Rgb;

/// One box, until it is full.
pub(super) struct Merge {
    game: Game,
    /// Where the pointer was: one that lies still leaves the dropper to the arrows.
    pointed: Option<f64>,
    /// Whether the next release drops the disc.
    pressed: bool,
}

impl Merge {
    /// Speed at which the arrows move the dropper.
    const SPEED: f64 = 6.0;

    pub(super) fn new() -> Result<Self, Error> {
        let game = Game::new(&merge::Options { seed: SEED, ..merge::Options::default() })?;
        Ok(Merge { game, pointed: None, pressed: false })
    }
}

impl Play for Merge {
    fn advance(&mut self, seconds: f64, controls: &Controls) -> Result<(), Error> {
        let now = self.game.now();
        let pointed = controls.pointer.map(|pointer| pointer.x);
        let has_moved = std::mem::replace(&mut self.pointed, pointed) != pointed;
        let aim = match pointed.filter(|_| has_moved) {
            Some(x) => x,
            None => self.game.dropper().x + controls.arrows.x * Self::SPEED * seconds,
        };
        // A finger aims while it lies on the box, and drops as it is lifted.
        let is_pressed = controls.is_pressed || controls.space;
        let is_released = std::mem::replace(&mut self.pressed, is_pressed) && !is_pressed;
        self.game.input(Input { time: now, player: 0, action: Action::Aim(aim) })?;
        if is_released {
            self.game.input(Input { time: now, player: 0, action: Action::Drop })?;
        }
        self.game.advance_to(now + seconds)
    }

    fn now(&self) -> f64 {
        self.game.now()
    }

    fn draw(&self, board: &mut dyn Board) {
        merge::draw(&self.game, board);
    }

    fn steers(&self) -> bool {
        true
    }

    fn bounds(&self) -> (DVec2, DVec2) {
        merge::bounds()
    }

    fn ground(&self) -> Rgb {
        merge::GROUND
    }

    fn status(&self) -> String {
        format!("{} points, {} dropped", self.game.score(), self.game.dropped())
    }

    fn outcome(&self) -> Option<String> {
        self.game.over().map(|_| format!("{} points", self.game.score()))
    }

    fn help(&self) -> &'static str {
        "Two discs of one size that touch become one of the next. Mouse, finger or arrows: aim. Let go, or \
         Space: drop. What stays above the line for two seconds ends the game."
    }
}

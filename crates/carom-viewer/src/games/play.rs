//! A game without a window: what the player does, and what is seen.

use carom_engine::DVec2;
use carom_games::{Board, Error};
use carom_scene::Rgb;

/// What the player does in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Controls {
    /// Where the pointer is in the game, if it is there.
    pub pointer: Option<DVec2>,
    /// Whether the pointer is pressed.
    pub is_pressed: bool,
    /// Whether the pointer is a finger.
    pub is_touch: bool,
    /// Where the arrows, or W, A, S and D, point to: each component −1, 0 or 1.
    pub arrows: DVec2,
    /// Whether the space bar is held down.
    pub space: bool,
}

/// A game that can be played: the player is number 0, all others are played by the game's own pilot.
pub trait Play {
    /// Goes on by this many seconds of the window.
    ///
    /// # Errors
    /// If the engine refuses something; it does not.
    fn advance(&mut self, seconds: f64, controls: &Controls) -> Result<(), Error>;

    /// Seconds, or turns, since the start.
    fn now(&self) -> f64;

    /// Draws it as it is.
    fn draw(&self, board: &mut dyn Board);

    /// The rectangle that is shown.
    fn bounds(&self) -> (DVec2, DVec2);

    /// The colour of the ground.
    fn ground(&self) -> Rgb;

    /// How it stands.
    fn status(&self) -> String;

    /// How it ended, if it has.
    fn outcome(&self) -> Option<String>;

    /// Whether the arrows steer, and do not point somewhere on the plane.
    fn steers(&self) -> bool {
        false
    }

    /// What the keys, the mouse and fingers do.
    fn help(&self) -> &'static str;
}

/// Seeds of the pilots: the same game every time, if the player does the same.
pub(super) const SEED: u64 = 7;

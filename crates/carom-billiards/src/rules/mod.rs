//! The rules of the games, as state machines over the outcomes of shots.

mod eight_ball;
mod nine_ball;
mod pool;
mod snooker;
mod snooker_spots;
mod three_cushion;

pub use eight_ball::{Call, Choice, EightBall, Group};
pub use nine_ball::{Intent, NineBall};
pub use snooker::{Colour, On, Snooker};
pub use three_cushion::ThreeCushion;

use crate::gathered::FROZEN;
use crate::motion::length;
use crate::rack::the_d;
use crate::{Error, Game, Layout};
use carom_engine::DVec2;
use core::fmt;

/// One of two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Player {
    /// The one that breaks.
    First,
    /// The other.
    Second,
}

impl Player {
    /// The other one.
    #[must_use]
    pub fn other(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }

    pub(crate) fn index(self) -> usize {
        match self {
            Player::First => 0,
            Player::Second => 1,
        }
    }
}

/// What makes a shot a foul.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Foul {
    /// The cue ball falls.
    Scratch,
    /// The cue ball meets no ball.
    NoContact,
    /// The cue ball meets another ball first than the one that is on.
    WrongBall,
    /// After that contact no ball falls and none meets a cushion.
    NoCushion,
    /// On the break no ball falls, and fewer object balls meet a cushion than the rules ask for. In
    /// eight-ball that is called an illegal break: the other player has choices, not the cue ball in hand.
    WeakBreak,
    /// Played from behind the head string, the cue ball meets a ball there first, and has not been beyond it.
    BehindHeadString,
    /// A ball falls that is not on.
    WrongBallFalls,
    /// The cue ball is played at a ball that it touches.
    TouchingBall,
    /// The free ball hides the balls that are on from the other player.
    FreeBallSnookers,
    /// A ball is struck that is not the player's.
    WrongCueBall,
    /// The tip meets the cue ball twice; in pool also if it is still on it as it meets a ball near by.
    DoubleHit,
    /// The tip is still on the cue ball as it meets a ball near by.
    PushStroke,
    /// The cue ball is played from where it may not be put.
    BadPlacement,
    /// A referee has called it: see [`Outcome::with_call`](crate::Outcome::with_call).
    Called,
}

impl fmt::Display for Foul {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Foul::Scratch => "the cue ball falls",
            Foul::NoContact => "the cue ball meets no ball",
            Foul::WrongBall => "the cue ball meets a wrong ball first",
            Foul::NoCushion => "no ball falls or meets a cushion after the contact",
            Foul::WeakBreak => "too few balls meet a cushion on the break",
            Foul::BehindHeadString => "played from behind the head string at a ball there",
            Foul::WrongBallFalls => "a ball falls that is not on",
            Foul::TouchingBall => "the cue ball is played at a ball that it touches",
            Foul::FreeBallSnookers => "the free ball hides the balls that are on",
            Foul::WrongCueBall => "another ball than the player's is struck",
            Foul::DoubleHit => "the tip meets the cue ball twice",
            Foul::PushStroke => "the tip is still on the cue ball as it meets a ball",
            Foul::BadPlacement => "the cue ball is played from where it may not be put",
            Foul::Called => "the referee calls a foul",
        })
    }
}

/// Where the cue ball is played from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum CueBall {
    /// Where it lies.
    Lies,
    /// From anywhere on the table.
    InHand,
    /// From anywhere behind the head string: nearer to the head cushion than the head spot.
    BehindHeadString,
    /// From anywhere in the D of a snooker table.
    InD,
}

impl CueBall {
    /// Puts the cue ball where a player wants it, if it may be there: behind the head string is strictly
    /// nearer to the head cushion (World Pool-Billiard Association, The Rules of Play, 6.10), in the D is on
    /// its lines as well.
    ///
    /// # Errors
    /// [`Error::OutOfTurn`] if the ball is not in hand, [`Error::Misplaced`] outside what is allowed, and as
    /// [`Game::place`].
    pub fn place(self, game: &mut Game, at: impl Into<DVec2>) -> Result<(), Error> {
        let at = at.into();
        let (is_allowed, allowed) = match self {
            CueBall::Lies => return Err(Error::OutOfTurn("the cue ball is played from where it lies")),
            CueBall::InHand => (true, ""),
            CueBall::BehindHeadString => (at.y < 0.25 * game.table().length, "behind the head string"),
            CueBall::InD => (is_in_d(game, at), "on or within the lines of the D"),
        };
        if !is_allowed {
            return Err(Error::Misplaced { label: Layout::CUE.into(), x: at.x, y: at.y, allowed });
        }
        game.place(Layout::CUE, at)
    }
}

/// Whether a place is in the D or on its lines; what rounding makes of one on a line is on it.
fn is_in_d(game: &Game, at: DVec2) -> bool {
    let (brown, radius) = the_d(game.table());
    let off = at - brown;
    off.y <= FROZEN && length(off) <= radius + FROZEN
}

/// What is to be done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Next {
    /// A player shoots.
    Shoots {
        /// Which.
        player: Player,
        /// From where.
        cue_ball: CueBall,
    },
    /// A player decides how it goes on: who shoots after a push-out or a foul, what is made of a break.
    Chooses {
        /// Which.
        player: Player,
    },
    /// A player has won.
    Won {
        /// Which.
        player: Player,
    },
    /// Neither has.
    Drawn,
}

/// What the rules make of a shot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// The fouls, in the order of the variants of [`Foul`].
    pub fouls: Vec<Foul>,
    /// Labels of the balls that are put back, see [`Game::spot`](crate::Game::spot).
    pub spotted: Vec<String>,
    /// Whether all balls are set up anew.
    pub rerack: bool,
    /// What is next.
    pub next: Next,
}

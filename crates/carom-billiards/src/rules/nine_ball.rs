//! Nine-ball: World Pool-Billiard Association, The Rules of Play, sections 2 and 6.

use super::pool::{self, Balls};
use super::{CueBall, Foul, Next, Player, Ruling};
use crate::{Error, Outcome};

const OF_GAME: Balls = pool::balls(1, 9);
const NINE: Balls = 1 << 9;

/// Fouls in a row that lose the game.
const MOST_FOULS: u8 = 3;

/// What a player says before a shot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Intent {
    /// Nothing.
    #[default]
    Play,
    /// That it is a push-out: allowed for the shot after a break without a foul.
    PushOut,
}

/// How far a game has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Break,
    /// The shot after the break, which may be a push-out.
    AfterBreak,
    /// After a push-out the next player chooses.
    Choice,
    Play,
    Over,
}

/// A game of nine-ball: who shoots, from where, at what.
///
/// The lowest ball on the table is to be met first; which falls does not matter. A legal shot on which a ball
/// falls goes on, one on which the 9 falls wins. After a foul the other player has the cue ball in hand, and
/// after three fouls in a row has won.
///
/// ```
/// use carom_billiards::rules::{CueBall, Intent, Next, NineBall, Player};
/// use carom_billiards::{Rack, Shot, Table};
///
/// let table = Table::pool_9ft();
/// let mut game = Rack::nine_ball().place(&table, 1)?.build(&table)?;
/// let mut rules = NineBall::new();
/// // Too soft to drive four balls to the cushions.
/// let ruling = rules.judge(&game.shoot(&Shot::new(0.5).aimed_at(1.5708))?, Intent::Play)?;
/// assert_eq!(ruling.fouls.len(), 1);
/// assert_eq!(ruling.next, Next::Shoots { player: Player::Second, cue_ball: CueBall::InHand });
/// # Ok::<(), carom_billiards::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NineBall {
    phase: Phase,
    next: Next,
    /// Those on the table: bit k of ball k.
    on_table: Balls,
    /// Fouls in a row, of each player.
    fouls: [u8; 2],
}

impl Default for NineBall {
    fn default() -> Self {
        NineBall::new()
    }
}

impl NineBall {
    /// Before the break.
    #[must_use]
    pub fn new() -> Self {
        let next = Next::Shoots { player: Player::First, cue_ball: CueBall::BehindHeadString };
        NineBall { phase: Phase::Break, next, on_table: OF_GAME, fouls: [0; 2] }
    }

    /// What is to be done.
    #[must_use]
    pub fn next(&self) -> Next {
        self.next
    }

    /// The number of the ball that is to be met first.
    #[must_use]
    pub fn ball_on(&self) -> u32 {
        self.on_table.trailing_zeros()
    }

    /// Whether the next shot may be a push-out.
    #[must_use]
    pub fn may_push_out(&self) -> bool {
        self.phase == Phase::AfterBreak
    }

    /// Fouls in a row of a player: the next one after two loses.
    #[must_use]
    pub fn fouls(&self, player: Player) -> u8 {
        self.fouls[player.index()]
    }

    /// Judges a shot of the player whose turn it is, and says what is next.
    ///
    /// # Errors
    /// [`Error::OutOfTurn`] if no shot is due, if it cannot be a push-out, or if balls still move;
    /// [`Error::NoSuchBall`] for a label that is no ball of the game. The game is then as it was.
    pub fn judge(&mut self, outcome: &Outcome, intent: Intent) -> Result<Ruling, Error> {
        let Next::Shoots { player, .. } = self.next else {
            return Err(Error::OutOfTurn("no shot is due"));
        };
        let is_push_out = intent == Intent::PushOut;
        if is_push_out && !self.may_push_out() {
            return Err(Error::OutOfTurn("a push-out is the shot after a break without a foul"));
        }
        let fallen = pool::fallen(outcome, OF_GAME)?;
        let fouls = self.fouls_of(outcome, fallen, is_push_out)?;
        let (is_foul, nine_fell) = (!fouls.is_empty(), fallen & NINE != 0);
        self.on_table &= !fallen;
        let spotted = if nine_fell && (is_foul || is_push_out) { vec!["9".to_owned()] } else { Vec::new() };
        if !spotted.is_empty() {
            self.on_table |= NINE;
        }
        let of_player = &mut self.fouls[player.index()];
        *of_player = if is_foul { *of_player + 1 } else { 0 };
        (self.phase, self.next) = if *of_player == MOST_FOULS {
            (Phase::Over, Next::Won { player: player.other() })
        } else if is_foul {
            (Phase::Play, Next::Shoots { player: player.other(), cue_ball: CueBall::InHand })
        } else if is_push_out {
            (Phase::Choice, Next::Chooses { player: player.other() })
        } else if nine_fell {
            (Phase::Over, Next::Won { player })
        } else {
            let goes_on = fallen != 0;
            let player = if goes_on { player } else { player.other() };
            let phase = if self.phase == Phase::Break { Phase::AfterBreak } else { Phase::Play };
            (phase, Next::Shoots { player, cue_ball: CueBall::Lies })
        };
        Ok(Ruling { fouls, spotted, rerack: false, next: self.next })
    }

    /// Decides, after a push-out of the other player, who shoots.
    ///
    /// # Errors
    /// [`Error::OutOfTurn`] if there is nothing to choose.
    pub fn choose(&mut self, shooter: Player) -> Result<Next, Error> {
        if self.phase != Phase::Choice {
            return Err(Error::OutOfTurn("there is a choice after a push-out alone"));
        }
        self.phase = Phase::Play;
        self.next = Next::Shoots { player: shooter, cue_ball: CueBall::Lies };
        Ok(self.next)
    }

    fn fouls_of(&self, outcome: &Outcome, fallen: Balls, is_push_out: bool) -> Result<Vec<Foul>, Error> {
        if is_push_out {
            let scratch = pool::scratches(outcome).then_some(Foul::Scratch);
            return Ok(scratch.into_iter().chain(pool::of_stroke(outcome)).collect());
        }
        let Next::Shoots { cue_ball, .. } = self.next else { return Ok(Vec::new()) };
        let mut fouls = pool::fouls(outcome, 1 << self.ball_on(), OF_GAME, cue_ball)?;
        if self.phase == Phase::Break && fallen == 0 {
            pool::note_weak_break(&mut fouls, outcome, OF_GAME);
        }
        Ok(fouls)
    }
}

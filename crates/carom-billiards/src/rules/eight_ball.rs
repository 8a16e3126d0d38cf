//! Eight-ball: World Pool-Billiard Association, The Rules of Play, section 3.

use super::pool::{self, Balls};
use super::{CueBall, Foul, Next, Player, Ruling};
use crate::{Error, Outcome};

const OF_GAME: Balls = pool::balls(1, 15);
const EIGHT: Balls = 1 << 8;

/// What a player says before a shot: 1.6, 3.7.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Call {
    /// Nothing, as for a break. Another shot without a call never goes on.
    #[default]
    Nothing,
    /// Which ball falls into which pocket.
    Pot {
        /// The number of the ball.
        ball: u32,
        /// The pocket, see [`Table::pocket_circles`](crate::Table::pocket_circles).
        pocket: usize,
    },
    /// That the other player goes on, whatever falls.
    Safety,
}

/// The balls of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Group {
    /// 1 to 7.
    Solids,
    /// 9 to 15.
    Stripes,
}

impl Group {
    /// The other one.
    #[must_use]
    pub fn other(self) -> Group {
        if self == Group::Solids { Group::Stripes } else { Group::Solids }
    }

    fn balls(self) -> Balls {
        if self == Group::Solids { pool::balls(1, 7) } else { pool::balls(9, 15) }
    }
}

/// What a player makes of a break: 3.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Choice {
    /// To go on with the balls as they lie; the 8, if it has fallen, is put back.
    Accept,
    /// The same, with the cue ball in hand behind the head string.
    CueBallInHand,
    /// To set the balls up again, and to break.
    Break,
    /// To set the balls up again, and to let the other player break.
    LetOtherBreak,
}

/// How far a game has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Break,
    /// What is made of a break; whether the 8 has fallen.
    Choice(&'static [Choice]),
    Play,
    Over,
}

/// A game of eight-ball: who shoots, from where, at what.
///
/// The table is open until a called ball falls on a legal shot after the break; that player then has its
/// group. A player goes on while called balls fall, and wins with the 8 in the called pocket after the group.
/// The 8 in any other way, or with a foul, loses. After a foul the other player has the cue ball in hand. A
/// stalemate (3.12) is for the players to declare.
///
/// ```
/// use carom_billiards::rules::{Call, Choice, EightBall, Next, Player};
/// use carom_billiards::{Rack, Shot, Table};
///
/// let table = Table::pool_9ft();
/// let mut game = Rack::eight_ball().place(&table, 1)?.build(&table)?;
/// let mut rules = EightBall::new();
/// // Too soft to drive four balls to the cushions: the other player may have the balls set up again.
/// let ruling = rules.judge(&game.shoot(&Shot::new(0.5).aimed_at(1.5708))?, Call::Nothing)?;
/// assert_eq!(ruling.next, Next::Chooses { player: Player::Second });
/// assert!(rules.choose(Choice::Break)?.rerack);
/// # Ok::<(), carom_billiards::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EightBall {
    phase: Phase,
    next: Next,
    on_table: Balls,
    /// The group of the first player.
    group: Option<Group>,
}

impl Default for EightBall {
    fn default() -> Self {
        EightBall::new()
    }
}

impl EightBall {
    /// Before the break.
    #[must_use]
    pub fn new() -> Self {
        EightBall { phase: Phase::Break, next: breaks(Player::First), on_table: OF_GAME, group: None }
    }

    /// What is to be done.
    #[must_use]
    pub fn next(&self) -> Next {
        self.next
    }

    /// Whether the next shot is a break, of balls that are set up.
    #[must_use]
    pub fn is_break(&self) -> bool {
        self.phase == Phase::Break
    }

    /// The group of a player; none while the table is open.
    #[must_use]
    pub fn group(&self, player: Player) -> Option<Group> {
        self.group.map(|group| if player == Player::First { group } else { group.other() })
    }

    /// The numbers of the balls that a player may meet first: 3.5, 3.6. On the break all of them.
    #[must_use]
    pub fn balls_on(&self, player: Player) -> Vec<u32> {
        pool::numbers(self.on(player)).collect()
    }

    /// The numbers of the balls on the table.
    #[must_use]
    pub fn on_table(&self) -> Vec<u32> {
        pool::numbers(self.on_table).collect()
    }

    /// What the player whose turn it is to choose can choose.
    #[must_use]
    pub fn choices(&self) -> &'static [Choice] {
        if let Phase::Choice(choices) = self.phase { choices } else { &[] }
    }

    fn on(&self, player: Player) -> Balls {
        if self.phase == Phase::Break {
            return self.on_table;
        }
        let wanted = self.group(player).map_or(OF_GAME & !EIGHT, Group::balls);
        let left = self.on_table & wanted;
        if left == 0 { self.on_table & EIGHT } else { left }
    }

    /// Judges a shot of the player whose turn it is, and says what is next.
    ///
    /// # Errors
    /// [`Error::OutOfTurn`] if no shot is due or if balls still move; [`Error::NoSuchBall`] for a label that
    /// is no ball of the game. The game is then as it was.
    pub fn judge(&mut self, outcome: &Outcome, call: Call) -> Result<Ruling, Error> {
        let Next::Shoots { player, cue_ball } = self.next else {
            return Err(Error::OutOfTurn("no shot is due"));
        };
        let fallen = pool::fallen(outcome, OF_GAME)?;
        let on = self.on(player);
        let mut fouls = pool::fouls(outcome, on, OF_GAME, cue_ball)?;
        if self.phase == Phase::Break {
            if fallen == 0 {
                pool::note_weak_break(&mut fouls, outcome, OF_GAME);
            }
            self.on_table &= !fallen;
            (self.phase, self.next) = after_break(&fouls, fallen, player);
            return Ok(Ruling { fouls, spotted: Vec::new(), rerack: false, next: self.next });
        }
        let called = match call {
            Call::Pot { ball, pocket } if ball < 16 && on >> ball & 1 == 1 => {
                let label = ball.to_string();
                let falls = outcome.potted.iter().any(|p| p.ball == label && p.pocket == pocket);
                falls.then_some(ball)
            }
            _ => None,
        };
        self.on_table &= !fallen;
        let is_legal = fouls.is_empty();
        (self.phase, self.next) = if fallen & EIGHT != 0 {
            let wins = is_legal && called == Some(8);
            (Phase::Over, Next::Won { player: if wins { player } else { player.other() } })
        } else if !is_legal {
            (Phase::Play, Next::Shoots { player: player.other(), cue_ball: CueBall::InHand })
        } else if let Some(ball) = called {
            if self.group.is_none() {
                let group = if ball < 8 { Group::Solids } else { Group::Stripes };
                self.group = Some(if player == Player::First { group } else { group.other() });
            }
            (Phase::Play, Next::Shoots { player, cue_ball: CueBall::Lies })
        } else {
            (Phase::Play, Next::Shoots { player: player.other(), cue_ball: CueBall::Lies })
        };
        Ok(Ruling { fouls, spotted: Vec::new(), rerack: false, next: self.next })
    }

    /// Decides, after a break, how it goes on.
    ///
    /// # Errors
    /// [`Error::OutOfTurn`] if that is not among [`EightBall::choices`].
    pub fn choose(&mut self, choice: Choice) -> Result<Ruling, Error> {
        let Next::Chooses { player } = self.next else {
            return Err(Error::OutOfTurn("there is a choice after some breaks alone"));
        };
        if !self.choices().contains(&choice) {
            return Err(Error::OutOfTurn("that is no choice after this break"));
        }
        let rerack = matches!(choice, Choice::Break | Choice::LetOtherBreak);
        let mut spotted = Vec::new();
        if rerack {
            *self = EightBall::new();
            self.next = breaks(if choice == Choice::Break { player } else { player.other() });
        } else {
            if self.on_table & EIGHT == 0 {
                spotted.push("8".to_owned());
                self.on_table |= EIGHT;
            }
            let in_hand = choice == Choice::CueBallInHand;
            let cue_ball = if in_hand { CueBall::BehindHeadString } else { CueBall::Lies };
            (self.phase, self.next) = (Phase::Play, Next::Shoots { player, cue_ball });
        }
        Ok(Ruling { fouls: Vec::new(), spotted, rerack, next: self.next })
    }
}

fn breaks(player: Player) -> Next {
    Next::Shoots { player, cue_ball: CueBall::BehindHeadString }
}

/// What follows a break: 3.4. A cue ball that has fallen cannot be accepted as it lies.
fn after_break(fouls: &[Foul], fallen: Balls, player: Player) -> (Phase, Next) {
    use Choice::{Accept, Break, CueBallInHand, LetOtherBreak};
    let scratches = fouls.contains(&Foul::Scratch);
    let is_illegal = fouls.contains(&Foul::WeakBreak) || fouls.contains(&Foul::NoContact);
    let (choices, chooser): (&'static [Choice], Player) = match (fouls.is_empty(), fallen & EIGHT != 0) {
        (true, true) => (&[Accept, Break], player),
        (true, false) => {
            let player = if fallen == 0 { player.other() } else { player };
            return (Phase::Play, Next::Shoots { player, cue_ball: CueBall::Lies });
        }
        (false, true) => (&[CueBallInHand, Break], player.other()),
        (false, false) if is_illegal && scratches => (&[CueBallInHand, Break, LetOtherBreak], player.other()),
        (false, false) if fouls == [Foul::WeakBreak] => (&[Accept, Break, LetOtherBreak], player.other()),
        (false, false) if is_illegal => (&[Accept, CueBallInHand, Break, LetOtherBreak], player.other()),
        (false, false) if scratches => {
            let cue_ball = CueBall::BehindHeadString;
            return (Phase::Play, Next::Shoots { player: player.other(), cue_ball });
        }
        (false, false) => (&[Accept, CueBallInHand], player.other()),
    };
    (Phase::Choice(choices), Next::Chooses { player: chooser })
}

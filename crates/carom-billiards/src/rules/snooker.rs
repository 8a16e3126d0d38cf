//! Snooker: World Professional Billiards and Snooker Association, Official Rules (November 2019).

use super::{CueBall, Foul, Next, Player, Ruling};
use super::{is_in_d, snooker_spots};
use crate::rack::COLOURS;
use crate::{Error, Game, Layout, Outcome, Tip};
use carom_engine::StopReason;

/// The least that a foul costs: section 3, 11.
const LEAST: u32 = 4;

/// The coloured balls, by their values from 2 to 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Colour {
    /// 2.
    Yellow,
    /// 3.
    Green,
    /// 4.
    Brown,
    /// 5.
    Blue,
    /// 6.
    Pink,
    /// 7.
    Black,
}

impl Colour {
    /// All of them, in the order of their values.
    pub const ALL: [Colour; 6] =
        [Colour::Yellow, Colour::Green, Colour::Brown, Colour::Blue, Colour::Pink, Colour::Black];

    /// What it is worth.
    #[must_use]
    pub fn value(self) -> u32 {
        self as u32 + 2
    }

    /// Its label in layouts.
    #[must_use]
    pub fn label(self) -> &'static str {
        COLOURS[self as usize]
    }
}

/// What is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum On {
    /// Any red.
    Red,
    /// The colour that the player nominates, after a red.
    AnyColour,
    /// This one, after the reds.
    Colour(Colour),
}

/// A ball of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ball {
    /// The number of a red, from 1.
    Red(u32),
    Colour(Colour),
}

impl Ball {
    fn named(label: &str) -> Result<Ball, Error> {
        if let Some(colour) = Colour::ALL.into_iter().find(|colour| colour.label() == label) {
            return Ok(Ball::Colour(colour));
        }
        let number = label.strip_prefix("red ").and_then(|number| number.parse().ok());
        let number = number.filter(|number| (1..=15).contains(number));
        number.map(Ball::Red).ok_or_else(|| Error::no_ball(label, ["red 1 to 15"].into_iter().chain(COLOURS)))
    }

    fn value(self) -> u32 {
        if let Ball::Colour(colour) = self { colour.value() } else { 1 }
    }
}

/// A frame of snooker: who plays, at what, and the points.
///
/// Balls have the labels of [`Rack::snooker`](crate::Rack::snooker). Reds and colours are potted in turn,
/// then the colours by their values; what is on is [`Snooker::on`]. After a foul the other player has the
/// penalty points, and chooses who plays; if the cue ball is snookered then ([`Snooker::has_free_ball`]), any
/// ball may be nominated instead of one that is on. The last black, potted or fouled, ends the frame, unless
/// the scores are level then: it is put back, and after a draw by lot it decides.
///
/// Whether a foul is a miss (section 3, 14) is for the referee to say: [`Snooker::replay`].
///
/// ```
/// use carom_billiards::rules::{Next, On, Player, Snooker};
/// use carom_billiards::{Rack, Shot, Table};
///
/// let table = Table::snooker_12ft();
/// let mut game = Rack::snooker().place(&table, 1)?.build(&table)?;
/// let mut rules = Snooker::new();
/// // Along the baulk line, at the yellow.
/// let outcome = game.shoot(&Shot::new(1.0))?;
/// let ruling = rules.judge(&outcome, None, &game)?;
/// assert_eq!((rules.points(Player::Second), rules.on()), (4, On::Red));
/// assert_eq!(ruling.next, Next::Chooses { player: Player::Second });
/// # Ok::<(), carom_billiards::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snooker {
    next: Next,
    on: On,
    points: [u32; 2],
    /// Bit k is red k.
    reds: u16,
    /// From where the cue ball is played next, while a player chooses.
    cue_ball: CueBall,
    has_free_ball: bool,
    /// Whether the last black is off the table.
    is_cleared: bool,
}

impl Default for Snooker {
    fn default() -> Self {
        Snooker::new()
    }
}

/// What a stroke was: the fouls, what they cost, and what was potted.
#[derive(Default)]
struct Stroke {
    fouls: Vec<Foul>,
    penalty: u32,
    points: u32,
    /// Colours that have fallen.
    colours: Vec<Colour>,
    reds: u16,
}

impl Stroke {
    fn foul(&mut self, foul: Foul, value: u32) {
        self.fouls.push(foul);
        self.penalty = self.penalty.max(value);
    }
}

impl Snooker {
    /// Before the break, with 15 reds.
    #[must_use]
    pub fn new() -> Self {
        let next = Next::Shoots { player: Player::First, cue_ball: CueBall::InD };
        Snooker {
            next,
            on: On::Red,
            points: [0; 2],
            reds: 0xfffe,
            cue_ball: CueBall::InD,
            has_free_ball: false,
            is_cleared: false,
        }
    }

    /// What is to be done.
    #[must_use]
    pub fn next(&self) -> Next {
        self.next
    }

    /// What is on.
    #[must_use]
    pub fn on(&self) -> On {
        self.on
    }

    /// Points of a player.
    #[must_use]
    pub fn points(&self, player: Player) -> u32 {
        self.points[player.index()]
    }

    /// Whether the player who plays next may nominate a free ball: section 3, 12.
    #[must_use]
    pub fn has_free_ball(&self) -> bool {
        self.has_free_ball
    }

    /// The labels of the balls on the table, reds first.
    #[must_use]
    pub fn on_table(&self) -> Vec<String> {
        let reds = (1..16).filter(|k| self.reds >> k & 1 == 1).map(|k| format!("red {k}"));
        reds.chain(self.colours_left().map(|colour| colour.label().to_owned())).collect()
    }

    /// The labels of the balls that are on; all colours, while one is to be nominated.
    #[must_use]
    pub fn balls_on(&self) -> Vec<String> {
        let is_on = |label: &String| match (self.on, Ball::named(label)) {
            (On::Red, Ok(Ball::Red(_))) | (On::AnyColour, Ok(Ball::Colour(_))) => true,
            (On::Colour(on), Ok(Ball::Colour(colour))) => on == colour,
            _ => false,
        };
        self.on_table().into_iter().filter(is_on).collect()
    }

    /// The colours that belong on the table.
    fn colours_left(&self) -> impl Iterator<Item = Colour> + use<> {
        let lowest = if let On::Colour(colour) = self.on { colour } else { Colour::Yellow };
        let is_cleared = self.is_cleared;
        Colour::ALL.into_iter().filter(move |colour| *colour >= lowest && !is_cleared)
    }

    /// Judges a stroke of the player whose turn it is, and says what is next.
    ///
    /// `nominated` is the colour that the player names: needed for a colour after a red, and possible for a
    /// free ball. `after` is the table after the stroke, before balls are put back: whether a player is
    /// snookered follows from where they lie.
    ///
    /// # Errors
    /// [`Error::OutOfTurn`] if no stroke is due, if balls still move, or a colour is nominated where none is
    /// to be, or none where one is; [`Error::NoSuchBall`] for a label that is no ball of the game. The frame
    /// is then as it was.
    pub fn judge(
        &mut self,
        outcome: &Outcome,
        nominated: Option<Colour>,
        after: &Game,
    ) -> Result<Ruling, Error> {
        let Next::Shoots { player, .. } = self.next else {
            return Err(Error::OutOfTurn("no stroke is due"));
        };
        if outcome.end != StopReason::Reached {
            return Err(Error::OutOfTurn("balls still move"));
        }
        let free = self.free_ball(nominated)?;
        let mut stroke = self.stroke(outcome, nominated, free)?;
        for foul in self.fouls_of_cue(outcome, after) {
            let first = outcome.first_met().into_iter().map(Ball::named).collect::<Result<Vec<_>, _>>()?;
            stroke.foul(foul, self.value_of(&first, nominated).1);
        }
        if let Some(free) = free.filter(|_| stroke.fouls.is_empty() && stroke.points == 0) {
            // With the pink and the black alone the free ball may hide the other: section 3, 12 (b).
            let hides = self.on != On::Colour(Colour::Pink)
                && self.snookering(after)?.as_deref() == Some(free.label());
            if hides {
                stroke.foul(Foul::FreeBallSnookers, self.value_on(nominated));
            }
        }
        let mut after_it = self.clone();
        let spotted = after_it.follow(player, &stroke);
        let is_foul = !stroke.fouls.is_empty();
        if is_foul && matches!(after_it.next, Next::Chooses { .. }) {
            let mut game = after.clone();
            Snooker::spot(&mut game, &spotted)?;
            after_it.has_free_ball = after_it.is_snookered(&game, outcome)?;
        }
        *self = after_it;
        Ok(Ruling { fouls: stroke.fouls, spotted, rerack: false, next: self.next })
    }

    /// The colour that is nominated as a free ball, if it is one; refuses what cannot be nominated.
    fn free_ball(&self, nominated: Option<Colour>) -> Result<Option<Colour>, Error> {
        match (self.on, nominated) {
            (On::AnyColour, None) => Err(Error::OutOfTurn("a colour is to be nominated")),
            (On::AnyColour, Some(_)) | (_, None) => Ok(None),
            (On::Colour(on), Some(colour)) if on == colour => Ok(None),
            (_, Some(colour)) if self.has_free_ball && self.colours_left().any(|left| left == colour) => {
                Ok(Some(colour))
            }
            _ => Err(Error::OutOfTurn("there is no free ball to be nominated")),
        }
    }

    /// The value of the ball that is on; a free ball has it as well.
    fn value_on(&self, nominated: Option<Colour>) -> u32 {
        match self.on {
            On::Red => 1,
            On::AnyColour => nominated.map_or(1, Colour::value),
            On::Colour(colour) => colour.value(),
        }
    }

    /// Whether a ball is on, not counting a free ball.
    fn is_on(&self, ball: Ball, nominated: Option<Colour>) -> bool {
        match (self.on, ball) {
            (On::Red, Ball::Red(_)) => true,
            (On::AnyColour, Ball::Colour(colour)) => nominated == Some(colour),
            (On::Colour(on), Ball::Colour(colour)) => on == colour,
            _ => false,
        }
    }

    /// The fouls of a stroke and what they cost: section 3, 10 and 11.
    fn stroke(
        &self,
        outcome: &Outcome,
        nominated: Option<Colour>,
        free: Option<Colour>,
    ) -> Result<Stroke, Error> {
        let value = self.value_on(nominated);
        let is_free = |ball: Ball| free.is_some_and(|free| ball == Ball::Colour(free));
        let mut stroke = Stroke { penalty: LEAST, ..Stroke::default() };
        for potted in &outcome.potted {
            if potted.ball == Layout::CUE {
                stroke.foul(Foul::Scratch, value);
                continue;
            }
            let ball = Ball::named(&potted.ball)?;
            match ball {
                Ball::Red(number) => stroke.reds |= 1 << number,
                Ball::Colour(colour) => stroke.colours.push(colour),
            }
            if self.is_on(ball, nominated) {
                stroke.points += ball.value();
            } else if !is_free(ball) {
                stroke.foul(Foul::WrongBallFalls, value.max(ball.value()));
            }
        }
        // A free ball counts as a red beside reds, else only if the ball on has not fallen: section 3, 12
        // (e).
        let free_falls = free.is_some_and(|free| stroke.colours.contains(&free));
        if free_falls && (self.on == On::Red || stroke.points == 0) {
            stroke.points += value;
        }
        if let Some((foul, value)) = self.foul_of_contact(outcome, nominated, free)? {
            stroke.foul(foul, value);
        }
        stroke.fouls.sort_unstable();
        stroke.fouls.dedup();
        Ok(stroke)
    }

    /// What is wrong with the first contact, if something is, and the value of the balls concerned.
    fn foul_of_contact(
        &self,
        outcome: &Outcome,
        nominated: Option<Colour>,
        free: Option<Colour>,
    ) -> Result<Option<(Foul, u32)>, Error> {
        let is_free = |ball: Ball| free.is_some_and(|free| ball == Ball::Colour(free));
        // With a free ball this one is to be met.
        let is_target = |ball| if free.is_some() { is_free(ball) } else { self.is_on(ball, nominated) };
        let first: Vec<Ball> = outcome.first_met().into_iter().map(Ball::named).collect::<Result<_, _>>()?;
        let (value, most) = self.value_of(&first, nominated);
        if outcome.plays_at_touching() {
            return Ok(Some((Foul::TouchingBall, most)));
        }
        // To play away from a touching ball that is on is to have met it: section 3, 8.
        for label in &outcome.touching {
            if is_target(Ball::named(label)?) {
                return Ok(None);
            }
        }
        if first.is_empty() {
            return Ok(Some((Foul::NoContact, value)));
        }
        // Two at once: reds alone, or the free ball and a ball that is on: section 3, 6.
        let meets_free = first.iter().any(|&ball| is_free(ball));
        let is_allowed = |&ball: &Ball| is_target(ball) || (meets_free && self.is_on(ball, nominated));
        Ok((!first.iter().all(is_allowed)).then_some((Foul::WrongBall, most)))
    }

    /// The value of the ball on, and the highest of that and of the balls that are met first.
    fn value_of(&self, first: &[Ball], nominated: Option<Colour>) -> (u32, u32) {
        let value = self.value_on(nominated);
        (value, first.iter().map(|ball| ball.value()).fold(value, u32::max))
    }

    /// What is wrong with the stroke itself and with where the cue ball is played from: section 3, 10 (a).
    fn fouls_of_cue(&self, outcome: &Outcome, after: &Game) -> Vec<Foul> {
        let is_misplaced =
            matches!(self.next, Next::Shoots { cue_ball: CueBall::InD, .. }) && !is_in_d(after, outcome.from);
        let tip = match outcome.tip {
            Tip::Once => None,
            Tip::StaysOn => Some(Foul::PushStroke),
            Tip::Again => Some(Foul::DoubleHit),
        };
        let seen = [is_misplaced.then_some(Foul::BadPlacement), outcome.is_called.then_some(Foul::Called)];
        tip.into_iter().chain(seen.into_iter().flatten()).collect()
    }

    /// What follows a stroke: points, what is on, who is next. Returns what is put back.
    fn follow(&mut self, player: Player, stroke: &Stroke) -> Vec<String> {
        let is_foul = !stroke.fouls.is_empty();
        self.reds &= !stroke.reds;
        self.has_free_ball = false;
        let last_black = self.on == On::Colour(Colour::Black);
        let (scorer, points) =
            if is_foul { (player.other(), stroke.penalty) } else { (player, stroke.points) };
        self.points[scorer.index()] += points;
        let scores = !is_foul && points > 0;
        // The colour on in the end stays down when it is potted, all others come back: section 3, 7.
        let stays_down = |colour: Colour| !is_foul && self.on == On::Colour(colour);
        let mut back: Vec<Colour> =
            stroke.colours.iter().copied().filter(|&colour| !stays_down(colour)).collect();
        let reds_left = self.reds != 0;
        self.on = match self.on {
            On::Red if scores => On::AnyColour,
            _ if reds_left => On::Red,
            On::Red | On::AnyColour => On::Colour(Colour::Yellow),
            On::Colour(on) => {
                let falls = scores && stroke.colours.contains(&on);
                On::Colour(if falls { Colour::ALL[(on as usize + 1).min(5)] } else { on })
            }
        };
        let falls = is_foul && stroke.fouls.contains(&Foul::Scratch);
        self.cue_ball = if falls { CueBall::InD } else { CueBall::Lies };
        self.next = if last_black && points > 0 {
            self.end(stroke, &mut back)
        } else if is_foul {
            Next::Chooses { player: player.other() }
        } else {
            let player = if scores { player } else { player.other() };
            Next::Shoots { player, cue_ball: CueBall::Lies }
        };
        back.sort_unstable();
        back.dedup();
        back.into_iter().rev().map(|colour| colour.label().to_owned()).collect()
    }

    /// After the last black: section 3, 4.
    fn end(&mut self, stroke: &Stroke, back: &mut Vec<Colour>) -> Next {
        let [first, second] = self.points;
        if first == second {
            back.push(Colour::Black);
            self.cue_ball = CueBall::InD;
            // By lot: whoever that is chooses.
            return Next::Chooses { player: Player::First };
        }
        self.is_cleared = stroke.colours.contains(&Colour::Black);
        back.clear();
        Next::Won { player: if first > second { Player::First } else { Player::Second } }
    }

    /// Decides, after a foul of the other player, who plays: section 3, 13. There is a free ball for the
    /// player who chooses alone. Before a black that has been put back for level scores it is whom the lot
    /// names.
    ///
    /// # Errors
    /// [`Error::OutOfTurn`] if there is nothing to choose.
    pub fn choose(&mut self, striker: Player) -> Result<Next, Error> {
        let Next::Chooses { player } = self.next else {
            return Err(Error::OutOfTurn("there is a choice after a foul alone"));
        };
        self.has_free_ball &= striker == player;
        self.next = Next::Shoots { player: striker, cue_ball: self.cue_ball };
        Ok(self.next)
    }

    /// After a foul that the referee has called a miss, and the other player wants the balls back where they
    /// were: the player of before plays again, and the penalty stays (section 3, 14). `before` is the frame
    /// before the stroke; the balls are those of a [`Game`] that was cloned then.
    ///
    /// # Errors
    /// [`Error::OutOfTurn`] if what has followed `before` is no foul after which the other player chooses.
    pub fn replay(&mut self, before: &Snooker) -> Result<Next, Error> {
        // After level scores on the last black someone chooses by lot, and no foul on it is played again.
        let gains = |of: Player| self.points(of) > before.points(of);
        let turn = (before.next, self.next);
        let is_foul = matches!(turn, (Next::Shoots { player: a, .. }, Next::Chooses { player: b })
            if b == a.other() && gains(b) && !gains(a) && before.on != On::Colour(Colour::Black));
        if !is_foul {
            return Err(Error::OutOfTurn("balls are put back after a foul alone"));
        }
        *self = Snooker { points: self.points, ..before.clone() };
        Ok(self.next)
    }

    /// Puts colours back as the rules say, the most valuable first: on their own spots, else on the most
    /// valuable one that is free, else as near as possible to their own towards the top cushion, without
    /// touching a ball (section 3, 7).
    ///
    /// # Errors
    /// If there are none of these labels, or no room.
    pub fn spot(game: &mut Game, labels: &[String]) -> Result<(), Error> {
        let mut colours = Vec::with_capacity(labels.len());
        for label in labels {
            match Ball::named(label)? {
                Ball::Colour(colour) => colours.push(colour),
                Ball::Red(_) => return Err(Error::OutOfTurn("reds are not put back")),
            }
        }
        colours.sort_unstable();
        colours.iter().rev().try_for_each(|&colour| snooker_spots::spot(game, colour as usize))
    }

    /// The ball behind which the cue ball is snookered on what is on, from where it lies.
    fn snookering(&self, game: &Game) -> Result<Option<String>, Error> {
        snooker_spots::snookering(game, &self.balls_on())
    }

    /// Whether the cue ball is snookered after a foul: section 2, 17.
    fn is_snookered(&self, game: &Game, outcome: &Outcome) -> Result<bool, Error> {
        let falls = outcome.potted.iter().any(|potted| potted.ball == Layout::CUE);
        if falls {
            snooker_spots::is_snookered_in_hand(game, &self.balls_on())
        } else {
            snooker_spots::is_snookered(game, &self.balls_on())
        }
    }
}

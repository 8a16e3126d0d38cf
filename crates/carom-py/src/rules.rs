//! The rule books of billiards: whose turn it is, what is on, and what the rules make of a shot.

use crate::errors;
use crate::outcome::Outcome;
use crate::pool::{Game, OrRaise};
use crate::vector::Vector;
use crate::words::{of_word, word_of};
use carom_billiards::rules::{self, Call, Choice, Colour, CueBall, Foul, Group, Intent, On, Player};
use pyo3::prelude::*;

const PLAYERS: &[(&str, Player)] = &[("first", Player::First), ("second", Player::Second)];
const CUE_BALLS: &[(&str, CueBall)] = &[
    ("lies", CueBall::Lies),
    ("in_hand", CueBall::InHand),
    ("behind_head_string", CueBall::BehindHeadString),
    ("in_d", CueBall::InD),
];
const FOULS: &[(&str, Foul)] = &[
    ("scratch", Foul::Scratch),
    ("no_contact", Foul::NoContact),
    ("wrong_ball", Foul::WrongBall),
    ("no_cushion", Foul::NoCushion),
    ("weak_break", Foul::WeakBreak),
    ("behind_head_string", Foul::BehindHeadString),
    ("wrong_ball_falls", Foul::WrongBallFalls),
    ("touching_ball", Foul::TouchingBall),
    ("free_ball_snookers", Foul::FreeBallSnookers),
    ("wrong_cue_ball", Foul::WrongCueBall),
    ("double_hit", Foul::DoubleHit),
    ("push_stroke", Foul::PushStroke),
    ("bad_placement", Foul::BadPlacement),
    ("called", Foul::Called),
];
const CHOICES: &[(&str, Choice)] = &[
    ("accept", Choice::Accept),
    ("cue_ball_in_hand", Choice::CueBallInHand),
    ("break", Choice::Break),
    ("let_other_break", Choice::LetOtherBreak),
];
const GROUPS: &[(&str, Group)] = &[("solids", Group::Solids), ("stripes", Group::Stripes)];

fn player(word: &str) -> PyResult<Player> {
    of_word("player", word, PLAYERS)
}

fn labels(numbers: Vec<u32>) -> Vec<String> {
    numbers.iter().map(u32::to_string).collect()
}

/// What is to be done next.
#[pyclass(frozen, eq, get_all, module = "carom.billiards")]
#[derive(PartialEq)]
pub(crate) struct Next {
    kind: &'static str,
    player: Option<&'static str>,
    cue_ball: Option<&'static str>,
}

impl Next {
    fn of(next: rules::Next) -> Next {
        let (kind, player, cue_ball) = match next {
            rules::Next::Shoots { player, cue_ball } => ("shoots", Some(player), Some(cue_ball)),
            rules::Next::Chooses { player } => ("chooses", Some(player), None),
            rules::Next::Won { player } => ("won", Some(player), None),
            _ => ("drawn", None, None),
        };
        Next {
            kind,
            player: player.map(|player| word_of(&player, PLAYERS)),
            cue_ball: cue_ball.map(|cue_ball| word_of(&cue_ball, CUE_BALLS)),
        }
    }
}

#[pymethods]
impl Next {
    fn __repr__(&self) -> String {
        let parts = [Some(self.kind), self.player, self.cue_ball];
        format!("<carom.billiards.Next: {}>", parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }

    /// Puts the cue ball there, if it may be there.
    fn place(&self, mut game: PyRefMut<'_, Game>, at: Vector) -> PyResult<()> {
        let from = of_word("cue_ball", self.cue_ball.unwrap_or("lies"), CUE_BALLS)?;
        from.place(&mut game.game, at).or_raise()
    }
}

/// What the rules make of a shot.
#[pyclass(frozen, get_all, module = "carom.billiards")]
pub(crate) struct Ruling {
    fouls: Vec<&'static str>,
    reasons: Vec<String>,
    spotted: Vec<String>,
    rerack: bool,
    next: Py<Next>,
}

impl Ruling {
    fn of(py: Python<'_>, ruling: rules::Ruling) -> PyResult<Ruling> {
        Ok(Ruling {
            fouls: ruling.fouls.iter().map(|foul| word_of(foul, FOULS)).collect(),
            reasons: ruling.fouls.iter().map(ToString::to_string).collect(),
            spotted: ruling.spotted,
            rerack: ruling.rerack,
            next: Py::new(py, Next::of(ruling.next))?,
        })
    }
}

#[pymethods]
impl Ruling {
    fn __repr__(&self) -> String {
        format!("<carom.billiards.Ruling: fouls {:?}, {}>", self.fouls, self.next.get().__repr__())
    }
}

/// What all books have.
macro_rules! book {
    ($book:ident) => {
        #[pymethods]
        impl $book {
            #[getter]
            fn next(&self) -> Next {
                Next::of(self.0.next())
            }

            fn copy(&self) -> Self {
                $book(self.0.clone())
            }

            fn __copy__(&self) -> Self {
                self.copy()
            }

            fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
                self.copy()
            }
        }
    };
}

book!(NineBall);
book!(EightBall);
book!(Snooker);
book!(ThreeCushion);

/// A game of nine-ball.
#[pyclass(eq, module = "carom.billiards")]
#[derive(PartialEq)]
pub(crate) struct NineBall(rules::NineBall);

#[pymethods]
impl NineBall {
    #[new]
    fn new() -> Self {
        NineBall(rules::NineBall::new())
    }

    #[getter]
    fn ball_on(&self) -> String {
        self.0.ball_on().to_string()
    }

    #[getter]
    fn may_push_out(&self) -> bool {
        self.0.may_push_out()
    }

    fn fouls(&self, player: &str) -> PyResult<u8> {
        Ok(self.0.fouls(self::player(player)?))
    }

    #[pyo3(signature = (outcome, *, push_out = false))]
    fn judge(&mut self, py: Python<'_>, outcome: &Outcome, push_out: bool) -> PyResult<Ruling> {
        let intent = if push_out { Intent::PushOut } else { Intent::Play };
        Ruling::of(py, self.0.judge(outcome.told(), intent).or_raise()?)
    }

    fn choose(&mut self, shooter: &str) -> PyResult<Next> {
        Ok(Next::of(self.0.choose(player(shooter)?).or_raise()?))
    }
}

/// A game of eight-ball.
#[pyclass(eq, module = "carom.billiards")]
#[derive(PartialEq)]
pub(crate) struct EightBall(rules::EightBall);

/// What a player says before a shot of eight-ball.
#[derive(FromPyObject)]
enum Said {
    Pot(String, usize),
    Word(String),
}

impl Said {
    fn call(self) -> PyResult<Call> {
        let refused =
            |said: &str| errors::text("call", said, "\"safety\", or the label of a ball and a pocket");
        match self {
            Said::Pot(ball, pocket) => {
                let ball = ball.parse().map_err(|_| refused(&ball))?;
                Ok(Call::Pot { ball, pocket })
            }
            Said::Word(word) if word == "safety" => Ok(Call::Safety),
            Said::Word(word) => Err(refused(&word)),
        }
    }
}

#[pymethods]
impl EightBall {
    #[new]
    fn new() -> Self {
        EightBall(rules::EightBall::new())
    }

    #[getter]
    fn is_break(&self) -> bool {
        self.0.is_break()
    }

    #[getter]
    fn on_table(&self) -> Vec<String> {
        labels(self.0.on_table())
    }

    #[getter]
    fn choices(&self) -> Vec<&'static str> {
        self.0.choices().iter().map(|choice| word_of(choice, CHOICES)).collect()
    }

    fn group(&self, player: &str) -> PyResult<Option<&'static str>> {
        Ok(self.0.group(self::player(player)?).map(|group| word_of(&group, GROUPS)))
    }

    fn balls_on(&self, player: &str) -> PyResult<Vec<String>> {
        Ok(labels(self.0.balls_on(self::player(player)?)))
    }

    #[pyo3(signature = (outcome, *, call = None))]
    fn judge(&mut self, py: Python<'_>, outcome: &Outcome, call: Option<Said>) -> PyResult<Ruling> {
        let call = call.map_or(Ok(Call::Nothing), Said::call)?;
        Ruling::of(py, self.0.judge(outcome.told(), call).or_raise()?)
    }

    fn choose(&mut self, py: Python<'_>, choice: &str) -> PyResult<Ruling> {
        let choice = of_word("choice", choice, CHOICES)?;
        Ruling::of(py, self.0.choose(choice).or_raise()?)
    }
}

/// A frame of snooker.
#[pyclass(eq, module = "carom.billiards")]
#[derive(PartialEq)]
pub(crate) struct Snooker(rules::Snooker);

#[pymethods]
impl Snooker {
    #[new]
    fn new() -> Self {
        Snooker(rules::Snooker::new())
    }

    #[getter]
    fn on(&self) -> &'static str {
        match self.0.on() {
            On::Red => "red",
            On::AnyColour => "any_colour",
            On::Colour(colour) => colour.label(),
        }
    }

    #[getter]
    fn on_table(&self) -> Vec<String> {
        self.0.on_table()
    }

    #[getter]
    fn balls_on(&self) -> Vec<String> {
        self.0.balls_on()
    }

    #[getter]
    fn has_free_ball(&self) -> bool {
        self.0.has_free_ball()
    }

    fn points(&self, player: &str) -> PyResult<u32> {
        Ok(self.0.points(self::player(player)?))
    }

    #[pyo3(signature = (outcome, after, *, nominated = None))]
    fn judge(
        &mut self,
        py: Python<'_>,
        outcome: &Outcome,
        after: &Game,
        nominated: Option<&str>,
    ) -> PyResult<Ruling> {
        let colours = Colour::ALL.map(|colour| (colour.label(), colour));
        let nominated = nominated.map(|label| of_word("nominated", label, &colours)).transpose()?;
        Ruling::of(py, self.0.judge(outcome.told(), nominated, &after.game).or_raise()?)
    }

    fn choose(&mut self, striker: &str) -> PyResult<Next> {
        Ok(Next::of(self.0.choose(player(striker)?).or_raise()?))
    }

    fn replay(&mut self, before: &Snooker) -> PyResult<Next> {
        Ok(Next::of(self.0.replay(&before.0).or_raise()?))
    }

    /// Puts colours back on their spots.
    #[staticmethod]
    fn spot(mut game: PyRefMut<'_, Game>, balls: Vec<String>) -> PyResult<()> {
        rules::Snooker::spot(&mut game.game, &balls).or_raise()
    }
}

/// A game of three-cushion billiards.
#[pyclass(eq, module = "carom.billiards")]
#[derive(PartialEq)]
pub(crate) struct ThreeCushion(rules::ThreeCushion);

#[pymethods]
impl ThreeCushion {
    #[new]
    #[pyo3(signature = (target = 50, *, equal_innings = false, most_innings = None))]
    fn new(target: u32, equal_innings: bool, most_innings: Option<u32>) -> PyResult<Self> {
        let least = |field: &str, given: u32| match given {
            0 => Err(errors::value(field, errors::Value::Whole(0), "a number from 1 on")),
            given => Ok(given),
        };
        let book = rules::ThreeCushion::new(least("target", target)?);
        let book = if equal_innings { book.with_equal_innings() } else { book };
        Ok(ThreeCushion(match most_innings {
            Some(most) => book.with_most_innings(least("most_innings", most)?),
            None => book,
        }))
    }

    #[getter]
    fn is_opening(&self) -> bool {
        self.0.is_opening()
    }

    fn ball_of(&self, player: &str) -> PyResult<&'static str> {
        Ok(self.0.ball_of(self::player(player)?))
    }

    fn points(&self, player: &str) -> PyResult<u32> {
        Ok(self.0.points(self::player(player)?))
    }

    fn innings(&self, player: &str) -> PyResult<u32> {
        Ok(self.0.innings(self::player(player)?))
    }

    fn judge(&mut self, py: Python<'_>, outcome: &Outcome) -> PyResult<Ruling> {
        Ruling::of(py, self.0.judge(outcome.told()).or_raise()?)
    }

    /// Puts the balls in the starting position.
    fn set_up(&self, mut game: PyRefMut<'_, Game>) -> PyResult<()> {
        self.0.set_up(&mut game.game).or_raise()
    }

    /// Puts a cue ball that touches others, and these, on their spots.
    fn respot(&self, mut game: PyRefMut<'_, Game>) -> PyResult<Vec<&'static str>> {
        self.0.respot(&mut game.game).or_raise()
    }
}

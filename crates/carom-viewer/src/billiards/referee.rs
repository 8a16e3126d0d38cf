use carom_billiards::rules::{
    Call, Choice, Colour, CueBall, EightBall, Group, Intent, Next, NineBall, On, Player, Ruling, Snooker,
    ThreeCushion,
};
use carom_billiards::{Error, Game, Layout, Outcome};

/// Points that win a game of three-cushion billiards here.
const TARGET: u32 = 10;

/// Decides whose turn it is: the rules of a game; none in practice.
///
/// Calls are taken from what happens: the pot that is called is the first ball on that falls, the colour that
/// is nominated is the one that is met.
#[derive(Clone, Debug)]
pub(super) enum Referee {
    Practice,
    NineBall(NineBall),
    EightBall(EightBall),
    Snooker(Snooker),
    ThreeCushion(ThreeCushion),
}

impl Referee {
    /// That of a game, by the name of its rack.
    pub(super) fn of(game: &str) -> Self {
        match game {
            "9-ball" => Referee::NineBall(NineBall::new()),
            "8-ball" => Referee::EightBall(EightBall::new()),
            "snooker" => Referee::Snooker(Snooker::new()),
            "three-cushion" => Referee::ThreeCushion(ThreeCushion::new(TARGET)),
            _ => Referee::Practice,
        }
    }

    /// What is to be done; `None` in practice.
    pub(super) fn next(&self) -> Option<Next> {
        match self {
            Referee::Practice => None,
            Referee::NineBall(rules) => Some(rules.next()),
            Referee::EightBall(rules) => Some(rules.next()),
            Referee::Snooker(rules) => Some(rules.next()),
            Referee::ThreeCushion(rules) => Some(rules.next()),
        }
    }

    /// Whose turn it is.
    pub(super) fn player(&self) -> Option<Player> {
        match self.next()? {
            Next::Shoots { player, .. } | Next::Chooses { player } => Some(player),
            _ => None,
        }
    }

    /// Where the cue ball is played from.
    pub(super) fn cue_ball(&self) -> CueBall {
        match self.next() {
            Some(Next::Shoots { cue_ball, .. }) => cue_ball,
            _ => CueBall::Lies,
        }
    }

    /// The label of the ball that is struck.
    pub(super) fn struck(&self) -> &'static str {
        match self {
            Referee::ThreeCushion(rules) => rules.ball_of(self.player().unwrap_or(Player::First)),
            _ => Layout::CUE,
        }
    }

    /// Whether the balls are set up for a break.
    pub(super) fn is_break(&self) -> bool {
        match self {
            Referee::EightBall(rules) => rules.is_break(),
            Referee::NineBall(_) => self.cue_ball() == CueBall::BehindHeadString,
            _ => false,
        }
    }

    /// The labels of the balls that may be met first; empty if any may.
    pub(super) fn on(&self) -> Vec<String> {
        match self {
            Referee::Practice => Vec::new(),
            Referee::NineBall(rules) => vec![rules.ball_on().to_string()],
            Referee::EightBall(rules) => {
                let numbers = rules.balls_on(self.player().unwrap_or(Player::First));
                numbers.into_iter().map(|number| number.to_string()).collect()
            }
            Referee::Snooker(rules) => rules.balls_on(),
            Referee::ThreeCushion(rules) if rules.is_opening() => vec!["red".to_owned()],
            Referee::ThreeCushion(_) => Vec::new(),
        }
    }

    /// What is on, in words.
    pub(super) fn on_in_words(&self) -> String {
        let player = self.player().unwrap_or(Player::First);
        match self {
            Referee::Practice => "practice".to_owned(),
            Referee::NineBall(rules) => format!("the {} first", rules.ball_on()),
            Referee::EightBall(rules) if rules.is_break() => "break".to_owned(),
            Referee::EightBall(rules) => match rules.group(player) {
                None => "open table".to_owned(),
                Some(_) if rules.balls_on(player) == [8] => "the 8".to_owned(),
                Some(Group::Solids) => "solids, 1 to 7".to_owned(),
                Some(Group::Stripes) => "stripes, 9 to 15".to_owned(),
            },
            Referee::Snooker(rules) => match rules.on() {
                On::Red => "a red".to_owned(),
                On::AnyColour => "a colour".to_owned(),
                On::Colour(colour) => format!("the {}", colour.label()),
            },
            Referee::ThreeCushion(_) => format!("{} ball, three cushions", self.struck()),
        }
    }

    /// The score of a player; `None` where there are no points.
    pub(super) fn score(&self, player: Player) -> Option<String> {
        match self {
            Referee::Practice | Referee::EightBall(_) => None,
            Referee::NineBall(rules) => match rules.fouls(player) {
                0 => None,
                1 => Some("1 foul".to_owned()),
                fouls => Some(format!("{fouls} fouls")),
            },
            Referee::Snooker(rules) => Some(rules.points(player).to_string()),
            Referee::ThreeCushion(rules) => Some(format!("{} of {TARGET}", rules.points(player))),
        }
    }

    /// Whether the next shot may be a push-out.
    pub(super) fn may_push_out(&self) -> bool {
        matches!(self, Referee::NineBall(rules) if rules.may_push_out())
    }

    /// Judges a shot that is over, which may have been said to be a push-out; `after` is the table then.
    pub(super) fn judge(
        &mut self,
        outcome: &Outcome,
        is_push_out: bool,
        after: &Game,
    ) -> Result<Option<Ruling>, Error> {
        let intent = if is_push_out && self.may_push_out() { Intent::PushOut } else { Intent::Play };
        let on = self.on();
        Ok(Some(match self {
            Referee::Practice => return Ok(None),
            Referee::NineBall(rules) => rules.judge(outcome, intent)?,
            Referee::EightBall(rules) => {
                let called = outcome.potted.iter().find(|potted| on.contains(&potted.ball));
                let call = called.and_then(|potted| {
                    let ball = potted.ball.parse().ok()?;
                    Some(Call::Pot { ball, pocket: potted.pocket })
                });
                rules.judge(outcome, call.filter(|_| !rules.is_break()).unwrap_or_default())?
            }
            Referee::Snooker(rules) => {
                let met = outcome.first_hit.as_deref();
                let met = Colour::ALL.into_iter().find(|colour| Some(colour.label()) == met);
                let nominated = match rules.on() {
                    On::AnyColour => Some(met.unwrap_or(Colour::Black)),
                    On::Colour(on) => met.filter(|met| rules.has_free_ball() && *met != on),
                    On::Red => met.filter(|_| rules.has_free_ball()),
                };
                rules.judge(outcome, nominated, after)?
            }
            Referee::ThreeCushion(rules) => rules.judge(outcome)?,
        }))
    }

    /// What the player whose turn it is can choose from.
    pub(super) fn choices(&self) -> Vec<&'static str> {
        if !matches!(self.next(), Some(Next::Chooses { .. })) {
            return Vec::new();
        }
        match self {
            Referee::EightBall(rules) => rules.choices().iter().map(|choice| in_words(*choice)).collect(),
            _ => vec!["Play on", "Let the other player play"],
        }
    }

    /// Chooses by number. Says which balls are put back, and whether all are set up again.
    pub(super) fn choose(&mut self, number: usize) -> Result<(Vec<String>, bool), Error> {
        let Some(player) = self.player() else { return Err(Error::OutOfTurn("there is no choice")) };
        let shooter = if number == 0 { player } else { player.other() };
        match self {
            Referee::EightBall(rules) => {
                let choice = rules.choices().get(number).copied();
                let ruling = rules.choose(choice.ok_or(Error::OutOfTurn("there is no such choice"))?)?;
                return Ok((ruling.spotted, ruling.rerack));
            }
            Referee::NineBall(rules) => _ = rules.choose(shooter)?,
            Referee::Snooker(rules) => _ = rules.choose(shooter)?,
            Referee::Practice | Referee::ThreeCushion(_) => {
                return Err(Error::OutOfTurn("there is no choice"));
            }
        }
        Ok((Vec::new(), false))
    }

    /// Puts balls back.
    pub(super) fn spot(&self, game: &mut Game, labels: &[String]) -> Result<(), Error> {
        match self {
            Referee::Snooker(_) => Snooker::spot(game, labels),
            _ => labels.iter().try_for_each(|label| game.spot(label).map(|_| ())),
        }
    }
}

fn in_words(choice: Choice) -> &'static str {
    match choice {
        Choice::Accept => "Play on",
        Choice::CueBallInHand => "Cue ball in hand",
        Choice::Break => "Break again",
        Choice::LetOtherBreak => "Let the other player break",
    }
}

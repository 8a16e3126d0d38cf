//! A table of billiards that is played on, without a window.

mod aim;
mod forecast;
mod opening;
mod opponent;
mod referee;
mod replay;
mod report;
mod turns;

pub use aim::{Aim, SPEEDS, STEEPEST};
pub use forecast::{Contact, Forecast};

use crate::link::{OTHER_RESULT, Promise};
use carom_billiards::rules::{CueBall, Next, Player};
use carom_billiards::{Cue, Game, Motion, Rack, Recording, Shot, Table};
use carom_engine::DVec2;
use carom_engine::glam::DQuat;
use opening::Opened;
use opponent::Opponent;
use referee::Referee;
use replay::Replay;

/// What is going on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The shot is being aimed.
    Aiming,
    /// The simple player thinks.
    Thinking,
    /// A shot is running.
    Rolling,
    /// The player has to choose: [`BilliardSession::choices`].
    Choosing,
    /// The game is over.
    Over,
}

/// A ball as it is seen.
#[derive(Clone, Debug)]
pub struct SeenBall {
    /// Its number in the layout.
    pub number: usize,
    /// What it is called.
    pub label: String,
    /// Its centre, in the frame of worlds.
    pub position: DVec2,
    /// Its radius in metres.
    pub radius: f64,
    /// How it moves.
    pub motion: Motion,
    /// How it has turned since it was put on the table, in the frame of worlds.
    pub turned: DQuat,
}

/// What an undone shot comes back to.
#[derive(Clone, Debug)]
struct Before {
    game: Game,
    referee: Referee,
    turned: Vec<DQuat>,
    aim: Aim,
}

/// The most balls that are marked as being on.
const MARKED: usize = 8;
/// The most shots that can be undone.
const UNDO: usize = 40;
/// How many shots the simple player tries in a frame.
const TRIALS: usize = 3;
/// Seconds for which the shot of the simple player is shown before it is played.
const SHOWN: f64 = 0.9;

/// A table with balls, an aim with its forecast, the shot that is running, and the rules.
///
/// Whatever is refused leaves all as it was, and says why in [`BilliardSession::message`].
#[derive(Debug)]
pub struct BilliardSession {
    name: String,
    game: Game,
    referee: Referee,
    rack: Option<Rack>,
    seed: u64,
    aim: Aim,
    /// Whether the butt is lifted by itself over what is behind the ball: until its elevation is set.
    lifts: bool,
    cue: Cue,
    struck: Option<String>,
    forecast: Option<(Shot, Forecast)>,
    replay: Option<Replay>,
    /// The time of the replay that is shown; none if the table is as it lies.
    shown: Option<f64>,
    /// Whether the replay has been judged.
    is_settled: bool,
    is_playing: bool,
    speed: f64,
    turned: Vec<DQuat>,
    undo: Vec<Before>,
    shots: u64,
    /// Whether the shot was said to be a push-out.
    is_push_out: bool,
    opponent: Option<Opponent>,
    /// Whether the second player is the simple one.
    is_against_simple: bool,
    /// The shot that the simple player is about to play, with the seconds until then.
    announced: Option<(Shot, f64)>,
    said: String,
    message: String,
    /// What the link that was opened tells of its result.
    promise: Option<Promise>,
}

impl BilliardSession {
    /// Opens a game, a rack, a scene of billiards by name or text, or what [`BilliardSession::share`] gave.
    /// `None` if it is none of these.
    #[must_use]
    pub fn open(text: &str) -> Option<Result<Self, String>> {
        Some(opening::open(text)?.map(BilliardSession::of))
    }

    /// The names that [`BilliardSession::open`] takes.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        opening::names()
    }

    fn of(opened: Opened) -> Self {
        let Opened { name, game, referee, aim, cue, struck, rack, promise } = opened;
        let turned = vec![DQuat::IDENTITY; game.discs().len()];
        let mut session = BilliardSession {
            name,
            game,
            referee,
            rack,
            seed: 1,
            aim,
            lifts: rack.is_some(),
            cue,
            struck,
            forecast: None,
            replay: None,
            shown: None,
            is_settled: true,
            is_playing: true,
            speed: 1.0,
            turned,
            undo: Vec::new(),
            shots: 0,
            is_push_out: false,
            opponent: None,
            is_against_simple: true,
            announced: None,
            said: String::new(),
            message: String::new(),
            promise,
        };
        if promise.is_some_and(|promise| !promise.is_kept()) {
            session.message = OTHER_RESULT.to_owned();
        }
        if session.game.energy() > 0.0 && session.struck.is_none() {
            session.run(None);
        }
        session.aim_at_next();
        session.lift();
        session
    }

    /// The name of the game or scene.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The table.
    #[must_use]
    pub fn table(&self) -> &Table {
        self.game.table()
    }

    /// The table with its balls as they lie: after the shot, if one is running.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// What is said about a refusal; empty if nothing is.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Says something to the user.
    pub fn say(&mut self, message: String) {
        self.message = message;
    }

    /// What the rules made of the last shot.
    #[must_use]
    pub fn said(&self) -> &str {
        &self.said
    }

    /// What is going on.
    #[must_use]
    pub fn phase(&self) -> Phase {
        if !self.is_settled {
            return Phase::Rolling;
        }
        match self.referee.next() {
            Some(Next::Won { .. } | Next::Drawn) => Phase::Over,
            Some(_) if self.is_simple_player_on() => Phase::Thinking,
            Some(Next::Chooses { .. }) => Phase::Choosing,
            _ => Phase::Aiming,
        }
    }

    fn is_simple_player_on(&self) -> bool {
        self.is_against_simple && self.referee.player() == Some(Player::Second)
    }

    /// Whether the rules of a game are kept; else it is practice, and all balls can be put anywhere.
    #[must_use]
    pub fn has_rules(&self) -> bool {
        !matches!(self.referee, Referee::Practice)
    }

    /// Leaves the rules of the game: the balls stay where they are.
    pub fn practise(&mut self) {
        self.referee = Referee::Practice;
        (self.opponent, self.announced) = (None, None);
        self.said.clear();
    }

    /// Whether the second player is the simple one.
    #[must_use]
    pub fn is_against_simple(&self) -> bool {
        self.is_against_simple
    }

    /// Plays against the simple player, or against another person.
    pub fn set_against_simple(&mut self, is_against_simple: bool) {
        self.is_against_simple = is_against_simple;
        (self.opponent, self.announced) = (None, None);
    }

    /// The player whose turn it is, and where the cue ball is played from.
    #[must_use]
    pub fn turn(&self) -> Option<(Player, CueBall)> {
        Some((self.referee.player()?, self.referee.cue_ball()))
    }

    /// What is on, in words.
    #[must_use]
    pub fn on(&self) -> String {
        self.referee.on_in_words()
    }

    /// The balls one of which is to be met first; none where any may be, or nearly any.
    #[must_use]
    pub fn marked(&self) -> Vec<String> {
        let on = self.referee.on();
        if self.phase() == Phase::Aiming && on.len() <= MARKED { on } else { Vec::new() }
    }

    /// The score of a player, if there is one.
    #[must_use]
    pub fn score(&self, player: Player) -> Option<String> {
        self.referee.score(player)
    }

    /// What a player is called.
    #[must_use]
    pub fn called(&self, player: Player) -> &'static str {
        match player {
            Player::First => "First player",
            Player::Second if self.is_against_simple => "Simple player",
            Player::Second => "Second player",
        }
    }

    /// What can be chosen now.
    #[must_use]
    pub fn choices(&self) -> Vec<&'static str> {
        if self.phase() == Phase::Choosing { self.referee.choices() } else { Vec::new() }
    }

    /// The label of the ball that is struck.
    #[must_use]
    pub fn struck(&self) -> &str {
        self.struck.as_deref().filter(|_| !self.has_rules()).unwrap_or(self.referee.struck())
    }

    /// How the ball is going to be struck.
    #[must_use]
    pub fn aim(&self) -> Aim {
        self.aim
    }

    /// Changes how the ball is going to be struck; what is out of range is brought into it.
    pub fn set_aim(&mut self, aim: Aim) {
        if self.phase() == Phase::Aiming {
            let aim = aim.checked(self.aim);
            self.lifts &= aim.elevation == self.aim.elevation;
            self.aim = aim;
            self.lift();
            self.message.clear();
        }
    }

    /// Whether the butt is lifted by itself, as far as it must be.
    #[must_use]
    pub fn is_lifted(&self) -> bool {
        self.lifts
    }

    /// Lifts the butt by itself over what is behind the ball, as far as it must be, or as it is set.
    pub fn set_lifted(&mut self, is_lifted: bool) {
        self.lifts = is_lifted;
        self.lift();
    }

    /// Lifts the butt, if that is left to it: to the tenth of a degree.
    fn lift(&mut self) {
        if !self.lifts || self.phase() != Phase::Aiming {
            return;
        }
        let level = Aim { elevation: 0.0, ..self.aim }.shot(self.struck(), self.cue);
        let least = match self.game.least_elevation(&level) {
            Ok(least) => least.unwrap_or(STEEPEST),
            Err(_) => 0.0,
        };
        let degrees = (10.0 * least.to_degrees()).ceil() / 10.0;
        self.aim.elevation = degrees.to_radians().min(STEEPEST);
    }

    /// Aims through a place, in the frame of worlds.
    pub fn aim_at(&mut self, place: DVec2) {
        let Some(from) = self.lies(self.struck()) else { return };
        let way = place - from;
        if way.length() > 1e-6 {
            self.set_aim(Aim { direction: way.to_angle(), ..self.aim });
        }
    }

    /// The stroke that [`BilliardSession::shoot`] makes.
    #[must_use]
    pub fn shot(&self) -> Shot {
        match &self.announced {
            Some((shot, _)) => shot.clone(),
            None => self.aim.shot(self.struck(), self.cue),
        }
    }

    /// The cue.
    #[must_use]
    pub fn cue(&self) -> Cue {
        self.cue
    }

    /// Where a ball lies, in the frame of worlds; `None` of one that has fallen.
    #[must_use]
    pub fn lies(&self, label: &str) -> Option<DVec2> {
        let index = self.game.index_of(label).ok()?;
        self.game
            .world()
            .get(self.game.discs()[index])
            .filter(|ball| ball.is_enabled())
            .map(|ball| ball.position())
    }

    /// What the stroke is going to do: computed anew only where something has changed. `None` while no shot
    /// is aimed.
    pub fn forecast(&mut self) -> Option<&Forecast> {
        if self.phase() != Phase::Aiming && self.announced.is_none() {
            return None;
        }
        let shot = self.shot();
        if self.forecast.as_ref().is_none_or(|known| known.0 != shot) {
            let forecast = Forecast::new(&self.game, &shot);
            self.forecast = Some((shot, forecast));
        }
        self.forecast.as_ref().map(|known| &known.1)
    }

    /// The forecast that was computed last, if it is still that of the stroke.
    #[must_use]
    pub fn known_forecast(&self) -> Option<&Forecast> {
        let is_shown = self.phase() == Phase::Aiming || self.announced.is_some();
        self.forecast.as_ref().filter(|_| is_shown && self.shown.is_none()).map(|known| &known.1)
    }

    /// The balls that are on the table at the time that is shown.
    pub fn balls(&mut self) -> Vec<SeenBall> {
        let shown = self.shown;
        let turned = match (&mut self.replay, shown) {
            (Some(replay), Some(time)) => replay.turned(time).to_vec(),
            _ => self.turned.clone(),
        };
        let balls = self.game.layout().balls.iter().enumerate();
        let seen = balls.filter_map(|(number, placed)| {
            let (position, motion) = match (&self.replay, shown) {
                (Some(replay), Some(time)) => replay.place(number, time)?,
                _ => (self.lies(&placed.label)?, Motion::Resting),
            };
            let turned = turned.get(number).copied().unwrap_or(DQuat::IDENTITY);
            let (label, radius) = (placed.label.clone(), placed.ball.radius);
            Some(SeenBall { number, label, position, radius, motion, turned })
        });
        seen.collect()
    }

    /// The shot that was played last, all of it.
    #[must_use]
    pub fn recording(&self) -> Option<&Recording> {
        self.replay.as_ref().map(Replay::recording)
    }

    /// The time of the last shot that is shown, and how long that lasts; `None` before the first.
    #[must_use]
    pub fn time(&self) -> Option<(f64, f64)> {
        let replay = self.replay.as_ref()?;
        Some((self.shown.unwrap_or(replay.duration()), replay.duration()))
    }

    /// Whether time runs, where a shot is shown.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.is_playing && self.shown.is_some()
    }

    /// Seconds of the table in a second of the window.
    #[must_use]
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Sets how fast shots run, from 1/1000 to 1000; other numbers are ignored.
    pub fn set_speed(&mut self, speed: f64) {
        if (1e-3..=1e3).contains(&speed) {
            self.speed = speed;
        }
    }
}

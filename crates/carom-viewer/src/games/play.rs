//! The games without a window: what the player does, and what the others do.

use carom_engine::DVec2;
use carom_games::{Board, Error, Input, air_hockey, pinball, pod_arena, shooter};
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
    /// Goes on by so many seconds of the window.
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
const SEED: u64 = 7;

/// The names of the games.
pub const GAMES: [&str; 4] = ["air-hockey", "pinball", "pod-race", "shooter"];

/// The start of a game, by its name; `None` if there is none of that name.
#[must_use]
pub fn game(name: &str) -> Option<Result<Box<dyn Play>, Error>> {
    match name {
        "air-hockey" => Some(AirHockey::new().map(|game| Box::new(game) as Box<dyn Play>)),
        "pinball" => Some(Pinball::new().map(|game| Box::new(game) as Box<dyn Play>)),
        "pod-race" => Some(PodRace::new().map(|game| Box::new(game) as Box<dyn Play>)),
        "shooter" => Some(Shooter::new().map(|game| Box::new(game) as Box<dyn Play>)),
        _ => None,
    }
}

/// Air hockey against the pilot, up to seven.
struct AirHockey {
    game: air_hockey::Game,
    pilot: air_hockey::Pilot,
    turn: f64,
}

impl AirHockey {
    const GOALS: u32 = 7;

    fn new() -> Result<Self, Error> {
        let game = air_hockey::Game::new(&air_hockey::Options::default())?;
        Ok(AirHockey { game, pilot: air_hockey::Pilot::new(SEED), turn: 0.0 })
    }
}

impl Play for AirHockey {
    fn advance(&mut self, seconds: f64, controls: &Controls) -> Result<(), Error> {
        let (now, [mine, _]) = (self.game.now(), self.game.mallets());
        let place = self.game.world().get(mine).map_or(DVec2::ZERO, |disc| disc.position());
        let target = match controls.pointer {
            _ if controls.arrows != DVec2::ZERO => Some(place + controls.arrows * 0.05),
            pointer => pointer,
        };
        if let Some(target) = target {
            self.game.input(Input { time: now, player: 0, action: air_hockey::Mouse(target) })?;
        }
        let until = now + seconds;
        while self.turn <= until {
            self.game.advance_to(self.turn)?;
            let mouse = self.pilot.decide(&self.game, 1);
            self.game.input(Input { time: self.turn, player: 1, action: air_hockey::Mouse(mouse) })?;
            self.turn += air_hockey::Pilot::TURN;
        }
        self.game.advance_to(until)
    }

    fn now(&self) -> f64 {
        self.game.now()
    }

    fn draw(&self, board: &mut dyn Board) {
        air_hockey::draw(&self.game, board);
    }

    fn bounds(&self) -> (DVec2, DVec2) {
        air_hockey::bounds()
    }

    fn ground(&self) -> Rgb {
        air_hockey::GROUND
    }

    fn status(&self) -> String {
        let [mine, other] = self.game.score();
        format!("{mine} : {other}")
    }

    fn outcome(&self) -> Option<String> {
        let [mine, other] = self.game.score();
        let words = if mine > other { "You win" } else { "The other side wins" };
        (mine.max(other) >= Self::GOALS).then(|| format!("{words}, {mine} : {other}"))
    }

    fn help(&self) -> &'static str {
        "The blue mallet follows the mouse, the finger or the arrows. Seven goals win."
    }
}

/// Three balls.
struct Pinball {
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

    fn new() -> Result<Self, Error> {
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

/// A race against three others.
struct PodRace {
    game: pod_arena::Game,
    pilot: pod_arena::Pilot,
    turn: f64,
}

impl PodRace {
    /// Turns in a second.
    const RATE: f64 = 5.0;
    const LAPS: u32 = 3;

    fn new() -> Result<Self, Error> {
        let game = pod_arena::Game::new(&pod_arena::Options::default())?;
        Ok(PodRace { game, pilot: pod_arena::Pilot::new(SEED), turn: 0.0 })
    }

    fn order(&self, controls: &Controls) -> Option<pod_arena::Order> {
        use pod_arena::{Order, Power};
        let pod = self.game.pods().first()?;
        let place = self.game.world().get(pod.disc)?.position();
        let target = match controls.pointer {
            _ if controls.arrows.x != 0.0 => place + 3000.0 * turned(pod.heading, -0.3 * controls.arrows.x),
            Some(pointer) => pointer,
            None => place + 3000.0 * pod.heading,
        };
        let power = if controls.arrows.y < 0.0 {
            Power::Shield
        } else if controls.space {
            Power::Boost
        } else if controls.is_pressed || controls.arrows.y > 0.0 {
            Power::Thrust(200)
        } else {
            Power::Thrust(0)
        };
        Some(Order { target, power })
    }

    fn laps(&self) -> u32 {
        self.game.pods().iter().map(|pod| pod.passed).max().unwrap_or(0)
            / (self.game.checkpoints().len().max(1) as u32)
    }
}

/// A direction turned by an angle.
fn turned(direction: DVec2, angle: f64) -> DVec2 {
    DVec2::from_angle(angle).rotate(direction)
}

impl Play for PodRace {
    fn advance(&mut self, seconds: f64, controls: &Controls) -> Result<(), Error> {
        let now = self.game.now();
        if let Some(action) = self.order(controls) {
            self.game.input(Input { time: now, player: 0, action })?;
        }
        let until = now + Self::RATE * seconds;
        while self.turn <= until {
            self.game.advance_to(self.turn)?;
            for player in 1..self.game.pods().len() {
                let action = self.pilot.decide(&self.game, player)?;
                self.game.input(Input { time: self.turn, player, action })?;
            }
            self.turn += 1.0;
        }
        self.game.advance_to(until)
    }

    fn now(&self) -> f64 {
        self.game.now()
    }

    fn draw(&self, board: &mut dyn Board) {
        pod_arena::draw(&self.game, board);
        let Some(pod) = self.game.pods().first() else { return };
        let next = self.game.next_checkpoint(pod);
        board.ring(next, pod_arena::Game::CHECKPOINT + 60.0, 70.0, pod_arena::colour_of(0), 0.9);
    }

    fn steers(&self) -> bool {
        true
    }

    fn bounds(&self) -> (DVec2, DVec2) {
        pod_arena::bounds()
    }

    fn ground(&self) -> Rgb {
        pod_arena::GROUND
    }

    fn status(&self) -> String {
        let place = self.game.ranking().iter().position(|&player| player == 0).map_or(0, |place| place + 1);
        let course = self.game.checkpoints().len().max(1) as u32;
        let passed = self.game.pods().first().map_or(0, |pod| pod.passed);
        let (lap, next) = ((passed / course + 1).min(Self::LAPS), passed % course + 1);
        let [pods, laps] = [self.game.pods().len() as u32, Self::LAPS];
        format!("place {place} of {pods}, lap {lap} of {laps}, to checkpoint {next}")
    }

    fn outcome(&self) -> Option<String> {
        let place = self.game.ranking().iter().position(|&player| player == 0).map_or(0, |place| place + 1);
        (self.laps() >= Self::LAPS).then(|| format!("Place {place} of {}", self.game.pods().len()))
    }

    fn help(&self) -> &'static str {
        "Your pod, number 1, turns to the mouse or finger, and flies while it is pressed. Arrows: turn, up \
         to fly, down for the shield. Space: boost, once. Three laps."
    }
}

/// Three ships against three.
struct Shooter {
    game: shooter::Game,
    pilot: shooter::Pilot,
    turn: f64,
    steer: DVec2,
}

impl Shooter {
    const POINTS: u32 = 10;

    fn new() -> Result<Self, Error> {
        let game = shooter::Game::new(&shooter::Options::default())?;
        Ok(Shooter { game, pilot: shooter::Pilot::new(SEED), turn: 0.0, steer: DVec2::ZERO })
    }

    fn actions(&mut self, controls: &Controls) -> Vec<shooter::Action> {
        use shooter::{Action, Game};
        let mut actions = Vec::new();
        let Some(place) = self.game.place(0) else { return actions };
        let aim = controls.pointer.map(|pointer| pointer - place);
        let finger = aim.filter(|aim| controls.is_touch && controls.is_pressed && aim.length() > 2.0);
        let way =
            if controls.arrows == DVec2::ZERO { finger.unwrap_or(DVec2::ZERO) } else { controls.arrows };
        let steer = way.normalize_or_zero() * Game::SPEED;
        if steer != self.steer {
            self.steer = steer;
            actions.push(Action::Steer(steer));
        }
        let ahead = self.game.ships().first().map(|ship| ship.heading);
        let fire = if controls.is_pressed { aim } else { ahead.filter(|_| controls.space) };
        actions.extend(fire.filter(|fire| *fire != DVec2::ZERO).map(Action::Fire));
        actions
    }
}

impl Play for Shooter {
    fn advance(&mut self, seconds: f64, controls: &Controls) -> Result<(), Error> {
        let now = self.game.now();
        for action in self.actions(controls) {
            self.game.input(Input { time: now, player: 0, action })?;
        }
        let until = now + seconds;
        while self.turn <= until {
            self.game.advance_to(self.turn)?;
            for player in 1..self.game.ships().len() {
                let (steer, fire) = self.pilot.decide(&self.game, player);
                for action in [steer, fire].into_iter().flatten() {
                    self.game.input(Input { time: self.turn, player, action })?;
                }
            }
            self.turn += shooter::Pilot::TURN;
        }
        self.game.advance_to(until)
    }

    fn now(&self) -> f64 {
        self.game.now()
    }

    fn draw(&self, board: &mut dyn Board) {
        shooter::draw(&self.game, board);
        if let Some(place) = self.game.place(0) {
            board.ring(place, 1.5 * shooter::Game::SHIP, 0.06, Rgb(0xff, 0xff, 0xff), 0.8);
        }
    }

    fn bounds(&self) -> (DVec2, DVec2) {
        shooter::bounds()
    }

    fn ground(&self) -> Rgb {
        shooter::GROUND
    }

    fn status(&self) -> String {
        let [blue, red] = self.game.score();
        format!("blue {blue} : {red} red")
    }

    fn outcome(&self) -> Option<String> {
        let [blue, red] = self.game.score();
        let words = if blue > red { "Blue wins" } else { "Red wins" };
        (blue.max(red) >= Self::POINTS).then(|| format!("{words}, {blue} : {red}"))
    }

    fn help(&self) -> &'static str {
        "Yours is the blue ship with a ring. Arrows, or W, A, S, D: fly. Mouse: aim, and fire while it is \
         pressed; Space: fire ahead. A finger does both. Ten points win."
    }
}

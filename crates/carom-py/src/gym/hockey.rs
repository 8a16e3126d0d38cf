//! The air hockey of `carom-games`: the agent plays on the left, the game's own pilot or a second agent on
//! the right.

use super::pods::write;
use super::task::{Failed, Step, Task, share};
use carom_engine::{DVec2, DiscId};
use carom_games::Input;
use carom_games::air_hockey::{Game, Mouse, Options, Pilot};

/// Who plays on the right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Opponent {
    Pilot,
    Still,
    Agent,
}

/// What an action says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Control {
    /// Where the mallet is sent in its half.
    Place,
    /// How far it goes from where it is, in what it can go in a turn.
    Way,
}

/// What a match is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Match {
    pub(crate) opponent: Opponent,
    pub(crate) goals: u32,
    /// What a foul costs.
    pub(crate) foul: f64,
    pub(crate) control: Control,
    /// Turns of a step.
    pub(crate) hold: u32,
    pub(crate) limit: u32,
}

pub(crate) struct Hockey {
    rules: Match,
    start: Game,
    game: Game,
    pilot: Option<Pilot>,
    turn: u32,
}

impl Clone for Hockey {
    fn clone(&self) -> Self {
        // A pilot is made anew by the reset that begins each episode.
        let (start, game) = (self.start.clone(), self.game.clone());
        Hockey { rules: self.rules, start, game, pilot: None, turn: self.turn }
    }
}

impl Hockey {
    pub(crate) fn new(rules: Match) -> Result<Self, Failed> {
        let start = Game::new(&Options::default())?;
        Ok(Hockey { rules, game: start.clone(), start, pilot: None, turn: 0 })
    }

    fn state(&self, id: DiscId) -> [DVec2; 2] {
        let disc = self.game.world().get(id);
        disc.map_or([DVec2::ZERO; 2], |disc| [disc.position(), disc.velocity()])
    }

    fn time(&self, turn: u32) -> f64 {
        f64::from(turn) * Pilot::TURN
    }

    /// Where a player's mallet is sent: its own goal is at -1 of its half, the middle at 1.
    fn place(&self, player: usize, action: &[f32]) -> DVec2 {
        let side = if player == 0 { -1.0 } else { 1.0 };
        let (half, action) = (Game::HALF, [share(action[0]), share(action[1])]);
        match self.rules.control {
            Control::Place => DVec2::new(side * half.x * 0.5 * (1.0 - action[0]), half.y * action[1]),
            Control::Way => {
                let [own, _] = self.state(self.game.mallets()[player]);
                own + DVec2::new(-side * action[0], action[1]) * (Game::SPEED * Pilot::TURN)
            }
        }
    }

    /// A turn: all decide, and the game goes on.
    fn turn(&mut self, action: &[f32]) -> Result<(), Failed> {
        let time = self.time(self.turn);
        let mut orders = vec![self.place(0, action)];
        match self.rules.opponent {
            Opponent::Pilot => orders.extend(self.pilot.as_mut().map(|pilot| pilot.decide(&self.game, 1))),
            Opponent::Still => {}
            Opponent::Agent => orders.push(self.place(1, &action[2..])),
        }
        for (player, at) in orders.into_iter().enumerate() {
            self.game.input(Input { time, player, action: Mouse(at) })?;
        }
        self.turn += 1;
        Ok(self.game.advance_to(self.time(self.turn))?)
    }

    fn is_won(&self) -> bool {
        self.game.score().iter().any(|&goals| goals >= self.rules.goals)
    }
}

impl Task for Hockey {
    fn widths(&self) -> [usize; 2] {
        [13, if self.rules.opponent == Opponent::Agent { 4 } else { 2 }]
    }

    fn reset(&mut self, seed: u64) -> Result<(), Failed> {
        self.game = self.start.clone();
        self.pilot = (self.rules.opponent == Opponent::Pilot).then(|| Pilot::new(seed));
        self.turn = 0;
        Ok(())
    }

    fn step(&mut self, action: &[f32]) -> Result<Step, Failed> {
        let before = [self.game.score(), self.game.fouls()];
        for _ in 0..self.rules.hold {
            self.turn(action)?;
            if self.is_won() || self.turn >= self.rules.limit {
                break;
            }
        }
        let (score, fouls) = (self.game.score(), self.game.fouls());
        let gained = |player: usize| {
            let [goals, faults] = [score[player] - before[0][player], fouls[player] - before[1][player]];
            f64::from(goals) - self.rules.foul * f64::from(faults)
        };
        Ok(Step {
            reward: gained(0) - gained(1),
            is_terminated: self.is_won(),
            is_truncated: self.turn >= self.rules.limit,
        })
    }

    fn observe(&self, row: &mut [f32]) {
        let [own, other] = self.game.mallets();
        write(row, [self.game.puck(), own, other].into_iter().flat_map(|id| self.state(id)));
        row[12] =
            self.game.clock().map_or(0.0, |(player, left)| if player == 0 { left } else { -left }) as f32;
    }

    fn picture(&self, width: u32) -> Result<Vec<u8>, Failed> {
        Ok(carom_games::air_hockey::picture(&self.game, width, None)?)
    }
}

//! The pod race of `carom-games`: one pod is the agent's, the others are driven by the game's own pilots.

use super::random::Random;
use super::task::{Failed, Step, Task, share};
use carom_engine::DVec2;
use carom_engine::math::elementary::sin_cos;
use carom_games::Input;
use carom_games::pod_arena::{Game, Options, Order, Pilot, Power};

/// What the race is.
#[derive(Clone, Debug)]
pub(crate) struct Race {
    pub(crate) opponents: usize,
    /// Whether the others are driven, or drift.
    pub(crate) are_driven: bool,
    pub(crate) laps: u32,
    pub(crate) limit: u32,
    /// Whether each episode has a course of its own.
    pub(crate) is_random: bool,
}

pub(crate) struct Pods {
    race: Race,
    game: Game,
    pilot: Option<Pilot>,
    turn: u32,
    /// How far the agent has come: checkpoints, and what is left to the next.
    progress: f64,
}

impl Clone for Pods {
    fn clone(&self) -> Self {
        // A pilot is made anew by the reset that begins each episode.
        let (race, game) = (self.race.clone(), self.game.clone());
        Pods { race, game, pilot: None, turn: self.turn, progress: self.progress }
    }
}

/// The largest turn in a turn of the game: 18 degrees.
const TURN: f64 = std::f64::consts::PI / 10.0;
/// Numbers of the agent: heading, next checkpoint and the one after that.
const OWN: usize = 6;
/// Numbers of each pod: position and velocity.
const EACH: usize = 4;
const UNIT: f64 = 1000.0;

impl Pods {
    pub(crate) fn new(race: Race) -> Result<Self, Failed> {
        let game = Game::new(&options(&race, 0))?;
        Ok(Pods { race, game, pilot: None, turn: 0, progress: 0.0 })
    }

    fn state(&self, pod: usize) -> [DVec2; 2] {
        let disc = self.game.world().get(self.game.pods()[pod].disc);
        disc.map_or([DVec2::ZERO; 2], |disc| [disc.position(), disc.velocity()])
    }

    /// Checkpoints passed, and the share of the way to the next.
    fn progress(&self) -> f64 {
        let pod = &self.game.pods()[0];
        let count = self.game.checkpoints().len();
        let last = self.game.checkpoints()[(pod.passed as usize + count - 1) % count];
        let next = self.game.next_checkpoint(pod);
        let [place, _] = self.state(0);
        f64::from(pod.passed) - place.distance(next) / last.distance(next).max(1.0)
    }
}

/// Four places that are far enough from each other, and the start behind the last.
fn options(race: &Race, seed: u64) -> Options {
    let mut options = Options::default();
    if race.is_random {
        let mut random = Random::new(seed);
        let (min, max) = (DVec2::splat(1200.0), Game::SIZE - 1200.0);
        let mut places: Vec<DVec2> = Vec::new();
        while places.len() < 4 {
            let place = random.between(min, max).round();
            if places.iter().all(|other| other.distance(place) > 3000.0) {
                places.push(place);
            }
        }
        let (line, across) = (places[3], (places[0] - places[3]).normalize().perp());
        let start = |k: f64| ((line + across * (1000.0 * (k - 1.5))).round(), DVec2::ZERO);
        options.checkpoints = places;
        options.starts = [0.0, 1.0, 2.0, 3.0].map(start).to_vec();
    }
    options.starts.truncate(1 + race.opponents);
    options
}

impl Task for Pods {
    fn widths(&self) -> [usize; 2] {
        [OWN + EACH * (1 + self.race.opponents), 2]
    }

    fn reset(&mut self, seed: u64) -> Result<(), Failed> {
        self.game = Game::new(&options(&self.race, seed))?;
        self.pilot = self.race.are_driven.then(|| Pilot::new(seed));
        self.turn = 0;
        self.progress = self.progress();
        Ok(())
    }

    fn step(&mut self, action: &[f32]) -> Result<Step, Failed> {
        let [place, _] = self.state(0);
        let (sin, cos) = sin_cos(share(action[0]) * TURN);
        let target = place + DVec2::new(cos, sin).rotate(self.game.pods()[0].heading) * 10_000.0;
        let thrust = (100.0 * (1.0 + share(action[1]))).round() as u32;
        let time = f64::from(self.turn);
        let own = Order { target, power: Power::Thrust(thrust) };
        self.game.input(Input { time, player: 0, action: own })?;
        if let Some(pilot) = &mut self.pilot {
            for player in 1..=self.race.opponents {
                let action = pilot.decide(&self.game, player)?;
                self.game.input(Input { time, player, action })?;
            }
        }
        self.turn += 1;
        self.game.advance_to(f64::from(self.turn))?;
        let (before, passed) = (self.progress, self.game.pods()[0].passed);
        self.progress = self.progress();
        Ok(Step {
            reward: self.progress - before,
            is_terminated: passed >= self.race.laps * self.game.checkpoints().len() as u32,
            is_truncated: self.turn >= self.race.limit,
        })
    }

    fn observe(&self, row: &mut [f32]) {
        let pod = &self.game.pods()[0];
        let [own, velocity] = self.state(0);
        let count = self.game.checkpoints().len();
        let after = self.game.checkpoints()[(pod.passed as usize + 1) % count];
        let next = self.game.next_checkpoint(pod);
        let mut numbers = vec![pod.heading, (next - own) / UNIT, (after - own) / UNIT];
        numbers.extend([own / UNIT, velocity / UNIT]);
        for other in 1..=self.race.opponents {
            let [place, speed] = self.state(other);
            numbers.extend([(place - own) / UNIT, speed / UNIT]);
        }
        write(row, numbers);
    }

    fn picture(&self, width: u32) -> Result<Vec<u8>, Failed> {
        Ok(carom_games::pod_arena::picture(&self.game, width, None)?)
    }
}

/// Writes vectors to a row of an observation.
pub(super) fn write(row: &mut [f32], vectors: impl IntoIterator<Item = DVec2>) {
    for (pair, vector) in row.chunks_exact_mut(2).zip(vectors) {
        pair.copy_from_slice(&[vector.x as f32, vector.y as f32]);
    }
}

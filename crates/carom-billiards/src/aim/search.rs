//! The search for the shot that is most likely made.

use super::fan::Fan;
use super::pot::{Pot, Stroke, shot_of};
use super::pots::{keep_first, pot};
use super::routes::{Wish, lines};
use super::spread::Spread;
use super::steer::Trial;
use crate::error::within;
use crate::{Error, Game, Outcome, Shot, start_threads};
use core::num::NonZeroUsize;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Rounds in which simulations are given out: each time to the better half of the shots.
const ROUNDS: u32 = 4;

/// Simulations of a shot in a round of a search that is ended by the time.
const EACH: usize = 4;

/// Simulations that a thread takes at a time.
const BATCH: usize = 16;

/// A search for the shots that a player is most likely to make.
///
/// First every line on which a wanted ball could be potted is played with every stroke, as by [`Game::pots`].
/// Then each shot found is played again and again with the errors of the player. The simulations are given
/// out in rounds, each to the better half of the shots of the round before, and the k-th one has the same
/// errors for all shots, so that these are compared under the same luck. The same search gives the same
/// answer on any number of threads.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// Simulations with errors, in all: 1500 unless something else is said.
    pub simulations: usize,
    /// The errors of the player.
    pub spread: Spread,
    /// The strokes that are tried.
    pub strokes: Vec<Stroke>,
    /// The seed of the errors.
    pub seed: u64,
    /// Threads; `None` for one for each core. There are fewer than asked for where there is not as much to
    /// do, beyond [`MOST_THREADS`](crate::MOST_THREADS), and where the system refuses more.
    pub threads: Option<NonZeroUsize>,
}

impl Default for Search {
    fn default() -> Self {
        let strokes = [1.5, 3.0].map(Stroke::new).to_vec();
        Search { simulations: 1500, spread: Spread::TOURNAMENT, strokes, seed: 1, threads: None }
    }
}

/// A shot, and how likely it is made.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// The shot as it is meant.
    pub pot: Pot,
    /// The share of simulations that did what was wanted.
    pub probability: f64,
    /// The standard error of that, `√(q(1 − q)/(n + 4))` with `q = (k + 2)/(n + 4)` for k of n (Agresti and
    /// Coull, The American Statistician 52 (1998) 119): not 0 where all or none succeeded.
    pub error: f64,
    /// How many simulations there were.
    pub simulations: u32,
}

/// A shot that is being tried.
struct Tried {
    pot: Pot,
    made: u32,
    count: u32,
}

impl Tried {
    /// Ordered by what is likely: with few simulations, nearer to a half.
    fn share(&self) -> f64 {
        f64::from(self.made + 1) / f64::from(self.count + 2)
    }
}

impl Search {
    /// With this many simulations.
    #[must_use]
    pub fn with_simulations(self, simulations: usize) -> Search {
        Search { simulations, ..self }
    }

    /// With the errors of another player.
    #[must_use]
    pub fn with_spread(self, spread: Spread) -> Search {
        Search { spread, ..self }
    }

    /// With other strokes.
    #[must_use]
    pub fn with_strokes(self, strokes: Vec<Stroke>) -> Search {
        Search { strokes, ..self }
    }

    /// With this many threads.
    #[must_use]
    pub fn with_threads(self, threads: NonZeroUsize) -> Search {
        Search { threads: Some(threads), ..self }
    }

    /// Searches for shots that do what is wished: see [`Pot::is_made`]. The most likely first.
    ///
    /// # Errors
    /// For strokes that are none, and balls that are not on the table.
    pub fn run(&self, game: &Game, wish: &Wish) -> Result<Vec<Ranked>, Error> {
        self.run_for(game, wish, |pot, outcome| pot.is_made(outcome, wish))
    }

    /// The same with another judgement of outcomes, such as the rules of a game. What is in the way of the
    /// cue is not looked for in trials: [`Game::obstruction`] of the shots that are found says it.
    ///
    /// # Errors
    /// As [`Search::run`].
    pub fn run_for(
        &self,
        game: &Game,
        wish: &Wish,
        is_made: impl Fn(&Pot, &Outcome) -> bool + Sync,
    ) -> Result<Vec<Ranked>, Error> {
        let (simulations, allowed) = (self.simulations as f64, "a number up to 1e9");
        within("simulations", simulations, 0.0..=1e9, allowed)?;
        let mut tried = self.candidates(game, wish)?;
        let mut rounds = tried.len();
        for round in 0..ROUNDS {
            let each = self.simulations / ROUNDS as usize / rounds.max(1);
            if round > 0 && each == 0 {
                break;
            }
            self.simulate(game, &mut tried[..rounds], each.max(1), &is_made)?;
            sort(&mut tried[..rounds]);
            rounds = rounds.div_ceil(2);
        }
        Ok(ranked(tried))
    }

    /// Searches until a time from now is over, instead of by a number of simulations.
    ///
    /// The answer depends on how fast the machine is and on what else it does: it cannot be reproduced. The
    /// candidates are found whatever time that takes; a round that has begun is ended.
    ///
    /// # Errors
    /// As [`Search::run`].
    pub fn run_until(&self, game: &Game, wish: &Wish, time: Duration) -> Result<Vec<Ranked>, Error> {
        let start = Instant::now();
        let mut tried = self.candidates(game, wish)?;
        let mut rounds = tried.len();
        while rounds > 0 && start.elapsed() < time {
            self.simulate(game, &mut tried[..rounds], EACH, &|pot, outcome| pot.is_made(outcome, wish))?;
            sort(&mut tried[..rounds]);
            // The better half goes on, except for the last few.
            let is_halved = tried[0].count % (4 * EACH as u32) == 0 && rounds > 3;
            rounds = if is_halved { rounds.div_ceil(2) } else { rounds };
        }
        Ok(ranked(tried))
    }

    /// All shots that pot a ball without errors, with all strokes.
    fn candidates(&self, game: &Game, wish: &Wish) -> Result<Vec<Tried>, Error> {
        let lines = lines(game, wish)?;
        let tasks: Vec<_> =
            lines.iter().flat_map(|line| self.strokes.iter().map(move |s| (line, *s))).collect();
        let found = self.on_all_cores(game, tasks.len(), 1, |trial, task| {
            let (line, stroke) = tasks[task];
            pot(trial, line, wish, stroke)
        })?;
        let mut found: Vec<Pot> = found.into_iter().flatten().collect();
        keep_first(&mut found);
        let fan_of = |stroke: &Stroke| Fan::new(game, wish, shot_of(wish, *stroke), &found);
        let mut fans: Vec<Fan> = self.strokes.iter().map(fan_of).collect::<Result<_, Error>>()?;
        loop {
            let shots: Vec<Vec<Shot>> = fans.iter_mut().map(Fan::grow).collect::<Result<_, Error>>()?;
            let tasks: Vec<&Shot> = shots.iter().flatten().collect();
            if tasks.is_empty() {
                break;
            }
            let played = self.on_all_cores(game, tasks.len(), BATCH, |trial, k| trial.follow(tasks[k]))?;
            let mut played = tasks.iter().map(|shot| shot.direction).zip(played);
            for (fan, shots) in fans.iter_mut().zip(&shots) {
                fan.take(played.by_ref().take(shots.len()));
            }
        }
        for fan in fans {
            fan.add_to(&mut found);
        }
        let made = found.into_iter().filter(|pot| !pot.scratches);
        Ok(made.map(|pot| Tried { pot, made: 0, count: 0 }).collect())
    }

    /// Plays each of some shots this many times more.
    fn simulate(
        &self,
        game: &Game,
        tried: &mut [Tried],
        each: usize,
        is_made: &(impl Fn(&Pot, &Outcome) -> bool + Sync),
    ) -> Result<(), Error> {
        let shots = &*tried;
        let made = self.on_all_cores(game, shots.len() * each, BATCH, |trial, task| {
            let Tried { pot, count, .. } = &shots[task / each];
            let number = u64::from(*count) + (task % each) as u64;
            let shot = self.spread.played(&pot.shot, self.seed, number);
            // A tip that slips off, or a stroke backwards: nothing is made of it.
            Ok(trial.play(&shot).is_ok_and(|outcome| is_made(pot, &outcome)))
        })?;
        for (tried, made) in tried.iter_mut().zip(made.chunks(each)) {
            tried.made += made.iter().filter(|made| **made).count() as u32;
            tried.count += each as u32;
        }
        Ok(())
    }

    /// Does tasks on all cores, and returns their results in order.
    fn on_all_cores<T: Send>(
        &self,
        game: &Game,
        tasks: usize,
        batch: usize,
        task: impl Fn(&mut Trial<'_>, usize) -> Result<T, Error> + Sync,
    ) -> Result<Vec<T>, Error> {
        let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let threads = self.threads.map_or_else(cores, NonZeroUsize::get).min(tasks.div_ceil(batch)).max(1);
        let (next, parts) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let first = Trial::new(game)?;
        let work = || {
            let mut trial = first.clone();
            loop {
                let first = next.fetch_add(batch, Ordering::Relaxed);
                if first >= tasks {
                    return;
                }
                let range = first..(first + batch).min(tasks);
                let part: Result<Vec<T>, Error> = range.map(|k| task(&mut trial, k)).collect();
                parts.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((first, part));
            }
        };
        std::thread::scope(|scope| {
            start_threads(scope, threads - 1, work);
            work();
        });
        let mut parts = parts.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        parts.sort_by_key(|(first, _)| *first);
        let mut all = Vec::with_capacity(tasks);
        for (_, part) in parts {
            all.extend(part?);
        }
        Ok(all)
    }
}

/// The most likely first; equals stay in their order.
fn sort(tried: &mut [Tried]) {
    tried.sort_by(|a, b| b.share().total_cmp(&a.share()));
}

fn ranked(mut tried: Vec<Tried>) -> Vec<Ranked> {
    sort(&mut tried);
    let rank = |tried: Tried| {
        let (made, count) = (f64::from(tried.made), f64::from(tried.count));
        let middle = (made + 2.0) / (count + 4.0);
        Ranked {
            pot: tried.pot,
            probability: made / count.max(1.0),
            error: carom_engine::math::sqrt(middle * (1.0 - middle) / (count + 4.0)),
            simulations: tried.count,
        }
    };
    tried.into_iter().map(rank).collect()
}

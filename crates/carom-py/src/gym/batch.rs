//! Environments side by side, which Python steps in one call.

use super::breakout::{self, Breakout};
use super::discs::{Discs, Rules};
use super::frame::Frame;
use super::hockey::{Control, Hockey, Match, Opponent};
use super::nine_ball::{self, Pool};
use super::pinball::{Pinball, Play};
use super::pods::{Pods, Race};
use super::random::seed_of;
use super::task::{Failed, Step, Task};
use crate::advance::without_callback;
use crate::crew;
use crate::errors::{self, Given, plain};
use crate::room::{Room, in_room};
use crate::words::of_word;
use crate::world::World;
use carom_engine::DiscId;
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;

/// When an episode that is over begins anew.
#[derive(Clone, Copy, PartialEq)]
enum Autoreset {
    NextStep,
    SameStep,
    Disabled,
}

const AUTORESETS: &[(&str, Autoreset)] = &[
    ("NextStep", Autoreset::NextStep),
    ("SameStep", Autoreset::SameStep),
    ("Disabled", Autoreset::Disabled),
];

/// An environment with its stream of episodes.
#[derive(Clone)]
struct Env<T> {
    task: T,
    stream: u64,
    episode: u64,
    is_over: bool,
    failed: Option<Failed>,
}

/// One environment, its action, and the buffers for its observation and reward.
struct Job<'a, T> {
    env: &'a mut Env<T>,
    action: &'a [f32],
    row: &'a mut [f32],
    last: &'a mut [f32],
    step: &'a mut Step,
}

impl<T: Task> Env<T> {
    fn begin(&mut self) -> Result<(), Failed> {
        let seed = seed_of(self.stream, self.episode);
        (self.episode, self.is_over) = (self.episode + 1, false);
        self.task.reset(seed)
    }

    fn step(
        &mut self,
        job: (&[f32], &mut [f32], &mut [f32], &mut Step),
        mode: Autoreset,
    ) -> Result<(), Failed> {
        let (action, row, last, step) = job;
        if self.is_over && mode == Autoreset::NextStep {
            self.begin()?;
        } else {
            *step = self.task.step(action)?;
            self.is_over = step.is_terminated || step.is_truncated;
            if self.is_over && mode == Autoreset::SameStep {
                self.task.observe(last);
                self.begin()?;
            }
        }
        self.task.observe(row);
        Ok(())
    }
}

/// Numbers of all environments after a call.
struct Seen {
    rows: Vec<f32>,
    /// The last observations of episodes that have ended in this step, if they began anew in it.
    last: Vec<f32>,
    steps: Vec<Step>,
}

/// Environments of one kind, whatever it is.
trait Many: Send + Sync {
    fn len(&self) -> usize;
    fn widths(&self) -> [usize; 2];
    /// Begins episodes of those in the mask: of other streams, where there are seeds.
    fn reset(&mut self, seeds: &[Option<u64>], mask: &[bool], threads: usize) -> Seen;
    fn step(&mut self, actions: &[f32], mode: Autoreset, threads: usize) -> Seen;
    fn over(&self) -> Vec<bool>;
    fn failed(&mut self) -> Option<Failed>;
    fn picture(&self, index: usize, width: u32) -> Result<Frame, Failed>;
}

impl<T: Task> Many for Vec<Env<T>> {
    fn len(&self) -> usize {
        self.len()
    }

    fn widths(&self) -> [usize; 2] {
        self.first().map_or([0; 2], |env| env.task.widths())
    }

    fn reset(&mut self, seeds: &[Option<u64>], mask: &[bool], threads: usize) -> Seen {
        let [width, _] = Many::widths(self);
        let mut rows = vec![0.0; self.len() * width];
        let mut jobs: Vec<_> =
            self.iter_mut().zip(seeds).zip(mask).zip(rows.chunks_exact_mut(width)).collect();
        crew::each(
            threads,
            &mut jobs,
            || (),
            |(), (((env, seed), is_asked), row)| {
                if **is_asked {
                    if let Some(seed) = seed {
                        (env.stream, env.episode) = (*seed, 0);
                    }
                    env.failed = env.begin().err();
                }
                env.task.observe(row);
            },
        );
        drop(jobs);
        Seen { rows, last: Vec::new(), steps: Vec::new() }
    }

    fn step(&mut self, actions: &[f32], mode: Autoreset, threads: usize) -> Seen {
        let ([width, action_width], len) = (Many::widths(self), self.len());
        let mut seen =
            Seen { rows: vec![0.0; len * width], last: Vec::new(), steps: vec![Step::default(); len] };
        let keeps_last = mode == Autoreset::SameStep;
        seen.last.resize(if keeps_last { len * width } else { 0 }, 0.0);
        let mut lasts = seen.last.chunks_exact_mut(width);
        let (actions, rows) = (actions.chunks_exact(action_width), seen.rows.chunks_exact_mut(width));
        let zipped = self.iter_mut().zip(actions).zip(rows).zip(&mut seen.steps);
        let job = |(((env, action), row), step)| Job {
            env,
            action,
            row,
            last: lasts.next().unwrap_or_default(),
            step,
        };
        let mut jobs: Vec<Job<'_, T>> = zipped.map(job).collect();
        crew::each(
            threads,
            &mut jobs,
            || (),
            |(), Job { env, action, row, last, step }| {
                env.failed = env.step((action, row, last, step), mode).err();
            },
        );
        drop(jobs);
        seen
    }

    fn over(&self) -> Vec<bool> {
        self.iter().map(|env| env.is_over).collect()
    }

    fn failed(&mut self) -> Option<Failed> {
        self.iter_mut().find_map(|env| env.failed.take())
    }

    fn picture(&self, index: usize, width: u32) -> Result<Frame, Failed> {
        let env = self.get(index).ok_or(Failed(format!("there is no environment {index}")))?;
        Frame::of_png(&env.task.picture(width)?)
    }
}

fn many<T: Task + 'static>(task: T, len: NonZeroUsize) -> Box<dyn Many> {
    let env = Env { task, stream: 0, episode: 0, is_over: false, failed: None };
    Box::new(vec![env; len.get()])
}

/// Environments side by side.
#[pyclass(module = "carom.gym")]
pub(crate) struct Batch {
    many: Box<dyn Many>,
    threads: usize,
    mode: Autoreset,
}

impl Batch {
    fn new(many: Result<Box<dyn Many>, Failed>, threads: NonZeroUsize, mode: &str) -> PyResult<Batch> {
        let mode = of_word("autoreset_mode", mode, AUTORESETS)?;
        Ok(Batch { many: many.map_err(|failed| plain(failed.0))?, threads: threads.get(), mode })
    }

    fn shaped<'py>(&self, py: Python<'py>, rows: Vec<f32>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let [width, _] = self.many.widths();
        PyArray1::from_vec(py, rows).reshape([rows_of(self), width])
    }

    fn check(&mut self) -> PyResult<()> {
        self.many.failed().map_or(Ok(()), |failed| Err(plain(failed.0)))
    }
}

fn at_least_one(field: &str, number: u32) -> PyResult<u32> {
    let refused = || errors::value(field, errors::Value::Whole(u64::from(number)), "1 at least");
    if number > 0 { Ok(number) } else { Err(refused()) }
}

fn rows_of(batch: &Batch) -> usize {
    batch.many.len()
}

/// What a step gives: observations, rewards, terminated, truncated, last observations, begun anew.
type Stepped<'py> = (
    Bound<'py, PyArray2<f32>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<bool>>,
    Option<Bound<'py, PyArray2<f32>>>,
);

#[pymethods]
impl Batch {
    /// Pod races.
    #[staticmethod]
    #[pyo3(signature = (num_envs, threads, mode, *, opponents, driver, laps, limit, course))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn pods(
        num_envs: NonZeroUsize,
        threads: NonZeroUsize,
        mode: &str,
        opponents: usize,
        driver: &str,
        laps: u32,
        limit: u32,
        course: &str,
    ) -> PyResult<Batch> {
        if opponents > 3 {
            return Err(errors::value("opponents", errors::Value::Whole(opponents as u64), "0 to 3"));
        }
        let are_driven = of_word("driver", driver, &[("pilot", true), ("drift", false)])?;
        let is_random = of_word("course", course, &[("random", true), ("fixed", false)])?;
        let race = Race { opponents, are_driven, laps, limit, is_random };
        Batch::new(Pods::new(race).map(|task| many(task, num_envs)), threads, mode)
    }

    /// Matches of air hockey.
    #[staticmethod]
    #[pyo3(signature = (num_envs, threads, mode, *, opponent, goals, foul, control, hold, limit))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn hockey(
        num_envs: NonZeroUsize,
        threads: NonZeroUsize,
        mode: &str,
        opponent: &str,
        goals: u32,
        foul: f64,
        control: &str,
        hold: u32,
        limit: u32,
    ) -> PyResult<Batch> {
        if !(0.0..=100.0).contains(&foul) {
            return Err(errors::value("foul", errors::Value::Number(foul), "0 to 100"));
        }
        let words = [("pilot", Opponent::Pilot), ("still", Opponent::Still), ("agent", Opponent::Agent)];
        let opponent = of_word("opponent", opponent, &words)?;
        let control = of_word("control", control, &[("place", Control::Place), ("way", Control::Way)])?;
        let rules = Match { opponent, goals, foul, control, hold: at_least_one("hold", hold)?, limit };
        Batch::new(Hockey::new(rules).map(|task| many(task, num_envs)), threads, mode)
    }

    /// Games of breakout.
    #[staticmethod]
    #[pyo3(signature = (num_envs, threads, mode, *, balls, limit))]
    fn breakout(
        num_envs: NonZeroUsize,
        threads: NonZeroUsize,
        mode: &str,
        balls: u32,
        limit: u32,
    ) -> PyResult<Batch> {
        let game = breakout::Game { balls: at_least_one("balls", balls)?, limit };
        Batch::new(Breakout::new(game).map(|task| many(task, num_envs)), threads, mode)
    }

    /// Games of pinball.
    #[staticmethod]
    #[pyo3(signature = (num_envs, threads, mode, *, balls, limit))]
    fn pinball(
        num_envs: NonZeroUsize,
        threads: NonZeroUsize,
        mode: &str,
        balls: u32,
        limit: u32,
    ) -> PyResult<Batch> {
        let play = Play { balls: at_least_one("balls", balls)?, limit };
        Batch::new(Pinball::new(play).map(|task| many(task, num_envs)), threads, mode)
    }

    /// Games of nine-ball.
    #[staticmethod]
    #[pyo3(signature = (num_envs, threads, mode, *, opponent, spread, limit))]
    fn nine_ball(
        num_envs: NonZeroUsize,
        threads: NonZeroUsize,
        mode: &str,
        opponent: &str,
        spread: f64,
        limit: u32,
    ) -> PyResult<Batch> {
        if !(0.0..=100.0).contains(&spread) {
            return Err(errors::value("spread", errors::Value::Number(spread), "0 to 100"));
        }
        let is_scripted = of_word("opponent", opponent, &[("scripted", true), ("agent", false)])?;
        let rules = nine_ball::Rules { is_scripted, spread, limit };
        Batch::new(Pool::new(rules).map(|task| many(task, num_envs)), threads, mode)
    }

    /// Worlds of one's own.
    #[staticmethod]
    #[pyo3(signature = (num_envs, threads, mode, *, world, agents, dt, push, max_speed, start_speed, limit,
        rewards, ends, impact_reward))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn discs(
        num_envs: NonZeroUsize,
        threads: NonZeroUsize,
        mode: &str,
        world: PyRef<'_, World>,
        agents: Vec<u64>,
        dt: f64,
        push: f64,
        max_speed: f64,
        start_speed: f64,
        limit: u32,
        rewards: BTreeMap<u64, f64>,
        ends: Vec<u64>,
        impact_reward: f64,
    ) -> PyResult<Batch> {
        let positive = [("dt", dt), ("push", push), ("max_speed", max_speed)];
        if let Some((field, number)) = positive.into_iter().find(|(_, number)| !(*number > 0.0)) {
            return Err(errors::value(field, errors::Value::Number(number), "a positive number"));
        }
        if agents.is_empty() {
            return Err(errors::value("agents", errors::Value::Whole(0), "one disc at least"));
        }
        let agents: Vec<DiscId> = agents.into_iter().map(DiscId::given).collect::<PyResult<_>>()?;
        let rules = Rules { agents, dt, push, max_speed, start_speed, limit, rewards, ends, impact_reward };
        in_room!(world.room(), held => without_callback(held))?;
        let many = match world.room() {
            Room::Smooth(held) => many(Discs::new(rules, &held.world), num_envs),
            Room::Forces(held) => many(Discs::new(rules, &held.world), num_envs),
            Room::Rough(held) => many(Discs::new(rules, &held.world), num_envs),
        };
        Batch::new(Ok(many), threads, mode)
    }

    /// Numbers of an observation and of an action.
    #[getter]
    fn widths(&self) -> (usize, usize) {
        self.many.widths().into()
    }

    /// Begins episodes of those in the mask, and gives all observations.
    fn reset<'py>(
        &mut self,
        py: Python<'py>,
        seeds: Vec<Option<u64>>,
        mask: PyReadonlyArray1<'py, bool>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let (mask, threads) = (mask.as_slice()?, self.threads);
        crate::arrays::same_length("seeds", seeds.len(), self.many.len())?;
        crate::arrays::same_length("mask", mask.len(), self.many.len())?;
        let many = &mut self.many;
        let seen = py.detach(|| many.reset(&seeds, mask, threads));
        self.check()?;
        self.shaped(py, seen.rows)
    }

    /// A step of all. One environment alone keeps the GIL.
    fn step<'py>(&mut self, py: Python<'py>, actions: PyReadonlyArray2<'py, f32>) -> PyResult<Stepped<'py>> {
        let (actions, [_, width]) = (actions.as_slice()?, self.many.widths());
        crate::arrays::same_length("actions", actions.len(), self.many.len() * width)?;
        let (mode, threads, many) = (self.mode, self.threads, &mut self.many);
        if mode == Autoreset::Disabled && many.over().contains(&true) {
            return Err(plain("an episode that is over is stepped; reset it first, by `reset_mask`"));
        }
        let seen = if many.len() == 1 {
            many.step(actions, mode, 1)
        } else {
            py.detach(|| many.step(actions, mode, threads))
        };
        self.check()?;
        let steps = &seen.steps;
        let rewards = PyArray1::from_iter(py, steps.iter().map(|step| step.reward));
        let terminated = PyArray1::from_iter(py, steps.iter().map(|step| step.is_terminated));
        let truncated = PyArray1::from_iter(py, steps.iter().map(|step| step.is_truncated));
        let is_any = steps.iter().any(|step| step.is_terminated || step.is_truncated);
        let last = (is_any && mode == Autoreset::SameStep).then_some(seen.last);
        let last = last.map(|last| self.shaped(py, last)).transpose()?;
        Ok((self.shaped(py, seen.rows)?, rewards, terminated, truncated, last))
    }

    /// The pixels of one of them: shape (height, width, 3).
    #[pyo3(signature = (index = 0, width = 640))]
    fn render<'py>(&self, py: Python<'py>, index: usize, width: u32) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let frame = self.many.picture(index, width).map_err(|failed| plain(failed.0))?;
        PyArray1::from_vec(py, frame.pixels).reshape([frame.height, frame.width, 3])
    }
}

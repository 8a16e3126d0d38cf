//! One gas, run for this many frames and timed.

use crate::scene::{FRAMES_PER_SECOND, RADIUS, State};
use cpu_time::ProcessTime;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Some crate's simulation of the scene.
pub(crate) trait Gas {
    /// Goes on for one frame.
    fn frame(&mut self);

    /// How many collisions of two discs it has found so far.
    fn collisions(&self) -> u64;

    /// Where all discs are now.
    fn states(&mut self, into: &mut Vec<State>);

    /// Sides of the box.
    fn size(&self) -> [f64; 2];
}

/// When to stop.
pub(crate) struct Limits {
    /// CPU seconds for one run.
    pub(crate) cap: f64,
    /// Simulated seconds.
    pub(crate) seconds: usize,
    /// Runs whose median counts, where one takes less than a second.
    pub(crate) repeats: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { cap: 30.0, seconds: 10, repeats: 5 }
    }
}

/// What came of it.
pub(crate) struct Run {
    pub(crate) name: String,
    /// CPU seconds per simulated second.
    pub(crate) cost: f64,
    /// Collisions found by the end of each frame.
    pub(crate) collisions: Vec<u64>,
    /// Kinetic energy over that of the start, at the end of each frame.
    pub(crate) energy: Vec<f64>,
    /// Discs whose centre is beyond a wall at the end.
    pub(crate) outside: usize,
    /// Overlap of the two discs deepest in each other at the end, in radii.
    pub(crate) overlap: f64,
    /// Why it ended before its time, other than by the cap.
    pub(crate) failure: Option<String>,
}

impl Run {
    pub(crate) fn of(name: &str, limits: &Limits, make: impl Fn() -> Box<dyn Gas>) -> Run {
        let mut first = once(name, limits, make());
        let spent = first.cost * first.seconds();
        if spent < 1.0 && first.failure.is_none() {
            let again = (1..limits.repeats).map(|_| once(name, limits, make()).cost);
            let mut costs: Vec<f64> = again.chain([first.cost]).collect();
            costs.sort_by(f64::total_cmp);
            first.cost = costs[costs.len() / 2];
        }
        first
    }

    /// Simulated seconds.
    pub(crate) fn seconds(&self) -> f64 {
        self.energy.len() as f64 / FRAMES_PER_SECOND as f64
    }
}

fn once(name: &str, limits: &Limits, mut gas: Box<dyn Gas>) -> Run {
    let mut states = Vec::new();
    gas.states(&mut states);
    let start = energy(&states);
    let mut run = Run {
        name: name.to_owned(),
        cost: f64::NAN,
        collisions: Vec::new(),
        energy: Vec::new(),
        outside: 0,
        overlap: 0.0,
        failure: None,
    };
    let mut spent = 0.0;
    while run.energy.len() < limits.seconds * FRAMES_PER_SECOND && spent < limits.cap {
        let before = ProcessTime::now();
        let done = catch_unwind(AssertUnwindSafe(|| {
            gas.frame();
            // What a picture needs.
            gas.states(&mut states);
        }));
        spent += before.elapsed().as_secs_f64();
        if done.is_err() {
            run.failure = Some(format!("panicked in frame {}", run.energy.len()));
            break;
        }
        run.collisions.push(gas.collisions());
        run.energy.push(energy(&states) / start);
    }
    run.cost = spent / run.seconds();
    let is_outside =
        |s: &&State| s.position.iter().zip(gas.size()).any(|(x, side)| !(0.0..=side).contains(x));
    run.outside = states.iter().filter(is_outside).count();
    run.overlap = deepest(&mut states);
    run
}

/// Twice that of unit masses.
pub(crate) fn energy(states: &[State]) -> f64 {
    states.iter().flat_map(|s| s.velocity).map(|v| v * v).sum()
}

fn deepest(states: &mut [State]) -> f64 {
    states.sort_by(|a, b| a.position[0].total_cmp(&b.position[0]));
    let mut nearest = 2.0 * RADIUS;
    for (i, a) in states.iter().enumerate() {
        for b in &states[i + 1..] {
            let d = [b.position[0] - a.position[0], b.position[1] - a.position[1]];
            if d[0] >= nearest {
                break;
            }
            nearest = nearest.min(d[0].hypot(d[1]));
        }
    }
    2.0 - nearest / RADIUS
}

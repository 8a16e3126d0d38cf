//! A run under way: from stop to stop, and what is written at each.

use crate::error::CliError;
use crate::frames::Cell;
use crate::jsonl::{SpinLine, StateLine, pair, parts};
use crate::numbers::grouped;
use crate::output::{Replacement, Stream};
use crate::physics::RunPhysics;
use crate::progress::Progress;
use crate::report::Ending;
use crate::watch::Watch;
use crate::{interrupt, saved};
use carom_draw::Recorder;
use carom_engine::{Advance, Moment, StopReason, Time, World};
use carom_scene::{Built, Scene, SceneError};
use std::time::{Duration, Instant};

/// Events between two looks at the clock and at files that cannot be written: at the beginning and at most. A
/// run is the same however it is cut.
const EVENTS_PER_CALL: (u64, u64) = (500, 1 << 16);

/// How long the events of a call should take, so that the bar moves.
const CALL: Duration = Duration::from_millis(100);

/// Times at exact multiples of a length after the start of the scene.
pub(crate) struct Stops {
    start: f64,
    every: f64,
    step: u64,
    /// The last one; a multiple that is the end up to rounding is the end: three times 0.1 is not left out
    /// of a run to 0.3.
    end: f64,
}

impl Stops {
    pub(crate) fn new(start: f64, every: f64, until: f64) -> Self {
        Self { start, every, step: 0, end: until + slack(until) }
    }

    /// Leaves out what is not after this time.
    pub(crate) fn after(mut self, now: f64) -> Self {
        let passed = now + slack(now);
        self.step = ((now - self.start) / self.every).floor().max(0.0) as u64;
        while self.time() <= passed {
            self.step += 1;
        }
        self
    }

    fn time(&self) -> f64 {
        self.start + self.step as f64 * self.every
    }

    fn next(&self) -> Option<f64> {
        Some(self.time()).filter(|time| *time <= self.end)
    }
}

fn slack(time: f64) -> f64 {
    4.0 * f64::EPSILON * time.abs()
}

/// Advances by a bounded number of events. Where discs accelerate or commands send them on, and their paths
/// are recorded, these are looked at after each.
fn advance<P: RunPhysics>(
    world: &mut World<P>,
    budget: u64,
    time: f64,
    watch: &mut Watch,
    has_commands: bool,
) -> Result<Advance, SceneError> {
    if !(Recorder::follows::<P>() || has_commands) || watch.recorder.is_none() {
        world.set_budget(budget);
        return Ok(world.advance_to_with(time, watch)?);
    }
    world.set_budget(1);
    let mut events = 0;
    // First up to now: what lies on something is found to be held before time goes on.
    let mut until = Moment::Exact(world.now());
    loop {
        let mut advance = world.advance_to_with(until, watch)?;
        events += advance.events;
        if let Some(recorder) = &mut watch.recorder {
            recorder.note(world);
        }
        if advance.end == StopReason::Reached && until != Moment::Seconds(time) {
            until = Moment::Seconds(time);
            advance.end = StopReason::OutOfBudget;
        }
        if advance.end != StopReason::OutOfBudget || events >= budget || watch.failed.is_some() {
            advance.events = events;
            return Ok(advance);
        }
    }
}

/// A run under way.
pub(crate) struct RunLoop<'run> {
    pub(crate) scene: &'run Scene,
    /// Where this run began and where it is to end.
    pub(crate) from: f64,
    pub(crate) until: f64,
    /// The limit on events, if there is one.
    pub(crate) most_events: Option<u64>,
    pub(crate) events: u64,
    pub(crate) states: Option<(Stream, Stops)>,
    /// What frames of extended XYZ show, if states are written so.
    pub(crate) cell: Option<Cell>,
    pub(crate) save: Option<Replacement>,
    pub(crate) saves: Option<Stops>,
    /// When it was saved last.
    pub(crate) saved: Option<Time>,
    pub(crate) pace: Pace,
    pub(crate) standstill: Standstill,
    pub(crate) progress: Progress,
}

/// Watches for worlds whose time does not go on. After this many events it has to have gone on by more than a
/// billionth of what has passed and of what is left: no run of a billion times as many events would come to
/// its end.
pub(crate) struct Standstill {
    /// How many events that are.
    events: u64,
    /// Events and time when it was looked at last.
    seen: (u64, Time),
}

/// The part of the run's time that counts as none.
const NO_PROGRESS: f64 = 1e-9;
/// At least this many events for each disc.
const EVENTS_A_DISC: u64 = 100;

impl Standstill {
    /// For a world of this many discs, whose budget is what its author thinks a call may take.
    pub(crate) fn new(budget: u64, discs: usize, now: Time) -> Self {
        Self { events: budget.max(EVENTS_A_DISC * discs as u64), seen: (0, now) }
    }

    /// Events until it is looked at again: the same ones however fast the machine is.
    pub(crate) fn left(&self, events: u64) -> u64 {
        (self.seen.0 + self.events).saturating_sub(events).max(1)
    }

    /// By how much the time has gone on, if that is none.
    pub(crate) fn check(&mut self, run: [f64; 2], events: u64, now: Time) -> Option<Ending> {
        let done = events - self.seen.0;
        if done < self.events {
            return None;
        }
        let advanced = now.since(self.seen.1);
        self.seen = (events, now);
        let [from, until] = run;
        let least = NO_PROGRESS * (now.as_secs() - from).min(until - now.as_secs());
        (advanced <= least).then_some(Ending::NoProgress { events: done, advanced })
    }
}

/// How many events a call is given: as many as fill its time.
pub(crate) struct Pace(u64);

impl Default for Pace {
    fn default() -> Self {
        Self(EVENTS_PER_CALL.0)
    }
}

impl Pace {
    pub(crate) fn events(&self) -> u64 {
        self.0
    }

    pub(crate) fn took(&mut self, time: Duration) {
        if time > 2 * CALL {
            self.0 = (self.0 / 2).max(1);
        } else if time < CALL / 2 {
            self.0 = (self.0 * 2).min(EVENTS_PER_CALL.1);
        }
    }
}

impl RunLoop<'_> {
    pub(crate) fn run<P: RunPhysics>(
        &mut self,
        built: &mut Built<P>,
        watch: &mut Watch,
    ) -> Result<Ending, CliError> {
        let ending = loop {
            let state = self.states.as_ref().and_then(|(_, stops)| stops.next());
            let save = self.saves.as_ref().and_then(Stops::next);
            let Some(stop) = [state, save].into_iter().flatten().reduce(f64::min) else {
                break self.advance_to(built, self.until, watch)?;
            };
            let ending = self.advance_to(built, stop.min(self.until), watch)?;
            if !matches!(ending, Ending::Reached) {
                break ending;
            }
            // First what belongs to this moment.
            if state == Some(stop) {
                self.write_states(built)?;
            }
            if save == Some(stop) {
                self.save(built, watch)?;
                if let Some(saves) = &mut self.saves {
                    saves.step += 1;
                }
            }
            if interrupt::is_requested() {
                break Ending::Interrupted;
            }
        };
        self.save(built, watch)?;
        Ok(ending)
    }

    fn advance_to<P: RunPhysics>(
        &mut self,
        built: &mut Built<P>,
        time: f64,
        watch: &mut Watch,
    ) -> Result<Ending, CliError> {
        loop {
            let left = self.most_events.map_or(u64::MAX, |most| most.saturating_sub(self.events));
            if left == 0 {
                return Ok(Ending::Stopped);
            }
            // The scene's budget is for calls that must come back; here the call is repeated anyway.
            let budget = left.min(self.pace.0).min(self.standstill.left(self.events));
            let (clock, has_commands) = (Instant::now(), !self.scene.commands.is_empty());
            let advance = advance(&mut built.world, budget, time, watch, has_commands)?;
            self.pace.took(clock.elapsed());
            self.events += advance.events;
            if let Some(error) = watch.failed.take() {
                return Err(error);
            }
            self.show_progress(advance.time);
            match advance.end {
                StopReason::Reached => return Ok(Ending::Reached),
                StopReason::OutOfBudget => {
                    let run = [self.from, self.until];
                    if let Some(ending) = self.standstill.check(run, self.events, advance.time) {
                        return Ok(ending);
                    }
                    if interrupt::is_requested() {
                        return Ok(Ending::Interrupted);
                    }
                }
                // Nothing grows while a scene runs.
                _ => return Ok(Ending::Crushed),
            }
        }
    }

    fn show_progress(&mut self, now: Time) {
        let in_time = (now.as_secs() - self.from) / (self.until - self.from);
        let in_events = self.most_events.map_or(0.0, |most| self.events as f64 / most as f64);
        let events = self.events;
        self.progress.at(in_time.max(in_events), || format!("{} events", grouped(events)));
    }

    /// One line for every disc.
    fn write_states<P: RunPhysics>(&mut self, built: &Built<P>) -> Result<(), CliError> {
        let Some((output, stops)) = &mut self.states else { return Ok(()) };
        stops.step += 1;
        if let Some(cell) = self.cell {
            return cell.write(built, output);
        }
        let now = built.world.now();
        for (index, &id) in built.discs.iter().enumerate() {
            let Some(disc) = built.world.get(id) else { continue };
            output.line(&StateLine {
                time: now.as_secs(),
                t: parts(now),
                index,
                position: pair(disc.position()),
                velocity: pair(disc.velocity()),
                acceleration: P::ACCELERATED.then(|| pair(disc.acceleration())),
                spin: disc
                    .spin()
                    .map(|spin| SpinLine { angle: spin.angle, angular_velocity: spin.angular_velocity }),
            })?;
        }
        Ok(())
    }

    /// Saves the world unless it was at this time. Files that were written on the way hold at least what
    /// happened until then.
    fn save<P: RunPhysics>(&mut self, built: &mut Built<P>, watch: &mut Watch) -> Result<(), CliError> {
        let Some(save) = &self.save else { return Ok(()) };
        let now = built.world.now();
        if self.saved == Some(now) {
            return Ok(());
        }
        let states = self.states.as_mut().map(|(output, _)| output);
        for output in [watch.events.as_mut(), states].into_iter().flatten() {
            output.flush()?;
        }
        built.world.set_budget(self.scene.settings.budget);
        saved::write(save, self.scene, &built.world, watch.filter.passed)?;
        self.saved = Some(now);
        Ok(())
    }
}

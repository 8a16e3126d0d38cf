//! `carom run`.

use crate::args::RunArgs;
use crate::error::{CliError, STDOUT};
use crate::jsonl::{StateLine, pair, parts};
use crate::output::{self, Output};
use crate::progress::Progress;
use crate::report::{Ending, Measures, Report, grouped};
use crate::watch::Watch;
use crate::{list, picture, report};
use carom_engine::End;
use carom_scene::{Built, SceneError, Source};
use std::path::PathBuf;
use std::time::Instant;

/// Events between two looks at the clock and at files that cannot be written. A run is the same however it is cut.
const EVENTS_PER_CALL: u64 = 20_000;

pub(crate) fn run(args: &RunArgs) -> Result<(), CliError> {
    let source = Source::find(&args.scene)?;
    let scene = source.scene()?;
    let start = scene.settings.start;
    let until = args.until.unwrap_or(scene.until);
    check_times(args, start, until)?;
    let mut built = scene.build().map_err(|error| source.explain(error))?;
    let clock = built.world.clock();
    if clock.at(until).is_never() {
        let horizon = clock.horizon();
        return Err(refused("--until", until, &format!("at most {horizon} s, all that the clock holds")));
    }

    let named = [&args.events, &args.states, &args.picture, &args.movie].map(Option::as_ref);
    let named: Vec<&PathBuf> = named.into_iter().flatten().collect();
    output::check_distinct(&args.scene, &named)?;
    let create = |path: &Option<PathBuf>| path.as_deref().map(Output::create).transpose();
    let (events, mut states) = (create(&args.events)?, create(&args.states)?);
    let (picture, movie) = (create(&args.picture)?, create(&args.movie)?);
    let recorder = match picture.as_ref().or(movie.as_ref()) {
        Some(output) => Some(picture::recorder(&scene, &built, output.path())?),
        None => None,
    };

    let before = Measures::of(&built.world);
    let mut watch = Watch::new(&built, events, recorder);
    let mut course =
        Course { start, until, left: args.max_events, events: 0, progress: Progress::new("running") };
    let clock = Instant::now();
    let ending = match (&mut states, args.every) {
        (Some(output), Some(every)) => with_states(&mut built, &mut course, &mut watch, output, every)?,
        _ => course.advance_to(&mut built, until, &mut watch)?,
    };
    let took = clock.elapsed();
    let Course { events, progress, .. } = course;
    drop(progress);

    let Watch { events: events_output, recorder, .. } = watch;
    for output in [events_output, states].into_iter().flatten() {
        output.finish()?;
    }
    if let Some(mut recorder) = recorder {
        recorder.finish(&built.world);
        if let Some(output) = picture {
            picture::write_picture(&recorder, output)?;
        }
        if let Some(output) = movie {
            picture::write_movie(&recorder, args.speed, output)?;
        }
    }
    let written: Vec<String> =
        named.iter().map(|path| path.display().to_string()).filter(|path| path != STDOUT).collect();
    let report = Report {
        scene: &scene,
        world: &built.world,
        walls: built.walls.len(),
        overlaps: report::overlaps(&built),
        start,
        ending: &ending,
        events,
        before,
        after: Measures::of(&built.world),
        took,
        written: &written,
    };
    say(&report.text(), named.iter().any(|path| path.as_os_str() == STDOUT))?;
    match ending {
        Ending::Crushed => Err(CliError::Crushed { time: built.world.now().as_secs() }),
        Ending::Reached | Ending::Stopped => Ok(()),
    }
}

fn check_times(args: &RunArgs, start: f64, until: f64) -> Result<(), CliError> {
    if !(until.is_finite() && until >= start) {
        return Err(refused("--until", until, &format!("a time not before the start, {start} s")));
    }
    if !(args.speed.is_finite() && args.speed > 0.0) {
        return Err(refused("--speed", args.speed, "greater than 0"));
    }
    match args.every {
        // Beyond 2^53 multiples neighbouring ones are the same number.
        Some(every) if !(every.is_finite() && every > 0.0 && (until - start) / every < 9e15) => {
            Err(refused("--every", every, "greater than 0, and not vanishing beside the length of the run"))
        }
        _ => Ok(()),
    }
}

fn refused(option: &str, value: f64, allowed: &str) -> CliError {
    // `{:?}` writes 1e300 as such.
    let value = format!("{value:?}");
    let value = value.strip_suffix(".0").unwrap_or(&value);
    CliError::Usage(format!("{option}: {value} is not allowed; must be {allowed}"))
}

/// A run under way.
struct Course {
    start: f64,
    until: f64,
    /// Events that may still happen, where there is a limit.
    left: Option<u64>,
    events: u64,
    progress: Progress,
}

impl Course {
    fn advance_to(&mut self, built: &mut Built, time: f64, watch: &mut Watch) -> Result<Ending, CliError> {
        loop {
            if self.left == Some(0) {
                return Ok(Ending::Stopped);
            }
            // The scene's budget is for callers who must come back; here the call is repeated anyway.
            built.world.set_budget(self.left.map_or(EVENTS_PER_CALL, |left| left.min(EVENTS_PER_CALL)));
            let advance = built.world.advance_to_with(time, watch).map_err(|error| {
                CliError::Scene(SceneError::Refused {
                    place: carom_scene::Place::default(),
                    source: Box::new(error),
                })
            })?;
            self.events += advance.events;
            self.left = self.left.map(|left| left.saturating_sub(advance.events));
            if let Some(error) = watch.failed.take() {
                return Err(error);
            }
            let done = (advance.time.as_secs() - self.start) / (self.until - self.start);
            let events = self.events;
            self.progress.at(done, || format!("{} events", grouped(events)));
            match advance.end {
                End::Reached => return Ok(Ending::Reached),
                End::OutOfBudget => {}
                End::Crushed => return Ok(Ending::Crushed),
            }
        }
    }
}

/// Runs from one multiple of `every` to the next and writes where the discs are.
fn with_states(
    built: &mut Built,
    course: &mut Course,
    watch: &mut Watch,
    output: &mut Output,
    every: f64,
) -> Result<Ending, CliError> {
    let (start, until) = (course.start, course.until);
    for step in 0_u64.. {
        let time = start + step as f64 * every;
        // A multiple that is the end but for rounding is the end: three times 0.1 is not left out of a run to 0.3.
        let slack = 4.0 * f64::EPSILON * until.abs();
        if time > until + slack {
            break;
        }
        let ending = course.advance_to(built, time.min(until), watch)?;
        if !matches!(ending, Ending::Reached) {
            return Ok(ending);
        }
        let now = built.world.now();
        for (index, &id) in built.discs.iter().enumerate() {
            let (Ok(position), Ok(velocity)) = (built.world.position(id), built.world.velocity(id)) else {
                continue;
            };
            output.line(&StateLine {
                time: now.as_secs(),
                t: parts(now),
                index,
                position: pair(position),
                velocity: pair(velocity),
            })?;
        }
    }
    course.advance_to(built, until, watch)
}

/// The report goes where no data goes.
fn say(text: &str, data_on_stdout: bool) -> Result<(), CliError> {
    if data_on_stdout {
        use std::io::Write as _;
        return std::io::stderr()
            .write_all(text.as_bytes())
            .map_err(|source| CliError::writing("standard error", source));
    }
    list::print(text)
}

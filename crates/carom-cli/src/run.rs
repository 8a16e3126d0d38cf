//! `carom run`.

use crate::args::RunArgs;
use crate::error::CliError;
use crate::filter::Filter;
use crate::frames::{Cell, is_xyz};
use crate::output::{Replacement, Stream};
use crate::outputs::Outputs;
use crate::physics::RunPhysics;
use crate::progress::Progress;
use crate::report::{Measures, Report};
use crate::run_loop::{Pace, RunLoop, Standstill, Stops};
use crate::saved::Saved;
use crate::watch::Watch;
use crate::{interrupt, picture, report, run_billiards, saved};
use carom_draw::{MovieOptions, Recorder};
use carom_engine::math::Shown;
use carom_engine::{Clock, Time};
use carom_scene::{Built, Scene, Source, in_physics};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub(crate) fn run(args: &RunArgs) -> Result<(), CliError> {
    let clock = Instant::now();
    let input = match &args.resume {
        Some(path) => Input::saved(path)?,
        None => {
            let source = find(args.scene.as_deref())?;
            if source.model()?.as_deref() == Some("billiards") {
                return run_billiards::run(args, &source);
            }
            let scene = Box::new(source.scene()?);
            check_before(args, &scene, Path::new(source.name()))?;
            Input::Scene { source, scene }
        }
    };
    in_physics!(input.scene(), P => run_in::<P>(args, input, clock))
}

fn run_in<P: RunPhysics>(args: &RunArgs, input: Input, clock: Instant) -> Result<(), CliError> {
    let Setup { scene, mut built, passed, input } = set_up::<P>(input)?;
    let until = args.until.unwrap_or(scene.until);
    check_times(args, &scene, (built.world.clock(), built.world.now()), until)?;
    let filter = Filter::new(args, built.discs.len() as u64, passed)?;
    let Outputs { events, states, picture, movie, save, written, on_stdout } =
        Outputs::open(args, &input, built.world.now())?;
    let recorder = recorder(args, &scene, &built, (picture.as_ref(), movie.as_ref()))?;

    let (before, counted) = (Measures::of(&built.world), built.world.counters());
    let ledger = built.world.ledger();
    let overlaps = report::overlaps(&built);
    let mut watch = Watch::new(&built, events, filter, recorder);
    let mut run_loop = run_loop(args, &scene, &built, until, (states, save));
    // The schedule is made when it is needed first: that is not part of the run.
    built.world.next_event();
    let setting_up = clock.elapsed();
    interrupt::set_running(true);
    let clock = Instant::now();
    let ending = run_loop.run(&mut built, &mut watch)?;
    let running = clock.elapsed();
    let RunLoop { events, states, progress, from, .. } = run_loop;
    drop(progress);

    let Watch { events: lines, recorder, filter, impacts, .. } = watch;
    for mut stream in [lines, states.map(|(stream, _)| stream)].into_iter().flatten() {
        stream.flush()?;
    }
    // An interrupt from here on gives up what is still to be drawn.
    interrupt::set_running(false);
    draw(args, &scene, &built, recorder, (picture.as_ref(), movie.as_ref()))?;
    let report = Report {
        scene: &scene,
        discs: built.discs.len(),
        bytes: built.world.bytes(),
        now: built.world.now().as_secs(),
        counters: built.world.counters(),
        ledgers: [ledger, built.world.ledger()],
        walls: built.walls.len(),
        overlaps,
        grown: built.grown,
        from,
        counted,
        ending,
        events,
        impacts,
        kept: filter.is_in_use().then_some(filter.kept),
        before,
        after: Measures::of(&built.world),
        setting_up,
        running,
        written: &written,
    };
    report::say(&report.text(), on_stdout)?;
    ending.into_result(built.world.now().as_secs())
}

/// What watches the run for its pictures. Discs in which no order is found are refused before they run.
fn recorder<P: RunPhysics>(
    args: &RunArgs,
    scene: &Scene,
    built: &Built<P>,
    (picture, movie): (Option<&Replacement>, Option<&Replacement>),
) -> Result<Option<Recorder>, CliError> {
    if let (Some(to), Some(colour)) = (picture, args.colour) {
        picture::coloured(scene, built, colour, args.width, to)?;
    }
    let drawn = picture.filter(|_| args.colour.is_none()).or(movie);
    drawn.map(|drawn| picture::recorder(scene, built, args.width, drawn.name())).transpose()
}

fn run_loop<'run, P: RunPhysics>(
    args: &RunArgs,
    scene: &'run Scene,
    built: &Built<P>,
    until: f64,
    (states, save): (Option<Stream>, Option<Replacement>),
) -> RunLoop<'run> {
    let (start, now) = (scene.settings.start, built.world.now());
    let from = now.as_secs();
    // The start is a state, and nothing to save.
    let stops = |every: f64| Stops::new(start, every, until);
    let states = states.zip(args.every).map(|(output, every)| {
        (output, if args.resume.is_some() { stops(every).after(from) } else { stops(every) })
    });
    RunLoop {
        scene,
        from,
        until,
        most_events: args.max_events,
        events: 0,
        states,
        save,
        cell: args.states.as_deref().filter(|path| is_xyz(path)).map(|_| Cell::of(built)),
        saves: args.save_every.map(|every| stops(every).after(from)),
        saved: None,
        pace: Pace::default(),
        standstill: Standstill::new(scene.settings.budget, built.discs.len(), now),
        progress: Progress::new("running"),
    }
}

fn draw<P: RunPhysics>(
    args: &RunArgs,
    scene: &Scene,
    built: &Built<P>,
    recorder: Option<Recorder>,
    (picture, movie): (Option<&Replacement>, Option<&Replacement>),
) -> Result<(), CliError> {
    let recorder = recorder.map(|mut recorder| {
        recorder.finish(&built.world);
        recorder
    });
    match (picture, args.colour, &recorder) {
        (Some(to), Some(colour), _) => {
            let portrait = picture::coloured(scene, built, colour, args.width, to)?;
            picture::write_drawn(Some(to), || portrait.png())?;
        }
        (Some(to), None, Some(recorder)) => picture::write_picture(recorder, to)?,
        _ => {}
    }
    if let (Some(to), Some(recorder)) = (movie, &recorder) {
        let width = args.movie_width.unwrap_or(MovieOptions::default().width);
        let options = MovieOptions { speed: args.speed, width, ..MovieOptions::default() };
        picture::write_movie(recorder, &options, to)?;
    }
    Ok(())
}

/// What is run.
pub(crate) struct Setup<P: RunPhysics> {
    pub(crate) scene: Scene,
    pub(crate) built: Built<P>,
    /// Impacts that had passed the filters of the events file.
    passed: u64,
    /// The file that it comes from, or the name of a scene.
    pub(crate) input: PathBuf,
}

/// What a run begins with: a scene, or a run to go on with.
pub(crate) enum Input {
    Scene { source: Source, scene: Box<Scene> },
    Saved { path: PathBuf, saved: Box<Saved> },
}

impl Input {
    /// A scene of discs, by name or in a file, or a saved run.
    pub(crate) fn find(scene: Option<&str>, resume: Option<&Path>) -> Result<Self, CliError> {
        if let Some(path) = resume {
            return Self::saved(path);
        }
        let source = find(scene)?;
        Ok(Self::Scene { scene: Box::new(source.scene()?), source })
    }

    fn saved(path: &Path) -> Result<Self, CliError> {
        Ok(Self::Saved { path: path.to_path_buf(), saved: Box::new(saved::read(path)?) })
    }

    pub(crate) fn scene(&self) -> &Scene {
        match self {
            Self::Scene { scene, .. } => scene,
            Self::Saved { saved, .. } => &saved.scene,
        }
    }
}

/// The scene that is asked for, by its name or in a file.
fn find(scene: Option<&str>) -> Result<Source, CliError> {
    // It or a saved run is required, which is checked where arguments are read.
    let name = scene.unwrap_or_default();
    if saved::is_saved(name) {
        return Err(CliError::Usage(format!("{name}: a saved run; `carom run --resume` goes on with it")));
    }
    Ok(Source::find_with(name, carom_billiards::Scene::NAMED)?)
}

pub(crate) fn set_up<P: RunPhysics>(input: Input) -> Result<Setup<P>, CliError> {
    match input {
        Input::Saved { path, saved } => {
            let other = |error: carom_scene::SceneError| CliError::Saved {
                path: path.display().to_string(),
                what: error.to_string(),
            };
            let built = saved.scene.resume(saved.world()?).map_err(other)?;
            Ok(Setup { scene: saved.scene, built, passed: saved.passed, input: path })
        }
        Input::Scene { source, scene } => {
            let mut progress = Progress::new("setting up");
            let built = scene.build_with(&mut |done| {
                progress.at(done, String::new);
                ControlFlow::Continue(())
            });
            drop(progress);
            let built = built.map_err(|error| source.explain(error))?;
            Ok(Setup { scene: *scene, built, passed: 0, input: PathBuf::from(source.name()) })
        }
    }
}

/// Refuses what can be refused before the world is set up, which takes long where discs grow.
fn check_before(args: &RunArgs, scene: &Scene, input: &Path) -> Result<(), CliError> {
    if let Some(clock) = Clock::new(scene.settings.epoch) {
        let now = clock.at(scene.settings.start);
        check_times(args, scene, (&clock, now), args.until.unwrap_or(scene.until))?;
    }
    Filter::new(args, scene.count_discs()?, 0)?;
    Outputs::check(args, input)
}

fn check_times(
    args: &RunArgs,
    scene: &Scene,
    (clock, now): (&Clock, Time),
    until: f64,
) -> Result<(), CliError> {
    let start = scene.settings.start;
    if !(until.is_finite() && until >= start) {
        return Err(CliError::number(
            "--until",
            until,
            &format!("a time not before the start, {} s", Shown(start)),
        ));
    }
    let end = clock.at(until);
    if end.is_never() {
        let horizon = Shown(clock.horizon());
        return Err(CliError::number(
            "--until",
            until,
            &format!("at most {horizon} s, all that the clock holds"),
        ));
    }
    if let Some(path) = args.resume.as_ref().filter(|_| end <= now) {
        let (path, now) = (path.display(), Shown(now.as_secs()));
        return Err(match args.until {
            Some(until) => {
                CliError::number("--until", until, &format!("later than the saved run, which is at {now} s"))
            }
            None => CliError::Usage(format!(
                "{path}: at {now} s its scene has ended; `--until` says how far it is to go on"
            )),
        });
    }
    args.check_speed()?;
    for (option, every) in [("--every", args.every), ("--save-every", args.save_every)] {
        // Beyond 2^53 multiples neighbouring ones are the same number.
        if let Some(every) = every
            && !(every.is_finite() && every > 0.0 && (until - start) / every < 9e15)
        {
            let allowed = "greater than 0, and not vanishing beside the length of the run";
            return Err(CliError::number(option, every, allowed));
        }
    }
    Ok(())
}

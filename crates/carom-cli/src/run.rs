//! `carom run`.

use crate::args::RunArgs;
use crate::course::{Course, Pace, Stops};
use crate::error::{CliError, STDOUT};
use crate::filter::Filter;
use crate::output::{self, Output};
use crate::progress::Progress;
use crate::report::{Ending, Measures, Report};
use crate::saved::{self, Saver};
use crate::watch::Watch;
use crate::{list, picture, report};
use carom_scene::{Built, Scene, Source};
use std::path::{Path, PathBuf};
use std::time::Instant;

pub(crate) fn run(args: &RunArgs) -> Result<(), CliError> {
    let Setup { scene, mut built, passed, input } = set_up(args)?;
    let (start, from) = (scene.settings.start, built.world.now().as_secs());
    let until = args.until.unwrap_or(scene.until);
    check_times(args, &scene, &built, until)?;
    let filter = Filter::new(args, built.discs.len() as u64, passed)?;

    let named = [&args.events, &args.states, &args.picture, &args.movie, &args.save].map(Option::as_ref);
    let named: Vec<&PathBuf> = named.into_iter().flatten().collect();
    // A saved run may be replaced by what becomes of it.
    let replaced = |path: &&PathBuf| args.resume.is_some() && args.save.as_ref() == Some(path);
    let others: Vec<&PathBuf> = named.iter().copied().filter(|path| !replaced(path)).collect();
    output::check_distinct(
        &input,
        if args.resume.is_some() { "the saved run" } else { "the scene" },
        &others,
    )?;
    output::check_distinct(Path::new(""), "", &named)?;
    let create = |path: &Option<PathBuf>| path.as_deref().map(Output::create).transpose();
    let saver = args.save.as_deref().map(Saver::new).transpose()?;
    let (events, states) = (create(&args.events)?, create(&args.states)?);
    let (picture, movie) = (create(&args.picture)?, create(&args.movie)?);
    let recorder = match picture.as_ref().filter(|_| args.colour.is_none()).or(movie.as_ref()) {
        Some(output) => Some(picture::recorder(&scene, &built, args.width, output.path())?),
        None => None,
    };

    let (before, counted) = (Measures::of(&built.world), built.world.counters());
    let overlaps = report::overlaps(&built);
    let mut watch = Watch::new(&built, events, filter, recorder);
    // The start is a state, and nothing to save.
    let stops = |every: f64| Stops::new(start, every, until);
    let states = states.zip(args.every).map(|(output, every)| {
        (output, if args.resume.is_some() { stops(every).after(from) } else { stops(every) })
    });
    let mut course = Course {
        scene: &scene,
        from,
        until,
        most_events: args.max_events,
        events: 0,
        states,
        saver,
        saves: args.save_every.map(|every| stops(every).after(from)),
        saved: None,
        pace: Pace::default(),
        progress: Progress::new("running"),
    };
    let clock = Instant::now();
    let ending = course.run(&mut built, &mut watch)?;
    let took = clock.elapsed();
    let Course { events, states, progress, .. } = course;
    drop(progress);

    let Watch { events: events_output, recorder, filter, .. } = watch;
    for output in [events_output, states.map(|(output, _)| output)].into_iter().flatten() {
        output.finish()?;
    }
    let recorder = recorder.map(|mut recorder| {
        recorder.finish(&built.world);
        recorder
    });
    match (picture, args.colour, &recorder) {
        (Some(output), Some(colour), _) => {
            picture::write_coloured(&scene, &built, colour, args.width, output)?;
        }
        (Some(output), None, Some(recorder)) => picture::write_picture(recorder, output)?,
        _ => {}
    }
    if let (Some(output), Some(recorder)) = (movie, &recorder) {
        picture::write_movie(recorder, args.speed, output)?;
    }
    let written: Vec<String> =
        named.iter().map(|path| path.display().to_string()).filter(|path| path != STDOUT).collect();
    let report = Report {
        scene: &scene,
        world: &built.world,
        walls: built.walls.len(),
        overlaps,
        grown: built.grown,
        from,
        counted,
        ending: &ending,
        events,
        kept: filter.is_in_use().then_some(filter.kept),
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

/// What is run.
struct Setup {
    scene: Scene,
    built: Built,
    /// Impacts that had passed the filters of the events file.
    passed: u64,
    /// The file that it comes from, or the name of a scene.
    input: PathBuf,
}

fn set_up(args: &RunArgs) -> Result<Setup, CliError> {
    if let Some(path) = &args.resume {
        let saved = saved::read(path)?;
        let other = |error: carom_scene::SceneError| CliError::Saved {
            path: path.display().to_string(),
            what: error.to_string(),
        };
        let built = saved.scene.resume(saved.world).map_err(other)?;
        return Ok(Setup { scene: saved.scene, built, passed: saved.passed, input: path.clone() });
    }
    // Either is required, which is checked where arguments are read.
    let name = args.scene.as_deref().unwrap_or_default();
    if saved::is_saved(name) {
        return Err(CliError::Usage(format!("{name}: a saved run; `carom run --resume` goes on with it")));
    }
    let source = Source::find(name)?;
    let scene = source.scene()?;
    let mut progress = Progress::new("setting up");
    let built = scene.build_with(&mut |done| progress.at(done, String::new));
    drop(progress);
    let built = built.map_err(|error| source.explain(error))?;
    Ok(Setup { scene, built, passed: 0, input: PathBuf::from(name) })
}

fn check_times(args: &RunArgs, scene: &Scene, built: &Built, until: f64) -> Result<(), CliError> {
    let (clock, now) = (built.world.clock(), built.world.now());
    let start = scene.settings.start;
    if !(until.is_finite() && until >= start) {
        return Err(refused("--until", until, &format!("a time not before the start, {start} s")));
    }
    let end = clock.at(until);
    if end.is_never() {
        let horizon = clock.horizon();
        return Err(refused("--until", until, &format!("at most {horizon} s, all that the clock holds")));
    }
    if let Some(path) = args.resume.as_ref().filter(|_| end <= now) {
        let (path, now) = (path.display(), now.as_secs());
        return Err(match args.until {
            Some(until) => {
                refused("--until", until, &format!("later than the saved run, which is at {now} s"))
            }
            None => CliError::Usage(format!(
                "{path}: at {now} s its scene has ended; `--until` says how far it is to go on"
            )),
        });
    }
    if !(args.speed.is_finite() && args.speed > 0.0) {
        return Err(refused("--speed", args.speed, "greater than 0"));
    }
    for (option, every) in [("--every", args.every), ("--save-every", args.save_every)] {
        // Beyond 2^53 multiples neighbouring ones are the same number.
        if let Some(every) = every
            && !(every.is_finite() && every > 0.0 && (until - start) / every < 9e15)
        {
            let allowed = "greater than 0, and not vanishing beside the length of the run";
            return Err(refused(option, every, allowed));
        }
    }
    Ok(())
}

fn refused(option: &str, value: f64, allowed: &str) -> CliError {
    // `{:?}` writes 1e300 as such.
    let value = format!("{value:?}");
    CliError::option(option, value.strip_suffix(".0").unwrap_or(&value), allowed)
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

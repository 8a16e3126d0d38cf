//! `carom run` on a scene of billiards: played once, written event by event, drawn.

use crate::args::{Kind, RunArgs};
use crate::error::CliError;
use crate::filter::Filter;
use crate::numbers::{duration, grouped};
use crate::output::{Replacement, Stream};
use crate::outputs::Outputs;
use crate::picture;
use crate::progress::Progress;
use crate::report::say;
use carom_billiards::{Full, Game, Happening, MotionChange, Picture, Recording, Scene};
use carom_engine::StopReason;
use carom_scene::{Source, escaped};
use serde::Serialize;
use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

/// Events after which it ends if nothing else is said: a hundred times as many as a long break has, and as
/// much as fits into memory. Without friction balls never rest.
const MOST_EVENTS: u64 = 200_000;

/// Frames of a movie in a second.
const FRAMES_A_SECOND: u32 = 25;

/// All that moves of a ball.
#[derive(Serialize)]
struct StateLine {
    position: [f64; 2],
    velocity: [f64; 2],
    spin: [f64; 3],
    motion: carom_billiards::Motion,
}

/// A ball of an event.
#[derive(Serialize)]
struct BallLine<'game> {
    index: usize,
    label: &'game str,
    before: StateLine,
    after: StateLine,
}

/// An event.
#[derive(Serialize)]
struct EventLine<'game> {
    time: f64,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cushion: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pocket: Option<usize>,
    balls: Vec<BallLine<'game>>,
}

/// What an event is called in files and reports.
pub(crate) fn name_of(what: Happening) -> &'static str {
    match what {
        Happening::Balls => "balls",
        Happening::Cushion(_) => "cushion",
        Happening::Change(MotionChange::Rolls) => "rolls",
        Happening::Change(MotionChange::Stops) => "stops",
        Happening::Change(MotionChange::Rests) => "rests",
        Happening::Change(MotionChange::MeetsLiner) => "liner",
        Happening::Change(MotionChange::MeetsLip) => "lip",
        Happening::Change(MotionChange::Drops) => "drops",
        Happening::OverLip => "over_lip",
        Happening::Potted => "potted",
        Happening::Held => "held",
        Happening::LetGo => "let_go",
    }
}

pub(crate) fn run(args: &RunArgs, source: &Source) -> Result<(), CliError> {
    check(args)?;
    let mut scene = Scene::read(source)?;
    if let Some(until) = args.until {
        if !(until > 0.0 && until <= 1e9) {
            return Err(CliError::number("--until", until, "a number above 0, at most 1e9"));
        }
        scene.until = Some(until);
    }
    args.check_speed()?;
    let mut game = scene.build().map_err(|error| source.explain(error))?;
    let mut filter = Filter::new(args, game.discs().len() as u64, 0)?;
    let outputs = Outputs::open(args, Path::new(source.name()), game.world().now())?;
    game.world_mut().set_budget(args.max_events.unwrap_or(MOST_EVENTS));
    let clock = Instant::now();
    let until = scene.until.unwrap_or(f64::INFINITY);
    let recorded = game.record_until(scene.shot.as_ref(), until);
    let recording = recorded.map_err(|error| CliError::Usage(format!("{}: {error}", source.name())))?;
    let took = clock.elapsed();
    let Outputs { events, picture, movie, written, on_stdout, .. } = outputs;
    if let Some(stream) = events {
        write_events(stream, &mut filter, &game, &recording)?;
    }
    draw(args, &scene, (&game, &recording), [picture.as_ref(), movie.as_ref()])?;
    let kept = filter.is_in_use().then_some(filter.kept);
    say(&report(&scene, (&game, &recording), kept, took, &written), on_stdout)
}

/// Refuses what means nothing here.
fn check(args: &RunArgs) -> Result<(), CliError> {
    let given = [
        ("--states", args.states.is_some()),
        ("--save", args.save.is_some()),
        ("--colour", args.colour.is_some()),
    ];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => {
            let why = "has no meaning for a scene of billiards, which is played to its end at once";
            Err(CliError::Usage(format!("{option}: {why}; --events writes all states")))
        }
        None => Ok(()),
    }
}

fn write_events(
    mut stream: Stream,
    filter: &mut Filter,
    game: &Game,
    recording: &Recording,
) -> Result<(), CliError> {
    let mut potted = recording.outcome.potted.iter();
    let (mut group, mut last) = (0, f64::NEG_INFINITY);
    for moment in &recording.moments {
        let pocket = if moment.what == Happening::Potted { potted.next().map(|p| p.pocket) } else { None };
        let mut discs = moment.balls.iter().map(|&(index, ..)| index as u64);
        let (a, b) = (discs.next(), discs.next());
        let kind = match moment.what {
            Happening::Balls => Some(Kind::Disc),
            Happening::Cushion(_) => Some(Kind::Wall),
            _ => None,
        };
        let is_kept = match kind {
            Some(kind) => {
                // Contacts of one instant are one impact.
                group += u64::from(moment.time > last);
                last = moment.time;
                let a = a.unwrap_or_default();
                filter.keeps_contact(moment.time, group, kind, [a, b.unwrap_or(a)])
            }
            None => filter.keeps_what_names(moment.time, a.into_iter().chain(b)),
        };
        if !is_kept {
            continue;
        }
        let state = |full: &Full| StateLine {
            position: game.table().from_world(full.position).into(),
            velocity: full.velocity.into(),
            spin: full.spin.into(),
            motion: full.motion,
        };
        let ball = |(index, before, after): &(usize, Full, Full)| BallLine {
            index: *index,
            label: &game.layout().balls[*index].label,
            before: state(before),
            after: state(after),
        };
        let cushion = match moment.what {
            Happening::Cushion(number) => Some(number),
            _ => None,
        };
        let balls = moment.balls.iter().map(ball).collect();
        stream.line(&EventLine { time: moment.time, kind: name_of(moment.what), cushion, pocket, balls })?;
    }
    stream.flush()
}

fn draw(
    args: &RunArgs,
    scene: &Scene,
    (game, recording): (&Game, &Recording),
    [picture, movie]: [Option<&Replacement>; 2],
) -> Result<(), CliError> {
    let mut drawn = Picture::new(game.table(), game.layout(), recording);
    let title = if scene.title.is_empty() { &scene.name } else { &scene.title };
    drawn = drawn.with_title(title.as_str());
    if let Some(to) = picture {
        let drawn = args.width.map_or(drawn.clone(), |width| drawn.clone().with_width(width));
        picture::write(&drawn.png().map_err(|error| picture::failed(to.name(), &error))?, to)?;
    }
    if let Some(to) = movie {
        let drawn = drawn.with_width(args.movie_width.unwrap_or(800));
        let mut progress = Progress::new("drawing");
        progress.at(0.0, String::new);
        let gif = drawn.gif(args.speed, FRAMES_A_SECOND);
        picture::write(&gif.map_err(|error| picture::failed(to.name(), &error))?, to)?;
    }
    Ok(())
}

fn report(
    scene: &Scene,
    (game, recording): (&Game, &Recording),
    kept: Option<u64>,
    took: Duration,
    written: &[String],
) -> String {
    let (name, title) = (escaped(&scene.name), escaped(&scene.title));
    let mut text = if title.is_empty() { format!("{name}\n\n") } else { format!("{title} ({name})\n\n") };
    let outcome = &recording.outcome;
    let ending = match outcome.end {
        StopReason::Reached => "all balls rest",
        StopReason::Stopped => "stopped by the time that was given",
        _ => "stopped by the number of events",
    };
    let potted: Vec<String> = outcome
        .potted
        .iter()
        .map(|potted| format!("{} (pocket {}, {:.3} s)", escaped(&potted.ball), potted.pocket, potted.time))
        .collect();
    let or_none = |words: String| if words.is_empty() { "none".into() } else { words };
    let cushions: Vec<String> =
        outcome.cushions.iter().map(|hit| format!("{}:{}", escaped(&hit.ball), hit.cushion)).collect();
    let (impacts, changes) = (grouped(outcome.impacts), grouped(outcome.changes));
    let mut rows = vec![
        ("balls", grouped(game.discs().len() as u64)),
        ("played", format!("{:.3} s; {ending}", outcome.duration)),
        ("events", format!("{}: {impacts} impacts, {changes} changes of motion", grouped(outcome.events))),
        ("first hit", or_none(outcome.first_hit.as_deref().map(escaped).unwrap_or_default())),
        ("potted", or_none(potted.join(", "))),
        ("cushions", or_none(cushions.join(", "))),
    ];
    rows.extend(kept.map(|kept| ("kept", format!("{} lines in the events file", grouped(kept)))));
    rows.push(("run", duration(took)));
    if !written.is_empty() {
        rows.push(("written", escaped(&written.join(", "))));
    }
    for (name, value) in rows {
        let _ = writeln!(text, "  {name:<12}  {value}");
    }
    text
}

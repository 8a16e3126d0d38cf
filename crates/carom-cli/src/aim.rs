//! `carom aim`: which shots pot a ball, and how likely a player makes them.

use crate::args::AimArgs;
use crate::error::CliError;
use crate::outputs;
use crate::picture::write_drawn;
use crate::report::say;
use crate::shot::{elevation, english, find, layout};
use carom_billiards::aim::{Ranked, Route, Search, Spread, Stroke, Wish};
use carom_billiards::{Error, Game, Layout, Picture, Scene, Table};
use carom_engine::math::Shown;
use carom_scene::Source;
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Instant;

/// Searches for shots, prints them, draws the first.
pub(crate) fn run(args: &AimArgs) -> Result<(), CliError> {
    let usage = |error: Error| CliError::Usage(error.to_string());
    if !(0.0..=100.0).contains(&args.skill) {
        return Err(CliError::number("--skill", args.skill, "a number from 0 to 100"));
    }
    let (table, layout) = table(args)?;
    let game = layout.build(&table).map_err(usage)?;
    let search = Search {
        simulations: args.simulations as usize,
        spread: Spread::TOURNAMENT.scaled(args.skill),
        seed: args.errors,
        threads: args.threads.and_then(|threads| NonZeroUsize::new(threads.into())),
        ..Search::default()
    };
    let search = search.with_strokes(strokes(args)?);
    let named = [("--picture", args.picture.as_deref())];
    let ([drawing], on_stdout) = outputs::whole(Path::new(&args.table), named)?;
    let started = Instant::now();
    let found = search.run(&game, &wish(args, &layout)).map_err(usage)?;
    let mut text = report(&game, &found, args.top)?;
    if args.timing {
        let _ = writeln!(text, "{:.1} ms", started.elapsed().as_secs_f64() * 1e3);
    }
    say(&text, on_stdout)?;
    if let (Some(_), Some(best)) = (&drawing, found.first()) {
        let recording = game.clone().record(&best.pot.shot).map_err(usage)?;
        write_drawn(drawing.as_ref(), || Picture::new(&table, &layout, &recording).png())?;
    }
    Ok(())
}

/// A table with balls from the arguments, or a scene, whose stroke does not matter.
fn table(args: &AimArgs) -> Result<(Table, Layout), CliError> {
    if let Ok(table) = Table::named(&args.table) {
        let layout = layout(&args.balls, &table)?;
        return Ok((table, layout));
    }
    let scene = Scene::read(&Source::find_with(&args.table, Scene::NAMED)?)?;
    let mut layout = scene.layout()?;
    let balls = &args.balls;
    if balls.rack.is_some() || !balls.ball.is_empty() {
        let what = "a scene has its own balls: --ball and --rack have no meaning for it";
        return Err(CliError::Usage(what.into()));
    }
    if let Some(text) = &balls.cue {
        let at = find("--cue", Layout::CUE, text, &layout, &scene.table)?;
        layout = layout.moved(Layout::CUE, at).map_err(|error| CliError::Usage(error.to_string()))?;
    }
    Ok((scene.table, layout))
}

/// All speeds with the tip in all places.
fn strokes(args: &AimArgs) -> Result<Vec<Stroke>, CliError> {
    let usual = Search::default().strokes;
    let speeds: Vec<f64> = usual.iter().map(|stroke| stroke.speed).collect();
    let speeds = if args.speed.is_empty() { &speeds } else { &args.speed };
    let tips: Vec<[f64; 2]> = args.english.iter().map(|text| english(text)).collect::<Result<_, _>>()?;
    let tips = if tips.is_empty() { &[[0.0; 2]][..] } else { &tips };
    let elevation = elevation(args.elevation)?;
    let with_tips =
        |&speed| tips.iter().map(move |&[side, height]| Stroke { speed, side, height, elevation });
    Ok(speeds.iter().flat_map(with_tips).collect())
}

fn wish(args: &AimArgs, layout: &Layout) -> Wish {
    let all = || layout.balls.iter().map(|placed| placed.label.clone()).filter(|label| label != Layout::CUE);
    let pot = if args.pot.is_empty() { all().collect() } else { args.pot.clone() };
    let (meet_first, kicks, banks) = (args.first.clone(), args.kicks, args.banks);
    Wish { cue_ball: Layout::CUE.into(), pot, meet_first, kicks, banks }
}

fn report(game: &Game, found: &[Ranked], top: usize) -> Result<String, CliError> {
    if found.is_empty() {
        return Ok("nothing can be potted with these strokes\n".into());
    }
    let mut text = String::new();
    let _ = writeln!(
        text,
        "  made   error   tries  ball   pocket  how               aim (deg)  speed  english    clear    cut  \
         margin"
    );
    for shot in found.iter().take(top) {
        let pot = &shot.pot;
        let how = way(&pot.route);
        let aim = pot.shot.direction.to_degrees().rem_euclid(360.0);
        let english = format!("{},{}", Shown(pot.shot.side), Shown(pot.shot.height));
        let clear = game.least_elevation(&pot.shot).map_err(|error| CliError::Usage(error.to_string()))?;
        let clear = clear.map_or("never".into(), |least| format!("{:.1}", least.to_degrees()));
        let (cut, margin) = (pot.cut.to_degrees(), pot.margin.to_degrees());
        let _ = writeln!(
            text,
            "{:5.1} % {:5.1} % {:7}  {:<5} {:7}  {how:<16} {aim:10.4} {:6.2}  {english:<8} {clear:>6} \
             {cut:6.1} {margin:7.2}",
            100.0 * shot.probability,
            100.0 * shot.error,
            shot.simulations,
            pot.ball,
            pot.pocket,
            pot.shot.speed,
        );
    }
    if found.len() > top {
        let _ = writeln!(text, "and {} more", found.len() - top);
    }
    Ok(text)
}

/// How a ball is potted.
fn way(route: &Route) -> String {
    match route {
        Route::Direct => "straight".into(),
        Route::AlongRail(rail) => format!("along the {} rail", format!("{rail:?}").to_lowercase()),
        Route::Bank(rail) => format!("bank, {}", format!("{rail:?}").to_lowercase()),
        Route::Kick(rail) => format!("kick, {}", format!("{rail:?}").to_lowercase()),
        Route::Combination(by) => format!("combination {by}"),
        Route::Carom(by) => format!("carom {by}"),
        Route::Several { kicks, banks, balls } => {
            let count = |what: &str, n: usize| (n > 0).then(|| format!("{what} {n}"));
            let by = (!balls.is_empty()).then(|| format!("by {}", balls.join(" ")));
            let parts = [count("kick", *kicks), count("bank", *banks), by];
            parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
        }
    }
}

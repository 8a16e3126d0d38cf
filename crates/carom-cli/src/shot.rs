//! `carom shot`: one shot on a table, its events, a picture and a movie.

use crate::args::{BallsArgs, ShotArgs};
use crate::error::CliError;
use carom_billiards::{Error, Game, Happening, Layout, Obstacle, Picture, Rack, Recording, Shot, Table};
use carom_engine::DVec2;
use std::fmt::Write as _;
use std::path::Path;

/// Plays a shot, prints what happens, draws it.
pub(crate) fn run(args: &ShotArgs) -> Result<(), CliError> {
    let usage = |error: Error| CliError::Usage(error.to_string());
    let table = Table::named(&args.table).map_err(usage)?;
    let layout = layout(&args.balls, &table)?;
    let mut game = layout.build(&table).map_err(usage)?;
    let [side, height] = args.english.as_deref().map_or(Ok([0.0; 2]), |text| pair("--english", text))?;
    let shot = Shot::new(args.speed)
        .aimed_at(args.angle.to_radians())
        .with_elevation(args.elevation.to_radians())
        .with_offset(side, height);
    let recording = game.record(&shot).map_err(usage)?;
    print!("{}", report(&game, &recording));
    let drawn = Picture::new(&table, &layout, &recording);
    if let Some(path) = &args.picture {
        write(path, drawn.png())?;
    }
    if let Some(path) = &args.movie {
        write(path, drawn.with_width(800).gif(1.0, 25))?;
    }
    Ok(())
}

pub(crate) fn write(path: &Path, bytes: Result<Vec<u8>, impl std::fmt::Display>) -> Result<(), CliError> {
    let shown = path.display().to_string();
    let bytes = bytes.map_err(|error| CliError::Draw { path: shown.clone(), what: error.to_string() })?;
    std::fs::write(path, bytes).map_err(|source| CliError::writing(&shown, source))
}

/// The balls: a rack, or the cue ball alone, and those that are placed.
pub(crate) fn layout(args: &BallsArgs, table: &Table) -> Result<Layout, CliError> {
    let usage = |error: Error| CliError::Usage(error.to_string());
    let mut layout = match &args.rack {
        Some(name) => Rack::named(name).and_then(|rack| rack.place(table, args.seed)).map_err(usage)?,
        None => Layout::new().with(Layout::CUE, table.ball, table.centre() * DVec2::new(1.0, 0.5)),
    };
    if let Some(text) = &args.cue {
        layout = layout.moved(Layout::CUE, pair("--cue", text)?).map_err(usage)?;
    }
    for text in &args.ball {
        let (label, at) = text
            .split_once('=')
            .ok_or_else(|| CliError::option("--ball", text, "a label and a place, such as 8=0.6,1.9"))?;
        layout = layout.with(label, table.ball, pair("--ball", at)?);
    }
    Ok(layout)
}

/// `X,Y`.
pub(crate) fn pair(option: &str, text: &str) -> Result<[f64; 2], CliError> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[x, y]) => Ok([x, y]),
        _ => Err(CliError::option(option, text, "two numbers with a comma between them")),
    }
}

fn report(game: &Game, recording: &Recording) -> String {
    let mut text = String::new();
    let name = |ball: usize| game.layout().balls[ball].label.as_str();
    let outcome = &recording.outcome;
    if let Some(obstruction) = &outcome.obstruction {
        let what = match &obstruction.by {
            Obstacle::Cushion => "a cushion".to_string(),
            Obstacle::Ball(label) => format!("ball {label}"),
        };
        let least = obstruction.least_slope.atan().to_degrees();
        let _ =
            writeln!(text, "in the way of the cue: {what}; clear from an elevation of {least:.1} degrees");
    }
    let _ = writeln!(text, "   time (s)  what         ball   x (m)    y (m)    speed    spin");
    for moment in &recording.moments {
        let what = match moment.what {
            Happening::Balls => "balls".into(),
            Happening::Cushion(number) => format!("cushion {number}"),
            Happening::Change(change) => format!("{change:?}").to_lowercase(),
            Happening::Potted => "potted".into(),
            Happening::Held => "press".into(),
            Happening::LetGo => "part".into(),
        };
        for (ball, _, after) in &moment.balls {
            let at = game.table().from_world(after.position);
            let (speed, spin) = (after.velocity.length(), after.spin.length());
            let _ = writeln!(
                text,
                "{:11.6}  {what:<11}  {:<5} {:8.4} {:8.4} {speed:8.4} {spin:7.2}",
                moment.time,
                name(*ball),
                at.x,
                at.y
            );
        }
    }
    let first = outcome.first_hit.as_deref().unwrap_or("none");
    let potted: Vec<String> =
        outcome.potted.iter().map(|potted| format!("{} (pocket {})", potted.ball, potted.pocket)).collect();
    let potted = if potted.is_empty() { "none".into() } else { potted.join(", ") };
    let _ = writeln!(text, "first hit: {first}; potted: {potted}; at rest after {:.3} s", outcome.duration);
    text
}

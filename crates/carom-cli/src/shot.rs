//! `carom shot`: one shot on a table, its events, a picture and a movie.

use crate::args::{BallsArgs, ShotArgs};
use crate::error::CliError;
use crate::report::say;
use crate::{outputs, paths, picture, vary};
use carom_billiards::{
    Error, Game, Happening, Layout, MotionChange, Obstacle, Picture, Place, PocketModel, Rack, Recording,
    Scene, Shot, Table,
};
use carom_engine::DVec2;
use carom_scene::{SceneError, Source};
use std::f64::consts::FRAC_PI_2;
use std::fmt::Write as _;
use std::path::Path;

/// Plays a shot, prints what happens, draws it; or many.
pub(crate) fn run(args: &ShotArgs) -> Result<(), CliError> {
    let (mut game, shot) = set_up(args)?;
    let named = [
        ("--picture", args.picture.as_deref()),
        ("--movie", args.movie.as_deref()),
        ("--strip", args.strip.as_deref()),
        ("--paths", args.paths.as_deref()),
        ("--csv", args.csv.as_deref()),
        ("--map", args.map.as_deref()),
    ];
    let ([drawing, movie, strip, paths, csv, map], on_stdout) =
        outputs::whole(Path::new(&args.table), named)?;
    if !args.vary.is_empty() {
        return vary::run(args, (&game, &shot), [csv, map], on_stdout);
    }
    let recording = game.record(&shot).map_err(|error| CliError::Usage(error.to_string()))?;
    say(&report(&game, &recording), on_stdout)?;
    paths::write(paths.as_ref(), &game, &recording)?;
    let drawn = Picture::new(game.table(), game.layout(), &recording);
    let drawn = if args.numbers { drawn.with_numbers() } else { drawn };
    picture::write_drawn(strip.as_ref(), || drawn.strip_png())?;
    picture::write_drawn(drawing.as_ref(), || drawn.png())?;
    picture::write_drawn(movie.as_ref(), || drawn.clone().with_width(800).gif(1.0, 25))
}

/// The balls on their table, and the stroke: those of a scene, or as the options say.
fn set_up(args: &ShotArgs) -> Result<(Game, Shot), CliError> {
    let usage = |error: Error| CliError::Usage(error.to_string());
    let (game, mut shot) = match Table::named(&args.table) {
        Ok(mut table) => {
            table.physics.pocket = pocket(args)?.unwrap_or(table.physics.pocket);
            (layout(&args.balls, &table)?.build(&table).map_err(usage)?, straight_up())
        }
        Err(_) => of_scene(args)?,
    };
    shot.speed = args.speed.unwrap_or(shot.speed);
    shot.direction = args.angle.map_or(shot.direction, f64::to_radians);
    if let Some(degrees) = args.elevation {
        shot.elevation = elevation(degrees)?;
    }
    if let Some(text) = &args.english {
        [shot.side, shot.height] = english(text)?;
    }
    Ok((game, shot))
}

/// The model of pockets that is asked for, if one is.
fn pocket(args: &ShotArgs) -> Result<Option<PocketModel>, CliError> {
    let Some(name) = &args.pocket else { return Ok(None) };
    let found = PocketModel::ALL.into_iter().find(|model| model.name() == name);
    found.map(Some).ok_or_else(|| CliError::option("--pocket", name, "mouth or lip"))
}

/// What is played if nothing else is said.
fn straight_up() -> Shot {
    Shot::new(2.0).aimed_at(FRAC_PI_2)
}

fn of_scene(args: &ShotArgs) -> Result<(Game, Shot), CliError> {
    let table = args.table.as_str();
    let source = Source::find_with(table, Scene::NAMED).map_err(|error| match error {
        SceneError::NoSuchScene { closest, .. } => {
            let near =
                closest.map_or(String::new(), |near| format!("; the nearest name of a scene is `{near}`"));
            let tables = Table::NAMES.join(", ");
            CliError::Usage(format!("there is no table or scene {table:?}; there are {tables}{near}"))
        }
        error => error.into(),
    })?;
    if args.balls.rack.is_some() || !args.balls.ball.is_empty() {
        let what = "--rack and --ball have no meaning with a scene, which says what lies on its table";
        return Err(CliError::Usage(what.into()));
    }
    let mut scene = Scene::read(&source)?;
    scene.table.physics.pocket = pocket(args)?.unwrap_or(scene.table.physics.pocket);
    let mut game = scene.build().map_err(|error| source.explain(error))?;
    if let Some(text) = &args.balls.cue {
        let at = find("--cue", Layout::CUE, text, game.layout(), game.table())?;
        game.place(Layout::CUE, at).map_err(|error| CliError::Usage(error.to_string()))?;
    }
    Ok((game, scene.shot.unwrap_or_else(straight_up)))
}

/// The balls: a rack, or the cue ball alone, and those that are placed.
pub(crate) fn layout(args: &BallsArgs, table: &Table) -> Result<Layout, CliError> {
    let usage = |error: Error| CliError::Usage(error.to_string());
    let mut layout = match &args.rack {
        Some(name) => {
            let rack = Rack::named(name).and_then(|rack| rack.with_gap(args.gap)).map_err(usage)?;
            rack.place(table, args.seed).map_err(usage)?
        }
        None => Layout::new().with(Layout::CUE, table.ball, table.centre() * DVec2::new(1.0, 0.5)),
    };
    if let Some(text) = &args.cue {
        // Before the others, so that none is in the way of the place that it would have.
        let at = find("--cue", Layout::CUE, text, &layout, table)?;
        layout = layout.moved(Layout::CUE, at).map_err(usage)?;
    }
    for text in &args.ball {
        let (label, at) = text
            .split_once('=')
            .map(|(label, at)| (label.trim(), at))
            .filter(|(label, _)| !label.is_empty())
            .ok_or_else(|| CliError::option("--ball", text, "a label and a place, such as 8=0.6,1.9"))?;
        let at = find("--ball", label, at, &layout, table)?;
        let is_racked = args.rack.is_some() && layout.balls.iter().any(|placed| placed.label == label);
        layout = if is_racked {
            layout.moved(label, at).map_err(usage)?
        } else {
            layout.with(label, table.ball, at)
        };
    }
    Ok(layout)
}

/// Where a ball of a table lies: `X,Y`, `frozen:BALL@DEGREES` or `frozen:cushion@X,Y`.
pub(crate) fn find(
    option: &str,
    label: &str,
    text: &str,
    layout: &Layout,
    table: &Table,
) -> Result<DVec2, CliError> {
    let allowed = "a place: X,Y in metres; or frozen:BALL@DEGREES, the direction in which it lies as \
        seen from the other ball; or frozen:cushion@X,Y, near which it touches the nearest cushion";
    let refused = || CliError::option(option, text, allowed);
    let place = match text.trim().strip_prefix("frozen:") {
        None => Place::At(pair(text).ok_or_else(refused)?.into()),
        Some(to) => match to.rsplit_once('@').ok_or_else(refused)? {
            ("cushion", near) => Place::FrozenToCushion { near: pair(near).ok_or_else(refused)?.into() },
            (ball, degrees) => {
                let degrees: f64 = degrees.trim().parse().map_err(|_| refused())?;
                Place::FrozenToBall { ball: ball.trim().into(), direction: degrees.to_radians() }
            }
        },
    };
    let balls = layout.balls.iter().find(|placed| placed.label == label);
    let ball = balls.map_or(table.ball, |placed| placed.ball);
    let at = layout.find(label, &ball, &place, table);
    at.map_err(|error| CliError::Usage(format!("{option}: {error}")))
}

/// Where the tip meets the ball.
pub(crate) fn english(text: &str) -> Result<[f64; 2], CliError> {
    let allowed = "SIDE,HEIGHT in radii of the ball: SIDE above 0 for right and below 0 for left english, \
        HEIGHT above 0 for follow and below 0 for draw, no further than 0.5 off the centre";
    pair(text).ok_or_else(|| CliError::option("--english", text, allowed))
}

/// How far the butt is lifted, in radians.
pub(crate) fn elevation(degrees: f64) -> Result<f64, CliError> {
    let allowed = "a number of degrees from 0 to 89.95";
    let radians = (0.0..=89.95).contains(&degrees).then(|| degrees.to_radians());
    radians.ok_or_else(|| CliError::number("--elevation", degrees, allowed))
}

/// `X,Y`.
fn pair(text: &str) -> Option<[f64; 2]> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    numbers?.try_into().ok()
}

fn report(game: &Game, recording: &Recording) -> String {
    let mut text = String::new();
    let name = |ball: usize| game.layout().balls[ball].label.as_str();
    let outcome = &recording.outcome;
    if let Some(obstruction) = &outcome.obstruction {
        let what = match &obstruction.by {
            Obstacle::Cushion => "a cushion".to_string(),
            Obstacle::Rail => "a rail".to_string(),
            Obstacle::Ball(label) => format!("ball {label}"),
        };
        let clear = match obstruction.least_elevation {
            Some(least) => format!("clear from an elevation of {:.1} degrees", least.to_degrees()),
            None => "at any elevation".to_string(),
        };
        let _ = writeln!(text, "in the way of the cue: {what}; {clear}");
    }
    let _ =
        writeln!(text, "   time (s)  what         ball   x (m)    y (m)    speed     top    side    spin");
    for moment in &recording.moments {
        let met = |ball: usize| moment.balls.iter().map(|met| met.0).find(|other| *other != ball);
        let what = |ball: usize| match moment.what {
            Happening::Balls => met(ball).map_or("balls".into(), |other| format!("meets {}", name(other))),
            Happening::Cushion(number) => format!("cushion {number}"),
            Happening::Change(MotionChange::MeetsLiner) => "liner".into(),
            Happening::Change(MotionChange::MeetsLip) => "lip".into(),
            Happening::Change(change) => format!("{change:?}").to_lowercase(),
            Happening::OverLip => "over the lip".into(),
            Happening::Potted => {
                let fell = outcome.potted.iter().find(|potted| potted.ball == name(ball));
                fell.map_or("potted".into(), |fell| format!("pocket {}", fell.pocket))
            }
            Happening::Held => "press".into(),
            Happening::LetGo => "part".into(),
        };
        for (ball, before, after) in &moment.balls {
            let at = game.table().from_world(after.position);
            let (speed, spin) = (after.velocity.length(), after.spin.length());
            let way = if speed > 0.0 { after.velocity } else { before.velocity };
            // By rounding they are not quite 0, and would be shown as −0.
            let [top, side] = [way.normalize_or_zero().perp().dot(after.spin.truncate()), after.spin.z]
                .map(|spin| if spin.abs() < 0.005 { 0.0 } else { spin });
            let _ = writeln!(
                text,
                "{:11.6}  {:<11}  {:<5} {:8.4} {:8.4} {speed:8.4} {top:7.2} {side:7.2} {spin:7.2}",
                moment.time,
                what(*ball),
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

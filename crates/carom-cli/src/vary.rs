//! `carom shot --vary`: many shots like one, and how they come out.

use crate::args::ShotArgs;
use crate::error::CliError;
use crate::heat_map::{Axis, HeatMap};
use crate::output::Replacement;
use crate::parallel::on_all_cores;
use crate::report::say;
use crate::vary_plan::{Plan, Spread, Varied};
use crate::{interrupt, picture};
use carom_billiards::{Error, Game, Layout, Outcome, Shot};
use carom_engine::StopReason;
use carom_engine::math::Shown;
use carom_scene::escaped;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// As many outcomes as are listed; the others are put together.
const LISTED: usize = 16;

/// What came of a shot.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    values: Vec<f64>,
    /// Labels, in order. The cue ball is among them.
    potted: Vec<String>,
    /// The pockets into which they fell.
    pockets: Vec<String>,
    first_hit: Option<String>,
    /// That the cue ball met.
    cushions: u32,
    /// Whether it met two balls, and whether three cushions before the second.
    carom: bool,
    three_cushion: bool,
    duration: f64,
    /// Where the cue ball came to rest; none if it fell.
    rests_at: Option<[f64; 2]>,
    is_finished: bool,
    /// The least elevation of the cue at which nothing is in its way, in degrees, if it was asked for and
    /// there is one.
    clear: Option<f64>,
}

/// What a map shows.
#[derive(Clone, Debug, PartialEq)]
enum Measure {
    Potted,
    Scratch,
    Cushions,
    Carom,
    ThreeCushion,
    Duration,
    Elevation,
    Falls(String),
    First(String),
}

impl Measure {
    fn parse(args: &ShotArgs, game: &Game) -> Result<Measure, CliError> {
        let Some(text) = args.measure.as_deref() else {
            let has_pockets = !game.table().pocket_circles().is_empty();
            return Ok(if has_pockets { Measure::Potted } else { Measure::ThreeCushion });
        };
        let refused = |allowed: &str| CliError::option("--measure", text, allowed);
        let label = |label: &str| match game.index_of(label) {
            Ok(_) => Ok(label.to_owned()),
            Err(error) => Err(CliError::Usage(format!("--measure {text}: {error}"))),
        };
        Ok(match text.split_once(':').unwrap_or((text, "")) {
            ("potted", "") => Measure::Potted,
            ("scratch", "") => Measure::Scratch,
            ("cushions", "") => Measure::Cushions,
            ("carom", "") => Measure::Carom,
            ("three-cushion", "") => Measure::ThreeCushion,
            ("duration", "") => Measure::Duration,
            ("elevation", "") => Measure::Elevation,
            ("falls", ball) => Measure::Falls(label(ball)?),
            ("first", ball) => Measure::First(label(ball)?),
            _ => {
                return Err(refused(
                    "potted, scratch, cushions, carom, three-cushion, duration, elevation, falls:LABEL or \
                     first:LABEL",
                ));
            }
        })
    }

    fn words(&self) -> String {
        match self {
            Measure::Potted => "object balls that fall".into(),
            Measure::Scratch => "1 where the cue ball falls".into(),
            Measure::Cushions => "cushions that the cue ball meets".into(),
            Measure::Carom => "1 where the cue ball meets two balls".into(),
            Measure::ThreeCushion => "1 where it is a point by three cushions".into(),
            Measure::Duration => "seconds until all balls rest".into(),
            Measure::Elevation => "degrees from which nothing is in the way of the cue; grey: never".into(),
            Measure::Falls(ball) => format!("1 where ball {} falls", escaped(ball)),
            Measure::First(ball) => format!("1 where ball {} is hit first", escaped(ball)),
        }
    }

    fn of(&self, row: &Row) -> Option<f64> {
        Some(match self {
            Measure::Potted => row.potted.iter().filter(|ball| *ball != Layout::CUE).count() as f64,
            Measure::Scratch => f64::from(row.is_scratch()),
            Measure::Cushions => f64::from(row.cushions),
            Measure::Carom => f64::from(row.carom),
            Measure::ThreeCushion => f64::from(row.three_cushion),
            Measure::Duration => row.duration,
            Measure::Elevation => return row.clear,
            Measure::Falls(ball) => f64::from(row.potted.contains(ball)),
            Measure::First(ball) => f64::from(row.first_hit.as_ref() == Some(ball)),
        })
    }
}

impl Row {
    fn new(values: Vec<f64>, game: &Game, struck: usize, outcome: &Outcome) -> Row {
        let ball = &outcome.ball;
        let with = outcome.hits.iter().filter_map(|hit| match &hit.balls {
            [a, b] if a == ball => Some((b, hit.time)),
            [a, b] if b == ball => Some((a, hit.time)),
            _ => None,
        });
        let second =
            with.filter(|(other, _)| Some(*other) != outcome.first_hit.as_ref()).map(|(_, time)| time);
        let second = second.reduce(f64::min);
        let cushions = || outcome.cushions.iter().filter(|hit| hit.ball == *ball);
        let before = second.map_or(0, |time| cushions().filter(|hit| hit.time < time).count());
        let potted: Vec<String> = outcome.potted.iter().map(|potted| potted.ball.clone()).collect();
        let disc = game.world().get(game.discs()[struck]).filter(|disc| disc.is_enabled());
        Row {
            values,
            potted,
            pockets: outcome.potted.iter().map(|potted| potted.pocket.to_string()).collect(),
            first_hit: outcome.first_hit.clone(),
            cushions: cushions().count() as u32,
            carom: second.is_some(),
            three_cushion: before >= 3,
            duration: outcome.duration,
            rests_at: disc.map(|disc| game.table().from_world(disc.position()).into()),
            is_finished: outcome.end == StopReason::Reached,
            clear: None,
        }
    }

    fn is_scratch(&self) -> bool {
        self.potted.iter().any(|ball| ball == Layout::CUE)
    }
}

/// Plays the shots, prints how they come out, writes them and draws a map.
pub(crate) fn run(
    args: &ShotArgs,
    (game, shot): (&Game, &Shot),
    [to_csv, to_map]: [Option<Replacement>; 2],
    on_stdout: bool,
) -> Result<(), CliError> {
    let plan = Plan::new(args)?;
    let measure = Measure::parse(args, game)?;
    if args.map.is_some() && plan.grid.is_none() {
        let what = "--map: draws two ranges, --vary NAME=FROM..TO twice and no other";
        return Err(CliError::Usage(what.into()));
    }
    let struck = game.index_of(&shot.ball).map_err(usage)?;
    // What is wrong at the first shot is said before the others are played.
    let is_elevation = matches!(measure, Measure::Elevation);
    let play = |table: &mut Game, number| play(&plan, table, game, (shot, struck), (number, is_elevation));
    play(&mut game.clone(), 0).map_err(usage)?;
    interrupt::set_running(true);
    let new = || (game.clone(), Vec::new());
    let add = |(table, rows): &mut (Game, Vec<_>), k: u64| {
        rows.push((k, play(table, k)));
        Ok(())
    };
    let gathered = on_all_cores::<_, CliError>(args.threads, plan.count, ["shot", "shots"], new, add);
    interrupt::set_running(false);
    let mut rows: Vec<(u64, Result<Row, Error>)> = gathered?.into_iter().flat_map(|(_, rows)| rows).collect();
    rows.sort_unstable_by_key(|(k, _)| *k);
    if let Some(to) = &to_csv {
        picture::write(csv(&plan, &rows).as_bytes(), to)?;
    }
    if let Some([columns, _]) = plan.grid {
        picture::write_drawn(to_map.as_ref(), || map(args, &plan, &measure, columns, &rows).png())?;
    }
    say(&report(args, &plan, &rows), on_stdout)?;
    let played = rows.len() as u64;
    if played < plan.count { Err(CliError::Interrupted { time: 0.0 }) } else { Ok(()) }
}

fn usage(error: Error) -> CliError {
    CliError::Usage(error.to_string())
}

/// One of the shots, on a copy of the table; with the least elevation of its cue, if that is asked for.
fn play(
    plan: &Plan,
    table: &mut Game,
    from: &Game,
    (shot, struck): (&Shot, usize),
    (number, is_elevation): (u64, bool),
) -> Result<Row, Error> {
    let values = plan.values(number);
    table.clone_from(from);
    if let Some(at) = plan.place(from.layout().balls[struck].at.into(), &values) {
        table.place(&shot.ball, at)?;
    }
    let shot = plan.shot(shot, &values);
    let clear = if is_elevation { table.least_elevation(&shot)?.map(f64::to_degrees) } else { None };
    let outcome = table.shoot(&shot)?;
    Ok(Row { clear, ..Row::new(values, table, struck, &outcome) })
}

/// A text as a field of a file of values with commas between them.
pub(crate) fn quoted(text: &str) -> String {
    let is_plain = !text.contains([',', '"', '\n', '\r']);
    if is_plain { text.to_owned() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}

fn csv(plan: &Plan, rows: &[(u64, Result<Row, Error>)]) -> String {
    let mut text = String::from("shot");
    for one in &plan.varied {
        let _ = write!(text, ",{}", one.what.name());
    }
    text.push_str(",potted,pockets,first_hit,cushions,scratch,carom,three_cushion,duration,x_end,y_end");
    text.push_str(",refused\n");
    for (number, row) in rows {
        let _ = write!(text, "{number}");
        for value in plan.values(*number) {
            let _ = write!(text, ",{}", Shown(value));
        }
        let _ = match row {
            Ok(row) => {
                let [x, y] = row
                    .rests_at
                    .map_or([String::new(), String::new()], |at| at.map(|v| Shown(v).to_string()));
                let flags = [row.is_scratch(), row.carom, row.three_cushion].map(u8::from);
                let [scratch, carom, point] = flags;
                let (potted, pockets) = (quoted(&row.potted.join(";")), row.pockets.join(";"));
                let first = quoted(row.first_hit.as_deref().unwrap_or_default());
                let (cushions, duration) = (row.cushions, Shown(row.duration));
                writeln!(
                    text,
                    ",{potted},{pockets},{first},{cushions},{scratch},{carom},{point},{duration},{x},{y},"
                )
            }
            Err(error) => writeln!(text, ",,,,,,,,,,,{}", quoted(&error.to_string())),
        };
    }
    text
}

fn map(
    args: &ShotArgs,
    plan: &Plan,
    measure: &Measure,
    columns: u64,
    rows: &[(u64, Result<Row, Error>)],
) -> HeatMap {
    let axis = |varied: Option<&Varied>| match varied {
        Some(Varied { what, spread: Spread::Even { from, to } }) => {
            Axis { label: format!("{} ({})", what.name(), what.unit()), from: *from, to: *to }
        }
        _ => Axis::default(),
    };
    let mut values = vec![None; plan.count as usize];
    for (number, row) in rows {
        values[*number as usize] = row.as_ref().ok().and_then(|row| measure.of(row));
    }
    HeatMap {
        title: format!("{}, {} shots", args.table, plan.count),
        measure: measure.words(),
        across: axis(plan.varied.first()),
        upwards: axis(plan.varied.get(1)),
        columns: columns as usize,
        values,
    }
}

fn report(args: &ShotArgs, plan: &Plan, rows: &[(u64, Result<Row, Error>)]) -> String {
    let mut text = String::new();
    let words: Vec<String> = plan.varied.iter().map(Varied::words).collect();
    let grid = plan.grid.map_or(String::new(), |[columns, rows]| format!(", {columns} by {rows}"));
    let _ = writeln!(text, "{} shots of {}: {}{grid}", rows.len(), escaped(&args.table), words.join(", "));
    let played: Vec<&Row> = rows.iter().filter_map(|(_, row)| row.as_ref().ok()).collect();
    let share = |count: usize| 100.0 * count as f64 / played.len().max(1) as f64;
    let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
    for row in &played {
        let fallen = if row.potted.is_empty() { "nothing".into() } else { row.potted.join(", ") };
        *outcomes.entry(fallen).or_default() += 1;
    }
    let mut outcomes: Vec<(String, usize)> = outcomes.into_iter().collect();
    outcomes.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let rest = outcomes.split_off(LISTED.min(outcomes.len()));
    if !rest.is_empty() {
        let name = format!("{} others", rest.len());
        outcomes.push((name, rest.iter().map(|(_, count)| count).sum()));
    }
    let longest = outcomes.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(10);
    let _ = writeln!(text, "{:<longest$}    shots   share", "what falls");
    for (name, count) in outcomes {
        let bar = "#".repeat((0.4 * share(count)).round() as usize);
        let line = format!("{:<longest$} {count:8} {:6.2} %  {bar}", escaped(&name), share(count));
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let count = |is: &dyn Fn(&Row) -> bool| share(played.iter().filter(|row| is(row)).count());
    let scratches = count(&|row| row.is_scratch());
    let [hits, caroms, points] =
        [count(&|row| row.first_hit.is_some()), count(&|row| row.carom), count(&|row| row.three_cushion)];
    let _ = writeln!(text, "the cue ball falls in {scratches:.2} % and meets a ball in {hits:.2} %,");
    let _ = writeln!(text, "two balls in {caroms:.2} %, two after three cushions in {points:.2} %");
    let mean = played.iter().map(|row| row.duration).sum::<f64>() / played.len().max(1) as f64;
    let _ = writeln!(text, "{mean:.2} s of play a shot");
    let unfinished = played.iter().filter(|row| !row.is_finished).count();
    if unfinished > 0 {
        let _ = writeln!(text, "{unfinished} did not come to rest within the budget of events");
    }
    if let Some(error) = rows.iter().find_map(|(_, row)| row.as_ref().err()) {
        let refused = rows.len() - played.len();
        let _ = writeln!(text, "{refused} could not be played; the first: {}", escaped(&error.to_string()));
    }
    text
}

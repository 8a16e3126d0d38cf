//! `carom break`: a rack broken many times, on all cores.

use crate::args::BreakArgs;
use crate::error::CliError;
use crate::interrupt;
use crate::list;
use crate::parallel::on_all_cores;
use carom_billiards::{Error, Game, Rack, Shot, Table};
use carom_engine::StopReason;
use carom_engine::math::Shown;
use std::f64::consts::FRAC_PI_2;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// More balls than fall in any game.
const MOST: usize = 32;

/// What came of some breaks.
#[derive(Clone, Debug, Default)]
struct Tally {
    breaks: u64,
    unfinished: u64,
    events: u64,
    play: f64,
    scratches: u64,
    on_break: u64,
    potted: [u64; MOST],
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.breaks += other.breaks;
        self.unfinished += other.unfinished;
        self.events += other.events;
        self.play += other.play;
        self.scratches += other.scratches;
        self.on_break += other.on_break;
        for (count, more) in self.potted.iter_mut().zip(other.potted) {
            *count += more;
        }
    }
}

/// Breaks a rack as often as asked, and prints how many balls fall.
pub(crate) fn run(args: &BreakArgs) -> Result<(), CliError> {
    if !(0.0..=180.0).contains(&args.spread) {
        return Err(CliError::number("--spread", args.spread, "a number of degrees from 0 to 180"));
    }
    let rack = Rack::named(&args.rack).and_then(|rack| rack.with_gap(args.gap)).map_err(usage)?;
    let table = Table::named(args.table.as_deref().unwrap_or(rack.usual_table())).map_err(usage)?;
    // What is wrong with the arguments is said before anything runs.
    let first = rack.place(&table, args.seed).and_then(|layout| layout.build(&table)).map_err(usage)?;
    one(args, rack, &first, args.seed).map_err(usage)?;
    let started = Instant::now();
    interrupt::set_running(true);
    let tally = tally(args, rack, &first);
    interrupt::set_running(false);
    let tally = tally.map_err(usage)?;
    list::print(&report(args, &tally, started.elapsed()))?;
    if tally.breaks < args.count { Err(CliError::Interrupted { time: tally.play }) } else { Ok(()) }
}

fn usage(error: Error) -> CliError {
    CliError::Usage(error.to_string())
}

/// Each break has its own seed, so that the tally does not depend on the number of threads.
fn tally(args: &BreakArgs, rack: Rack, start: &Game) -> Result<Tally, Error> {
    let add = |tally: &mut Tally, k: u64| {
        tally.add(&one(args, rack, start, args.seed.wrapping_add(k))?);
        Ok::<(), Error>(())
    };
    let tallies = on_all_cores(args.threads, args.count, ["break", "breaks"], Tally::default, add)?;
    let mut all = Tally::default();
    tallies.iter().for_each(|tally| all.add(tally));
    Ok(all)
}

/// One break: at the ball in front, a little off, as the seed says.
fn one(args: &BreakArgs, rack: Rack, start: &Game, seed: u64) -> Result<Tally, Error> {
    let mut game = start.with_layout(&rack.place(start.table(), seed)?)?;
    let aim = match args.angle {
        Some(degrees) => degrees.to_radians(),
        None => aim_at_rack(args, seed),
    };
    let shot = Shot::new(args.speed).aimed_at(aim);
    let outcome = game.shoot(&shot)?;
    let scratched = outcome.potted.iter().any(|potted| potted.ball == carom_billiards::Layout::CUE);
    let mut tally = Tally { breaks: 1, events: outcome.events, play: outcome.duration, ..Tally::default() };
    tally.unfinished = u64::from(outcome.end != StopReason::Reached);
    tally.scratches = u64::from(scratched);
    let fallen = outcome.potted.len() - usize::from(scratched);
    tally.on_break = fallen as u64;
    tally.potted[fallen.min(MOST - 1)] = 1;
    Ok(tally)
}

/// Along the table, within the spread to both sides: the seed's place in a sequence that fills the interval
/// evenly (multiples of the golden section).
fn aim_at_rack(args: &BreakArgs, seed: u64) -> f64 {
    let share = (seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 11) as f64 / (1_u64 << 53) as f64;
    FRAC_PI_2 + args.spread.to_radians() * (2.0 * share - 1.0)
}

fn report(args: &BreakArgs, tally: &Tally, took: Duration) -> String {
    let mut text = String::new();
    let breaks = tally.breaks.max(1) as f64;
    let _ = writeln!(text, "{} breaks of {} at {} m/s", tally.breaks, args.rack, Shown(args.speed));
    let _ = writeln!(text, "balls potted   breaks   share");
    let last = tally.potted.iter().rposition(|&count| count > 0).unwrap_or(0);
    for (balls, &count) in tally.potted.iter().enumerate().take(last + 1) {
        let share = count as f64 / breaks;
        let bar = "#".repeat((40.0 * share).round() as usize);
        let line = format!("{balls:12} {count:8} {:6.2} %  {bar}", 100.0 * share);
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let mean = tally.on_break as f64 / breaks;
    let _ = writeln!(
        text,
        "mean {mean:.3}; the cue ball falls in {:.2} %",
        100.0 * tally.scratches as f64 / breaks
    );
    let (events, play) = (tally.events as f64 / breaks, tally.play / breaks);
    let _ = writeln!(text, "{events:.1} events and {play:.2} s of play a break");
    if tally.unfinished > 0 {
        let _ = writeln!(text, "{} did not come to rest within the budget of events", tally.unfinished);
    }
    if args.timing {
        let seconds = took.as_secs_f64();
        let rate = tally.breaks as f64 / seconds.max(1e-9);
        let _ = writeln!(text, "{seconds:.2} s, {rate:.0} breaks a second");
    }
    text
}

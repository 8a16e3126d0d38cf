//! What can be asked of the command, and the help that teaches it.

use crate::error::CliError;
use crate::help::{AIM_HELP, RUN_HELP, SHOT_HELP};
use crate::measure_args::MeasureArgs;
use crate::order::Colour;
use carom_billiards::MOST_THREADS;
use carom_draw::{MovieOptions, Style};
use carom_scene::escaped;
use clap::builder::TypedValueParser;
use clap::{CommandFactory as _, Parser, Subcommand, ValueEnum, ValueHint};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  carom scenes                                       what there is to run
  carom run nine-ball-discs --picture break.png      run it, draw it
  carom run newtons-cradle --movie cradle.gif --speed 2
  carom run box-100 --until 1 --events events.jsonl  what happens, one contact a line
  carom show three-ball-carom > my.toml              a file to start from
  carom run my.toml
  carom run my.toml --save run.carom                 and go on later:
  carom run --resume run.carom --until 100
  carom break 9-ball --count 10000 --seed 1          how many balls fall
  carom shot pool-9ft --rack 9-ball --speed 8 --picture break.png
  carom run twice-around --movie around.gif          a famous shot of billiards
  carom aim pool-9ft --cue 0.6,0.6 --ball 1=0.9,1.9  which shot is made most likely
  carom measure box-1000 --until 100                 pressure, structure, order of a gas

Exit codes:
  0  done
  1  an output could not be written
  2  a wrong scene, saved run or argument, or outputs that collide
  3  the world came to a standstill: its discs are crushed, or events
     without end take it no further
  130  interrupted; what was asked for is written up to there";

/// Event-driven physics for discs in the plane: exact times of impact, no time step.
#[derive(Parser, Debug)]
#[command(name = "carom", version, arg_required_else_help = true)]
#[command(after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Run a scene; print what came of it; write events, states, a picture, a movie
    Run(Box<RunArgs>),
    /// List the scenes that come with the command
    Scenes,
    /// Print a scene as a file, to read or to start from
    Show(ShowArgs),
    /// Break a rack of billiard balls many times; print how many fall
    Break(BreakArgs),
    /// Play one shot on a billiard table; print its events, draw it
    Shot(Box<ShotArgs>),
    /// Search for the shots that are most likely to pot a ball
    Aim(Box<AimArgs>),
    /// Measure pressure, stress, structure, order, diffusion and cooling of a gas, with errors
    Measure(MeasureArgs),
}

const EVENTS: &str = "Events and states";
const PICTURES: &str = "Pictures";
const VARIED: &str = "Many shots";
const SAVING: &str = "Save and go on";

/// What a disc touches in a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    Disc,
    Wall,
}

/// Run a scene; print what came of it; write events, states, a picture, a movie
#[derive(clap::Args, Debug)]
#[command(after_help = RUN_HELP)]
pub(crate) struct RunArgs {
    /// A scene's name (see `carom scenes`) or a file (.toml, .json)
    #[arg(required_unless_present = "resume", conflicts_with = "resume")]
    pub(crate) scene: Option<String>,
    /// Run to this time of the world, in seconds; default: the scene's
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub(crate) until: Option<f64>,
    /// Stop after this many events
    #[arg(long, value_name = "N")]
    pub(crate) max_events: Option<u64>,

    /// Write every contact and what else happens, as JSON Lines (.jsonl); `-` is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = EVENTS)]
    pub(crate) events: Option<PathBuf>,
    /// Only lines at this time or later
    #[arg(long, value_name = "T", requires = "events", allow_hyphen_values = true, help_heading = EVENTS)]
    pub(crate) events_from: Option<f64>,
    /// Only lines before this time
    #[arg(long, value_name = "T", requires = "events", allow_hyphen_values = true, help_heading = EVENTS)]
    pub(crate) events_until: Option<f64>,
    /// Only contacts between discs, or only those with walls
    #[arg(long, value_name = "KIND", requires = "events", help_heading = EVENTS)]
    pub(crate) only: Option<Kind>,
    /// Only lines that name this disc, by its index in file order; for several, again
    #[arg(long, value_name = "K", requires = "events", help_heading = EVENTS)]
    pub(crate) disc: Vec<u64>,
    /// Only every Nth impact, the first included
    #[arg(long, value_name = "N", requires = "events", help_heading = EVENTS)]
    pub(crate) sample: Option<u64>,
    /// Write where every disc is, every DT: JSON Lines (.jsonl), or extended XYZ for OVITO and ASE (.xyz)
    #[arg(long, value_name = "FILE", requires = "every")]
    #[arg(value_hint = ValueHint::FilePath, help_heading = EVENTS)]
    pub(crate) states: Option<PathBuf>,
    /// Seconds from state to state: exact multiples after the start
    #[arg(long, value_name = "DT", requires = "states", allow_hyphen_values = true, help_heading = EVENTS)]
    pub(crate) every: Option<f64>,

    /// Draw a picture (.png): start, paths, contacts, end
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = PICTURES)]
    pub(crate) picture: Option<PathBuf>,
    /// Colour the discs by the order around them, and draw the end alone: for crowds
    #[arg(long, visible_alias = "color", value_name = "BY", requires = "picture", help_heading = PICTURES)]
    pub(crate) colour: Option<Colour>,
    /// Pixels of the picture from left to right [default: 1600]
    #[arg(long, value_name = "PX", requires = "picture")]
    #[arg(value_parser = widths(Style::MAX_WIDTH), help_heading = PICTURES)]
    pub(crate) width: Option<u32>,
    /// Draw a movie (.gif)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = PICTURES)]
    pub(crate) movie: Option<PathBuf>,
    /// Pixels of the movie from left to right [default: 640]
    #[arg(long, value_name = "PX", requires = "movie")]
    #[arg(value_parser = widths(MovieOptions::MAX_WIDTH), help_heading = PICTURES)]
    pub(crate) movie_width: Option<u32>,
    /// Simulated seconds per second of the movie
    #[arg(long, value_name = "X", requires = "movie", default_value_t = 1.0)]
    #[arg(allow_hyphen_values = true, help_heading = PICTURES)]
    pub(crate) speed: f64,

    /// Save the run at its end: compact (.carom) or as JSON (.json)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = SAVING)]
    pub(crate) save: Option<PathBuf>,
    /// Also save it every DT seconds of the world: exact multiples after the start
    #[arg(long, value_name = "DT", requires = "save", allow_hyphen_values = true, help_heading = SAVING)]
    pub(crate) save_every: Option<f64>,
    /// Go on with a saved run instead of a scene; events and states are added to their files
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = SAVING)]
    pub(crate) resume: Option<PathBuf>,
}

impl RunArgs {
    /// Refuses a speed at which no movie plays.
    pub(crate) fn check_speed(&self) -> Result<(), CliError> {
        if MovieOptions::SPEEDS.contains(&self.speed) {
            return Ok(());
        }
        Err(CliError::number("--speed", self.speed, "a number from 1e-100 to 1e100"))
    }
}

fn threads() -> impl TypedValueParser<Value = u16> {
    clap::value_parser!(u16).range(1..=MOST_THREADS as i64)
}

fn widths(most: u32) -> impl TypedValueParser<Value = u32> {
    clap::value_parser!(u32).range(i64::from(Style::MIN_WIDTH)..=i64::from(most))
}

/// Print a scene as a file, to read or to start from
#[derive(clap::Args, Debug)]
pub(crate) struct ShowArgs {
    /// The name of a scene (see `carom scenes`) or the path of a file
    #[arg(required_unless_present = "schema")]
    pub(crate) scene: Option<String>,
    /// As JSON instead of TOML
    #[arg(long)]
    pub(crate) json: bool,
    /// The JSON schema of scenes of discs instead, for an editor that completes and checks
    #[arg(long, conflicts_with_all = ["scene", "json"])]
    pub(crate) schema: bool,
}

/// The mean gap in a rack, in metres. A tight rack is a mirror image of itself, and so is what a straight
/// break makes of it, whatever the seed.
const GAP: f64 = 1e-4;

/// Break a rack of billiard balls many times; print how many fall
#[derive(clap::Args, Debug)]
pub(crate) struct BreakArgs {
    /// 8-ball, 9-ball, 10-ball, straight-pool or snooker
    pub(crate) rack: String,
    /// The table [default: the usual one of the game]
    #[arg(long, value_name = "TABLE")]
    pub(crate) table: Option<String>,
    /// How many breaks
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) count: u64,
    /// Seed of the first break; each has its own
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Speed of the cue in m/s
    #[arg(long, value_name = "V", default_value_t = 8.0, allow_hyphen_values = true)]
    pub(crate) speed: f64,
    /// Direction in degrees from the x axis, the same for all [default: 90, along the table, with the spread]
    #[arg(long, value_name = "DEGREES", allow_hyphen_values = true)]
    pub(crate) angle: Option<f64>,
    /// Aims are spread evenly within this many degrees to both sides
    #[arg(long, value_name = "DEGREES", default_value_t = 0.3, conflicts_with = "angle")]
    #[arg(allow_hyphen_values = true)]
    pub(crate) spread: f64,
    /// Mean gap between the balls of the rack, in metres
    #[arg(long, value_name = "M", default_value_t = GAP, allow_hyphen_values = true)]
    pub(crate) gap: f64,
    /// Threads, up to 1024 [default: one for each core]
    #[arg(long, value_name = "N", value_parser = threads())]
    pub(crate) threads: Option<u16>,
    /// Print how long it took
    #[arg(long)]
    pub(crate) timing: bool,
}

/// Where balls lie.
#[derive(clap::Args, Debug)]
pub(crate) struct BallsArgs {
    /// Where the cue ball lies: in metres from the lower left corner, or frozen [default: the head spot]
    #[arg(long, value_name = "PLACE", allow_hyphen_values = true)]
    pub(crate) cue: Option<String>,
    /// Another ball and where it lies, or one of the rack and where it lies instead; for several, again
    #[arg(long, value_name = "LABEL=PLACE")]
    pub(crate) ball: Vec<String>,
    /// The balls of a rack
    #[arg(long, value_name = "RACK")]
    pub(crate) rack: Option<String>,
    /// Mean gap between the balls of the rack, in metres
    #[arg(long, value_name = "M", default_value_t = GAP, allow_hyphen_values = true, requires = "rack")]
    pub(crate) gap: f64,
    /// Seed of the rack, and of shots that vary at random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// Search for the shots that are most likely to pot a ball
#[derive(clap::Args, Debug)]
#[command(after_help = AIM_HELP)]
pub(crate) struct AimArgs {
    /// pool-7ft, pool-8ft, pool-9ft or snooker-12ft; or a scene of billiards, by name or path
    pub(crate) table: String,
    #[command(flatten)]
    pub(crate) balls: BallsArgs,
    /// A ball to be potted; for several, again [default: all]
    #[arg(long, value_name = "LABEL")]
    pub(crate) pot: Vec<String>,
    /// A ball that may be met first; for several, again [default: all]
    #[arg(long, value_name = "LABEL")]
    pub(crate) first: Vec<String>,
    /// Speed of the cue in m/s; for several, again [default: 1.5 and 3]
    #[arg(long, value_name = "V", allow_hyphen_values = true)]
    pub(crate) speed: Vec<f64>,
    /// Where the tip meets the ball, in radii, as of `carom shot`; for several, again [default: 0,0]
    #[arg(long, value_name = "SIDE,HEIGHT", allow_hyphen_values = true)]
    pub(crate) english: Vec<String>,
    /// How far the butt is lifted, in degrees
    #[arg(long, value_name = "DEGREES", default_value_t = 0.0, allow_hyphen_values = true)]
    pub(crate) elevation: f64,
    /// Only shots whose cue ball meets this number of rails before its first ball [default: any]
    #[arg(long, value_name = "N")]
    pub(crate) kicks: Option<usize>,
    /// Only shots whose ball meets this number of rails, not counting jaws and facings [default: any]
    #[arg(long, value_name = "N")]
    pub(crate) banks: Option<usize>,
    /// How large the errors of the player are, in those of the computer-pool tournaments
    #[arg(long, value_name = "X", default_value_t = 1.0, allow_hyphen_values = true)]
    pub(crate) skill: f64,
    /// Shots with errors that are played in all
    #[arg(long, value_name = "N", default_value_t = 1500)]
    #[arg(value_parser = clap::value_parser!(u32).range(..=100_000_000))]
    pub(crate) simulations: u32,
    /// Seed of the errors
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) errors: u64,
    /// Lines to print
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) top: usize,
    /// Threads, up to 1024 [default: one for each core]
    #[arg(long, value_name = "N", value_parser = threads())]
    pub(crate) threads: Option<u16>,
    /// Draw the first shot (.png)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) picture: Option<PathBuf>,
    /// Print how long it took
    #[arg(long)]
    pub(crate) timing: bool,
}

/// Play one shot on a billiard table; print its events, draw it
#[derive(clap::Args, Debug)]
#[command(after_help = SHOT_HELP)]
pub(crate) struct ShotArgs {
    /// pool-7ft, pool-8ft, pool-9ft, snooker-12ft, carom-10ft, or a scene of billiards with its stroke
    pub(crate) table: String,
    #[command(flatten)]
    pub(crate) balls: BallsArgs,
    /// Speed of the cue in m/s [default: 2, or the scene's]
    #[arg(long, value_name = "V", allow_hyphen_values = true)]
    pub(crate) speed: Option<f64>,
    /// Direction in degrees from the x axis, counter-clockwise [default: 90, along the table, or the scene's]
    #[arg(long, value_name = "DEGREES", allow_hyphen_values = true)]
    pub(crate) angle: Option<f64>,
    /// Where the tip meets the ball, in radii: SIDE > 0 is right english, HEIGHT > 0 follow, < 0 draw
    #[arg(long, value_name = "SIDE,HEIGHT", allow_hyphen_values = true)]
    pub(crate) english: Option<String>,
    /// How far the butt is lifted, in degrees [default: 0, or the scene's]
    #[arg(long, value_name = "DEGREES", allow_hyphen_values = true)]
    pub(crate) elevation: Option<f64>,
    /// Pockets: mouth, where a ball falls at the circle, or lip, over which a fast one may come back
    #[arg(long, value_name = "MODEL")]
    pub(crate) pocket: Option<String>,
    /// Draw a picture (.png)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "vary")]
    pub(crate) picture: Option<PathBuf>,
    /// Draw a movie at real speed (.gif)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "vary")]
    pub(crate) movie: Option<PathBuf>,
    /// Draw a strip that explains the shot: before it, the paths, after it (.png)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "vary")]
    pub(crate) strip: Option<PathBuf>,
    /// Write the numbers of cushions and pockets into pictures
    #[arg(long)]
    pub(crate) numbers: bool,
    /// Write the paths of the balls piece by piece (.csv or .jsonl)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "vary")]
    pub(crate) paths: Option<PathBuf>,

    /// Play many shots, with different values of this: NAME=FROM..TO or NAME=MEAN~DEVIATION; again for more
    #[arg(long, value_name = "NAME=VALUES", help_heading = VARIED)]
    pub(crate) vary: Vec<String>,
    /// How many shots, about: a grid of two ranges has full rows
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "vary", help_heading = VARIED)]
    pub(crate) count: u64,
    /// Write one shot a line (.csv)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(requires = "vary", help_heading = VARIED)]
    pub(crate) csv: Option<PathBuf>,
    /// Draw what comes of two ranges (.png)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(requires = "vary", help_heading = VARIED)]
    pub(crate) map: Option<PathBuf>,
    /// What the map shows [default: potted, or three-cushion on a table without pockets]
    #[arg(long, value_name = "MEASURE", requires = "map", help_heading = VARIED)]
    pub(crate) measure: Option<String>,
    /// Threads, up to 1024 [default: one for each core]
    #[arg(long, value_name = "N", value_parser = threads(), requires = "vary", help_heading = VARIED)]
    pub(crate) threads: Option<u16>,
}

/// What clap has to say about wrong arguments, and its tips, without the usage that follows, on one line.
pub(crate) fn one_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let mut parts = text.split("\n\n").map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
    let first = parts.next().unwrap_or_default();
    let mut line = escaped(first.strip_prefix("error: ").unwrap_or(&first));
    // A value that begins with a dash gets advice about `--`, which no command here takes.
    for part in parts.filter(|part| !part.contains("'-- ")) {
        if let Some(tip) = part.strip_prefix("tip: ") {
            line = format!("{line}; {}", escaped(tip));
        }
    }
    for (said, meant) in NOT_A_NUMBER {
        line = line.replace(said, meant);
    }
    let commands = Args::command();
    let asked = std::env::args().nth(1).filter(|name| commands.find_subcommand(name).is_some());
    let command = asked.map_or(String::new(), |name| format!("{name} "));
    format!("{line}; `carom {command}--help` lists what there is")
}

/// What the standard library says of texts that are no numbers, and the same in plain words.
const NOT_A_NUMBER: [(&str, &str); 2] = [
    ("invalid float literal", "must be a number, such as 2.5"),
    ("invalid digit found in string", "must be a whole number, such as 10"),
];

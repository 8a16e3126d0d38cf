//! What can be asked of the command, and the help that teaches it.

use carom_draw::Style;
use clap::builder::TypedValueParser;
use clap::{Parser, Subcommand, ValueEnum, ValueHint};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  carom scenes                                       what there is to run
  carom run nine-ball-discs --picture break.png      run it, draw it
  carom run newtons-cradle --movie cradle.gif --speed 2
  carom run box-100 --until 1 --events events.jsonl  every impact, one a line
  carom show three-ball-carom > my.toml              a file to start from
  carom run my.toml
  carom run my.toml --save run.carom                 and go on later:
  carom run --resume run.carom --until 100

Exit codes:
  0  done
  1  an output could not be written
  2  a wrong scene, saved run or argument
  3  discs were crushed between closing infinite masses";

/// Event-driven physics for discs in the plane: exact times of impact, no time step.
#[derive(Parser, Debug)]
#[command(name = "carom", version, after_help = EXAMPLES, max_term_width = 100)]
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
}

const RUN_HELP: &str = "\
Examples:
  carom run nine-ball-discs --picture break.png
  carom run nine-ball-discs --movie break.gif --speed 0.5
  carom run gas-mixing --until 10 --states states.jsonl --every 0.5
  carom run box-1000 --events - --max-events 1000 | head -3
  carom run box-1000 --events walls.jsonl --only wall --events-from 2
  carom run box-1000 --events tenth.jsonl --disc 0 --disc 1 --sample 10
  carom run gas.toml --until 1000 --save gas.carom --save-every 10
  carom run --resume gas.carom --until 2000 --save gas.carom
  carom run gas.toml --picture order.png --colour hexatic --width 3000

The events file has one contact a line, in the order of time:
  time            in seconds
  t               the same exactly: [start of the epoch, offset]
  kind            \"disc\" or \"wall\"
  a, b            the discs, or a, wall, part: by their index in file order
  point, normal   where they touch; the unit vector from a to what it met
  impulse         along the normal
  group           a number that the contacts of one impact share
  before, after   the velocities: of a and b, or of a alone at a wall
Contacts must pass all filters. What is sampled are impacts: contacts that share
a group are kept or left out together.

The states file has one disc a line, at the start and after every DT:
  time, t, index, position, velocity

Numbers read back to the same bits.

By `--colour hexatic` the hue is six times the angle by which the lattice around a
disc is turned, and the strength |psi6|: the mean of exp(6i*angle) over the
directions to its neighbours, which are those in the Voronoi sense. By
`--colour neighbours` discs with five neighbours are red, with seven blue, six
grey, others yellow.

A saved run holds the world and its scene. It goes on to the last bit as if it
had never stopped: with the same filters, the events files one after the other
are that of one run. The file is replaced at once, so an interrupted run leaves
the one before.";

const EVENTS: &str = "Events and states";
const PICTURES: &str = "Pictures";
const SAVING: &str = "Save and go on";

/// What a contact is with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    Disc,
    Wall,
}

/// What the colour of a disc says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    // Without help of their own: it would spread all the help over three times as many lines.
    Hexatic,
    Neighbours,
}

/// Run a scene; print what came of it; write events, states, a picture, a movie
#[derive(clap::Args, Debug)]
#[command(after_help = RUN_HELP)]
pub(crate) struct RunArgs {
    /// A scene's name (see `carom scenes`) or a file (.toml, .json)
    #[arg(required_unless_present = "resume", conflicts_with = "resume")]
    pub(crate) scene: Option<String>,
    /// Run to this time of the world, in seconds; default: the scene's
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) until: Option<f64>,
    /// Stop after this many events, wherever that is
    #[arg(long, value_name = "N")]
    pub(crate) max_events: Option<u64>,

    /// Write every impact, as JSON Lines; `-` is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = EVENTS)]
    pub(crate) events: Option<PathBuf>,
    /// Of these, only what happens at this time or later
    #[arg(long, value_name = "T", requires = "events", allow_negative_numbers = true, help_heading = EVENTS)]
    pub(crate) events_from: Option<f64>,
    /// Only what happens before this time
    #[arg(long, value_name = "T", requires = "events", allow_negative_numbers = true, help_heading = EVENTS)]
    pub(crate) events_until: Option<f64>,
    /// Only contacts between discs, or only those with walls
    #[arg(long, value_name = "KIND", requires = "events", help_heading = EVENTS)]
    pub(crate) only: Option<Kind>,
    /// Only contacts of this disc, by its index in file order; for several, again
    #[arg(long, value_name = "K", requires = "events", help_heading = EVENTS)]
    pub(crate) disc: Vec<u64>,
    /// Only every Nth impact of those that pass, the first included
    #[arg(long, value_name = "N", requires = "events", help_heading = EVENTS)]
    pub(crate) sample: Option<u64>,
    /// Write where every disc is, every DT, as JSON Lines
    #[arg(long, value_name = "FILE", requires = "every", value_hint = ValueHint::FilePath, help_heading = EVENTS)]
    pub(crate) states: Option<PathBuf>,
    /// Seconds from state to state: exact multiples after the start
    #[arg(long, value_name = "DT", requires = "states", allow_negative_numbers = true, help_heading = EVENTS)]
    pub(crate) every: Option<f64>,

    /// Draw a picture (PNG): start, paths, impacts, end
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = PICTURES)]
    pub(crate) picture: Option<PathBuf>,
    /// Colour the discs by the order around them, and draw the end alone: for crowds
    #[arg(long, visible_alias = "color", value_name = "BY", requires = "picture", help_heading = PICTURES)]
    pub(crate) colour: Option<Colour>,
    /// Pixels of the picture from left to right [default: 1600]
    #[arg(long, value_name = "PX", requires = "picture", value_parser = widths(), help_heading = PICTURES)]
    pub(crate) width: Option<u32>,
    /// Draw a movie (animated GIF)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = PICTURES)]
    pub(crate) movie: Option<PathBuf>,
    /// Simulated seconds per second of the movie
    #[arg(long, value_name = "X", requires = "movie", default_value_t = 1.0, allow_negative_numbers = true, help_heading = PICTURES)]
    pub(crate) speed: f64,

    /// Save the run at its end: as JSON if the name ends in .json, else compact
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = SAVING)]
    pub(crate) save: Option<PathBuf>,
    /// Save it every DT seconds of the world, too: exact multiples after the start
    #[arg(long, value_name = "DT", requires = "save", allow_negative_numbers = true, help_heading = SAVING)]
    pub(crate) save_every: Option<f64>,
    /// Go on with a saved run instead of a scene
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = SAVING)]
    pub(crate) resume: Option<PathBuf>,
}

fn widths() -> impl TypedValueParser<Value = u32> {
    clap::value_parser!(u32).range(i64::from(Style::MIN_WIDTH)..=i64::from(Style::MAX_WIDTH))
}

/// Print a scene as a file, to read or to start from
#[derive(clap::Args, Debug)]
pub(crate) struct ShowArgs {
    /// The name of a scene (see `carom scenes`) or the path of a file
    pub(crate) scene: String,
    /// As JSON instead of TOML
    #[arg(long)]
    pub(crate) json: bool,
}

/// What clap has to say about wrong arguments, without the usage that follows, on one line.
pub(crate) fn one_line(error: &clap::Error) -> String {
    let text = error.to_string();
    if error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return "nothing to do; `carom --help` says what there is".to_owned();
    }
    let first = text.split("\n\n").next().unwrap_or_default();
    let words: Vec<&str> = first.split_whitespace().collect();
    let line = words.join(" ");
    let line = line.strip_prefix("error: ").unwrap_or(&line);
    format!("{line}; `carom --help` teaches")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_arguments_are_consistent() {
        Args::command().debug_assert();
    }
}

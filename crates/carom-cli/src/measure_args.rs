//! What can be asked of `carom measure`.

use clap::ValueHint;
use std::path::PathBuf;

const MEASURE_HELP: &str = "\
Examples:
  carom measure box-1000 --until 100
  carom measure gas.toml --until 500 --from 50 --samples 1000 --json gas.json --picture gas.png
  carom measure --resume gas.carom --until 2000

What is measured, in the units of the scene:
  temperature      kT: twice the kinetic energy of a degree of freedom
  pressure         half the trace of the stress tensor
  stress           momentum that crosses a unit length in a second: what discs carry and
                   what impacts transfer from centre to centre
  free time        the mean time of a disc between impacts with others
  psi6             the hexatic order, |mean exp(6i*angle)| over Voronoi neighbours: its
                   mean over discs, and that of all discs together
  g(r), S(k)       radial distribution and structure factor
  distributions    of speeds, and of the free times of discs
  diffusion        mean square displacement over 4 t
Pressure, stress, g(r) and order need a plane that repeats itself, or a container; areas
are those open to the centres of the discs. S(k) needs both periods.

Errors are standard errors by blocking (Flyvbjerg and Petersen 1989): blocks of samples
are made longer until they no longer remember each other. A series that is too short for
its memory gets no error. Curves are in the JSON file and in the picture.";

/// Measure pressure, stress, structure, order, diffusion and cooling of a gas, with errors
#[derive(clap::Args, Debug)]
#[command(after_help = MEASURE_HELP)]
pub(crate) struct MeasureArgs {
    /// A scene's name (see `carom scenes`) or a file (.toml, .json)
    #[arg(required_unless_present = "resume", conflicts_with = "resume")]
    pub(crate) scene: Option<String>,
    /// Go on with a saved run instead of a scene
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) resume: Option<PathBuf>,
    /// Run to this time of the world, in seconds; default: the scene's
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub(crate) until: Option<f64>,
    /// Measure from this time on [default: after a tenth of the run]
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub(crate) from: Option<f64>,
    /// Samples, at equal times, and blocks of as many parts of the run
    #[arg(long, value_name = "N", default_value_t = 256)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) samples: u32,
    /// Write all that was measured, curves included (.json); `-` is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) json: Option<PathBuf>,
    /// Draw the curves (.png)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) picture: Option<PathBuf>,
}

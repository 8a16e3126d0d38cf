//! What can be asked of the bench.

use crate::measure::Effort;
use carom_scene::MAX_DISCS;
use clap::Parser;
use std::path::PathBuf;

/// The packing fractions of the tables.
pub(crate) const PACKINGS: [f64; 3] = [0.3, 0.5, 0.7];

const EXAMPLES: &str = "\
Examples:
  cargo bench --bench many                                 all tables, about two minutes
  cargo bench --bench many -- --plot scaling.svg           and a plot from 100 to 10^6 discs
  cargo bench --bench many -- --sizes 10000 --packings 0.5 --seconds 10
  cargo bench --bench many -- --crossover                  table of all pairs against grid
  cargo test --bench many                                  as --smoke: a second, to see that it works

CPU time of one thread is measured, not wall time; a busy machine still takes cache
and memory away. Instructions are counted with valgrind, if it can be started.";

/// Elastic equal discs in a periodic square: collisions per CPU second, bytes per disc, work per collision.
/// Markdown on the standard output, progress on the standard error.
#[derive(Parser, Debug)]
#[command(name = "many", after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Args {
    /// Numbers of discs
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "N,N,…",
        default_value = "1024,10000,100000,1000000",
        value_parser = clap::value_parser!(u32).range(2..=MAX_DISCS as i64)
    )]
    pub(crate) sizes: Vec<u32>,

    /// Packing fractions, up to 0.75
    #[arg(long, value_delimiter = ',', value_name = "η,η,…")]
    #[arg(default_values_t = PACKINGS, value_parser = packing)]
    pub(crate) packings: Vec<f64>,

    /// CPU seconds to measure for each size and packing
    #[arg(long, value_name = "S", default_value_t = 3.0, value_parser = positive)]
    seconds: f64,

    /// Collisions before that, as a multiple of the number of discs; by itself 100 up to 10 000 discs, 30 up
    /// to 100 000, 10 beyond
    #[arg(long, value_name = "K", value_parser = positive)]
    warm_up: Option<f64>,

    /// Do not count instructions
    #[arg(long)]
    pub(crate) no_instructions: bool,

    /// Also draw the rate over the number of discs
    #[arg(long, value_name = "FILE.svg", value_parser = svg)]
    pub(crate) plot: Option<PathBuf>,

    /// Instead: the table of all pairs against the grid, for few discs
    #[arg(long)]
    pub(crate) crossover: bool,

    /// Instead: a short run that shows that it works
    #[arg(long)]
    smoke: bool,

    /// Said by `cargo bench`, but not by `cargo test`.
    #[arg(long, hide = true)]
    bench: bool,

    /// To be run under valgrind: goes on for this many events after the warm-up and prints the collisions so
    /// far.
    #[arg(long, hide = true)]
    pub(crate) count: Option<u64>,
}

impl Args {
    pub(crate) fn is_smoke(&self) -> bool {
        self.smoke || !self.bench
    }

    pub(crate) fn effort(&self) -> Effort {
        Effort { seconds: self.seconds, warm_up: self.warm_up }
    }
}

fn packing(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(packing) if packing > 0.0 && packing <= 0.75 => Ok(packing),
        _ => Err("a number above 0 and up to 0.75".to_owned()),
    }
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number > 0.0 && number <= 1e6 => Ok(number),
        _ => Err("a number above 0 and up to a million".to_owned()),
    }
}

fn svg(text: &str) -> Result<PathBuf, String> {
    let file = PathBuf::from(text);
    match file.extension() {
        Some(ending) if ending.eq_ignore_ascii_case("svg") => Ok(file),
        _ => Err("the name of the plot must end in .svg".to_owned()),
    }
}

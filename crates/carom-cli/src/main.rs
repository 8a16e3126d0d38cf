//! The `carom` command: runs scenes, writes events and states, draws pictures and movies.

mod aim;
mod args;
mod break_shots;
mod error;
mod filter;
mod frames;
mod heat_map;
mod help;
mod interrupt;
mod jsonl;
mod list;
mod measure;
mod measure_args;
mod measured;
mod numbers;
mod order;
mod output;
mod outputs;
mod parallel;
mod paths;
mod physics;
mod picture;
mod plots;
mod progress;
mod report;
mod run;
mod run_billiards;
mod run_loop;
mod saved;
mod shot;
mod vary;
mod vary_plan;
mod watch;

use args::{Args, Command};
use clap::Parser as _;
use clap::error::ErrorKind;
use error::CliError;
use std::io::Write as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    interrupt::install();
    let done = match Args::try_parse() {
        Ok(args) => match args.command {
            Command::Run(run) => run::run(&run),
            Command::Scenes => list::scenes(),
            Command::Show(show) => list::show(&show),
            Command::Break(args) => break_shots::run(&args),
            Command::Shot(args) => shot::run(&args),
            Command::Aim(args) => aim::run(&args),
            Command::Measure(args) => measure::run(&args),
        },
        // Help and version come as errors too; clap knows where they go.
        Err(error) if !error.use_stderr() => return said(error.print()),
        Err(error) if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            return match said(error.print()) {
                code if code == ExitCode::SUCCESS => ExitCode::from(2),
                code => code,
            };
        }
        Err(error) => Err(CliError::Usage(args::one_line(&error))),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if !error.is_silent() {
                // Nothing is left to do if this cannot be written either.
                let _ = writeln!(std::io::stderr(), "carom: {error}");
            }
            error.exit_code()
        }
    }
}

fn said(printed: std::io::Result<()>) -> ExitCode {
    match printed {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    }
}

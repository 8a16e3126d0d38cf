//! What can go wrong, on one line, and the exit code of it.

use carom_engine::math::Shown;
use carom_scene::{SceneError, escaped};
use std::io;
use std::process::ExitCode;

#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    #[error("{}", escaped(.0))]
    Usage(String),
    #[error("{source}{}", where_to_look(source))]
    Scene {
        #[from]
        source: SceneError,
    },
    #[error("{}: {what}", escaped(path))]
    Saved { path: String, what: String },
    #[error("{}: cannot be written: {source}", escaped(path))]
    Write { path: String, source: io::Error },
    #[error("{}: cannot be drawn: {what}", escaped(path))]
    Draw { path: String, what: String },
    /// The reader of standard output has gone away, which is no failure.
    #[error("standard output was closed")]
    Closed,
    #[error(
        "crushed at {} s: discs of infinite mass, or one and a wall, close in on what cannot give way",
        Shown(*time)
    )]
    Crushed { time: f64 },
    #[error(
        "no progress at {} s: the last {events} events took the world {} s further; discs hit each other \
         ever faster, as between closing walls or where the rule against collapse is off",
        Shown(*time),
        Shown(*advanced)
    )]
    NoProgress { time: f64, events: u64, advanced: f64 },
    #[error("interrupted at {} s; what was asked for is written up to there", Shown(*time))]
    Interrupted { time: f64 },
}

/// Which command lists what a scene may be called.
fn where_to_look(error: &SceneError) -> &'static str {
    match error {
        SceneError::NoSuchScene { .. } => "; `carom scenes` lists the names",
        _ => "",
    }
}

impl CliError {
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Closed => ExitCode::SUCCESS,
            Self::Write { .. } | Self::Draw { .. } => ExitCode::from(1),
            Self::Usage(_) | Self::Scene { .. } | Self::Saved { .. } => ExitCode::from(2),
            Self::Crushed { .. } | Self::NoProgress { .. } => ExitCode::from(3),
            Self::Interrupted { .. } => ExitCode::from(INTERRUPTED),
        }
    }

    pub(crate) fn is_silent(&self) -> bool {
        matches!(self, Self::Closed)
    }

    /// The value of an option that is not allowed.
    pub(crate) fn option(option: &str, value: &str, allowed: &str) -> Self {
        Self::Usage(format!("{option}: {value} is not allowed; must be {allowed}"))
    }

    /// The same of a number.
    pub(crate) fn number(option: &str, value: f64, allowed: &str) -> Self {
        Self::option(option, &Shown(value).to_string(), allowed)
    }

    /// What it means that something could not be written to `path`; `-` is standard output.
    pub(crate) fn writing(path: &str, source: io::Error) -> Self {
        if path == STDOUT && source.kind() == io::ErrorKind::BrokenPipe {
            return Self::Closed;
        }
        let path = if path == STDOUT { "standard output" } else { path };
        Self::Write { path: path.to_owned(), source }
    }
}

/// The exit code of programs that are interrupted.
pub(crate) const INTERRUPTED: u8 = 130;

/// The path that means standard output.
pub(crate) const STDOUT: &str = "-";

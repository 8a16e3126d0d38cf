//! What can go wrong, on one line, and the exit code of it.

use carom_scene::SceneError;
use std::io;
use std::process::ExitCode;

#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    #[error("{0}")]
    Usage(String),
    #[error("{0}")]
    Scene(#[from] SceneError),
    #[error("{path}: {what}")]
    Saved { path: String, what: String },
    #[error("{path}: cannot be written: {source}")]
    Write { path: String, source: io::Error },
    #[error("{path}: cannot be drawn: {what}")]
    Draw { path: String, what: String },
    /// Whoever read standard output has had enough, which is no failure.
    #[error("standard output was closed")]
    Closed,
    #[error(
        "crushed at {time} s: discs of infinite mass, or one and a wall, close in on what cannot give way"
    )]
    Crushed { time: f64 },
}

impl CliError {
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Closed => ExitCode::SUCCESS,
            Self::Write { .. } | Self::Draw { .. } => ExitCode::from(1),
            Self::Usage(_) | Self::Scene(_) | Self::Saved { .. } => ExitCode::from(2),
            Self::Crushed { .. } => ExitCode::from(3),
        }
    }

    pub(crate) fn is_silent(&self) -> bool {
        matches!(self, Self::Closed)
    }

    /// The value of an option that is not allowed.
    pub(crate) fn option(option: &str, value: &str, allowed: &str) -> Self {
        Self::Usage(format!("{option}: {value} is not allowed; must be {allowed}"))
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

/// The path that means standard output.
pub(crate) const STDOUT: &str = "-";

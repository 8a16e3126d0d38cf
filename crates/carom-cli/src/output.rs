//! Files to write, opened before a run starts, so that a wrong path costs no time.

use crate::error::{CliError, STDOUT};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that is being written, or standard output.
pub(crate) struct Output {
    path: String,
    writer: BufWriter<Box<dyn Write>>,
}

impl Output {
    pub(crate) fn create(path: &Path) -> Result<Self, CliError> {
        let name = path.display().to_string();
        let inner: Box<dyn Write> = if name == STDOUT {
            Box::new(io::stdout())
        } else {
            Box::new(File::create(path).map_err(|source| CliError::writing(&name, source))?)
        };
        Ok(Self { path: name, writer: BufWriter::with_capacity(1 << 16, inner) })
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Writes one value as a line of JSON.
    pub(crate) fn line<T: serde::Serialize>(&mut self, value: &T) -> Result<(), CliError> {
        serde_json::to_writer(&mut self.writer, value)
            .map_err(io::Error::from)
            .and_then(|()| self.writer.write_all(b"\n"))
            .map_err(|source| CliError::writing(&self.path, source))
    }

    /// Hands on what is still held back.
    pub(crate) fn flush_all(&mut self) -> Result<(), CliError> {
        self.writer.flush().map_err(|source| CliError::writing(&self.path, source))
    }

    pub(crate) fn finish(mut self) -> Result<(), CliError> {
        self.flush_all()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Refuses outputs that would be written over each other or over what is run, which is `what`.
pub(crate) fn check_distinct(input: &Path, what: &str, outputs: &[&PathBuf]) -> Result<(), CliError> {
    let input = input.canonicalize().ok();
    let mut seen: Vec<PathBuf> = Vec::new();
    for path in outputs {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        if input.as_ref() == Some(&real) {
            return Err(CliError::Usage(format!("{}: {what} itself would be written over", path.display())));
        }
        if seen.contains(&real) {
            return Err(CliError::Usage(format!("{}: two outputs have the same file", path.display())));
        }
        seen.push(real);
    }
    Ok(())
}

//! How files are written: streams line by line, others whole and at once.

use crate::error::{CliError, STDOUT};
use crate::interrupt::Part;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file of lines of JSON, or standard output. It gets whole lines only, however a run ends.
pub(crate) struct Stream {
    name: String,
    lines: Vec<u8>,
    to: Box<dyn Write>,
}

/// Lines are handed on when they are as many bytes.
const BATCH: usize = 1 << 16;

impl Stream {
    /// Opens a file to be written from its beginning, or from its end on. What it holds is there until
    /// [`Stream::begin`].
    pub(crate) fn open(path: &Path, append: bool) -> Result<(Self, Option<File>), CliError> {
        let name = path.display().to_string();
        let (to, file): (Box<dyn Write>, _) = if name == STDOUT {
            (Box::new(io::stdout()), None)
        } else {
            let options = OpenOptions::new().create(true).append(append).write(true).truncate(false).clone();
            let opened = options.open(path).and_then(|file| Ok((file.try_clone()?, file)));
            let (file, other) = opened.map_err(|source| CliError::writing(&name, source))?;
            (Box::new(file), (!append).then_some(other))
        };
        Ok((Self { name, lines: Vec::with_capacity(2 * BATCH), to }, file))
    }

    /// Adds one value as a line.
    pub(crate) fn line<T: serde::Serialize>(&mut self, value: &T) -> Result<(), CliError> {
        let whole = self.lines.len();
        if let Err(error) = serde_json::to_writer(&mut self.lines, value) {
            self.lines.truncate(whole);
            return Err(CliError::writing(&self.name, error.into()));
        }
        self.lines.push(b'\n');
        if self.lines.len() >= BATCH { self.flush() } else { Ok(()) }
    }

    /// Adds whole lines of text.
    pub(crate) fn text(
        &mut self,
        write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>,
    ) -> Result<(), CliError> {
        let whole = self.lines.len();
        if let Err(error) = write(&mut self.lines) {
            self.lines.truncate(whole);
            return Err(CliError::writing(&self.name, error));
        }
        if self.lines.len() >= BATCH { self.flush() } else { Ok(()) }
    }

    /// Hands on all lines.
    pub(crate) fn flush(&mut self) -> Result<(), CliError> {
        let written = self.to.write_all(&self.lines).and_then(|()| self.to.flush());
        self.lines.clear();
        written.map_err(|source| CliError::writing(&self.name, source))
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // A run that fails keeps its lines; what can be said of this has been said by then.
        let _ = self.flush();
    }
}

/// A file that is written as a whole and then takes the place of the one that is there: until then, and if
/// anything goes wrong, that one stays. Standard output and devices are written as they are.
pub(crate) struct Replacement {
    name: String,
    path: PathBuf,
    /// What is written before it takes the place of the file: beside it, so that both are on one disk. `None`
    /// where there is nothing to replace.
    part: Option<PathBuf>,
}

impl Replacement {
    /// Finds out whether the file can be written, and leaves it as it is. `real` is the path with its links
    /// resolved.
    pub(crate) fn new(path: &Path, real: PathBuf) -> Result<Self, CliError> {
        let name = path.display().to_string();
        let there = fs::metadata(&real);
        if name == STDOUT || there.as_ref().is_ok_and(|there| !there.is_file()) {
            return Ok(Self { name, path: real, part: None });
        }
        // No two programs have the same name for it at a time, and none of a user's files has it.
        let mut part = real.clone().into_os_string();
        part.push(format!(".{}.part", std::process::id()));
        let part = PathBuf::from(part);
        let failed = |source| CliError::writing(&name, source);
        if there.is_ok() {
            // A file that must not be written must not be replaced either.
            OpenOptions::new().write(true).open(&real).map_err(failed)?;
        }
        File::create_new(&part).and_then(|_| fs::remove_file(&part)).map_err(failed)?;
        Ok(Self { name, path: real, part: Some(part) })
    }

    /// The path as it was given.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Whether the name ends like this, in letters of either case.
    pub(crate) fn ends_in(&self, ending: &str) -> bool {
        self.path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending))
    }

    /// Whether this is a file, and not a device or standard output.
    pub(crate) fn is_file(&self) -> bool {
        self.part.is_some() && self.path.file_name().is_some()
    }

    /// Writes the file.
    pub(crate) fn write(
        &self,
        content: impl FnOnce(&mut dyn Write) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        let failed = |source| CliError::writing(&self.name, source);
        let Some(path) = &self.part else {
            let mut out: Box<dyn Write> = if self.name == STDOUT {
                Box::new(io::stdout())
            } else {
                Box::new(OpenOptions::new().write(true).open(&self.path).map_err(failed)?)
            };
            content(&mut out)?;
            return out.flush().map_err(failed);
        };
        let part = Part::new(path);
        let file = File::create_new(path).map_err(failed)?;
        let mut out = BufWriter::with_capacity(1 << 16, file);
        content(&mut out)?;
        let ready = || -> io::Result<()> {
            // On the disk before it takes the place of what is there.
            out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
            if let Ok(there) = fs::metadata(&self.path) {
                fs::set_permissions(path, there.permissions())?;
            }
            fs::rename(path, &self.path)
        };
        ready().map_err(failed)?;
        drop(part);
        Ok(())
    }
}

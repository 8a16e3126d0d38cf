//! Which files a command writes. All are checked before any is touched, and before the work begins.

use crate::args::RunArgs;
use crate::error::{CliError, STDOUT};
use crate::frames::is_xyz;
use crate::output::{Replacement, Stream};
use carom_engine::Time;
use carom_engine::math::Shown;
use serde_json::Value;
use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// The endings that say what a file is written as. A name without an ending says nothing, and is taken.
const ENDINGS: [(&str, &[&str]); 8] = [
    ("--events", &["jsonl", "ndjson"]),
    ("--states", &["jsonl", "ndjson", "xyz"]),
    ("--picture", &["png"]),
    ("--movie", &["gif"]),
    ("--save", &["carom", "json"]),
    ("--csv", &["csv"]),
    ("--json", &["json"]),
    ("--map", &["png"]),
];

/// What outputs are written to, not a folder.
const FILE: &str = "the path of a file, new or to be replaced";

/// An option, and the file that it names.
type Named<'args> = (&'static str, Option<&'args Path>);

/// Files that are written whole when the work is done, and whether standard output is one of them. Refused if
/// two are the same or one is `input`, and if one cannot be written.
pub(crate) fn whole<const N: usize>(
    input: &Path,
    named: [Named<'_>; N],
) -> Result<([Option<Replacement>; N], bool), CliError> {
    check(input, false, &named)?;
    let mut files = [const { None }; N];
    for (file, (_, path)) in files.iter_mut().zip(named) {
        *file = path.map(|path| Replacement::new(path, resolved(path))).transpose()?;
    }
    Ok((files, named.iter().any(|(_, path)| path.is_some_and(|path| path.as_os_str() == STDOUT))))
}

/// The files of a run, open or ready to be written.
pub(crate) struct Outputs {
    pub(crate) events: Option<Stream>,
    pub(crate) states: Option<Stream>,
    pub(crate) picture: Option<Replacement>,
    pub(crate) movie: Option<Replacement>,
    pub(crate) save: Option<Replacement>,
    /// The names of the files, as they were given.
    pub(crate) written: Vec<String>,
    /// Whether standard output is one of them.
    pub(crate) on_stdout: bool,
}

impl Outputs {
    /// Refuses outputs that would be written over each other or over `input`, or cannot be written. All are
    /// left as they are.
    pub(crate) fn check(args: &RunArgs, input: &Path) -> Result<(), CliError> {
        whole(input, named(args)).map(drop)
    }

    /// Refuses outputs that would be written over each other or over `input`, and prepares the others. `now`
    /// is where the run begins.
    pub(crate) fn open(args: &RunArgs, input: &Path, now: Time) -> Result<Self, CliError> {
        let named = named(args);
        check(input, args.resume.is_some(), &named)?;
        let whole = |path: &Option<PathBuf>| {
            path.as_deref().map(|path| Replacement::new(path, resolved(path))).transpose()
        };
        let (picture, movie, save) = (whole(&args.picture)?, whole(&args.movie)?, whole(&args.save)?);
        if let Some(save) = save.as_ref().filter(|save| !save.is_file()) {
            return Err(CliError::option("--save", save.name(), FILE));
        }
        let mut begun = Vec::new();
        let mut stream = |path: &Option<PathBuf>, key: &str| -> Result<Option<Stream>, CliError> {
            let Some(path) = path else { return Ok(None) };
            if args.resume.is_some() {
                check_end(path, key, now)?;
            }
            let (stream, file) = Stream::open(path, args.resume.is_some())?;
            begun.extend(file.map(|file| (path.display().to_string(), file)));
            Ok(Some(stream))
        };
        let (events, states) = (stream(&args.events, "kind")?, stream(&args.states, "index")?);
        for (name, file) in begun {
            let is_file = file.metadata().is_ok_and(|there| there.is_file());
            if is_file {
                file.set_len(0).map_err(|source| CliError::writing(&name, source))?;
            }
        }
        let names: Vec<String> =
            named.iter().filter_map(|(_, path)| Some(path.as_ref()?.display().to_string())).collect();
        let on_stdout = names.iter().any(|name| name == STDOUT);
        let written = names.into_iter().filter(|name| name != STDOUT).collect();
        Ok(Self { events, states, picture, movie, save, written, on_stdout })
    }
}

fn named(args: &RunArgs) -> [Named<'_>; 5] {
    [
        ("--events", args.events.as_deref()),
        ("--states", args.states.as_deref()),
        ("--picture", args.picture.as_deref()),
        ("--movie", args.movie.as_deref()),
        ("--save", args.save.as_deref()),
    ]
}

fn check(input: &Path, is_resumed: bool, named: &[Named<'_>]) -> Result<(), CliError> {
    check_distinct(input, is_resumed, named)?;
    for (option, path) in named.iter().filter_map(|(option, path)| Some((*option, (*path)?))) {
        check_ending(option, path)?;
        if path.is_dir() {
            return Err(CliError::option(option, &path.display().to_string(), FILE));
        }
    }
    Ok(())
}

fn check_ending(option: &str, path: &Path) -> Result<(), CliError> {
    let known = ENDINGS.iter().find(|(known, _)| *known == option);
    let (Some(own), Some((_, endings))) = (path.extension(), known) else { return Ok(()) };
    if endings.iter().any(|ending| own.eq_ignore_ascii_case(ending)) {
        return Ok(());
    }
    let allowed = format!("a name that ends in .{}, or has no ending", endings.join(" or ."));
    Err(CliError::option(option, &path.display().to_string(), &allowed))
}

/// What distinguishes a file from others.
struct Identity {
    path: PathBuf,
    /// Device and number, of a file that is there: hard links share them.
    inode: Option<(u64, u64)>,
}

impl Identity {
    /// `None` for what any number of outputs may be written to: devices and pipes.
    fn of(path: &Path) -> Option<Self> {
        let path = resolved(path);
        match fs::metadata(&path) {
            Ok(there) if !there.is_file() => None,
            Ok(there) => Some(Self { inode: inode(&there), path }),
            Err(_) => Some(Self { inode: None, path }),
        }
    }

    fn is(&self, other: &Self) -> bool {
        self.path == other.path || (self.inode.is_some() && self.inode == other.inode)
    }
}

#[cfg(unix)]
fn inode(there: &fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    Some((there.dev(), there.ino()))
}

#[cfg(not(unix))]
fn inode(_: &fs::Metadata) -> Option<(u64, u64)> {
    None
}

/// The path without links and dots, of a file that need not be there yet.
fn resolved(path: &Path) -> PathBuf {
    const MOST_LINKS: usize = 40;
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        let Ok(target) = fs::read_link(&path) else { break };
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (path.canonicalize(), folder.canonicalize(), path.file_name()) {
        (Ok(real), ..) => real,
        (_, Ok(folder), Some(name)) => folder.join(name),
        _ => path,
    }
}

/// Refuses outputs that are the same file, by whatever name or link, or what is run. A saved run may be
/// replaced by what becomes of it.
fn check_distinct(input: &Path, is_resumed: bool, named: &[Named<'_>]) -> Result<(), CliError> {
    let what = if is_resumed { "the saved run" } else { "the scene" };
    let input = Identity::of(input);
    // Where the report goes, or one of the outputs.
    let stdout = if cfg!(unix) { Identity::of(Path::new("/dev/stdout")) } else { None };
    let mut seen: Vec<Identity> = stdout.into_iter().collect();
    let mut on_stdout = false;
    for (option, path) in named.iter().filter_map(|(option, path)| Some((*option, (*path)?))) {
        let refused = |what: &str| Err(CliError::Usage(format!("{}: {what}", path.display())));
        if path.as_os_str() == STDOUT {
            if on_stdout {
                return refused("two outputs have the same file");
            }
            on_stdout = true;
            continue;
        }
        let Some(own) = Identity::of(path) else { continue };
        if !(is_resumed && option == "--save") && input.as_ref().is_some_and(|input| input.is(&own)) {
            return refused(&format!("{what} itself would be written over"));
        }
        if seen.iter().any(|other| other.is(&own)) {
            return refused("two outputs have the same file");
        }
        seen.push(own);
    }
    Ok(())
}

/// Checks that lines of a run that goes on at `now` can follow what a file holds: lines with this key, none
/// of them later.
fn check_end(path: &Path, key: &str, now: Time) -> Result<(), CliError> {
    let refused = |what: &str| Err(CliError::Usage(format!("{}: {what}; name another file", path.display())));
    if is_xyz(path) && path.metadata().is_ok_and(|there| there.len() > 0) {
        return refused("to frames that are there nothing is added");
    }
    let Ok(line) = last_line(path) else { return refused("cannot be read, so nothing is added to it") };
    let Some(line) = line else { return Ok(()) };
    let value: Value = serde_json::from_slice(&line).unwrap_or_default();
    let part = |index: usize| value.get("t").and_then(|t| t.get(index)).and_then(Value::as_f64);
    let (true, Some(epoch), Some(offset)) = (value.get(key).is_some(), part(0), part(1)) else {
        return refused("does not end in a line of this kind, so nothing is added to it");
    };
    if (epoch, offset) > (now.epoch_start(), now.offset()) {
        return refused(&format!(
            "goes on to {} s, and the saved run is at {} s",
            Shown(epoch + offset),
            Shown(now.as_secs())
        ));
    }
    Ok(())
}

/// The last line of a file, without what ends it; empty if nothing does. `None` if there is no such file,
/// nothing is in it, or it is a device.
fn last_line(path: &Path) -> std::io::Result<Option<Vec<u8>>> {
    /// Longer than any line.
    const TAIL: u64 = 1 << 16;
    let length = match fs::metadata(path) {
        Ok(there) if there.is_file() && there.len() > 0 => there.len(),
        _ => return Ok(None),
    };
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut tail = Vec::new();
    file.take(TAIL).read_to_end(&mut tail)?;
    let Some(b'\n') = tail.pop() else { return Ok(Some(Vec::new())) };
    let start = tail.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    Ok(Some(tail.split_off(start)))
}

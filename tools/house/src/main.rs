//! Checks of the sources that `rustc` and `clippy` do not make. Run from anywhere in the repository:
//!
//! ```sh
//! cargo run -p carom-house            # lines of code, and what is over a limit; fails over a budget
//! cargo run -p carom-house -- --all   # says each place, also where a budget holds
//! cargo run -p carom-house -- --write # sets the budgets in `tools/house/known.txt` to what there is
//! ```
//!
//! | check | where | limit |
//! | --- | --- | --- |
//! | `cycles` | modules of a crate that use each other in a circle, parent and child excepted | none |
//! | `functions` | `src` of every crate, without its unit tests | [`FUNCTION_LINES`] |
//! | `files` | every tracked `.rs` file | [`FILE_LINES`] |
//! | `columns` | every tracked `.rs` file | [`COLUMNS`] |
//! | `rooms` | modules right below the engine's root | name none that stands below them in `rooms.txt` |
//! | `outside` | methods of the engine's types | in the room of their type |
//! | `spread` | methods of each type | in at most [`methods::FILES`] files |
//! | `methods` | methods of each type that are not public | [`methods::HIDDEN`] |
//!
//! `known.txt` holds one line `subject check count` for what is still over a limit; the subject is a folder,
//! a type, or two rooms. A count may fall and never rise; without the file nothing may be over a limit.

mod budget;
mod cycles;
mod methods;
mod module_tree;
mod rooms;
mod source;

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use budget::Budget;
use module_tree::ModuleTree;
use rooms::Rooms;
use source::Source;

/// Lines of a function from its signature to its closing brace, both included.
const FUNCTION_LINES: usize = 60;
/// Lines of a file.
const FILE_LINES: usize = 500;
/// Characters of a line.
const COLUMNS: usize = 110;

/// A crate that is tests alone: what holds for code does not concern it.
const TEST_KIT: &str = "crates/carom-testkit";

/// The crate with a table of rooms.
const ENGINE: &str = "crates/carom-engine";

/// One offence: what it is counted for, the check, how much it counts, and where it is.
struct Offence {
    subject: String,
    check: &'static str,
    count: usize,
    place: String,
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("house: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether everything is within limits or budgets.
fn run() -> Result<bool, Box<dyn Error>> {
    let root = PathBuf::from(git(Path::new("."), &["rev-parse", "--show-toplevel"])?.trim());
    let here = root.join("tools/house");
    let table = std::fs::read_to_string(here.join("rooms.txt"))?;
    let mut offences = Vec::new();
    let mut code_lines: BTreeMap<String, usize> = BTreeMap::new();
    for name in git(&root, &["ls-files", "*.rs"])?.lines() {
        // A file may be deleted and not yet committed.
        let Ok(text) = std::fs::read_to_string(root.join(name)) else { continue };
        let folder = folder_of(name);
        let mut offence = |check, count, place| {
            offences.push(Offence { subject: folder.clone(), check, count, place });
        };
        let lines = text.lines().count();
        if lines > FILE_LINES {
            offence("files", 1, format!("{name}: {lines} lines"));
        }
        for (number, line) in text.lines().enumerate().filter(|(_, line)| line.chars().count() > COLUMNS) {
            offence("columns", 1, format!("{name}:{}: {} columns", number + 1, line.chars().count()));
        }
        if folder != TEST_KIT && name.starts_with(&format!("{folder}/src/")) {
            let source = Source::parse(&text).map_err(|error| format!("{name}: {error}"))?;
            *code_lines.entry(folder.clone()).or_default() += source.code_lines();
            for function in source.functions().into_iter().filter(|f| f.lines > FUNCTION_LINES) {
                let place =
                    format!("{name}:{}: fn {}, {} lines", function.line, function.name, function.lines);
                offence("functions", 1, place);
            }
        }
    }
    for folder in code_lines.keys() {
        let tree = ModuleTree::read(&root.join(folder).join("src"))?;
        let rooms = (folder == ENGINE).then(|| Rooms::of_table(&table));
        if let Some(rooms) = &rooms {
            offences.extend(rooms.offences(&tree)?);
        }
        let (_, name) = folder.split_once('/').unwrap_or_default();
        offences.extend(methods::offences(name, &tree, rooms.as_ref()));
        for cycle in cycles::of_tree(&tree) {
            let (count, place) = (cycle.modules.len(), format!("{folder}: {cycle}"));
            offences.push(Offence { subject: folder.clone(), check: "cycles", count, place });
        }
    }

    println!("lines of code, without tests, comments and blank lines");
    for (folder, lines) in &code_lines {
        println!("{lines:7} {folder}");
    }
    println!("{:7} in all\n", code_lines.values().sum::<usize>());
    let known = here.join("known.txt");
    let asked = |option| std::env::args().any(|argument| argument == option);
    if asked("--write") {
        std::fs::write(&known, Budget::counting(&offences).to_string())?;
    }
    let allowed = std::fs::read_to_string(&known).map_or(Ok(Budget::default()), |text| text.parse())?;
    Ok(allowed.permits(&offences, asked("--all")))
}

/// What to do about an offence.
fn remedy(check: &str) -> &'static str {
    match check {
        "rooms" => "give it what it needs of the room below, or move what it names to a room above",
        "outside" => "move the methods to the room of their type, or let them be functions of what they need",
        "spread" | "methods" => "let methods be functions of what they need, or of a type of their own",
        "cycles" => "move what both need to a third module",
        _ => "split it, or make it shorter",
    }
}

/// The folder of a file's crate or, beside the crates, its first folder.
fn folder_of(name: &str) -> String {
    let parts: Vec<&str> = name.split('/').collect();
    match parts[..] {
        [first @ ("crates" | "tools"), second, _, ..] => format!("{first}/{second}"),
        [first, ..] => first.to_owned(),
        [] => String::new(),
    }
}

/// What a git command prints.
fn git(folder: &Path, arguments: &[&str]) -> Result<String, Box<dyn Error>> {
    let output = Command::new("git").current_dir(folder).args(arguments).output()?;
    if !output.status.success() {
        return Err(
            format!("git {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr)).into()
        );
    }
    Ok(String::from_utf8(output.stdout)?)
}

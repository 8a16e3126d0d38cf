//! The command, run as a stranger does, and what it leaves.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// A disc is pressed against a wall at 2 s.
pub(crate) const PRESS: &str = "format = 1\nmodel = \"discs\"\nuntil = 9\n\
    [[discs]]\nposition = [1, 0]\nradius = 1\n\
    [[discs]]\nposition = [5, 0]\nvelocity = [-1, 0]\nradius = 1\nmass = \"inf\"\nrestitution = 0\n\
    [[walls]]\nshape = \"half_plane\"\npoint = [0, 0]\nnormal = [1, 0]\n";

pub(crate) fn carom(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom")).args(args).output().unwrap()
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Runs, expects success, returns what it says.
pub(crate) fn succeeds(args: &[&str]) -> String {
    let output = carom(args);
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    assert_eq!(stderr(&output), "", "{args:?}");
    stdout(&output)
}

/// Runs, expects this exit code and exactly one line on standard error, returns the line.
pub(crate) fn fails(code: i32, args: &[&str]) -> String {
    let output = carom(args);
    let line = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {line}");
    assert!(line.ends_with('\n') && line.lines().count() == 1, "{args:?}: {line}");
    assert!(line.starts_with("carom: "), "{line}");
    line["carom: ".len()..].trim_end().to_owned()
}

/// A folder that is gone with its test.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(self.0.path().join(name), text).unwrap();
        self.path(name)
    }
}

pub(crate) fn lines(path: impl AsRef<Path>) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

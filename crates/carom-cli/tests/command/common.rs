//! The command, run as a stranger does, and what it leaves.

use serde_json::Value;
use std::process::{Command, Output};
use tempfile::TempDir;

/// A disc is pressed against a wall at 2 s.
pub(crate) const PRESS: &str = "format = 1\nmodel = \"discs\"\nuntil = 9\n\
    [[discs]]\nposition = [1, 0]\nradius = 1\n\
    [[discs]]\nposition = [5, 0]\nvelocity = [-1, 0]\nradius = 1\nmass = \"inf\"\nrestitution = 0\n\
    [[walls]]\nshape = \"half_plane\"\npoint = [0, 0]\nnormal = [1, 0]\n";

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Runs in a folder of its own, expects success, returns what it says.
pub(crate) fn succeeds(line: &str) -> String {
    Folder::new().succeeds(line)
}

/// A folder that is gone with its test, in which the command runs: names of files are those of files there.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), text).unwrap();
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    pub(crate) fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// The lines of a file, each as a value.
    pub(crate) fn lines(&self, name: &str) -> Vec<Value> {
        self.text(name).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Names of the files there, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        let all = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            all.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The command with these words, which single spaces part.
    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
        command.args(line.split(' ').filter(|word| !word.is_empty())).current_dir(self.0.path());
        command
    }

    pub(crate) fn carom(&self, line: &str) -> Output {
        self.command(line).output().unwrap()
    }

    /// Runs, expects success, returns what it says.
    pub(crate) fn succeeds(&self, line: &str) -> String {
        let output = self.carom(line);
        assert!(output.status.success(), "{line}: {}", stderr(&output));
        assert_eq!(stderr(&output), "", "{line}");
        stdout(&output)
    }

    /// Runs, expects this exit code and exactly one line on standard error, returns the line.
    pub(crate) fn fails(&self, code: i32, line: &str) -> String {
        let output = self.carom(line);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{line}: {said}");
        assert!(said.ends_with('\n') && said.lines().count() == 1, "{line}: {said}");
        assert!(said.starts_with("carom: "), "{said}");
        said["carom: ".len()..].trim_end().to_owned()
    }

    /// Runs, expects code 2 and one line that has this.
    pub(crate) fn says(&self, line: &str, what: &str) {
        let said = self.fails(2, line);
        assert!(said.contains(what), "{line}: {said}");
    }
}

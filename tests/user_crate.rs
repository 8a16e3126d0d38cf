//! The programs of the documentation and all examples compile without a warning in a crate of a user.
//!
//! Doctests hide warnings and examples share the lints of this workspace; a user's first program has neither.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Programs in fenced blocks of Rust: those with a `main`.
fn programs(text: &str) -> Vec<String> {
    let plain: Vec<&str> = text.lines().map(|line| line.strip_prefix("//!").unwrap_or(line)).collect();
    let plain = plain.join("\n");
    let blocks = plain.split("```").skip(1).step_by(2);
    let is_program = |(language, code): &(&str, &str)| {
        matches!(language.trim(), "rust" | "") && code.contains("fn main()")
    };
    let code = blocks.filter_map(|block| block.split_once('\n')).filter(is_program);
    code.map(|(_, code)| code.to_owned()).collect()
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (from, to) = (entry.as_ref().unwrap().path(), to.join(entry.unwrap().file_name()));
        if from.is_dir() {
            copy_folder(&from, &to);
        } else {
            fs::copy(&from, &to).unwrap();
        }
    }
}

/// A package that depends on these crates by path and on the lints of the compiler alone, none of which may
/// speak.
fn manifest(root: &Path) -> String {
    // As Rust's, TOML's strings escape quotes and backslashes.
    let path = |folder: &str| format!("{:?}", root.join(folder));
    let (carom, draw) = (path(""), path("crates/carom-draw"));
    let (observe, scene) = (path("crates/carom-observe"), path("crates/carom-scene"));
    let billiards = path("crates/carom-billiards");
    format!(
        r#"[package]
name = "user"
version = "0.0.0"
edition = "2024"

[dependencies]
carom = {{ path = {carom} }}
carom-billiards = {{ path = {billiards}, features = ["draw"] }}
carom-draw = {{ path = {draw} }}
carom-observe = {{ path = {observe} }}
carom-scene = {{ path = {scene} }}
cpu-time = "1"

[lints.rust]
warnings = "deny"

# As in the workspace, so that what is built serves both.
[profile.dev]
opt-level = 1

[workspace]
"#
    )
}

#[test]
fn programs_and_examples_compile_without_a_warning() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let user: PathBuf = temporary.join("user-crate");
    let _ = fs::remove_dir_all(&user);
    fs::create_dir_all(user.join("src/bin")).unwrap();
    fs::write(user.join("Cargo.toml"), manifest(root)).unwrap();
    // The versions that the workspace has, so that nothing is fetched.
    fs::copy(root.join("Cargo.lock"), user.join("Cargo.lock")).unwrap();
    copy_folder(&root.join("examples"), &user.join("examples"));
    for (name, source) in [("readme", "README.md"), ("crate_page", "crates/carom/src/lib.rs")] {
        let programs = programs(&fs::read_to_string(root.join(source)).unwrap());
        assert!(!programs.is_empty(), "{source} has a program");
        for (n, program) in programs.iter().enumerate() {
            fs::write(user.join(format!("src/bin/{name}_{n}.rs")), program).unwrap();
        }
    }

    let output = Command::new(env!("CARGO"))
        .current_dir(&user)
        .env("CARGO_TARGET_DIR", temporary.parent().unwrap())
        .env_remove("RUSTFLAGS")
        .args(["check", "--offline", "--all-targets"])
        .output()
        .unwrap();
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{messages}");
    assert!(!messages.contains("warning"), "{messages}");
}

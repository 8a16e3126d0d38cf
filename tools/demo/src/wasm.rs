//! From a crate to a WebAssembly module with its JavaScript.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use wasm_bindgen_cli_support::Bindgen;

const TARGET: &str = "wasm32-unknown-unknown";
/// With registers of two doubles, which every browser has had since 2023.
const PLAIN: &str = r#"target.wasm32-unknown-unknown.rustflags = ["-Ctarget-feature=+simd128"]"#;
/// As well, a panic, which no input leads to, ends the module without a message: no texts are kept for it.
const SMALL: &str = concat!(
    r#"target.wasm32-unknown-unknown.rustflags = ["-Ctarget-feature=+simd128", "#,
    r#""-Zunstable-options", "-Cpanic=immediate-abort"]"#
);

/// Builds a crate of the workspace for the browser, in a profile of the workspace, and writes `NAME.js`,
/// `NAME.d.ts` and `NAME_bg.wasm`.
///
/// # Errors
/// A program that is needed is missing, or fails.
pub(crate) fn build(root: &Path, name: &str, profile: &str, out: &Path) -> Result<(), Box<dyn Error>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root).args(["build", "--locked", "--lib", "--profile", profile, "--target", TARGET]);
    command.args(["-p", name]);
    if std::env::var_os("CAROM_SMALL_STD").is_some() {
        // The standard library compiled to be small, too. The compiler takes these options, which may be
        // others in another version, in that mode.
        command.env("RUSTC_BOOTSTRAP", "1").args(["--config", SMALL]);
        command.args(["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"]);
    } else {
        command.args(["--config", PLAIN]);
    }
    // The settings of this program's own build are not those of the workspace.
    run(command.env_remove("CARGO_MANIFEST_DIR"))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let stem = name.replace('-', "_");
    let module = target.join(TARGET).join(profile).join(format!("{stem}.wasm"));
    // No wasm-opt after this: it takes a minute, and what is sent, compressed, becomes larger (`-O3`) or
    // stays (`-Oz`).
    Bindgen::new()
        .web(true)?
        .typescript(true)
        .omit_default_module_path(false)
        // A module that ran out of memory can be made anew.
        .reset_state_function(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .input_path(module)
        .generate(out)?;
    Ok(())
}

fn run(command: &mut Command) -> Result<(), Box<dyn Error>> {
    let status = command.status()?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}").into()) }
}

//! Builds the JavaScript package, the viewer for the browser and the demonstration page into a folder.
//!
//! ```text
//! cargo run --manifest-path tools/demo/Cargo.toml            # into target/demo
//! cargo run --manifest-path tools/demo/Cargo.toml -- OUT     # into OUT
//! ```
//!
//! OUT/package is the package as npm packs it, and OUT/site the page for any static host. It needs the target
//! `wasm32-unknown-unknown`. With `CAROM_SMALL_STD=1` the standard library is compiled from source, to be
//! small: what is sent is a twelfth less. That needs `rustup component add rust-src`, and options that are
//! not stable. `CAROM_WEB_PROFILE=release` builds the package in a profile that is built sooner.

mod assemble;
mod wasm;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("demo: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let tool = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = tool.parent().and_then(Path::parent).ok_or("the tool is not in tools/demo")?;
    let out = std::env::args_os().nth(1).map_or_else(|| root.join("target/demo"), PathBuf::from);
    let package = out.join("package");
    let site = out.join("site");
    assemble::empty(&package)?;
    assemble::empty(&site)?;

    // Tests may take another profile: how far it is optimised changes no bit.
    let profile = std::env::var("CAROM_WEB_PROFILE").unwrap_or_else(|_| "web".into());
    wasm::build(root, "carom-js", &profile, &package.join("wasm"))?;
    assemble::package(root, &package)?;
    // The viewer takes minutes: a page without it is soon there.
    let has_viewer =
        root.join("crates/carom-viewer").exists() && std::env::var_os("CAROM_NO_VIEWER").is_none();
    assemble::site(root, &package, &site, has_viewer)?;
    if has_viewer {
        wasm::build(root, "carom-viewer", "viewer", &site.join("viewer"))?;
    }
    for (name, bytes) in assemble::sizes(&out)? {
        println!("{bytes:9} {name}");
    }
    Ok(())
}

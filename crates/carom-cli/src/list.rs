//! `carom scenes` and `carom show`.

use crate::args::ShowArgs;
use crate::error::{CliError, STDOUT};
use carom_scene::{Scene, Source, Syntax};
use std::io::Write as _;

pub(crate) fn scenes() -> Result<(), CliError> {
    let longest = Scene::names().map(str::len).max().unwrap_or_default();
    let mut text = String::new();
    for name in Scene::names() {
        let scene = Scene::named(name)?;
        text.push_str(&format!("{name:<longest$}  {}\n", scene.description));
    }
    print(&text)
}

pub(crate) fn show(args: &ShowArgs) -> Result<(), CliError> {
    let source = Source::find(&args.scene)?;
    let scene = source.scene()?;
    // A file in the format that is asked for is shown as it is, comments and all.
    match (args.json, source.syntax()) {
        (false, Syntax::Toml) | (true, Syntax::Json) => print(source.text()),
        (false, Syntax::Json) => print(&scene.to_toml()?),
        (true, Syntax::Toml) => print(&(scene.to_json()? + "\n")),
    }
}

/// Prints to standard output; unlike `print!` it does not panic when the reader goes away.
pub(crate) fn print(text: &str) -> Result<(), CliError> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|source| CliError::writing(STDOUT, source))
}

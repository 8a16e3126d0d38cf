//! `carom scenes` and `carom show`.

use crate::args::ShowArgs;
use crate::error::{CliError, STDOUT};
use carom_billiards::Scene as BilliardScene;
use carom_scene::{SCHEMA, Scene, Source, Syntax};
use std::io::Write as _;

pub(crate) fn scenes() -> Result<(), CliError> {
    let mut all = Vec::new();
    for name in Scene::names() {
        all.push((name, Scene::named(name)?.description));
    }
    for &(name, _) in BilliardScene::NAMED {
        all.push((name, BilliardScene::named(name)?.description));
    }
    let longest = all.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let lines = all.iter().map(|(name, description)| format!("{name:<longest$}  {description}\n"));
    let text: String = lines.collect();
    print(&text)
}

pub(crate) fn show(args: &ShowArgs) -> Result<(), CliError> {
    let Some(scene) = &args.scene else { return print(SCHEMA) };
    let source = Source::find_with(scene, BilliardScene::NAMED)?;
    let wanted = if args.json { Syntax::Json } else { Syntax::Toml };
    // A file in the format that is asked for is shown as it is, comments and all.
    let is_as_wanted = source.syntax() == wanted;
    let text = if source.model()?.as_deref() == Some("billiards") {
        BilliardScene::read(&source)?.to_text(wanted)?
    } else if args.json {
        source.scene()?.to_json()?
    } else {
        source.scene()?.to_toml()?
    };
    match wanted {
        _ if is_as_wanted => print(source.text()),
        Syntax::Json => print(&(text + "\n")),
        Syntax::Toml => print(&text),
    }
}

/// Prints to standard output; unlike `print!` it does not panic when the reader goes away.
pub(crate) fn print(text: &str) -> Result<(), CliError> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|source| CliError::writing(STDOUT, source))
}

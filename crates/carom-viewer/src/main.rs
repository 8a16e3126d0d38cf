//! Opens a window onto a scene: `carom-viewer [SCENE]`, a file or a name.

use carom_viewer::{Session, Viewer};
use eframe::egui;
use std::process::ExitCode;

#[cfg(not(target_arch = "wasm32"))]
fn main() -> ExitCode {
    let mut viewer = Viewer::new(Session::new());
    if let Some(scene) = std::env::args().nth(1) {
        if matches!(scene.as_str(), "-h" | "--help") {
            println!("carom-viewer [SCENE]: a file, or one of");
            carom_viewer::scenes().for_each(|name| println!("  {name}"));
            return ExitCode::SUCCESS;
        }
        let text = if std::path::Path::new(&scene).is_file() {
            carom_scene::Source::read(&scene)
                .map(|source| source.text().to_owned())
                .map_err(|error| error.to_string())
        } else {
            Ok(scene)
        };
        match text {
            Ok(text) if viewer.open(&text) => {}
            Ok(_) => {
                eprintln!("{}", viewer.message());
                return ExitCode::FAILURE;
            }
            Err(message) => {
                eprintln!("{message}");
                return ExitCode::FAILURE;
            }
        }
    }
    let size = egui::ViewportBuilder::default().with_inner_size([1200.0, 800.0]).with_title("Carom");
    let options = eframe::NativeOptions { viewport: size, ..eframe::NativeOptions::default() };
    match eframe::run_native("carom-viewer", options, Box::new(|_| Ok(Box::new(viewer)))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("no window: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(target_arch = "wasm32")]
fn main() -> ExitCode {
    ExitCode::SUCCESS
}

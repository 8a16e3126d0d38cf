//! Opens a window onto a scene: `carom-viewer [SCENE]`, a file or a name.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    native::main()
}

#[cfg(target_arch = "wasm32")]
fn main() {}

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use carom_viewer::{Measured, Session, Viewer};
    use eframe::egui;
    use std::io::Write as _;
    use std::process::ExitCode;

    const HELP: &str = "carom-viewer [SCENE] [--measure SECONDS]\n\
        --measure: runs for so long, writes how long frames took, and ends\n\
        SCENE: a file, or one of\n";

    /// What is asked for.
    #[derive(Default)]
    struct Options {
        scene: Option<String>,
        seconds: Option<f64>,
    }

    fn options() -> Result<Options, String> {
        let mut options = Options::default();
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            match word.as_str() {
                "--measure" => {
                    let seconds = words.next().and_then(|word| word.parse().ok());
                    options.seconds = Some(seconds.ok_or("after --measure: a number of seconds")?);
                }
                // A name may have several words.
                _ => {
                    options.scene =
                        Some(options.scene.map_or(word.clone(), |before| format!("{before} {word}")));
                }
            }
        }
        Ok(options)
    }

    pub(super) fn main() -> ExitCode {
        if std::env::args().any(|word| matches!(word.as_str(), "-h" | "--help")) {
            let names: String = carom_viewer::scenes().map(|name| format!("  {name}\n")).collect();
            // A reader may go away after the first lines.
            let _ = std::io::stdout().write_all((HELP.to_owned() + &names).as_bytes());
            return ExitCode::SUCCESS;
        }
        let done = options().and_then(|options| {
            let viewer = opened(options.scene)?;
            show(viewer, options.seconds).map_err(|error| format!("no window: {error}"))
        });
        match done {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => {
                eprintln!("{message}");
                ExitCode::FAILURE
            }
        }
    }

    fn opened(scene: Option<String>) -> Result<Viewer, String> {
        let mut viewer = Viewer::new(Session::new());
        let Some(scene) = scene else { return Ok(viewer) };
        if !std::path::Path::new(&scene).is_file() {
            return if viewer.open(&scene) { Ok(viewer) } else { Err(viewer.message().to_owned()) };
        }
        let source = carom_scene::Source::read(&scene).map_err(|error| error.to_string())?;
        if viewer.open(source.text()) {
            return Ok(viewer);
        }
        // A place in a text begins with what the text is called, and else the name of the file does.
        let message = viewer.message();
        Err(match message.strip_prefix("scene:") {
            Some(place) => format!("{scene}:{place}"),
            None => format!("{scene}: {message}"),
        })
    }

    fn show(viewer: Viewer, seconds: Option<f64>) -> eframe::Result {
        let size = egui::ViewportBuilder::default().with_inner_size([1200.0, 800.0]).with_title("Carom");
        let vsync = seconds.is_none();
        let options = eframe::NativeOptions { viewport: size, vsync, ..eframe::NativeOptions::default() };
        let app: Box<dyn eframe::App> = match seconds {
            Some(seconds) => Box::new(Measured::new(viewer, seconds)),
            None => Box::new(viewer),
        };
        eframe::run_native("carom-viewer", options, Box::new(|_| Ok(app)))
    }
}

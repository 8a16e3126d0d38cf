//! The entry points for a page.

use crate::{Session, Viewer};
use eframe::WebRunner;
use std::cell::RefCell;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use web_sys::HtmlCanvasElement;

thread_local! {
    static RUNNER: RefCell<Option<WebRunner>> = const { RefCell::new(None) };
}

/// Calls something with the viewer, if it runs.
fn with<R>(call: impl FnOnce(&mut Viewer) -> R) -> Option<R> {
    let runner = RUNNER.with(|runner| runner.borrow().clone())?;
    let mut viewer = runner.app_mut::<Viewer>()?;
    Some(call(&mut viewer))
}

/// Runs in a canvas, which decides the size. `text`: a scene to begin with, as for `open`.
///
/// # Errors
/// If the browser has no WebGL.
#[wasm_bindgen]
pub async fn start(canvas: HtmlCanvasElement, text: Option<String>) -> Result<(), JsValue> {
    let runner = WebRunner::new();
    RUNNER.with(|slot| slot.replace(Some(runner.clone())));
    let mut viewer = Viewer::new(Session::new());
    if let Some(text) = text {
        viewer.open(&text);
    }
    runner.start(canvas, eframe::WebOptions::default(), Box::new(|_| Ok(Box::new(viewer)))).await
}

/// Opens a scene: its text as JSON or TOML, its name, or what was shared. Gives the message if it cannot.
#[wasm_bindgen]
pub fn open(text: &str) -> String {
    let message = with(|viewer| if viewer.open(text) { String::new() } else { viewer.message().to_owned() });
    message.unwrap_or_else(|| "the viewer has not started".to_owned())
}

/// All that is shown, as JSON.
#[wasm_bindgen]
pub fn describe() -> String {
    with(Viewer::describe).unwrap_or_else(|| "null".to_owned())
}

/// The names that `open` takes, as a JSON list.
#[wasm_bindgen]
pub fn scenes() -> String {
    serde_json::json!(crate::scenes().collect::<Vec<_>>()).to_string()
}

/// Light or dark.
#[wasm_bindgen]
pub fn dark(is_dark: bool) {
    with(|viewer| viewer.set_dark(is_dark));
}

/// One of `play`, `pause`, `step`, `back`, `restart`, `undo`, `fit`, `share` (gives the link's payload),
/// `save` (gives the scene).
#[wasm_bindgen]
pub fn command(name: &str) -> String {
    with(|viewer| viewer.command(name)).unwrap_or_else(|| "the viewer has not started".to_owned())
}

//! What is pasted into the window, or dropped onto it.

use eframe::egui::{self, DroppedFile, Event};

/// The most bytes of a file that is dropped: more than any scene has.
const MOST: u64 = 64 << 20;

/// A text to be opened, or why there is none, if something has been pasted or dropped. What is pasted into a
/// field for numbers is for that.
pub(crate) fn given(ctx: &egui::Context) -> Option<Result<String, String>> {
    let is_free = !ctx.wants_keyboard_input();
    ctx.input(|input| {
        let pasted = input.events.iter().find_map(|event| match event {
            Event::Paste(text) if is_free => Some(Ok(text.clone())),
            _ => None,
        });
        pasted.or_else(|| input.raw.dropped_files.first().map(text_of))
    })
}

/// The text of a file: in a browser its bytes come with it.
fn text_of(file: &DroppedFile) -> Result<String, String> {
    let name = file.path.as_ref().map_or_else(|| file.name.clone(), |path| path.display().to_string());
    let bytes = match (&file.bytes, &file.path) {
        (Some(bytes), _) => bytes.to_vec(),
        (None, Some(path)) => read(path).map_err(|why| format!("{name}: {why}"))?,
        (None, None) => Vec::new(),
    };
    String::from_utf8(bytes).map_err(|_| format!("{name}: this is no text, and so no scene"))
}

fn read(path: &std::path::Path) -> Result<Vec<u8>, String> {
    let size = path.metadata().map_err(|error| error.to_string())?.len();
    if size > MOST {
        return Err(format!("{size} bytes are more than a scene has"));
    }
    std::fs::read(path).map_err(|error| error.to_string())
}

/// What of an address leads to a scene: all that follows the `#` before a link of the viewer, else all of it.
pub(crate) fn payload(text: &str) -> &str {
    let start = ["#c1.", "#b1."].iter().find_map(|mark| text.find(mark));
    start.map_or(text, |at| &text[at + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file is its text, or what is wrong with it and its name.
    #[test]
    fn a_dropped_file_is_text_or_says_what_is_wrong() {
        let of_bytes = |bytes: &[u8]| DroppedFile {
            name: "table.toml".to_owned(),
            bytes: Some(bytes.to_vec().into()),
            ..DroppedFile::default()
        };
        assert_eq!(text_of(&of_bytes(b"format = 1")), Ok("format = 1".to_owned()));
        assert!(text_of(&of_bytes(&[0xFF, 0])).is_err_and(|why| why.starts_with("table.toml: ")));
        let path = std::env::temp_dir().join("there-is-no-such-scene.toml");
        let missing = DroppedFile { path: Some(path), ..DroppedFile::default() };
        assert!(text_of(&missing).is_err_and(|why| why.contains("no-such-scene")));
    }

    /// An address of a page is opened as the link in it is.
    #[test]
    fn an_address_leads_to_the_link_in_it() {
        assert_eq!(payload("https://example.org/carom/#c1.AAAA"), "c1.AAAA");
        assert_eq!(payload("http://localhost/?a=b#b1.AAAA"), "b1.AAAA");
        assert_eq!(payload("c1.AAAA"), "c1.AAAA");
        assert_eq!(payload("colour = '#c12'"), "colour = '#c12'");
    }
}

//! Files to keep, and links to share.

/// Saves text as a new file in the present folder, and says where.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn save(name: &str, text: &str) -> Result<String, String> {
    use std::io::Write as _;
    for number in 1..1000_u32 {
        let path = file_name(name, number);
        // A file that exists is never written over.
        match std::fs::File::create_new(&path) {
            Ok(mut file) => {
                file.write_all(text.as_bytes()).map_err(|error| format!("{path}: {error}"))?;
                let place = std::path::absolute(&path).map_or(path, |path| path.display().to_string());
                return Ok(format!("saved as {place}"));
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(format!("{path}: {error}")),
        }
    }
    Err(format!("there are a thousand files of `{name}` in this folder"))
}

/// Gives text to the browser, to be saved as a file where its user has files saved.
#[cfg(target_arch = "wasm32")]
pub(crate) fn save(name: &str, text: &str) -> Result<String, String> {
    use wasm_bindgen::JsCast as _;
    let path = file_name(name, 1);
    let refused = |_| "the browser does not save files from here".to_owned();
    let document = web_sys::window().and_then(|window| window.document());
    let link = document.ok_or("there is no page")?.create_element("a").map_err(refused)?;
    let address = format!("data:application/json,{}", String::from(js_sys::encode_uri_component(text)));
    link.set_attribute("href", &address).map_err(refused)?;
    link.set_attribute("download", &path).map_err(refused)?;
    let link: web_sys::HtmlElement = link.dyn_into().map_err(|_| "there are no links")?;
    link.click();
    Ok(format!("saved as {path}"))
}

/// A link as it is to be handed on: what a window opens where it is pasted.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn address(link: String) -> String {
    link
}

/// A link as it is to be handed on: the address of this page with it.
#[cfg(target_arch = "wasm32")]
pub(crate) fn address(link: String) -> String {
    let page = web_sys::window().and_then(|window| window.location().href().ok());
    match page {
        Some(page) => format!("{}#{link}", page.split('#').next().unwrap_or_default()),
        None => link,
    }
}

/// The name of a scene as that of a file.
fn file_name(name: &str, number: u32) -> String {
    let safe = |letter: char| if letter.is_alphanumeric() || letter == '-' { letter } else { '-' };
    let mut name: String = name.chars().take(60).map(safe).collect();
    if name.is_empty() {
        name = "scene".to_owned();
    }
    if number == 1 { format!("{name}.json") } else { format!("{name}-{number}.json") }
}

//! Scenes as text: files, the named scenes, and where in a text something stands.

mod file;
mod hint;
mod locate;
mod named;
mod source;
mod text;
mod wall;

pub use named::closest;
pub use source::{MAX_FILE_BYTES, MAX_TOML_BYTES, Source};
pub use text::{Syntax, to_json, to_text, to_toml};

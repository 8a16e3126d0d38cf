//! The text of a scene: where it comes from, and reading it with errors that say where.

use super::file::{Header, SceneFile};
use super::hint::with_hint;
use super::text::Syntax;
use super::{locate, named};
use crate::error::SceneError;
use crate::model::{FORMAT, Scene};
use crate::place::{FieldPath, Place, Position, Step};
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use toml::Spanned;
use toml::de::DeTable;

/// The largest file that is read: 64 MiB.
pub const MAX_FILE_BYTES: u64 = 64 << 20;

/// The largest TOML text that is parsed: 4 MiB. It is written by hand, and its parser takes a hundred times
/// the memory of that for JSON.
pub const MAX_TOML_BYTES: u64 = 4 << 20;

/// The text of a scene and where it comes from.
///
/// [`Scene::load`] and its like are enough for most; keep the source when errors found later, at
/// [`build`](Scene::build), should name the line too ([`Source::explain`]).
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    text: String,
    syntax: Syntax,
}

impl Source {
    /// A text; `name` stands for the file in errors.
    #[must_use]
    pub fn new(name: &str, text: &str, syntax: Syntax) -> Self {
        Self { name: name.to_owned(), text: text.to_owned(), syntax }
    }

    /// Reads a file: JSON if its name ends in `.json` or its text begins with `{`, otherwise TOML.
    ///
    /// # Errors
    /// The file cannot be read, is larger than [`MAX_FILE_BYTES`], or is not UTF-8.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, SceneError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let unreadable = |source| SceneError::Read { path: name.clone(), source };
        let file = File::open(path).map_err(unreadable)?;
        let mut bytes = Vec::new();
        // The limit is on what is read, not on what the system says of the file's size: pipes and devices
        // have none.
        file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() as u64 > MAX_FILE_BYTES {
            return Err(SceneError::FileTooLarge { path: name, limit: MAX_FILE_BYTES });
        }
        let mut text = String::from_utf8(bytes).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            let before = String::from_utf8_lossy(&error.as_bytes()[..valid]).into_owned();
            let position = Some(Position::of_byte(&before, valid));
            SceneError::Syntax {
                place: Place { file: name.clone(), position, field: FieldPath::root() },
                what: "not UTF-8 text".to_owned(),
            }
        })?;
        if text.starts_with('\u{feff}') {
            text.drain(..'\u{feff}'.len_utf8());
        }
        let json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
            || text.trim_start().starts_with('{');
        Ok(Self { name, text, syntax: if json { Syntax::Json } else { Syntax::Toml } })
    }

    /// One of the scenes that come with the library.
    ///
    /// # Errors
    /// There is none of this name.
    pub fn named(name: &str) -> Result<Self, SceneError> {
        named::text(name).map(|text| Self::new(name, text, Syntax::Toml)).ok_or_else(|| {
            SceneError::NoSuchScene { name: name.to_owned(), closest: named::closest(name, named::names()) }
        })
    }

    /// A named scene, or else a file: what a command line takes. A file that has the name of a scene is
    /// reached as `./name`.
    ///
    /// # Errors
    /// It is neither, or the file cannot be read.
    pub fn find(name_or_path: &str) -> Result<Self, SceneError> {
        Self::find_with(name_or_path, &[])
    }

    /// As [`Source::find`], where another library has more scenes, each with its name and text: TOML.
    ///
    /// # Errors
    /// It is none of them, or the file cannot be read.
    pub fn find_with(name_or_path: &str, more: &[(&'static str, &'static str)]) -> Result<Self, SceneError> {
        let added = more.iter().find(|(name, _)| *name == name_or_path).map(|&(_, text)| text);
        if let Some(text) = named::text(name_or_path).or(added) {
            return Ok(Self::new(name_or_path, text, Syntax::Toml));
        }
        // What looks like a path is reported as a file that is not there, anything else as a name.
        if Path::new(name_or_path).exists() || name_or_path.contains(['/', '\\', '.']) {
            return Self::read(name_or_path);
        }
        let all = named::names().chain(more.iter().map(|&(name, _)| name));
        Err(SceneError::NoSuchScene {
            name: name_or_path.to_owned(),
            closest: named::closest(name_or_path, all),
        })
    }

    /// The path or name that stands for the source in errors.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How it is written.
    #[must_use]
    pub fn syntax(&self) -> Syntax {
        self.syntax
    }

    /// Reads and checks the scene. A scene without a name gets that of the file.
    ///
    /// # Errors
    /// The text is no scene; the error says where and what.
    pub fn scene(&self) -> Result<Scene, SceneError> {
        let file: SceneFile = self.parse("discs")?;
        let mut scene = Scene::try_from(file).map_err(|error| self.explain(error))?;
        if scene.name.is_empty() {
            scene.name = self.stem();
        }
        Ok(scene)
    }

    /// The name of the file without folder and ending.
    #[must_use]
    pub fn stem(&self) -> String {
        let stem = Path::new(&self.name).file_stem();
        stem.map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// The model that the text names, before anything else in it is looked at; `None` if it names none.
    ///
    /// # Errors
    /// The text is neither TOML nor JSON.
    pub fn model(&self) -> Result<Option<String>, SceneError> {
        let model = match self.syntax {
            Syntax::Toml => toml_header(&self.toml_table()?).1,
            Syntax::Json => self.json_header()?.1,
        };
        Ok(model.map(|model| model.trim_matches('"').to_owned()))
    }

    /// Reads a text of a model that another library describes. The first fields have to be `format` and
    /// `model` by meaning, not by place; `T` has both.
    ///
    /// # Errors
    /// The text is of another format or model, or none of `T`; the error says where and what.
    pub fn parse<T: DeserializeOwned>(&self, model: &'static str) -> Result<T, SceneError> {
        match self.syntax {
            Syntax::Toml => self.parse_toml(model),
            Syntax::Json => self.parse_json(model),
        }
    }

    /// The line and column of a field, or of the nearest thing around it that is there. `O(text)`.
    #[must_use]
    pub fn locate(&self, field: &FieldPath) -> Option<Position> {
        let offset = match self.syntax {
            Syntax::Toml => locate::in_toml(&self.text, field),
            Syntax::Json => locate::in_json(&self.text, field),
        };
        offset.map(|offset| Position::of_byte(&self.text, offset))
    }

    /// The same error with the file, line and column of its field, where it has none yet.
    ///
    /// For errors of a scene that was read from this source and not changed since.
    #[must_use]
    pub fn explain(&self, mut error: SceneError) -> SceneError {
        if let Some(place) = error.place_mut() {
            if place.position.is_none() {
                place.position = self.locate(&place.field);
            }
            if place.file.is_empty() {
                place.file.clone_from(&self.name);
            }
        }
        error
    }

    fn toml_table(&self) -> Result<Spanned<DeTable<'_>>, SceneError> {
        if self.text.len() as u64 > MAX_TOML_BYTES {
            return Err(SceneError::FileTooLarge { path: self.name.clone(), limit: MAX_TOML_BYTES });
        }
        DeTable::parse(&self.text).map_err(|error| self.toml_error(&error, FieldPath::root()))
    }

    fn toml_error(&self, error: &toml::de::Error, field: FieldPath) -> SceneError {
        // The reader knows the list of what it has put aside to read it later; the path knows the entry.
        let is_entry = matches!(field.steps().last(), Some(Step::Item(_)));
        let entry = if is_entry { locate::in_toml(&self.text, &field) } else { None };
        let start = error.span().map(|span| span.start).max(entry);
        let position = start.map(|start| Position::of_byte(&self.text, start));
        self.syntax_error(error.message(), position, field)
    }

    fn parse_toml<T: DeserializeOwned>(&self, of: &'static str) -> Result<T, SceneError> {
        let table = self.toml_table()?;
        let (format, model) = toml_header(&table);
        self.check_header(format, model, of)?;
        serde_path_to_error::deserialize(toml::Deserializer::from(table))
            .map_err(|error| self.toml_error(error.inner(), FieldPath::from(error.path())))
    }

    fn json<'text, T: serde::Deserialize<'text>>(&'text self) -> Result<T, SceneError> {
        let mut deserializer = serde_json::Deserializer::from_str(&self.text);
        let parsed = serde_path_to_error::deserialize(&mut deserializer)
            .map_err(|error| self.json_error(error.inner(), FieldPath::from(error.path())))?;
        deserializer.end().map_err(|error| self.json_error(&error, FieldPath::root()))?;
        Ok(parsed)
    }

    fn json_header(&self) -> Result<(Option<String>, Option<String>), SceneError> {
        let Header { format, model } = self.json()?;
        // Text may be escaped in JSON in more than one way.
        let model = model.map(|model| match serde_json::from_str::<String>(model.get()) {
            Ok(name) => format!("{name:?}"),
            Err(_) => model.get().to_owned(),
        });
        Ok((format.map(|format| format.get().to_owned()), model))
    }

    fn parse_json<T: DeserializeOwned>(&self, of: &'static str) -> Result<T, SceneError> {
        let (format, model) = self.json_header()?;
        self.check_header(format, model, of)?;
        self.json()
    }

    /// Refuses another format or model by its name, before its fields are looked at: the error for a file of
    /// a newer version says that, and not that one of its fields is unknown.
    fn check_header(
        &self,
        format: Option<String>,
        model: Option<String>,
        of: &'static str,
    ) -> Result<(), SceneError> {
        let unsupported = |field: &str, found: String, allowed: String| {
            let place = Place::field(FieldPath::root().field(field));
            self.explain(SceneError::Unsupported {
                place,
                found: format!("{field} {found}"),
                allowed: allowed.into(),
            })
        };
        let missing =
            |field: &str, why: &str| self.explain(SceneError::missing(FieldPath::root().field(field), why));
        match format {
            Some(format) if format.parse() == Ok(FORMAT) => {}
            Some(format) => return Err(unsupported("format", format, FORMAT.to_string())),
            None => return Err(missing("format", "a scene begins with `format = 1`")),
        }
        match model {
            Some(model) if model == format!("{of:?}") => Ok(()),
            Some(model) => Err(unsupported("model", model, format!("{of:?}"))),
            None => Err(missing("model", &format!("a scene says `model = {of:?}`"))),
        }
    }

    fn json_error(&self, error: &serde_json::Error, field: FieldPath) -> SceneError {
        let (line, column) = (error.line(), error.column());
        let what = error.to_string();
        // The position is reported in front, as that of a character; serde_json says it at the end, in bytes.
        let what = what.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&what);
        let text_line = self.text.split('\n').nth(line.saturating_sub(1)).unwrap_or_default();
        let column = Position::of_byte(text_line, column.saturating_sub(1)).column;
        let at_end = (line > 0).then_some(Position { line, column });
        // A value that is well-formed but not allowed is better shown by its beginning than by its end.
        let position = if error.is_data() { self.locate(&field).or(at_end) } else { at_end };
        self.syntax_error(what, position, field)
    }

    fn syntax_error(&self, what: &str, position: Option<Position>, field: FieldPath) -> SceneError {
        let what =
            what.split('\n').map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ");
        let what = with_hint(&what, &self.text, position);
        let place = Place { file: self.name.clone(), position, field };
        self.explain(SceneError::Syntax { place, what })
    }
}

/// How format and model are written.
fn toml_header(table: &Spanned<DeTable<'_>>) -> (Option<String>, Option<String>) {
    let at_top = |field: &str| table.get_ref().get(field).map(|value| value.get_ref());
    let format = at_top("format").map(|value| match value.as_integer() {
        Some(number) => number.as_str().to_owned(),
        None => format!("of type {}", value.type_str()),
    });
    let model = at_top("model").map(|value| match value.as_str() {
        Some(name) => format!("{name:?}"),
        None => format!("of type {}", value.type_str()),
    });
    (format, model)
}

impl Scene {
    /// Reads and checks a file: JSON if its name ends in `.json` or its text begins with `{`, otherwise TOML.
    ///
    /// # Errors
    /// The file cannot be read, is too large, or is no scene; the error says where and what.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, SceneError> {
        Source::read(path)?.scene()
    }

    /// Reads and checks a TOML text; `name` stands for the file in errors.
    ///
    /// # Errors
    /// The text is no scene.
    pub fn from_toml(text: &str, name: &str) -> Result<Self, SceneError> {
        Source::new(name, text, Syntax::Toml).scene()
    }

    /// Reads and checks a JSON text; `name` stands for the file in errors.
    ///
    /// # Errors
    /// The text is no scene.
    pub fn from_json(text: &str, name: &str) -> Result<Self, SceneError> {
        Source::new(name, text, Syntax::Json).scene()
    }

    /// One of the scenes that come with the library.
    ///
    /// # Errors
    /// There is none of this name; the error says which name is nearest.
    pub fn named(name: &str) -> Result<Self, SceneError> {
        Source::named(name)?.scene()
    }

    /// The names of the scenes that come with the library, in a good order for showing them.
    pub fn names() -> impl Iterator<Item = &'static str> {
        named::names()
    }
}

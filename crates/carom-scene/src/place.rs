//! Where in a scene something is: a path of fields, and the line and column of the text when it came from
//! one.

use std::fmt;

/// One step of a [`FieldPath`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A field of a table, by its name.
    Field(String),
    /// An item of a list, counted from 0.
    Item(usize),
}

/// The way from the top of a scene to one of its values: `discs[3].radius`. Empty for the scene as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct FieldPath(Vec<Step>);

impl FieldPath {
    /// The scene as a whole.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    /// The path with one more field at its end.
    #[must_use]
    pub fn field(mut self, name: &str) -> Self {
        self.0.push(Step::Field(name.to_owned()));
        self
    }

    /// The path with one more index at its end.
    #[must_use]
    pub fn item(mut self, index: usize) -> Self {
        self.0.push(Step::Item(index));
        self
    }

    /// The item `index` of the list `name` at the top of the scene.
    #[must_use]
    pub fn of(name: &str, index: usize) -> Self {
        Self::root().field(name).item(index)
    }

    /// The steps, from the top.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// Whether this is the scene as a whole.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<&serde_path_to_error::Path> for FieldPath {
    fn from(path: &serde_path_to_error::Path) -> Self {
        use serde_path_to_error::Segment;
        let mut steps = Vec::new();
        for segment in path {
            match segment {
                Segment::Seq { index } => steps.push(Step::Item(*index)),
                Segment::Map { key } => steps.push(Step::Field(key.clone())),
                Segment::Enum { variant } => steps.push(Step::Field(variant.clone())),
                // Below an unknown step nothing can be found again in the text.
                Segment::Unknown => break,
            }
        }
        Self(steps)
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, step) in self.0.iter().enumerate() {
            match step {
                Step::Field(name) => {
                    if n > 0 {
                        f.write_str(".")?;
                    }
                    write!(f, "{}", printable(name))?;
                }
                Step::Item(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

/// A line and a column of a text, both counted from 1; the column counts characters, not bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl Position {
    /// The position of the byte `offset` of `text`; past the end, the end. `O(offset)`.
    #[must_use]
    pub fn of_byte(text: &str, offset: usize) -> Self {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &text[..offset];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            line: before.bytes().filter(|&byte| byte == b'\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Where an error is: the file, the line and column in it, and the field, as far as each is known.
///
/// Shown as `file:line:column: field`, ready to stand in front of what is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Place {
    /// The file's path as it was given, or the name of the scene; empty for a scene made in memory.
    pub file: String,
    /// The line and column in the file.
    pub position: Option<Position>,
    /// The field.
    pub field: FieldPath,
}

impl Place {
    /// A field of a scene that has no file.
    #[must_use]
    pub fn field(field: FieldPath) -> Self {
        Self { field, ..Self::default() }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = if self.file.is_empty() { "scene" } else { &self.file };
        write!(f, "{}", printable(file))?;
        if let Some(position) = self.position {
            write!(f, ":{position}")?;
        }
        if !self.field.is_root() {
            write!(f, ": {}", self.field)?;
        }
        Ok(())
    }
}

/// Text from outside as [`escaped`] shows it, cut after 200 characters.
pub(crate) fn printable(text: &str) -> String {
    const LONGEST: usize = 200;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => escaped(&text[..end]) + "…",
        None => escaped(text),
    }
}

/// Text from outside on one line, with control characters and those that turn the direction of writing as
/// escapes, so that a file cannot write to the terminal of the reader, nor show another text than it holds.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => out.extend(c.escape_unicode()),
            _ if c.is_control() => out.extend(c.escape_debug()),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        let text = "a\nµs = 1\n";
        assert_eq!(Position::of_byte(text, 0), Position { line: 1, column: 1 });
        assert_eq!(Position::of_byte(text, 2), Position { line: 2, column: 1 });
        // µ is two bytes and one column; an offset inside it means its start.
        assert_eq!(Position::of_byte(text, 3), Position { line: 2, column: 1 });
        assert_eq!(Position::of_byte(text, 4), Position { line: 2, column: 2 });
        assert_eq!(Position::of_byte(text, 1000), Position { line: 3, column: 1 });
    }

    #[test]
    fn a_place_reads_like_a_compiler_message() {
        let mut place = Place::field(FieldPath::of("discs", 3).field("radius"));
        assert_eq!(place.to_string(), "scene: discs[3].radius");
        place.file = "a.toml".into();
        place.position = Some(Position { line: 12, column: 10 });
        assert_eq!(place.to_string(), "a.toml:12:10: discs[3].radius");
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert_eq!(printable("a\u{1b}[31mb\nc"), "a\\u{1b}[31mb\\nc");
        assert_eq!(escaped("é\u{9b}\u{202e}\u{7f}"), "é\\u{9b}\\u{202e}\\u{7f}");
        assert_eq!(printable(&"x".repeat(500)).chars().count(), 201);
    }
}

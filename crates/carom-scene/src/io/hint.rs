//! What someone may have meant who wrote what cannot be read.

use super::named;
use crate::place::Position;

/// The message of a reader, with a hint where it is known what leads to it.
pub(super) fn with_hint(what: &str, text: &str, position: Option<Position>) -> String {
    if let Some(meant) = name_meant(what) {
        return meant;
    }
    if what == "invalid type: map, expected a sequence" {
        return format!("{what}; each entry of a list stands under double brackets, as in [[discs]]");
    }
    let Some(at) = position else { return what.to_owned() };
    let line = text.lines().nth(at.line.saturating_sub(1)).unwrap_or_default();
    if what == "duplicate key" {
        let key = line.split('=').next().unwrap_or_default().trim();
        return format!("{what} `{key}`: it stands there already");
    }
    if !is_of_syntax(what) {
        return what.to_owned();
    }
    let before: String = line.chars().take(at.column.saturating_sub(1)).collect();
    let after: String = line.chars().skip(at.column.saturating_sub(1)).collect();
    let value = after.split([',', ']']).next().unwrap_or_default();
    let are_numbers = value.contains(' ') && value.split_whitespace().all(|part| part.parse::<f64>().is_ok());
    if before.trim_end().ends_with(['[', ',']) && are_numbers {
        return format!("{what}; commas stand between the numbers of a list, as in [0, 0]");
    }
    if after.trim_end() == "," {
        return format!("{what}; no comma stands at the end of a line");
    }
    if after.starts_with(',') && before.ends_with(|last: char| last.is_ascii_digit()) {
        return format!(
            "{what}; a number has a point, as in 1.5, and a list stands in brackets, as in [0, 0]"
        );
    }
    if what.starts_with("string values must be quoted") && !before.contains('[') {
        let word = value.split('#').next().unwrap_or_default().trim();
        return format!("{what}; a text stands in quotes, as in {word:?}");
    }
    what.to_owned()
}

fn is_of_syntax(what: &str) -> bool {
    what.starts_with("string values must be quoted") || what.starts_with("unexpected key or value")
}

/// `unknown field` and `unknown variant`, with the name that is most like the one that was given.
fn name_meant(what: &str) -> Option<String> {
    let (unknown, expected) = what.split_once("`, expected ")?;
    let (kind, name) = unknown.split_once(" `").filter(|(kind, _)| kind.starts_with("unknown "))?;
    let near = named::closest(name, expected.split('`').skip(1).step_by(2))?;
    Some(format!("{kind} `{name}`; did you mean `{near}`? Expected {expected}"))
}

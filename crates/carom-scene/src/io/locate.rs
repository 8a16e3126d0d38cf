//! Finding a field's place in the text again, from its path. Only done once something is wrong.

use crate::place::{FieldPath, Step};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The byte at which the value at `path` stands in a TOML text, or, of a missing value, the nearest thing
/// around it.
pub(crate) fn in_toml(text: &str, path: &FieldPath) -> Option<usize> {
    let document = DeTable::parse(text).ok()?;
    let mut nearest = None;
    let mut table = Some(document.get_ref());
    let mut value: Option<&Spanned<DeValue<'_>>> = None;
    for step in path.steps() {
        let next = match step {
            Step::Field(name) => table.and_then(|table| table.get(name.as_str())),
            Step::Item(index) => value.and_then(|value| value.get_ref().as_array()?.get(*index)),
        };
        let Some(next) = next else { break };
        nearest = Some(next.span().start);
        value = Some(next);
        table = next.get_ref().as_table();
    }
    nearest
}

/// The same for a JSON text. The values of `serde_json` that keep their text are slices of the text that was
/// read, so the difference of the addresses is the place.
pub(crate) fn in_json(text: &str, path: &FieldPath) -> Option<usize> {
    let offset = |raw: &RawValue| (raw.get().as_ptr() as usize).checked_sub(text.as_ptr() as usize);
    let mut nearest = None;
    let mut raw: &RawValue = serde_json::from_str(text).ok()?;
    for step in path.steps() {
        let next: Option<&RawValue> = match step {
            Step::Field(name) => {
                serde_json::from_str::<BTreeMap<std::borrow::Cow<'_, str>, &RawValue>>(raw.get())
                    .ok()
                    .and_then(|fields| fields.get(name.as_str()).copied())
            }
            Step::Item(index) => serde_json::from_str::<Vec<&RawValue>>(raw.get())
                .ok()
                .and_then(|items| items.get(*index).copied()),
        };
        let Some(next) = next else { break };
        raw = next;
        nearest = offset(raw);
    }
    nearest.filter(|&start| start <= text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::Position;

    #[test]
    fn toml_values_are_found_again() {
        let text = "until = 1\n[[discs]]\nradius = 1\n[[discs]]\nposition = [0, 7]\nradius = 2\n[a]\nb = { \
            c = 3 }\n";
        let find = |path: FieldPath| in_toml(text, &path).map(|at| Position::of_byte(text, at).to_string());
        assert_eq!(find(FieldPath::of("discs", 1).field("radius")).as_deref(), Some("6:10"));
        assert_eq!(find(FieldPath::of("discs", 1).field("position").item(1)).as_deref(), Some("5:16"));
        assert_eq!(find(FieldPath::root().field("a").field("b").field("c")).as_deref(), Some("8:11"));
        // What is missing is reported where it should be.
        assert_eq!(find(FieldPath::of("discs", 1).field("mass")).as_deref(), Some("4:1"));
        // What is no table has no fields, and what is no array no items: it is itself the nearest.
        assert_eq!(find(FieldPath::root().field("until").field("kind").field("x")).as_deref(), Some("1:9"));
        assert_eq!(find(FieldPath::of("until", 0)).as_deref(), Some("1:9"));
        assert_eq!(find(FieldPath::root()), None);
    }

    #[test]
    fn json_values_are_found_again() {
        let text =
            "{\"until\": 1,\n \"discs\": [{\"radius\": 1},\n  {\"position\": [0, 7],\n   \"radius\": 2}]}";
        let find = |path: FieldPath| in_json(text, &path).map(|at| Position::of_byte(text, at).to_string());
        assert_eq!(find(FieldPath::of("discs", 1).field("radius")).as_deref(), Some("4:14"));
        assert_eq!(find(FieldPath::of("discs", 1).field("position").item(1)).as_deref(), Some("3:20"));
        assert_eq!(find(FieldPath::of("discs", 1).field("mass")).as_deref(), Some("3:3"));
        assert_eq!(find(FieldPath::root().field("until").field("kind").field("x")).as_deref(), Some("1:11"));
        assert_eq!(find(FieldPath::of("until", 0)).as_deref(), Some("1:11"));
        assert_eq!(find(FieldPath::root()), None);
    }
}

//! The JSON schema has the names that the reader has: those that it expects where it finds `zzz`.

use carom_scene::{SCHEMA, Scene};
use serde_json::Value;
use std::collections::BTreeSet;

/// What the reader says about a scene with this text; nothing if it takes it.
fn error_of(text: &str) -> String {
    let scene = format!("format = 1\nmodel = \"discs\"\nuntil = 1\n{text}");
    Scene::from_toml(&scene, "schema.toml").err().map_or(String::new(), |error| error.to_string())
}

/// What the reader expects in place of `zzz` in a scene with this text.
fn expected(text: &str) -> BTreeSet<String> {
    let error = error_of(text);
    let (_, expected) = error.split_once("`zzz`, expected ").unwrap_or_else(|| panic!("{text}: {error}"));
    expected.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn at<'a>(schema: &'a Value, pointer: &str) -> &'a Value {
    schema.pointer(pointer).unwrap_or_else(|| panic!("no {pointer}"))
}

#[test]
fn tables_of_the_schema_have_the_fields_that_the_reader_knows() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    for (table, text) in [
        ("", "zzz = 1"),
        ("/$defs/disc", "[[discs]]\nzzz = 1"),
        ("/$defs/wall", "[[walls]]\nzzz = 1"),
        ("/$defs/rack", "[[racks]]\nzzz = 1"),
        ("/$defs/gas", "[[gases]]\nzzz = 1"),
        ("/$defs/region", "[[regions]]\nzzz = 1"),
        ("/$defs/command", "[[commands]]\nzzz = 1"),
        ("/$defs/verdict", "[[verdicts]]\nzzz = 1"),
        ("/$defs/side", "[[verdicts]]\nfirst = { zzz = 1 }"),
        ("/$defs/rules", "[[discs]]\nrules = { zzz = 1 }"),
        ("/$defs/area", "[[gases]]\nregion = { zzz = 1 }"),
        ("/$defs/spread", "[[gases]]\nradius = { zzz = 1 }"),
        ("/$defs/roughness", "roughness = { zzz = 1 }"),
        ("/properties/settings", "settings = { zzz = 1 }"),
        ("/properties/periodic", "periodic = { zzz = 1 }"),
        ("/properties/growth", "growth = { zzz = 1 }"),
        ("/properties/view", "view = { zzz = 1 }"),
        ("/properties/view/properties/bounds", "view = { bounds = { zzz = 1 } }"),
        ("/properties/view/properties/pockets/items", "view = { pockets = [{ zzz = 1 }] }"),
    ] {
        let properties = at(&schema, &format!("{table}/properties")).as_object().unwrap();
        let properties: BTreeSet<String> = properties.keys().cloned().collect();
        let mut expected = expected(text);
        // A message that is too long is cut: what it leaves out is asked for by name.
        if error_of(text).contains('…') {
            expected.retain(|name| properties.contains(name) || !name.ends_with('…'));
            let is_known = |name: &&String| !error_of(&text.replace("zzz", name)).contains("unknown field");
            expected.extend(properties.iter().filter(is_known).cloned());
        }
        assert_eq!(properties, expected, "{table}");
    }
}

/// The scene with every field that the reader knows has no other fields than those of the schema.
#[test]
fn the_schema_has_every_list_of_a_scene() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let scene = Scene::from_toml(include_str!("../every-field.toml"), "every-field.toml").unwrap();
    let scene: Value = serde_json::from_str(&scene.to_json().unwrap()).unwrap();
    let known = at(&schema, "/properties").as_object().unwrap();
    assert!(scene.as_object().unwrap().keys().all(|field| known.contains_key(field)));
}

#[test]
fn names_of_the_schema_are_those_that_the_reader_knows() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    for (field, text) in [
        ("/$defs/wall/properties/shape", "[[walls]]\nshape = \"zzz\""),
        ("/$defs/region/properties/shape", "[[regions]]\nshape = \"zzz\""),
        ("/$defs/region/properties/extent", "[[regions]]\nextent = \"zzz\""),
        ("/$defs/command/properties/do", "[[commands]]\ndo = \"zzz\""),
        ("/$defs/verdict/properties/verdict", "[[verdicts]]\nverdict = \"zzz\""),
        ("/$defs/verdict/properties/which", "[[verdicts]]\nwhich = \"zzz\""),
        ("/$defs/side/properties/is", "[[verdicts]]\nfirst = { is = \"zzz\" }"),
        ("/$defs/rack/properties/pattern", "[[racks]]\npattern = \"zzz\""),
        ("/$defs/gas/properties/placement", "[[gases]]\nplacement = \"zzz\""),
        ("/$defs/gas/properties/order", "[[gases]]\norder = \"zzz\""),
        ("/$defs/gas/properties/generator", "[[gases]]\ngenerator = \"zzz\""),
        ("/$defs/spread/properties/distribution", "[[gases]]\nradius = { distribution = \"zzz\" }"),
        ("/properties/settings/properties/restitution", "settings = { restitution = \"zzz\" }"),
        ("/properties/settings/properties/simultaneous", "settings = { simultaneous = \"zzz\" }"),
        ("/properties/settings/properties/crush", "settings = { crush = \"zzz\" }"),
        ("/properties/settings/properties/scheduler", "settings = { scheduler = \"zzz\" }"),
        ("/properties/view/properties/style", "view = { style = \"zzz\" }"),
    ] {
        let names = at(&schema, &format!("{field}/enum")).as_array().unwrap();
        let names: BTreeSet<String> = names.iter().map(|name| name.as_str().unwrap().to_owned()).collect();
        assert_eq!(names, expected(text), "{field}");
    }
}

/// Each command of a verdict has a table of its own.
#[test]
fn commands_of_verdicts_have_the_fields_that_the_reader_knows() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let orders = at(&schema, "/$defs/order/oneOf").as_array().unwrap();
    let mut names = BTreeSet::new();
    for order in orders {
        let name = at(order, "/properties/do/const").as_str().unwrap();
        let fields = at(order, "/properties").as_object().unwrap().keys().filter(|field| *field != "do");
        let fields: BTreeSet<String> = fields.cloned().collect();
        assert_eq!(fields, expected(&format!("[[verdicts]]\ncommands = [{{ do = \"{name}\", zzz = 1 }}]")));
        names.insert(name.to_owned());
    }
    assert_eq!(names, expected("[[verdicts]]\ncommands = [{ do = \"zzz\" }]"));
}

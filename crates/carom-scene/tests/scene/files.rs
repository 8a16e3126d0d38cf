//! Files: round trips, and errors that say where.

use carom_scene::{Scene, SceneError, Source, Syntax};
use carom_testkit::property::config;
use carom_testkit::refused::refusals;
use proptest::prelude::*;

/// A scene with every field of the format.
const EVERY_FIELD: &str = include_str!("../every-field.toml");
/// With those that do not stand beside periods and growth, and with what stands beside neither of the two.
const EVERY: [&str; 6] = [
    EVERY_FIELD,
    include_str!("../every-force.toml"),
    include_str!("../every-growth.toml"),
    include_str!("../every-program.toml"),
    include_str!("../every-roughness.toml"),
    include_str!("../every-verdict.toml"),
];

/// Everything that a scene holds, numbers as bits: `Debug` of a float reads back to the same bits, and shows
/// −0.
fn bits(scene: &Scene) -> String {
    format!("{scene:?}")
}

#[test]
fn toml_to_json_to_toml_keeps_every_bit() {
    let names = Scene::names().map(|name| Scene::named(name).unwrap());
    for scene in names.chain(EVERY.map(|text| Scene::from_toml(text, "a").unwrap())) {
        let toml = scene.to_toml().unwrap();
        let json = Scene::from_toml(&toml, "a.toml").unwrap().to_json().unwrap();
        let back = Scene::from_json(&json, "a.json").unwrap();
        assert_eq!(bits(&back), bits(&scene));
        assert_eq!(back.to_toml().unwrap(), toml);
    }
}

#[test]
fn the_scene_with_every_field_has_every_field() {
    // What is written for it names each field of the documentation, so the round trip above covers the
    // format.
    let written = |text: &str| Scene::from_toml(text, "every.toml").unwrap().to_json().unwrap();
    let json = EVERY.map(written).concat();
    let documentation = include_str!("../../../../docs/scene-format.md");
    let mut documented = 0;
    for line in documentation.lines().filter(|line| line.starts_with("| `")) {
        let name = line.trim_start_matches("| `").split('`').next().unwrap();
        if name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_') {
            assert!(json.contains(&format!("\"{name}\"")), "{name} is documented and not written");
            documented += 1;
        }
    }
    assert!(documented > 50, "{documented}");
    for name in
        json.lines().filter_map(|line| line.trim().strip_prefix('"')?.split_once("\":")).map(|(name, _)| name)
    {
        assert!(documentation.contains(&format!("`{name}`")), "{name} is written and not documented");
    }
}

/// Any double that is a coordinate: the exponents of others are turned round.
fn coordinate(x: f64) -> f64 {
    if x.abs() <= 1e15 {
        x
    } else if x.is_finite() {
        1.0 / x
    } else {
        -0.0
    }
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn any_number_reads_back_to_the_same_bits(
        x in any::<f64>().prop_map(coordinate),
        y in (-1e15..=1e15).prop_map(coordinate),
        m in prop_oneof![1e-50..=1e50, 0.5..2.0, Just(0.0), Just(f64::INFINITY)],
    ) {
        let mut scene = Scene::new("numbers");
        let mut disc = carom_scene::SceneDisc::new(glam::DVec2::new(x, y), 0.1);
        disc.mass = m;
        scene.discs.push(disc);
        let toml = Scene::from_toml(&scene.to_toml().unwrap(), "").unwrap();
        let json = Scene::from_json(&scene.to_json().unwrap(), "").unwrap();
        for read in [toml, json] {
            prop_assert_eq!(read.discs[0].position.x.to_bits(), x.to_bits());
            prop_assert_eq!(read.discs[0].position.y.to_bits(), y.to_bits());
            prop_assert_eq!(read.discs[0].mass.to_bits(), m.to_bits());
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,200}", cut in 0usize..4000, put in any::<char>()) {
        let _ = Scene::from_toml(&text, "any");
        let _ = Scene::from_json(&text, "any");
        // A real file with one character changed is nearer to what goes wrong in practice.
        for (name, text, syntax) in [
            ("a.toml", EVERY_FIELD.to_owned(), Syntax::Toml),
            ("a.json", Scene::from_toml(EVERY_FIELD, "a").unwrap().to_json().unwrap(), Syntax::Json),
        ] {
            let mut characters: Vec<char> = text.chars().collect();
            let cut = cut % characters.len();
            characters[cut] = put;
            let changed: String = characters.into_iter().collect();
            if let Err(error) = Source::new(name, &changed, syntax).scene() {
                let line = error.to_string();
                prop_assert!(line.starts_with(&format!("{name}:")) && !line.contains('\n'), "{}", line);
            }
        }
    }
}

const REFUSED: &str = include_str!("../refused.txt");

/// Law: what is wrong is refused on one line, which says where and what.
fn assert_refused(section: &str, base: &str, read: impl Fn(&str) -> Result<Scene, SceneError>) {
    for [from, to, says] in refusals(REFUSED, section) {
        assert!(base.contains(&from), "{from}");
        let text = base.replacen(&from, &to, 1);
        let error = read(&text).unwrap_err().to_string();
        assert!(error.starts_with(&says), "\n{error}\nfor\n{says}\nin\n{text}");
        assert!(!error.contains('\n') && !error.contains(" at line "), "{error}");
    }
}

#[test]
fn errors_say_where_and_what() {
    let toml = "format = 1\nmodel = \"discs\"\nuntil = 2\n\n[[discs]]\nposition = [0, 0]\nradius = 1\n\n\
                [[walls]]\nshape = \"segment\"\na = [0, 5]\nb = [1, 5]\n";
    assert_refused("toml", toml, |text| Scene::from_toml(text, "s.toml"));
    let gas = toml.replace("[[discs]]", "[[gases]]\nseed = 1\ncount = 5\nFIELDS\n[[discs]]");
    assert_refused("gases", &gas, |text| Scene::from_toml(text, "s.toml"));
    let verdicts = toml.to_owned()
        + "\n[[verdicts]]\nfirst = { is = \"disc\" }\nsecond = { is = \"wall\", numbers = [0, 0] }\n\
           verdict = \"kick\"\nspeed = 1\ncommands = [\n  { do = \"set_timer\", seconds = 0 },\n]\n";
    assert_refused("verdicts", &verdicts, |text| Scene::from_toml(text, "s.toml"));
    let json = "{\n \"format\": 1, \"model\": \"discs\",\n \"until\": 2,\n \"discs\": [\n  {\"position\": \
        [0, 0], \"radius\": 1}\n ]\n}\n";
    assert_refused("json", json, |text| Scene::from_json(text, "s.json"));
}

#[test]
fn infinite_mass_is_read_in_both_ways_and_written_as_text() {
    for mass in ["\"inf\"", "inf"] {
        let toml =
            format!("format=1\nmodel=\"discs\"\nuntil=1\n[[discs]]\nposition=[0,0]\nradius=1\nmass={mass}\n");
        let scene = Scene::from_toml(&toml, "a").unwrap();
        assert_eq!(scene.discs[0].mass, f64::INFINITY);
        assert!(scene.to_json().unwrap().contains("\"mass\": \"inf\""));
        assert!(scene.to_toml().unwrap().contains("mass = \"inf\""));
    }
}

#[test]
fn files_that_are_no_text_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        Scene::load(&path).unwrap_err().to_string()
    };
    assert!(read("a.toml", b"format = 1\nname = \"\xff\"\n").ends_with("a.toml:2:9: not UTF-8 text"));
    assert!(read("empty.toml", b"").contains("format: missing"));
    assert!(read("empty.json", b"").contains("empty.json:1:1: EOF"));
    assert!(matches!(Scene::load(folder.path()), Err(SceneError::Read { .. })));
    assert!(matches!(Scene::load(folder.path().join("none.toml")), Err(SceneError::Read { .. })));
    #[cfg(unix)]
    assert!(matches!(Scene::load("/dev/zero"), Err(SceneError::FileTooLarge { .. })));
}

#[test]
fn json_is_known_by_its_name_or_its_first_character() {
    let folder = tempfile::tempdir().unwrap();
    let json = Scene::named("newtons-cradle").unwrap().to_json().unwrap();
    for name in ["a.json", "a.scene", "a.JSON"] {
        let path = folder.path().join(name);
        // With the mark that some editors put in front.
        std::fs::write(&path, format!("\u{feff}{json}")).unwrap();
        assert_eq!(Scene::load(&path).unwrap(), Scene::named("newtons-cradle").unwrap());
    }
}

#[test]
fn a_nameless_scene_has_the_name_of_its_file() {
    let text = "format = 1\nmodel = \"discs\"\nuntil = 1\n";
    assert_eq!(Scene::from_toml(text, "/some/where/break.toml").unwrap().name, "break");
}

#[test]
fn a_wrong_name_says_the_nearest() {
    let error = Source::find("nine-bal-discs").unwrap_err().to_string();
    assert_eq!(
        error,
        "nine-bal-discs: neither a named scene nor a file; the nearest name is `nine-ball-discs`"
    );
    let error = Source::find("qqq").unwrap_err().to_string();
    assert_eq!(error, "qqq: neither a named scene nor a file");
    assert!(Source::find("./nine-ball-discs").unwrap_err().to_string().contains("cannot be read"));
}

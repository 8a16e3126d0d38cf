//! Files: round trips, errors that say where, hostile input.

use carom_scene::{Scene, SceneError, Source, Syntax};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// A scene with every field of the format.
const EVERY_FIELD: &str = include_str!("../every-field.toml");
/// With those that do not stand beside periods and growth, and with what stands beside neither of the two.
const EVERY: [&str; 3] =
    [EVERY_FIELD, include_str!("../every-force.toml"), include_str!("../every-growth.toml")];

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

/// The same cases in every run; `CAROM_CASES` makes a campaign of that many times as many, all of them
/// others.
fn config(cases: u32) -> ProptestConfig {
    let campaign = std::env::var("CAROM_CASES").ok().and_then(|factor| factor.parse::<u32>().ok());
    ProptestConfig {
        cases: cases * campaign.unwrap_or(1),
        rng_seed: if campaign.is_some() { RngSeed::Random } else { RngSeed::Fixed(1) },
        failure_persistence: None,
        ..ProptestConfig::default()
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

/// A file with this change is refused on one line, which begins with this.
fn assert_says(from: &str, to: &str, says: &str) {
    let base = "format = 1\nmodel = \"discs\"\nuntil = 2\n\n[[discs]]\nposition = [0, 0]\nradius = 1\n\n\
                [[walls]]\nshape = \"segment\"\na = [0, 5]\nb = [1, 5]\n";
    assert!(base.contains(from), "{from}");
    let toml = base.replacen(from, to, 1);
    let error = Scene::from_toml(&toml, "s.toml").unwrap_err().to_string();
    assert!(error.starts_with(says), "\n{error}\nfor\n{says}\nin\n{toml}");
    assert!(!error.contains('\n'));
}

#[test]
fn errors_say_where_and_what() {
    for (from, to, says) in [
        (
            "radius = 1\n",
            "raduis = 1\n",
            "s.toml:7:1: discs[0].raduis: unknown field `raduis`, expected one of `position`,",
        ),
        ("radius = 1\n", "", "s.toml:5:1: discs[0]: missing field `radius`"),
        (
            "radius = 1\n",
            "radius = \"1\"\n",
            "s.toml:7:10: discs[0].radius: invalid type: string \"1\", expected a number",
        ),
        (
            "radius = 1\n",
            "radius = -1\n",
            "s.toml:7:10: discs[0].radius: -1 is not allowed; must be 0 or a number from 1e-15 to 1e15",
        ),
        ("radius = 1\n", "radius = nan\n", "s.toml:7:10: discs[0].radius: NaN is not allowed"),
        (
            "radius = 1\n",
            "radius = 1e400\n",
            "s.toml:7:10: discs[0].radius: floating-point number overflowed",
        ),
        ("radius = 1\n", "radius = 1 1\n", "s.toml:7:10: string values must be quoted"),
        ("[0, 0]", "[0]", "s.toml:6:12: discs[0].position: fewer than two numbers"),
        ("[0, 0]", "[0, 0, 0]", "s.toml:6:12: discs[0].position: more than two numbers"),
        (
            "[0, 0]",
            "[0, inf]",
            "s.toml:6:16: discs[0].position[1]: inf is not allowed; must be a finite number from -1e15 to \
             1e15",
        ),
        (
            "radius = 1\n",
            "radius = 1\nmass = \"heavy\"\n",
            "s.toml:8:8: discs[0].mass: invalid value: string \"heavy\", expected a number or \"inf\"",
        ),
        (
            "radius = 1\n",
            "radius = 1\nmass = -2\n",
            "s.toml:8:8: discs[0].mass: -2 is not allowed; must be 0, \"inf\", or a number from 1e-50 to \
             1e50",
        ),
        (
            "radius = 1\n",
            "radius = 1\nrestitution = 1.5\n",
            "s.toml:8:15: discs[0].restitution: 1.5 is not allowed; must be a number from 0 to 1",
        ),
        (
            "radius = 1\n",
            "radius = 1\ncolour = \"reddish\"\n",
            "s.toml:8:10: discs[0].colour: `reddish` is not a colour",
        ),
        ("until = 2", "until = 0", "s.toml:3:9: until: 0 is not allowed; must be later than the start, 0"),
        (
            "format = 1",
            "format = 2",
            "s.toml:1:10: format: format 2 is not known to this version; allowed: 1",
        ),
        ("format = 1\n", "", "s.toml: format: missing; a scene begins with `format = 1`"),
        (
            "\"discs\"",
            "\"billiards\"",
            "s.toml:2:9: model: model \"billiards\" is not known to this version; allowed: \"discs\"",
        ),
        (
            "\"segment\"",
            "\"spiral\"",
            "s.toml:10:9: walls[0].shape: unknown variant `spiral`, expected one of `half_plane`",
        ),
        (
            "b = [1, 5]",
            "radius = 5",
            "s.toml:12:10: walls[0].radius: has no meaning here; the fields of the shape `segment` are a, b",
        ),
        ("b = [1, 5]\n", "", "s.toml:9:1: walls[0].b: missing; the fields of the shape `segment` are a, b"),
        (
            "b = [1, 5]",
            "b = [0, 5]",
            "s.toml:9:1: walls[0]: length of the segment is 0, allowed is a number from 1e-15 to 1e15",
        ),
        (
            "[[discs]]",
            "[settings]\nepoch = 0.1\n[[discs]]",
            "s.toml:6:9: settings.epoch: 0.1 is not allowed; must be a power of two",
        ),
        (
            "[[discs]]",
            "[[racks]]\npattern = \"triangle\"\napex = [5, 5]\nradius = 1\n[[discs]]",
            "s.toml:5:1: racks[0].rows: missing; the pattern `triangle` needs",
        ),
        (
            "[[discs]]",
            "[[racks]]\npattern = \"nine_ball\"\napex = [5, 5]\nradius = 1\njitter = 1e-3\n[[discs]]",
            "s.toml:5:1: racks[0].seed: missing; jitter needs a seed",
        ),
        (
            "[[discs]]",
            "[[gases]]\nseed = 1\ncount = 1\npacking = 0.1\nradius = 1\ntemperature = 1\nexact_temperature \
             = true\nzero_momentum = true\n[[discs]]",
            "s.toml:7:9: gases[0].count: 1 is not allowed; must be at least 2",
        ),
        (
            "until = 2",
            "until = 2\nperiodic = { x = 0 }",
            "s.toml:4:18: periodic.x: 0 is not allowed; must be a number from 1e-15 to 1e15",
        ),
        (
            "until = 2",
            "until = 2\nperiodic = { gas = 0 }",
            "s.toml:4:20: periodic.gas: 0 is not allowed; must be the number of one of `gases`, of which \
             there are none",
        ),
        (
            "until = 2",
            "until = 2\nperiodic = { z = 1 }",
            "s.toml:4:14: periodic.z: unknown field `z`, expected one of `x`, `y`, `gas`",
        ),
        (
            "shape = \"segment\"\na = [0, 5]\nb = [1, 5]\n",
            "shape = \"around_gas\"\ngas = 0\n",
            "s.toml:11:7: walls[0].gas: 0 is not allowed; must be the number of one of `gases`, of which \
             there are none",
        ),
        (
            "shape = \"segment\"\na = [0, 5]\nb = [1, 5]\n",
            "shape = \"around_gas\"\n",
            "s.toml:9:1: walls[0].gas: missing; the fields of the shape `around_gas` are gas",
        ),
    ] {
        assert_says(from, to, says);
    }
}

#[test]
fn errors_in_gases_say_where_and_what() {
    for (fields, says) in [
        (
            "radius = 1",
            "s.toml:5:1: gases[0].region: missing; a gas has two of `radius`, `region` and `packing`; the \
             third follows",
        ),
        (
            "region = { min = [0, 0], max = [9, 9] }",
            "s.toml:5:1: gases[0].radius: missing; a gas has two of `radius`, `region` and `packing`; the \
             third follows",
        ),
        (
            "packing = 0.5",
            "s.toml:5:1: gases[0].radius: missing; a gas has two of `radius`, `region` and `packing`; the \
             third follows",
        ),
        (
            "packing = 0.5\nradius = 1\nregion = { min = [0, 0], max = [9, 9] }",
            "s.toml:8:11: gases[0].packing: has no meaning here; a gas has two of `radius`, `region` and \
             `packing`; the third follows",
        ),
        (
            "packing = 1.5\nradius = 1",
            "s.toml:8:11: gases[0].packing: 1.5 is not allowed; must be more than 0 and less than 1",
        ),
        (
            "packing = 0.5\nradius = 0",
            "s.toml:9:10: gases[0].radius: 0 is not allowed; must be more than 0 where",
        ),
        (
            "packing = 0.1\nradius = { values = [1, 2], fractions = [0.5, 0.4] }",
            "s.toml:9:41: gases[0].radius.fractions: a sum of 0.9 is not allowed; must be numbers that add \
             up to 1",
        ),
        (
            "packing = 0.1\nradius = { values = [1, 2], fractions = [1] }",
            "s.toml:9:41: gases[0].radius.fractions: a list of 1 is not allowed; must be one for each of \
             the 2 `values`",
        ),
        (
            "packing = 0.1\nradius = { values = [1, -2], fractions = [0.5, 0.5] }",
            "s.toml:9:25: gases[0].radius.values[1]: -2 is not allowed; must be 0 or a number from 1e-15 \
             to 1e15",
        ),
        (
            "packing = 0.1\nradius = { values = [1, 2], mean = 1 }",
            "s.toml:9:10: gases[0].radius: radii have either `values` and `fractions` or `mean` and",
        ),
        (
            "packing = 0.1\nradius = { mean = 3, deviation = 1 }",
            "s.toml:9:34: gases[0].radius.deviation: 1 is not allowed; must be less than a third of the \
             mean, 3",
        ),
        (
            "packing = 0.1\nradius = { mean = 3, deviation = 1e9, distribution = \"log_normal\" }",
            "s.toml:9:34: gases[0].radius.deviation: 1000000000 is not allowed; must be such that radii \
             are from 1e-15",
        ),
        (
            "packing = 0.1\nradius = \"small\"",
            "s.toml:9:10: gases[0].radius: invalid type: string \"small\", expected a number, [smallest, \
             largest],",
        ),
        (
            "packing = 0.1\nradius = 1\nexact_temperature = true",
            "s.toml:10:21: gases[0].exact_temperature: has no meaning here; there is no temperature",
        ),
        (
            "packing = 0.1\nradius = 1\norder = \"hilbert\"",
            "s.toml:10:9: gases[0].order: unknown variant `hilbert`, expected `placed` or `curve`",
        ),
        (
            "packing = 0.1\nradius = 1\n[periodic]\ngas = 0\ny = 4",
            "s.toml:12:5: periodic.y: has no meaning here; there is a gas already",
        ),
        (
            "packing = 0.1\nregion = { min = [0, 1], max = [9, 9] }\n[periodic]\ngas = 0",
            "s.toml:11:7: periodic.gas: 0 is not allowed; must be a gas whose region is a rectangle with",
        ),
    ] {
        let gas = format!("[[gases]]\nseed = 1\ncount = 5\n{fields}\n[[discs]]");
        assert_says("[[discs]]", &gas, says);
    }
}

#[test]
fn json_errors_say_where_and_what() {
    let base = "{\n \"format\": 1, \"model\": \"discs\",\n \"until\": 2,\n \"discs\": [\n  {\"position\": \
        [0, 0], \"radius\": 1}\n ]\n}\n";
    for (from, to, says) in [
        ("\"radius\"", "\"raduis\"", "s.json:5:34: discs[0].raduis: unknown field `raduis`"),
        ("\"radius\": 1", "\"radius\": -1", "s.json:5:34: discs[0].radius: -1 is not allowed"),
        (
            "\"radius\": 1",
            "\"radius\": \"1\"",
            "s.json:5:34: discs[0].radius: invalid type: string \"1\", expected a number",
        ),
        ("\"radius\": 1", "\"radius\": 1e400", "s.json:5:3"),
        ("\"radius\": 1", "\"radius\": NaN", "s.json:5:3"),
        ("\"radius\": 1", "\"radius\": 1, \"radius\": 1", "s.json:5:3: discs[0]: duplicate field"),
        ("[0, 0]", "[0]", "s.json:5:16: discs[0].position: fewer than two numbers"),
        (
            "{\"position\": [0, 0], \"radius\": 1}",
            "{\"position\": [0, 0]}",
            "s.json:5:3: discs[0]: missing field `radius`",
        ),
        ("\n ]\n}", "\n ]\n", "s.json:8:1: EOF"),
        ("}\n", "} {", "s.json:"),
    ] {
        let text = base.replacen(from, to, 1);
        let error = Scene::from_json(&text, "s.json").unwrap_err().to_string();
        assert!(error.starts_with(says), "\n{error}\nfor\n{says}\nin\n{text}");
        assert!(!error.contains('\n') && !error.contains(" at line "), "{error}");
    }
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

/// Whatever a file announces, the answer comes at once and without the memory.
#[test]
fn hostile_files_are_refused_quickly() {
    let head = "format = 1\nmodel = \"discs\"\nuntil = 1\n";
    let gas = |count: &str, radius: &str, side: &str| {
        format!(
            "{head}[[gases]]\ncount = {count}\nradius = {radius}\nseed = 1\nregion = {{ min = [0, 0], max \
             = [{side}, {side}] }}\n"
        )
    };
    let toml = [
        (gas("1000000000", "0.001", "1e6"), "count: 1000000000 is not allowed"),
        (gas("9223372036854775807", "0", "1"), "count: 9223372036854775807 is not allowed"),
        (gas("-1", "0.001", "1e6"), "count"),
        (gas("1000000", "1", "1e308"), "region.max: [1e308, 1e308] is not allowed"),
        (gas("1000000", "1e308", "1e3"), "radius: 1e308 is not allowed"),
        (gas("1000000", "1", "1e3"), "cover"),
        (gas("1000000", "nan", "1e3"), "radius: NaN"),
        // A range of radii whose mean square says nothing about the places left.
        (gas("2000", "[0.0, 1.0]", "68.5"), "packing fraction"),
        (
            format!(
                "{head}[[racks]]\npattern = \"triangle\"\nrows = 4294967295\napex = [0, 0]\nradius = 1\n"
            ),
            "rows: 4294967295 is not allowed",
        ),
        (
            format!(
                "{head}{}",
                "[[racks]]\npattern = \"triangle\"\nrows = 1000\napex = [0, 0]\nradius = 1\n".repeat(3)
            ),
            "racks[2]: makes 1501500 discs",
        ),
        (format!("{head}title = {}\n", "[".repeat(100_000)), "recurs"),
        (format!("{head}{} = 1\n", vec!["a"; 100_000].join(".")), "recurs"),
        (
            format!("{head}title = \"{}\"\n", "x".repeat(1 << 21)),
            "title: a text of 2097152 bytes is not allowed",
        ),
        (format!("{head}title = \"{}\"\n", "x".repeat(1 << 22)), "larger than 4194304 bytes"),
        (format!("{head}[settings]\nepoch = 1e308\n"), "epoch"),
    ];
    for (text, says) in &toml {
        let error =
            Scene::from_toml(text, "hostile").and_then(|scene| scene.expand().map(|_| ())).unwrap_err();
        let line = error.to_string();
        assert!(line.contains(says), "{line}");
        assert!(line.len() < 1000 && !line.contains('\n'), "{}", line.len());
    }
    for text in [
        "[".repeat(1_000_000),
        "{\"a\":".repeat(1_000_000),
        format!("{{\"format\":{}", "9".repeat(1_000_000)),
    ] {
        assert!(Scene::from_json(&text, "hostile").is_err());
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

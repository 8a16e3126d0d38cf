//! Runs, scenes, help and wrong arguments.

use crate::common::{Folder, PRESS, carom, fails, lines, stderr, stdout, succeeds};
use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Stdio};

fn vector(value: &Value) -> [f64; 2] {
    [value[0].as_f64().unwrap(), value[1].as_f64().unwrap()]
}

#[test]
fn the_events_file_replays_to_the_states_of_the_end() {
    let folder = Folder::new();
    let (events, states) = (folder.path("e.jsonl"), folder.path("s.jsonl"));
    for scene in ["box-100", "nine-ball-discs", "newtons-cradle", "pod-arena"] {
        let said = succeeds(&["run", scene, "--events", &events, "--states", &states, "--every", "0.5"]);
        let (events, states) = (lines(&events), lines(&states));
        let discs = states.iter().filter(|state| state["time"] == 0.0).count();
        // Each disc goes straight from impact to impact: positions follow from the start, times and
        // velocities.
        let mut paths: Vec<(f64, [f64; 2], [f64; 2])> = states[..discs]
            .iter()
            .map(|state| (0.0, vector(&state["position"]), vector(&state["velocity"])))
            .collect();
        let move_to = |path: &mut (f64, [f64; 2], [f64; 2]), time: f64| {
            for axis in 0..2 {
                path.1[axis] += path.2[axis] * (time - path.0);
            }
            path.0 = time;
        };
        let mut later = events.iter().peekable();
        let (mut groups, mut last_time) = (std::collections::BTreeSet::new(), 0.0);
        for state in &states {
            let time = state["time"].as_f64().unwrap();
            while let Some(event) = later.next_if(|event| event["time"].as_f64().unwrap() <= time) {
                let at = event["time"].as_f64().unwrap();
                assert!(at >= last_time);
                last_time = at;
                groups.insert(event["group"].as_u64().unwrap());
                let t = vector(&event["t"]);
                assert_eq!(t[0] + t[1], at);
                let who = match event["kind"].as_str().unwrap() {
                    "disc" => vec![event["a"].as_u64().unwrap(), event["b"].as_u64().unwrap()],
                    "wall" => {
                        assert!(event["wall"].is_u64() && event["part"].is_u64() && event.get("b").is_none());
                        vec![event["a"].as_u64().unwrap()]
                    }
                    other => panic!("{other}"),
                };
                assert!((vector(&event["normal"]).iter().map(|n| n * n).sum::<f64>() - 1.0).abs() < 1e-14);
                assert!(event["impulse"].as_f64().unwrap() >= 0.0);
                assert_eq!(event["before"].as_array().unwrap().len(), who.len());
                for (n, &disc) in who.iter().enumerate() {
                    let path = &mut paths[disc as usize];
                    let before = vector(&event["before"][n]);
                    if path.0 < at {
                        // Velocities are stored, never recomputed: what one event leaves, the next one finds,
                        // to the bit.
                        assert_eq!(path.2.map(f64::to_bits), before.map(f64::to_bits));
                    }
                    move_to(path, at);
                    path.2 = vector(&event["after"][n]);
                }
            }
            let path = &mut paths[state["index"].as_u64().unwrap() as usize];
            assert_eq!(path.2.map(f64::to_bits), vector(&state["velocity"]).map(f64::to_bits));
            let mut now = *path;
            move_to(&mut now, time);
            let [x, y] = vector(&state["position"]);
            // This replay sums from impact to impact; each sum rounds by an ulp of the arena, and there are
            // hundreds.
            let scale = paths.iter().flat_map(|path| path.1).fold(1.0, |a: f64, b| a.max(b.abs()));
            assert!((now.1[0] - x).abs().max((now.1[1] - y).abs()) < 1e-11 * scale, "{scene}");
        }
        assert!(later.next().is_none());
        let counted = format!("  events        {}\n", spaced(groups.len()));
        assert!(said.contains(&counted), "{said}{counted}");
    }
}

fn spaced(n: usize) -> String {
    if n >= 1000 { format!("{} {:03}", n / 1000, n % 1000) } else { n.to_string() }
}

#[test]
fn states_are_at_exact_multiples() {
    let folder = Folder::new();
    let states = folder.path("s.jsonl");
    succeeds(&["run", "box-16", "--until", "0.3", "--states", &states, "--every", "0.1"]);
    let times: Vec<f64> =
        lines(&states).iter().step_by(16).map(|state| state["time"].as_f64().unwrap()).collect();
    // 3 · 0.1 is 0.30000000000000004: the end but for rounding, and so the end.
    assert_eq!(times, [0.0, 0.1, 0.2, 0.3]);
    // However often the run is looked at, it is the same run.
    let end = |every: &str| {
        succeeds(&["run", "box-16", "--until", "8", "--states", &states, "--every", every]);
        let all = lines(&states);
        all[all.len() - 16..].to_vec()
    };
    assert_eq!(end("8"), end("0.03125"));
}

#[test]
fn max_events_stops_exactly_there_and_changes_nothing_before() {
    let folder = Folder::new();
    let (all, some) = (folder.path("all.jsonl"), folder.path("some.jsonl"));
    succeeds(&["run", "box-100", "--until", "2", "--events", &all]);
    let said = succeeds(&["run", "box-100", "--until", "2", "--events", &some, "--max-events", "50"]);
    assert!(said.contains("  events        50\n") && said.contains("stopped by --max-events"), "{said}");
    let (all, some) = (std::fs::read_to_string(all).unwrap(), std::fs::read_to_string(some).unwrap());
    assert_eq!(some.lines().count(), 50);
    assert!(all.starts_with(&some));
}

#[test]
fn pictures_and_movies_are_what_they_say() {
    let folder = Folder::new();
    let (png, gif) = (folder.path("p.png"), folder.path("m.gif"));
    let said = succeeds(&[
        "run",
        "newtons-cradle",
        "--until",
        "4",
        "--picture",
        &png,
        "--movie",
        &gif,
        "--speed",
        "4",
    ]);
    assert!(said.contains(&png) && said.contains(&gif), "{said}");
    let png = std::fs::read(png).unwrap();
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let gif = std::fs::read(gif).unwrap();
    assert!(gif.starts_with(b"GIF89a") && gif.ends_with(&[0x3b]) && gif.len() > 1000);
}

#[test]
fn data_on_standard_output_is_alone_there() {
    let output = carom(&["run", "newtons-cradle", "--events", "-"]);
    assert!(output.status.success());
    for line in stdout(&output).lines() {
        serde_json::from_str::<Value>(line).unwrap();
    }
    assert!(stderr(&output).contains("energy"));
}

/// A reader that goes away is no error and no panic.
#[test]
fn a_closed_pipe_ends_the_run_quietly() {
    for args in [&["run", "box-1000", "--until", "100", "--events", "-"][..], &["scenes"], &["--help"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_carom"))
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn a_wrong_scene_is_one_line_that_says_where_and_what() {
    let folder = Folder::new();
    let head = "format = 1\nmodel = \"discs\"\nuntil = 1\n";
    let disc = "[[discs]]\nposition = [0, 0]\nradius = 1\n";
    let unknown = folder.write("unknown.toml", &format!("{head}{disc}colr = \"red\"\n"));
    assert!(
        fails(2, &["run", &unknown])
            .starts_with(&format!("{unknown}:7:1: discs[0].colr: unknown field `colr`"))
    );
    let overlap = folder.write("overlap.toml", &format!("{head}{disc}{disc}"));
    assert!(
        fails(2, &["run", &overlap])
            .starts_with(&format!("{overlap}:7:1: discs[1]: overlaps discs[0] by 2; allowed is"))
    );
    let json = folder.write("broken.json", "{\"format\": 1,\n \"model\" \"discs\"}");
    assert_eq!(fails(2, &["run", &json]), format!("{json}:2:10: expected `:`"));
    assert!(fails(2, &["run", &folder.path("none.toml")]).contains("none.toml: cannot be read: "));
    assert_eq!(
        fails(2, &["run", "nine-bal-discs"]),
        "nine-bal-discs: neither a named scene nor a file; the nearest name is `nine-ball-discs`"
    );
    assert!(fails(2, &["show", &unknown]).contains(":7:1:"));
}

#[test]
fn wrong_arguments_are_one_line() {
    let says = |args: &[&str], what: &str| {
        let line = fails(2, args);
        assert!(line.contains(what), "{line}");
    };
    says(&["walk"], "walk");
    says(&["run"], "<SCENE>");
    says(&["run", "box-16", "--until", "soon"], "--until");
    says(
        &["run", "box-16", "--until", "-1"],
        "--until: -1 is not allowed; must be a time not before the start, 0 s",
    );
    says(&["run", "box-16", "--until", "nan"], "--until: NaN");
    says(&["run", "box-16", "--until", "inf"], "--until: inf");
    says(
        &["run", "box-16", "--until", "1e300"],
        "--until: 1e300 is not allowed; must be at most 2199023255552 s",
    );
    says(&["run", "box-16", "--states", "x.jsonl"], "--every");
    says(&["run", "box-16", "--every", "1"], "--states");
    says(
        &["run", "box-16", "--states", "-", "--every", "0"],
        "--every: 0 is not allowed; must be greater than 0",
    );
    says(&["run", "box-16", "--states", "-", "--every", "1e-300"], "--every");
    says(&["run", "box-16", "--speed", "2"], "--movie");
    says(&["run", "box-16", "--movie", "/dev/null", "--speed", "0"], "--speed: 0 is not allowed");
    says(
        &["run", "box-16", "--picture", "a.png", "--movie", "a.png"],
        "a.png: two outputs have the same file",
    );
    says(&["run", "box-16", "--picture", "a", "--movie", "./a"], "./a: two outputs have the same file");
    let folder = Folder::new();
    let scene = folder.write("s.toml", &succeeds(&["show", "box-16"]));
    says(&["run", &scene, "--events", &scene], "the scene itself would be written over");
    assert!(std::fs::read_to_string(&scene).unwrap().starts_with("# A bench"));
}

#[test]
fn periodic_scenes_have_pictures_and_movies() {
    let folder = Folder::new();
    let scene = "format = 1\nmodel = \"discs\"\nuntil = 1\n[periodic]\nx = 4\ny = 2\n\
        [[discs]]\nposition = [3.9, 1.0]\nvelocity = [1.0, 0.5]\nradius = 0.2\n";
    let scene = folder.write("round.toml", scene);
    for (option, name, magic) in [("--picture", "a.png", &b"\x89PNG"[..]), ("--movie", "a.gif", &b"GIF8"[..])]
    {
        let file = folder.write(name, "");
        std::fs::remove_file(&file).unwrap();
        succeeds(&["run", &scene, option, &file]);
        assert!(std::fs::read(&file).unwrap().starts_with(magic), "{name}");
    }
}

#[test]
fn an_output_that_cannot_be_written_is_one_line_and_code_1() {
    let nowhere = PathBuf::from("/no/such/folder/x").display().to_string();
    for option in ["--events", "--picture", "--movie"] {
        let line = fails(1, &["run", "box-16", option, &nowhere]);
        assert!(line.starts_with("/no/such/folder/x: cannot be written: "), "{line}");
    }
    #[cfg(target_os = "linux")]
    {
        // A disk that fills up while the run goes on.
        let line = fails(1, &["run", "box-100", "--until", "50", "--events", "/dev/full"]);
        assert!(line.starts_with("/dev/full: cannot be written: "), "{line}");
        let line = fails(1, &["run", "box-16", "--picture", "/dev/full"]);
        assert!(line.starts_with("/dev/full: cannot be written: "), "{line}");
    }
}

/// An infinite mass that presses a disc on a wall gives way, and the run goes on to its end.
#[test]
fn what_presses_on_a_wall_gives_way() {
    let folder = Folder::new();
    let scene = folder.write("press.toml", PRESS);
    let states = folder.path("s.jsonl");
    let said = succeeds(&["run", &scene, "--states", &states, "--every", "9"]);
    assert!(said.contains("simulated     to 9 s"), "{said}");
    let lines = std::fs::read_to_string(&states).unwrap();
    let last: serde_json::Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
    // Of radius 1, against a disc of radius 1 that touches the wall at 0.
    assert_eq!((last["time"].as_f64(), last["position"][0].as_f64()), (Some(9.0), Some(3.0)));
    assert_eq!(last["velocity"][0].as_f64().map(f64::abs), Some(0.0));
}

/// The paddle gives way at 2 s, where it touches the disc at the wall: it loses its whole speed of 1.
#[test]
fn events_say_what_was_crushed() {
    let folder = Folder::new();
    let (scene, events) = (folder.write("press.toml", PRESS), folder.path("e.jsonl"));
    let crushed = |filters: &[&str]| {
        succeeds(&[&["run", &scene, "--events", &events], filters].concat());
        let mut lines = crate::common::lines(&events);
        lines.retain(|line| line["kind"] == "crushed");
        lines
    };
    let all = crushed(&[]);
    let [line] = &all[..] else { panic!("{all:?}") };
    let expected = serde_json::json!({
        "time": 2.0, "t": [2.0, 0.0], "kind": "crushed", "body": 0, "by": 1,
        "against": { "wall": 0, "part": 0 }, "impulse": 1.0, "velocity": line["velocity"],
    });
    assert_eq!(*line, expected);
    assert_eq!([0, 1].map(|axis| line["velocity"][axis].as_f64().map(f64::abs)), [Some(0.0); 2]);
    for (filters, lines) in [
        (["--disc", "1"], 1),
        (["--sample", "1000000"], 1),
        (["--only", "wall"], 0),
        (["--events-from", "2.5"], 0),
        (["--events-until", "2"], 0),
    ] {
        assert_eq!(crushed(&filters).len(), lines, "{filters:?}");
    }
}

/// By `crush` in the settings of the scene.
#[test]
fn a_scene_may_end_where_something_is_crushed() {
    let folder = Folder::new();
    let stop = PRESS.replace("until = 9\n", "until = 9\n[settings]\ncrush = \"stop\"\n");
    let line = fails(3, &["run", &folder.write("stop.toml", &stop)]);
    assert!(line.contains("crush"), "{line}");
}

#[test]
fn a_scene_can_be_shown_changed_and_run() {
    let folder = Folder::new();
    let toml = folder.write("a.toml", &succeeds(&["show", "nine-ball-discs"]));
    let json = folder.write("b.json", &succeeds(&["show", "nine-ball-discs", "--json"]));
    let back = folder.write("c.toml", &succeeds(&["show", &json]));
    let events = folder.path("e.jsonl");
    let run = |scene: &str| {
        succeeds(&["run", scene, "--events", &events]);
        std::fs::read_to_string(&events).unwrap()
    };
    let first = run("nine-ball-discs");
    assert!(first.lines().count() > 20);
    for scene in [&toml, &json, &back] {
        assert_eq!(run(scene), first);
    }
}

#[test]
fn every_scene_is_listed_on_one_line() {
    let listed = succeeds(&["scenes"]);
    let names: Vec<&str> = listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() >= 14);
    for name in names {
        succeeds(&["show", name]);
    }
}

#[test]
fn the_command_alone_shows_its_help() {
    let output = carom(&[]);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""));
    assert_eq!(stderr(&output), succeeds(&["--help"]));
}

#[test]
fn the_help_explains() {
    insta::assert_snapshot!("help", succeeds(&["--help"]));
    insta::assert_snapshot!("help-run", succeeds(&["run", "--help"]));
}

#[test]
fn many_discs_say_their_memory() {
    let bytes = |scene: &str| {
        let said = succeeds(&["run", scene, "--until", "0.01"]);
        let line = said.lines().find(|line| line.starts_with("  memory"))?;
        line.split(", ").nth(1)?.strip_suffix(" bytes a disc")?.parse::<u64>().ok()
    };
    // A state takes 40 bytes at least, a pending event as much.
    assert!((80..10_000).contains(&bytes("box-1000").unwrap()));
    assert_eq!(bytes("box-16"), None);
}

/// Each break has its own seed: the tally is that of any number of threads, and of parts put together.
#[test]
fn breaks_are_counted() {
    let tally = |more: &[&str]| succeeds(&[&["break", "9-ball", "--gap", "1e-4"], more].concat());
    let all = tally(&["--count", "60", "--seed", "1", "--threads", "1"]);
    assert_eq!(all, tally(&["--count", "60", "--seed", "1", "--threads", "3"]));
    // Lines of a number of balls and a number of breaks.
    let counts = |text: &str| -> Vec<u64> {
        let rows = text.lines().skip(2).take_while(|line| !line.starts_with("mean"));
        rows.map(|line| line.split_whitespace().nth(1).unwrap().parse().unwrap()).collect()
    };
    assert_eq!(counts(&all).iter().sum::<u64>(), 60);
    let parts = [tally(&["--count", "40", "--seed", "1"]), tally(&["--count", "20", "--seed", "41"])];
    let mut sum = vec![0; counts(&all).len()];
    parts.iter().for_each(|part| counts(part).iter().enumerate().for_each(|(k, count)| sum[k] += count));
    assert_eq!(sum, counts(&all));
    for (wrong, word) in [("10-pin", "9-ball"), ("9-ball --gap 1", "gap"), ("9-ball --speed 99", "speed")] {
        let arguments: Vec<&str> = ["break"].into_iter().chain(wrong.split(' ')).collect();
        assert!(fails(2, &arguments).contains(word), "{wrong}");
    }
}

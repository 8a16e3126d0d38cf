//! Runs, scenes, help and wrong arguments.

use crate::common::{Folder, PRESS, stderr, stdout, succeeds};
use serde_json::Value;
use std::process::Stdio;

fn vector(value: &Value) -> [f64; 2] {
    [value[0].as_f64().unwrap(), value[1].as_f64().unwrap()]
}

#[test]
fn the_events_file_replays_to_the_states_of_the_end() {
    let folder = Folder::new();
    for scene in ["box-100", "nine-ball-discs", "newtons-cradle", "pod-arena"] {
        let said = folder.succeeds(&format!("run {scene} --events e.jsonl --states s.jsonl --every 0.5"));
        let (events, states) = (folder.lines("e.jsonl"), folder.lines("s.jsonl"));
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
    folder.succeeds("run box-16 --until 0.3 --states s.jsonl --every 0.1");
    let states = folder.lines("s.jsonl");
    let times: Vec<f64> = states.iter().step_by(16).map(|state| state["time"].as_f64().unwrap()).collect();
    // 3 · 0.1 is 0.30000000000000004: the end up to rounding, and so the end.
    assert_eq!(times, [0.0, 0.1, 0.2, 0.3]);
    // However often the run is looked at, it is the same run.
    let end = |every: &str| {
        folder.succeeds(&format!("run box-16 --until 8 --states s.jsonl --every {every}"));
        let all = folder.lines("s.jsonl");
        all[all.len() - 16..].to_vec()
    };
    assert_eq!(end("8"), end("0.03125"));
}

#[test]
fn max_events_stops_exactly_there_and_changes_nothing_before() {
    let folder = Folder::new();
    folder.succeeds("run box-100 --until 2 --events all.jsonl");
    let said = folder.succeeds("run box-100 --until 2 --events some.jsonl --max-events 50");
    assert!(said.contains("  events        50\n") && said.contains("stopped by --max-events"), "{said}");
    let (all, some) = (folder.text("all.jsonl"), folder.text("some.jsonl"));
    assert_eq!(some.lines().count(), 50);
    assert!(all.starts_with(&some));
}

#[test]
fn pictures_and_movies_are_what_they_say() {
    let folder = Folder::new();
    let said = folder.succeeds("run newtons-cradle --until 4 --picture p.png --movie m.gif --speed 4");
    assert!(said.contains("p.png") && said.contains("m.gif"), "{said}");
    let (png, gif) = (folder.bytes("p.png"), folder.bytes("m.gif"));
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    assert!(gif.starts_with(b"GIF89a") && gif.ends_with(&[0x3b]) && gif.len() > 1000);
}

#[test]
fn data_on_standard_output_is_alone_there() {
    let output = Folder::new().carom("run newtons-cradle --events -");
    assert!(output.status.success());
    for line in stdout(&output).lines() {
        serde_json::from_str::<Value>(line).unwrap();
    }
    assert!(stderr(&output).contains("energy"));
}

/// A reader that goes away is no error and no panic.
#[test]
fn a_closed_pipe_ends_the_run_quietly() {
    let folder = Folder::new();
    for line in ["run box-1000 --until 100 --events -", "scenes", "--help"] {
        let mut command = folder.command(line);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""), "{line}");
    }
}

#[test]
fn a_wrong_scene_is_one_line_that_says_where_and_what() {
    let folder = Folder::new();
    let head = "format = 1\nmodel = \"discs\"\nuntil = 1\n";
    let disc = "[[discs]]\nposition = [0, 0]\nradius = 1\n";
    folder.write("unknown.toml", format!("{head}{disc}colr = \"red\"\n"));
    folder.write("overlap.toml", format!("{head}{disc}{disc}"));
    folder.write("broken.json", "{\"format\": 1,\n \"model\" \"discs\"}");
    let begins = |line: &str, begin: &str| assert!(folder.fails(2, line).starts_with(begin), "{line}");
    begins("run unknown.toml", "unknown.toml:7:1: discs[0].colr: unknown field `colr`");
    begins("run overlap.toml", "overlap.toml:7:1: discs[1]: overlaps discs[0] by 2; allowed is");
    begins("run none.toml", "none.toml: cannot be read: ");
    begins("show unknown.toml", "unknown.toml:7:1:");
    assert_eq!(folder.fails(2, "run broken.json"), "broken.json:2:10: expected `:`");
    assert_eq!(
        folder.fails(2, "run nine-bal-discs"),
        "nine-bal-discs: neither a named scene nor a file; the nearest name is `nine-ball-discs`; \
         `carom scenes` lists the names"
    );
}

/// Each with one line that has what is said there, or begins with it if that is an option and a colon.
#[test]
fn wrong_lines_are_refused() {
    let table = include_str!("../refused.txt").lines().skip(1).filter(|line| !line.is_empty());
    let table: Vec<&str> = table.map(str::trim_start).collect();
    for [line, what] in table.as_chunks().0 {
        let said = Folder::new().fails(2, line);
        let is_begun = !(what.starts_with("--") && what.contains(':')) || said.starts_with(what);
        assert!(said.contains(what) && is_begun, "{line}: {said}");
    }
    let folder = Folder::new();
    folder.write("s.toml", succeeds("show box-16"));
    folder.says("run s.toml --events s.toml", "the scene itself would be written over");
    assert!(folder.text("s.toml").starts_with("# A bench"));
}

#[test]
fn periodic_scenes_have_pictures_and_movies() {
    let folder = Folder::new();
    let scene = "format = 1\nmodel = \"discs\"\nuntil = 1\n[periodic]\nx = 4\ny = 2\n\
        [[discs]]\nposition = [3.9, 1.0]\nvelocity = [1.0, 0.5]\nradius = 0.2\n";
    folder.write("round.toml", scene);
    folder.succeeds("run round.toml --picture a.png");
    folder.succeeds("run round.toml --movie a.gif");
    assert!(folder.bytes("a.png").starts_with(b"\x89PNG") && folder.bytes("a.gif").starts_with(b"GIF8"));
}

#[test]
fn an_output_that_cannot_be_written_is_one_line_and_code_1() {
    let folder = Folder::new();
    let cannot = |file: &str, line: &str| {
        let said = folder.fails(1, &format!("run {line} {file}"));
        assert!(said.starts_with(&format!("{file}: cannot be written: ")), "{said}");
    };
    for option in ["--events", "--picture", "--movie"] {
        cannot("/no/such/folder/x", &format!("box-16 {option}"));
    }
    // A disk that fills up while the run goes on.
    #[cfg(target_os = "linux")]
    for line in ["box-100 --until 50 --events", "box-16 --picture"] {
        cannot("/dev/full", line);
    }
}

/// An infinite mass that presses a disc on a wall gives way, and the run goes on to its end.
#[test]
fn what_presses_on_a_wall_gives_way() {
    let folder = Folder::new();
    folder.write("press.toml", PRESS);
    let said = folder.succeeds("run press.toml --states s.jsonl --every 9");
    assert!(said.contains("simulated     to 9 s"), "{said}");
    let lines = folder.lines("s.jsonl");
    let last = lines.last().unwrap();
    // Of radius 1, against a disc of radius 1 that touches the wall at 0.
    assert_eq!((last["time"].as_f64(), last["position"][0].as_f64()), (Some(9.0), Some(3.0)));
    assert_eq!(last["velocity"][0].as_f64().map(f64::abs), Some(0.0));
}

/// The paddle gives way at 2 s, where it touches the disc at the wall: it loses its whole speed of 1.
#[test]
fn events_say_what_was_crushed() {
    let folder = Folder::new();
    folder.write("press.toml", PRESS);
    let crushed = |filter: &str| {
        folder.succeeds(&format!("run press.toml --events e.jsonl {filter}"));
        let mut lines = folder.lines("e.jsonl");
        lines.retain(|line| line["kind"] == "crushed");
        lines
    };
    let all = crushed("");
    let [line] = &all[..] else { panic!("{all:?}") };
    let expected = serde_json::json!({
        "time": 2.0, "t": [2.0, 0.0], "kind": "crushed", "body": 0, "by": 1,
        "against": { "wall": 0, "part": 0 }, "impulse": 1.0, "velocity": line["velocity"],
    });
    assert_eq!(*line, expected);
    assert_eq!([0, 1].map(|axis| line["velocity"][axis].as_f64().map(f64::abs)), [Some(0.0); 2]);
    for filter in ["--disc 1", "--sample 1000000"] {
        assert_eq!(crushed(filter).len(), 1, "{filter}");
    }
    for filter in ["--only wall", "--events-from 2.5", "--events-until 2"] {
        assert_eq!(crushed(filter).len(), 0, "{filter}");
    }
}

/// By `crush` in the settings of the scene.
#[test]
fn a_scene_may_end_where_something_is_crushed() {
    let folder = Folder::new();
    let stop = PRESS.replace("until = 9\n", "until = 9\n[settings]\ncrush = \"stop\"\n");
    folder.write("stop.toml", stop);
    let line = folder.fails(3, "run stop.toml");
    assert!(line.contains("crush"), "{line}");
}

#[test]
fn a_scene_can_be_shown_changed_and_run() {
    let folder = Folder::new();
    folder.write("a.toml", succeeds("show nine-ball-discs"));
    folder.write("b.json", succeeds("show nine-ball-discs --json"));
    folder.write("c.toml", folder.succeeds("show b.json"));
    let run = |scene: &str| {
        folder.succeeds(&format!("run {scene} --events e.jsonl"));
        folder.text("e.jsonl")
    };
    let first = run("nine-ball-discs");
    assert!(first.lines().count() > 20);
    for scene in ["a.toml", "b.json", "c.toml"] {
        assert_eq!(run(scene), first);
    }
}

#[test]
fn every_scene_is_listed_on_one_line() {
    let listed = succeeds("scenes");
    let names: Vec<&str> = listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() >= 14);
    for (name, line) in names.into_iter().zip(listed.lines()) {
        succeeds(&format!("show {name}"));
        // A sentence that says what is there to be seen.
        assert!(line.ends_with('.') && line.split_whitespace().count() > 4, "{line}");
    }
}

#[test]
fn the_schema_is_shown_without_a_scene() {
    assert_eq!(succeeds("show --schema"), carom_scene::SCHEMA);
}

#[test]
fn the_command_alone_shows_its_help() {
    let output = Folder::new().carom("");
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""));
    assert_eq!(stderr(&output), succeeds("--help"));
}

#[test]
fn the_help_explains() {
    insta::assert_snapshot!("help", succeeds("--help"));
    insta::assert_snapshot!("help-run", succeeds("run --help"));
}

#[test]
fn many_discs_say_their_memory() {
    let bytes = |scene: &str| {
        let said = succeeds(&format!("run {scene} --until 0.01"));
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
    let tally = |more: &str| succeeds(&format!("break 9-ball --gap 1e-4 {more}"));
    let all = tally("--count 60 --seed 1 --threads 1");
    assert_eq!(all, tally("--count 60 --seed 1 --threads 3"));
    // Lines of a number of balls and a number of breaks.
    let counts = |text: &str| -> Vec<u64> {
        let rows = text.lines().skip(2).take_while(|line| !line.starts_with("mean"));
        rows.map(|line| line.split_whitespace().nth(1).unwrap().parse().unwrap()).collect()
    };
    assert_eq!(counts(&all).iter().sum::<u64>(), 60);
    let parts = [tally("--count 40 --seed 1"), tally("--count 20 --seed 41")];
    let mut sum = vec![0; counts(&all).len()];
    parts.iter().for_each(|part| counts(part).iter().enumerate().for_each(|(k, count)| sum[k] += count));
    assert_eq!(sum, counts(&all));
}

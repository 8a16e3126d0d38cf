//! `carom run` on scenes with forces.

use crate::common::Folder;

/// Thrown up at 8 under a gravity of 8: at t it is at 8t − 4t², with the velocity 8 − 8t.
#[test]
fn states_of_a_thrown_disc_have_its_acceleration() {
    let folder = Folder::new();
    folder.write(
        "thrown.toml",
        "format = 1\nmodel = \"discs\"\nuntil = 2\ngravity = [0, -8]\n\
         discs = [{ position = [0, 0], velocity = [1, 8], radius = 0.5, mass = 2 }]\n",
    );
    let report = folder.succeeds("run thrown.toml --states states.jsonl --every 0.25");
    for (k, line) in (0..).zip(folder.lines("states.jsonl")) {
        let t = 0.25 * f64::from(k);
        assert_eq!(line["position"], serde_json::json!([t, 8.0 * t - 4.0 * t * t]));
        assert_eq!(line["velocity"], serde_json::json!([1.0, 8.0 - 8.0 * t]));
        assert_eq!(line["acceleration"], serde_json::json!([0.0, -8.0]));
    }
    // ½ m v² at the start, all of it again where it started from.
    assert!(
        report.contains("  energy               65.0000         65.0000              none\n"),
        "{report}"
    );
    assert!(report.contains("  potential "), "{report}");
}

/// Scenes without forces have lines as ever.
#[test]
fn straight_states_have_no_acceleration() {
    let folder = Folder::new();
    let report = folder.succeeds("run box-16 --until 1 --states states.jsonl --every 0.5");
    assert!(folder.lines("states.jsonl").iter().all(|line| line.get("acceleration").is_none()));
    assert!(!report.contains("potential"), "{report}");
}

/// Every puck slides until friction stops it, which is an event, and then lies still.
#[test]
fn pucks_come_to_a_stop() {
    let folder = Folder::new();
    let files = "--events e.jsonl --states s.jsonl --every 12 --picture p.png --width 300";
    let movie = "--movie m.gif --movie-width 200 --speed 12";
    let report = folder.succeeds(&format!("run air-table {files} {movie}"));
    let stops = folder.lines("e.jsonl").iter().filter(|line| line["kind"] == "stopped").count();
    assert!(
        report.contains(&format!("  stopped       {stops} times by friction or a speed limit\n")),
        "{report}"
    );
    let last = folder.lines("s.jsonl");
    assert!(stops >= 15 && last.len() == 32);
    for line in &last[16..] {
        assert_eq!(line["velocity"], serde_json::json!([0.0, 0.0]));
        assert_eq!(line["acceleration"], serde_json::json!([0.0, 0.0]));
    }
    assert!(folder.bytes("p.png").starts_with(b"\x89PNG") && folder.bytes("m.gif").starts_with(b"GIF89a"));
    // What is recorded of a run does not change it.
    folder.succeeds("run air-table --events others.jsonl");
    assert!(folder.bytes("e.jsonl") == folder.bytes("others.jsonl"));
}

/// A ball without bounce falls on a ramp, slides down and off: what begins and ends is in the events.
#[test]
fn events_say_what_presses() {
    let folder = Folder::new();
    folder.write(
        "ramp.toml",
        "format = 1\nmodel = \"discs\"\nuntil = 3\ngravity = [0, -8]\n\
         discs = [{ position = [-1, 2], radius = 0.25, restitution = 0 }]\n\
         [[walls]]\nshape = \"segment\"\na = [-2, 1]\nb = [0, 0]\n",
    );
    let report = folder.succeeds("run ramp.toml --events events.jsonl");
    // A loss of so much energy, as a part of nothing.
    let energy = report.lines().find(|line| line.starts_with("  energy  ")).unwrap();
    assert!(energy.split_whitespace().last().unwrap().parse::<f64>().unwrap() < -1.0, "{energy}");
    let lines = folder.lines("events.jsonl");
    let kinds: Vec<_> = lines.iter().map(|line| line["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["wall", "held", "let_go"]);
    for line in &lines[1..] {
        assert_eq!([&line["a"], &line["wall"], &line["part"]], [0, 0, 0]);
    }
    // It presses where it has hit, and ceases to at the end of the ramp.
    assert_eq!(lines[0]["point"], lines[1]["point"]);
    let end = |k: usize| lines[2]["point"][k].as_f64().unwrap();
    assert!(end(0).abs() < 1e-12 && end(1).abs() < 1e-12, "{}", lines[2]);
}

/// Under drag at ln 2 a second speeds halve each second, and half of the way left is gone: v/k in all.
#[test]
fn drag_halves_speeds() {
    let folder = Folder::new();
    folder.write(
        "slow.toml",
        "format = 1\nmodel = \"discs\"\nuntil = 8\nsettings = { drag = 0.6931471805599453 }\n\
         discs = [{ position = [0, 0], velocity = [8, 0], radius = 0.5, mass = 2 }]\n",
    );
    let report = folder.succeeds("run slow.toml --states states.jsonl --every 1 --movie m.gif");
    let states = folder.lines("states.jsonl");
    let whole = 8.0 / std::f64::consts::LN_2;
    for (k, line) in (0..).zip(&states) {
        let left = 0.5_f64.powi(k);
        let (x, v) = (line["position"][0].as_f64().unwrap(), line["velocity"][0].as_f64().unwrap());
        assert!((v - 8.0 * left).abs() < 1e-14 && (x - whole * (1.0 - left)).abs() < 1e-14, "{line}");
    }
    // ½ m v² is 64 at the start, and 2⁻¹⁶ of it is left.
    assert!(report.contains("drag -63.999"), "{report}");
    // A run that is saved halfway and gone on with comes to the same.
    folder.succeeds("run slow.toml --until 4.5 --save half.carom");
    folder.succeeds("run --resume half.carom --until 8 --states on.jsonl --every 1");
    assert_eq!(folder.lines("on.jsonl").last(), states.last());
}

/// A ring that is set on a floor spinning at −8, clockwise, under a gravity of 10 and a friction of 0.25: it
/// slips for |ω| R/(2 μ g) = 1.6 s, and then rolls at half of the speed that its edge had. A quarter of the
/// energy, ½ m R² ω² at first, is in its path then, and a quarter in its rotation. A run that is saved on the
/// way goes on with the same bits.
#[test]
fn rough_discs_turn() {
    let folder = Folder::new();
    folder.write(
        "ring.toml",
        "format = 1\nmodel = \"discs\"\nuntil = 4\ngravity = [0, -10]\nroughness = { friction = 0.25 }\n\
         discs = [{ position = [0, 1], radius = 1, inertia = 1, angular_velocity = -8 }]\n\
         [[walls]]\nshape = \"segment\"\na = [-1, 0]\nb = [20, 0]\n",
    );
    let report = folder.succeeds("run ring.toml --states s.jsonl --every 0.5 --picture p.png --movie m.gif");
    let near = |value: &serde_json::Value, expected: f64| {
        let value = value.as_f64().unwrap();
        assert!((value - expected).abs() < 1e-12, "{value} is not {expected}");
    };
    for (k, line) in (0..).zip(folder.lines("s.jsonl")) {
        let t = 0.5 * f64::from(k);
        near(&line["velocity"][0], (2.5 * t).min(4.0));
        near(&line["angular_velocity"], (-8.0 + 2.5 * t).min(-4.0));
    }
    let rotational = report.lines().find(|line| line.starts_with("  rotational ")).unwrap();
    assert_eq!(rotational.split_whitespace().collect::<Vec<_>>()[1..], ["32.0000", "8.00000", "-24.0000"]);
    let (until, on) = ("run ring.toml --until 1 --save half.json", "run --resume half.json --states t.jsonl");
    folder.succeeds(until);
    folder.succeeds(&format!("{on} --every 0.5"));
    let last = |name: &str| folder.lines(name).pop().unwrap();
    assert_eq!(last("t.jsonl"), last("s.jsonl"));
    assert!(folder.bytes("p.png").starts_with(b"\x89PNG") && folder.bytes("m.gif").starts_with(b"GIF89a"));
}

/// Each of the three shots takes a rock along, and both lines name the other one. The ship is at its limit of
/// 4 where (0.5 + 0.4 t)² + (0.9 t)² = 16.
#[test]
fn asteroids_writes_what_is_gone() {
    let folder = Folder::new();
    folder.succeeds("run asteroids --events e.jsonl");
    let lines = folder.lines("e.jsonl");
    let of = |kind: &'static str| lines.iter().filter(move |line| line["kind"] == kind);
    let pairs: Vec<_> = of("removed").map(|line| [&line["body"], &line["by"]["disc"]]).collect();
    for bullet in 1..=3 {
        let rock = pairs.iter().find(|[body, _]| *body == bullet).unwrap()[1];
        assert!(pairs.iter().any(|[body, by]| *body == rock && *by == bullet), "{pairs:?}");
    }
    let limit = of("reached_limit").next().unwrap()["time"].as_f64().unwrap();
    let expected = (-0.4 + (0.16_f64 + 4.0 * 0.97 * 15.75).sqrt()) / (2.0 * 0.97);
    assert!((limit - expected).abs() < 1e-14, "{limit} {expected}");
    // The rules that a scene with a verdict `capture` has: the second ball of breakout is lost to the floor.
    folder.succeeds("run breakout --events e.jsonl");
    let lines = folder.lines("e.jsonl");
    let lost: Vec<_> = lines.iter().filter(|line| line["kind"] == "captured").collect();
    assert_eq!((lost.len(), &lost[0]["body"], &lost[0]["by"]["wall"]), (1, &1.into(), &0.into()));
    assert!(lines.iter().any(|line| line["kind"] == "wall_removed"));
}

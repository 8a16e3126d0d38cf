//! Billiards at the command line: scenes that are run, shots.

use crate::common::{Folder, succeeds};
use serde_json::Value;

/// A straight shot into the side pocket, told and drawn.
#[test]
fn a_shot_is_told_and_drawn() {
    let folder = Folder::new();
    let shot = "shot pool-9ft --cue 0.4,1.27 --ball 8=0.8,1.27 --angle 0";
    let said = folder.succeeds(&format!("{shot} --english 0,-0.3 --picture shot.png"));
    let last = said.lines().last().unwrap().to_string();
    assert!(last.starts_with("first hit: 8; potted: 8 (pocket 4)"), "{last}");
    assert!(folder.bytes("shot.png").starts_with(b"\x89PNG"));
}

/// Law: a piece of a path ends where the next one begins, in files of both kinds; hits name who met whom, a
/// ball that is moved out of its rack lies where it is put, and the strip is as wide as a picture and three
/// times as high.
#[test]
fn a_shot_is_explained() {
    let folder = Folder::new();
    let shot = "shot pool-9ft --rack 9-ball --ball 9=0.4,0.4 --cue 0.635,0.6 --speed 8";
    let said = folder.succeeds(&format!("{shot} --strip s.png --picture p.png --numbers --paths p.csv"));
    assert!(said.contains("meets cue    1 ") && said.contains("meets 1      cue "), "{said}");
    folder.succeeds(&format!("{shot} --paths p.jsonl"));
    let text = String::from_utf8(folder.bytes("p.csv")).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0].join(","), "ball,start,end,motion,x,y,vx,vy,ax,ay,wx,wy,wz");
    let lines = folder.lines("p.jsonl");
    assert_eq!(lines.len() + 1, rows.len());
    for (row, line) in rows[1..].iter().zip(&lines) {
        assert_eq!((row[0], row[3]), (line["ball"].as_str().unwrap(), line["motion"].as_str().unwrap()));
        assert_eq!(row[4].parse::<f64>().unwrap(), line["x"].as_f64().unwrap());
    }
    for pair in lines.windows(2).filter(|pair| pair[0]["ball"] == pair[1]["ball"]) {
        let number = |k: usize, name: &str| pair[k][name].as_f64().unwrap();
        let t = number(0, "end") - number(0, "start");
        for [x, v, a] in [["x", "vx", "ax"], ["y", "vy", "ay"]] {
            let end = number(0, x) + (number(0, v) + 0.5 * number(0, a) * t) * t;
            assert!((end - number(1, x)).abs() < 1e-9, "{pair:?}");
        }
        assert_eq!(number(0, "end"), number(1, "start"));
    }
    let nine = lines.iter().find(|line| line["ball"] == "9").unwrap();
    assert_eq!((nine["x"].as_f64().unwrap(), nine["y"].as_f64().unwrap()), (0.4, 0.4));
    let size = |name: &str| {
        let bytes = folder.bytes(name);
        [16, 20].map(|at| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()))
    };
    let ([width, height], strip) = (size("p.png"), size("s.png"));
    assert_eq!(strip, [width, 3 * height]);
}

/// Where the tip reaches a ball: before a rail from a steeper cue the lower the tip is.
#[test]
fn a_map_shows_where_the_tip_reaches_the_ball() {
    let folder = Folder::new();
    let vary = "--vary side=-0.3..0.3 --vary height=-0.3..0.3 --count 100 --measure elevation --map m.png";
    folder.succeeds(&format!("shot pool-9ft --cue 0.6,0.1 {vary}"));
    assert!(folder.bytes("m.png").starts_with(b"\x89PNG"));
    let least = |height: f64| {
        let said = succeeds(&format!("shot pool-9ft --cue 0.6,0.04 --english 0,{height}"));
        let words = said.split("elevation of ").nth(1).unwrap();
        words.split(' ').next().unwrap().parse::<f64>().unwrap()
    };
    assert!(least(-0.3) > least(0.0) && least(0.0) > least(0.3));
}

/// The shots of a table, the most likely first: the same on any number of threads; blocked ones are left out.
#[test]
fn aims_are_found() {
    let folder = Folder::new();
    let aim = "aim pool-9ft --cue 0.6,0.6 --ball 1=0.9,1.9 --simulations 300";
    let said = folder.succeeds(&format!("{aim} --picture aim.png"));
    let first: Vec<&str> = said.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!((first[5], first[6], first[7]), ("1", "5", "straight"), "{said}");
    assert!(folder.bytes("aim.png").starts_with(b"\x89PNG"));
    assert_eq!(succeeds(&format!("{aim} --threads 1")), said);
    let plugged = succeeds(&format!("{aim} --ball 2=1.14,2.38 --pot 1 --first 1"));
    assert!(!plugged.contains("5  straight"), "{plugged}");
    assert!(succeeds("aim carom-10ft --ball red=0.7,2").starts_with("nothing can be potted"));
    assert!(succeeds("aim stop-shot --simulations 100").contains("straight"));
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// Law: what one event leaves the next one finds, moved on in between; what rests has not moved, to the bit.
/// The scene written again as JSON runs the same.
#[test]
fn scenes_of_billiards_are_run() {
    let folder = Folder::new();
    let said = folder.succeeds("run 9-ball-break --events e.jsonl --picture p.png --width 600");
    assert!(said.starts_with("Nine-ball break (9-ball-break)\n"), "{said}");
    assert!(said.contains("all balls rest") && said.contains("  first hit     1\n"), "{said}");
    assert!(folder.bytes("p.png").starts_with(b"\x89PNG"));
    let mut left: Vec<Option<(f64, Value)>> = vec![None; 10];
    let mut time = 0.0;
    let all = folder.lines("e.jsonl");
    for event in &all {
        let now = event["time"].as_f64().unwrap();
        assert!(now >= time);
        time = now;
        for ball in event["balls"].as_array().unwrap() {
            let (index, before) = (ball["index"].as_u64().unwrap() as usize, &ball["before"]);
            if let Some((then, after)) = &left[index] {
                let (from, to) = (numbers(&after["position"]), numbers(&before["position"]));
                let speed = numbers(&after["velocity"]).iter().map(|v| v * v).sum::<f64>().sqrt();
                let moved = (from[0] - to[0]).hypot(from[1] - to[1]);
                // Nothing makes a ball faster between events, except for its own topspin: that by 5/7 at
                // most.
                assert!(moved <= 3.0 * (speed + 0.5) * (now - then) + 1e-12, "{event}");
                if after["motion"] == "resting" {
                    assert_eq!(
                        (&after["position"], &after["velocity"]),
                        (&before["position"], &before["velocity"])
                    );
                }
                assert_eq!(before["spin"].as_array().unwrap().len(), 3);
            }
            left[index] = Some((now, ball["after"].clone()));
        }
    }
    let count = |kind: &str| all.iter().filter(|event| event["kind"] == kind).count();
    assert!(count("balls") > 10 && count("cushion") > 10 && count("rolls") > 10 && count("potted") == 3);
    folder.write("b.json", succeeds("show 9-ball-break --json"));
    folder.succeeds("run b.json --events again.jsonl");
    assert_eq!(folder.lines("again.jsonl"), all);
    folder.succeeds("run b.json --events again.jsonl --only wall --disc 0 --events-from 0.1");
    let kept = folder.lines("again.jsonl");
    let is_kept = |event: &&Value| event["kind"] == "cushion" && event["balls"][0]["index"] == 0;
    assert_eq!(kept.iter().collect::<Vec<_>>(), all.iter().filter(is_kept).collect::<Vec<_>>());
}

/// Law: what means nothing is refused by its name; a wrong file says where.
#[test]
fn wrong_scenes_of_billiards_are_refused() {
    let folder = Folder::new();
    folder.write("w.toml", "format = 1\nmodel = \"billiards\"\n[table]\nname = \"pool-9ft\"\nnse = 1\n");
    folder.says("run w.toml", "w.toml:5:1: table.nse: unknown field `nse`");
    let said = succeeds("run stop-shot --until 0.2");
    assert!(said.contains("0.200 s; stopped by the time that was given"), "{said}");
    let ever = "format = 1\nmodel = \"billiards\"\n[table]\nname = \"carom-10ft\"\ncushion = \"mirror\"\n\
        ball = { rolling = 0, sliding = 0 }\n\
        [[balls]]\nlabel = \"cue\"\nposition = [0.7, 0.7]\nvelocity = [30, 20]\n";
    folder.write("ever.toml", ever);
    for line in ["run ever.toml", "run stop-shot --max-events 2"] {
        let said = folder.succeeds(line);
        assert!(said.contains("stopped by the number of events"), "{said}");
    }
}

fn csv(text: &str) -> Vec<Vec<String>> {
    text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

/// Law: each of many shots is the shot that is played alone, whatever the number of threads; a grid has its
/// values in the middles of its cells.
#[test]
fn shots_vary() {
    let folder = Folder::new();
    let run = |threads: &str| {
        let vary = "shot stop-shot --vary angle=44..46 --vary speed=1..3 --count 30";
        let more = format!("--csv v.csv --map m.png --measure falls:1 --threads {threads}");
        (folder.succeeds(&format!("{vary} {more}")), folder.bytes("v.csv"), folder.bytes("m.png"))
    };
    let (said, ..) = run("1");
    assert_eq!(run("1"), run("3"));
    assert!(
        said.starts_with(
            "30 shots of stop-shot: angle from 44 to 46 degrees, speed from 1 to 3 m/s, 6 by 5\n"
        )
    );
    let rows = csv(&folder.text("v.csv"));
    assert_eq!(rows[0][..5].join(","), "shot,angle,speed,potted,pockets");
    assert_eq!(rows.len(), 31);
    let number = |row: usize, column: usize| rows[row][column].parse::<f64>().unwrap();
    assert!((number(1, 1) - (44.0 + 1.0 / 6.0)).abs() < 1e-12 && (number(1, 2) - 1.2).abs() < 1e-12);
    for row in [1, 15, 16, 30] {
        let alone = format!("shot stop-shot --angle {} --speed {}", rows[row][1], rows[row][2]);
        let last = succeeds(&alone).lines().last().unwrap().to_owned();
        let falls = last.contains("potted: 1 (pocket 5)");
        assert_eq!(rows[row][3..5] == ["1", "5"], falls, "{last} {:?}", rows[row]);
        assert!(last.ends_with(&format!("at rest after {:.3} s", number(row, 10))), "{last} {:?}", rows[row]);
    }
    let falls = rows.iter().skip(1).filter(|row| row[3] == "1").count();
    assert!((3..30).contains(&falls), "{falls}");
}

/// Law: a player's spread is drawn by the seed, and has the mean and the deviation that were asked for.
#[test]
fn a_spread_is_drawn_by_its_seed() {
    let folder = Folder::new();
    let run = |seed: &str| {
        let vary = "shot pool-9ft --vary angle=90~0.5 --vary x=0.3..0.9 --count 400";
        folder.succeeds(&format!("{vary} --seed {seed} --csv v.csv"));
        csv(&folder.text("v.csv"))
    };
    let (one, other) = (run("1"), run("2"));
    assert!(one == run("1") && one != other);
    let column = |k: usize| one.iter().skip(1).map(move |row| row[k].parse::<f64>().unwrap());
    let mean = column(1).sum::<f64>() / 400.0;
    let deviation = (column(1).map(|angle| (angle - mean).powi(2)).sum::<f64>() / 400.0).sqrt();
    // Four standard errors: 0.5/20 of the mean, 0.5/28 of the deviation.
    assert!((mean - 90.0).abs() < 0.1 && (deviation - 0.5).abs() < 0.07, "{mean} {deviation}");
    assert!(column(2).all(|x| (0.3..0.9).contains(&x)));
}

/// Law: where the system refuses threads, those that there are do the work, and what comes of it is the same.
#[test]
fn threads_that_are_refused_are_done_without() {
    let folder = Folder::new();
    for line in [
        "break 9-ball --count 3 --threads 2",
        "shot stop-shot --vary speed=1..3 --count 20 --threads 2",
        "aim pool-9ft --cue 0.6,0.6 --ball 1=0.9,1.9 --simulations 100 --threads 2",
    ] {
        // No address space has room for a stack of this size.
        let output = folder.command(line).env("RUST_MIN_STACK", "100000000000000").output().unwrap();
        assert_eq!(output, folder.carom(line), "{line}");
        assert!(output.status.success(), "{line}");
    }
}

/// Law: a rack has gaps, which its seed draws, so that no break is the mirror image of itself. A tight one
/// is, and all its breaks from straight ahead are one.
#[test]
fn racks_are_drawn_by_their_seed() {
    let run = |seed: u32, more: &str| {
        let line = format!("shot pool-9ft --rack 9-ball --speed 8 --seed {seed} {more}");
        succeeds(&line).lines().last().unwrap().to_owned()
    };
    assert!(run(1, "") != run(2, "") && run(1, "") == run(1, "--gap 0.0001"));
    assert_eq!(run(1, "--gap 0"), run(2, "--gap 0"));
}

/// What the help shows can be played: nothing is in the way of the cue.
#[test]
fn the_examples_of_the_help_are_clear() {
    let help = succeeds("shot --help");
    let examples = help.lines().filter_map(|line| line.strip_prefix("  carom shot "));
    let single: Vec<&str> = examples.filter(|line| !line.contains("--vary")).collect();
    assert_eq!(single.len(), 5);
    for line in single {
        let said = Folder::new().succeeds(&format!("shot {line}"));
        assert!(said.starts_with("   time (s)"), "{line}: {said}");
    }
}

#[test]
fn the_help_on_shots_explains() {
    insta::assert_snapshot!("help-shot", succeeds("shot --help"));
}

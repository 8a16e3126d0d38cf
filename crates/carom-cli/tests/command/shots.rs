//! Billiards at the command line: scenes that are run, shots.

use crate::common::{Folder, fails, lines, succeeds};
use serde_json::Value;

/// A straight shot into the side pocket, told and drawn.
#[test]
fn a_shot_is_told_and_drawn() {
    let folder = Folder::new();
    let picture = folder.path("shot.png");
    let shot = ["shot", "pool-9ft", "--cue", "0.4,1.27", "--ball", "8=0.8,1.27", "--angle", "0"];
    let said = succeeds(&[&shot[..], &["--english", "0,-0.3", "--picture", &picture]].concat());
    let last = said.lines().last().unwrap().to_string();
    assert!(last.starts_with("first hit: 8; potted: 8 (pocket 4)"), "{last}");
    assert!(std::fs::read(&picture).unwrap().starts_with(b"\x89PNG"));
    assert!(fails(2, &[&shot[..], &["--english", "0.4,0.4"]].concat()).contains("miscue"));
    assert!(fails(2, &["shot", "pool-9ft", "--cue", "here"]).contains("two numbers"));
}

/// The shots of a table, the most likely first: the same on any number of threads; blocked ones are left out.
#[test]
fn aims_are_found() {
    let folder = Folder::new();
    let picture = folder.path("aim.png");
    let aim = ["aim", "pool-9ft", "--cue", "0.6,0.6", "--ball", "1=0.9,1.9", "--simulations", "300"];
    let said = succeeds(&[&aim[..], &["--picture", &picture]].concat());
    let first: Vec<&str> = said.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!((first[5], first[6], first[7]), ("1", "5", "straight"), "{said}");
    assert!(std::fs::read(&picture).unwrap().starts_with(b"\x89PNG"));
    assert_eq!(succeeds(&[&aim[..], &["--threads", "1"]].concat()), said);
    let plugged = succeeds(&[&aim[..], &["--ball", "2=1.14,2.38", "--pot", "1", "--first", "1"]].concat());
    assert!(!plugged.contains("5  straight"), "{plugged}");
    assert!(succeeds(&["aim", "carom-10ft", "--ball", "red=0.7,2"]).starts_with("nothing can be potted"));
    assert!(succeeds(&["aim", "stop-shot", "--simulations", "100"]).contains("straight"));
    assert!(fails(2, &[&aim[..], &["--pot", "9"]].concat()).contains("there is no ball \"9\""));
    assert!(fails(2, &[&aim[..], &["--skill", "-1"]].concat()).starts_with("--skill: -1 is not allowed"));
    assert!(fails(2, &[&aim[..], &["--speed", "0"]].concat()).contains("speed is 0"));
    assert!(fails(2, &["aim", "stop-shot", "--ball", "2=1,1"]).contains("has its own balls"));
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// Law: what one event leaves the next one finds, moved on in between; what rests has not moved, to the bit.
/// The scene written again as JSON runs the same.
#[test]
fn scenes_of_billiards_are_run() {
    let folder = Folder::new();
    let (events, picture) = (folder.path("e.jsonl"), folder.path("p.png"));
    let said =
        succeeds(&["run", "9-ball-break", "--events", &events, "--picture", &picture, "--width", "600"]);
    assert!(said.starts_with("Nine-ball break (9-ball-break)\n"), "{said}");
    assert!(said.contains("all balls rest") && said.contains("  first hit     1\n"), "{said}");
    assert!(std::fs::read(&picture).unwrap().starts_with(b"\x89PNG"));
    let mut left: Vec<Option<(f64, Value)>> = vec![None; 10];
    let mut time = 0.0;
    let all = lines(&events);
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
                // Nothing makes a ball faster between events, but for its own topspin: that by 5/7 at most.
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
    let json = folder.write("b.json", &succeeds(&["show", "9-ball-break", "--json"]));
    let again = folder.path("again.jsonl");
    succeeds(&["run", &json, "--events", &again]);
    assert_eq!(lines(&again), all);
    succeeds(&["run", &json, "--events", &again, "--only", "wall", "--disc", "0", "--events-from", "0.1"]);
    let kept = lines(&again);
    let is_kept = |event: &&Value| event["kind"] == "cushion" && event["balls"][0]["index"] == 0;
    assert_eq!(kept.iter().collect::<Vec<_>>(), all.iter().filter(is_kept).collect::<Vec<_>>());
}

/// Law: what means nothing is refused by its name; a wrong file says where.
#[test]
fn wrong_scenes_of_billiards_are_refused() {
    let folder = Folder::new();
    let wrong =
        folder.write("w.toml", "format = 1\nmodel = \"billiards\"\n[table]\nname = \"pool-9ft\"\nnse = 1\n");
    let said = fails(2, &["run", &wrong]);
    assert!(said.contains("w.toml:5:1: table.nse: unknown field `nse`"), "{said}");
    let path = folder.path("x.json");
    assert!(fails(2, &["run", "stop-shot", "--save", &path]).starts_with("--save: has no meaning"));
    assert!(fails(2, &["run", "stop-shot", "--until", "0"]).starts_with("--until: 0 is not allowed"));
    assert!(fails(2, &["run", "stop-shit"]).contains("the nearest name is `stop-shot`"));
    let said = succeeds(&["run", "stop-shot", "--until", "0.2"]);
    assert!(said.contains("0.200 s; stopped by the time that was given"), "{said}");
    let said = succeeds(&["run", "stop-shot", "--max-events", "2"]);
    assert!(said.contains("stopped by the number of events"), "{said}");
}

//! The shots of the page on billiards, as a player types them: what the page says of them.

use crate::common::{Folder, succeeds};

const PAGE: &str = include_str!("../../../../docs/billiards.md");

/// The commands of the section, one a line, without `carom`.
fn commands() -> Vec<String> {
    let section = PAGE.split("## Five shots\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let text = section.replace("\\\n", "");
    let commands = text.lines().filter_map(|line| line.strip_prefix("cargo run --release -p carom-cli -- "));
    commands.map(str::to_owned).collect()
}

/// Time, what happens, ball, place, speed, top, side and spin of each line that a shot prints.
fn events(said: &str) -> Vec<(String, String, [f64; 6])> {
    let table = said.lines().skip_while(|line| !line.starts_with("   time (s)")).skip(1);
    let row = |line: &str| {
        let what = line[13..26].trim().to_owned();
        let rest: Vec<&str> = line[26..].split_whitespace().collect();
        let numbers: Vec<f64> = rest[1..].iter().map(|number| number.parse().unwrap()).collect();
        (what, rest[0].to_owned(), numbers.try_into().unwrap())
    };
    table.take_while(|line| !line.starts_with("first hit")).map(row).collect()
}

fn last_of(said: &str, ball: &str) -> (String, [f64; 6]) {
    let (what, _, numbers) = events(said).into_iter().rfind(|event| event.1 == ball).unwrap();
    (what, numbers)
}

/// Stop, draw and follow: where the cue ball ends, and the sign of its spin as it meets the other ball.
#[test]
fn stop_draw_and_follow() {
    let commands = commands();
    let [stop, draw, follow] = [0, 1, 2].map(|k| succeeds(&commands[k]));
    for said in [&stop, &draw, &follow] {
        assert!(said.starts_with("   time (s)") && said.contains("potted: 1 (pocket 4)"), "{said}");
    }
    // It meets the ball at 0.9 m less two radii.
    let (what, [x, y, speed, ..]) = last_of(&stop, "cue");
    assert!(what == "stops" && speed == 0.0 && (y - 1.27).abs() < 1e-4, "{stop}");
    assert!((x - (0.9 - 0.05715)).abs() < 3e-3, "{stop}");
    let top = |said: &str| events(said)[0].2[3];
    assert!(top(&draw) < -50.0 && top(&follow) > 50.0 && top(&stop).abs() < 10.0, "{draw}{follow}");
    assert_eq!(last_of(&draw, "cue").0, "pocket 1", "{draw}");
    assert_eq!(last_of(&follow, "cue").0, "pocket 4", "{follow}");
}

/// Law: right english turns counter-clockwise as seen from above, and sends the ball to the right off the
/// cushion straight ahead, left english to the left: with the same numbers.
#[test]
fn english_has_a_sign() {
    let shot = |side: &str| {
        succeeds(&format!("shot pool-9ft --cue 0.635,1.8 --speed 2 --english {side},0 --elevation 2"))
    };
    let [right, left] = ["0.3", "-0.3"].map(|side| events(&shot(side)));
    let off = |events: &[(String, String, [f64; 6])]| {
        let at = events.iter().position(|event| event.0 == "cushion 5").unwrap();
        (events[at + 1].2[0] - events[at].2[0], events[at].2[4])
    };
    let ([right, turned], [left, other]) = (<[f64; 2]>::from(off(&right)), <[f64; 2]>::from(off(&left)));
    assert!(right > 0.02 && turned > 0.0, "{right} {turned}");
    assert!((right + left).abs() < 2e-4 && (turned + other).abs() < 0.02, "{right} {left}");
}

/// The aim that is listed first pots the ball when it is played, and what is listed has as many rails as it
/// was asked for.
#[test]
fn aims_are_played() {
    let commands = commands();
    for (k, falls) in [(3, "potted: 2 (pocket 5)"), (7, "potted: 1 (pocket 5)")] {
        let aims = succeeds(&commands[k]);
        let best: Vec<&str> = aims.lines().nth(1).unwrap().split_whitespace().collect();
        let angle = if k == 3 { "65.7283" } else { "36.8699" };
        assert!(best.contains(&angle), "{aims}");
        let said = Folder::new().succeeds(&commands[k + 1]);
        assert!(said.starts_with("   time (s)") && said.contains(falls), "{said}");
    }
    let bank = Folder::new().succeeds(&commands[8]);
    let rails: Vec<String> = events(&bank).into_iter().filter(|event| event.1 == "1").map(|e| e.0).collect();
    let met: Vec<&String> = rails.iter().filter(|what| what.starts_with("cushion")).collect();
    assert_eq!(met, ["cushion 3", "cushion 1"]);
}

/// The cue ball of the massé goes round the blocker, and some of the shots of the map pot the object ball.
#[test]
fn a_masse_passes_a_blocker() {
    let (commands, folder) = (commands(), Folder::new());
    let said = folder.succeeds(&commands[5].replace("--count 10000", "--count 400"));
    assert!(said.contains("400 shots") && said.contains("\n1 "), "{said}");
    let said = folder.succeeds(&commands[6]);
    assert!(said.contains("first hit: 1; potted: 1 (pocket 5)"), "{said}");
    assert_eq!(commands.len(), 9);
}

/// Law: balls that are frozen to each other are met at one instant, and lie where their directions say.
#[test]
fn balls_are_put_frozen() {
    let balls = "--cue frozen:cushion@0.4,0 --ball 1=0.635,1.27 --ball 2=frozen:1@90 --ball 3=frozen:2@45";
    let said = succeeds(&format!("shot pool-9ft {balls} --angle 79.5 --speed 3 --elevation 10"));
    let met: Vec<_> = events(&said).into_iter().take(6).collect();
    let names: Vec<&str> = met.iter().map(|event| event.0.as_str()).collect();
    // The cue ball lies at the head rail, so that its middle is not to be reached.
    assert!(said.starts_with("in the way of the cue: a cushion"), "{said}");
    assert_eq!(names, ["meets 1", "meets cue", "meets 2", "meets 1", "meets 3", "meets 2"], "{said}");
    let hits = said.lines().filter(|line| line.contains("  meets ")).take(6);
    let times: Vec<&str> = hits.map(|line| &line[..12]).collect();
    assert!(times.iter().all(|time| *time == times[0]), "{said}");
    let [x, y] = [met[5].2[0], met[5].2[1]];
    assert!((x - (0.635 + 0.05715 * 0.5_f64.sqrt())).abs() < 1e-4, "{said}");
    assert!((y - (1.27 + 0.05715 * (1.0 + 0.5_f64.sqrt()))).abs() < 1e-4, "{said}");
    let folder = Folder::new();
    for (line, says) in [
        ("--ball 1=frozen:9@0", "--ball: there is no ball to be frozen to: \"9\"; there are cue"),
        (
            "--ball 1=frozen:cue",
            "--ball: frozen:cue is not allowed; must be a place: X,Y in metres; or frozen:BALL",
        ),
        ("--cue 1", "--cue: 1 is not allowed; must be a place: X,Y in metres; or frozen:BALL@DEGREES"),
        ("--ball =1,1", "--ball: =1,1 is not allowed; must be a label and a place"),
        ("--elevation 91", "--elevation: 91 is not allowed; must be a number of degrees from 0 to 89.95"),
        ("--ball 1=frozen:cushion@2,2", "--ball: ball \"1\" is at (2, 2), allowed are places on the table"),
        ("--cue 0.03,1 --ball 1=frozen:cue@180", "allowed are places on the table, clear of cushions"),
        ("--ball 1=frozen:cue@0 --ball 2=frozen:cue@10", "ball \"2\" overlaps ball \"1\""),
    ] {
        folder.says(&format!("shot pool-9ft {line}"), says);
    }
}

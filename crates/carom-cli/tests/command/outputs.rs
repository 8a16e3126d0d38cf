//! Nothing that a run was asked for is lost, and nothing that was there: outputs that collide, interrupts,
//! runs without end.

use crate::common::{Folder, PRESS, stderr, stdout, succeeds};

#[test]
fn the_same_file_by_any_name_is_refused_before_the_start() {
    let folder = Folder::new();
    folder.write("real", "kept\n");
    folder.write("other", "kept, too\n");
    let real = folder.path("real");
    let mut pairs = vec![(real.clone(), real.clone()), (folder.path("new"), folder.path("./new"))];
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        let [soft, hard, chain, dangling] =
            ["soft", "hard", "chain", "dangling"].map(|name| folder.path(name));
        symlink("real", &soft).unwrap();
        symlink("soft", &chain).unwrap();
        symlink("nowhere", &dangling).unwrap();
        std::fs::hard_link(&real, &hard).unwrap();
        pairs.extend([
            (real.clone(), soft),
            (real.clone(), chain),
            (real.clone(), hard),
            (folder.path("nowhere"), dangling),
        ]);
        let folders = folder.path("folders");
        symlink(folder.path(""), &folders).unwrap();
        pairs.push((real.clone(), folders.clone() + "/real"));
        pairs.push((folder.path("new"), folders + "/new"));
    }
    let before = folder.names();
    let options = ["--events", "--states", "--picture", "--movie", "--save"];
    for (a, b) in &pairs {
        for (first, one) in options.iter().enumerate() {
            for two in &options[first + 1..] {
                let every = if [one, two].contains(&&"--states") { "--every 1" } else { "" };
                let line = folder.fails(2, &format!("run box-16 {one} {a} {two} {b} {every}"));
                assert!(line.ends_with(": two outputs have the same file"), "{one} {a} {two} {b}: {line}");
            }
        }
    }
    assert_eq!((&*folder.text("real"), &*folder.text("other")), ("kept\n", "kept, too\n"));
    assert_eq!(folder.names(), before);
}

/// What a save is written as before it takes its name is a name that no output has.
#[test]
fn temporary_names_take_no_other_output() {
    let folder = Folder::new();
    folder.succeeds("run box-16 --until 1 --save x --save-every 0.25 --events x-part");
    assert_eq!(folder.names(), ["x", "x-part"]);
    assert!(folder.lines("x-part").len() > 10);
    folder.succeeds("run --resume x --until 2");
    // The name that was once taken for it.
    let line = folder.fails(2, "run box-16 --save x --events x.part");
    assert!(line.ends_with("must be a name that ends in .jsonl or .ndjson, or has no ending"), "{line}");
}

#[test]
#[cfg(target_os = "linux")]
fn an_output_where_the_report_goes_is_refused() {
    let folder = Folder::new();
    let file = std::fs::File::create(folder.path("out")).unwrap();
    let output = folder.command("run box-16 --events out").stdout(file).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("two outputs have the same file"), "{}", stderr(&output));
    // Any number of outputs may be thrown away.
    folder.succeeds("run box-16 --events /dev/null --picture /dev/null");
}

#[test]
fn endings_are_honoured_or_refused() {
    let folder = Folder::new();
    for (option, wrong, right) in [
        ("--picture", "jpg", "PNG"),
        ("--movie", "mp4", "gif"),
        ("--save", "toml", "json"),
        ("--save", "png", "carom"),
        ("--events", "csv", "jsonl"),
        ("--events", "gz", "NDJSON"),
    ] {
        let run = format!("run box-16 --until 0.1 {option} a.");
        let line = folder.fails(2, &format!("{run}{wrong}"));
        assert!(line.starts_with(&format!("{option}: a.{wrong} is not allowed; must be a name")), "{line}");
        assert!(line.contains(&format!(".{}", right.to_lowercase())), "{line}");
        assert!(!folder.names().contains(&format!("a.{wrong}")));
        folder.succeeds(&format!("{run}{right}"));
    }
}

/// A run that fails leaves the picture that was there, and no other file.
#[test]
fn what_was_there_stays_until_the_new_one_is_whole() {
    let folder = Folder::new();
    folder.write("p.png", "old");
    folder.write("s.carom", "old, too");
    folder.write("press.toml", PRESS);
    folder.fails(2, "run press.toml --picture p.png --save s.carom --until nan");
    #[cfg(target_os = "linux")]
    folder.fails(1, "run box-100 --until 50 --picture p.png --save s.carom --events /dev/full");
    assert_eq!((&*folder.text("p.png"), &*folder.text("s.carom")), ("old", "old, too"));
    assert_eq!(folder.names(), ["p.png", "press.toml", "s.carom"]);
}

#[test]
fn resumed_streams_are_added_to_or_refused() {
    let folder = Folder::new();
    let (events, states) = ("--events e.jsonl", "--states s.jsonl --every 0.5");
    folder.succeeds("run box-16 --until 1 --save early.carom");
    folder.succeeds(&format!("run box-16 --until 2 --save late.carom {events} {states}"));
    let held = [folder.text("e.jsonl"), folder.text("s.jsonl")];
    folder.write("torn.jsonl", &held[0][..held[0].len() - 1]);
    folder.write("notes", "dear diary\n");
    // The lines that follow on the earlier save are there already, and more.
    for (arguments, what) in [
        (events, "e.jsonl: goes on to 1.9"),
        (states, "s.jsonl: goes on to 2 s, and the saved run is at 1 s; name another file"),
        ("--events s.jsonl", "s.jsonl: does not end in a line of this kind"),
        ("--events torn.jsonl", "torn.jsonl: does not end in a line of this kind"),
        ("--events notes", "notes: does not end in a line of this kind"),
    ] {
        folder.says(&format!("run --resume early.carom --until 3 {arguments}"), what);
    }
    assert_eq!([folder.text("e.jsonl"), folder.text("s.jsonl")], held);
    // From the later save on they are those of one run.
    folder.succeeds(&format!("run --resume late.carom --until 3 {events} {states}"));
    folder.succeeds("run box-16 --until 3 --events all.jsonl --states states.jsonl --every 0.5");
    let events = folder.text("e.jsonl");
    assert!(events == folder.text("all.jsonl") && folder.text("s.jsonl") == folder.text("states.jsonl"));
    assert!(events.starts_with(&held[0]) && events.len() > held[0].len());
}

/// Two discs that overlap, with another between them, in a model without a rule against collapse: a scene for
/// which one event follows another at the same moment, for ever.
const STORM: &str = "format = 1\nmodel = \"discs\"\nuntil = 9\n\
    [settings]\nbudget = 20000\ncollapse_after = 0\nsimultaneous = \"one_by_one\"\n\
    [[discs]]\nposition = [-2, 0]\nradius = 1\nmass = \"inf\"\n\
    [[discs]]\nposition = [2, 0]\nradius = 1\nmass = \"inf\"\n\
    [[discs]]\nposition = [0.25, 0]\nvelocity = [1, 0]\nradius = 1.5\nallow_overlap = true\n";

#[test]
fn a_run_without_progress_ends_and_says_so() {
    let folder = Folder::new();
    folder.write("storm.toml", STORM);
    let output = folder.carom("run storm.toml --events e.jsonl");
    let (said, line) = (stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(3), "{said}{line}");
    let stands = "carom: no progress at 0 s: the last 20000 events took the world 0 s further";
    assert!(line.starts_with(stands), "{line}");
    assert!(said.contains("simulated     to 0 s, where it makes no progress"), "{said}");
    assert_eq!(folder.lines("e.jsonl").len(), 20_000);
}

/// Every command and option that writes a file, with work that takes hours: what cannot be written, or is the
/// scene, another output, or a file of another kind, is refused before it.
#[test]
fn what_can_be_refused_is_refused_before_the_work() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("folder")).unwrap();
    folder.write("discs.toml", succeeds("show box-100"));
    folder.write("shot.toml", succeeds("show stop-shot"));
    let many = "--vary speed=1..3 --vary angle=44..46 --count 4000000";
    let commands = [
        ("discs.toml", "run discs.toml --until 1e12", "events states picture movie save"),
        ("grows.toml", "run grows.toml", "events states picture movie save"),
        ("shot.toml", "run shot.toml", "events picture movie"),
        ("shot.toml", "shot shot.toml", "picture movie"),
        ("shot.toml", &format!("shot shot.toml {many}"), "csv map"),
        ("shot.toml", "aim shot.toml --simulations 100000000", "picture"),
    ];
    // The growth of 100,000 discs takes minutes.
    let grows = "format = 1\nmodel = \"discs\"\nuntil = 1\n[growth]\npacking = 0.85\nrate = 0.001\n\
        [[gases]]\ncount = 100000\nradius = 0.5\npacking = 0.3\ntemperature = 1\nseed = 1\n\
        [[walls]]\nshape = \"around_gas\"\ngas = 0\n";
    folder.write("grows.toml", grows);
    let before = folder.names();
    folder.says("run grows.toml --until -1", "--until: -1 is not allowed");
    folder.says("run grows.toml --events - --disc 100000", "--disc: 100000 is not allowed");
    folder.says("run grows.toml --movie m.gif --speed 0", "--speed: 0 is not allowed");
    for (scene, command, options) in commands {
        let options: Vec<&str> = options.split(' ').collect();
        let other = options[0];
        for option in &options {
            let every = if [option, &other].contains(&&"states") { " --every 1" } else { "" };
            let refused = |code: i32, files: &str, what: &str| {
                let line = format!("{command} {files}{every}");
                let said = folder.fails(code, &line);
                assert!(said.contains(what), "{line}: {said}");
                assert_eq!(stdout(&folder.carom(&line)), "", "{line}");
            };
            refused(2, &format!("--{option} folder"), &format!("--{option}: folder is not allowed"));
            refused(1, &format!("--{option} none/x"), "none/x: cannot be written: ");
            refused(2, &format!("--{option} {scene}"), &format!("{scene}: the scene itself"));
            refused(2, &format!("--{option} x.doc"), &format!("--{option}: x.doc is not allowed; must be"));
            if *option != other {
                refused(2, &format!("--{option} x --{other} x"), "x: two outputs have the same file");
            }
        }
    }
    assert_eq!(folder.names(), before);
}

/// Every option that takes a number, with numbers of hundreds of digits: what is said of them is short.
#[test]
fn numbers_are_short_whatever_they_are() {
    let folder = Folder::new();
    folder.write(
        "overlap.toml",
        "format = 1\nmodel = \"discs\"\nuntil = 1\n\
        [[discs]]\nposition = [0, 0]\nradius = 1e15\n[[discs]]\nposition = [1e-15, 0]\nradius = 1e-15\n",
    );
    let commands = [
        ("run box-16 --events - --states x --every 1 --max-events 1", "until events-from events-until every"),
        ("run box-16 --movie m.gif --save s.carom --max-events 1", "speed save-every"),
        ("run stop-shot --movie m.gif --movie-width 32 --max-events 9", "until speed"),
        ("break 9-ball --count 1", "speed angle spread gap"),
        ("shot stop-shot", "speed angle elevation cue english"),
        ("shot stop-shot --csv v.csv --count 3", "vary"),
        ("shot pool-9ft --rack 9-ball", "gap ball"),
        ("aim pool-9ft --cue 0.6,0.6 --ball 1=0.9,1.9 --simulations 9", "speed skill cue"),
    ];
    let mut lines = vec!["run overlap.toml".to_owned()];
    for (command, options) in commands {
        for option in options.split(' ') {
            for number in ["1e300", "-1e300", "1e-300", "-5e-324", "1.7976931348623157e308", "inf", "nan"] {
                let value = match option {
                    "cue" | "english" => format!("{number},{number}"),
                    "ball" => format!("7={number},{number}"),
                    "vary" => format!("speed=1~{number}"),
                    _ => number.to_owned(),
                };
                lines.push(format!("{command} --{option}={value}"));
            }
        }
    }
    for line in lines {
        let output = folder.carom(&line);
        let said = [stdout(&output), stderr(&output)].concat();
        let digits = said.split(|letter: char| !letter.is_ascii_digit() && letter != '.');
        let longest = digits.map(str::len).max().unwrap_or_default();
        // Seventeen digits tell all numbers apart; before them may be a point and zeros, as in 0.0001.
        assert!(longest <= 24, "{line}: {said}");
        assert!(output.status.code().is_some_and(|code| code <= 3), "{line}: {said}");
    }
}

#[test]
fn control_characters_are_shown_as_escapes() {
    let folder = Folder::new();
    let press = PRESS.replace("until", "title = \"\\u001b[31mred\\u0007\\u202e\"\nuntil");
    folder.write("title.toml", press);
    let shown = folder.succeeds("run title.toml --until 1");
    assert!(shown.starts_with("\\u{1b}[31mred\\u{7}\\u{202e} (title)\n"), "{shown:?}");
    #[cfg(unix)]
    {
        let save = "a\u{1b}[7m\nb";
        let shown = folder.succeeds(&format!("run box-16 --until 0.1 --save {save}"));
        assert!(shown.contains("a\\u{1b}[7m\\nb"), "{shown:?}");
        let line = folder.fails(2, &format!("run --resume {save} --until 1 --events {save}"));
        assert!(line.contains("a\\u{1b}[7m\\nb: the saved run itself"), "{line:?}");
        assert!(!folder.fails(2, "run no\u{1b}scene").contains('\u{1b}'));
        assert!(!folder.fails(2, "run box-16 --until \u{1b}").contains('\u{1b}'));
    }
}

#[cfg(unix)]
mod interrupts {
    use super::*;
    use std::io::{BufRead as _, BufReader};
    use std::process::{Child, Command, Stdio};

    fn signal(child: &Child, name: &str) {
        let id = child.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    fn start(folder: &Folder, line: &str) -> Child {
        folder.command(line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// An interrupted run can be gone on with, and is then the run in one.
    #[test]
    fn an_interrupted_run_is_whole_up_to_there() {
        let folder = Folder::new();
        for (round, name) in ["-INT", "-TERM"].into_iter().enumerate() {
            let files = format!("--events {round}e.jsonl --states {round}s.jsonl --every 0.5");
            let pictures = format!("--picture {round}p.png --movie {round}m.gif --movie-width 64 --speed 10");
            let line = format!("run box-100 --until 1e12 {files} --save {round}s.carom {pictures}");
            let child = start(&folder, &line);
            let events = format!("{round}e.jsonl");
            while std::fs::metadata(folder.path(&events)).map_or(0, |there| there.len()) == 0 {
                std::thread::yield_now();
            }
            signal(&child, name);
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
            assert!(stderr(&output).starts_with("carom: interrupted at "), "{}", stderr(&output));
            assert!(stdout(&output).contains("s, interrupted"), "{}", stdout(&output));
            assert!(folder.bytes(&format!("{round}p.png")).ends_with(b"IEND\xae\x42\x60\x82"));
            assert!(folder.bytes(&format!("{round}m.gif")).ends_with(&[0x3b]));
            // Every line is whole, and none is missing.
            let last = folder.lines(&events).last().unwrap()["time"].as_f64().unwrap();
            let until = last + 1.0;
            folder.succeeds(&format!("run --resume {round}s.carom --until {until} {files}"));
            let all = "--events all.jsonl --states all-states.jsonl --every 0.5";
            folder.succeeds(&format!("run box-100 --until {until} {all}"));
            assert!(folder.text(&events) == folder.text("all.jsonl"));
            assert!(folder.text(&format!("{round}s.jsonl")) == folder.text("all-states.jsonl"));
        }
        assert_eq!(folder.names().len(), 2 * 5 + 2, "{:?}", folder.names());
    }

    /// The second interrupt ends the program, whatever it does; here it waits for a reader of its events.
    #[test]
    fn the_second_interrupt_leaves_no_temporary_file() {
        let folder = Folder::new();
        folder.write("s.carom", "old");
        folder.write("p.png", "old");
        let line = "run box-1000 --until 1e12 --events - --save s.carom --picture p.png";
        let mut child = start(&folder, line);
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        for _ in 0..2 {
            signal(&child, "-INT");
            // Signals of a kind that wait for their handler are one.
            std::thread::sleep(std::time::Duration::from_millis(200));
        }
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        assert_eq!(stderr(&output), "carom: interrupted\n");
        assert_eq!((&*folder.text("s.carom"), &*folder.text("p.png")), ("old", "old"));
        assert_eq!(folder.names(), ["p.png", "s.carom"]);
        // What was handed on before are whole lines.
        drop(out);
    }
}

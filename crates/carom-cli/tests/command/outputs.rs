//! Nothing that a run was asked for is lost, and nothing that was there: outputs that collide, interrupts,
//! runs without end.

use crate::common::{Folder, PRESS, carom, fails, lines, stderr, stdout, succeeds};

fn text(path: &str) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// Names of the files in a folder, in order.
fn names(folder: &Folder) -> Vec<String> {
    let all = std::fs::read_dir(folder.path("")).unwrap();
    let mut names: Vec<String> = all.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn the_same_file_by_any_name_is_refused_before_the_start() {
    let folder = Folder::new();
    let (real, other) = (folder.write("real", "kept\n"), folder.write("other", "kept, too\n"));
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
    let before = names(&folder);
    let options = ["--events", "--states", "--picture", "--movie", "--save"];
    for (a, b) in &pairs {
        for (first, one) in options.iter().enumerate() {
            for two in &options[first + 1..] {
                let every = if [one, two].contains(&&"--states") { &["--every", "1"][..] } else { &[] };
                let line = fails(2, &[&["run", "box-16", one, a, two, b], every].concat());
                assert!(line.ends_with(": two outputs have the same file"), "{one} {a} {two} {b}: {line}");
            }
        }
    }
    assert_eq!((text(&real).as_str(), text(&other).as_str()), ("kept\n", "kept, too\n"));
    assert_eq!(names(&folder), before);
}

/// What a save is written as before it takes its name is a name that no output has.
#[test]
fn temporary_names_take_no_other_output() {
    let folder = Folder::new();
    let [save, part] = ["x", "x-part"].map(|name| folder.path(name));
    succeeds(&["run", "box-16", "--until", "1", "--save", &save, "--save-every", "0.25", "--events", &part]);
    assert_eq!(names(&folder), ["x", "x-part"]);
    assert!(lines(&part).len() > 10);
    succeeds(&["run", "--resume", &save, "--until", "2"]);
    // The name that was once taken for it.
    let line = fails(2, &["run", "box-16", "--save", &save, "--events", &folder.path("x.part")]);
    assert!(line.ends_with("must be a name that ends in .jsonl or .ndjson, or has no ending"), "{line}");
}

#[test]
#[cfg(target_os = "linux")]
fn an_output_where_the_report_goes_is_refused() {
    let folder = Folder::new();
    let path = folder.path("out");
    let file = std::fs::File::create(&path).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_carom"));
    let output = command.args(["run", "box-16", "--events", &path]).stdout(file).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("two outputs have the same file"), "{}", stderr(&output));
    // Any number of outputs may be thrown away.
    succeeds(&["run", "box-16", "--events", "/dev/null", "--picture", "/dev/null"]);
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
        let name = folder.path(&format!("a.{wrong}"));
        let line = fails(2, &["run", "box-16", "--until", "0.1", option, &name]);
        assert!(line.starts_with(&format!("{option}: {name} is not allowed; must be a name")), "{line}");
        assert!(line.contains(&format!(".{}", right.to_lowercase())), "{line}");
        assert!(!std::path::Path::new(&name).exists());
        succeeds(&["run", "box-16", "--until", "0.1", option, &folder.path(&format!("a.{right}"))]);
    }
}

/// A run that fails leaves the picture that was there, and no other file.
#[test]
fn what_was_there_stays_until_the_new_one_is_whole() {
    let folder = Folder::new();
    let (picture, save) = (folder.write("p.png", "old"), folder.write("s.carom", "old, too"));
    let press = folder.write("press.toml", PRESS);
    let wrong = ["run", &press, "--picture", &picture, "--save", &save, "--until", "nan"];
    fails(2, &wrong);
    #[cfg(target_os = "linux")]
    {
        let full = ["run", "box-100", "--until", "50", "--picture", &picture, "--save", &save];
        fails(1, &[&full[..], &["--events", "/dev/full"]].concat());
    }
    assert_eq!((text(&picture).as_str(), text(&save).as_str()), ("old", "old, too"));
    assert_eq!(names(&folder), ["p.png", "press.toml", "s.carom"]);
}

#[test]
fn resumed_streams_are_added_to_or_refused() {
    let folder = Folder::new();
    let [early, late, events, states] =
        ["early.carom", "late.carom", "e.jsonl", "s.jsonl"].map(|name| folder.path(name));
    let outputs = ["--events", &events, "--states", &states, "--every", "0.5"];
    succeeds(&["run", "box-16", "--until", "1", "--save", &early]);
    succeeds(&[&["run", "box-16", "--until", "2", "--save", &late], &outputs[..]].concat());
    let held = [text(&events), text(&states)];
    // The lines that follow on the earlier save are there already, and more.
    let refused = |args: &[&str], what: &str| {
        let line = fails(2, &[&["run", "--resume", &early, "--until", "3"], args].concat());
        assert!(line.contains(what), "{line}\n{what}");
    };
    refused(&outputs[..2], "e.jsonl: goes on to 1.9");
    refused(&outputs[2..], "s.jsonl: goes on to 2 s, and the saved run is at 1 s; name another file");
    refused(&["--events", &states], "s.jsonl: does not end in a line of this kind");
    let torn = folder.write("torn.jsonl", &held[0][..held[0].len() - 1]);
    refused(&["--events", &torn], "torn.jsonl: does not end in a line of this kind");
    refused(
        &["--events", &folder.write("notes", "dear diary\n")],
        "notes: does not end in a line of this kind",
    );
    assert_eq!([text(&events), text(&states)], held);
    // From the later save on they are those of one run.
    succeeds(&[&["run", "--resume", &late, "--until", "3"], &outputs[..]].concat());
    let all = ["all.jsonl", "states.jsonl"].map(|name| folder.path(name));
    succeeds(&["run", "box-16", "--until", "3", "--events", &all[0], "--states", &all[1], "--every", "0.5"]);
    assert!(text(&events) == text(&all[0]) && text(&states) == text(&all[1]));
    assert!(text(&events).starts_with(&held[0]) && text(&events).len() > held[0].len());
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
    let scene = folder.write("storm.toml", STORM);
    let events = folder.path("e.jsonl");
    let output = carom(&["run", &scene, "--events", &events]);
    assert_eq!(output.status.code(), Some(3), "{}{}", stdout(&output), stderr(&output));
    let line = stderr(&output);
    assert!(
        line.starts_with("carom: no progress at 0 s: the last 20000 events took the world 0e0 s further"),
        "{line}"
    );
    assert!(
        stdout(&output).contains("simulated     to 0 s, where it makes no progress"),
        "{}",
        stdout(&output)
    );
    assert_eq!(lines(&events).len(), 20_000);
}

#[test]
fn control_characters_are_shown_as_escapes() {
    let folder = Folder::new();
    let press = PRESS.replace("until", "title = \"\\u001b[31mred\\u0007\\u202e\"\nuntil");
    let shown = succeeds(&["run", &folder.write("title.toml", &press), "--until", "1"]);
    assert!(shown.starts_with("\\u{1b}[31mred\\u{7}\\u{202e} (title)\n"), "{shown:?}");
    #[cfg(unix)]
    {
        let save = folder.path("a\u{1b}[7m\nb");
        let shown = succeeds(&["run", "box-16", "--until", "0.1", "--save", &save]);
        assert!(shown.contains("a\\u{1b}[7m\\nb"), "{shown:?}");
        let line = fails(2, &["run", "--resume", &save, "--until", "1", "--events", &save]);
        assert!(line.contains("a\\u{1b}[7m\\nb: the saved run itself"), "{line:?}");
        assert!(!fails(2, &["run", "no\u{1b}scene"]).contains('\u{1b}'));
        assert!(!fails(2, &["run", "box-16", "--until", "\u{1b}"]).contains('\u{1b}'));
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

    fn start(args: &[&str]) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
        command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// An interrupted run can be gone on with, and is then the run in one.
    #[test]
    fn an_interrupted_run_is_whole_up_to_there() {
        let folder = Folder::new();
        for (round, name) in ["-INT", "-TERM"].into_iter().enumerate() {
            let [events, states, save, picture, movie] = ["e.jsonl", "s.jsonl", "s.carom", "p.png", "m.gif"]
                .map(|name| folder.path(&format!("{round}{name}")));
            let child = start(&[
                "run",
                "box-100",
                "--until",
                "1e12",
                "--events",
                &events,
                "--states",
                &states,
                "--every",
                "0.5",
                "--save",
                &save,
                "--picture",
                &picture,
                "--movie",
                &movie,
                "--movie-width",
                "64",
                "--speed",
                "10",
            ]);
            while std::fs::metadata(&events).map_or(0, |there| there.len()) == 0 {
                std::thread::yield_now();
            }
            signal(&child, name);
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
            assert!(stderr(&output).starts_with("carom: interrupted at "), "{}", stderr(&output));
            assert!(stdout(&output).contains("s, interrupted"), "{}", stdout(&output));
            assert!(std::fs::read(&picture).unwrap().ends_with(b"IEND\xae\x42\x60\x82"));
            assert!(std::fs::read(&movie).unwrap().ends_with(&[0x3b]));
            // Every line is whole, and none is missing.
            let last = lines(&events).last().unwrap()["time"].as_f64().unwrap();
            let until = (last + 1.0).to_string();
            succeeds(&[
                "run", "--resume", &save, "--until", &until, "--events", &events, "--states", &states,
                "--every", "0.5",
            ]);
            let [all, all_states] = ["all.jsonl", "all-states.jsonl"].map(|name| folder.path(name));
            succeeds(&[
                "run",
                "box-100",
                "--until",
                &until,
                "--events",
                &all,
                "--states",
                &all_states,
                "--every",
                "0.5",
            ]);
            assert!(text(&events) == text(&all) && text(&states) == text(&all_states));
        }
        assert_eq!(names(&folder).len(), 2 * 5 + 2, "{:?}", names(&folder));
    }

    /// The second interrupt ends the program, whatever it does; here it waits for a reader of its events.
    #[test]
    fn the_second_interrupt_leaves_no_temporary_file() {
        let folder = Folder::new();
        let (save, picture) = (folder.write("s.carom", "old"), folder.write("p.png", "old"));
        let mut child = start(&[
            "run",
            "box-1000",
            "--until",
            "1e12",
            "--events",
            "-",
            "--save",
            &save,
            "--picture",
            &picture,
        ]);
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
        assert_eq!((text(&save).as_str(), text(&picture).as_str()), ("old", "old"));
        assert_eq!(names(&folder), ["p.png", "s.carom"]);
        // What was handed on before are whole lines.
        drop(out);
    }
}

//! Runs that are saved and gone on with, through the command: the same bits, and files that are no such runs.

use crate::common::{Folder, PRESS, fails, succeeds};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A dense gas with walls, unequal discs, and inelastic impacts.
const GAS: &str = "format = 1\nmodel = \"discs\"\nuntil = 4\n\
    [[gases]]\ncount = 200\nradius = { values = [0.5, 0.8], fractions = [0.5, 0.5] }\npacking = 0.4\n\
    density = 1\n\
    temperature = 2\nzero_momentum = true\nexact_temperature = true\nrestitution = 0.99\nseed = 3\ncolour \
    = \"tomato\"\n\
    [[walls]]\nshape = \"around_gas\"\ngas = 0\n";
const WALL: &str = "[[walls]]\nshape = \"around_gas\"\ngas = 0\n";

fn bytes(path: &str) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

/// A world is a function of what is stored, and a schedule of the world: so a run that is cut, saved, read
/// and gone on with is the same run, in either form, wherever it is cut, with what is filtered and sampled,
/// and so is what is saved in the end.
#[test]
fn a_run_in_pieces_is_the_run_in_one() {
    let folder = Folder::new();
    let gas = folder.write("gas.toml", GAS);
    let periodic = folder.write("p.toml", &GAS.replace(WALL, "[periodic]\ngas = 0\n"));
    let [whole, all] = ["whole.jsonl", "all.carom"].map(|name| folder.path(name));
    let states = |events: &str| events.replace(".jsonl", ".states.jsonl");
    // Groups of three and more contacts, a heap of impacts at rest, gases in a box and in a plane that
    // repeats itself, and pucks that friction slows down.
    for scene in [gas.as_str(), &periodic, "newtons-cradle", "nine-ball-discs", "air-table"] {
        for filters in [&[][..], &["--only", "disc", "--sample", "7"], &["--disc", "3", "--disc", "0"]] {
            let run = |how: &[&str], events: &str, save: &str| {
                let states = states(events);
                let mut args = vec!["run", "--events", events, "--save", save];
                args.extend_from_slice(&["--states", &states, "--every", "0.375"]);
                args.extend_from_slice(how);
                args.extend_from_slice(filters);
                succeeds(&args)
            };
            run(&[scene, "--until", "4"], &whole, &all);
            // All pieces add to the same files.
            let events = folder.path("pieces.jsonl");
            let mut last = String::new();
            // At a time that is no number of ours, at a multiple of what states are written at, in the middle
            // of a heap of events, and at the end.
            let few = if scene == "newtons-cradle" { "--max-events=1" } else { "--max-events=20" };
            let until = ["--until=0.7310585786300049", "--until=1.5", "--until=4", "--until=4"];
            for (k, until) in until.into_iter().enumerate() {
                let save = folder.path(if k % 2 == 0 { "odd.json" } else { "even.carom" });
                let begin = if k == 0 { vec![scene] } else { vec!["--resume", &last] };
                let how = [&begin[..], &[until], &[few][..usize::from(k == 2)]].concat();
                run(&how, &events, &save);
                last = save;
            }
            assert!(!bytes(&whole).is_empty(), "{scene} {filters:?}: nothing passed");
            assert!(bytes(&events) == bytes(&whole), "{scene} {filters:?}: other events");
            assert!(bytes(&states(&events)) == bytes(&states(&whole)), "{scene} {filters:?}: other states");
            assert!(bytes(&last) == bytes(&all), "{scene} {filters:?}: another world");
        }
    }
}

/// A saved run may be replaced by what becomes of it, and is drawn and named as its scene is.
#[test]
fn a_saved_run_is_its_scene_further_on() {
    let folder = Folder::new();
    let (save, picture) = (folder.path("a.carom"), folder.path("a.png"));
    let title = "Nine-ball break (nine-ball-discs)";
    let shown = succeeds(&["run", "nine-ball-discs", "--until", "0.5", "--save", &save]);
    assert!(shown.starts_with(title) && shown.contains("a.carom"), "{shown}");
    let first = shown.lines().find(|line| line.starts_with("  energy  ")).unwrap().to_owned();
    let shown = succeeds(&["run", "--resume", &save, "--until", "1", "--save", &save, "--picture", &picture]);
    assert!(shown.starts_with(title) && shown.contains("to 1 s (from 0.5 s)"), "{shown}");
    // Energy at the end there is energy at the start here.
    let energy = shown.lines().find(|line| line.starts_with("  energy  ")).unwrap();
    let column = |line: &str, k: usize| line.split_whitespace().nth(k).unwrap().to_owned();
    assert_eq!(column(energy, 1), column(&first, 2));
    let shown = succeeds(&["run", "--resume", &save, "--until", "1.5"]);
    assert!(shown.contains("(from 1 s)"), "{shown}");
    assert_eq!(&bytes(&picture)[..4], b"\x89PNG");
    // What was counted before is not counted again.
    let whole = succeeds(&["run", "nine-ball-discs", "--until", "1.5"]);
    let events = |text: &str| -> u64 {
        let line = text.lines().find(|line| line.starts_with("  contacts")).unwrap();
        line.split_whitespace().filter_map(|word| word.parse::<u64>().ok()).sum()
    };
    assert!(events(&shown) < events(&whole));
}

/// Whenever a run is killed there is a good file from one of its multiples.
#[test]
#[cfg(unix)]
fn a_killed_run_leaves_the_last_save() {
    let folder = Folder::new();
    let gas = folder.write("gas.toml", GAS);
    let save = folder.path("s.carom");
    let mut child = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(["run", &gas, "--until", "1e9", "--save", &save, "--save-every", "0.25"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    while !std::path::Path::new(&save).exists() {
        assert!(child.try_wait().unwrap().is_none(), "nothing was saved");
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(100));
    child.kill().unwrap();
    child.wait().unwrap();
    let text = succeeds(&["run", "--resume", &save, "--until", "1e6", "--max-events", "10"]);
    let from = text.split("(from ").nth(1).unwrap().split(' ').next().unwrap().parse::<f64>().unwrap();
    assert!(from > 0.0 && (from / 0.25).fract() == 0.0, "{from}");
}

#[test]
fn what_is_no_saved_run_is_refused_on_one_line() {
    let folder = Folder::new();
    let (good, json) = (folder.path("good.carom"), folder.path("good.json"));
    succeeds(&["run", "box-16", "--until", "1", "--save", &good]);
    succeeds(&["run", "box-16", "--until", "1", "--save", &json]);
    let (compact, text) = (bytes(&good), String::from_utf8(bytes(&json)).unwrap());
    let changed = |at: usize, byte: u8| {
        let mut bytes = compact.clone();
        bytes[at] = byte;
        bytes
    };
    let known = carom_engine::snapshot::VERSION;
    let longer = [&compact[..], b"x"].concat();
    let length = compact.len();
    let checks: Vec<(Vec<u8>, String)> = vec![
        (compact[..length - 1].into(), format!("cut short: {} bytes of {length} are there", length - 1)),
        (compact[..20].into(), "cut short: 20 bytes of 32 are there".to_owned()),
        (compact[..6].into(), "no saved run; `carom run --save` makes them".to_owned()),
        (longer, "damaged: 1 bytes follow its end".to_owned()),
        (changed(length - 9, compact[length - 9] ^ 4), "damaged: its checksum is not that of".to_owned()),
        (changed(8, 2), "version 2 of saved runs is not known to this version; allowed: 1".to_owned()),
        (changed(12, 99), "version 99 of worlds is not known to this version; allowed: ".to_owned()),
        (b"".into(), "no saved run".to_owned()),
        (b"format = 1".into(), "no saved run".to_owned()),
        (text[..text.len() / 2].into(), "cannot be gone on with: EOF while parsing".to_owned()),
        (
            text.replace("\"carom_save\":1", "\"carom_save\":2").into(),
            "cannot be gone on with: version 2 of saved runs is not known to this version; allowed: 1"
                .to_owned(),
        ),
        (
            text.replace(&format!("\"world\":{{\"version\":{known},"), "\"world\":{\"version\":99,").into(),
            format!("cannot be gone on with: version is 99, allowed is {known}: "),
        ),
        (
            text.replace("\"count\":16", "\"count\":17").into(),
            "the world is not one of this scene: it has 16 discs, the scene has 17".to_owned(),
        ),
        (
            text.replace("\"count\":16", "\"count\":0").into(),
            "cannot be gone on with: scene: gases[0].count: 0 is not allowed; must be from 1".to_owned(),
        ),
        (
            text.replace("\"passed\"", "\"past\"").into(),
            "cannot be gone on with: unknown field `past`".to_owned(),
        ),
    ];
    for (bytes, says) in checks {
        let path = folder.path("bad");
        std::fs::write(&path, bytes).unwrap();
        let line = fails(2, &["run", "--resume", &path]);
        assert!(line.starts_with(&format!("{path}: {says}")), "{line}\nfor\n{says}");
    }
    assert!(fails(2, &["run", "--resume", &folder.path("none")]).contains("none: cannot be read: "));
    #[cfg(unix)]
    assert!(fails(2, &["run", "--resume", "/dev/zero"]).contains("no saved run"));
    for saved in [&good, &json] {
        let says = format!("{saved}: a saved run; `carom run --resume` goes on with it");
        assert_eq!(fails(2, &["run", saved]), says);
    }
}

#[test]
fn wrong_ways_to_save_and_go_on_are_one_line() {
    let folder = Folder::new();
    let (save, scene) = (folder.path("s.carom"), folder.write("s.toml", GAS));
    succeeds(&["run", &scene, "--save", &save]);
    let says = |args: &[&str], what: &str| {
        let line = fails(2, args);
        assert!(line.contains(what), "{line}");
    };
    says(&["run", "--resume", &save], "at 4 s its scene has ended; `--until` says how far it is to go on");
    says(
        &["run", "--resume", &save, "--until", "3"],
        "--until: 3 is not allowed; must be later than the saved run",
    );
    says(&["run", &scene, "--resume", &save], "cannot be used with");
    says(&["run", &scene, "--save-every", "1"], "--save");
    says(
        &["run", &scene, "--save", &save, "--save-every", "0"],
        "--save-every: 0 is not allowed; must be greater",
    );
    says(&["run", &scene, "--save", &scene], "the scene itself would be written over");
    says(
        &["run", "--resume", &save, "--until", "9", "--events", &save],
        "the saved run itself would be written over",
    );
    let both = ["run", "--resume", &save, "--until", "9", "--events", "x", "--save", "x"];
    says(&both, "x: two outputs have the same file");
    says(&["run", &scene, "--save", "-"], "--save: - is not allowed; must be the path of a file");
    let folder_itself = folder.path("");
    says(&["run", &scene, "--save", &folder_itself], "is not allowed; must be the path of a file");
    #[cfg(unix)]
    says(
        &["run", &scene, "--save", "/dev/null"],
        "--save: /dev/null is not allowed; must be the path of a file",
    );
    let line = fails(1, &["run", &scene, "--save", "/no/such/folder/x"]);
    assert!(line.starts_with("/no/such/folder/x: cannot be written: "), "{line}");
    // Nothing of the above touched what was there.
    succeeds(&["run", "--resume", &save, "--until", "4.1"]);
    assert_eq!(std::fs::read_to_string(&scene).unwrap(), GAS);
}

/// A link stays one, and what it stands for is replaced.
#[test]
#[cfg(unix)]
fn what_is_saved_through_a_link_is_saved_where_it_leads() {
    let folder = Folder::new();
    let (real, link) = (folder.write("real.carom", "old"), folder.path("link"));
    std::os::unix::fs::symlink(&real, &link).unwrap();
    succeeds(&["run", "box-16", "--until", "1", "--save", &link]);
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    succeeds(&["run", "--resume", &real, "--until", "2"]);
    let left: Vec<_> = std::fs::read_dir(folder.path("")).unwrap().collect();
    assert_eq!(left.len(), 2, "nothing is left beside them: {left:?}");
}

/// A body that has given way is saved as it is: the run that goes on ends as the whole one.
#[test]
fn what_has_given_way_is_saved_as_it_is() {
    let folder = Folder::new();
    let [save, parted, whole] = ["c.json", "parted.json", "whole.json"].map(|name| folder.path(name));
    let scene = folder.write("press.toml", PRESS);
    succeeds(&["run", &scene, "--until", "5", "--save", &save]);
    succeeds(&["run", "--resume", &save, "--until", "9", "--save", &parted]);
    succeeds(&["run", &scene, "--save", &whole]);
    assert_eq!(std::fs::read_to_string(&parted).unwrap(), std::fs::read_to_string(&whole).unwrap());
}

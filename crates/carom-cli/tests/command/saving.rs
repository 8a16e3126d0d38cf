//! Runs that are saved and gone on with, through the command: the same bits, and files that are no such runs.

use crate::common::{Folder, PRESS};
use std::process::Stdio;
use std::time::Duration;

/// A dense gas with walls, unequal discs, and inelastic impacts.
const GAS: &str = "format = 1\nmodel = \"discs\"\nuntil = 4\n\
    [[gases]]\ncount = 200\nradius = { values = [0.5, 0.8], fractions = [0.5, 0.5] }\npacking = 0.4\n\
    density = 1\ntemperature = 2\nzero_momentum = true\nexact_temperature = true\nrestitution = 0.99\n\
    seed = 3\ncolour = \"tomato\"\n[[walls]]\nshape = \"around_gas\"\ngas = 0\n";
const WALL: &str = "[[walls]]\nshape = \"around_gas\"\ngas = 0\n";

/// A world is a function of what is stored, and a schedule of the world: so a run that is cut, saved, read
/// and gone on with is the same run, in either form, wherever it is cut, with what is filtered and sampled,
/// and so is what is saved in the end.
#[test]
fn a_run_in_pieces_is_the_run_in_one() {
    let folder = Folder::new();
    folder.write("gas.toml", GAS);
    folder.write("p.toml", GAS.replace(WALL, "[periodic]\ngas = 0\n"));
    let same = |one: &str, other: &str| folder.bytes(one) == folder.bytes(other);
    // Groups of three and more contacts, a heap of impacts at rest, gases in a box and in a plane that
    // repeats itself, and pucks that friction slows down.
    for scene in ["gas.toml", "p.toml", "newtons-cradle", "nine-ball-discs", "air-table"] {
        for filters in ["", "--only disc --sample 7", "--disc 3 --disc 0"] {
            let run = |how: &str, name: &str, save: &str| {
                let files = format!("--events {name}.jsonl --states {name}.states.jsonl --every 0.375");
                folder.succeeds(&format!("run {how} {files} --save {save} {filters}"));
            };
            run(&format!("{scene} --until 4"), "whole", "all.carom");
            // All pieces add to the same files: at a time that is no number of ours, at a multiple of what
            // states are written at, in the middle of a heap of events, and at the end.
            let few = if scene == "newtons-cradle" { 1 } else { 20 };
            run(&format!("{scene} --until 0.7310585786300049"), "pieces", "odd.json");
            run("--resume odd.json --until 1.5", "pieces", "even.carom");
            run(&format!("--resume even.carom --until 4 --max-events {few}"), "pieces", "odd.json");
            run("--resume odd.json --until 4", "pieces", "even.carom");
            assert!(!folder.bytes("whole.jsonl").is_empty(), "{scene} {filters}: nothing passed");
            assert!(same("pieces.jsonl", "whole.jsonl"), "{scene} {filters}: other events");
            assert!(same("pieces.states.jsonl", "whole.states.jsonl"), "{scene} {filters}: other states");
            assert!(same("even.carom", "all.carom"), "{scene} {filters}: another world");
        }
    }
}

/// A saved run may be replaced by what becomes of it, and is drawn and named as its scene is.
#[test]
fn a_saved_run_is_its_scene_further_on() {
    let folder = Folder::new();
    let title = "Nine-ball break (nine-ball-discs)";
    let shown = folder.succeeds("run nine-ball-discs --until 0.5 --save a.carom");
    assert!(shown.starts_with(title) && shown.contains("a.carom"), "{shown}");
    let first = shown.lines().find(|line| line.starts_with("  energy  ")).unwrap().to_owned();
    let shown = folder.succeeds("run --resume a.carom --until 1 --save a.carom --picture a.png");
    assert!(shown.starts_with(title) && shown.contains("to 1 s (from 0.5 s)"), "{shown}");
    // Energy at the end there is energy at the start here.
    let energy = shown.lines().find(|line| line.starts_with("  energy  ")).unwrap();
    let column = |line: &str, k: usize| line.split_whitespace().nth(k).unwrap().to_owned();
    assert_eq!(column(energy, 1), column(&first, 2));
    let shown = folder.succeeds("run --resume a.carom --until 1.5");
    assert!(shown.contains("(from 1 s)"), "{shown}");
    assert_eq!(&folder.bytes("a.png")[..4], b"\x89PNG");
    // What was counted before is not counted again.
    let whole = folder.succeeds("run nine-ball-discs --until 1.5");
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
    folder.write("gas.toml", GAS);
    let mut command = folder.command("run gas.toml --until 1e9 --save s.carom --save-every 0.25");
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    while !std::path::Path::new(&folder.path("s.carom")).exists() {
        assert!(child.try_wait().unwrap().is_none(), "nothing was saved");
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(100));
    child.kill().unwrap();
    child.wait().unwrap();
    let text = folder.succeeds("run --resume s.carom --until 1e6 --max-events 10");
    let from = text.split("(from ").nth(1).unwrap().split(' ').next().unwrap().parse::<f64>().unwrap();
    assert!(from > 0.0 && (from / 0.25).fract() == 0.0, "{from}");
}

#[test]
fn what_is_no_saved_run_is_refused_on_one_line() {
    let folder = Folder::new();
    folder.succeeds("run box-16 --until 1 --save good.carom");
    folder.succeeds("run box-16 --until 1 --save good.json");
    let (compact, text) = (folder.bytes("good.carom"), folder.text("good.json"));
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
        folder.write("bad", bytes);
        let line = folder.fails(2, "run --resume bad");
        assert!(line.starts_with(&format!("bad: {says}")), "{line}\nfor\n{says}");
    }
    folder.says("run --resume none", "none: cannot be read: ");
    #[cfg(unix)]
    folder.says("run --resume /dev/zero", "no saved run");
    for saved in ["good.carom", "good.json"] {
        let says = format!("{saved}: a saved run; `carom run --resume` goes on with it");
        assert_eq!(folder.fails(2, &format!("run {saved}")), says);
    }
}

#[test]
fn wrong_ways_to_save_and_go_on_are_one_line() {
    let folder = Folder::new();
    folder.write("s.toml", GAS);
    folder.succeeds("run s.toml --save s.carom");
    for (arguments, what) in [
        ("--resume s.carom", "at 4 s its scene has ended; `--until` says how far it is to go on"),
        ("--resume s.carom --until 3", "--until: 3 is not allowed; must be later than the saved run"),
        ("s.toml --resume s.carom", "cannot be used with"),
        ("s.toml --save-every 1", "--save"),
        ("s.toml --save s.carom --save-every 0", "--save-every: 0 is not allowed; must be greater"),
        ("s.toml --save s.toml", "the scene itself would be written over"),
        ("--resume s.carom --until 9 --events s.carom", "the saved run itself would be written over"),
        ("--resume s.carom --until 9 --events x --save x", "x: two outputs have the same file"),
        ("s.toml --save -", "--save: - is not allowed; must be the path of a file"),
        ("s.toml --save ./", "is not allowed; must be the path of a file"),
        #[cfg(unix)]
        ("s.toml --save /dev/null", "--save: /dev/null is not allowed; must be the path of a file"),
    ] {
        folder.says(&format!("run {arguments}"), what);
    }
    let line = folder.fails(1, "run s.toml --save /no/such/folder/x");
    assert!(line.starts_with("/no/such/folder/x: cannot be written: "), "{line}");
    // Nothing of the above touched what was there.
    folder.succeeds("run --resume s.carom --until 4.1");
    assert_eq!(folder.text("s.toml"), GAS);
}

/// A link stays one, and what it stands for is replaced.
#[test]
#[cfg(unix)]
fn what_is_saved_through_a_link_is_saved_where_it_leads() {
    let folder = Folder::new();
    folder.write("real.carom", "old");
    let link = folder.path("link");
    std::os::unix::fs::symlink(folder.path("real.carom"), &link).unwrap();
    folder.succeeds("run box-16 --until 1 --save link");
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    folder.succeeds("run --resume real.carom --until 2");
    assert_eq!(folder.names().len(), 2, "nothing is left beside them: {:?}", folder.names());
}

/// A body that has given way is saved as it is: the run that goes on ends as the whole one.
#[test]
fn what_has_given_way_is_saved_as_it_is() {
    let folder = Folder::new();
    folder.write("press.toml", PRESS);
    folder.succeeds("run press.toml --until 5 --save c.json");
    folder.succeeds("run --resume c.json --until 9 --save parted.json");
    folder.succeeds("run press.toml --save whole.json");
    assert_eq!(folder.text("parted.json"), folder.text("whole.json"));
}

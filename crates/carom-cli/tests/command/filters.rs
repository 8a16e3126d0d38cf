//! What is left out of events files: against all that happens, filtered here.

use crate::common::Folder;
use serde_json::Value;

/// Contacts in groups (a cradle, a tight rack), and many impacts of two.
const SCENES: [&str; 3] = ["newtons-cradle", "nine-ball-discs", "box-100"];

fn kept(scene: &str, folder: &Folder, filters: &str) -> (Vec<Value>, String) {
    let said = folder.succeeds(&format!("run {scene} --until 3 --events e.jsonl {filters}"));
    (folder.lines("e.jsonl"), said)
}

#[test]
fn a_filter_keeps_just_the_lines_that_it_names() {
    let folder = Folder::new();
    for scene in SCENES {
        let (all, said) = kept(scene, &folder, "");
        assert!(!said.contains("  kept"), "{said}");
        let time = |line: &Value| line["time"].as_f64().unwrap();
        let middle = time(&all[all.len() / 2]);
        let has = |line: &Value, disc: u64| line["a"] == disc || line["b"] == disc;
        type Test<'a> = Box<dyn Fn(&Value) -> bool + 'a>;
        let many = format!("--disc 1 --only disc --events-from {middle} --events-until 2.9");
        let [from, until] = [format!("--events-from {middle}"), format!("--events-until {middle}")];
        let tests: [(&str, Test<'_>); 7] = [
            (&from, Box::new(|line| time(line) >= middle)),
            (&until, Box::new(|line| time(line) < middle)),
            ("--only disc", Box::new(|line| line["kind"] == "disc")),
            ("--only wall", Box::new(|line| line["kind"] == "wall")),
            ("--disc 1", Box::new(|line| has(line, 1))),
            ("--disc 4 --disc 0", Box::new(|line| has(line, 0) || has(line, 4))),
            (
                &many,
                Box::new(|line| {
                    has(line, 1) && line["kind"] == "disc" && (middle..2.9).contains(&time(line))
                }),
            ),
        ];
        for (filters, test) in tests {
            let want: Vec<Value> = all.iter().filter(|line| test(line)).cloned().collect();
            let (got, said) = kept(scene, &folder, filters);
            assert!(got == want, "{scene} {filters}: {} lines, not {}", got.len(), want.len());
            assert!(said.contains(&format!("  kept          {} lines in", want.len())), "{said}");
            // What is left out has happened all the same.
            let happened =
                |said: &str| said.lines().find(|line| line.contains("events  ")).unwrap().to_owned();
            assert_eq!(happened(&said), happened(&kept(scene, &folder, "").1));
        }
        // Files of neighbouring times are together the whole: nobody is in both or in neither.
        let parts = [until, from].map(|filter| kept(scene, &folder, &filter).0);
        assert_eq!(parts.concat(), all);
    }
}

#[test]
fn a_sample_is_of_whole_impacts() {
    let folder = Folder::new();
    let mut largest = 0;
    for scene in SCENES {
        for filters in ["", "--only disc", "--disc 1"] {
            let (passing, _) = kept(scene, &folder, filters);
            let groups: Vec<&[Value]> = passing.chunk_by(|a, b| a["group"] == b["group"]).collect();
            largest = largest.max(groups.iter().map(|group| group.len()).max().unwrap_or_default());
            for n in [1, 2, 5, 1_000_000] {
                let want: Vec<Value> = groups.iter().step_by(n).copied().flatten().cloned().collect();
                let (got, _) = kept(scene, &folder, &format!("{filters} --sample {n}"));
                let lengths = (got.len(), want.len());
                assert!(got == want, "{scene} {filters} every {n}: lines, not lines: {lengths:?}");
            }
        }
    }
    assert!(largest > 1, "there were groups of contacts");
}

/// The limit is on what happens, not on what is written.
#[test]
fn max_events_counts_what_is_left_out() {
    let folder = Folder::new();
    let (all, _) = kept("box-100", &folder, "--max-events 50");
    let (walls, said) = kept("box-100", &folder, "--max-events 50 --only wall");
    assert!(said.contains("  events        50\n"), "{said}");
    assert_eq!(walls, all.into_iter().filter(|line| line["kind"] == "wall").collect::<Vec<_>>());
}

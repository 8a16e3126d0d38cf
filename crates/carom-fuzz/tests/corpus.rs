//! The corpus of the fuzz targets, and every input that once broke something, again.

use carom_testkit::rng::{Rng, cases};
use std::path::PathBuf;

/// Every file of a target's corpus; says which one failed.
fn replay(target: &str, drive: fn(&[u8])) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 10, "{} files in {}", files.len(), folder.display());
    for file in files {
        let bytes = std::fs::read(&file).unwrap();
        if let Err(panic) = std::panic::catch_unwind(|| drive(&bytes)) {
            println!("{}", file.display());
            std::panic::resume_unwind(panic);
        }
    }
}

#[test]
fn scenes() {
    replay("scene", carom_fuzz::scene);
}

#[test]
fn snapshots() {
    replay("snapshot", carom_fuzz::snapshot);
}

#[test]
fn impact_times() {
    replay("impact_times", carom_fuzz::impact_times);
}

#[test]
fn calls() {
    replay("calls", carom_fuzz::calls);
}

#[test]
fn forces() {
    replay("forces", carom_fuzz::forces);
}

#[test]
fn games() {
    replay("games", carom_fuzz::games);
}

/// What the target checks holds for random bytes too, on parabolas, without a campaign.
#[test]
fn random_impact_times_on_parabolas() {
    for case in 0..cases(20_000) {
        let mut rng = Rng::new(case);
        let mut bytes: Vec<u8> = (0..16).flat_map(|_| rng.bits().to_le_bytes()).collect();
        // What begins with less is a straight path.
        bytes[0] |= 252;
        if let Err(panic) = std::panic::catch_unwind(|| carom_fuzz::impact_times(&bytes)) {
            println!("case {case}: {bytes:?}");
            std::panic::resume_unwind(panic);
        }
    }
}

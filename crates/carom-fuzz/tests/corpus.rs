//! The corpus of the fuzz targets, and every input that once broke something, again.

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

/// Random bytes, the same for a case everywhere.
fn random_bytes(case: u64, words: u64) -> Vec<u8> {
    // SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
    let word = |k: u64| {
        let z = (case * words + k + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)).to_le_bytes()
    };
    (0..words).flat_map(word).collect()
}

/// Drives a target with random bytes, `CAROM_CASES` times as many in a campaign; says which it failed on.
fn drive_randomly(usual: u64, words: u64, first: u8, drive: fn(&[u8])) {
    let factor: u64 = std::env::var("CAROM_CASES").map_or(1, |factor| factor.parse().unwrap());
    for case in 0..usual * factor {
        let mut bytes = random_bytes(case, words);
        bytes[0] |= first;
        if let Err(panic) = std::panic::catch_unwind(|| drive(&bytes)) {
            println!("case {case}: {bytes:?}");
            std::panic::resume_unwind(panic);
        }
    }
}

/// What the target checks holds for random bytes too, on parabolas, without a campaign.
#[test]
fn random_impact_times_on_parabolas() {
    drive_randomly(20_000, 16, 252, carom_fuzz::impact_times);
}

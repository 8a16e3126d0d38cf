//! The queue of rows against a plain scan.

extern crate std;

use super::Tournament;
use crate::{EventKey, Kind};
use alloc::vec::Vec;
use carom_math::{Clock, Time};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const KINDS: [Kind; 2] = [Kind::MotionChange, Kind::Impact];

fn time(clock: &Clock, choice: u8, fine: u16) -> Time {
    match choice {
        0 => Time::NEVER,
        // Few different times: ties.
        1..=3 => clock.at(f64::from(fine % 4)),
        // Times that are one number when rounded to seconds, but are not the same moment.
        4 => clock.after(clock.at(1e12), f64::from(fine % 8) * 1e-12),
        5 => clock.after(clock.at(1e12), f64::from(fine % 8) * 2.0_f64.powi(-10)),
        _ => clock.at(f64::from(fine) * 0.37),
    }
}

fn key(clock: &Clock, row: usize, (choice, kind, fine): (u8, u8, u16)) -> EventKey {
    let time = time(clock, choice, fine);
    if time.is_never() {
        return EventKey::never(row as u64);
    }
    let serial = row as u64;
    EventKey::new(time, KINDS[usize::from(kind) % 2], serial, u64::from(fine) % (serial + 1))
}

/// The first row is that of the smallest key; where nothing is due, any row with a key of never.
fn assert_first(queue: &Tournament, keys: &[EventKey]) {
    let Some(first) = queue.first() else {
        assert!(keys.is_empty());
        return;
    };
    let least = keys.iter().min().unwrap();
    let is = &keys[first as usize];
    assert!(is == least || (is.time().is_never() && least.time().is_never()), "{is:?} {least:?}");
    assert_eq!(queue.key(first), is);
}

fn check(first_rows: usize, operations: &[(bool, u32, (u8, u8, u16))], thorough: usize) {
    let clock = Clock::new(Clock::DEFAULT_EPOCH).unwrap();
    let mut queue = Tournament::default();
    let mut keys: Vec<EventKey> = Vec::new();
    assert_eq!((queue.first(), queue.len()), (None, 0));
    let push = |queue: &mut Tournament, keys: &mut Vec<EventKey>, key: EventKey| {
        queue.push(key);
        keys.push(key);
    };
    for row in 0..first_rows {
        let spread = (row as u32).wrapping_mul(2_654_435_761);
        let key = key(&clock, row, ((spread >> 8) as u8 % 9, (spread >> 16) as u8, (spread >> 12) as u16));
        push(&mut queue, &mut keys, key);
    }
    for (i, &(pushes, at, choices)) in operations.iter().enumerate() {
        if pushes || keys.is_empty() {
            let key = key(&clock, keys.len(), choices);
            push(&mut queue, &mut keys, key);
        } else {
            let row = at as usize % keys.len();
            keys[row] = key(&clock, row, choices);
            queue.update(row as u32, keys[row]);
        }
        assert_eq!(queue.len(), keys.len());
        assert_first(&queue, &keys);
        if i % thorough == 0 {
            queue.assert_well_formed();
        }
    }
    queue.assert_well_formed();
    // Taken out one by one, they come in order.
    let mut last: Option<EventKey> = None;
    while let Some(row) = queue.first() {
        let key = *queue.key(row);
        if key.time().is_never() {
            break;
        }
        assert!(last.is_none_or(|last| last <= key), "{last:?} before {key:?}");
        last = Some(key);
        queue.update(row, EventKey::never(u64::from(row)));
    }
}

/// The same cases in every run; `CAROM_CASES` makes a campaign of that many times as many, all of them
/// others.
fn config(cases: u32) -> ProptestConfig {
    let campaign = std::env::var("CAROM_CASES").ok().and_then(|factor| factor.parse::<u32>().ok());
    ProptestConfig {
        cases: cases * campaign.unwrap_or(1),
        rng_seed: if campaign.is_some() { RngSeed::Random } else { RngSeed::Fixed(1) },
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn operation() -> impl Strategy<Value = (bool, u32, (u8, u8, u16))> {
    (prop::bool::weighted(0.2), any::<u32>(), (0..9_u8, 0..5_u8, any::<u16>()))
}

proptest! {
    #![proptest_config(config(64))]

    /// Around each size at which the tournament gets another group or level.
    #[test]
    fn small_queues(rows in 0..40_usize, operations in prop::collection::vec(operation(), 1..150)) {
        check(rows, &operations, 1);
    }

    #[test]
    fn queues_of_two_and_three_levels(
        rows in 230..290_usize,
        operations in prop::collection::vec(operation(), 1..200),
    ) {
        check(rows, &operations, 20);
    }
}

proptest! {
    #![proptest_config(config(4))]

    #[test]
    fn queues_of_four_levels(
        rows in 4080..4110_usize,
        operations in prop::collection::vec(operation(), 100..200),
    ) {
        check(rows, &operations, 50);
    }
}

/// Rows pushed one by one through every seam up to past 4096, with the smallest key anywhere.
#[test]
fn growth_keeps_the_winner() {
    let clock = Clock::new(1.0).unwrap();
    let mut queue = Tournament::default();
    let mut least: Option<EventKey> = None;
    for row in 0..5000_u64 {
        let spread = row.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        let key = EventKey::new(clock.at(1e9 / (spread + 1) as f64), Kind::Impact, row, row);
        least = Some(least.map_or(key, |least| least.min(key)));
        queue.push(key);
        assert_eq!(queue.first().map(|first| *queue.key(first)), least, "row {row}");
        if [1, 2, 15, 16, 17, 255, 256, 257, 258, 272, 273, 4095, 4096, 4097, 4113].contains(&queue.len()) {
            queue.assert_well_formed();
        }
    }
}

/// The order of events: by time to the last bit, by kind, by the smaller serial, by the larger; symmetric
/// in the two.
#[test]
fn keys_are_totally_ordered() {
    let clock = Clock::new(Clock::DEFAULT_EPOCH).unwrap();
    let mut keys = Vec::new();
    let late = clock.at(1e12);
    let times = [Time::ZERO, clock.after(Time::ZERO, 5e-324), clock.at(1.0), late, clock.after(late, 1e-18)];
    for time in times {
        for kind in KINDS {
            for (a, b) in [(0, 0), (0, 1), (0, u64::MAX), (1, 1), (1, 2), (7, 7)] {
                keys.push(EventKey::new(time, kind, a, b));
                assert_eq!(EventKey::new(time, kind, a, b), EventKey::new(time, kind, b, a));
            }
        }
    }
    keys.push(EventKey::never(0));
    keys.push(EventKey::never(u64::MAX));
    for (i, a) in keys.iter().enumerate() {
        for (j, b) in keys.iter().enumerate() {
            assert_eq!(a.cmp(b), i.cmp(&j), "{a:?} {b:?}");
            assert_eq!(a.is_before(b), i < j, "{a:?} {b:?}");
        }
    }
}

//! Long campaigns of random games, each checked and played in two ways.

use crate::sent;
use crate::worlds::alike;
use carom_billiards::Billiards;
use carom_engine::SchedulerKind::{Grid, Table};
use carom_engine::{Forces, Judged, Rough, SchedulerKind, SimdLevel, Smooth};
use carom_testkit::grammar::{Dice, Fixed, Tape, Way};
use carom_testkit::rng::Rng;

/// The ways that each game is compared in, one by one of the games.
const WAYS: [(SchedulerKind, Way); 14] = [
    (Grid, Way::Plain),
    (Table, Way::Random),
    (Table, Way::Looked),
    (Grid, Way::Steps),
    (Table, Way::Cloned),
    (Table, Way::Frames),
    (Grid, Way::Random),
    (Table, Way::Rescan),
    (Table, Way::Stored),
    (Table, Way::Budgets),
    (Table, Way::With(SimdLevel::Portable)),
    (Table, Way::Saved),
    (Table, Way::Sink),
    (Table, Way::Thirds),
];

/// What is special in a game: in half of them nothing.
fn fixed(number: u64) -> Fixed {
    // Other physics than that of smooth discs refuse drag.
    let (is_smooth, kind, more) = (number.is_multiple_of(5), number / 10 % 16, (number / 160) as usize);
    let budget = Some(if is_smooth { 600 } else { 150 });
    // Games of lower numbers are as they were before there were limits.
    let is_limited = number >= 10_000_000 && number / 2560 % 2 == 1;
    let fixed = Fixed { budget, is_limited, ..Fixed::default() };
    match kind {
        8 => Fixed { is_sparse: true, ..fixed },
        9 | 10 => Fixed { is_sent: true, ..fixed },
        11 => Fixed { crowd: 10 + more % 40, ..fixed },
        // Of earlier numbers games with forces had no period.
        12 if is_smooth || number >= 2_000_000 => {
            Fixed { period: Some([[Some(3.0), Some(3.0)], [Some(10.0), None]][more % 2]), ..fixed }
        }
        13 => Fixed { growth: [0.05, 1e-6, 0.01, 1.0][more % 4], ..fixed },
        14 if is_smooth => Fixed { drag: Some([0.3, 3.0, 20.0, 300.0][more % 4]), ..fixed },
        12 | 14 | 15 => Fixed { is_sparse: true, is_sent: true, crowd: 5 + more % 20, ..fixed },
        _ => fixed,
    }
}

/// The game of a number, checked, and compared with itself in another way: what it shows.
///
/// # Panics
/// If something is wrong.
pub fn game(number: u64) -> Tape {
    let rng = Rng::new(10_000_000 + number);
    let fixed = fixed(number);
    let ways = &[WAYS[(number / 5 % WAYS.len() as u64) as usize]];
    if number.is_multiple_of(80) {
        sent(&rng, 2 + (number / 80 % 60) as usize);
    }
    match (number % 5, number / 5 % 3) {
        (0, _) => alike::<Smooth, _>(&rng, fixed, ways),
        (1, _) => alike::<Forces, _>(&rng, fixed, ways),
        (2, _) => alike::<Rough<Forces>, _>(&rng, fixed, ways),
        (3, 0) => alike::<Judged<Smooth, Dice>, _>(&rng, fixed, ways),
        (3, _) => alike::<Judged<Rough<Forces>, Dice>, _>(&rng, fixed, ways),
        _ => alike::<Billiards, _>(&rng, fixed, ways),
    }
}

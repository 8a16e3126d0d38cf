//! Hashes of random games: what each shows by the table, and whether it shows the same by the grid, when it
//! is looked at, and when it is saved and loaded.

use carom_billiards::Billiards;
use carom_engine::{Forces, Judged, Rough, SchedulerKind, Smooth};
use carom_testkit::grammar::{Dice, Fixed, Tape, Way, play};
use carom_testkit::rng::Rng;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How many games there are.
pub const GAMES: u64 = 10_200;

/// The first game that begins with a crowd: with this many discs that some of the engine's loops are others.
const CROWDS: u64 = 10_000;

/// The ways in which each game is played, with the word for those that differ from the first.
const WAYS: [(SchedulerKind, Way, &str); 4] = [
    (SchedulerKind::Table, Way::Plain, ""),
    (SchedulerKind::Grid, Way::Plain, "grid"),
    (SchedulerKind::Table, Way::Looked, "looked"),
    (SchedulerKind::Table, Way::Stored, "stored"),
];

/// The physics of a game.
const PHYSICS: [&str; 5] = ["smooth", "forces", "rough", "judged", "billiards"];

/// Plays a game one way. With `lines` it says what it shows.
fn played(number: u64, kind: SchedulerKind, way: Way, lines: bool) -> Option<Tape> {
    let mut rng = Rng::new(number);
    let tape = Tape { lines: lines.then(Vec::new), ..Tape::default() };
    let play = match (number % 5, number / 5 % 2) {
        (0, _) => play::<Smooth>,
        (1, _) => play::<Forces>,
        (2, _) => play::<Rough<Forces>>,
        (3, 0) => play::<Judged<Smooth, Dice>>,
        (3, _) => play::<Judged<Rough<Forces>, Dice>>,
        _ => play::<Billiards>,
    };
    let crowd = if number < CROWDS { 0 } else { 40 + rng.below(120) };
    let fixed = Fixed { crowd, ..Fixed::default() };
    catch_unwind(AssertUnwindSafe(|| play(&mut rng, fixed, kind, way, tape))).ok()
}

/// The line of a game: its number, physics, the hashes of what happened and of what was asked, and words for
/// the ways in which it differs.
pub fn line(number: u64) -> String {
    let seen = WAYS.map(|(kind, way, _)| played(number, kind, way, false));
    let hash = |tape: &Option<Tape>| tape.as_ref().map_or([0; 2], |tape| [tape.run.0, tape.looks.0]);
    let [run, looks] = hash(&seen[0]);
    let mut line = format!("{number} {} {run:016x} {looks:016x}", PHYSICS[number as usize % 5]);
    for ((_, _, word), tape) in WAYS.iter().zip(&seen) {
        let word = if tape.is_none() { "panics" } else { word };
        if tape.is_none() || hash(tape) != [run, looks] {
            line += " ";
            line += word;
        }
    }
    line
}

/// The lines of the games before the engine was rebuilt, by their numbers.
pub fn known() -> Vec<&'static str> {
    include_str!("../tests/game.hashes").lines().filter(|line| !line.starts_with('#')).collect()
}

/// The line of a game if it is not what is known. A game that is known to differ by the way in which it is
/// played may change.
pub fn check(known: &[&str], number: u64) -> Option<String> {
    let before = known[number as usize];
    let is_marked = before.split(' ').count() > 4;
    let now = if is_marked { before.to_owned() } else { line(number) };
    (now != before).then_some(now)
}

/// Shows where the ways of a game part.
pub fn explain(number: u64) {
    let seen = WAYS.map(|(kind, way, _)| played(number, kind, way, true));
    let lines = |tape: &Option<Tape>| tape.as_ref().and_then(|tape| tape.lines.clone()).unwrap_or_default();
    let first = lines(&seen[0]);
    for ((_, _, word), tape) in WAYS.iter().zip(&seen).skip(1) {
        let other = lines(tape);
        let at = first.iter().zip(&other).position(|(one, other)| one != other);
        let Some(at) = at else { continue };
        println!("{number} differs, {word}, at line {at} of {}", first.len());
        first[at.saturating_sub(6)..at].iter().for_each(|line| println!("    {line}"));
        println!("  one {}\n  two {}", first[at], other[at]);
    }
}

//! The laws of all worlds, in random games of all physics: the same bits of outcomes, events and states
//! however events are scheduled, time is cut into calls and events are read, with any vector instructions,
//! from clones and from snapshots. After each call what the oracle of the test kit checks holds.

use carom_engine::SchedulerKind::{Grid, Table};
use carom_engine::{SchedulerKind, SimdLevel};
use carom_fuzz::{Play, play_all, play_forces, play_judged, play_smooth, sent};
use carom_testkit::grammar::{Fixed, Way};
use carom_testkit::rng::{Rng, cases};

const SCHEDULED: [(SchedulerKind, Way); 4] =
    [(Table, Way::Rescan), (Grid, Way::Plain), (Grid, Way::Steps), (Grid, Way::Random)];

const CUT: [(SchedulerKind, Way); 5] = [
    (Table, Way::Frames),
    (Table, Way::Random),
    (Table, Way::Steps),
    (Table, Way::Budgets),
    (Table, Way::Sink),
];

const KEPT: [(SchedulerKind, Way); 3] = [(Table, Way::Saved), (Table, Way::Cloned), (Table, Way::Thirds)];

/// Plays a game; returns how many events it has.
fn game(play: Play, seed: u64, fixed: Fixed, ways: &[(SchedulerKind, Way)]) -> usize {
    println!("seed {seed}");
    play(&Rng::new(1_000_000 + seed), Fixed { budget: fixed.budget.or(Some(600)), ..fixed }, ways)
}

/// Plays games of this many seeds; returns how many events they have.
fn games(play: Play, seeds: u64, fixed: impl Fn(u64) -> Fixed, ways: &[(SchedulerKind, Way)]) -> usize {
    (0..cases(seeds)).map(|seed| game(play, seed, fixed(seed), ways)).sum()
}

fn nothing(_: u64) -> Fixed {
    Fixed::default()
}

#[test]
fn whoever_schedules() {
    let events = games(play_smooth, 2000, nothing, &SCHEDULED);
    assert!(events > 30_000, "{events}");
}

#[test]
fn however_time_is_cut() {
    let events = games(play_smooth, 1200, nothing, &CUT);
    assert!(events > 15_000, "{events}");
}

#[test]
fn from_snapshots_and_clones() {
    let events = games(play_smooth, 1000, nothing, &KEPT);
    assert!(events > 15_000, "{events}");
}

/// Sweeps are on blocks of eight discs: some worlds have more.
#[test]
fn with_all_vector_instructions() {
    let levels: Vec<_> = SimdLevel::available().iter().map(|&level| (Table, Way::With(level))).collect();
    let crowd = |seed: u64| Fixed {
        crowd: if seed.is_multiple_of(4) { 10 + seed as usize % 40 } else { 0 },
        ..nothing(0)
    };
    let events = games(play_smooth, 800, crowd, &levels);
    assert!(events > 15_000, "{events}");
}

/// With many discs, of which the table has rows of several blocks and the grid many cells.
#[test]
fn in_crowds() {
    let crowd = |seed| Fixed { crowd: 20 + seed as usize % 60, ..nothing(0) };
    let events = games(play_smooth, 60, crowd, &[SCHEDULED, [CUT[0], CUT[2], CUT[3], KEPT[1]]].concat());
    assert!(events > 4000, "{events}");
}

/// The clock is renewed never, at times, and all the time.
#[test]
fn with_drag() {
    let drag = |seed| Fixed { drag: Some([0.3, 3.0, 20.0, 300.0][seed as usize % 4]), ..nothing(0) };
    games(play_smooth, 120, drag, &[&SCHEDULED[..], &CUT, &KEPT].concat());
}

#[test]
fn while_discs_grow() {
    let growth = |seed| Fixed { growth: [0.05, 1e-6, 0.01, 1.0][seed as usize % 4], ..nothing(0) };
    let events = games(play_smooth, 400, growth, &[&SCHEDULED[..], &CUT[..2], &KEPT].concat());
    assert!(events > 10_000, "{events}");
}

/// A rectangle into which few discs fit, or many, or a tube.
fn period(seed: u64) -> Fixed {
    let rng = &mut Rng::new(!seed);
    let length = rng.pick(&[1.7, 1.7, 3.0, 10.0]);
    let width = length * rng.pick(&[1.0, 1.0, 4.7]);
    let both = [Some(length), Some(width)];
    let period = Some(rng.pick(&[both, both, [both[0], None], [None, both[1]]]));
    Fixed {
        period,
        crowd: if seed.is_multiple_of(3) { 0 } else { 2 + seed as usize % 22 },
        ..Fixed::default()
    }
}

#[test]
fn in_periodic_worlds() {
    let ways = [&SCHEDULED[..2], &CUT[..1]].concat();
    let events = games(play_smooth, 800, period, &ways);
    assert!(events > 10_000, "{events}");
    let events = games(play_smooth, 800, |seed: u64| Fixed { growth: 0.1, ..period(seed) }, &ways);
    assert!(events > 10_000, "{events}");
    let many = |seed: u64| Fixed {
        crowd: 40 + 67 * seed as usize % 211,
        period: Some([Some(10.0), Some(if seed.is_multiple_of(2) { 10.0 } else { 40.0 })]),
        growth: if seed.is_multiple_of(3) { 0.1 } else { 0.0 },
        ..Fixed::default()
    };
    let events = games(play_smooth, 36, many, &[(Grid, Way::Plain)]);
    assert!(events > 6000, "{events}");
}

/// Paths that bend, of discs that slide until they stop, that spin, are judged and held, go round.
#[test]
fn in_periodic_worlds_with_forces() {
    let ways = [&SCHEDULED[..2], &CUT[..2], &KEPT].concat();
    let length = |seed: u64| Fixed {
        budget: Some(150),
        period: period(seed).period.map(|lengths| lengths.map(|length| length.map(|x| x.max(3.0)))),
        ..period(seed)
    };
    let events = games(play_forces, 160, length, &ways);
    assert!(events > 800, "{events}");
    let events = games(play_all, 160, length, &ways);
    assert!(events > 800, "{events}");
    let many = |seed: u64| Fixed {
        crowd: 40 + 67 * seed as usize % 151,
        period: Some([Some(10.0), Some(if seed.is_multiple_of(2) { 10.0 } else { 40.0 })]),
        ..Fixed::default()
    };
    let events = games(play_forces, 8, many, &[(Grid, Way::Plain)]);
    assert!(events > 800, "{events}");
}

/// What comes to rest has many events, each of many contacts.
fn short(_: u64) -> Fixed {
    Fixed { budget: Some(150), ..Fixed::default() }
}

#[test]
fn with_forces() {
    let ways = [&SCHEDULED[..2], &[CUT[0], CUT[2]], &KEPT].concat();
    let events = games(play_forces, 300, short, &ways);
    assert!(events > 4000, "{events}");
    let crowd = |seed: u64| Fixed { crowd: 10 + seed as usize % 40, ..short(seed) };
    let events = games(play_forces, 60, crowd, &ways);
    assert!(events > 1500, "{events}");
}

/// Of ten discs seven have a thrust and a limit of their speed.
#[test]
fn with_limits_of_the_speed() {
    let limited = |seed: u64| Fixed { is_limited: true, ..short(seed) };
    let ways = [&SCHEDULED[..2], &[CUT[0], CUT[2]], &KEPT].concat();
    let events = games(play_forces, 200, limited, &ways);
    assert!(events > 4000, "{events}");
    let events = games(play_all, 180, limited, &ways);
    assert!(events > 3000, "{events}");
}

#[test]
fn with_verdicts() {
    let ways = [&SCHEDULED[..], &CUT, &KEPT].concat();
    let events = games(play_judged, 200, nothing, &ways);
    assert!(events > 2000, "{events}");
}

#[test]
fn with_everything() {
    let ways = [&SCHEDULED[1..2], &[CUT[0], CUT[2]], &KEPT].concat();
    let events = games(play_all, 400, short, &ways);
    assert!(events > 5000, "{events}");
}

/// Walls that are sent on in each frame, by turns among smooth discs, with forces, and with friction too.
#[test]
fn sent_in_frames() {
    let mut events = 0;
    for seed in 0..cases(400) {
        println!("seed {seed}");
        events += sent(&Rng::new(2_000_000 + seed), 2 + seed as usize % 60);
    }
    assert!(events > 1500, "{events}");
}

/// Games of campaigns that failed once. What an edit lets go was saved with a path that it did not have; a
/// jam was followed by halves; a command was kept with a number that no world takes; a ball spun faster
/// than could be saved; spin came and went unseen by the ledger; a ball that began to roll as it was hit
/// closed in on itself, by the grid; friction kept tracers in the way of what was pushed over them,
/// unsaid; what stops at one time was settled one by one, or together, by how the time was cut; a step
/// settled edits before what had arrived stopped; a body that had gone on was taken for one that gives way
/// now; what had come round a one-sided wall on a bent path, or over an end of one, was hit from the
/// inside; what went on with a wall was not scheduled again; a tracer over which something passed was held
/// to it; what was held was let through as it was put back, for the depth at which it was; without a rule
/// for rest what came slowly sank in; and commands of a verdict on what had no room waited for another
/// event.
#[test]
fn those_that_failed() {
    let saved = [41, 741, 8931, 502_936, 301_055, 942_607, 477_749];
    let of_billiards = [36_839, 37_514, 29_364, 51_064, 98_144];
    let of_tracers = [13_372, 17_692, 57_536];
    let of_stops = [68_987, 71_296, 93_337, 147_016, 158_986, 82_686, 242_006];
    let (of_crushed, one_sided) = ([60_197, 191_703, 843_145], [138_013, 333_332, 409_492]);
    let (moved_on, let_go, unruled) = ([270_550, 713_910], [371_056, 690_761], [553_672, 460_356, 730_053]);
    let of_points = [463_546, 475_236, 509_096, 10_007];
    let placed = [19_566, 55_277, 135_751, 266_706];
    let later = of_stops.into_iter().chain(of_crushed).chain(one_sided);
    let later = later.chain(moved_on).chain(let_go).chain(unruled).chain(of_points).chain(placed);
    for number in saved.into_iter().chain(of_billiards).chain(of_tracers).chain(later) {
        println!("game {number}");
        carom_fuzz::campaign::game(number);
    }
}

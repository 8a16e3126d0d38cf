//! Random calls of worlds, by the grammar of the test kit.

use carom_engine::SchedulerKind::{Grid, Table};
use carom_engine::{Forces, Judged, Rough, SchedulerKind, Smooth};
use carom_testkit::grammar::{Bytes, Dice, Played, Tape, Way, check};

/// Any sequence of calls of a world of smooth discs: see `each_way`.
pub fn calls(bytes: &[u8]) {
    each_way::<Smooth>(bytes);
}

/// Any sequence of calls of a world whose discs accelerate, slide with friction and come to rest.
pub fn forces(bytes: &[u8]) {
    each_way::<Forces>(bytes);
}

/// Any sequence of calls of a game: verdicts and the commands that they give, rough discs and forces.
pub fn games(bytes: &[u8]) {
    each_way::<Judged<Rough<Forces>, Dice>>(bytes);
}

/// After each call what the test kit's oracle checks holds. The bits of outcomes, events and states are those
/// of the same sequence with the grid, with each call cut into three and loaded from snapshots, and event by
/// event.
fn each_way<P: Played>(bytes: &[u8]) {
    let played = |kind: SchedulerKind, way, lines: bool| {
        let tape = Tape { lines: lines.then(Vec::new), ..Tape::default() };
        check::<P>(&mut Bytes(bytes), kind, way, tape)
    };
    let whole = played(Table, Way::Plain, false);
    for (kind, way) in [(Grid, Way::Plain), (Table, Way::Thirds), (Table, Way::Steps)] {
        let other = played(kind, way, false);
        // Up to where a budget has ended one of them.
        if whole.calls.iter().zip(&other.calls).all(|(one, other)| one == other) {
            continue;
        }
        let lines = |kind, way| played(kind, way, true).lines.unwrap_or_default();
        let (one, other) = (lines(Table, Way::Plain), lines(kind, way));
        let differ = one.iter().zip(&other).find(|(one, other)| one != other);
        panic!("{kind:?} {way:?}: {differ:#?}");
    }
}

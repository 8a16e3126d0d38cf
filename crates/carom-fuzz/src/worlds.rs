//! Random calls of worlds, by the grammar of the test kit.

use carom_engine::SchedulerKind::{Grid, Table};
use carom_engine::{Forces, Judged, Rough, SchedulerKind, Smooth};
use carom_testkit::grammar::{Bytes, Choices, Dice, Fixed, Game, Played, Tape, Way, play};
use carom_testkit::rng::Rng;

/// A random game in other ways: the bits are the same. Returns how many events it has.
pub type Play = fn(&Rng, Fixed, &[(SchedulerKind, Way)]) -> usize;

/// A game of smooth discs. (The engine of each physics is compiled here, once.)
pub fn play_smooth(rng: &Rng, fixed: Fixed, ways: &[(SchedulerKind, Way)]) -> usize {
    assert_alike::<Smooth, _>(rng, fixed, ways)
}

/// A game of discs with forces.
pub fn play_forces(rng: &Rng, fixed: Fixed, ways: &[(SchedulerKind, Way)]) -> usize {
    assert_alike::<Forces, _>(rng, fixed, ways)
}

/// A game of smooth discs with verdicts.
pub fn play_judged(rng: &Rng, fixed: Fixed, ways: &[(SchedulerKind, Way)]) -> usize {
    assert_alike::<Judged<Smooth, Dice>, _>(rng, fixed, ways)
}

/// A game of rough discs with forces and verdicts.
pub fn play_all(rng: &Rng, fixed: Fixed, ways: &[(SchedulerKind, Way)]) -> usize {
    assert_alike::<Judged<Rough<Forces>, Dice>, _>(rng, fixed, ways)
}

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

fn each_way<P: Played>(bytes: &[u8]) {
    let ways = [(Grid, Way::Plain), (Table, Way::Thirds), (Table, Way::Steps)];
    assert_alike::<P, _>(&Bytes(bytes), Fixed::default(), &ways);
}

/// After each call what the test kit's oracle checks holds. The bits of outcomes, events and states are those
/// of the same sequence in other ways. Returns how many events there were.
fn assert_alike<P: Played, C: Choices + Clone>(
    choices: &C,
    fixed: Fixed,
    ways: &[(SchedulerKind, Way)],
) -> usize {
    alike::<P, C>(choices, fixed, ways).events
}

/// What a game shows that is checked, and is the same in other ways.
pub(crate) fn alike<P: Played, C: Choices + Clone>(
    choices: &C,
    fixed: Fixed,
    ways: &[(SchedulerKind, Way)],
) -> Tape {
    let played = |kind: SchedulerKind, way, lines: bool| {
        let tape = Tape { lines: lines.then(Vec::new), ..Tape::default() };
        play::<P>(&mut choices.clone(), Fixed { is_checked: true, ..fixed }, kind, way, tape)
    };
    let whole = played(Table, Way::Plain, false);
    for &(kind, way) in ways {
        let other = played(kind, way, false);
        // Up to where a budget has ended one of them.
        if whole.calls.iter().zip(&other.calls).all(|(one, other)| one == other) {
            continue;
        }
        let lines = |kind, way| played(kind, way, true).lines.unwrap_or_default();
        let (one, other) = (lines(Table, Way::Plain), lines(kind, way));
        let same = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
        // What has led there.
        let before = &one[same.saturating_sub(12)..same];
        panic!("{kind:?} {way:?}: {before:#?}\none {:?}\ntwo {:?}", one.get(same), other.get(same));
    }
    whole
}

/// Walls of a random world that are sent on in each frame move as by one command: the same events and states,
/// bit for bit. Returns how many there were.
///
/// # Panics
/// If they differ.
pub fn sent(rng: &Rng, frames: usize) -> usize {
    // Verdicts move walls, too.
    let sent = match frames % 3 {
        0 => Game::<Smooth>::sent,
        1 => Game::<Forces>::sent,
        _ => Game::<Rough<Forces>>::sent,
    };
    let [whole, framed] = [true, false].map(|is_whole| sent(&mut rng.clone(), frames, is_whole));
    let (Some(whole), Some(framed)) = (whole, framed) else { return 0 };
    let differ = whole.iter().zip(&framed).find(|(whole, framed)| whole != framed);
    assert_eq!(differ, None, "of {} and {}", whole.len(), framed.len());
    assert_eq!(whole.len(), framed.len());
    whole.len()
}

//! Every scheduler finds the same events, to the last bit: the pair table, with its sweeps of many discs at
//! once, against a scheduler that computes everything again, one pair at a time.

use crate::common::by::By;
use crate::common::program::{Program, Slicing, run};
use crate::common::record::{Seen, assert_same, events_in};
use crate::common::rng::cases;
use carom_engine::Simultaneous::{OneByOne, Together};

/// Law 8, "the pair table is the oracle", and the other way round: itself it is tested against a plain
/// rescan. Worlds of every kind, with edits, insertions and removals in between, under both rules for
/// simultaneous impacts. The grid of cells has the bits of the table however time is cut, as bookkeeping
/// touches no state.
#[test]
fn table_grid_and_rescan_find_the_same() {
    let (mut events, mut cut, mut groups) = (0, 0, 0);
    for seed in 0..cases(600) {
        for simultaneous in [Together, OneByOne] {
            let program = Program { seed, simultaneous, edits: true, rules: seed % 3 == 0 };
            let table = run(program, By::Table, Slicing::Whole);
            for (by, slicing) in [
                (By::Rescan, Slicing::Whole),
                (By::Grid, Slicing::Whole),
                (By::Grid, Slicing::Steps),
                (By::Grid, Slicing::Queries),
            ] {
                let other = run(program, by, slicing);
                assert_same(&table, &other, &format!("{program:?} {by:?} {slicing:?}"));
            }
            events += events_in(&table);
            cut += usize::from(table.last() == Some(&Seen::TooMany));
            groups += table.windows(2).filter(|pair| same_group(&pair[0], &pair[1])).count();
        }
    }
    // The worlds are what they are meant to be: eventful, with groups, and few without an end.
    assert!(
        events > 30_000 && cut < 250 * cases(1) as usize && groups > 300,
        "{events} events, {cut} cut short, {groups} in groups"
    );
}

fn same_group(a: &Seen, b: &Seen) -> bool {
    // Words 0 to 2 of an event's bits are its time and its group.
    matches!((a, b), (Seen::Event(_, a), Seen::Event(_, b)) if a[..3] == b[..3])
}

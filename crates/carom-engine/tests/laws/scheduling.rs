//! Every scheduler finds the same events, to the last bit: the pair table, with its sweeps of many discs at
//! once, against a scheduler that computes everything again, one pair at a time.

use crate::common::program::{Program, Slicing, run};
use crate::common::record::{Seen, assert_same};
use crate::common::rescan::Rescan;
use crate::common::rng::cases;
use carom_engine::Simultaneous::{OneByOne, Together};
use carom_engine::broadphase::{CellGrid, PairTable};

/// Law 8, "the pair table is the oracle", the other way round: itself it is tested against a plain rescan.
/// Worlds of every kind, with edits, insertions and removals in between, under both rules for simultaneous
/// impacts.
#[test]
fn the_pair_table_finds_what_a_rescan_finds() {
    let (mut events, mut cut, mut groups) = (0, 0, 0);
    for seed in 0..cases(600) {
        for simultaneous in [Together, OneByOne] {
            let program = Program { seed, simultaneous, edits: true, rules: seed % 3 == 0 };
            let table = run::<PairTable>(program, Slicing::Whole);
            let oracle = run::<Rescan>(program, Slicing::Whole);
            assert_same(&table, &oracle, &format!("{program:?}"));
            events += table.iter().filter(|seen| matches!(seen, Seen::Event(..))).count();
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

/// The same for the grid of cells: bookkeeping touches no state, so the bits are the table's.
#[test]
fn the_grid_finds_what_the_pair_table_finds() {
    for seed in 0..cases(600) {
        for simultaneous in [Together, OneByOne] {
            let program = Program { seed, simultaneous, edits: true, rules: seed % 3 == 0 };
            let table = run::<PairTable>(program, Slicing::Whole);
            for slicing in [Slicing::Whole, Slicing::Steps, Slicing::Queries] {
                let grid = run::<CellGrid>(program, slicing);
                assert_same(&grid, &table, &format!("{program:?} {slicing:?}"));
            }
        }
    }
}

fn same_group(a: &Seen, b: &Seen) -> bool {
    // Words 0 to 2 of an event's bits are its time and its group.
    matches!((a, b), (Seen::Event(_, a), Seen::Event(_, b)) if a[..3] == b[..3])
}

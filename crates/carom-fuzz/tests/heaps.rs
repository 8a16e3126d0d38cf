//! Random heaps keep their laws: no overlap beyond the tolerance, no energy from nowhere, no budget out, no
//! events at rest, and the same bits by both schedulers, in frames of any length, and through snapshots. The
//! example `heaps` plays as many as one likes; these are of up to 28 discs.

use carom_engine::{Forces, Rough};
use carom_fuzz::heaps::heap;

#[test]
fn heaps_of_smooth_discs() {
    for number in [3, 6, 7, 9, 10, 11, 12, 13, 14, 15, 19, 20] {
        heap::<Forces>(number);
    }
}

#[test]
fn heaps_of_discs_that_rub() {
    for number in [3, 6, 7, 9, 10, 11, 12, 13, 14, 19, 20] {
        heap::<Rough<Forces>>(number);
    }
}

//! The bits of whole runs: the same in debug and release, with and without wide vectors, on every machine.

#[path = "../../examples/golden.rs"]
#[allow(dead_code, reason = "the example's `main`")]
mod hashes;

use carom_engine::SimdLevel;

/// A hash of every event and of every state at the end of every named scene. The only operations behind them
/// are correctly rounded, so nothing but a change of the program can change a bit: such a change belongs into
/// the changelog, under "Bits", with the new hashes in `golden.hashes`.
///
/// With every kind of vector instructions that this machine has; with the features `std` or `libm` of this
/// package.
#[test]
fn the_named_scenes_run_as_ever() {
    for instructions in SimdLevel::available().into_iter().chain([SimdLevel::Best]) {
        let (got, want) = (hashes::lines(instructions), include_str!("../golden.hashes"));
        assert!(got == want.trim(), "with {instructions:?} the runs are now\n{got}\nand were\n{want}");
    }
}

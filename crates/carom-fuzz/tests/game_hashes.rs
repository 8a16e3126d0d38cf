//! Random games have the bits that they had before the engine was rebuilt.

use carom_fuzz::hashes::{check, known};

/// One in twenty of the games, of all physics. `tools/game-hashes` checks all of them.
#[test]
fn games_have_the_bits_of_before_the_rebuild() {
    let numbers = (0..510).map(|k| 20 * k + k % 20);
    let differ: Vec<String> = numbers.filter_map(|number| check(&known(), number)).collect();
    assert!(differ.is_empty(), "{} games differ:\n{}", differ.len(), differ.join("\n"));
}

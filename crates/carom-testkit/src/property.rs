use crate::rng::campaign;
use proptest::test_runner::{Config, RngSeed};

/// The same cases in every run; `CAROM_CASES` makes a campaign of that many times as many, all of them
/// others.
pub fn config(cases: u32) -> Config {
    Config {
        cases: cases * campaign().unwrap_or(1),
        rng_seed: if campaign().is_some() { RngSeed::Random } else { RngSeed::Fixed(1) },
        failure_persistence: None,
        ..Config::default()
    }
}

use std::cell::Cell;

use carom_testkit::property::config;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

/// Runs a law: `check` gives the error of a case as a multiple of its unit, which must not exceed `bound`.
///
/// Seeded by the law's name, so a run is the same everywhere, and a longer one begins with the same cases; a
/// failing case is shrunk and shown.
pub(crate) fn law<S: Strategy>(
    name: &str,
    cases: u32,
    bound: f64,
    strategy: S,
    check: impl Fn(S::Value) -> Result<f64, String>,
) {
    let config = Config { max_shrink_iters: 10_000, ..config(cases) };
    let cases = config.cases;
    let mut seed = [0; 32];
    seed.iter_mut().zip(name.bytes()).for_each(|(s, b)| *s = b);
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
    let largest = Cell::new(0.0);
    let outcome = runner.run(&strategy, |case| {
        let multiple = check(case).map_err(TestCaseError::fail)?;
        if !(multiple <= bound) {
            return Err(TestCaseError::fail(format!("error of {multiple} units, allowed are {bound}")));
        }
        largest.set(multiple.max(largest.get()));
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{name}: {failure}");
    }
    println!("{name}: largest {:.3} of {bound} units in {cases} cases", largest.get());
}

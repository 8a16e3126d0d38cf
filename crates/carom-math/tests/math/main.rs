//! The laws of this crate, tested against exact arithmetic.
//!
//! Every law is one function `case → multiple of its unit of error`, run over thousands of seeded cases that
//! are biased to what breaks, and shrunk when it fails. `cargo test -p carom-math -- --nocapture` prints the
//! largest multiple of each; `CAROM_CASES=100` runs a hundred times as many cases.

#[macro_use]
mod cases;

mod arc;
mod arm;
mod bad_forms;
mod bent;
mod circle;
mod clock;
mod disc_disc;
mod eft;
mod elementary;
mod encounter;
mod entry;
mod growing;
mod judge;
mod line;
mod oracle;
mod overlap;
mod run;
mod seams;
mod shape;
#[cfg(feature = "serde")]
mod stored;
mod symmetry;
mod units;

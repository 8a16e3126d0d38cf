//! How accurate trajectories are: against 77 digits, and run backwards.

use carom_testkit as common;

mod digits;
mod oracle;
mod plain;
mod reversal;
mod scene;

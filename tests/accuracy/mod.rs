//! How accurate trajectories are: against 77 digits, and run backwards.

mod digits;
mod oracle;
mod plain;
mod reversal;
mod scene;

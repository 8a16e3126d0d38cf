//! Which random numbers a seed stands for.

use serde::{Deserialize, Serialize};

/// The largest seed: what TOML's whole numbers hold.
pub const MAX_SEED: u64 = i64::MAX as u64;

/// The generator behind a seed, by name, so that a scene means the same discs under every later version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Generator {
    /// ChaCha with 8 rounds, seeded as `Random::new` says.
    #[default]
    #[serde(rename = "chacha8")]
    ChaCha8,
}

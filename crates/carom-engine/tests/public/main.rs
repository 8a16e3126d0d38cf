//! The calls that users make, and how they end.

use carom_testkit as common;

mod bulk;
mod debug_draw;
mod queries;
mod stops;
#[cfg(feature = "mint")]
mod vectors;

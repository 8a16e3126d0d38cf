//! What a caller changes, as values, and whether it may be.

mod change;
mod placing;

pub(crate) use change::{Change, ChangeOf, Records, Remembered, Row, Sensed, Way};
pub(crate) use placing::{Placing, check_among};

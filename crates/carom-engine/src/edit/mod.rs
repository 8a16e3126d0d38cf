//! What a caller changes, as values, and whether it may be.

mod disc;
mod placing;
mod wall;

pub(crate) use disc::{Change, ChangeOf, Records, Remembered, Row, Sensed, Way};
pub(crate) use placing::{Placing, check_among};
pub(crate) use wall::WallChange;

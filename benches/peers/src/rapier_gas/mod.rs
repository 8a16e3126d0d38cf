//! The gas in rapier, in single and in double precision: two crates with one interface, and one text for
//! both.

#![allow(clippy::duplicate_mod, reason = "the text is read once for each crate")]

pub(crate) mod double;
pub(crate) mod single;

/// What is done so that fast discs miss nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ccd {
    /// Nothing.
    Off,
    /// What a world does by itself: a fast body is stopped where it would pass a fixed one.
    Walls,
    /// `ccd_enabled` for every disc.
    Bullets,
    /// Contacts foreseen one diameter ahead, by `soft_ccd_prediction`.
    Soft,
}

impl Ccd {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Ccd::Off => ", no CCD",
            Ccd::Walls => "",
            Ccd::Bullets => ", CCD",
            Ccd::Soft => ", soft CCD",
        }
    }
}

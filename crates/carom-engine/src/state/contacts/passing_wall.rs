#[cfg(feature = "serde")]
use super::never;
use crate::walk::fields;
use carom_broadphase::Slot;
use carom_math::Time;

/// A disc that passes through a wall until it has parted from all of it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct PassingWall {
    pub(crate) disc: Slot,
    /// Slot of the wall.
    pub(crate) wall: u32,
    /// When it began.
    pub(crate) since: Time,
    /// When the two have parted.
    #[cfg_attr(feature = "serde", serde(skip, default = "never"))]
    pub(crate) end: Time,
}

fields!(PassingWall: disc as Disc, wall as Wall, since as Past; without end);

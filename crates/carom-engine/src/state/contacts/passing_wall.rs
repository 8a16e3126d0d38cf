use carom_broadphase::Slot;
use carom_math::Time;

/// A disc that passes through a wall until it has parted from all of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PassingWall {
    pub(crate) disc: Slot,
    /// Slot of the wall.
    pub(crate) wall: u32,
    /// When it began.
    pub(crate) since: Time,
    /// When the two have parted.
    pub(crate) end: Time,
}

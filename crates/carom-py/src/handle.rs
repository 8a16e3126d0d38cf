//! Handles as whole numbers: the slot and 2³² times the generation.

use carom_engine::{DiscId, Partner, RegionId, WallId};

/// What stands for no handle in arrays.
pub(crate) const NONE: u64 = u64::MAX;

/// A handle with a number.
pub(crate) trait Numbered: Copy + Sized {
    /// What it names, for errors.
    const FIELD: &'static str;

    fn number(self) -> u64;
    fn from_number(number: u64) -> Option<Self>;
}

macro_rules! numbered {
    ($handle:ident, $field:literal) => {
        impl Numbered for $handle {
            const FIELD: &'static str = $field;

            fn number(self) -> u64 {
                u64::from(self.generation()) << 32 | u64::from(self.slot())
            }

            fn from_number(number: u64) -> Option<Self> {
                $handle::from_parts(number as u32, (number >> 32) as u32)
            }
        }
    };
}

numbered!(DiscId, "disc");
numbered!(WallId, "wall");
numbered!(RegionId, "region");

/// What something meets: the kind (1 disc, 2 wall), the handle and the part.
pub(crate) fn partner(body: Partner) -> (u8, u64, u32) {
    match body {
        Partner::Disc(disc) => (1, disc.number(), 0),
        Partner::Wall { wall, part } => (2, wall.number(), part),
    }
}

/// The same for Python: `("disc", handle, 0)`, `("wall", handle, part)`.
pub(crate) type Body = (&'static str, u64, u32);

pub(crate) fn named(kind: u8, number: u64, part: u32) -> Option<Body> {
    match kind {
        1 => Some(("disc", number, 0)),
        2 => Some(("wall", number, part)),
        _ => None,
    }
}

pub(crate) fn body(met: Partner) -> Option<Body> {
    let (kind, number, part) = partner(met);
    named(kind, number, part)
}

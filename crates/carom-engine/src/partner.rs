use crate::walk::variants;
use crate::{DiscId, WallId};
use core::fmt;

/// What a disc met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Partner {
    /// Another disc.
    Disc(DiscId),
    /// A part of a wall: see [`crate::WallShape`] for how parts are counted.
    Wall {
        /// The wall.
        wall: WallId,
        /// Which of its parts.
        part: u32,
    },
}

variants!(Partner: Disc(disc), Wall { wall, part });

impl Partner {
    /// The disc, if it is one.
    #[must_use]
    pub fn disc(self) -> Option<DiscId> {
        match self {
            Partner::Disc(disc) => Some(disc),
            Partner::Wall { .. } => None,
        }
    }

    /// The wall, if it is a part of one.
    #[must_use]
    pub fn wall(self) -> Option<WallId> {
        match self {
            Partner::Disc(_) => None,
            Partner::Wall { wall, .. } => Some(wall),
        }
    }
}

/// `disc 3`, or `wall 0, part 2`.
impl fmt::Display for Partner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Partner::Disc(disc) => write!(f, "disc {disc}"),
            Partner::Wall { wall, part } => write!(f, "wall {wall}, part {part}"),
        }
    }
}

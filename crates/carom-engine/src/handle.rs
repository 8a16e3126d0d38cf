use core::fmt;

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $short:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
        pub struct $name {
            slot: u32,
            generation: u32,
        }

        impl $name {
            pub(crate) fn new(slot: u32, generation: u32) -> Self {
                $name { slot, generation }
            }

            /// Dense index, used again after removal.
            #[inline]
            #[must_use]
            pub fn slot(self) -> u32 {
                self.slot
            }

            /// How often the slot had been used before.
            #[inline]
            #[must_use]
            pub fn generation(self) -> u32 {
                self.generation
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($short, "{}v{}"), self.slot, self.generation)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}v{}", self.slot, self.generation)
            }
        }
    };
}

handle! {
    /// Names a disc of a world for as long as it is there. A stale one is an error, never another disc.
    DiscId, "disc "
}

handle! {
    /// Names a wall of a world for as long as it is there. A stale one is an error, never another wall.
    WallId, "wall "
}

use carom_math::Time;
use core::fmt;
use core::num::NonZeroU32;

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $short:literal) => {
        $(#[$doc])*
        ///
        /// 8 bytes, also as an `Option`.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(try_from = "Parts", into = "Parts"))]
        pub struct $name {
            /// The slot and 1 more.
            place: NonZeroU32,
            generation: u32,
        }

        impl $name {
            /// `slot` is below `u32::MAX`: worlds hold fewer.
            #[inline]
            pub(crate) fn new(slot: u32, generation: u32) -> Self {
                $name { place: NonZeroU32::MIN.saturating_add(slot), generation }
            }

            /// The handle of these numbers, as a program in another language keeps it; `None` for a slot that
            /// no world has, `u32::MAX`. One that names nothing is refused where it is used.
            #[must_use]
            pub fn from_parts(slot: u32, generation: u32) -> Option<Self> {
                (slot < u32::MAX).then(|| $name::new(slot, generation))
            }

            /// Dense index, used again after removal.
            #[inline]
            #[must_use]
            pub fn slot(self) -> u32 {
                self.place.get() - 1
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
                write!(f, concat!($short, " {}"), self)
            }
        }

        impl fmt::Display for $name {
            /// The slot, with the generation after it from the second one on: `7`, `7v1`.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self.generation {
                    0 => write!(f, "{}", self.slot()),
                    generation => write!(f, "{}v{generation}", self.slot()),
                }
            }
        }

        #[cfg(feature = "serde")]
        impl TryFrom<Parts> for $name {
            type Error = &'static str;

            fn try_from(parts: Parts) -> Result<Self, Self::Error> {
                match parts.slot {
                    u32::MAX => Err(concat!("the slot of a ", $short, " is below 4294967295")),
                    slot => Ok($name::new(slot, parts.generation)),
                }
            }
        }

        #[cfg(feature = "serde")]
        impl From<$name> for Parts {
            fn from(id: $name) -> Self {
                Parts { slot: id.slot(), generation: id.generation }
            }
        }
    };
}

/// A handle as it is stored.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts {
    slot: u32,
    generation: u32,
}

handle! {
    /// Names a disc of a world for as long as it is there. A stale one is an error, never another disc.
    DiscId, "disc"
}

handle! {
    /// Names a wall of a world for as long as it is there. A stale one is an error, never another wall.
    WallId, "wall"
}

handle! {
    /// Names a region of a world for as long as it is there. A stale one is an error, never another region.
    RegionId, "region"
}

/// The numbers of stops begin here: at one time they come after all other timers.
pub(crate) const STOPS: u64 = 1 << 63;

/// Whether this is the time and number of a stop: of what has arrived, and stops as time goes on.
pub(crate) fn is_stop(timer: (Time, u64)) -> bool {
    timer.1 >= STOPS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_that_may_be_absent_takes_eight_bytes() {
        assert_eq!(size_of::<Option<DiscId>>(), 8);
        assert_eq!(size_of::<Option<WallId>>(), 8);
        let id = DiscId::new(0, 3);
        assert_eq!((id.slot(), id.generation()), (0, 3));
    }

    #[test]
    fn a_handle_is_made_of_its_parts() {
        let id = DiscId::new(7, 3);
        assert_eq!(DiscId::from_parts(id.slot(), id.generation()), Some(id));
        assert_eq!(DiscId::from_parts(u32::MAX, 0), None);
    }

    #[test]
    fn handles_are_shown_by_slot_and_generation() {
        assert_eq!(format!("{:?}, {}", DiscId::new(7, 0), DiscId::new(7, 0)), "disc 7, 7");
        assert_eq!(format!("{:?}, {}", WallId::new(2, 1), WallId::new(2, 1)), "wall 2v1, 2v1");
    }
}

/// A timer of a world: see [`World::set_timer`](crate::World::set_timer). Never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TimerId(pub(crate) u64);

impl TimerId {
    /// The number that stands for this timer outside of Rust.
    #[must_use]
    pub fn number(self) -> u64 {
        self.0
    }

    /// The timer of a number from [`TimerId::number`]. A number that no timer has is that of a timer that is
    /// over.
    #[must_use]
    pub fn from_number(number: u64) -> Self {
        TimerId(number)
    }
}

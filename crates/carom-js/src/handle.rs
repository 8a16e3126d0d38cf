//! Handles as numbers: the slot and 2²⁴ times the generation, exact up to 2⁵³.

use crate::refused::{Refused, shown};
use carom_engine::{DiscId, Partner, RegionId, WallId};

/// Slots below this have a number.
const SLOTS: u32 = 1 << 24;
/// Generations below this have a number.
const GENERATIONS: u32 = 1 << 29;

/// What stands for no handle.
pub(crate) const NONE: f64 = -1.0;

/// A handle with a number.
pub(crate) trait Numbered: Copy + Sized {
    /// What it names, for errors.
    const FIELD: &'static str;

    fn parts(self) -> (u32, u32);
    fn of_parts(slot: u32, generation: u32) -> Option<Self>;

    /// Its number, if it has one: not after 2²⁹ uses of its slot.
    fn number(self) -> Option<f64> {
        let (slot, generation) = self.parts();
        (slot < SLOTS && generation < GENERATIONS).then(|| self.nearest_number())
    }

    /// The same for handles that have been given out.
    fn nearest_number(self) -> f64 {
        let (slot, generation) = self.parts();
        f64::from(slot) + f64::from(generation) * f64::from(SLOTS)
    }

    /// The handle of a number.
    fn of_number(number: f64) -> Result<Self, Refused> {
        let generation = (number / f64::from(SLOTS)).floor();
        let is_whole = number >= 0.0 && number.floor() == number && generation < f64::from(GENERATIONS);
        let slot = number - generation * f64::from(SLOTS);
        let id = if is_whole { Self::of_parts(slot as u32, generation as u32) } else { None };
        id.ok_or_else(|| Refused::value(Self::FIELD, shown(number), "a handle that this world has given out"))
    }
}

macro_rules! numbered {
    ($handle:ident, $field:literal) => {
        impl Numbered for $handle {
            const FIELD: &'static str = $field;

            fn parts(self) -> (u32, u32) {
                (self.slot(), self.generation())
            }

            fn of_parts(slot: u32, generation: u32) -> Option<Self> {
                $handle::from_parts(slot, generation)
            }
        }
    };
}

numbered!(DiscId, "disc");
numbered!(WallId, "wall");
numbered!(RegionId, "region");

/// Kind (0 none, 1 disc, 2 wall), handle and part.
pub(crate) fn partner(body: Partner) -> [f64; 3] {
    match body {
        Partner::Disc(disc) => [1.0, disc.nearest_number(), 0.0],
        Partner::Wall { wall, part } => [2.0, wall.nearest_number(), f64::from(part)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every handle that has a number is that of its number, and no other number has a handle.
    #[test]
    fn handles_and_numbers_correspond() {
        for slot in [0, 1, 7, SLOTS - 1] {
            for generation in [0, 1, 1 << 20, GENERATIONS - 1] {
                let id = DiscId::from_parts(slot, generation).expect("a slot that exists");
                let number = id.number().expect("in range");
                assert_eq!(DiscId::of_number(number), Ok(id));
                assert!(DiscId::of_number(number + 0.5).is_err() || number > 2f64.powi(52));
            }
        }
        for number in [-1.0, 0.5, f64::NAN, f64::INFINITY, -f64::INFINITY, 2f64.powi(53), 1e300, -0.5] {
            assert!(DiscId::of_number(number).is_err(), "{number}");
        }
        assert_eq!(DiscId::from_parts(SLOTS, 0).and_then(Numbered::number), None);
        assert_eq!(DiscId::from_parts(0, GENERATIONS).and_then(Numbered::number), None);
    }
}

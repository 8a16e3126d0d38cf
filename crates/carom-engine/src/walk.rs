use crate::{DiscId, RegionId, WallId};
use carom_math::Time;
use core::fmt::{self, Debug, Write};
use glam::DVec2;

/// Where in a world something is: see [`Difference`](crate::Difference).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// What is of no disc or wall: the time, settings, counters, the ledger.
    World,
    /// A disc, or a record of it.
    Disc {
        /// Its handle.
        id: DiscId,
        /// Its serial number: how many discs had been inserted before it.
        serial: u64,
    },
    /// A wall.
    Wall(WallId),
    /// A region, or a slot of regions.
    Region(RegionId),
    /// A slot of discs.
    DiscSlot(u32),
    /// A slot of walls.
    WallSlot(u32),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::World => write!(f, "world"),
            Place::Disc { id, .. } => write!(f, "disc {id}"),
            Place::Wall(id) => write!(f, "wall {id}"),
            Place::Region(id) => write!(f, "region {id}"),
            Place::DiscSlot(slot) => write!(f, "slot {slot} of discs"),
            Place::WallSlot(slot) => write!(f, "slot {slot} of walls"),
        }
    }
}

/// A part of what a world's future depends on, as it is stored.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum StoredValue {
    /// A number; which bits it has is what counts.
    Number(f64),
    /// A count, a slot, a serial number, or a yes or no: 1 or 0.
    Count(u64),
    /// A time.
    Time(Time),
    /// What has no fields that are known here, as its `Debug` shows it.
    Text(String),
}

/// A number with its bits: `1.5 (0x3ff8000000000000)`.
impl fmt::Display for StoredValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoredValue::Number(x) => write!(f, "{x} (0x{:016x})", x.to_bits()),
            StoredValue::Count(count) => write!(f, "{count}"),
            StoredValue::Time(time) => write!(f, "{} + {} s", time.epoch_start(), time.offset()),
            StoredValue::Text(text) => f.write_str(text),
        }
    }
}

/// As [`StoredValue`], where it is stored.
#[derive(Clone, Copy)]
pub(crate) enum Seen<'a> {
    Number(f64),
    Count(u64),
    Time(Time),
    Text(&'a dyn Debug),
}

impl Seen<'_> {
    /// Its bits; of a text a hash and the length.
    pub(crate) fn words(&self) -> [u64; 2] {
        match self {
            Seen::Number(x) => [x.to_bits(), 0],
            Seen::Count(count) => [*count, 0],
            Seen::Time(time) => [time.epoch_start().to_bits(), time.offset().to_bits()],
            Seen::Text(text) => {
                let mut hash = TextHash { words: [0xcbf2_9ce4_8422_2325, 0] };
                _ = write!(hash, "{text:?}");
                hash.words
            }
        }
    }

    pub(crate) fn stored(&self) -> StoredValue {
        match self {
            Seen::Number(x) => StoredValue::Number(*x),
            Seen::Count(count) => StoredValue::Count(*count),
            Seen::Time(time) => StoredValue::Time(*time),
            Seen::Text(text) => StoredValue::Text(format!("{text:?}")),
        }
    }
}

/// Fowler, Noll and Vo's hash, variant 1a, of 64 bits, and the number of bytes.
struct TextHash {
    words: [u64; 2],
}

impl Write for TextHash {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.words[0] = (self.words[0] ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            self.words[1] += 1;
        }
        Ok(())
    }
}

/// Visits all that a world's future depends on, in an order that depends on nothing else: what a snapshot
/// holds, part by part.
///
/// Each store has a function that takes itself apart by name, so that a new part does not compile until it is
/// decided whether it belongs here. What there may be more or less of comes after its number.
pub(crate) struct Walk<'w> {
    place: Place,
    see: &'w mut dyn FnMut(Place, &'static str, Seen<'_>),
}

impl<'w> Walk<'w> {
    pub(crate) fn new(see: &'w mut dyn FnMut(Place, &'static str, Seen<'_>)) -> Self {
        Walk { place: Place::World, see }
    }

    /// Says where what follows is.
    pub(crate) fn at(&mut self, place: Place) {
        self.place = place;
    }

    pub(crate) fn number(&mut self, field: &'static str, x: f64) {
        (self.see)(self.place, field, Seen::Number(x));
    }

    pub(crate) fn vector(&mut self, fields: [&'static str; 2], v: DVec2) {
        self.number(fields[0], v.x);
        self.number(fields[1], v.y);
    }

    pub(crate) fn count(&mut self, field: &'static str, count: u64) {
        (self.see)(self.place, field, Seen::Count(count));
    }

    pub(crate) fn size(&mut self, field: &'static str, count: usize) {
        self.count(field, count as u64);
    }

    pub(crate) fn flag(&mut self, field: &'static str, flag: bool) {
        self.count(field, flag.into());
    }

    pub(crate) fn time(&mut self, field: &'static str, time: Time) {
        (self.see)(self.place, field, Seen::Time(time));
    }

    /// Of what takes no memory there is nothing to see.
    pub(crate) fn text<T: Debug>(&mut self, field: &'static str, value: &T) {
        if size_of::<T>() > 0 {
            (self.see)(self.place, field, Seen::Text(value));
        }
    }
}

use crate::{DiscId, Overlap, Partner, RegionId, Rules, Sensor, WallId};
use carom_math::toi::Side;
use carom_math::{DVec2, Time};
use core::fmt::{self, Debug, Write};
use smallvec::SmallVec;
use std::collections::BTreeMap;

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

/// What shows its parts, by the names that they have in a snapshot: all that a snapshot consists of.
pub(crate) trait Fields {
    fn walk(&self, walk: &mut Walk<'_>);
}

/// Implements [`Fields`] by the names of the fields. A new one does not compile until it stands here: after
/// `texts` if its own fields are not known, after `within` if they are visited first, as those of the whole,
/// after `without` if a snapshot does not hold it.
macro_rules! fields {
    (
        $name:ident $(<$($parameter:ident),+>)?: $($field:ident),*
        $(; texts $($text:ident),+)? $(; within $($inner:ident),+)? $(; without $($left:ident),+)?
    ) => {
        impl $(<$($parameter: core::fmt::Debug),+>)? $crate::walk::Fields for $name $(<$($parameter),+>)? {
            fn walk(&self, walk: &mut $crate::walk::Walk<'_>) {
                let Self { $($field,)* $($($text,)+)? $($($inner,)+)? $($($left: _,)+)? } = self;
                $($($crate::walk::Fields::walk($inner, walk);)+)?
                $(walk.field(stringify!($field), $field);)*
                $($(walk.text(stringify!($text), $text);)+)?
            }
        }
    };
}

/// Implements [`Fields`] for types that are compared as a whole.
macro_rules! texts {
    ($($name:ty),+) => {
        $(impl $crate::walk::Fields for $name {
            fn walk(&self, walk: &mut $crate::walk::Walk<'_>) {
                walk.see($crate::walk::Seen::Text(self));
            }
        })+
    };
}

pub(crate) use {fields, texts};

/// The way from the whole to a part: `contacts.passing[2].since`.
#[derive(Default)]
pub(crate) struct Path(SmallVec<[Step; 8]>);

#[derive(Clone, Copy)]
enum Step {
    Field(&'static str),
    Item(usize),
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().enumerate().try_for_each(|(depth, step)| match step {
            Step::Field(name) if depth == 0 => f.write_str(name),
            Step::Field(name) => write!(f, ".{name}"),
            Step::Item(k) => write!(f, "[{k}]"),
        })
    }
}

/// Visits all that a world's future depends on, in an order that depends on nothing else: what a snapshot
/// holds, part by part.
pub(crate) struct Walk<'w> {
    place: Place,
    path: Path,
    visit: &'w mut dyn FnMut(Place, &Path, Seen<'_>),
}

impl<'w> Walk<'w> {
    pub(crate) fn new(visit: &'w mut dyn FnMut(Place, &Path, Seen<'_>)) -> Self {
        Walk { place: Place::World, path: Path::default(), visit }
    }

    /// Says where what follows is.
    pub(crate) fn at(&mut self, place: Place) {
        self.place = place;
    }

    pub(crate) fn see(&mut self, seen: Seen<'_>) {
        (self.visit)(self.place, &self.path, seen);
    }

    pub(crate) fn field(&mut self, name: &'static str, value: &dyn Fields) {
        self.step(Step::Field(name), value);
    }

    /// As `field`, of what has no fields that are known here. Of what takes no memory there is nothing to
    /// see.
    pub(crate) fn text<T: Debug>(&mut self, name: &'static str, value: &T) {
        if size_of::<T>() > 0 {
            self.step(Step::Field(name), &Text(value));
        }
    }

    /// Their number, then each.
    pub(crate) fn items<'a>(&mut self, items: impl ExactSizeIterator<Item = &'a (dyn Fields + 'a)>) {
        self.field("length", &items.len());
        items.enumerate().for_each(|(k, item)| self.step(Step::Item(k), item));
    }

    fn step(&mut self, step: Step, value: &dyn Fields) {
        self.path.0.push(step);
        value.walk(self);
        self.path.0.pop();
    }
}

struct Text<'a>(&'a dyn Debug);

impl Fields for Text<'_> {
    fn walk(&self, walk: &mut Walk<'_>) {
        walk.see(Seen::Text(self.0));
    }
}

impl Fields for f64 {
    fn walk(&self, walk: &mut Walk<'_>) {
        walk.see(Seen::Number(*self));
    }
}

impl Fields for Time {
    fn walk(&self, walk: &mut Walk<'_>) {
        walk.see(Seen::Time(*self));
    }
}

macro_rules! counts {
    ($($type:ty),+) => {
        $(impl Fields for $type {
            fn walk(&self, walk: &mut Walk<'_>) {
                walk.see(Seen::Count(*self as u64));
            }
        })+
    };
}

counts!(bool, u32, u64, usize, i32);

fields!(DVec2: x, y);

impl<A: Fields, B: Fields> Fields for (A, B) {
    fn walk(&self, walk: &mut Walk<'_>) {
        self.0.walk(walk);
        self.1.walk(walk);
    }
}

impl<T: Fields, const N: usize> Fields for [T; N] {
    fn walk(&self, walk: &mut Walk<'_>) {
        self.iter().enumerate().for_each(|(k, item)| walk.step(Step::Item(k), item));
    }
}

impl<T: Fields> Fields for Vec<T> {
    fn walk(&self, walk: &mut Walk<'_>) {
        walk.items(self.iter().map(|item| item as &dyn Fields));
    }
}

impl<T: Fields> Fields for Option<T> {
    fn walk(&self, walk: &mut Walk<'_>) {
        self.is_some().walk(walk);
        if let Some(value) = self {
            value.walk(walk);
        }
    }
}

impl<K: Fields, V: Fields> Fields for BTreeMap<K, V> {
    fn walk(&self, walk: &mut Walk<'_>) {
        self.iter().collect::<Vec<_>>().walk(walk);
    }
}

impl<T: Fields> Fields for &T {
    fn walk(&self, walk: &mut Walk<'_>) {
        T::walk(self, walk);
    }
}

texts!(DiscId, Overlap, Partner, RegionId, Rules, Sensor, Side);

use crate::{DiscId, RegionId, WallId};
use carom_math::toi::Side;
use carom_math::{DVec2, Time};
use core::fmt;
use glam::DVec3;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::sync::Arc;

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
    /// The name of a variant, of what has several.
    Name(&'static str),
}

/// A number with its bits: `1.5 (0x3ff8000000000000)`.
impl fmt::Display for StoredValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoredValue::Number(x) => write!(f, "{x} (0x{:016x})", x.to_bits()),
            StoredValue::Count(count) => write!(f, "{count}"),
            StoredValue::Time(time) => write!(f, "{} + {} s", time.epoch_start(), time.offset()),
            StoredValue::Name(name) => f.write_str(name),
        }
    }
}

/// As [`StoredValue`], where it is stored.
#[derive(Clone, Copy)]
pub(crate) enum Seen {
    Number(f64),
    Count(u64),
    Time(Time),
    Name(&'static str),
}

impl Seen {
    /// Its bits; of a name a hash and the length.
    pub(crate) fn words(&self) -> [u64; 2] {
        match self {
            Seen::Number(x) => [x.to_bits(), 0],
            Seen::Count(count) => [*count, 0],
            Seen::Time(time) => [time.epoch_start().to_bits(), time.offset().to_bits()],
            Seen::Name(name) => [name.bytes().fold(0, |hash, byte| mixed(hash, u64::from(byte))), 0],
        }
    }

    pub(crate) fn stored(&self) -> StoredValue {
        match self {
            Seen::Number(x) => StoredValue::Number(*x),
            Seen::Count(count) => StoredValue::Count(*count),
            Seen::Time(time) => StoredValue::Time(*time),
            Seen::Name(name) => StoredValue::Name(name),
        }
    }
}

/// A hash that goes on with a word, by the last step of MurmurHash3 (Appleby 2011, `fmix64`): each bit of
/// both changes half of the bits of the result. It has no key, and is the same on every machine.
#[inline]
pub(crate) fn mixed(hash: u64, word: u64) -> u64 {
    let mut hash = hash.rotate_left(5) ^ word;
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
}

/// What shows the parts that it consists of: all that [`World::checksum`](crate::World::checksum) takes in
/// and [`World::diff`](crate::World::diff) compares.
///
/// A physics has it, and what it stores with discs and walls. Numbers, times, vectors, arrays, lists, pairs,
/// options and `()` have it; [`fields!`](crate::fields) and [`variants!`](crate::variants) give it to the
/// types of a physics of one's own.
///
/// ```
/// # use carom_engine as carom;
/// use carom::DVec2;
///
/// #[derive(Clone, Copy, Debug, Default, PartialEq)]
/// struct Balloon {
///     lift: DVec2,
///     leaks: Option<f64>,
/// }
///
/// carom::fields!(Balloon: lift, leaks);
/// ```
pub trait Fields {
    /// Shows the parts, in an order that depends on nothing else: each by [`Walk::field`].
    fn walk(&self, walk: &mut Walk<'_>);
}

/// Implements [`Fields`](crate::Fields) for a struct by the names of its fields. A field that is left out
/// does not compile.
///
/// `fields!(Puck: charge, kind)`; with parameters, which are to have [`Fields`](crate::Fields), too,
/// `fields!(Puck<B>: charge, own)`. What stands after `; within` is shown first and without its name, as
/// parts of the whole; what stands after `; without` is not shown: it is to follow from the others.
#[macro_export]
macro_rules! fields {
    (
        $name:ident $(<$($parameter:ident),+>)?: $($field:ident),*
        $(; within $($inner:ident),+)? $(; without $($left:ident),+)?
    ) => {
        impl $(<$($parameter: $crate::Fields),+>)? $crate::Fields for $name $(<$($parameter),+>)? {
            fn walk(&self, walk: &mut $crate::Walk<'_>) {
                let Self { $($field,)* $($($inner,)+)? $($($left: _,)+)? } = self;
                $($($crate::Fields::walk($inner, walk);)+)?
                $(walk.field(stringify!($field), $field);)*
            }
        }
    };
}

/// Implements [`Fields`](crate::Fields) for an enum by the names of its variants and of what they hold. A
/// variant or a field that is left out does not compile.
///
/// ```
/// # use carom_engine as carom;
/// enum Fuse {
///     Wet,
///     Lit(f64),
///     Cut { length: f64, tool: u32 },
/// }
///
/// carom::variants!(Fuse: Wet, Lit(seconds), Cut { length, tool });
/// ```
#[macro_export]
macro_rules! variants {
    (
        $name:ident $(<$($parameter:ident),+>)?:
        $($variant:ident $(($($item:ident),+))? $({ $($field:ident),+ })?),+
    ) => {
        impl $(<$($parameter: $crate::Fields),+>)? $crate::Fields for $name $(<$($parameter),+>)? {
            fn walk(&self, walk: &mut $crate::Walk<'_>) {
                match self {
                    $(Self::$variant $(($($item),+))? $({ $($field),+ })? => {
                        walk.variant(stringify!($variant));
                        $($(walk.field(stringify!($item), $item);)+)?
                        $($(walk.field(stringify!($field), $field);)+)?
                    })+
                }
            }
        }
    };
}

pub(crate) use {fields, variants};

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
/// holds, part by part. See [`Fields`].
pub struct Walk<'w> {
    place: Place,
    path: Path,
    visit: &'w mut dyn FnMut(Place, &Path, Seen),
}

impl<'w> Walk<'w> {
    pub(crate) fn new(visit: &'w mut dyn FnMut(Place, &Path, Seen)) -> Self {
        Walk { place: Place::World, path: Path::default(), visit }
    }

    /// Says where what follows is.
    pub(crate) fn at(&mut self, place: Place) {
        self.place = place;
    }

    pub(crate) fn see(&mut self, seen: Seen) {
        (self.visit)(self.place, &self.path, seen);
    }

    /// Shows a part that has this name.
    pub fn field(&mut self, name: &'static str, value: &dyn Fields) {
        self.step(Step::Field(name), value);
    }

    /// Says which of several forms what follows has.
    pub fn variant(&mut self, name: &'static str) {
        self.see(Seen::Name(name));
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

impl fmt::Debug for Walk<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Walk").field("place", &self.place).finish_non_exhaustive()
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

counts!(bool, u8, u16, u32, u64, usize, i8, i16, i32, i64);

fields!(DVec2: x, y);
fields!(DVec3: x, y, z);

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

impl<T: Fields> Fields for Arc<T> {
    fn walk(&self, walk: &mut Walk<'_>) {
        T::walk(self, walk);
    }
}

impl Fields for () {
    fn walk(&self, _: &mut Walk<'_>) {}
}

macro_rules! handles {
    ($($type:ty),+) => {
        $(impl Fields for $type {
            fn walk(&self, walk: &mut Walk<'_>) {
                walk.field("slot", &self.slot());
                walk.field("generation", &self.generation());
            }
        })+
    };
}

handles!(DiscId, WallId, RegionId);
variants!(Side: Front, Back);
